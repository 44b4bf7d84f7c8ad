package hit

import (
	"fmt"

	"espy/internal/usage"
)

// Names are the words that a front has for what only some modes take.
type Names struct {
	IgnoreCase, Word, Multiline, Context, Explain, Work string
	Mode                                                func(Mode) string // how a mode is asked for
}

// RefuseIgnored refuses a request that asks for what its mode makes nothing of,
// under the names of the front that took it.
func (r *Request) RefuseIgnored(n Names) error {
	checked, err := r.Checked()
	if err != nil {
		return err
	}
	lines, mode := checked.Mode.FindsLines(), string(checked.Mode)
	if checked.Mode == ModeStructure && (r.IgnoreCase || r.Word) {
		name := n.Word
		if r.IgnoreCase {
			name = n.IgnoreCase
		}
		return &usage.Error{Msg: name + " means nothing in mode structure: a pattern is compared with whole names", Hint: "leave it out, or use " + n.Mode(ModeRegex)}
	}
	for _, f := range []struct {
		name   string
		given  bool
		lines  bool // the modes that it is for
		reason string
	}{
		{n.IgnoreCase, r.IgnoreCase, true, mode + " never looks at case"},
		{n.Word, r.Word, true, mode + " always takes whole words"},
		{n.Context, r.Before+r.After > 0, true, mode + " shows the lines that tell most"},
		{n.Explain, r.Explain, false, "only keyword and semantic give scores"},
	} {
		if f.given && f.lines != lines {
			hint := "leave it out, or add " + n.Mode(ModeLiteral) + " or " + n.Mode(ModeRegex)
			if !f.lines {
				hint = "leave it out, or use " + n.Mode(ModeKeyword)
			}
			return &usage.Error{Msg: fmt.Sprintf("%s means nothing in mode %s: %s", f.name, checked.Mode, f.reason), Hint: hint}
		}
	}
	if r.Multiline && checked.Mode != ModeRegex {
		return &usage.Error{Msg: fmt.Sprintf("%s means nothing in mode %s: only a regular expression is matched over lines", n.Multiline, checked.Mode), Hint: "leave it out, or use " + n.Mode(ModeRegex)}
	}
	if !r.Work.IsZero() && checked.Mode != ModeKeyword {
		return &usage.Error{Msg: fmt.Sprintf("%s means nothing in mode %s: only keyword ranks by the work at hand", n.Work, checked.Mode), Hint: "leave it out, or use " + n.Mode(ModeKeyword)}
	}
	return nil
}

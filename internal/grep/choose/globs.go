package choose

import (
	"strings"

	"espy/internal/glob"
	"espy/internal/usage"
)

// globs are those of -g and --iglob, the later the stronger: rules in the syntax of
// ignore files, in which those without an exclamation mark choose files.
type globs struct {
	exact, folded *glob.Rules
	some          bool // one of them chooses files
}

// newGlobs compiles globs. Those in folded are matched without regard to case.
func newGlobs(exact, folded []string) (g globs, err error) {
	compile := func(list []string, flag string, fold bool) (*glob.Rules, error) {
		var text strings.Builder
		for _, p := range list {
			if err := check(p, flag); err != nil {
				return nil, err
			}
			g.some = g.some || !strings.HasPrefix(p, "!")
			for _, one := range spread(p) {
				if fold {
					one = strings.ToLower(one)
				}
				text.WriteString(one + "\n")
			}
		}
		return glob.ParseRules([]byte(text.String())), nil
	}
	if g.exact, err = compile(exact, "glob", false); err == nil {
		g.folded, err = compile(folded, "iglob", true)
	}
	return g, err
}

// check refuses a glob with brackets or braces that do not close.
func check(p, flag string) error {
	depth := 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			end := strings.IndexByte(p[min(i+2, len(p)):], ']')
			if end < 0 {
				return &usage.Error{Arg: flag, Value: p, Msg: "unclosed character class", Hint: "close the bracket, or put a backslash before it"}
			}
			i += 2 + end
		case '{':
			depth++
		case '}':
			depth--
		}
	}
	if depth != 0 {
		return &usage.Error{Arg: flag, Value: p, Msg: "unclosed alternate group", Hint: "close the brace, or put a backslash before it"}
	}
	return nil
}

// maxSpread bounds how many globs one with braces stands for.
const maxSpread = 1000

// spread writes out the alternatives in braces.
func spread(p string) []string {
	open, depth := -1, 0
	var cuts []int
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\':
			i++
		case c == '{':
			if depth++; depth == 1 {
				open, cuts = i, []int{i}
			}
		case c == ',' && depth == 1:
			cuts = append(cuts, i)
		case c == '}':
			if depth--; depth == 0 && open >= 0 {
				return alternatives(p, append(cuts, i))
			}
		}
	}
	return []string{p}
}

func alternatives(p string, cuts []int) (out []string) {
	last := len(cuts) - 1
	for i := range last {
		one := p[:cuts[0]] + p[cuts[i]+1:cuts[i+1]] + p[cuts[last]+1:]
		if out = append(out, spread(one)...); len(out) > maxSpread {
			return out[:maxSpread]
		}
	}
	return out
}

// match tells what the globs say of a path that is relative to the working
// directory.
func (g *globs) match(path string, dir bool) (chosen, left bool) {
	if g.exact == nil && g.folded == nil {
		return false, false
	}
	v := glob.Undecided
	if g.folded != nil {
		low := strings.ToLower(path)
		v = g.folded.Match(low, base(low), dir)
	}
	if v == glob.Undecided && g.exact != nil {
		v = g.exact.Match(path, base(path), dir)
	}
	switch v {
	case glob.Ignored:
		return true, false
	case glob.Kept:
		return false, true
	}
	return false, g.some && !dir
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

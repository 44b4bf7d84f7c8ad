package choose

import (
	"strings"

	"espy/internal/ascii"
	"espy/internal/glob"
	"espy/internal/usage"
)

// globs are those of -g and --iglob, the later the stronger: rules in the syntax of
// ignore files, in which those without an exclamation mark choose files.
type globs struct {
	exact, folded *glob.Rules
	some          bool // one of them chooses files
}

// newGlobs compiles globs. Those in folded are matched without regard to case, which is
// that of ASCII.
func newGlobs(exact, folded []string) (g globs, err error) {
	compile := func(list []string, flag string, fold bool) (*glob.Rules, error) {
		var text strings.Builder
		for _, p := range list {
			if err := check(p, flag); err != nil {
				return nil, err
			}
			g.some = g.some || p != "" && p[0] != '!' && p[0] != '#'
			for _, one := range spread(p) {
				text.WriteString(asRule(one, fold) + "\n")
			}
		}
		return glob.ParseRules([]byte(text.String())), nil
	}
	if g.exact, err = compile(exact, "glob", false); err == nil {
		g.folded, err = compile(folded, "iglob", true)
	}
	return g, err
}

// check refuses a glob that is none: brackets or braces that do not close, a range that
// ends before it begins, a backslash at the end.
func check(p, flag string) error {
	if strings.HasPrefix(p, "#") { // it says nothing
		return nil
	}
	refuse := func(msg, hint string) error { return &usage.Error{Arg: flag, Value: p, Msg: msg, Hint: hint} }
	depth := 0
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			if i++; i == len(p) {
				return refuse("nothing stands behind the last backslash", "write it twice for one that is in a name")
			}
		case '[':
			end := classEnd(p, i)
			if end < 0 {
				return refuse("unclosed character class", "close the bracket, or put a backslash before it")
			}
			if _, _, backwards := classOf(p[i+1 : end]); backwards != "" {
				return refuse("the range "+backwards+" ends before it begins", "write the lower character first")
			}
			i = end
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return refuse("a brace is closed that was not opened", "put a backslash before it for one that is in a name")
			}
		}
	}
	if depth != 0 {
		return refuse("unclosed alternate group", "close the brace, or put a backslash before it")
	}
	return nil
}

// asRule writes a glob as a rule of an ignore file; folded, it is one of lower-case paths.
func asRule(p string, fold bool) string {
	lower := func(s string) string {
		if fold {
			return ascii.LowerString(s)
		}
		return s
	}
	var out strings.Builder
	for i := 0; i < len(p); i++ {
		end := -1
		if p[i] == '[' {
			end = classEnd(p, i)
		}
		switch {
		case end > 0:
			out.WriteString(classRule(p[i+1:end], fold))
			i = end
		case p[i] == '\\' && i+1 < len(p):
			out.WriteString(lower(p[i : i+2]))
			i++
		default:
			out.WriteString(lower(p[i : i+1]))
		}
	}
	return out.String()
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
		case c == '[':
			i = max(i, classEnd(p, i))
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
		if cuts[i]+1 == cuts[i+1] && cuts[last]-cuts[0] > last { // an empty one among others does not count
			continue
		}
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
	v := glob.Undecided
	if g.folded != nil {
		low := ascii.LowerString(path)
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

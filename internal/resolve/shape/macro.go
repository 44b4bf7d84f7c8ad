package shape

import (
	"regexp"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/infer"
)

// maxExpansion bounds the macros of which each is written as the next.
const maxExpansion = 4

// shapeOfMacro is the shape of what a macro gives that is written as nothing but its
// one argument: #define TEXT(x) L##x. Use x.At here calls it.
func (v *Choice) shapeOfMacro(macro string, x infer.Expr, depth int, b infer.Budget) shape {
	given := x.File.Given(x.At)
	if len(given) != 1 || !v.givesArgument(macro, maxExpansion) {
		return shape{}
	}
	to := v.shapeOf(x.To(given[0]), depth+1, b)
	if to.kind != builtin || to.literal != facts.LiteralString {
		return shape{}
	}
	to.generic = true
	return to
}

var (
	macroOfOne = regexp.MustCompile(`^#\s*define\s+\w+\(\s*(\w+)\s*\)\s*(.*)$`)
	widened    = regexp.MustCompile(`^(?:L|u8|u|U)\s*##\s*`)
	passedOn   = regexp.MustCompile(`^(\w+)\s*\(\s*(\w+)\s*\)$`)
)

// givesArgument reports whether all definitions of a macro are written as its
// argument, with a letter for its size before it, or as another such macro.
func (v *Choice) givesArgument(macro string, more int) bool {
	found := false
	for _, r := range v.read.Named(macro) {
		s := v.read.Symbol(r)
		if s.Kind != code.KindMacro {
			continue
		}
		text, err := v.read.Corpus().TextRange(r.File, int(s.Start), int(s.End), nil)
		if err != nil {
			return false
		}
		m := macroOfOne.FindStringSubmatch(strings.TrimSpace(string(text)))
		if m == nil {
			return false
		}
		body := strings.TrimSpace(widened.ReplaceAllString(m[2], ""))
		if next := passedOn.FindStringSubmatch(body); body != m[1] && (next == nil || next[2] != m[1] || more == 0 || !v.givesArgument(next[1], more-1)) {
			return false
		}
		found = true
	}
	return found
}

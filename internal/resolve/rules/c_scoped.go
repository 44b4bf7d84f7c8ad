package rules

import (
	"regexp"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// isScopedByMacro reports whether a use is the first argument of a macro that
// writes :: before it, #define POSIX(call) ::call, so that it names nothing of the
// types and namespaces around it.
func (c *clang) isScopedByMacro(f *corpus.File, u *facts.Use) bool {
	i := f.Facts.UsesFrom(u.At) - 1
	if u.Role != facts.RoleCall || i < 0 {
		return false
	}
	macro := f.Use(int32(i))
	if macro.Role != facts.RoleCall || macro.At+uint32(len(macro.Name))+1 != u.At || strings.ToUpper(macro.Name) != macro.Name {
		return false
	}
	is, ok := c.scoping[macro.Name]
	if !ok {
		is = c.scopes(macro.Name)
		c.scoping[macro.Name] = is
	}
	return is
}

// scopes reports whether a macro writes :: before its first parameter, by one of
// its definitions.
func (c *clang) scopes(macro string) bool {
	for _, r := range c.read.Named(macro) {
		s := c.read.Symbol(r)
		if s.Kind != code.KindMacro || c.corpus.Family(r.File) != corpus.C || s.MaxArgs == 0 {
			continue
		}
		text, err := c.corpus.TextRange(r.File, int(s.Start), int(s.End), nil)
		if err == nil && scopesFirst(string(text)) {
			return true
		}
	}
	return false
}

var macroHead = regexp.MustCompile(`^#\s*define\s+\w+\(\s*(\w+)\s*(?:,[^)]*)?\)`)

// scopesFirst reports whether the text of a macro writes :: before its first
// parameter, where no name stands before the ::.
func scopesFirst(text string) bool {
	m := macroHead.FindStringSubmatchIndex(text)
	if m == nil || !strings.Contains(text[m[1]:], "::") {
		return false
	}
	return regexp.MustCompile(`(?:^|[^\w>])::\s*` + text[m[2]:m[3]] + `\b`).MatchString(text[m[1]:])
}

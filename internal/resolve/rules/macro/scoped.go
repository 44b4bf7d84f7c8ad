package macro

import (
	"regexp"
	"strings"

	"espy/internal/pattern"
)

var macroHead = pattern.New(`^#\s*define\s+\w+\(\s*(\w+)\s*(?:,[^)]*)?\)`)

// ScopesFirst reports whether the text of a macro writes :: before its first
// parameter, where no name stands before the ::.
func ScopesFirst(text string) bool {
	m := macroHead().FindStringSubmatchIndex(text)
	if m == nil || !strings.Contains(text[m[1]:], "::") {
		return false
	}
	return regexp.MustCompile(`(?:^|[^\w>])::\s*` + text[m[2]:m[3]] + `\b`).MatchString(text[m[1]:])
}

package symbols

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// matcher tells which names a pattern means:
//
//	get           names that begin so
//	Backend.get   names that begin so in what bears the name in front
//	get*Result    with * for any text and ? for a character: whole names
//	Backend.get*  the same with what bears them in front
//	gtRslt        with fuzzy: names that have these letters in this order
//
// Letter case matters where the pattern has a capital letter.
type matcher struct {
	pattern   string
	fuzzy     bool
	glob      bool
	qualified bool // the pattern is one of Type.method
	folds     bool // letter case does not matter
}

func newMatcher(pattern string, fuzzy bool) *matcher {
	m := &matcher{pattern: pattern, fuzzy: fuzzy, glob: strings.ContainsAny(pattern, "*?"), folds: strings.IndexFunc(pattern, unicode.IsUpper) < 0}
	m.pattern = strings.NewReplacer("::", ".", "#", ".", "->", ".").Replace(m.pattern)
	m.qualified = strings.Contains(m.pattern, ".")
	if m.glob { // names have no slashes; the other marks of globs stand for themselves
		m.pattern = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `{`, `\{`, "/", "\x00").Replace(m.pattern)
		for strings.Contains(m.pattern, "**") {
			m.pattern = strings.ReplaceAll(m.pattern, "**", "*")
		}
	}
	return m
}

// fits reports whether the pattern means a name, and how far the name is from it: 0
// for the very name, the more the longer. Names that fit a pattern with wildcards are
// equally near.
func (m *matcher) fits(name string, qualified func() string) (distance int, ok bool) {
	if m.pattern == "" {
		return 0, true
	}
	if m.qualified {
		name = qualified()
	}
	if m.folds {
		name = strings.ToLower(name)
	}
	switch {
	case m.fuzzy:
		return m.between(name)
	case m.glob:
		return 0, doublestar.MatchUnvalidated(m.pattern, strings.ReplaceAll(name, "/", "\x00")) || m.qualified && m.ends(name, true)
	case strings.HasPrefix(name, m.pattern):
		return utf8.RuneCountInString(name[len(m.pattern):]), true
	case m.qualified && m.ends(name, false):
		return utf8.RuneCountInString(name[len(m.pattern):]), true
	}
	return 0, false
}

// mayFit is fits of a name alone: true where what is in front of it decides.
func (m *matcher) mayFit(name string) bool {
	if m.qualified {
		return true
	}
	_, ok := m.fits(name, nil)
	return ok
}

// ends reports whether a part of a qualified name, from one of its names on, fits.
func (m *matcher) ends(name string, glob bool) bool {
	for i := strings.IndexByte(name, '.'); i >= 0; i = strings.IndexByte(name, '.') {
		name = name[i+1:]
		if glob && doublestar.MatchUnvalidated(m.pattern, name) || !glob && strings.HasPrefix(name, m.pattern) {
			return true
		}
	}
	return false
}

// between finds the letters of the pattern in their order, and counts those that lie
// between and around them; letters between count twice.
func (m *matcher) between(name string) (distance int, ok bool) {
	rest := name
	for i, r := range m.pattern {
		at := strings.IndexRune(rest, r)
		if at < 0 {
			return 0, false
		}
		if i > 0 {
			distance += at
		}
		distance += at
		rest = rest[at+utf8.RuneLen(r):]
	}
	return distance + len(rest), true
}

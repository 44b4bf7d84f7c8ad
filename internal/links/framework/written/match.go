package written

import "regexp"

// Match is what a pattern matches in a text behind a byte.
type Match struct {
	Pattern *regexp.Regexp
	Start   int   // the byte of the text that the pattern was tried from
	Groups  []int // as FindSubmatchIndex gives them, from Start on
}

// Span is where a group of a match stands in the text, the whole match for no name; to
// is 0 where the group matches nothing.
func (m *Match) Span(name string) (from, to int) {
	i := 0
	if name != "" {
		i = m.Pattern.SubexpIndex(name)
	}
	if i < 0 || m.Groups[2*i] < 0 {
		return 0, 0
	}
	return m.Start + m.Groups[2*i], m.Start + m.Groups[2*i+1]
}

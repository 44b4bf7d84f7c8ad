package tree

import (
	"bytes"
	"cmp"
	"slices"

	"espy/internal/pattern"
)

// sought is an expression each of whose matches has one of some texts in it. It is run
// over the lines around these alone: to look a text up costs a hundredth of what an
// expression costs for each byte, and most files have none of the texts.
type sought struct {
	expr         pattern.Pattern
	texts        []string
	above, below int // lines around that of the text, to which a match may reach
}

// matches returns the places of each match and its groups, as [regexp.Regexp.FindAllSubmatchIndex] does.
func (s *sought) matches(text []byte) (found [][]int) {
	for _, lines := range s.lines(text) {
		for _, at := range s.expr().FindAllSubmatchIndex(text[lines.start:lines.end], -1) {
			for i := range at {
				if at[i] >= 0 {
					at[i] += int(lines.start)
				}
			}
			found = append(found, at)
		}
	}
	return found
}

// groups returns where the first group of each match stands.
func (s *sought) groups(text []byte) (found []span) {
	for _, at := range s.matches(text) {
		found = append(found, span{uint32(at[2]), uint32(at[3])})
	}
	return found
}

// lines returns the lines to look in, those that overlap or follow each other as one span.
func (s *sought) lines(text []byte) (all []span) {
	for _, one := range s.texts {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(one))
			if i < 0 {
				break
			}
			start := lineStart(text, at+i)
			at = lineEnd(text, at+i)
			end := at
			for range s.above {
				start = lineStart(text, max(0, start-1))
			}
			for range s.below {
				end = lineEnd(text, end)
			}
			all = append(all, span{uint32(start), uint32(end)})
		}
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	joined := all[:0]
	for _, one := range all {
		if k := len(joined); k > 0 && one.start <= joined[k-1].end {
			joined[k-1].end = max(joined[k-1].end, one.end)
		} else {
			joined = append(joined, one)
		}
	}
	return joined
}

// lineStart is where the line of byte at begins.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// lineEnd is where the line of byte at ends, behind its line end.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

package excerpt

import (
	"bytes"
	"unicode/utf8"

	"espy/internal/hit"
)

// Line copies the line text[start:end] and the parts of the matches on it,
// cut to MaxLineBytes round the first of them.
func Line(number int, text []byte, start, end int, matches [][2]int) hit.Line {
	if end > start && text[end-1] == '\r' {
		end--
	}
	var on [][2]int
	for _, m := range matches {
		if m[0] < end && m[1] > start || m[0] == m[1] && start <= m[0] && m[0] <= end {
			on = append(on, [2]int{max(m[0], start), min(m[1], end)})
		}
	}
	from, to := start, end
	if end-start > hit.MaxLineBytes {
		at, length := start, 0
		if len(on) > 0 {
			at, length = on[0][0], on[0][1]-on[0][0]
		}
		from, to = around(text, start, end, at, length)
	}
	l := hit.Line{Number: number, Text: bytes.Clone(text[from:to])}
	for _, m := range on {
		if m[1] < from || m[0] > to || m[0] < m[1] && (m[1] == from || m[0] == to) {
			continue
		}
		l.Matches = append(l.Matches, [2]int{max(m[0], from) - from, min(m[1], to) - from})
	}
	return l
}

// around returns the MaxLineBytes of text[start:end] that show a match best:
// a quarter of what it leaves stands before it. The cuts do not split characters.
func around(text []byte, start, end, match, length int) (from, to int) {
	from = max(start, match-max(0, hit.MaxLineBytes-length)/4)
	from = max(start, min(from, end-hit.MaxLineBytes))
	to = min(end, from+hit.MaxLineBytes)
	for n := 0; n < utf8.UTFMax-1 && from > start && from < match && !utf8.RuneStart(text[from]); n++ {
		from++
	}
	for n := 0; n < utf8.UTFMax-1 && to < end && !utf8.RuneStart(text[to]); n++ {
		to--
	}
	return from, to
}

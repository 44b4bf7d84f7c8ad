package excerpt

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"espy/internal/hit"
	"espy/internal/redact"
	"espy/internal/segment"
)

// Source is a text that lines are shown of.
type Source struct {
	Text []byte
	Hide *redact.Part // the same text, whose secrets are not shown; nil to show them
}

// Read returns the text of a chunk of a file. Secrets are shown where all is.
func Read(r *segment.Reader, file int, c segment.ChunkInfo, all bool, cache *segment.TextCache) (Source, error) {
	text, err := r.TextRange(file, int(c.Start), int(c.End), cache)
	if err != nil {
		return Source{}, err
	}
	s := Source{Text: bytes.Clone(text)}
	if !all {
		s.Hide = &redact.Part{Path: r.Path(file), Text: s.Text, Before: func() []byte {
			before, err := r.TextRange(file, int(c.Start)-redact.Reach, int(c.Start), cache)
			if err != nil {
				return nil // what is damaged is found where it is shown
			}
			return before
		}}
	}
	return s, nil
}

// Line copies the line text[start:end] and the parts of the matches on it,
// cut to MaxLineBytes round the first of them.
func (s Source) Line(number, start, end int, matches [][2]int) hit.Line {
	text := s.Text
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
	if s.Hide != nil {
		hide(&l, from, s.Hide.Spans(from, to))
	}
	return l
}

// hide puts markers in the place of the secrets of a line whose text begins at a
// place of their text. A match inside of a secret becomes its marker.
func hide(l *hit.Line, from int, secrets []redact.Span) {
	if len(secrets) == 0 {
		return
	}
	for i := range secrets {
		s := &secrets[i]
		s.Start, s.End = max(s.Start-from, 0), min(s.End-from, len(l.Text))
	}
	for i, m := range l.Matches {
		l.Matches[i] = [2]int{moved(m[0], secrets, false), moved(m[1], secrets, true)}
	}
	l.Matches = slices.Compact(l.Matches)
	l.Text = redact.Replace(l.Text, secrets)
}

// moved returns where a place stands once markers are in the place of secrets: at
// the start or the end of the marker for one inside.
func moved(at int, secrets []redact.Span, end bool) int {
	by := 0
	for _, s := range secrets {
		switch longer := len(s.Marker()) - (s.End - s.Start); {
		case at <= s.Start:
			return at + by
		case at >= s.End:
			by += longer
		case end:
			return s.End + by + longer
		default:
			return s.Start + by
		}
	}
	return at + by
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

package show

import (
	"espy/internal/grep/scan"
	"espy/internal/redact"
)

// lookAhead is how far behind the lines at hand a match may be looked for.
const lookAhead = 128

// locate finds the matches in lines, and what stands in their place.
func (p *Printer) locate(l *scan.Lines) {
	p.ranges, p.replaced, p.origins = p.ranges[:0], false, 0
	if !p.located {
		return
	}
	text, from, base, end := trimEnd(l.Bytes()), 0, 0, l.End-l.Start
	switch {
	case p.spans:
		text, from, base, end = l.Text[:min(len(l.Text), l.End+lookAhead)], l.Start, l.Start, l.End
	case p.re.SeesLineBefore():
		text, from, base, end = trimEnd(l.Text[:l.End]), l.Start, l.Start, l.End
	}
	var out []byte
	last := from
	replacing := p.o.Replace != nil && p.o.Kind == Standard
	p.shown = p.shown[:0]
	p.f.All(text, from, func(m []int) bool {
		if m[0] < end {
			p.ranges = append(p.ranges, [2]int{m[0] - base, m[1] - base})
		} else if !replacing || p.spans {
			return false
		}
		if replacing {
			out = append(out, text[last:m[0]]...)
			start := len(out)
			out = p.expand(out, text, m)
			p.shown = append(p.shown, [2]int{start, len(out)})
			last = m[1]
		}
		return true
	})
	p.origins = len(p.ranges)
	if replacing && len(p.shown) > 0 {
		p.replaced, p.result = true, append(out, text[last:max(last, min(end, len(text)))]...)
	}
}

// visible is what is shown of lines, and where the matches are in it: the result of
// a replacement, without secrets.
func (p *Printer) visible(l *scan.Lines) (text []byte, matches [][2]int) {
	text, matches = l.Bytes(), p.ranges
	if p.replaced {
		text, matches = p.result, p.shown
	}
	if !p.o.Hide || p.clear() {
		return text, matches
	}
	p.part.Text = l.Text
	start, end := l.Start, l.End
	spans := p.part.Spans(start, end)
	if len(spans) == 0 {
		return text, matches
	}
	p.stats.Hidden++
	if !p.replaced {
		return hide(text, matches, spans, start)
	}
	kind := spans[0].Marker()
	part := redact.Part{Path: p.path, Text: text}
	if found := part.Spans(0, len(text)); len(found) >= len(spans) {
		return hide(text, matches, found, 0)
	}
	return []byte(kind + "\n"), nil // what tells the secret stands on another line, or was replaced
}

// clear reports whether the file is known to have no secret.
func (p *Printer) clear() bool {
	if p.isClear == Unasked && p.askClear != nil {
		p.isClear = p.askClear()
	}
	return p.isClear == IsClear
}

// hide puts markers in the place of secrets, and moves the matches with them.
func hide(text []byte, matches [][2]int, spans []redact.Span, start int) ([]byte, [][2]int) {
	for i := range spans {
		spans[i].Start, spans[i].End = max(spans[i].Start-start, 0), min(spans[i].End-start, len(text))
		if n := spans[i].End; n > spans[i].Start && text[n-1] == '\n' {
			spans[i].End--
		}
	}
	moved := make([][2]int, len(matches))
	for i, m := range matches {
		moved[i] = [2]int{shift(m[0], spans, false), shift(m[1], spans, true)}
	}
	return redact.Replace(text, spans), moved
}

// shift is where a place is when markers stand for secrets: within a secret, the
// marker's start or end.
func shift(at int, spans []redact.Span, end bool) int {
	by := 0
	for _, s := range spans {
		n := len(s.Marker())
		switch {
		case at >= s.End:
			by += n - (s.End - s.Start)
		case at > s.Start && end:
			return s.Start + by + n
		case at > s.Start:
			return s.Start + by
		}
	}
	return at + by
}

func trimEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		return line[:n-1]
	}
	return line
}

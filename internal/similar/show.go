package similar

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"

	"espy/internal/excerpt"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/redact"
	"espy/internal/segment"
)

// Bounds of what is said of one hit.
const (
	maxShared = 6 // runs of lines
	maxLines  = 8 // lines that differ
)

// show makes the hits of the page.
func show(r *Request, f *filter.Filter, places []found, res *Result) error {
	places = places[min(r.Offset, len(places)):]
	places = places[:min(r.Limit, len(places))]
	var cache segment.TextCache
	for i := range places {
		p := &places[i]
		h := hit.Hit{
			Repo: p.seg.Snap.Name, Path: p.path, StartLine: p.first, EndLine: p.last, Score: p.score,
			Language: p.seg.Language(p.file), Class: p.seg.Class(p.file),
		}
		if err := name(&h, p, &cache); err != nil {
			return err
		}
		if err := lines(r, &h, p, &cache); err != nil {
			return err
		}
		res.Hits = append(res.Hits, h)
		res.Likeness = append(res.Likeness, likeness(p))
	}
	label.CountCalls(f, res.Hits)
	return nil
}

// likeness keeps the longest runs of lines.
func likeness(p *found) Likeness {
	l := Likeness{Grade: p.grade, Shared: p.shared}
	if p.grade == Alike {
		l.Cosine = p.score
	}
	if len(l.Shared) <= maxShared {
		return l
	}
	l.Shared = slices.Clone(l.Shared)
	slices.SortStableFunc(l.Shared, func(x, y Shared) int { return cmp.Compare(y.Last-y.First, x.Last-x.First) })
	l.Shared = l.Shared[:maxShared]
	slices.SortFunc(l.Shared, func(x, y Shared) int { return cmp.Compare(x.First, y.First) })
	l.More = len(p.shared) - maxShared
	return l
}

// name names the symbol of a hit: that of the line where the longest run that is
// shared begins.
func name(h *hit.Hit, p *found, cache *segment.TextCache) error {
	first, end := p.seg.ChunksOf(p.file)
	for c := first; c < end; c++ {
		chunk := label.Chunk{ChunkInfo: p.seg.Chunk(c), Segment: p.seg, Cache: cache}
		if p.at < int(chunk.Start) || p.at >= int(chunk.End) {
			continue
		}
		text, err := p.seg.TextRange(p.file, int(chunk.Start), int(chunk.End), cache)
		if err != nil {
			return err
		}
		at := p.at - int(chunk.Start)
		line := label.Line{Number: int(chunk.StartLine) + bytes.Count(text[:at], []byte{'\n'}), Start: bytes.LastIndexByte(text[:at], '\n') + 1, End: len(text), At: at}
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			line.End = at + i
		}
		_, err = chunk.NameBy(h, line, nil)
		return err
	}
	return nil
}

// lines reads the lines of a hit that are shown: all of them, or those that differ.
func lines(r *Request, h *hit.Hit, p *found, cache *segment.TextCache) error {
	if r.Detail == hit.DetailLocate || r.Detail == hit.DetailLines && p.grade == Same {
		return nil
	}
	text, from, err := p.text(cache)
	if err != nil {
		return err
	}
	to := text[p.end-from:]
	if i := bytes.IndexByte(to, '\n'); i >= 0 {
		to = to[:i]
	}
	at := bytes.LastIndexByte(text[:p.start-from], '\n') + 1
	source := sourceOf(r, p, text, from, cache)
	number := p.first
	for line := range bytes.Lines(text[at : p.end-from+len(to)]) {
		switch differs := !p.equal(number) && bytes.ContainsFunc(line, isWord); {
		case r.Detail == hit.DetailFull, differs && len(h.Lines) < maxLines:
			h.Lines = append(h.Lines, source.Line(number, at, at+len(bytes.TrimRight(line, "\r\n")), nil))
		case differs:
			h.Cut = true
		}
		number, at = number+1, at+len(line)
	}
	return nil
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// text returns the text of a place with what stands on its first and last line
// besides, as far as lines are shown, and the byte of the file that it begins with.
func (p *found) text(cache *segment.TextCache) (text []byte, from int, err error) {
	from = max(p.start-hit.MaxLineBytes, 0)
	text, err = p.seg.TextRange(p.file, from, p.end+hit.MaxLineBytes, cache)
	return bytes.Clone(text), from, err
}

// source is the text of a place whose lines are shown.
func sourceOf(r *Request, p *found, text []byte, from int, cache *segment.TextCache) excerpt.Source {
	s := excerpt.Source{Text: text}
	if !r.ShowSecrets {
		s.Hide = &redact.Part{Path: p.path, Text: text, Before: func() []byte {
			before, err := p.seg.TextRange(p.file, from-redact.Reach, from, cache)
			if err != nil {
				return nil // what is damaged is found where it is shown
			}
			return before
		}}
	}
	return s
}

// equal reports whether a line is shared as it is.
func (p *found) equal(line int) bool {
	return slices.ContainsFunc(p.shared, func(s Shared) bool { return !s.Renamed && s.First <= line && line <= s.Last })
}

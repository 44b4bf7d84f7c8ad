package similar

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"

	"espy/internal/excerpt"
	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// Bounds of what is said of one hit.
const (
	maxShared = 6 // runs of lines
	maxLines  = 8 // lines that differ
)

// show makes the hits of the page.
func (q *Query) show(f *filter.Filter, places []found, res *Result) error {
	places = places[min(q.Request.Offset, len(places)):]
	places = places[:min(q.Request.Limit, len(places))]
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
		if err := q.lines(&h, p, &cache); err != nil {
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

// name names the symbol of a hit.
func name(h *hit.Hit, p *found, cache *segment.TextCache) error {
	p.seg.WithFacts(p.file, func(f *syn.File) {
		if i := label.Enclosing(f, uint32(p.at)); i != facts.None {
			label.Name(h, f, i)
		}
	})
	if h.SymbolID != "" {
		return nil
	}
	line := p.first
	d, err := label.Round(p.seg.Reader, p.file, line, p.start, 0, cache)
	if err != nil || d == nil {
		return err
	}
	believed := true
	p.seg.WithFacts(p.file, func(f *syn.File) { believed = label.Beyond(f, h.Language, d.Name) })
	if believed {
		label.Outlined(h, d)
	}
	return nil
}

// lines reads the lines of a hit that are shown: all of them, or those that differ.
func (q *Query) lines(h *hit.Hit, p *found, cache *segment.TextCache) error {
	if q.Request.Detail == hit.DetailLocate || q.Request.Detail == hit.DetailLines && p.grade == Same {
		return nil
	}
	text, err := p.text(cache)
	if err != nil {
		return err
	}
	number, at := p.first, 0
	for line := range bytes.Lines(text) {
		switch differs := !p.equal(number) && bytes.ContainsFunc(line, isWord); {
		case q.Request.Detail == hit.DetailFull, differs && len(h.Lines) < maxLines:
			h.Lines = append(h.Lines, excerpt.Line(number, text, at, at+len(bytes.TrimRight(line, "\r\n")), nil))
		case differs:
			h.Cut = true
		}
		number, at = number+1, at+len(line)
	}
	return nil
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// text returns the lines of a place, of which long ones may be cut.
func (p *found) text(cache *segment.TextCache) ([]byte, error) {
	from := max(p.start-hit.MaxLineBytes, 0)
	text, err := p.seg.TextRange(p.file, from, p.end+hit.MaxLineBytes, cache)
	if err != nil {
		return nil, err
	}
	before, after := text[:p.start-from], text[p.end-from:]
	if i := bytes.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	return text[bytes.LastIndexByte(before, '\n')+1 : p.end-from+len(after)], nil
}

// equal reports whether a line is shared as it is.
func (p *found) equal(line int) bool {
	return slices.ContainsFunc(p.shared, func(s Shared) bool { return !s.Renamed && s.First <= line && line <= s.Last })
}

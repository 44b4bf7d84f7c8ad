package lines

import (
	"bytes"
	"context"

	"espy/internal/excerpt"
	"espy/internal/facts"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/redact"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// page is a text from which the hits of a part are cut: a region or a whole file.
type page struct {
	*filter.Segment
	file    int
	req     *hit.Request
	path    string
	outline *label.Outline
	facts   *syn.File // nil where they are not known
	symbol  int       // of the facts: what named is of
	named   hit.Hit   // the hit named last
	text    []byte
	start   int      // of the text in that of its file
	line    int      // number of its first line
	region  int      // the one it begins with
	ranges  [][2]int // memory for matches

	skip int // matching lines before the first hit
	take int // hits still to make
	hits []hit.Hit
}

// read makes the hits of a part. Where these need nothing from beyond their
// lines it reads only their regions.
func read(ctx context.Context, p *part, req *hit.Request, f finder) ([]hit.Hit, error) {
	cache, above := caches.Get().(*segment.TextCache), caches.Get().(*segment.TextCache)
	defer caches.Put(cache)
	defer caches.Put(above)
	s, file := p.seg.Segment, p.found.file
	page := page{
		Segment: s, file: file, req: req, path: s.Path(file), outline: label.NewOutline(s.Reader, file, above),
		symbol: facts.None, skip: p.skip, take: p.take,
	}
	s.WithSyntax(func(r *syn.Reader) {
		if r.State(file) == syn.Parsed {
			page.facts = r.File(file)
		}
	})
	if p.seg.docs.Whole || req.Before+req.After > 0 || req.Detail == hit.DetailFull {
		text, err := s.Text(file, cache)
		if err != nil {
			return nil, err
		}
		first, _ := s.RegionsOf(file)
		page.text, page.line, page.region = text, 1, first
		err = page.cut(ctx, f)
		return page.hits, err
	}
	for _, d := range p.found.docs {
		if page.skip >= int(d.lines) {
			page.skip -= int(d.lines)
			continue
		}
		if page.take == 0 {
			break
		}
		text, err := s.RegionText(int(d.doc), cache)
		if err != nil {
			return page.hits, err
		}
		region := s.Region(int(d.doc))
		page.text, page.start, page.line, page.region = text, region.Start, region.Line, int(d.doc)
		if err := page.cut(ctx, f); err != nil {
			return page.hits, err
		}
	}
	return page.hits, nil
}

// cut makes hits of the matching lines of the text, but for those to skip, until
// there are as many as to take.
func (p *page) cut(ctx context.Context, f finder) error {
	f.open(piece{p.text, p.Segment, p.file})
	p.outline.Turn(p.text, p.region)
	number, counted := p.line, 0 // the line that text[counted:] starts in
	for pos := 0; pos < len(p.text) && p.take > 0; {
		at := f.line(pos)
		if at < 0 {
			return ctx.Err()
		}
		start, end := pos+bytes.LastIndexByte(p.text[pos:at], '\n')+1, lineEnd(p.text, at)
		pos = end + 1
		if p.skip > 0 {
			p.skip--
			continue
		}
		number += bytes.Count(p.text[counted:start], newline)
		counted = start
		h, err := p.hit(f, number, start, end)
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil { // its columns may be missing
			return err
		}
		p.hits = append(p.hits, h)
		p.take--
	}
	return nil
}

// hit makes the hit of the line text[start:end].
func (p *page) hit(f finder, number, start, end int) (hit.Hit, error) {
	p.ranges = f.matches(p.ranges[:0], start, end)
	h := hit.Hit{
		Repo: p.Snap.Name, Path: p.path, StartLine: number, EndLine: number,
		Language: p.Language(p.file), Class: p.Class(p.file),
	}
	if err := p.name(&h, start, end); err != nil {
		return h, err
	}
	if len(p.ranges) > 0 {
		h.Column = p.ranges[0][0] - start + 1
		m := p.ranges[len(p.ranges)-1]
		if final := max(m[0], m[1]-1); final > end { // a text of several lines
			h.EndLine += bytes.Count(p.text[start:final], newline)
			end = lineEnd(p.text, final)
		}
	}
	if p.req.Detail != hit.DetailLocate {
		h.Lines = p.lines(&h, start, end)
	}
	return h, nil
}

// name names the innermost symbol round a hit in the line text[start:end].
func (p *page) name(h *hit.Hit, start, end int) error {
	if p.facts != nil && p.WithSyntax(func(*syn.Reader) { p.nameByFacts(h, start) }) && h.SymbolID != "" {
		return nil
	}
	d, err := p.outline.At(h.StartLine, start, end, 0)
	if d != nil && p.believes(d.Name) {
		label.Outlined(h, d)
	}
	return err
}

// believes reports whether a name of the outline is one beside the facts of the
// file.
func (p *page) believes(name string) bool {
	beyond := true
	if p.facts != nil {
		p.WithSyntax(func(*syn.Reader) { beyond = label.Beyond(p.facts, p.Language(p.file), name) })
	}
	return beyond
}

// nameByFacts names a hit by the syntax of its file. The hits of one symbol
// mostly follow each other.
func (p *page) nameByFacts(h *hit.Hit, at int) {
	if len(p.ranges) > 0 {
		at = p.ranges[0][0]
	}
	i := label.Enclosing(p.facts, uint32(p.start+at))
	if i != p.symbol {
		p.named = hit.Hit{Path: h.Path}
		label.Name(&p.named, p.facts, i)
		p.symbol = i
	}
	h.Symbol, h.Kind, h.SymbolID, h.SymbolLine = p.named.Symbol, p.named.Kind, p.named.SymbolID, p.named.SymbolLine
}

// lines cuts the lines of a hit, which are text[start:end], with their context.
func (p *page) lines(h *hit.Hit, start, end int) []hit.Line {
	before, after := p.req.Before, p.req.After
	if p.req.Detail == hit.DetailFull {
		first, last := p.chunkLines(h.StartLine)
		before, after = max(before, h.StartLine-first), max(after, last-h.EndLine)
	}
	number := h.StartLine
	for ; before > 0 && start > 0; before-- {
		start = bytes.LastIndexByte(p.text[:start-1], '\n') + 1
		number--
	}
	for ; after > 0 && end+1 < len(p.text); after-- {
		end = lineEnd(p.text, end+1)
	}
	source := excerpt.Source{Text: p.text}
	if !p.req.ShowSecrets {
		source.Hide = &redact.Part{Path: p.path, Text: p.text, Before: p.before}
	}
	var lines []hit.Line
	for pos := start; pos <= end; number++ {
		to := lineEnd(p.text, pos)
		lines = append(lines, source.Line(number, pos, to, p.ranges))
		pos = to + 1
	}
	return lines
}

// before returns what stands before the text in its file.
func (p *page) before() []byte {
	text, err := p.TextRange(p.file, p.start-redact.Reach, p.start, nil)
	if err != nil {
		return nil // what is damaged is found where it is shown
	}
	return text
}

// chunkLines returns the lines of the chunk that holds a line, or the line itself.
func (p *page) chunkLines(line int) (first, last int) {
	i, end := p.ChunksOf(p.file)
	for ; i < end; i++ {
		if c := p.Chunk(i); int(c.StartLine) <= line && line <= int(c.EndLine) {
			return int(c.StartLine), int(c.EndLine)
		}
	}
	return line, line
}

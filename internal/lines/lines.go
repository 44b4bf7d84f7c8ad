// Package lines finds every line that holds a text or matches a regular
// expression, with an exact total. literal.go and regex.go make a query of a
// request; this file counts the matching lines, led by trigrams; page.go reads
// those that are shown, and outline.go names the symbols round them.
package lines

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/label"
	"espy/internal/lines/trigram"
	"espy/internal/parallel"
	"espy/internal/segment"
)

// matcher is what literal and regular expression search differ in. It is read
// only; each goroutine takes a finder of its own.
type matcher interface {
	finder() finder
}

// finder finds matching lines in one text after the other.
type finder interface {
	// reset makes text the one that is searched, until the next reset.
	reset(text []byte)
	// line returns a place in the first line that a match starts in and that
	// starts at or after pos, itself the start of a line; -1 where there is none.
	// The place may be the line's end.
	line(pos int) int
	// matches appends the matches that start in the line text[start:end], in
	// order and apart from each other. Such a match may end beyond the line.
	matches(dst [][2]int, start, end int) [][2]int
}

// lookup is a matcher with what it tells of the texts that can match.
type lookup struct {
	matcher
	grams trigram.Query
	fold  bool // letters beyond ASCII may stand for those in grams
	whole bool // a match may span lines
}

// Query is a literal or a regular expression, ready to be searched for.
type Query struct {
	req    hit.Request
	lookup lookup
}

// Run answers the query in two passes: it counts the matching lines of every
// document, then reads those in the window again. A document is a region of a
// segment or, where a match may span lines, a file. When ctx ends early the
// result holds what was found until then and is Partial.
func (q *Query) Run(ctx context.Context, f *filter.Filter) (*hit.Result, error) {
	res := &hit.Result{}
	counts := &counting{req: &q.req, filter: f, lookup: q.lookup}
	if err := counts.run(ctx); err != nil {
		return nil, err
	}
	for _, s := range counts.segments {
		for _, f := range s.files {
			res.Files++
			res.Total += f.lines
		}
	}
	res.Notes = f.Damaged()
	res.Partial = counts.partial || len(res.Notes) > 0
	limit := q.req.Limit
	if counts.partial {
		res.Notes = append(res.Notes, "the time limit ended the search: the total is a lower bound")
		limit = min(limit, maxLateHits)
	}
	var err error
	if res.Hits, err = counts.window(ctx, q.req.Offset, limit); err != nil {
		return nil, err
	}
	res.Hits = budget(res.Hits, q.req.MaxTokens)
	err = segment.Guard(func() error {
		label.CountCalls(f, res.Hits)
		res.Repos = f.Searched()
		return nil
	})
	return res, err
}

// maxLateHits bounds what is still read once the time is up.
const maxLateHits = 1_000

// budget keeps the first hits that fit into a number of tokens, at least one. 0 keeps all.
func budget(hits []hit.Hit, tokens int) []hit.Hit {
	if tokens == 0 {
		return hits
	}
	used := 0
	for i := range hits {
		n := len(hits[i].Path) + 8
		for _, l := range hits[i].Lines {
			n += len(l.Text) + 8
		}
		if used += code.Tokens(n); used > tokens && i > 0 {
			return hits[:i]
		}
	}
	return hits
}

// counting is the first pass: it counts the matching lines of every document.
type counting struct {
	lookup
	req      *hit.Request
	filter   *filter.Filter
	segments []*counted // of all snapshots in the order of their names
	partial  bool       // the time ended before every document was looked at
}

// counted is what was found in one segment.
type counted struct {
	*filter.Segment
	trigram.Documents
	candidates []uint32    // documents that may match
	files      []fileCount // files that do, in order
}

// docCount is a document and its number of matching lines.
type docCount struct{ doc, lines uint32 }

// fileCount is a file and its number of matching lines.
type fileCount struct {
	file, lines int
	docs        []docCount // those with matches, in order
}

func (c *counting) run(ctx context.Context) error {
	for _, f := range c.filter.Segments {
		c.segments = append(c.segments, &counted{Segment: f, Documents: trigram.Documents{Reader: f.Reader, Whole: c.whole}})
	}
	slices.SortStableFunc(c.segments, func(a, b *counted) int {
		return cmp.Or(cmp.Compare(a.Snap.Name, b.Snap.Name), cmp.Compare(a.Snap.Repo, b.Snap.Repo))
	})
	err := parallel.Each(ctx, len(c.segments), len(c.segments), func() func(int) error {
		return func(i int) error { return c.segments[i].choose(&c.grams, c.fold) }
	})
	if err == nil {
		err = c.count(ctx)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		c.partial = true
		return nil
	}
	return err
}

// choose finds the documents that may match.
func (s *counted) choose(g *trigram.Query, fold bool) error {
	docs, all, err := s.Eligible(g, fold)
	if err != nil {
		return err
	}
	if !all {
		s.candidates = slices.DeleteFunc(docs, func(d uint32) bool { return !s.Allows(s.fileOf(d)) })
		return nil
	}
	for i := range s.NumFiles() {
		if !s.Allows(i) {
			continue
		}
		first, end := i, i+1
		if !s.Whole {
			first, end = s.RegionsOf(i)
		}
		for ; first < end; first++ {
			s.candidates = append(s.candidates, uint32(first))
		}
	}
	return nil
}

// fileOf returns the file of a document.
func (d *counted) fileOf(doc uint32) int {
	if d.Whole {
		return int(doc)
	}
	return d.RegionFile(int(doc))
}

// text returns the text of a document.
func (d *counted) text(doc uint32, cache *segment.TextCache) ([]byte, error) {
	if d.Whole {
		return d.Text(int(doc), cache)
	}
	return d.RegionText(int(doc), cache)
}

func (d *counted) size(doc uint32) int {
	if d.Whole {
		return d.TextSize(int(doc))
	}
	return d.RegionSize(int(doc))
}

// stretch is a piece of work: some candidates of one segment that follow each other.
type stretch struct {
	*counted
	from, to int // of candidates
	found    []docCount
}

// stretchBytes is about how much text one stretch has: 50 us or so of work, so
// that the last ones end together.
const stretchBytes = 64 << 10

// count counts the lines of every candidate.
func (c *counting) count(ctx context.Context) error {
	var work []stretch
	err := segment.Guard(func() error {
		for _, s := range c.segments {
			work = s.stretches(work)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = parallel.Each(ctx, len(work), len(work), func() func(int) error {
		f := c.finder()
		return func(i int) error { return work[i].count(ctx, f) }
	})
	counted := segment.Guard(func() error {
		for _, w := range work { // also those of a search that ran out of time
			w.counted.add(w.found)
		}
		return nil
	})
	return cmp.Or(counted, err)
}

func (s *counted) stretches(work []stretch) []stretch {
	from, size := 0, 0
	for i, d := range s.candidates {
		if size += s.size(d); size >= stretchBytes || i == len(s.candidates)-1 {
			work = append(work, stretch{counted: s, from: from, to: i + 1})
			from, size = i+1, 0
		}
	}
	return work
}

// count counts the lines of the stretch.
func (s *stretch) count(ctx context.Context, f finder) error {
	cache := caches.Get().(*segment.TextCache)
	defer caches.Put(cache)
	for _, d := range s.candidates[s.from:s.to] {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := s.text(d, cache)
		if err != nil {
			return err
		}
		f.reset(text)
		if n := countLines(f, text); n > 0 {
			s.found = append(s.found, docCount{d, uint32(n)})
		}
	}
	return nil
}

// add adds documents with matches that follow the ones added before.
func (s *counted) add(found []docCount) {
	for _, d := range found {
		file := s.fileOf(d.doc)
		if n := len(s.files); n == 0 || s.files[n-1].file != file {
			s.files = append(s.files, fileCount{file: file})
		}
		f := &s.files[len(s.files)-1]
		f.lines += int(d.lines)
		f.docs = append(f.docs, d)
	}
}

func countLines(f finder, text []byte) int {
	n := 0
	for pos := 0; pos < len(text); {
		at := f.line(pos)
		if at < 0 {
			break
		}
		n++
		pos = lineEnd(text, at) + 1
	}
	return n
}

// lineEnd returns the offset of the first line end at or after pos, or that of the text's end.
func lineEnd(text []byte, pos int) int {
	if i := bytes.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(text)
}

// caches keeps the buffers of earlier searches.
var caches = sync.Pool{New: func() any { return new(segment.TextCache) }}

// part is a file of the window and which of its matching lines are shown.
type part struct {
	*counted
	fileCount
	skip, take int // of its lines
	hits       []hit.Hit
}

// window reads the hits from offset on, at most limit of them.
func (c *counting) window(ctx context.Context, offset, limit int) ([]hit.Hit, error) {
	var parts []part
	err := segment.Guard(func() error {
		parts = c.parts(offset, limit)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = parallel.Each(context.WithoutCancel(ctx), len(parts), len(parts), func() func(int) error {
		f := c.finder()
		return func(i int) error {
			if errors.Is(ctx.Err(), context.Canceled) {
				return ctx.Err()
			}
			return parts[i].read(c.req, f)
		}
	})
	var hits []hit.Hit
	for _, p := range parts {
		hits = append(hits, p.hits...)
	}
	return hits, err
}

// parts chooses the files of the window.
func (c *counting) parts(offset, limit int) []part {
	var parts []part
	for s, f := range c.ordered() {
		if offset >= f.lines {
			offset -= f.lines
			continue
		}
		take := min(f.lines-offset, limit)
		if take == 0 {
			break
		}
		parts = append(parts, part{counted: s, fileCount: f, skip: offset, take: take})
		offset, limit = 0, limit-take
	}
	return parts
}

// ordered yields the files with matches in the order of the answer: by group,
// repository and path.
func (c *counting) ordered() iter.Seq2[*counted, fileCount] {
	return func(yield func(*counted, fileCount) bool) {
		for group := range groups {
			rest := c.segments
			for len(rest) > 0 {
				n := 1
				for n < len(rest) && rest[n].Snap == rest[0].Snap {
					n++
				}
				if !merge(rest[:n], group, yield) {
					return
				}
				rest = rest[n:]
			}
		}
	}
}

// merge yields the files of one group of the segments of one repository in path order.
func merge(segments []*counted, group int, yield func(*counted, fileCount) bool) bool {
	type cursor struct {
		*counted
		rest []fileCount
		path string
	}
	var cursors []cursor
	advance := func(c *cursor) bool {
		for len(c.rest) > 0 && groupOf(c.Class(c.rest[0].file)) != group {
			c.rest = c.rest[1:]
		}
		if len(c.rest) > 0 {
			c.path = c.Path(c.rest[0].file)
		}
		return len(c.rest) > 0
	}
	for _, s := range segments {
		if c := (cursor{counted: s, rest: s.files}); advance(&c) {
			cursors = append(cursors, c)
		}
	}
	for len(cursors) > 0 {
		first := 0
		for i := range cursors {
			if cursors[i].path < cursors[first].path {
				first = i
			}
		}
		c := &cursors[first]
		f := c.rest[0]
		if !yield(c.counted, f) {
			return false
		}
		if c.rest = c.rest[1:]; !advance(c) {
			cursors = slices.Delete(cursors, first, first+1)
		}
	}
	return true
}

// groups is the number of groups that groupOf returns.
const groups = 3

// groupOf orders files of different use: code, then what speaks about code,
// then what nobody here wrote by hand.
func groupOf(c code.Class) int {
	switch {
	case c&(code.ClassVendor|code.ClassGenerated|code.ClassMinified|code.ClassLock) != 0:
		return 2
	case c&(code.ClassTest|code.ClassExample|code.ClassBench|code.ClassDocs) != 0:
		return 1
	}
	return 0
}

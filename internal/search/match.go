package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"espy/internal/code"
	"espy/internal/segment"
	"espy/internal/store"
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

// lookup is a matcher with what it tells of the files that can match.
type lookup struct {
	matcher
	grams grams
	fold  bool // letters beyond ASCII may stand for those in grams
}

// find answers a literal or regular expression search in two passes: count the
// matching lines of every file, then read those in the window again.
func find(ctx context.Context, snaps []*store.Snapshot, p *plan, l lookup) (*Result, error) {
	res := &Result{}
	counts := &counting{plan: p, lookup: l}
	if err := counts.run(ctx); err != nil {
		return nil, err
	}
	for _, s := range counts.segments {
		for _, f := range s.found {
			res.Files++
			res.Total += int(f.lines)
		}
	}
	res.Notes = damaged(snaps)
	res.Partial = counts.partial || len(res.Notes) > 0
	limit := p.Limit
	if counts.partial {
		res.Notes = append(res.Notes, "the time limit ended the search: the total is a lower bound")
		limit = min(limit, maxLateHits)
	}
	var err error
	if res.Hits, err = counts.window(ctx, p.Offset, limit); err != nil {
		return nil, err
	}
	res.Hits = budget(res.Hits, p.MaxTokens)
	err = segment.Guard(func() error { res.Repos = p.filter.searched(); return nil })
	return res, err
}

// maxLateHits bounds what is still read once the time is up.
const maxLateHits = 1_000

// damaged tells which parts of the index an answer lacks.
func damaged(snaps []*store.Snapshot) []string {
	var notes []string
	for _, s := range snaps {
		for _, d := range s.Damaged {
			notes = append(notes, fmt.Sprintf("%s: a damaged part of the index is left out: %v", s.Name, d.Err))
		}
	}
	return notes
}

// budget keeps the first hits that fit into a number of tokens, at least one. 0 keeps all.
func budget(hits []Hit, tokens int) []Hit {
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

// counting is the first pass: it counts the matching lines of every file.
type counting struct {
	*plan
	lookup
	segments []*counted // of all snapshots in the order of their names
	partial  bool       // the time ended before every file was looked at
}

// counted is what was found in one segment.
type counted struct {
	*segmentFilter
	candidates []uint32    // files that may match
	found      []fileCount // files that do, in order
}

// fileCount is a file and its number of matching lines.
type fileCount struct {
	file, lines uint32
	hits        []Hit // the first of them, where they are made at once
}

func (c *counting) run(ctx context.Context) error {
	for _, f := range c.filter.segments {
		if f != nil {
			c.segments = append(c.segments, &counted{segmentFilter: f})
		}
	}
	slices.SortStableFunc(c.segments, func(a, b *counted) int {
		return cmp.Or(cmp.Compare(a.snap.Name, b.snap.Name), cmp.Compare(a.snap.Repo, b.snap.Repo))
	})
	err := parallel(ctx, len(c.segments), func() func(int) error {
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

// choose finds the files that may match.
func (s *counted) choose(g *grams, fold bool) error {
	files, all, err := eligible(s.Reader, g, fold)
	if err != nil {
		return err
	}
	if all {
		for i := range s.NumFiles() {
			if s.allows(i) {
				s.candidates = append(s.candidates, uint32(i))
			}
		}
		return nil
	}
	s.candidates = slices.DeleteFunc(files, func(f uint32) bool { return !s.allows(int(f)) })
	return nil
}

// stretch is a piece of work: some candidates of one segment that follow each other.
type stretch struct {
	*counted
	from, to int // of candidates
	found    []fileCount
}

// stretchBytes is about how much text one stretch has.
const stretchBytes = 1 << 20

// A search of few stretches for few hits makes them while it counts: most files
// it finds are shown, and reading them a second time would take as long again.
const (
	fewStretches = 10
	fewHits      = 100
)

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
	keep := 0
	if len(work) <= fewStretches && c.Limit <= fewHits-c.Offset {
		keep = c.Offset + c.Limit
	}
	err = parallel(ctx, len(work), func() func(int) error {
		f := c.finder()
		return func(i int) error { return work[i].count(ctx, f, c.plan, keep) }
	})
	for _, w := range work { // also those of a search that ran out of time
		w.counted.found = append(w.counted.found, w.found...)
	}
	return err
}

func (s *counted) stretches(work []stretch) []stretch {
	from, size := 0, 0
	for i, f := range s.candidates {
		if size += s.TextSize(int(f)); size >= stretchBytes || i == len(s.candidates)-1 {
			work = append(work, stretch{counted: s, from: from, to: i + 1})
			from, size = i+1, 0
		}
	}
	return work
}

// count counts the lines of the stretch and makes the first hits, about keep of them.
func (s *stretch) count(ctx context.Context, f finder, p *plan, keep int) error {
	cache := caches.Get().(*segment.TextCache)
	defer caches.Put(cache)
	for _, file := range s.candidates[s.from:s.to] {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := s.Text(int(file), cache)
		if err != nil {
			return err
		}
		f.reset(text)
		n := countLines(f, text)
		if n == 0 {
			continue
		}
		found := fileCount{file: file, lines: uint32(n)}
		if keep > 0 {
			part := part{counted: s.counted, file: int(file), take: min(n, keep)}
			part.cut(p, f, text)
			found.hits = part.hits
			keep -= len(part.hits)
		}
		s.found = append(s.found, found)
	}
	return nil
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

// parallel calls work for 0 to n-1 from a few goroutines, each with the
// function that its own start returned, and returns the first error. Work that
// has begun goes on when ctx ends, none begins.
func parallel(ctx context.Context, n int, start func() func(int) error) error {
	errs := make([]error, min(n, runtime.GOMAXPROCS(0)))
	var next atomic.Int64
	run := func(at int) {
		errs[at] = segment.Guard(func() error {
			work := start()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := work(i); err != nil {
					return err
				}
			}
		})
	}
	var wg sync.WaitGroup
	for at := 1; at < len(errs); at++ {
		wg.Go(func() { run(at) })
	}
	if n > 0 {
		run(0)
	}
	wg.Wait()
	return firstError(errs)
}

// firstError returns an error other than the end of the context where there is one.
func firstError(errs []error) error {
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
	return cmp.Or(errs...)
}

// part is a file of the window and which of its matching lines are shown.
type part struct {
	*counted
	file       int
	skip, take int
	hits       []Hit
}

// window reads the hits from offset on, at most limit of them.
func (c *counting) window(ctx context.Context, offset, limit int) ([]Hit, error) {
	var parts []part
	err := segment.Guard(func() error {
		parts = c.parts(offset, limit)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = parallel(context.WithoutCancel(ctx), len(parts), func() func(int) error {
		f := c.finder()
		return func(i int) error {
			if errors.Is(ctx.Err(), context.Canceled) {
				return ctx.Err()
			}
			return parts[i].read(c.plan, f)
		}
	})
	var hits []Hit
	for _, p := range parts {
		hits = append(hits, p.hits...)
	}
	return hits, err
}

// parts chooses the files of the window.
func (c *counting) parts(offset, limit int) []part {
	var parts []part
	for s, f := range c.ordered() {
		lines := int(f.lines)
		if offset >= lines {
			offset -= lines
			continue
		}
		take := min(lines-offset, limit)
		if take == 0 {
			break
		}
		p := part{counted: s, file: int(f.file), skip: offset, take: take}
		if end := offset + take; end <= len(f.hits) {
			p.hits = f.hits[offset:end]
		}
		parts = append(parts, p)
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
				for n < len(rest) && rest[n].snap == rest[0].snap {
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
		for len(c.rest) > 0 && groupOf(c.Class(int(c.rest[0].file))) != group {
			c.rest = c.rest[1:]
		}
		if len(c.rest) > 0 {
			c.path = c.Path(int(c.rest[0].file))
		}
		return len(c.rest) > 0
	}
	for _, s := range segments {
		if c := (cursor{counted: s, rest: s.found}); advance(&c) {
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

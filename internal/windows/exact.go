package windows

import (
	"bytes"
	"context"
	"slices"

	"espy/internal/segment"
)

// onlyText returns the leaf of an exact text where it alone decides which
// windows hold, and phrases at most their order; nil for other queries.
func (q *question) onlyText(e Expr) *leaf {
	if b, ok := e.(*Bool); ok && len(b.Must) == 1 && len(b.Not) == 0 {
		e = b.Must[0]
	}
	if _, ok := e.(*Text); !ok {
		return nil
	}
	if slices.ContainsFunc(q.leaves.list, func(l leaf) bool { return l.text == nil && !l.indexed() }) {
		return nil
	}
	return &q.leaves.list[q.leaves.ids[e]]
}

// text answers a query for an exact text, and reads no more text than makes the
// best windows sure.
func (q *question) text(ctx context.Context, l *leaf) (*Result, error) {
	files, err := candidates(q.view, l)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(q.leaves.list, func(l leaf) bool { return l.scored && len(l.found.Windows) > 0 }) {
		return q.byScore(ctx, l, files)
	}
	return q.byPlace(ctx, l, files)
}

// probed is how many windows are looked into, for each that is asked for, before
// all are.
const probed = 8

// byScore looks into the windows in the order of their scores, which do not
// depend on the text. Where many of them do not hold it, it looks into all.
func (q *question) byScore(ctx context.Context, l *leaf, files []place) (res *Result, err error) {
	err = segment.Guard(func() (err error) { res, err = q.probe(ctx, l, files); return err })
	if res != nil || err != nil {
		return res, err
	}
	if err := scan(ctx, q.view, l, files); err != nil {
		return nil, err
	}
	return q.rank(func() segment.Bitmap { return l.windows(q.stats.Windows) })
}

// probe returns nil where too few of the first windows hold a text.
func (q *question) probe(ctx context.Context, l *leaf, files []place) (*Result, error) {
	set := segment.EmptyBitmap(q.stats.Windows)
	for _, f := range files {
		first, end := q.Windows[f.part].WindowsOf(f.file)
		for x := first; x < end; x++ {
			set.Set(int(q.bases[f.part]) + x)
		}
	}
	n := probed * (q.limit + 8)
	ranked := best(set, scores(q.view, q.leaves, set, q.buf), n)
	var held []scored
	cache := new(segment.TextCache)
	for _, w := range ranked {
		if len(held) == q.limit {
			break
		}
		ok, err := q.begins(l.text, w.window, cache)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if ok {
			held = append(held, w)
		}
	}
	if len(held) < q.limit && len(ranked) == n {
		return nil, nil
	}
	res := &Result{Total: len(held), Least: len(held) == q.limit}
	var err error
	res.Hits, err = hits(q.view, held)
	return res, err
}

// begins reports whether a text begins in a window.
func (q *question) begins(text []byte, window int, cache *segment.TextCache) (bool, error) {
	w, number := q.part(window)
	at := w.Place(number)
	live, file, err := fileOf(q.Snapshot, w, w.FileOf(number))
	if err != nil {
		return false, err
	}
	held, err := live.TextRange(file, at.Start, at.End+len(text)-1, cache)
	return bytes.Contains(held, text), err
}

// firstRound is how many files are read before it is seen whether they do.
const firstRound = 64

// byPlace reads files in their order, where all windows are equal, until
// enough windows hold the text. Each round of files doubles those read.
func (q *question) byPlace(ctx context.Context, l *leaf, files []place) (*Result, error) {
	for round := firstRound; len(files) > 0 && len(l.found.Windows) < q.limit; round *= 2 {
		n := min(round, len(files))
		if err := scan(ctx, q.view, l, files[:n]); err != nil {
			return nil, err
		}
		files = files[n:]
	}
	res, err := q.rank(func() segment.Bitmap { return l.windows(q.stats.Windows) })
	if err == nil {
		res.Least = len(files) > 0
	}
	return res, err
}

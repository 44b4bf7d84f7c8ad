package search

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"espy/internal/lines/trigram"
	"espy/internal/segment"
	"espy/internal/store"
)

// WindowRequest asks for the best windows of a view that has them: stretches of
// a fixed number of characters, which every text is cut into.
type WindowRequest struct {
	Query WindowExpr
	Limit int
}

// WindowStats counts the windows of a view.
type WindowStats struct {
	Windows int   `json:"windows"`
	Tokens  int64 `json:"tokens"` // plain words of all windows together, cut ones included
}

// WindowResult is the answer: the best windows, and how many there are.
type WindowResult struct {
	Total int
	Hits  []WindowHit
}

// WindowHit is one window. Its offsets are of bytes in the text of its file.
type WindowHit struct {
	Path       string
	Index      int // from 0 within the file
	Start, End int
	Score      float64
	Text       string
}

// WindowExpr is what a window must fulfil: *WindowBool, *WindowPhrase,
// *WindowText, *WindowPath or *WindowAll.
type WindowExpr interface{ windowExpr() }

// WindowBool holds where all of Must and none of Not hold and, without Must,
// one of Should does. With Not alone it holds everywhere else.
type WindowBool struct{ Must, Should, Not []WindowExpr }

// WindowPhrase holds where its words stand one after the other, in lower case,
// each a whole word or a run of whole parts of an identifier, with nothing but
// other characters than letters and digits between them.
type WindowPhrase struct {
	Words  []string
	Slop   int     // words that may stand between them, in all
	Prefix bool    // the last word may go on
	Boost  float64 // 0 is 1
}

// WindowText holds where an exact text begins. It adds nothing to a score
// unless nothing else does.
type WindowText struct{ Text string }

// WindowPath holds in files whose path contains a text, in either case, or is
// it, where Whole is set. Paths are matched with a slash before them.
type WindowPath struct {
	Text  string
	Whole bool
}

// WindowAll holds everywhere.
type WindowAll struct{}

func (*WindowBool) windowExpr()   {}
func (*WindowPhrase) windowExpr() {}
func (*WindowText) windowExpr()   {}
func (*WindowPath) windowExpr()   {}
func (*WindowAll) windowExpr()    {}

// CountWindows counts the windows of a view.
func CountWindows(s *store.Snapshot) (sum WindowStats) {
	for _, w := range s.Windows {
		sum.Windows += w.NumWindows()
		sum.Tokens += w.NumWords()
	}
	return sum
}

// Windows answers a request over one view. The score of a window is BM25 with
// k1 1.2 and b 0.75, where documents are windows and a phrase counts as one
// term (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25
// and Beyond", 2009), plus 1 for each condition met that holds no words. Ties
// go by path and place.
func Windows(ctx context.Context, s *store.Snapshot, req WindowRequest) (res *WindowResult, err error) {
	q := newWindowQuery(s, req)
	q.scratch = windowScratches.Get().(*windowScratch)
	defer windowScratches.Put(q.scratch)
	if err := q.count(ctx); err != nil {
		return nil, err
	}
	err = segment.Guard(func() error {
		set := q.set(req.Query)
		res = &WindowResult{Total: set.Count()}
		res.Hits, err = q.hits(q.best(set))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("rank windows: %w", err)
	}
	return res, nil
}

// windowQuery is a request made ready. It numbers the windows of all parts in a row.
type windowQuery struct {
	WindowRequest
	snap   *store.Snapshot
	stats  WindowStats
	bases  []uint32 // number of the first window of each part
	leaves []windowLeaf
	ids    map[WindowExpr]int // of leaves

	scratch *windowScratch
}

// windowLeaf is a phrase or a text, with whether its frequency counts.
type windowLeaf struct {
	phrase *WindowPhrase
	text   []byte
	first  []byte // of a phrase: its first word, or nil where that is not ASCII
	scored bool
	found  segment.Tally
}

func newWindowQuery(s *store.Snapshot, req WindowRequest) *windowQuery {
	q := &windowQuery{WindowRequest: req, snap: s, stats: CountWindows(s), ids: map[WindowExpr]int{}}
	base := 0
	for _, w := range s.Windows {
		q.bases = append(q.bases, uint32(base))
		base += w.NumWindows()
	}
	q.add(req.Query, true)
	return q
}

func (q *windowQuery) add(e WindowExpr, scored bool) {
	switch e := e.(type) {
	case *WindowBool:
		for _, x := range slices.Concat(e.Must, e.Should) {
			q.add(x, scored)
		}
		for _, x := range e.Not {
			q.add(x, false)
		}
	case *WindowPhrase:
		q.ids[e] = len(q.leaves)
		q.leaves = append(q.leaves, phraseLeaf(e, scored))
	case *WindowText:
		q.ids[e] = len(q.leaves)
		q.leaves = append(q.leaves, windowLeaf{text: []byte(e.Text)})
	}
}

func phraseLeaf(p *WindowPhrase, scored bool) windowLeaf {
	l := windowLeaf{phrase: p, scored: scored}
	if isASCII(p.Words[0]) {
		l.first = []byte(p.Words[0])
	}
	return l
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// set returns the windows that fulfil an expression.
func (q *windowQuery) set(e WindowExpr) segment.Bitmap {
	switch e := e.(type) {
	case *WindowAll:
		return segment.NewBitmap(q.stats.Windows)
	case *WindowPath:
		return q.pathSet(e)
	case *WindowBool:
		return q.boolSet(e)
	}
	set := q.none()
	for _, w := range q.leaves[q.ids[e]].found.Windows {
		set.Set(int(w))
	}
	return set
}

func (q *windowQuery) none() segment.Bitmap { return make(segment.Bitmap, (q.stats.Windows+63)/64) }

func (q *windowQuery) boolSet(e *WindowBool) segment.Bitmap {
	out := q.none()
	for _, x := range e.Should {
		if len(e.Must) > 0 {
			break // it only adds to the score
		}
		for i, word := range q.set(x) {
			out[i] |= word
		}
	}
	if len(e.Must) > 0 || len(e.Should) == 0 {
		out = segment.NewBitmap(q.stats.Windows)
	}
	for _, x := range e.Must {
		for i, word := range q.set(x) {
			out[i] &= word
		}
	}
	for _, x := range e.Not {
		for i, word := range q.set(x) {
			out[i] &^= word
		}
	}
	return out
}

func (q *windowQuery) pathSet(e *WindowPath) segment.Bitmap {
	set := q.none()
	for i, w := range q.snap.Windows {
		w.EachPathWith(e.Text, func(file int) {
			if e.Whole && !q.isPath(w, file, e.Text) {
				return
			}
			first, end := w.WindowsOf(file)
			for x := first; x < end; x++ {
				set.Set(int(q.bases[i]) + x)
			}
		})
	}
	return set
}

func (q *windowQuery) isPath(w *segment.Windows, file int, path string) bool {
	l, number, err := windowedFile(q.snap, w, file)
	return err == nil && "/"+l.Path(number) == path
}

// windowedFile returns the segment that holds a file of a part, and its number there.
func windowedFile(s *store.Snapshot, w *segment.Windows, file int) (l segment.Live, number int, err error) {
	seg, number := w.File(file)
	if seg >= len(s.Segments) {
		return l, 0, fmt.Errorf("%w: windows over segment %d of %d", store.ErrDamaged, seg, len(s.Segments))
	}
	return s.Segments[seg], number, nil
}

// scoredWindow is a window with its score.
type scoredWindow struct {
	window int
	score  float64
}

// BM25's parameters.
const (
	windowK1 = 1.2
	windowB  = 0.75
)

// best scores the windows of a set and returns the best in order.
func (q *windowQuery) best(set segment.Bitmap) []scoredWindow {
	scores := q.scores(set)
	var best []scoredWindow
	byScore := func(a, b scoredWindow) int { return cmp.Compare(b.score, a.score) }
	low := math.Inf(-1) // what a window needs more than
	for i, word := range set {
		for ; word != 0 && q.Limit > 0; word &= word - 1 {
			w := i<<6 | bits.TrailingZeros64(word)
			score := scores[w]
			if score == 0 {
				score = 1
			}
			if score <= low {
				continue
			}
			if best = append(best, scoredWindow{w, score}); len(best) >= 2*q.Limit+64 {
				slices.SortStableFunc(best, byScore) // windows rise within equal scores
				best = best[:q.Limit]
				low = best[q.Limit-1].score
			}
		}
	}
	slices.SortStableFunc(best, byScore)
	return best[:min(len(best), q.Limit)]
}

// scores sums the leaves of each window of a set, in their order.
func (q *windowQuery) scores(set segment.Bitmap) []float64 {
	scores := slices.Grow(q.scratch.scores[:0], q.stats.Windows)[:q.stats.Windows]
	clear(scores)
	q.scratch.scores = scores
	for j := range q.leaves {
		l := &q.leaves[j]
		if !l.scored || l.phrase == nil {
			continue
		}
		weigh := q.weight(l)
		rest := l.found
		for i, w := range q.snap.Windows {
			words := w.Words()
			base, end := q.bases[i], q.bases[i]+uint32(w.NumWindows())
			n := 0
			for ; n < len(rest.Windows) && rest.Windows[n] < end; n++ {
				if x := rest.Windows[n]; set.Has(int(x)) {
					scores[x] += weigh(rest.Counts[n], words.At(int(x-base)))
				}
			}
			rest = segment.Tally{Windows: rest.Windows[n:], Counts: rest.Counts[n:]}
		}
	}
	return scores
}

// weight returns what computes the part of a leaf in the score of a window: by
// how often it stands there and how many words there are. What is usual is
// computed once. Its idf is ln(1 + (N-df+0.5)/(df+0.5)).
func (q *windowQuery) weight(l *windowLeaf) func(tf, words uint32) float64 {
	df := len(l.found.Windows)
	n := float64(max(q.stats.Windows, df))
	boost := l.phrase.Boost
	if boost == 0 {
		boost = 1
	}
	idf := float64(boost * math.Log(1+(n-float64(df)+0.5)/(float64(df)+0.5)))
	average := max(float64(q.stats.Tokens)/float64(max(1, q.stats.Windows)), 1)
	weigh := func(tf, words uint32) float64 {
		norm := float64(windowK1 * (1 - windowB + float64(windowB*float64(words)/average)))
		return float64(idf * float64(float64(float64(tf)*(windowK1+1))/(float64(tf)+norm)))
	}
	known := &q.scratch.known
	*known = knownWeights{}
	return func(tf, words uint32) float64 {
		if tf >= usualTF || words >= usualWords {
			return weigh(tf, words)
		}
		k := &known[tf][words]
		if *k == 0 {
			*k = weigh(tf, words)
		}
		return *k
	}
}

const usualTF, usualWords = 4, 256

// knownWeights is what weight has computed of the usual.
type knownWeights [usualTF][usualWords]float64

// hits reads the texts of windows.
func (q *windowQuery) hits(best []scoredWindow) (hits []WindowHit, err error) {
	cache := caches.Get().(*segment.TextCache)
	defer caches.Put(cache)
	for _, b := range best {
		part := sort.Search(len(q.bases), func(i int) bool { return int(q.bases[i]) > b.window }) - 1
		w := q.snap.Windows[part]
		window := b.window - int(q.bases[part])
		file := w.FileOf(window)
		first, _ := w.WindowsOf(file)
		place := w.Place(window)
		l, number, err := windowedFile(q.snap, w, file)
		if err != nil {
			return nil, err
		}
		text, err := l.TextRange(number, place.Start, place.End, cache)
		if err != nil {
			return nil, err
		}
		hits = append(hits, WindowHit{
			Path: l.Path(number), Index: window - first, Start: place.Start, End: place.End, Score: b.score, Text: string(text),
		})
	}
	return hits, nil
}

// EachWindowed calls yield with the files of a view that has windows, in path
// order, with their bytes on disk and how many windows each has.
func EachWindowed(s *store.Snapshot, yield func(path string, size int64, windows int)) error {
	return segment.Guard(func() error {
		for _, w := range s.Windows {
			for f := range w.NumFiles() {
				l, number, err := windowedFile(s, w, f)
				if err != nil {
					return err
				}
				first, end := w.WindowsOf(f)
				yield(l.Path(number), l.FileSize(number), end-first)
			}
		}
		return nil
	})
}

// FileText is one file of a view.
type FileText struct {
	Path string
	Text []byte // valid until the function that is given it returns

	reader *segment.Reader
	file   int
}

// DefinitionLines returns the lines, from 1, on which the outline of the file
// defines a name.
func (f *FileText) DefinitionLines(name string) (lines []int) {
	first, end := f.reader.DefinitionsOf(f.file)
	for i := first; i < end; i++ {
		if d := f.reader.Definition(i); d.Name == name {
			lines = append(lines, int(d.Line))
		}
	}
	return lines
}

// EachText calls yield with the files of a view that may contain a text, in
// path order, or with every one where needle is empty.
func EachText(ctx context.Context, s *store.Snapshot, needle string, yield func(*FileText) error) error {
	return segment.Guard(func() error {
		marks := make([]segment.Bitmap, len(s.Segments))
		for i, l := range s.Segments {
			marks[i] = make(segment.Bitmap, (l.NumFiles()+63)/64)
			if err := eachEligible(l, trigram.Of(needle), marks[i].Set); err != nil {
				return err
			}
		}
		cache := caches.Get().(*segment.TextCache)
		defer caches.Put(cache)
		var err error
		s.Each(func(seg, file int) bool {
			if !marks[seg].Has(file) {
				return true
			}
			if err = ctx.Err(); err != nil {
				return false
			}
			r := s.Segments[seg].Reader
			f := &FileText{Path: r.Path(file), reader: r, file: file}
			if f.Text, err = r.Text(file, cache); err == nil && (needle == "" || bytes.Contains(f.Text, []byte(needle))) {
				err = yield(f)
			}
			return err == nil
		})
		return err
	})
}

// OneText calls yield with one file of a view, and reports whether the view has it.
func OneText(s *store.Snapshot, path string, yield func(*FileText) error) (found bool, err error) {
	err = segment.Guard(func() error {
		seg, file, ok := s.Find(path)
		if found = ok; !ok {
			return nil
		}
		r := s.Segments[seg].Reader
		text, err := r.Text(file, new(segment.TextCache))
		if err != nil {
			return err
		}
		return yield(&FileText{Path: path, Text: text, reader: r, file: file})
	})
	return found, err
}

package search

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"espy/internal/parse"
	"espy/internal/segment"
	"espy/internal/store"
)

// WindowRequest asks for the best windows of a view: stretches of a fixed
// number of characters, which the windowing cuts every text into.
type WindowRequest struct {
	Windowing parse.Windowing
	Stats     WindowStats // of the whole view, from CountWindows
	Query     WindowExpr
	Limit     int
}

// WindowStats counts the windows of a view.
type WindowStats struct {
	Windows int   `json:"windows"`
	Tokens  int64 `json:"tokens"` // words of all windows together, as WindowTokens counts them
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

// Windows answers a request over one view. The score of a window is BM25 with
// k1 1.2 and b 0.75, where documents are windows and a phrase counts as one
// term (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25
// and Beyond", 2009), plus 1 for each condition met that holds no words. Ties
// go by path and place.
func Windows(ctx context.Context, s *store.Snapshot, req WindowRequest) (*WindowResult, error) {
	if err := req.Windowing.Validate(); err != nil {
		return nil, err
	}
	q := newWindowQuery(req)
	files, err := q.files(s)
	if err != nil {
		return nil, err
	}
	found := make([]windowFile, len(files))
	err = parallel(ctx, len(files), func() func(int) error {
		w := &windowScan{windowQuery: q, cache: caches.Get().(*segment.TextCache)}
		return func(i int) (err error) {
			found[i], err = w.file(files[i])
			return err
		}
	})
	if err != nil {
		return nil, err
	}
	return q.result(s, found)
}

// windowPlace is a file of the view that has to be looked at.
type windowPlace struct {
	reader *segment.Reader
	file   int
	path   string
	scan   bool // it may contain words of the query
}

// windowFile is what was found in one file.
type windowFile struct {
	windowPlace
	windows []windowMatch
	df      []int // windows that hold each leaf
}

type windowMatch struct {
	index, start, end int
	tokens            int
	tfs               []int32 // of each leaf
}

// windowQuery is a request made ready.
type windowQuery struct {
	WindowRequest
	leaves []windowLeaf
	paths  []*WindowPath
	ids    map[WindowExpr]int // of leaves and paths
}

// windowLeaf is a phrase or a text, with whether its frequency counts.
type windowLeaf struct {
	phrase *WindowPhrase
	text   []byte
	first  []byte // of a phrase: its first word, or nil where that is not ASCII
	scored bool
}

func newWindowQuery(req WindowRequest) *windowQuery {
	q := &windowQuery{WindowRequest: req, ids: map[WindowExpr]int{}}
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
		l := windowLeaf{phrase: e, scored: scored}
		if isASCII(e.Words[0]) {
			l.first = []byte(e.Words[0])
		}
		q.leaves = append(q.leaves, l)
	case *WindowText:
		q.ids[e] = len(q.leaves)
		q.leaves = append(q.leaves, windowLeaf{text: []byte(e.Text)})
	case *WindowPath:
		q.ids[e] = len(q.paths)
		q.paths = append(q.paths, e)
	}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// grams is what a file with the leaf must contain. Letters that are not ASCII
// may stand in the text in another case, so that only the rest counts.
func (l *windowLeaf) grams() grams {
	if l.text != nil {
		return gramsOf(string(l.text))
	}
	g := grams{}
	for _, w := range l.phrase.Words {
		for _, piece := range strings.FieldsFunc(w, func(r rune) bool { return r >= 0x80 }) {
			g = both(g, gramsOf(piece))
		}
	}
	return g
}

// files returns the live files to look at, in path order: those that may hold
// a leaf and, where windows without any may fulfil the query, all others.
func (q *windowQuery) files(s *store.Snapshot) (places []windowPlace, err error) {
	err = segment.Guard(func() error {
		everywhere := q.without(q.Query, true)
		for _, l := range s.Segments {
			scan := make(segment.Bitmap, (l.NumFiles()+63)/64)
			for i := range q.leaves {
				if err := eachEligible(l, q.leaves[i].grams(), scan.Set); err != nil {
					return err
				}
			}
			for f := range l.NumFiles() {
				if l.Alive(f) && (everywhere || scan.Has(f)) {
					places = append(places, windowPlace{reader: l.Reader, file: f, path: l.Path(f), scan: scan.Has(f)})
				}
			}
		}
		return nil
	})
	slices.SortFunc(places, func(a, b windowPlace) int { return strings.Compare(a.path, b.path) })
	return places, err
}

// eachEligible calls yield with the files of a segment that may fulfil a condition.
func eachEligible(l segment.Live, g grams, yield func(file int)) error {
	docs, all, err := documents{Reader: l.Reader, whole: true}.eligible(&g, false)
	if err != nil {
		return err
	}
	if all {
		for f := range l.NumFiles() {
			yield(f)
		}
	}
	for _, f := range docs {
		yield(int(f))
	}
	return nil
}

// without reports whether the expression may hold where no leaf does, or, where
// path is false, whether it does in every path.
func (q *windowQuery) without(e WindowExpr, path bool) bool {
	switch e := e.(type) {
	case *WindowAll:
		return true
	case *WindowPath:
		return path
	case *WindowBool:
		for _, x := range e.Must {
			if !q.without(x, path) {
				return false
			}
		}
		for _, x := range e.Not {
			if q.without(x, !path) {
				return false
			}
		}
		return len(e.Must) > 0 || len(e.Should) == 0 || slices.ContainsFunc(e.Should, func(x WindowExpr) bool { return q.without(x, path) })
	}
	return false
}

// windowScan is one goroutine's work on a query.
type windowScan struct {
	*windowQuery
	cache   *segment.TextCache
	windows []parse.Window
	folded  []byte
	tfs     [][]int32 // of each leaf in each window; nil for none
	inPath  []bool
}

// file finds the windows of one file that fulfil the query.
func (w *windowScan) file(p windowPlace) (windowFile, error) {
	out := windowFile{windowPlace: p, df: make([]int, len(w.leaves))}
	w.inPath = w.inPath[:0]
	for _, x := range w.paths {
		w.inPath = append(w.inPath, x.matches("/"+p.path))
	}
	w.tfs = w.tfs[:0]
	for range w.leaves {
		w.tfs = append(w.tfs, nil)
	}
	if !p.scan && !w.holds(w.Query, 0) {
		return out, nil
	}
	text, err := p.reader.Text(p.file, w.cache)
	if err != nil {
		return out, err
	}
	w.windows = w.Windowing.Append(w.windows[:0], text)
	if p.scan {
		w.find(text, out.df)
	}
	for i, x := range w.windows {
		if !w.holds(w.Query, i) {
			continue
		}
		m := windowMatch{index: i, start: x.Start, end: x.End, tfs: make([]int32, len(w.leaves))}
		for j := range w.leaves {
			if w.tfs[j] != nil {
				m.tfs[j] = w.tfs[j][i]
			}
		}
		m.tokens = WindowTokens(text[x.Start:x.End])
		out.windows = append(out.windows, m)
	}
	return out, nil
}

func (x *WindowPath) matches(path string) bool {
	if x.Whole {
		return path == x.Text
	}
	return strings.Contains(strings.ToLower(path), strings.ToLower(x.Text))
}

// find counts every leaf in every window of a text.
func (w *windowScan) find(text []byte, df []int) {
	w.folded = foldASCII(w.folded[:0], text)
	for j := range w.leaves {
		l := &w.leaves[j]
		count := func(start, end int) {
			if l.text != nil {
				end = start + 1
			}
			if w.tfs[j] == nil {
				w.tfs[j] = make([]int32, len(w.windows))
			}
			i, _ := slices.BinarySearchFunc(w.windows, start+1, func(x parse.Window, at int) int { return cmp.Compare(x.Start, at) })
			for i--; i >= 0 && w.windows[i].End >= end; i-- {
				if w.tfs[j][i]++; w.tfs[j][i] == 1 {
					df[j]++
				}
			}
		}
		l.each(text, w.folded, count)
	}
}

// holds reports whether a window fulfils the expression.
func (w *windowScan) holds(e WindowExpr, window int) bool {
	switch e := e.(type) {
	case *WindowAll:
		return true
	case *WindowPath:
		return w.inPath[w.ids[e]]
	case *WindowBool:
		for _, x := range e.Must {
			if !w.holds(x, window) {
				return false
			}
		}
		for _, x := range e.Not {
			if w.holds(x, window) {
				return false
			}
		}
		return len(e.Must) > 0 || len(e.Should) == 0 || slices.ContainsFunc(e.Should, func(x WindowExpr) bool { return w.holds(x, window) })
	}
	tfs := w.tfs[w.ids[e]]
	return tfs != nil && tfs[window] > 0
}

// BM25's parameters.
const (
	windowK1 = 1.2
	windowB  = 0.75
)

// result scores what was found and reads the text of the best.
func (q *windowQuery) result(s *store.Snapshot, found []windowFile) (*WindowResult, error) {
	type scored struct {
		file  *windowFile
		match *windowMatch
		score float64
	}
	idf := q.idf(found)
	average := float64(q.Stats.Tokens) / float64(max(1, q.Stats.Windows))
	var all []scored
	for i := range found {
		f := &found[i]
		for j := range f.windows {
			m := &f.windows[j]
			all = append(all, scored{f, m, q.score(m, idf, average)})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) }) // path order within equal scores
	res := &WindowResult{Total: len(all)}
	err := segment.Guard(func() error {
		cache := caches.Get().(*segment.TextCache)
		defer caches.Put(cache)
		for _, h := range all[:min(len(all), q.Limit)] {
			text, err := h.file.reader.Text(h.file.file, cache)
			if err != nil {
				return err
			}
			res.Hits = append(res.Hits, WindowHit{
				Path: h.file.path, Index: h.match.index, Start: h.match.start, End: h.match.end,
				Score: h.score, Text: string(text[h.match.start:h.match.end]),
			})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read windows: %w", err)
	}
	return res, nil
}

// idf is ln(1 + (N-df+0.5)/(df+0.5)) of each scored leaf.
func (q *windowQuery) idf(found []windowFile) []float64 {
	out := make([]float64, len(q.leaves))
	for j := range q.leaves {
		if !q.leaves[j].scored || q.leaves[j].phrase == nil {
			continue
		}
		df := 0
		for i := range found {
			df += found[i].df[j]
		}
		n := float64(max(q.Stats.Windows, df))
		boost := q.leaves[j].phrase.Boost
		if boost == 0 {
			boost = 1
		}
		out[j] = float64(boost * math.Log(1+(n-float64(df)+0.5)/(float64(df)+0.5)))
	}
	return out
}

// score is the sum over the leaves of a window, or 1 where that has none.
func (q *windowQuery) score(m *windowMatch, idf []float64, average float64) float64 {
	sum := 0.0
	for j, tf := range m.tfs {
		if tf == 0 || idf[j] == 0 {
			continue
		}
		norm := float64(windowK1 * (1 - windowB + float64(windowB*float64(m.tokens)/max(average, 1))))
		sum += float64(idf[j] * float64(float64(float64(tf)*(windowK1+1))/(float64(tf)+norm)))
	}
	if sum == 0 {
		return 1
	}
	return sum
}

// CountWindows counts the windows of a whole view.
func CountWindows(ctx context.Context, s *store.Snapshot, by parse.Windowing) (WindowStats, error) {
	var places []windowPlace
	err := segment.Guard(func() error {
		s.Each(func(seg, file int) bool {
			places = append(places, windowPlace{reader: s.Segments[seg].Reader, file: file})
			return true
		})
		return nil
	})
	if err != nil {
		return WindowStats{}, err
	}
	counts := make([]WindowStats, len(places))
	err = parallel(ctx, len(places), func() func(int) error {
		cache := caches.Get().(*segment.TextCache)
		var windows []parse.Window
		return func(i int) error {
			text, err := places[i].reader.Text(places[i].file, cache)
			if err != nil {
				return err
			}
			windows = by.Append(windows[:0], text)
			for _, x := range windows {
				counts[i].Tokens += int64(WindowTokens(text[x.Start:x.End]))
			}
			counts[i].Windows = len(windows)
			return nil
		}
	})
	var sum WindowStats
	for _, c := range counts {
		sum.Windows += c.Windows
		sum.Tokens += c.Tokens
	}
	return sum, err
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
			if err := eachEligible(l, gramsOf(needle), marks[i].Set); err != nil {
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

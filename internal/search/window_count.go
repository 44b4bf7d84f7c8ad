package search

import (
	"context"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"espy/internal/ascii"
	"espy/internal/lines/trigram"
	"espy/internal/segment"
	"espy/internal/token"
)

// count finds the windows of every leaf. Phrases whose words stand side by side
// are counted by their pieces; others, and exact texts, in the text of the
// files that may hold them.
func (q *windowQuery) count(ctx context.Context) error {
	err := segment.Guard(func() error {
		for j := range q.leaves {
			if !q.leaves[j].indexed() {
				continue
			}
			q.leaves[j].found = q.scratch.tally(j)
			if err := q.countPieces(&q.leaves[j]); err != nil {
				return err
			}
			q.scratch.tallies[j] = q.leaves[j].found
		}
		return nil
	})
	for j := range q.leaves {
		if err == nil && !q.leaves[j].indexed() {
			err = q.scan(ctx, &q.leaves[j])
		}
	}
	return err
}

// windowScratch is memory that queries use one after the other.
type windowScratch struct {
	spans, next []segment.Span
	tallies     []segment.Tally // of leaves
	scores      []float64
	known       knownWeights
}

var windowScratches = sync.Pool{New: func() any { return new(windowScratch) }}

// tally returns an empty tally for a leaf.
func (s *windowScratch) tally(leaf int) segment.Tally {
	for len(s.tallies) <= leaf {
		s.tallies = append(s.tallies, segment.Tally{})
	}
	t := s.tallies[leaf]
	return segment.Tally{Windows: t.Windows[:0], Counts: t.Counts[:0]}
}

// indexed reports whether the pieces of words tell where the leaf holds.
func (l *windowLeaf) indexed() bool { return l.phrase != nil && l.phrase.Slop == 0 && !l.phrase.Prefix }

// piece is what has a list of places of its own: a word of letters, a number,
// or a character that is a word by itself.
type piece struct {
	text    string
	letters bool
	glued   bool // to the one before
}

// pieces cuts the words of a phrase where every text is cut, whatever the case
// of its letters.
func (p *WindowPhrase) pieces() (out []piece) {
	for _, word := range p.Words {
		start, last := 0, token.KindNone
		for i, r := range word {
			kind := token.KindOf(r)
			if i > 0 && (kind == token.KindSole || last == token.KindSole || (kind == token.KindDigit) != (last == token.KindDigit)) {
				out = append(out, newPiece(word[start:i], last, start > 0))
				start = i
			}
			last = kind
		}
		out = append(out, newPiece(word[start:], last, start > 0))
	}
	return out
}

func newPiece(text string, kind token.Kind, glued bool) piece {
	return piece{text: text, letters: kind != token.KindDigit && kind != token.KindSole, glued: glued}
}

func (q *windowQuery) countPieces(l *windowLeaf) error {
	pieces := l.phrase.pieces()
	scratch := q.scratch
	spans, next := scratch.spans, scratch.next
	defer func() { scratch.spans, scratch.next = spans, next }()
	for i, w := range q.snap.Windows {
		var err error
		if spans, err = placesOf(spans[:0], w, pieces[0]); err != nil {
			return err
		}
		for _, p := range pieces[1:] {
			if len(spans) == 0 {
				break
			}
			if next, err = placesOf(next[:0], w, p); err != nil {
				return err
			}
			spans = behind(spans, next, w.Glue(), p.glued)
		}
		if len(pieces) > 1 || pieces[0].letters {
			spans = apart(spans)
		}
		w.Tally(&l.found, spans, q.bases[i])
	}
	return nil
}

func placesOf(dst []segment.Span, w *segment.Windows, p piece) ([]segment.Span, error) {
	if p.letters {
		return w.Letters(dst, p.text)
	}
	return w.Pieces(dst, p.text)
}

// behind keeps the spans that one of next stands behind, with glue between
// them or without, and makes them go to its end. It reuses the memory of spans.
func behind(spans, next []segment.Span, glue segment.Glue, glued bool) []segment.Span {
	kept := spans[:0]
	at := 0
	for _, s := range spans {
		for near := min(at+8, len(next)); at < near && next[at].At < s.End; {
			at++
		}
		if at < len(next) && next[at].At < s.End {
			at += sort.Search(len(next)-at, func(i int) bool { return next[at+i].At >= s.End })
		}
		if at == len(next) {
			break
		}
		if next[at].At == s.End && glue.Has(s.End) == glued {
			kept = append(kept, segment.Span{At: s.At, End: next[at].End})
		}
	}
	return kept
}

// apart drops the spans that begin within the one kept before them.
func apart(spans []segment.Span) []segment.Span {
	kept := spans[:0]
	end := uint32(0)
	for _, s := range spans {
		if s.At >= end {
			kept = append(kept, s)
			end = s.End
		}
	}
	return kept
}

// grams is what a file with the leaf must contain. Letters that are not ASCII
// may stand in the text in another case, so that only the rest counts.
func (l *windowLeaf) grams() trigram.Query {
	if l.text != nil {
		return trigram.Of(string(l.text))
	}
	g := trigram.Query{}
	for _, w := range l.phrase.Words {
		for _, piece := range strings.FieldsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) {
			g = trigram.And(g, trigram.Of(piece))
		}
	}
	return g
}

// windowedText is a file of a part of windows.
type windowedText struct{ part, file int }

// scan counts a leaf in the text of the files that may hold it.
func (q *windowQuery) scan(ctx context.Context, l *windowLeaf) error {
	var files []windowedText
	err := segment.Guard(func() (err error) { files, err = q.eligible(l.grams()); return err })
	if err != nil {
		return err
	}
	found := make([]segment.Tally, len(files))
	err = parallel(ctx, len(files), len(files), func() func(int) error {
		scan := &windowScan{windowQuery: q, cache: caches.Get().(*segment.TextCache)}
		return func(i int) (err error) {
			found[i], err = scan.file(l, files[i])
			return err
		}
	})
	for _, f := range found {
		l.found.Windows = append(l.found.Windows, f.Windows...)
		l.found.Counts = append(l.found.Counts, f.Counts...)
	}
	return err
}

// eligible returns the files that may fulfil a condition, in path order.
func (q *windowQuery) eligible(g trigram.Query) (files []windowedText, err error) {
	marks := make([]segment.Bitmap, len(q.snap.Segments))
	for i, l := range q.snap.Segments {
		marks[i] = make(segment.Bitmap, (l.NumFiles()+63)/64)
		if err := eachEligible(l, g, marks[i].Set); err != nil {
			return nil, err
		}
	}
	for i, w := range q.snap.Windows {
		for f := range w.NumFiles() {
			if seg, file := w.File(f); seg < len(marks) && marks[seg].Has(file) {
				files = append(files, windowedText{i, f})
			}
		}
	}
	return files, nil
}

// eachEligible calls yield with the files of a segment that may fulfil a condition.
func eachEligible(l segment.Live, g trigram.Query, yield func(file int)) error {
	docs, all, err := trigram.Documents{Reader: l.Reader, Whole: true}.Eligible(&g, false)
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

// windowScan is one goroutine's work on a leaf.
type windowScan struct {
	*windowQuery
	cache  *segment.TextCache
	folded []byte
	counts []uint32 // of each window of a file
}

// file counts a leaf in the windows of one file. Of an exact text the first
// byte has to be in the window, of a phrase all.
func (s *windowScan) file(l *windowLeaf, f windowedText) (found segment.Tally, err error) {
	w := s.snap.Windows[f.part]
	live, number, err := windowedFile(s.snap, w, f.file)
	if err != nil {
		return found, err
	}
	text, err := live.Text(number, s.cache)
	if err != nil {
		return found, err
	}
	first, last := w.WindowsOf(f.file)
	s.counts = append(s.counts[:0], make([]uint32, last-first)...)
	if l.phrase != nil {
		s.folded = ascii.AppendLower(s.folded[:0], text)
	}
	l.each(text, s.folded, func(start, end int) {
		if l.text != nil {
			end = start + 1
		}
		x := first + sort.Search(last-first, func(i int) bool { return w.Place(first+i).End >= end })
		for ; x < last && w.Place(x).Start <= start; x++ {
			s.counts[x-first]++
		}
	})
	for i, n := range s.counts {
		if n > 0 {
			found.Windows = append(found.Windows, s.bases[f.part]+uint32(first+i))
			found.Counts = append(found.Counts, n)
		}
	}
	return found, nil
}

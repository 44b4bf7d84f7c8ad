package corpus

import (
	"cmp"
	"slices"

	"espy/internal/segment"
)

// PostingBlock is how many postings a segment decodes at once.
const PostingBlock = 128

// Occurrence is where a term occurs: its position counts the terms of the file.
type Occurrence struct {
	File, Position, Chunk uint32
}

// Phrase returns where some terms, at least one, stand side by side: the
// occurrences of the first of them, in order of files and positions, dead files
// among them.
func (s *Segment) Phrase(terms []string) ([]Occurrence, error) {
	lists := make([]segment.Term, len(terms))
	for i, text := range terms {
		t, ok, err := s.Lookup(text)
		if err != nil || !ok {
			return nil, err
		}
		lists[i] = t
	}
	rare := make([]int, len(terms)) // the numbers of the terms, the rarest first
	for i := range rare {
		rare[i] = i
	}
	slices.SortStableFunc(rare, func(a, b int) int { return cmp.Compare(lists[a].BodyDF, lists[b].BodyDF) })
	spans := s.around(lists[rare[0]], len(terms))
	for _, i := range rare[1:] {
		spans = keepWith(lists[i], spans)
	}
	at := rare[0]
	found := s.occurrences(lists[at], spans) // of term at
	for _, i := range rare[1:] {
		if spans = holding(spans, found); i == 0 {
			found = beside(s.occurrences(lists[0], spans), found, int64(at))
			at = 0
		} else {
			found = beside(found, s.occurrences(lists[i], spans), int64(i-at))
		}
	}
	return found, nil
}

// TextFiles returns the files whose text has the term, dead ones too.
func (s *Segment) TextFiles(t segment.Term) segment.Bitmap {
	files := segment.EmptyBitmap(s.NumFiles())
	var w walker
	for c, ok := w.begin(t).next(); ok; c, ok = w.next() {
		files.Set(s.FileOf(int(c)))
	}
	return files
}

// span is some chunks of a file side by side.
type span struct{ first, end int }

// around returns the chunks from which a run of so many terms with a given one among
// them may come, in order: those with the term, and those before and behind them.
func (s *Segment) around(t segment.Term, terms int) (all []span) {
	tokens := s.Scoring().Tokens
	least := 2 * terms // a word may be two tokens, its parts and all of it
	var w walker
	for c, ok := w.begin(t).next(); ok; c, ok = w.next() {
		first, end := s.ChunksOf(s.FileOf(int(c)))
		from, to := int(c), int(c)+1
		for n := 0; from > first && n < least; n += int(tokens[from]) {
			from--
		}
		for n := 0; to < end && n < least; to++ {
			n += int(tokens[to])
		}
		if last := len(all) - 1; last >= 0 && from < all[last].end {
			all[last].end = to
		} else {
			all = append(all, span{from, to})
		}
	}
	return all
}

// keepWith keeps the spans that have the term.
func keepWith(t segment.Term, all []span) []span {
	var w walker
	w.begin(t)
	return slices.DeleteFunc(all, func(x span) bool {
		c, ok := w.reach(uint32(x.first))
		return !ok || int(c) >= x.end
	})
}

// occurrences returns the occurrences of a term in some spans, in order.
func (s *Segment) occurrences(t segment.Term, spans []span) (found []Occurrence) {
	var w walker
	w.begin(t)
	for _, x := range spans {
		file := s.FileOf(x.first)
		for c, ok := w.reach(uint32(x.first)); ok && int(c) < x.end; c, ok = w.next() {
			for _, p := range w.positions() {
				found = append(found, Occurrence{uint32(file), p, c})
			}
		}
	}
	return found
}

// holding keeps the spans that have one of some occurrences. Both are in order.
func holding(all []span, some []Occurrence) []span {
	k := 0
	return slices.DeleteFunc(all, func(x span) bool {
		for k < len(some) && int(some[k].Chunk) < x.first {
			k++
		}
		return k == len(some) || int(some[k].Chunk) >= x.end
	})
}

// beside keeps the occurrences that have one of others at a distance behind them, or
// before them where it is less than 0.
func beside(all, others []Occurrence, distance int64) []Occurrence {
	kept := all[:0]
	k := 0
	for _, o := range all {
		want := int64(o.Position) + distance
		for k < len(others) && (others[k].File < o.File || others[k].File == o.File && int64(others[k].Position) < want) {
			k++
		}
		if k < len(others) && others[k].File == o.File && int64(others[k].Position) == want {
			kept = append(kept, o)
		}
	}
	return kept
}

// Apart returns the chunks in which the second of two terms stands so many terms
// behind the first, from least to most, in order, dead ones among them.
func (p *Pairs) Apart(first, second segment.Term, least, most int) []int {
	lead, other := p.first.begin(first), p.second.begin(second)
	from, to := int64(least), int64(most)
	if first.BodyDF > second.BodyDF {
		lead, other = other, lead
		from, to = -to, -from
	}
	found := p.found[:0]
	for chunk, ok := lead.next(); ok; chunk, ok = lead.next() {
		if !other.seek(chunk) {
			continue
		}
		for a, b, offset := lead.positions(), other.positions(), from; offset <= to; offset++ {
			if meets(a, b, offset) {
				found = append(found, int(chunk))
				break
			}
		}
	}
	p.found = found
	return found
}

// Begin begins to count where the second of two terms follows the first.
func (p *Pairs) Begin(first, second segment.Term) {
	if p.swapped = first.BodyDF > second.BodyDF; p.swapped {
		first, second = second, first
	}
	p.first.begin(first)
	p.second.begin(second)
}

// Count counts how often the second term stands right behind the first in the chunks
// from first to before end, in at most so many of those that hold both. A chunk that
// repeats a term beyond maxTimes is data and not looked at. Chunks are asked for in their
// order.
func (p *Pairs) Count(first, end, most int) (n int) {
	offset := int64(1)
	if p.swapped {
		offset = -1
	}
	for chunk, ok := p.first.reach(uint32(first)); ok && int(chunk) < end && most > 0; chunk, ok = p.first.next() {
		if p.second.seek(chunk) && max(p.first.times(), p.second.times()) <= maxTimes {
			n += meetings(p.first.positions(), p.second.positions(), offset)
			most--
		}
	}
	return n
}

// maxTimes is how often a chunk of text holds a term at most.
const maxTimes = 1 << 12

// Near reports whether a live file has the second of two terms at most so many terms
// behind the first.
func (s *Segment) Near(p *Pairs, first, second string, within int) (bool, error) {
	a, ok, err := s.Lookup(first)
	if err != nil || !ok {
		return false, err
	}
	b, ok, err := s.Lookup(second)
	if err != nil || !ok {
		return false, err
	}
	lead, other := p.first.begin(a), p.second.begin(b)
	for chunk, ok := lead.next(); ok; chunk, ok = lead.next() {
		if !other.seek(chunk) || !s.Alive(s.FileOf(int(chunk))) {
			continue
		}
		from, to := lead.positions(), other.positions()
		for d := 1; d <= within; d++ {
			if meets(from, to, int64(d)) {
				return true, nil
			}
		}
	}
	return false, nil
}

// Pairs is memory for looking for pairs of terms, one after the other. What it
// returns is good until the next call.
type Pairs struct {
	first, second walker
	found         []int
	swapped       bool // first is the second term
}

// meets reports whether a position of b is one of a and the offset.
func meets(a, b []uint32, offset int64) bool { return meetings(a, b, offset) > 0 }

// meetings counts the positions of b that are one of a and the offset.
func meetings(a, b []uint32, offset int64) (n int) {
	k := 0
	for _, p := range a {
		want := int64(p) + offset
		for k < len(b) && int64(b[k]) < want {
			k++
		}
		if k < len(b) && int64(b[k]) == want {
			n++
		}
	}
	return n
}

// walker goes over the postings of a term.
type walker struct {
	it          segment.BodyIter
	chunks, tfs [PostingBlock]uint32
	n, at       int // of the block, and the posting next reads after
	buf         []uint32
}

func (w *walker) begin(t segment.Term) *walker {
	w.it, w.n, w.at = t.Body(), 0, -1
	return w
}

// next goes on to the next posting.
func (w *walker) next() (chunk uint32, ok bool) {
	if w.at++; w.at >= w.n && !w.block() {
		return 0, false
	}
	return w.chunks[w.at], true
}

func (w *walker) block() bool {
	w.n, w.at = w.it.NextBlock(w.chunks[:], w.tfs[:]), 0
	return w.n > 0
}

// seek goes on to the first posting at or after a chunk and reports whether it is
// one of that chunk.
func (w *walker) seek(chunk uint32) bool {
	c, ok := w.reach(chunk)
	return ok && c == chunk
}

// reach goes on to the first posting at or after a chunk.
func (w *walker) reach(chunk uint32) (c uint32, ok bool) {
	if w.at < 0 || w.at >= w.n || w.chunks[w.n-1] < chunk {
		w.it.Seek(chunk)
		if !w.block() {
			return 0, false
		}
	}
	for w.at < w.n && w.chunks[w.at] < chunk {
		w.at++
	}
	if w.at >= w.n {
		return 0, false
	}
	return w.chunks[w.at], true
}

// times returns how often the chunk of the posting reached holds the term.
func (w *walker) times() uint32 { return w.tfs[w.at] }

// positions returns those of the posting reached, until the next call.
func (w *walker) positions() []uint32 {
	w.buf = w.it.Positions(w.at, w.buf[:0])
	return w.buf
}

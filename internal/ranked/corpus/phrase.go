package corpus

import "espy/internal/segment"

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
	files := s.TextFiles(lists[0], nil)
	for _, t := range lists[1:] {
		files = s.TextFiles(t, files)
	}
	starts := s.occurrences(lists[0], files)
	for k, t := range lists[1:] {
		starts = followed(starts, s.occurrences(t, files), uint32(k+1))
	}
	return starts, nil
}

// TextFiles returns the files among those given (nil for all) whose text has the
// term, dead ones too.
func (s *Segment) TextFiles(t segment.Term, among segment.Bitmap) segment.Bitmap {
	var chunks, tfs [PostingBlock]uint32
	files := segment.EmptyBitmap(s.NumFiles())
	for it := t.Body(); ; {
		n := it.NextBlock(chunks[:], tfs[:])
		if n == 0 {
			return files
		}
		for _, c := range chunks[:n] {
			if f := s.FileOf(int(c)); among.Has(f) {
				files.Set(f)
			}
		}
	}
}

// occurrences returns the occurrences of a term in the text of some files, in order.
func (s *Segment) occurrences(t segment.Term, files segment.Bitmap) []Occurrence {
	var chunks, tfs [PostingBlock]uint32
	var found []Occurrence
	var buf []uint32
	for it := t.Body(); ; {
		n := it.NextBlock(chunks[:], tfs[:])
		if n == 0 {
			return found
		}
		for k, c := range chunks[:n] {
			f := s.FileOf(int(c))
			if !files.Has(f) {
				continue
			}
			buf = it.Positions(k, buf[:0])
			for _, p := range buf {
				found = append(found, Occurrence{uint32(f), p, c})
			}
		}
	}
}

// followed keeps the starts that have one of next at the given distance behind them.
func followed(starts, next []Occurrence, distance uint32) []Occurrence {
	kept := starts[:0]
	k := 0
	for _, s := range starts {
		want := s.Position + distance
		for k < len(next) && (next[k].File < s.File || next[k].File == s.File && next[k].Position < want) {
			k++
		}
		if k < len(next) && next[k].File == s.File && next[k].Position == want {
			kept = append(kept, s)
		}
	}
	return kept
}

// Apart returns the chunks in which the second of two terms stands so many terms
// behind the first, in order, dead ones among them.
func (p *Pairs) Apart(first, second segment.Term, distance int) []int {
	lead, other := p.first.begin(first), p.second.begin(second)
	offset := int64(distance)
	if first.BodyDF > second.BodyDF {
		lead, other = other, lead
		offset = -offset
	}
	found := p.found[:0]
	for chunk, ok := lead.next(); ok; chunk, ok = lead.next() {
		if other.seek(chunk) && meets(lead.positions(), other.positions(), offset) {
			found = append(found, int(chunk))
		}
	}
	p.found = found
	return found
}

// Pairs is memory for looking for pairs of terms, one after the other. What it
// returns is good until the next call.
type Pairs struct {
	first, second walker
	found         []int
}

// meets reports whether a position of b is one of a and the offset.
func meets(a, b []uint32, offset int64) bool {
	k := 0
	for _, p := range a {
		want := int64(p) + offset
		for k < len(b) && int64(b[k]) < want {
			k++
		}
		if k < len(b) && int64(b[k]) == want {
			return true
		}
	}
	return false
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
	if w.at < 0 || w.at >= w.n || w.chunks[w.n-1] < chunk {
		w.it.Seek(chunk)
		if !w.block() {
			return false
		}
	}
	for w.at < w.n && w.chunks[w.at] < chunk {
		w.at++
	}
	return w.at < w.n && w.chunks[w.at] == chunk
}

// positions returns those of the posting reached, until the next call.
func (w *walker) positions() []uint32 {
	w.buf = w.it.Positions(w.at, w.buf[:0])
	return w.buf
}

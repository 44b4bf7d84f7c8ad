package rank

import (
	"math"
	"strings"
)

// PathQuery is what a query seeks in paths.
type PathQuery struct {
	terms  []weightedPart
	words  []Part         // of terms, see PathWords
	head   []weightedPart // the terms of the query's first words, and their shares of the weight of all of these
	heads  [4]uint64      // of terms, as bits: what has none of them is none of the terms
	weight float64        // of the query
}

type weightedPart struct {
	Part
	weight float64
}

// NewPathQuery returns a query of a weight that is above 0, with room for a number
// of terms.
func NewPathQuery(weight float64, terms int) *PathQuery {
	return &PathQuery{weight: weight, terms: make([]weightedPart, 0, terms), words: make([]Part, 0, terms)}
}

// Add adds a term and its weight. Primary ones are sought as words of paths too,
// unless they are short.
func (q *PathQuery) Add(text string, weight float64, primary bool) {
	p := NewPart(text)
	q.terms = append(q.terms, weightedPart{p, weight})
	if primary && len(text) > 2 {
		q.words = append(q.words, p)
	}
	h := headHash(p.head)
	q.heads[h/64] |= 1 << (h % 64)
}

// SetHead sets the terms of the query's first words.
func (q *PathQuery) SetHead(texts []string) {
	sum := 0.0
	for _, text := range texts {
		p := weightedPart{Part: NewPart(text)}
		if t := q.find(&p.Part); t != nil {
			p.weight = t.weight
		}
		q.head = append(q.head, p)
		sum += p.weight
	}
	for i := range q.head {
		q.head[i].weight /= max(sum, math.SmallestNonzeroFloat64)
	}
}

// headHash maps the head of a part to a byte.
func headHash(head uint32) uint32 { return head * 0x9E3779B1 >> 24 }

// may reports whether a part may be one of the terms or begin like one: few do.
func (q *PathQuery) may(p *Part) bool {
	h := headHash(p.head)
	return q.heads[h/64]>>(h%64)&1 != 0
}

// find returns the term that is a part, nil for none.
func (q *PathQuery) find(p *Part) *weightedPart {
	if !q.may(p) {
		return nil
	}
	for i := range q.terms {
		if t := &q.terms[i]; t.is(p) {
			return t
		}
	}
	return nil
}

// Near is what a folder says of each file in it. It is used again for others.
type Near struct {
	folder *FileFolder
	dir    float64   // share of the query's weight in the distinct terms of the folders
	words  []float64 // by word: what it is worth by the near folders, as occurs has it
	sum    float64   // of words
}

// nearDirTerms is how many of the nearest folders' terms count as words of a path.
const nearDirTerms = 3

// Near sets n to what a folder says.
func (q *PathQuery) Near(n *Near, f *FileFolder) {
	if n.folder == f {
		return
	}
	*n = Near{folder: f, words: n.words[:0]}
	for i := range f.Terms {
		if t := q.find(&f.Terms[i]); t != nil && !contains(f.Terms[:i], &t.Part) {
			n.dir += t.weight
		}
	}
	n.dir /= q.weight
	near := f.Terms[max(0, len(f.Terms)-nearDirTerms):]
	n.words = append(n.words, make([]float64, len(q.words))...)
	if !q.mayAny(near) {
		return
	}
	for i := range q.words {
		n.words[i] = occurs(near, &q.words[i])
		n.sum += n.words[i]
	}
}

// Judge sets the signals that a path gives a file whose Stem is set.
func (q *PathQuery) Judge(s *Signals, stem *FileStem, n *Near) {
	s[Depth] = float64(n.folder.Depth)
	s[Dir] = n.dir
	if len(q.words) > 0 {
		s[PathWords] = q.wordsIn(stem, n) / float64(len(q.words))
	}
	if said := q.explained(stem); said > 0 {
		s[StemSaid], s[StemFull] = said, s[Stem]*said
		s[StemHead] = q.headIn(stem) * said
	}
}

// wordsIn returns how many of the words occur in the stem or the near folders;
// a common beginning counts prefixMatch.
func (q *PathQuery) wordsIn(stem *FileStem, n *Near) float64 {
	if !q.mayAny(stem.Terms) {
		return n.sum
	}
	sum := 0.0
	for i := range q.words {
		sum += max(occurs(stem.Terms, &q.words[i]), n.words[i])
	}
	return sum
}

func (q *PathQuery) mayAny(parts []Part) bool {
	for i := range parts {
		if q.may(&parts[i]) {
			return true
		}
	}
	return false
}

// explained returns the part of the distinct terms of the stem that the query has.
func (q *PathQuery) explained(stem *FileStem) float64 {
	distinct, hits := 0, 0
	for i := range stem.Terms {
		t := &stem.Terms[i]
		if contains(stem.Terms[:i], t) {
			continue
		}
		distinct++
		if q.find(t) != nil {
			hits++
		}
	}
	return float64(hits) / float64(max(distinct, 1))
}

// headIn returns the sum of the shares of the first words' terms that the stem has.
func (q *PathQuery) headIn(stem *FileStem) float64 {
	sum := 0.0
	for i := range q.head {
		if contains(stem.Terms, &q.head[i].Part) {
			sum += q.head[i].weight
		}
	}
	return sum
}

// prefixMatch is the worth of a word that only begins like a word of the path.
const prefixMatch = 0.7

// occurs returns 1 where t is one of the parts, prefixMatch where one begins
// with the other, both of three bytes or more, and else 0.
func occurs(parts []Part, t *Part) float64 {
	best := 0.0
	for i := range parts {
		switch p := &parts[i]; {
		case p.head != t.head:
		case p.Text == t.Text:
			return 1
		case len(t.Text) >= 3 && len(p.Text) >= 3 && (strings.HasPrefix(p.Text, t.Text) || strings.HasPrefix(t.Text, p.Text)):
			best = prefixMatch
		}
	}
	return best
}

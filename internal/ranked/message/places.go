package message

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/segment"
	"espy/internal/token"
)

// Bounds of the search for places.
const (
	maxTerms     = 512   // of a line
	maxPairs     = 24    // pairs that are looked for, the rarest
	vainPairs    = 8     // one pair of so many is met, or there is no message
	signPairs    = 3     // of plain words, so many of the rarest tell whether there may be one
	pairDistance = 3     // terms that one of a pair stands behind the other, at most
	pairPostings = 40000 // postings that are read for all pairs
	fewPairs     = 4     // pairs of words that are no stop words, or those count too
	commonPair   = 64    // a pair that more chunks hold leads nowhere
	maxPlaces    = 8     // chunks that are read
	loneSum      = 0.7   // a pair that one chunk or two hold leads there alone
)

// Place is a chunk that may hold a message.
type Place struct {
	Segment *corpus.Segment
	Chunk   int
	pairs   int     // in it
	sum     float64 // of what they say
}

// File is the file of the place in its segment.
func (p *Place) File() int { return p.Segment.FileOf(p.Chunk) }

// wanted is a term of a line.
type wanted struct {
	text   string
	stop   bool
	chunks int            // live ones that hold it
	in     []segment.Term // by segment
}

// pair is two terms of a text, one some terms behind the other.
type pair struct {
	first, second *wanted
	distance      int
}

func (p *pair) postings() int { return p.first.chunks + p.second.chunks }

// Places returns the chunks that most of the rarest pairs of a line lead to.
func Places(line string, in *corpus.Corpus) ([]Place, error) {
	pairs, err := pairsOf(line, in)
	if err != nil {
		return nil, err
	}
	sums := make([]map[int]Place, len(in.Segments)) // by segment and chunk
	var memory corpus.Pairs
	met, left := 0, pairPostings
	logged := Logged(line)
	for i := range pairs {
		left -= pairs[i].postings()
		if left < 0 || !logged && (met < i/vainPairs || i == signPairs && !together(sums)) {
			break
		}
		if addPair(sums, in, &pairs[i], &memory) {
			met++
		}
	}
	var all []Place
	for i, s := range in.Segments {
		for chunk, p := range sums[i] {
			if p.Segment, p.Chunk = s, chunk; p.pairs > 1 || logged && p.sum >= loneSum {
				all = append(all, p)
			}
		}
	}
	slices.SortFunc(all, func(a, b Place) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), corpus.ComparePlaces(a.Segment, a.File(), b.Segment, b.File()), cmp.Compare(a.Chunk, b.Chunk))
	})
	return all[:min(len(all), maxPlaces)], nil
}

// Logged reports whether a line has what a logger writes before a message and
// into it.
func Logged(line string) bool {
	return strings.ContainsAny(line, "0123456789:=[]<>()/,;.!\"'`‘’“”")
}

// together reports whether two pairs stand in one chunk.
func together(sums []map[int]Place) bool {
	for _, chunks := range sums {
		for _, p := range chunks {
			if p.pairs > 1 {
				return true
			}
		}
	}
	return false
}

// pairsOf returns the pairs of a line whose terms both occur, the rarest first.
func pairsOf(line string, in *corpus.Corpus) ([]pair, error) {
	terms, err := termsOf(line, in)
	if err != nil {
		return nil, err
	}
	pairs := func(stop bool) (all []pair) {
		for i, a := range terms {
			for d := 1; d <= pairDistance && i+d < len(terms); d++ {
				b := terms[i+d]
				if a.chunks > 0 && b.chunks > 0 && a != b && (stop || !a.stop && !b.stop) {
					all = append(all, pair{a, b, d})
				}
			}
		}
		return all
	}
	all := pairs(false)
	if len(all) < fewPairs {
		all = pairs(true)
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(a.postings(), b.postings()) })
	return all[:min(len(all), maxPairs)], nil
}

// termsOf returns the terms of a line, as often as they stand in it. A number has
// no chunks, for it differs from run to run.
func termsOf(line string, in *corpus.Corpus) (terms []*wanted, err error) {
	known := map[string]*wanted{}
	b := []byte(line)
	for start, end := token.NextWord(b, 0); start < end; start, end = token.NextWord(b, end) {
		word := line[start:end]
		w := token.Analyze(word)
		for _, text := range w.Terms {
			t := known[text]
			if t == nil {
				if t, err = newWanted(text, in); err != nil {
					return nil, err
				}
				t.stop = len(w.Terms) == 1 && rank.IsStopword(word)
				known[text] = t
			}
			if terms = append(terms, t); len(terms) == maxTerms {
				return terms, nil
			}
		}
	}
	return terms, nil
}

func newWanted(text string, in *corpus.Corpus) (*wanted, error) {
	t := &wanted{text: text}
	if strings.Trim(text, "0123456789") == "" {
		return t, nil
	}
	for _, s := range in.Segments {
		found, _, err := s.Lookup(text)
		if err != nil {
			return nil, err
		}
		n, _ := s.Frequency(found)
		t.chunks += n
		t.in = append(t.in, found)
	}
	return t, nil
}

// addPair adds to each chunk that holds a pair what that says: the less the more
// chunks hold it. It reports whether any does.
func addPair(sums []map[int]Place, in *corpus.Corpus, p *pair, memory *corpus.Pairs) bool {
	found := make([][]int, len(in.Segments))
	n := 0
	for i, s := range in.Segments {
		if p.first.in[i].BodyDF == 0 || p.second.in[i].BodyDF == 0 {
			continue
		}
		for _, chunk := range memory.Apart(p.first.in[i], p.second.in[i], p.distance) {
			if s.Allows(s.FileOf(chunk)) {
				found[i] = append(found[i], chunk)
				n++
			}
		}
	}
	if n > commonPair {
		return true
	}
	for i, chunks := range found {
		for _, chunk := range chunks {
			if sums[i] == nil {
				sums[i] = map[int]Place{}
			}
			p := sums[i][chunk]
			p.pairs++
			p.sum += 1 / math.Sqrt(float64(n))
			sums[i][chunk] = p
		}
	}
	return n > 0
}

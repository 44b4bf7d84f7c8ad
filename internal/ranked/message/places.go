package message

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"espy/internal/pattern"
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
	longSigns    = 6     // the same of a long line
	longTogether = 3     // so many pairs of which stand in one chunk; of others two
	pairDistance = 3     // terms that one of a pair stands behind the other, at most
	pairPostings = 40000 // postings that are read for all pairs of a line
	fewPairs     = 4     // pairs of words that are no stop words, or those count too
	commonPair   = 64    // a pair that more chunks hold leads nowhere
	maxPlaces    = 8     // chunks that are read
	loneSum      = 0.35  // a pair that eight chunks hold or fewer leads there alone
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
	sought bool           // what follows is known
	chunks int            // live ones that hold it
	in     []segment.Term // by segment
}

// pair is two terms of a text, one some terms behind the other.
type pair struct {
	first, second *wanted
	distance      int
}

func (p *pair) postings() int { return p.first.chunks + p.second.chunks }

// Places returns the chunks that most of the rarest pairs of a line lead to. It takes
// the postings that it reads off left, and reads no more than there are.
func Places(line string, in *corpus.Corpus, left *int) ([]Place, error) {
	pairs, err := pairsOf(line, in)
	if err != nil {
		return nil, err
	}
	sums := make([]map[int]Place, len(in.Segments)) // by segment and chunk
	var memory corpus.Pairs
	met, read := 0, 0
	logged, signs, least := Logged(line), signPairs, 2
	if !logged && isLong(line) {
		signs, least = longSigns, longTogether
	}
	for i := range pairs {
		if read += pairs[i].postings(); read > min(pairPostings, *left) || !logged && (met < i/vainPairs || i == signs && !together(sums, least)) {
			break
		}
		if pairs[i].addTo(sums, in, 0, commonPair, &memory) {
			met++
		}
	}
	*left = max(0, *left-read)
	lone := math.Inf(1)
	if logged {
		lone = loneSum
	}
	return bestOf(sums, in, least, lone), nil
}

// bestOf returns the chunks that hold so many pairs at least, or pairs that say so much,
// those first about which they say most.
func bestOf(sums []map[int]Place, in *corpus.Corpus, least int, lone float64) []Place {
	var all []Place
	for i, s := range in.Segments {
		for chunk, p := range sums[i] {
			if p.Segment, p.Chunk = s, chunk; p.pairs >= least || p.sum >= lone {
				all = append(all, p)
			}
		}
	}
	slices.SortFunc(all, func(a, b Place) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), corpus.ComparePlaces(a.Segment, a.File(), b.Segment, b.File()), cmp.Compare(a.Chunk, b.Chunk))
	})
	return all[:min(len(all), maxPlaces)]
}

// What loggers write before messages and into them.
const (
	logMarks   = "0123456789:=[]<>"
	valueMarks = logMarks + "()/,;.!\"'`‘’“”"
)

// Bounds of long lines.
const (
	longLine = 24 // words
	logStart = 3  // words that tell of a long line whether a logger wrote it
)

// failing is how messages begin or go on that tell of a failure.
var failing = pattern.New(`(?i)^(?:cannot|can't|could not|couldn't|failed|invalid|no such|unable to|unexpected|unsupported)\b|\b(?:(?:can|could|may|must) ?not be|must be|already exists|not (?:allowed|found|supported))\b`)

// Logged reports whether a line has what a logger writes before a message and
// into it, or says what failed as messages do. Of a long line only how it begins tells that: sentences have such
// marks too.
func Logged(line string) bool {
	if !isLong(line) {
		return strings.ContainsAny(line, valueMarks) || failing().MatchString(line)
	}
	n := 0
	for word := range strings.FieldsSeq(line) {
		if strings.ContainsAny(word, logMarks) {
			return true
		}
		if n++; n == logStart {
			break
		}
	}
	return false
}

// isLong reports whether a line has more words than most messages.
func isLong(line string) bool {
	n := 0
	for range strings.FieldsSeq(line) {
		if n++; n > longLine {
			return true
		}
	}
	return false
}

// longValue is a value of a few words in quotes.
var longValue = pattern.New(`"[^"]{12,}"|“[^”]{12,}”|«[^»]{12,}»`)

// WithoutLongValues returns a line of more words than most messages without the long values
// that stand in quotes in it.
func WithoutLongValues(line string) string {
	if !isLong(line) {
		return line
	}
	return longValue().ReplaceAllString(line, `""`)
}

// together reports whether so many pairs stand in one chunk.
func together(sums []map[int]Place, least int) bool {
	for _, chunks := range sums {
		for _, p := range chunks {
			if p.pairs >= least {
				return true
			}
		}
	}
	return false
}

// pairsOf returns the pairs of a line whose terms both occur, the rarest first.
func pairsOf(line string, in *corpus.Corpus) ([]pair, error) {
	terms := termsOf(line)
	all, err := occurring(terms, in, false)
	if err == nil && len(all) < fewPairs {
		all, err = occurring(terms, in, true)
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(a.postings(), b.postings()) })
	return all[:min(len(all), maxPairs)], err
}

// occurring returns the pairs of some terms that both occur, with stop words or
// without.
func occurring(terms []*wanted, in *corpus.Corpus, stop bool) (all []pair, err error) {
	for _, t := range terms {
		if t.stop && !stop {
			continue
		}
		if err := t.seek(in); err != nil {
			return nil, err
		}
	}
	for i, a := range terms {
		for d := 1; d <= pairDistance && i+d < len(terms); d++ {
			b := terms[i+d]
			if a.chunks > 0 && b.chunks > 0 && a != b && (stop || !a.stop && !b.stop) {
				all = append(all, pair{a, b, d})
			}
		}
	}
	return all, nil
}

// termsOf returns the terms of a line, as often as they stand in it.
func termsOf(line string) (terms []*wanted) {
	known := map[string]*wanted{}
	var memory []string
	b := []byte(line)
	for start, end := token.NextWord(b, 0); start < end; start, end = token.NextWord(b, end) {
		word := line[start:end]
		w := token.AnalyzeIn(memory, word)
		for _, text := range w.Terms {
			t := known[text]
			if t == nil {
				t = &wanted{text: text, stop: len(w.Terms) == 1 && rank.IsStopword(word)}
				known[text] = t
			}
			if terms = append(terms, t); len(terms) == maxTerms {
				return terms
			}
		}
		memory = w.Terms
	}
	return terms
}

// seek looks the term up. A number has no chunks, for it differs from run to run.
func (t *wanted) seek(in *corpus.Corpus) error {
	if t.sought || strings.Trim(t.text, "0123456789") == "" {
		return nil
	}
	t.sought = true
	for _, s := range in.Segments {
		found, _, err := s.Lookup(t.text)
		if err != nil {
			return err
		}
		n, _ := s.Frequency(found)
		t.chunks += n
		t.in = append(t.in, found)
	}
	return nil
}

// addTo adds to each chunk that holds a pair, or one as far apart but for some terms, what
// that says: the less the more chunks hold it. Where more than so many do, it only adds to
// those that hold other pairs. It reports whether any holds it.
func (p *pair) addTo(sums []map[int]Place, in *corpus.Corpus, slack, most int, memory *corpus.Pairs) bool {
	found := make([][]int, len(in.Segments))
	n := 0
	for i, s := range in.Segments {
		if p.first.in[i].BodyDF == 0 || p.second.in[i].BodyDF == 0 {
			continue
		}
		for _, chunk := range memory.Apart(p.first.in[i], p.second.in[i], max(1, p.distance-slack), p.distance+slack) {
			if s.Allows(s.FileOf(chunk)) {
				found[i] = append(found[i], chunk)
				n++
			}
		}
	}
	for i, chunks := range found {
		for _, chunk := range chunks {
			p, known := sums[i][chunk]
			if n > most && (slack == 0 || !known) {
				continue
			}
			if sums[i] == nil {
				sums[i] = map[int]Place{}
			}
			p.pairs++
			p.sum += 1 / math.Sqrt(float64(n))
			sums[i][chunk] = p
		}
	}
	return n > 0
}

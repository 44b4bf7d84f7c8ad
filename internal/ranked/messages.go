package ranked

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/message"
	"espy/internal/segment"
	"espy/internal/token"
)

// messages finds the files that hold a message: they stand before all others, for
// whoever pastes one wants the line that printed it. Pairs of terms that stand
// apart as in the text lead to chunks, which are read.
type messages struct{}

// Bounds of the search for messages.
const (
	messageLines  = 8     // lines of a text that are looked at
	messagePairs  = 24    // pairs that are looked for, the rarest
	vainPairs     = 8     // one pair of so many is met, or there is no message
	pairDistance  = 3     // terms that one of a pair stands behind the other, at most
	pairPostings  = 40000 // postings that are read for all pairs
	fewPairs      = 4     // pairs of words that are no stop words, or those count too
	commonPair    = 64    // a pair that more chunks hold leads nowhere
	messageChunks = 8     // chunks that are read
	loneSum       = 0.7   // a pair that one chunk or two hold leads there alone
	sameFit       = 0.7   // a fit that is less by so much is another message
)

// messageEmphasis is the worth of a line that holds the message.
const messageEmphasis = 3

func (messages) find(q *question, in *corpus.Corpus, add func(*corpus.Segment, int, clue)) error {
	trimmed := strings.TrimSpace(q.text)
	if !strings.Contains(trimmed, " ") || len(q.words.Places) > 0 && strings.Contains(trimmed, "\n") {
		return nil
	}
	var found []source
	var cache segment.TextCache
	lines := 0
	for line := range strings.Lines(q.text) {
		text := message.New(line)
		if lines++; lines > messageLines {
			break
		}
		if text.Words() < message.MinWords {
			continue
		}
		places, err := placesOf(line, in)
		if err != nil {
			return err
		}
		for _, p := range places {
			if err := p.read(text, &cache); err != nil {
				return err
			}
			if isMessage(&p.fit, p.inDocs()) {
				found = append(found, p)
			}
		}
	}
	best := 0.0
	for _, p := range found {
		best = max(best, p.fit.Value)
	}
	for _, p := range found {
		if p.fit.Value <= best-sameFit {
			continue
		}
		c := newClue(noSignal, p.fit.Value)
		c.first, c.strong = true, true
		c.line = int(p.segment.Chunk(p.chunk).StartLine) + p.fit.Line
		c.shows, c.emphasis, c.tie = showQuote, messageEmphasis, c.line
		add(p.segment, p.segment.FileOf(p.chunk), c)
	}
	return nil
}

// The least that makes a message.
const (
	textShare    = 0.75 // of the words of the text, in a literal
	literalShare = 0.75 // or of the words of the literal,
	longMessage  = 7    // or so many words of both
	proseShareOf = 0.95 // of the words of the text, outside of literals
	proseLeast   = 6    // words
)

// isMessage reports whether a fit is the message itself. Documentation has no
// literals: what looks like one there is the name of something.
func isMessage(f *message.Fit, docs bool) bool {
	if docs || f.Quoted < message.MinWords {
		return f.Share >= proseShareOf && f.Words >= proseLeast
	}
	return f.Share >= textShare || f.Literal >= literalShare || f.Quoted >= longMessage
}

// source is a chunk that may hold a message.
type source struct {
	segment *corpus.Segment
	chunk   int
	pairs   int     // in it
	sum     float64 // of what they say
	fit     message.Fit
}

// inDocs reports whether the chunk is of prose.
func (p *source) inDocs() bool {
	file := p.segment.FileOf(p.chunk)
	return p.segment.Class(file).Has(code.ClassDocs) || rank.ContentOf(p.segment.Language(file)) == rank.ContentProse
}

// read reads the chunk and sees how the text fits.
func (p *source) read(text *message.Text, cache *segment.TextCache) error {
	c := p.segment.Chunk(p.chunk)
	b, err := p.segment.TextRange(p.segment.FileOf(p.chunk), int(c.Start), int(c.End), cache)
	if err == nil {
		p.fit = text.Best(b)
	}
	return err
}

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

// placesOf returns the chunks that most of the rarest pairs of a line lead to.
func placesOf(line string, in *corpus.Corpus) ([]source, error) {
	pairs, err := pairsOf(line, in)
	if err != nil {
		return nil, err
	}
	sums := make([]map[int]source, len(in.Segments)) // by segment and chunk
	var memory corpus.Pairs
	met, left := 0, pairPostings
	logged := strings.ContainsAny(line, ":=[]\"0123456789") // what a logger writes before a message and into it
	for i := range pairs {
		left -= pairs[i].postings()
		if left < 0 || !logged && met < i/vainPairs {
			break
		}
		if addPair(sums, in, &pairs[i], &memory) {
			met++
		}
	}
	var all []source
	for i, s := range in.Segments {
		for chunk, p := range sums[i] {
			if p.segment, p.chunk = s, chunk; p.pairs > 1 || p.sum >= loneSum {
				all = append(all, p)
			}
		}
	}
	slices.SortFunc(all, func(a, b source) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), corpus.ComparePlaces(a.segment, a.segment.FileOf(a.chunk), b.segment, b.segment.FileOf(b.chunk)), cmp.Compare(a.chunk, b.chunk))
	})
	return all[:min(len(all), messageChunks)], nil
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
	return all[:min(len(all), messagePairs)], nil
}

// termsOf returns the terms of a line, as often as they stand in it. A number has
// no chunks, for it differs from run to run.
func termsOf(line string, in *corpus.Corpus) (terms []*wanted, err error) {
	known := map[string]*wanted{}
	for _, word := range splitWords(line) {
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
			if terms = append(terms, t); len(terms) == maxRunText {
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
func addPair(sums []map[int]source, in *corpus.Corpus, p *pair, memory *corpus.Pairs) bool {
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
				sums[i] = map[int]source{}
			}
			p := sums[i][chunk]
			p.pairs++
			p.sum += 1 / math.Sqrt(float64(n))
			sums[i][chunk] = p
		}
	}
	return n > 0
}

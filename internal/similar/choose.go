package similar

import (
	"cmp"
	"context"
	"slices"

	"espy/internal/filter"
	"espy/internal/parallel"
	"espy/internal/rank"
	"espy/internal/segment"
	"espy/internal/segment/pack"
	"espy/internal/similar/shingle"
	"espy/internal/token"
)

// candidate is a chunk that may hold code like that asked for.
type candidate struct {
	seg   int // of the filter
	chunk int
	score float32 // of the list that it is in
}

// chosen are candidates, the likeliest first.
type chosen struct {
	list  []candidate
	all   bool     // every chunk that the filters let through is among them
	words []string // rarest of the code that occur
}

// fewChunks is how many chunks are all compared, without a choice.
const fewChunks = 1 << 10

// most is how many candidates each way to find them gives.
var most = [ways]int{byRare: 2 << 10, byTimes: 2 << 10, byFrame: 384, byMeaning: 128}

// choose finds the chunks to compare: all of them where they are few, else those
// that are likeliest by their words.
func choose(ctx context.Context, f *filter.Filter, a *asked, near []candidate) (chosen, error) {
	w, err := weigh(f, a.text)
	if err != nil {
		return chosen{}, err
	}
	if list, ok := everyChunk(f); ok {
		return chosen{list, true, w.rarest()}, nil
	}
	list, err := w.likeliest(ctx, f, near)
	return chosen{list, false, w.rarest()}, err
}

// likeliest returns the chunks that are likeliest, the likeliest first.
func (w *weights) likeliest(ctx context.Context, f *filter.Filter, near []candidate) ([]candidate, error) {
	lists := make([][ways][]candidate, len(f.Segments))
	err := parallel.Each(ctx, len(f.Segments), len(f.Segments), func() func(int) error {
		return func(i int) error {
			lists[i] = w.score(f.Segments[i], i)
			return nil
		}
	})
	all := [ways][]candidate{byMeaning: near}
	for way := range byMeaning {
		for _, l := range lists {
			all[way] = append(all[way], l[way]...)
		}
		all[way] = best(f, all[way], most[way])
	}
	return merged(all), err
}

// everyChunk returns all chunks where they are few.
func everyChunk(f *filter.Filter) (list []candidate, ok bool) {
	for i, s := range f.Segments {
		for file := range s.NumFiles() {
			if !s.Allows(file) {
				continue
			}
			first, end := s.ChunksOf(file)
			if len(list)+end-first > fewChunks {
				return nil, false
			}
			for k := first; k < end; k++ {
				list = append(list, candidate{seg: i, chunk: k})
			}
		}
	}
	return list, true
}

// merged takes candidates of the lists in turn.
func merged(lists [ways][]candidate) (out []candidate) {
	seen := map[[2]int]bool{}
	for i := range slices.Max(most[:]) {
		for _, list := range lists {
			if i < len(list) {
				if key := [2]int{list[i].seg, list[i].chunk}; !seen[key] {
					seen[key] = true
					out = append(out, list[i])
				}
			}
		}
	}
	return out
}

// best orders candidates by score and keeps the first.
func best(f *filter.Filter, list []candidate, most int) []candidate {
	list = aboveCut(list, most)
	slices.SortFunc(list, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.score, x.score), before(f, x, y))
	})
	return list[:min(len(list), most)]
}

// steps are how many scores aboveCut tells apart.
const steps = 1 << 12

// aboveCut keeps the candidates with the highest scores, about as many as wanted
// and no fewer: sorting all of them would take longer than finding them.
func aboveCut(list []candidate, most int) []candidate {
	if len(list) <= most {
		return list
	}
	var counts [steps + 1]int
	step := func(c candidate) int { return min(int(c.score*steps), steps) }
	for _, c := range list {
		counts[step(c)]++
	}
	cut, sum := steps, counts[steps]
	for ; sum < most && cut > 0; sum += counts[cut] {
		cut--
	}
	return slices.DeleteFunc(list, func(c candidate) bool { return step(c) < cut })
}

// before orders chunks by repository, path and place.
func before(f *filter.Filter, x, y candidate) int {
	s, t := f.Segments[x.seg], f.Segments[y.seg]
	a, b := s.FileOf(x.chunk), t.FileOf(y.chunk)
	return cmp.Or(cmp.Compare(slices.Index(f.Snaps, s.Snap), slices.Index(f.Snaps, t.Snap)), s.ComparePaths(a, t.Reader, b), cmp.Compare(x.chunk, y.chunk))
}

// term is a term of the code that is asked for.
type term struct {
	text   string
	word   string // that has it
	times  uint32
	chunks int     // that have it
	weight float32 // of each time that a chunk has it too
}

// maxTerms bounds the terms that chunks are scored by.
const maxTerms = 400

// weights are the terms of the code that is asked for.
type weights struct {
	terms  []term
	sum    float32 // of the weights of all times
	tokens int     // terms of the code, with those that no chunk has

	frame    []term // the keywords, with those that the code has not
	frameSum uint32 // of their times
}

// weigh weighs the terms of code: each time that one occurs counts by the square
// of its rarity.
func weigh(f *filter.Filter, text []byte) (*weights, error) {
	w := &weights{}
	times, words := map[string]uint32{}, map[string]string{}
	for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
		word := string(text[start:end])
		a := token.Analyze(word)
		if a.Compound != "" {
			a.Terms = append(a.Terms, a.Compound)
		}
		for _, t := range a.Terms {
			times[t]++
			words[t] = word
		}
		w.tokens += len(a.Terms)
	}
	for _, t := range frameTerms {
		w.frame = append(w.frame, term{text: t, times: times[t]})
		w.frameSum += times[t]
	}
	chunks := 0
	for _, s := range f.Snaps {
		chunks += s.Stats().Chunks
	}
	for text, n := range times {
		t := term{text: text, word: words[text], times: n}
		for _, s := range f.Segments {
			found, ok, err := s.Lookup(text)
			if err != nil {
				return nil, err
			}
			if ok {
				in, _ := s.Frequency(found)
				t.chunks += in
			}
		}
		if t.chunks > 0 {
			rarity := rank.IDF(t.chunks, chunks)
			t.weight = float32(rarity * rarity)
			w.terms = append(w.terms, t)
		}
	}
	slices.SortFunc(w.terms, func(a, b term) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.text, b.text))
	})
	if cut := len(w.terms) - maxTerms; cut > 0 { // those in the middle: neither rare nor everywhere
		w.terms = slices.Delete(w.terms, maxTerms/2, maxTerms/2+cut)
	}
	for _, t := range w.terms {
		w.sum += float32(t.weight * float32(t.times))
	}
	return w, nil
}

// rarest returns a few words of the code, for a search.
func (w *weights) rarest() (words []string) {
	for _, t := range w.terms {
		if len(words) < 5 && !slices.Contains(words, t.word) {
			words = append(words, t.word)
		}
	}
	return words
}

// frameTerms are the terms of keywords.
var frameTerms = func() (terms []string) {
	for _, word := range shingle.Keywords() {
		terms = append(terms, token.Analyze(word).Terms...)
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}()

// The ways to find candidates.
const (
	byRare    = iota // the rare words that they share
	byTimes          // how often each word occurs in them
	byFrame          // how often each keyword does, whatever the names in between
	byMeaning        // the vectors of a model
	ways
)

// least are the lowest scores of candidates.
var least = [ways]float32{byRare: 0.10, byTimes: 0.35, byFrame: 0.3}

// fewKeywords is how many keywords say too little to find candidates by.
const fewKeywords = 5

// tally is what a chunk has of the code.
type tally struct {
	rare  float32
	times uint32
	both  uint32 // keywords that both have
	frame uint32 // keywords of the chunk
}

// score finds the candidates of a segment.
func (w *weights) score(s *filter.Segment, index int) (lists [ways][]candidate) {
	tallies := make([]tally, s.NumChunks())
	for _, t := range w.terms {
		eachChunk(s, t.text, func(c, times uint32) {
			both := min(times, t.times)
			tallies[c].rare += float32(t.weight * float32(both))
			tallies[c].times += both
		})
	}
	if w.frameSum >= fewKeywords {
		for _, t := range w.frame {
			eachChunk(s, t.text, func(c, times uint32) {
				tallies[c].both += min(times, t.times)
				tallies[c].frame += times
			})
		}
	}
	scoring := s.Scoring()
	for _, b := range scoring.Batches {
		for c := b.Chunk; c < b.ChunkEnd; c++ {
			t := &tallies[c]
			if t.times+t.both == 0 || !s.Allows(b.File+int(scoring.Files[c])) {
				continue
			}
			for way, score := range w.scores(t, tokensOf(scoring, s, c)) {
				if score >= least[way] {
					lists[way] = append(lists[way], candidate{index, c, score})
				}
			}
		}
	}
	return lists
}

// scores are the scores of a chunk, each from 0 to 1: of its rare words the share
// of those of the code, of all words and of keywords the share that is in both.
func (w *weights) scores(t *tally, tokens int) (s [ways]float32) {
	if w.sum > 0 {
		s[byRare] = t.rare / w.sum
	}
	s[byTimes] = float32(t.times) / float32(max(w.tokens, tokens))
	if w.frameSum >= fewKeywords {
		s[byFrame] = 2 * float32(t.both) / float32(w.frameSum+w.frameSum+t.frame-t.both)
	}
	return s
}

// eachChunk calls visit with the chunks that have a term, and how often.
func eachChunk(s *filter.Segment, text string, visit func(chunk, times uint32)) {
	found, ok, err := s.Lookup(text)
	if !ok || err != nil {
		return // weigh has looked it up
	}
	var chunks, times [pack.BlockLen]uint32
	it := found.Body()
	for n := it.NextBlock(chunks[:], times[:]); n > 0; n = it.NextBlock(chunks[:], times[:]) {
		for i, c := range chunks[:n] {
			visit(c, times[i])
		}
	}
}

func tokensOf(scoring *segment.Scoring, s *filter.Segment, chunk int) int {
	if n := scoring.Tokens[chunk]; n != segment.ManyTokens {
		return int(n)
	}
	_, tokens, _, _ := s.Lengths(chunk)
	return int(tokens)
}

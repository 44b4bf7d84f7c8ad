// Package quote finds where the output of a program comes from: a message stands
// in the code as it is printed, but for the values in it. It looks for runs of words.
package quote

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"espy/internal/rank"
	"espy/internal/ranked/corpus"
	"espy/internal/token"
)

// Bounds of the search for runs.
const (
	runTerms   = 3   // terms of a run
	maxRuns    = 16  // the rarest ones are looked for
	maxRunText = 512 // terms of a text that runs are taken of
	commonRun  = 8   // a run that more files hold says nothing
	fullQuote  = 4   // so many runs that no other file holds have value 1
)

// run is some words side by side.
type run struct {
	terms []string
	rare  float64 // inverse frequency of its terms together
}

// Place is a chunk that holds runs of a text.
type Place struct {
	Segment *corpus.Segment
	Chunk   int
	Value   float64 // how much they say, at most 1
}

// Places returns the chunks that hold the rarest runs of a text, in the order of
// their places.
func Places(text string, in *corpus.Corpus) ([]Place, error) {
	runs, err := runsOf(text, in)
	if err != nil {
		return nil, err
	}
	sums := make([]map[int]float64, len(in.Segments)) // by segment and chunk
	for _, r := range runs {
		if err := addRun(sums, in, r.terms); err != nil {
			return nil, err
		}
	}
	var all []Place
	for i, s := range in.Segments {
		for _, chunk := range slices.Sorted(maps.Keys(sums[i])) {
			all = append(all, Place{s, chunk, min(1, sums[i][chunk]/fullQuote)})
		}
	}
	return all, nil
}

// runsOf returns the rarest runs of a text whose terms all occur.
func runsOf(text string, in *corpus.Corpus) ([]run, error) {
	known := rarities{in, map[string]float64{}}
	var all []run
	left := maxRunText
	for line := range strings.Lines(text) {
		var terms []string
		for _, w := range token.Words(line) {
			terms = append(terms, w.Terms...)
		}
		terms = terms[:min(len(terms), left)]
		left -= len(terms)
		for at := 0; at+runTerms <= len(terms); at++ {
			r := run{terms: terms[at : at+runTerms]}
			var err error
			if r.rare, err = known.together(r.terms); err != nil {
				return nil, err
			}
			if r.rare > 0 {
				all = append(all, r)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b run) int { return cmp.Compare(b.rare, a.rare) })
	return all[:min(len(all), maxRuns)], nil
}

// rarities knows the inverse frequencies of terms in texts: -1 of one in none.
type rarities struct {
	in    *corpus.Corpus
	known map[string]float64
}

// together returns the sum of the rarities of terms, -1 where one is in no text.
func (r *rarities) together(terms []string) (sum float64, err error) {
	for _, t := range terms {
		rare, err := r.of(t)
		if err != nil {
			return 0, err
		}
		if rare < 0 {
			return -1, nil
		}
		sum += rare
	}
	return sum, nil
}

func (r *rarities) of(term string) (float64, error) {
	if v, ok := r.known[term]; ok {
		return v, nil
	}
	n, err := r.in.ChunksWith(term)
	if err != nil {
		return 0, err
	}
	v := -1.0
	if n > 0 {
		v = rank.IDF(n, r.in.Chunks)
	}
	r.known[term] = v
	return v, nil
}

// addRun adds to each chunk in which a run begins what that says: the less the
// more files hold it.
func addRun(sums []map[int]float64, in *corpus.Corpus, terms []string) error {
	type place struct{ segment, chunk int }
	var found []place
	files := 0
	for i, s := range in.Segments {
		starts, err := s.Phrase(terms)
		if err != nil {
			return err
		}
		for k, o := range starts {
			if !s.Alive(int(o.File)) {
				continue
			}
			if k == 0 || starts[k-1].File != o.File {
				files++
			}
			if at := (place{i, int(o.Chunk)}); len(found) == 0 || found[len(found)-1] != at {
				found = append(found, at)
			}
		}
	}
	if files > commonRun {
		return nil
	}
	for _, p := range found {
		if sums[p.segment] == nil {
			sums[p.segment] = map[int]float64{}
		}
		sums[p.segment][p.chunk] += 1 / math.Sqrt(float64(files))
	}
	return nil
}

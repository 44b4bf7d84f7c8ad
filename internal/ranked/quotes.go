package ranked

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"espy/internal/rank"
	"espy/internal/segment"
	"espy/internal/token"
)

// This file finds where the text of a program's output comes from: a message is
// written in the code as it is printed, but for the values in it.

// quoted is a file that holds words of a pasted text as they stand there.
type quoted struct {
	value float64 // 1 where fullQuote runs of words stand nowhere else
	chunk int     // the one that holds most of them
}

// Bounds of the search for runs.
const (
	runTerms   = 3   // terms of a run
	maxRuns    = 16  // the rarest ones are looked for
	maxRunText = 512 // terms of a text that runs are taken of
	commonRun  = 8   // a run that more files hold says nothing
	fullQuote  = 4   // runs that are all that need be said
)

// run is some words side by side.
type run struct {
	terms []string
	rare  float64
}

// says reports whether a text may be what a program said: output, or a line
// that begins with a word and a colon.
func says(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return pasted(text) || strings.HasSuffix(first, ":")
}

// findQuotes finds the files that hold runs of the words of a text.
func (c *collection) findQuotes(text string) error {
	runs, err := c.runs(text)
	if err != nil {
		return err
	}
	sums := make([]map[int]float64, len(c.sources)) // by source and chunk
	for _, r := range runs {
		if err := c.findRun(r.terms, sums); err != nil {
			return err
		}
	}
	for i, s := range c.sources {
		for chunk, sum := range sums[i] {
			s.quote(chunk, min(1, sum/fullQuote))
		}
	}
	return nil
}

// runs returns the rarest runs of a text whose terms all occur.
func (c *collection) runs(text string) ([]run, error) {
	rarity := map[string]float64{}
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
			for _, t := range r.terms {
				worth, err := c.rarity(t, rarity)
				if err != nil {
					return nil, err
				}
				if worth < 0 {
					r.rare = -1
					break
				}
				r.rare += worth
			}
			if r.rare > 0 {
				all = append(all, r)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b run) int { return cmp.Compare(b.rare, a.rare) })
	return all[:min(len(all), maxRuns)], nil
}

// rarity returns the inverse frequency of a term in texts, -1 where it is in none.
func (c *collection) rarity(term string, known map[string]float64) (float64, error) {
	if v, ok := known[term]; ok {
		return v, nil
	}
	n, err := c.chunksWith(term)
	if err != nil {
		return 0, err
	}
	v := -1.0
	if n > 0 {
		v = rank.IDF(n, c.chunks)
	}
	known[term] = v
	return v, nil
}

// findRun adds to each chunk that a run begins in what that says: the less the
// more files hold it.
func (c *collection) findRun(terms []string, sums []map[int]float64) error {
	type place struct{ source, chunk int }
	var found []place
	files := 0
	for i, s := range c.sources {
		starts, err := s.consecutive(terms)
		if err != nil {
			return err
		}
		for k, p := range starts {
			if !s.seg.Alive(int(p.file)) {
				continue
			}
			if k == 0 || starts[k-1].file != p.file {
				files++
			}
			if at := (place{i, int(p.chunk)}); len(found) == 0 || found[len(found)-1] != at {
				found = append(found, at)
			}
		}
	}
	if files > commonRun {
		return nil
	}
	for _, p := range found {
		if sums[p.source] == nil {
			sums[p.source] = map[int]float64{}
		}
		sums[p.source][p.chunk] += 1 / math.Sqrt(float64(files))
	}
	return nil
}

// consecutive returns where the terms stand side by side, in order of files and
// positions.
func (s *source) consecutive(terms []string) ([]occurrence, error) {
	lists := make([]segment.Term, len(terms))
	for i, text := range terms {
		t, ok, err := s.seg.Lookup(text)
		if err != nil || !ok {
			return nil, err
		}
		lists[i] = t
	}
	files := s.bodyFiles(lists[0], nil)
	for _, t := range lists[1:] {
		files = s.bodyFiles(t, files)
	}
	starts := s.positions(lists[0], files)
	for k, t := range lists[1:] {
		starts = followed(starts, s.positions(t, files), uint32(k+1))
	}
	return starts, nil
}

// quote keeps the best chunk of a file.
func (s *source) quote(chunk int, value float64) {
	if s.quotes == nil {
		s.quotes = map[int]quoted{}
	}
	file := s.seg.FileOf(chunk)
	old, ok := s.quotes[file]
	if !ok || value > old.value || value == old.value && chunk < old.chunk {
		s.quotes[file] = quoted{value, chunk}
	}
}

package semantic

import (
	"math"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/ranked/corpus"
)

// The logit of a score rises with the cosine. At middle, a file is as likely what
// was asked for as not; slope is how fast that changes. Both are fitted to the
// first ten files for each of 621 questions of the yardstick of retrieval, in the
// source folders (slope 8.2, middle 0.82), in whole repositories (7.5, 0.85), and
// to commit messages (7.9, 0.81), which agree.
const (
	slope  = 7.9
	middle = 0.83
)

// scorer turns cosines into scores, for one question.
type scorer struct {
	model *rank.Model
	boost rank.Boost
	tests bool // they are asked for
	known map[trait][]hit.Contribution
}

// trait is what of a file speaks against it.
type trait struct {
	class   code.Class
	content rank.Content
}

// newScorer returns the scorer of a question. Files of a kind that it asks for by
// name have nothing against them.
func newScorer(words *rank.Query, model *rank.Model) *scorer {
	s := &scorer{model: model, known: map[trait][]hit.Contribution{}, tests: words.AsksFor(rank.Test)}
	for _, a := range words.Asks {
		s.boost.Raise(a, 0)
	}
	return s
}

// testsFrom returns from which chunk of a file on tests of the code before them are told
// apart: its end where none are.
func (s *scorer) testsFrom(seg *corpus.Segment, file int) int {
	if s.tests {
		_, end := seg.ChunksOf(file)
		return end
	}
	return seg.TestsFrom(file)
}

// nearness returns what the cosine of a file's best chunk adds to its logit.
func nearness(cosine float64) float64 { return float64(slope * (cosine - middle)) }

// against returns what speaks against a file of a kind, as in ranked search.
func (s *scorer) against(t trait) []hit.Contribution {
	if all, ok := s.known[t]; ok {
		return all
	}
	var some rank.Some
	some.Classify(t.class, t.content, &s.boost)
	signals := some.All()
	var all []hit.Contribution
	for i, v := range signals {
		if v != 0 {
			curve := &s.model.Curves[rank.KindText][i]
			all = append(all, hit.Contribution{Signal: rank.Signal(i).String(), Value: v, Score: min(0, curve.At(v)-curve.At(0))})
		}
	}
	s.known[t] = all
	return all
}

// logit returns the logit of a file's score, of what its nearness adds and what
// speaks against it.
func (s *scorer) logit(near float64, t trait) float64 {
	sum := near
	for _, c := range s.against(t) {
		sum += c.Score
	}
	return sum
}

// explain returns what a score is made of.
func (s *scorer) explain(cosine, near float64, t trait) []hit.Contribution {
	return append([]hit.Contribution{{Signal: "cosine", Value: cosine, Score: near}}, s.against(t)...)
}

// spread is how the cosines of files are spread about their mean. Which cosine is
// high differs from model to model; how far one stands out does not. The sums are of
// whole numbers, so that their order does not matter.
type spread struct {
	n, sum, squares int64 // of millionths
}

const millionth = 1e6

func (s *spread) add(cosine float64) {
	c := int64(math.Round(float64(cosine * millionth)))
	s.n, s.sum, s.squares = s.n+1, s.sum+c, s.squares+c*c
}

// Where the cosine of a file stands so many standard deviations above the mean, it
// is as likely what was asked for as not. Of few files the deviation says little.
const (
	standsOut = 3
	minSpread = 30 // files
)

// nearness returns what a cosine adds to the logit of a file.
func (s *spread) nearness(cosine float64) float64 {
	if s.n < minSpread {
		return nearness(cosine)
	}
	mean := float64(s.sum) / float64(s.n)
	deviation := math.Sqrt(max(0, float64(s.squares)/float64(s.n)-float64(mean*mean)))
	if deviation < 1 {
		return nearness(cosine)
	}
	return (float64(cosine*millionth)-mean)/deviation - standsOut
}

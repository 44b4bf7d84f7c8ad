package eval

import (
	"math/rand/v2"
	"slices"
)

// Comparison says how two sets of answers to the same questions differ in NDCG.
type Comparison struct {
	Questions  int     `json:"questions"`
	Old        float64 `json:"old"`        // mean over repositories
	New        float64 `json:"new"`        // likewise
	Difference float64 `json:"difference"` // New - Old
	Low        float64 `json:"low"`        // the difference lies between Low and High
	High       float64 `json:"high"`       // with a probability of 95 %
	Better     int     `json:"better"`     // questions
	Worse      int     `json:"worse"`      // questions
}

// resamples is how often the questions are drawn anew.
const resamples = 2000

// Compare compares two sets of answers by a paired bootstrap: the questions of
// each repository are drawn anew, with the difference each has, and the means
// of the draws show how far chance carries the difference. (Efron and
// Tibshirani, An introduction to the bootstrap, 1993, percentile interval.) The
// same seed gives the same interval.
func Compare(questions []Question, before, after []Answer, seed uint64) Comparison {
	a, b := scores(questions, before), scores(questions, after)
	c := Comparison{Questions: len(questions)}
	var repos [][]float64
	for _, g := range byRepo(questions) {
		var differences []float64
		var x, y float64
		for _, i := range g.questions {
			x += a[i].NDCG
			y += b[i].NDCG
			d := b[i].NDCG - a[i].NDCG
			differences = append(differences, d)
			c.count(d)
		}
		n := float64(len(g.questions))
		c.Old += x / n
		c.New += y / n
		repos = append(repos, differences)
	}
	n := float64(max(1, len(repos)))
	c.Old /= n
	c.New /= n
	c.Difference = c.New - c.Old
	c.Low, c.High = interval(repos, seed)
	return c
}

func (c *Comparison) count(difference float64) {
	switch {
	case difference > 0:
		c.Better++
	case difference < 0:
		c.Worse++
	}
}

// interval returns the range that holds 95 % of the resampled means.
func interval(repos [][]float64, seed uint64) (low, high float64) {
	random := rand.New(rand.NewPCG(seed, seed))
	means := make([]float64, resamples)
	for i := range means {
		for _, differences := range repos {
			var sum float64
			for range differences {
				sum += differences[random.IntN(len(differences))]
			}
			means[i] += sum / float64(len(differences))
		}
		means[i] /= float64(max(1, len(repos)))
	}
	slices.Sort(means)
	return means[resamples/40], means[resamples-1-resamples/40]
}

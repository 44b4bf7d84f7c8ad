package shaktiman

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"espy/internal/evidence"
)

// The signals, in the order of explanations, and their weights.
var signals = [...]struct {
	name   string
	weight float64
}{
	{"semantic", 0.40},
	{"structural", 0.20},
	{"keyword", 0.10},
	{"change", 0.15},
	{"session", 0.15},
}

const (
	semantic = iota
	structural
	keyword
	change
	session
)

// candidates is how many chunks are taken before any cut.
const candidates = 200

// values are the signals of a result, each 0 to 1.
type values [len(signals)]float64

// scored is a candidate with its score.
type scored struct {
	at    int // of the candidates
	score float64
	parts values // what each signal adds to the score
}

// relevance is what min_score compares with.
func (v *values) relevance() float64 { return max(v[semantic], v[keyword]) }

// score is the relevance lifted by what stands round the result: neighbours, recent
// changes, and what was returned before.
func (v *values) score() (score float64, parts values) {
	r := v.relevance()
	if both := signals[semantic].weight*v[semantic] + signals[keyword].weight*v[keyword]; both > 0 {
		for _, i := range [...]int{semantic, keyword} {
			parts[i] = r * signals[i].weight * v[i] / both
		}
	}
	score = r
	for _, i := range [...]int{structural, change, session} {
		parts[i] = (1 - r) * signals[i].weight * v[i] / 0.50
		score += parts[i]
	}
	return min(score, 1), parts
}

// besideOf is the structural signal of a hit.
func besideOf(h *evidence.Hit) float64 { return float64(h.Beside) / float64(h.Beside+1) }

// choose returns the best results whose relevance is at least so much.
func choose(hits []evidence.Hit, all []values, least float64, most int) (list []scored) {
	for i := range hits {
		if r := all[i].relevance(); r > 0 && r >= least {
			score, parts := all[i].score()
			list = append(list, scored{i, score, parts})
		}
	}
	slices.SortFunc(list, func(a, b scored) int {
		x, y := &hits[a.at], &hits[b.at]
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(x.Path, y.Path), cmp.Compare(x.At, y.At))
	})
	return list[:min(len(list), most)]
}

// explained writes what each signal adds, rounded so that it adds up to the score as
// it is shown. One that is missing is off.
func (s *scored) explained(off values) string {
	left := int(math.Round(s.score * 100))
	cents, rests := [len(signals)]int{}, [len(signals)]float64{}
	for i, p := range s.parts {
		cents[i] = int(p * 100)
		rests[i] = p*100 - float64(cents[i])
		left -= cents[i]
	}
	for ; left > 0; left-- {
		most := 0
		for i := range rests {
			if rests[i] > rests[most] {
				most = i
			}
		}
		cents[most]++
		rests[most]--
	}
	var words []string
	for i, sig := range signals {
		if off[i] != 0 {
			words = append(words, sig.name+":off")
			continue
		}
		words = append(words, fmt.Sprintf("%s:%.2f", sig.name, float64(cents[i])/100))
	}
	return "[" + strings.Join(words, " ") + "]"
}

package windows

import (
	"cmp"
	"math"
	"slices"

	"espy/internal/segment"
	"espy/internal/windows/win"
)

// scored is a window with its score.
type scored struct {
	window int
	score  float64
}

// BM25's parameters.
const (
	k1 = 1.2
	b  = 0.75
)

// best returns the windows of a set with the best scores, in order.
func best(set segment.Bitmap, scores []float64, limit int) []scored {
	var best []scored
	byScore := func(a, b scored) int { return cmp.Compare(b.score, a.score) }
	low := math.Inf(-1) // what a window needs more than
	for w := range set.All() {
		if limit == 0 {
			break
		}
		score := scores[w]
		if score == 0 {
			score = 1
		}
		if score <= low {
			continue
		}
		if best = append(best, scored{w, score}); len(best) >= 2*limit+64 {
			slices.SortStableFunc(best, byScore) // windows rise within equal scores
			best = best[:limit]
			low = best[limit-1].score
		}
	}
	slices.SortStableFunc(best, byScore)
	return best[:min(len(best), limit)]
}

// scores sums the leaves of each window of a set, in their order.
func scores(v *view, leaves *leaves, set segment.Bitmap, buf *scratch) []float64 {
	scores := slices.Grow(buf.scores[:0], v.stats.Windows)[:v.stats.Windows]
	clear(scores)
	buf.scores = scores
	for j := range leaves.list {
		l := &leaves.list[j]
		if !l.scored || l.phrase == nil {
			continue
		}
		weigh := weight(v.stats, l, &buf.weights)
		rest := l.found
		for i, w := range v.Windows {
			words := w.Words()
			base, end := v.bases[i], v.bases[i]+uint32(w.NumWindows())
			n := 0
			for ; n < len(rest.Windows) && rest.Windows[n] < end; n++ {
				if x := rest.Windows[n]; set.Has(int(x)) {
					scores[x] += weigh(rest.Counts[n], words.At(int(x-base)))
				}
			}
			rest = win.Tally{Windows: rest.Windows[n:], Counts: rest.Counts[n:]}
		}
	}
	return scores
}

// weight returns what computes the part of a leaf in the score of a window: by
// how often it stands there and how many words there are. Common pairs of these
// are computed once. Its idf is ln(1 + (N-df+0.5)/(df+0.5)).
func weight(stats Stats, l *leaf, known *commonWeights) func(tf, words uint32) float64 {
	df := len(l.found.Windows)
	n := float64(max(stats.Windows, df))
	boost := l.phrase.Boost
	if boost == 0 {
		boost = 1
	}
	idf := float64(boost * math.Log(1+(n-float64(df)+0.5)/(float64(df)+0.5)))
	average := max(float64(stats.Tokens)/float64(max(1, stats.Windows)), 1)
	weigh := func(tf, words uint32) float64 {
		norm := float64(k1 * (1 - b + float64(b*float64(words)/average)))
		return float64(idf * float64(float64(float64(tf)*(k1+1))/(float64(tf)+norm)))
	}
	*known = commonWeights{}
	return func(tf, words uint32) float64 {
		if tf >= commonTF || words >= commonWords {
			return weigh(tf, words)
		}
		k := &known[tf][words]
		if *k == 0 {
			*k = weigh(tf, words)
		}
		return *k
	}
}

const commonTF, commonWords = 4, 256

// commonWeights are the weights of common pairs, 0 for one not computed yet.
type commonWeights [commonTF][commonWords]float64

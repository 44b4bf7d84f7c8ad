// Package train fits the model of package rank to questions whose answers are
// known, and measures by cross-validation what it is worth on others.
//
// A List is one question with the files that were judged for it. Fit minimises
// the softmax cross-entropy of the targets among the other files (ListNet with
// top-one probabilities: Cao et al., "Learning to Rank: From Pairwise Approach
// to Listwise Approach", 2007) plus the squared distance from a model set by
// hand. The model is linear in what is fitted and the bounds are simple, so
// there is one best model. Everything runs in a fixed order: the same lists give
// the same weights, bit for bit.
package train

import (
	"math"
	"math/bits"
	"slices"

	"espy/internal/rank"
)

// List is one question with the files that were judged for it.
type List struct {
	ID, Repo, Language, Category string
	Mode                         string // what was searched: root, whole, history, tree
	Kind                         rank.Kind
	Targets                      int     // answers there are, found or not
	Vast                         float64 // of what was searched, as rank.Vastness has it
	Rows                         []Row
}

// Row is one judged file.
type Row struct {
	Signals rank.Signals
	Hits    uint32 // the targets it answers, as bits
}

// ndcg returns the normalised discounted cumulative gain at ten of the list in
// the order of the model. Each target counts where it is first met, and targets
// first met at one file share one gain.
func (l *List) ndcg(m *rank.Model) float64 {
	order := l.order(m)
	gain, ideal := 0.0, 0.0
	var met uint32
	for i, row := range order[:min(len(order), 10)] {
		if l.Rows[row].Hits&^met != 0 {
			gain += discount(i)
			met |= l.Rows[row].Hits
		}
	}
	for i := range min(l.Targets, 10) {
		ideal += discount(i)
	}
	return gain / ideal
}

// recall returns the share of the targets that the first files of the list, in the
// order of the model, answer.
func (l *List) recall(m *rank.Model, files int) float64 {
	order := l.order(m)
	var met uint32
	for _, row := range order[:min(len(order), files)] {
		met |= l.Rows[row].Hits
	}
	return float64(bits.OnesCount32(met)) / float64(l.Targets)
}

func discount(rank int) float64 { return 1 / math.Log2(float64(rank)+2) }

// order returns the rows, best first. Rows stand in the order of their places,
// which settles ties.
func (l *List) order(m *rank.Model) []int {
	scores := make([]float64, len(l.Rows))
	order := make([]int, len(l.Rows))
	scorer := m.Scorer(l.Kind, l.Vast)
	for i := range l.Rows {
		scores[i], order[i] = scorer.Score(&l.Rows[i].Signals), i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return 0
	})
	return order
}

package train

import (
	"math"
	"slices"

	"espy/internal/rank"
)

// vastSignals are the signals that may tell more, or less, in a vast tree. The others say
// what a file is for, of which the options of a kernel show next to nothing.
var vastSignals = []rank.Signal{
	rank.BestChunk, rank.SecondChunk, rank.ChunkMass, rank.WholeText, rank.Coverage,
	rank.StemSaid, rank.StemFull, rank.StemHead, rank.Dir, rank.PathWords,
	rank.TypeName, rank.FuncName, rank.Exact, rank.ExactStem,
	rank.Folder, rank.Depth, rank.Header,
}

// How what vast trees add is fitted.
const (
	vastSteps = 400  // of the descent
	vastPull  = 0.01 // toward 0, of a signal that goes from 0 to 1
	vastRate  = 0.03 // of the first step
	depthUnit = 4    // folders that are as far apart as 0 and 1 of other signals

	// What options build is never a header, so that of what speaks against headers half is
	// taken: people also ask for what stands in one.
	headerPart = 0.5
)

// fitVast returns the model with what vast trees add to it: for each signal a slope, such
// that the softmax cross-entropy of the answers of the questions about such trees is
// least, with a pull toward 0; and a base by which the logistic of a score stays the share
// of shown files that are answers. No slope turns what speaks for a file against it.
func fitVast(m *rank.Model, lists []*List) *rank.Model {
	out := *m
	out.VastBase, out.Vast = [rank.NumKinds]float64{}, [rank.NumKinds][rank.NumSignals]float64{}
	var all []vastExample
	trees := map[string]int{}
	for _, l := range lists {
		if e, ok := newVastExample(m, l); ok {
			all = append(all, e)
			trees[l.Repo]++
		}
	}
	if len(all) == 0 {
		return &out
	}
	for i := range all {
		all[i].weight = 1 / float64(trees[all[i].tree]*len(trees))
	}
	low, high := vastBounds(m)
	p := make([]float64, len(vastSignals))
	d := descent{first: make([]float64, len(p)), second: make([]float64, len(p))}
	for range vastSteps {
		g := make([]float64, len(p))
		for i := range p {
			g[i] = vastPull * p[i]
		}
		for i := range all {
			all[i].gradient(g, p)
		}
		d.step(p, g, vastRate)
		for i := range p {
			p[i] = min(high[i], max(low[i], p[i]))
		}
	}
	for i, s := range vastSignals {
		out.Vast[rank.KindText][s] = p[i] / unitOf(s)
	}
	out.Vast[rank.KindText][rank.Header] *= headerPart
	out.VastBase[rank.KindText] = vastBase(&out, lists)
	return &out
}

// unitOf is how far the values of a signal go.
func unitOf(s rank.Signal) float64 {
	if s == rank.Depth {
		return depthUnit
	}
	return 1
}

// vastBounds are the least and the most slopes, by which a curve and its slope together
// have the sign that the signal must have.
func vastBounds(m *rank.Model) (low, high []float64) {
	for _, s := range vastSignals {
		i := slices.IndexFunc(shapes, func(x shape) bool { return x.signal == s })
		least, most := math.Inf(-1), math.Inf(1)
		switch own := m.Curves[rank.KindText][s].At(1) * unitOf(s); shapes[i].slope {
		case 1:
			least = -own
		case -1:
			most = -own
		}
		low, high = append(low, least), append(high, most)
	}
	return low, high
}

// vastExample is a list about a vast tree made ready for the descent.
type vastExample struct {
	tree   string
	weight float64
	rows   [][]float64 // what each of vastSignals counts
	scores []float64   // of the rows by the model
	answer int         // a row
}

// newVastExample returns the example of a list; ok is false of one that shows nothing.
func newVastExample(m *rank.Model, l *List) (e vastExample, ok bool) {
	answer := slices.IndexFunc(l.Rows, func(r Row) bool { return r.Hits != 0 })
	if l.Mode != ModeTree || l.Kind != rank.KindText || l.Vast == 0 || answer < 0 {
		return e, false
	}
	e = vastExample{tree: l.Repo, answer: answer}
	scorer := m.Scorer(l.Kind, 0)
	for i := range l.Rows {
		signals := &l.Rows[i].Signals
		row := make([]float64, len(vastSignals))
		for k, s := range vastSignals {
			row[k] = l.Vast * signals[s] / unitOf(s)
		}
		e.rows = append(e.rows, row)
		e.scores = append(e.scores, scorer.Score(signals))
	}
	return e, true
}

// gradient adds the gradient of the list: the probability of each row, less 1 for the answer.
func (e *vastExample) gradient(g, p []float64) {
	scores := slices.Clone(e.scores)
	top := math.Inf(-1)
	for i, row := range e.rows {
		for k, v := range row {
			scores[i] += float64(p[k] * v)
		}
		top = max(top, scores[i])
	}
	sum := 0.0
	for i := range scores {
		scores[i] = math.Exp(scores[i] - top)
		sum += scores[i]
	}
	for i, row := range e.rows {
		c := scores[i] / sum
		if i == e.answer {
			c--
		}
		for k, v := range row {
			g[k] += float64(e.weight * float64(c*v))
		}
	}
}

// vastBase returns the base by which the mean of the logistics of the shown files of vast
// trees is the share of answers among them, by Newton's method.
func vastBase(m *rank.Model, lists []*List) (base float64) {
	var points []point
	for _, l := range lists {
		if _, ok := newVastExample(m, l); !ok {
			continue
		}
		order, scorer := l.order(m), m.Scorer(l.Kind, l.Vast)
		for _, r := range order[:min(len(order), shownHits)] {
			points = append(points, point{scorer.Score(&l.Rows[r].Signals), l.Vast, l.Rows[r].Hits != 0})
		}
	}
	for range 50 {
		var gradient, second float64
		for _, p := range points {
			q := rank.Logistic(p.score + float64(base*p.weight))
			if gradient += float64(q * p.weight); p.target {
				gradient -= p.weight
			}
			second += float64(float64(q*(1-q)) * float64(p.weight*p.weight))
		}
		base -= gradient / (second + 1e-6)
	}
	return base
}

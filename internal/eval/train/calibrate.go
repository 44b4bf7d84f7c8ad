package train

import (
	"math"

	"espy/internal/rank"
)

// shownHits is how many of the best files of each list calibration looks at:
// what a user sees.
const shownHits = 10

// calibrate returns the model with its scores stretched and shifted, for each
// kind of query, so that the logistic of a score is the share of shown files of
// that score that are targets: Platt, "Probabilistic Outputs for Support Vector
// Machines" (1999). The order within a list stays.
func calibrate(m *rank.Model, lists []*List, o Options) *rank.Model {
	out := &rank.Model{}
	for kind := range rank.Kind(rank.NumKinds) {
		slope, base := platt(shown(m, lists, kind, o))
		out.Base[kind] = base
		for i, c := range m.Curves[kind] {
			out.Curves[kind][i] = rank.Curve{X: c.X, Y: make([]float64, len(c.Y))}
			for k, y := range c.Y {
				out.Curves[kind][i].Y[k] = y * slope
			}
		}
	}
	return out
}

// point is one shown file: its score, whether it is a target and what it weighs.
type point struct {
	score, weight float64
	target        bool
}

func shown(m *rank.Model, lists []*List, kind rank.Kind, o Options) []point {
	var points []point
	weights := listWeights(lists, &o)
	for i, l := range lists {
		if l.Kind != kind {
			continue
		}
		order, scorer := l.order(m), m.Scorer(kind, l.Vast)
		for _, r := range order[:min(len(order), shownHits)] {
			row := &l.Rows[r]
			points = append(points, point{scorer.Score(&row.Signals), weights[i], row.Hits != 0})
		}
	}
	return points
}

// platt fits a logistic to the points by Newton's method, after a shift and a
// stretch that put their scores about 0.
func platt(points []point) (slope, base float64) {
	if len(points) == 0 {
		return 1, 0
	}
	mean, spread := moments(points)
	a, b := 0.0, 0.0
	for range 50 {
		var ga, gb, haa, hab, hbb float64
		for _, p := range points {
			x, y := (p.score-mean)/spread, 0.0
			if p.target {
				y = 1
			}
			q := rank.Logistic(float64(a*x) + b)
			d, w := p.weight*(q-y), p.weight*q*(1-q)
			ga += float64(d * x)
			gb += d
			haa += float64(w * float64(x*x))
			hab += float64(w * x)
			hbb += w
		}
		haa, hbb = haa+1e-6, hbb+1e-6
		det := float64(haa*hbb) - float64(hab*hab)
		da, db := (float64(hbb*ga)-float64(hab*gb))/det, (float64(haa*gb)-float64(hab*ga))/det
		a, b = a-da, b-db
		if math.Abs(da)+math.Abs(db) < 1e-9 {
			break
		}
	}
	return a / spread, b - float64(a*mean/spread)
}

// moments returns the mean of the scores and their standard deviation.
func moments(points []point) (mean, spread float64) {
	for _, p := range points {
		mean += p.score
	}
	mean /= float64(len(points))
	for _, p := range points {
		spread += float64((p.score - mean) * (p.score - mean))
	}
	return mean, math.Sqrt(spread/float64(len(points))) + 1e-9
}

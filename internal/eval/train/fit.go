package train

import (
	"math"
	"slices"
	"sync"

	"espy/internal/rank"
)

// Options say how a model is fitted.
type Options struct {
	Steps   int           // of the descent
	Hand    float64       // pull toward the model set by hand
	Kinds   float64       // pull of the kinds of query toward each other
	Smooth  float64       // pull of neighbouring slopes toward each other
	History float64       // weight of a repository's history questions, its other questions in one mode being 1
	Tree    float64       // the same of the questions about a large tree
	Off     []rank.Signal // signals that stay 0
}

// Defaults are the options of the weights that are shipped.
var Defaults = Options{Steps: 200, Hand: 0.001, Kinds: 0.003, Smooth: 0.0005, History: 0.5, Tree: 0.5}

// layout says where the parameters of a model stand in one slice: for each
// kind, the increments of each curve.
type layout struct {
	start  [rank.NumSignals]int
	curves [rank.NumSignals]*shape
	size   int // of one kind
}

func newLayout(o *Options) *layout {
	l := &layout{}
	for i := range shapes {
		s := &shapes[i]
		if slices.Contains(o.Off, s.signal) {
			continue
		}
		l.start[s.signal], l.curves[s.signal] = l.size, s
		l.size += len(s.knots) - 1
	}
	return l
}

// hand returns the parameters that were set by hand.
func (l *layout) hand() []float64 {
	p := make([]float64, rank.NumKinds*l.size)
	for kind := range rank.NumKinds {
		for s, shape := range l.curves {
			if shape == nil {
				continue
			}
			for k := 1; k < len(shape.knots); k++ {
				p[kind*l.size+l.start[s]+k-1] = shape.hand * temperature * (shape.knots[k] - shape.knots[k-1])
			}
		}
	}
	return p
}

// clamp takes increments of the wrong sign back to 0.
func (l *layout) clamp(p []float64) {
	for kind := range rank.NumKinds {
		for s, shape := range l.curves {
			if shape == nil || shape.slope == 0 {
				continue
			}
			at := kind*l.size + l.start[s]
			for i := at; i < at+len(shape.knots)-1; i++ {
				if p[i]*float64(shape.slope) < 0 {
					p[i] = 0
				}
			}
		}
	}
}

// model returns the model with these parameters.
func (l *layout) model(p []float64) *rank.Model {
	m := &rank.Model{}
	for kind := range rank.NumKinds {
		for s, shape := range l.curves {
			if shape == nil {
				continue
			}
			c := rank.Curve{X: shape.knots, Y: make([]float64, len(shape.knots))}
			for k := 1; k < len(shape.knots); k++ {
				c.Y[k] = c.Y[k-1] + p[kind*l.size+l.start[s]+k-1]
			}
			m.Curves[kind][s] = c
		}
	}
	return m
}

// feature is how much a parameter counts in a row.
type feature struct {
	param int32
	value float32
}

// features appends the features of a row within one kind.
func (l *layout) features(dst []feature, s *rank.Signals) []feature {
	for i, shape := range l.curves {
		if shape == nil || s[i] == 0 {
			continue
		}
		for k := 1; k < len(shape.knots); k++ {
			low, high := shape.knots[k-1], shape.knots[k]
			if s[i] <= low {
				break
			}
			dst = append(dst, feature{int32(l.start[i] + k - 1), float32(min(1, (s[i]-low)/(high-low)))})
		}
	}
	return dst
}

// example is a list made ready for the descent.
type example struct {
	kind    int
	weight  float64
	rows    [][]feature
	targets []int // rows that are first met for some target
}

func (l *layout) examples(lists []*List, o *Options) []example {
	weights := listWeights(lists, o)
	var all []example
	for i, list := range lists {
		e := example{kind: int(list.Kind), weight: weights[i]}
		for r := range list.Rows {
			e.rows = append(e.rows, l.features(nil, &list.Rows[r].Signals))
			if list.Rows[r].Hits != 0 {
				e.targets = append(e.targets, r)
			}
		}
		if len(e.targets) > 0 && len(e.targets) < len(e.rows) {
			all = append(all, e)
		}
	}
	return all
}

// listWeights gives each repository and mode the same weight, but for those of history
// and trees: with a weight of 1 for these too the sum would be 1.
func listWeights(lists []*List, o *Options) []float64 {
	count := map[[2]string]int{}
	for _, l := range lists {
		count[[2]string{l.Repo, l.Mode}]++
	}
	weights := make([]float64, len(lists))
	for i, l := range lists {
		weights[i] = 1 / float64(count[[2]string{l.Repo, l.Mode}]) / float64(len(count))
		switch l.Mode {
		case ModeHistory:
			weights[i] *= o.History
		case ModeTree:
			weights[i] *= o.Tree
		}
	}
	return weights
}

// blocks is how many parts the lists are summed in: always as many, so that
// sums do not depend on the number of processors.
const blocks = 16

// fitModel returns the model that suits the lists best, without a base.
func fitModel(lists []*List, o Options) *rank.Model {
	l := newLayout(&o)
	examples := l.examples(lists, &o)
	hand := l.hand()
	p := slices.Clone(hand)
	d := descent{first: make([]float64, len(p)), second: make([]float64, len(p))}
	for step := range o.Steps {
		g := l.gradient(examples, p)
		l.pull(g, p, hand, &o)
		d.step(p, g, 0.3*(1-float64(step)/float64(o.Steps))+0.003)
		l.clamp(p)
	}
	return l.model(p)
}

// gradient returns the gradient of the cross-entropy.
func (l *layout) gradient(examples []example, p []float64) []float64 {
	sums := make([][]float64, blocks)
	var wg sync.WaitGroup
	for b := range blocks {
		wg.Go(func() {
			sums[b] = make([]float64, len(p))
			for i := b; i < len(examples); i += blocks {
				examples[i].gradient(sums[b], p, l.size)
			}
		})
	}
	wg.Wait()
	for _, s := range sums[1:] {
		for i, v := range s {
			sums[0][i] += v
		}
	}
	return sums[0]
}

// gradient adds the gradient of the list: for each target, the probability of
// each row among it and the rows that are no target, less 1 for the target.
func (e *example) gradient(g, p []float64, size int) {
	at := e.kind * size
	own := p[at : at+size]
	scores := make([]float64, len(e.rows))
	top := math.Inf(-1)
	for i, row := range e.rows {
		sum := 0.0
		for _, f := range row {
			sum += float64(own[f.param] * float64(f.value))
		}
		scores[i] = sum
		top = max(top, sum)
	}
	isTarget := make([]bool, len(e.rows))
	for _, t := range e.targets {
		isTarget[t] = true
	}
	others := 0.0
	for i := range scores {
		scores[i] = math.Exp(scores[i] - top)
		if !isTarget[i] {
			others += scores[i]
		}
	}
	weight := e.weight / float64(len(e.targets))
	inverse := 0.0 // sum over targets of 1/(others+target)
	coef := make([]float64, len(e.rows))
	for _, t := range e.targets {
		inv := 1 / (others + scores[t] + 1e-300)
		inverse += inv
		coef[t] = weight * (float64(scores[t]*inv) - 1)
	}
	for i, row := range e.rows {
		c := coef[i]
		if !isTarget[i] {
			c = weight * scores[i] * inverse
		}
		if math.Abs(c) < 1e-12 {
			continue
		}
		for _, f := range row {
			g[at+int(f.param)] += float64(c * float64(f.value))
		}
	}
}

// pull adds the gradient of what holds the parameters back.
func (l *layout) pull(g, p, hand []float64, o *Options) {
	for i := range p {
		g[i] += o.Hand * (p[i] - hand[i])
		other := (i + l.size) % len(p)
		g[i] += o.Kinds * (p[i] - p[other])
	}
	for kind := range rank.NumKinds {
		for s, shape := range l.curves {
			if shape == nil {
				continue
			}
			at := kind*l.size + l.start[s]
			for k := 1; k+1 < len(shape.knots); k++ {
				a, b := shape.knots[k]-shape.knots[k-1], shape.knots[k+1]-shape.knots[k]
				d := p[at+k-1]/a - p[at+k]/b
				g[at+k-1] += float64(o.Smooth*d/a) * (a * b)
				g[at+k] -= float64(o.Smooth*d/b) * (a * b)
			}
		}
	}
}

// descent is Adam: Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2015).
type descent struct {
	first, second []float64
	t             int
}

func (d *descent) step(p, g []float64, rate float64) {
	const b1, b2 = 0.9, 0.99
	d.t++
	c1, c2 := 1-math.Pow(b1, float64(d.t)), 1-math.Pow(b2, float64(d.t))
	for i := range p {
		d.first[i] = float64(b1*d.first[i]) + float64((1-b1)*g[i])
		d.second[i] = float64(b2*d.second[i]) + float64((1-b2)*float64(g[i]*g[i]))
		p[i] -= rate * (d.first[i] / c1) / (math.Sqrt(d.second[i]/c2) + 1e-9)
	}
}

// handModel returns the model that was set by hand.
func handModel(o Options) *rank.Model {
	l := newLayout(&o)
	return l.model(l.hand())
}

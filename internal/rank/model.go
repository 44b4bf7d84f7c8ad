package rank

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Model turns signals into a score by addition: each signal has a piecewise
// linear curve for each kind of query. The sum is a logit: its logistic is the
// score.
//
// In a vast tree there is something of everything, so that it tells more how much of the
// query a file has: there a signal adds what Vast says for each unit of it beside its
// curve, times how vast the tree is (Vastness).
type Model struct {
	Base   [NumKinds]float64           // what every file starts from
	Curves [NumKinds][NumSignals]Curve // one without points adds nothing

	VastBase [NumKinds]float64 // what a file starts from beside Base in a vast tree
	Vast     [NumKinds][NumSignals]float64
}

// Bounds of what is a vast tree, in files.
const (
	leastVast = 5_000  // up to so many it is not vast at all,
	fullyVast = 20_000 // from so many on it is in full
)

// Vastness is how vast a collection of so many files is, in [0,1], even on a logarithmic
// scale.
func Vastness(files int) float64 {
	return min(1, max(0, math.Log(float64(max(files, 1))/leastVast)/math.Log(fullyVast/leastVast)))
}

// Curve is a piecewise linear function: Y at each X, ascending; level beyond
// the first and the last.
type Curve struct{ X, Y []float64 }

// At returns the value of the curve at x.
func (c *Curve) At(x float64) float64 {
	n := len(c.X)
	switch {
	case n == 0:
		return 0
	case x <= c.X[0]:
		return c.Y[0]
	case x >= c.X[n-1]:
		return c.Y[n-1]
	}
	i := 1
	for x > c.X[i] {
		i++
	}
	t := (x - c.X[i-1]) / (c.X[i] - c.X[i-1])
	return c.Y[i-1] + float64(t*(c.Y[i]-c.Y[i-1]))
}

// Scorer scores files for one kind of query.
type Scorer struct {
	base   float64
	atZero [NumSignals]float64 // what each signal adds where it is 0, as most are
	always bool                // some signal adds something at 0
	curves *[NumSignals]Curve
	vast   [NumSignals]float64 // what each signal adds for each unit of it beside its curve
}

// Scorer returns the scorer of a kind of query in a tree of a Vastness.
func (m *Model) Scorer(kind Kind, vast float64) *Scorer {
	s := &Scorer{base: m.Base[kind] + float64(vast*m.VastBase[kind]), curves: &m.Curves[kind]}
	for i, slope := range m.Vast[kind] {
		s.vast[i] = vast * slope
	}
	for i := range s.atZero {
		s.atZero[i] = s.curves[i].At(0)
		s.always = s.always || s.atZero[i] != 0
	}
	return s
}

// Score returns the logit of the score of a file.
func (s *Scorer) Score(signals *Signals) float64 {
	sum := s.base
	for i, v := range signals {
		if v != 0 {
			sum += s.curves[i].At(v) + float64(s.vast[i]*v)
		} else if y := s.atZero[i]; y != 0 {
			sum += y
		}
	}
	return sum
}

// Guess is Score of what is known of a file, in two thirds of the time.
func (s *Scorer) Guess(known *Some) float64 {
	if s.always {
		all := known.All()
		return s.Score(&all)
	}
	sum := s.base
	for i, signal := range known.signals[:known.n] {
		sum += s.curves[signal].At(known.values[i]) + float64(s.vast[signal]*known.values[i])
	}
	return sum
}

// Contribution is what one signal added to a score.
type Contribution struct {
	Signal string
	Value  float64
	Score  float64 // in logits
}

// Explain returns what each signal that is not 0 added to the score of a Scorer. Together
// they are what it returns.
func (s *Scorer) Explain(signals *Signals) []Contribution {
	all := []Contribution{{"base", 1, s.base}}
	for i, v := range signals {
		if y := s.curves[i].At(v) + float64(s.vast[i]*v); v != 0 || y != 0 {
			all = append(all, Contribution{Signal(i).String(), v, y})
		}
	}
	return all
}

// Logistic maps a logit to 0..1: the chance that the file is what was sought.
func Logistic(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

//go:embed weights.txt
var weightsText string

// Default returns the model that was trained.
var Default = sync.OnceValue(func() *Model {
	m, err := parseModel(weightsText)
	if err != nil {
		panic(err) // the file is part of the program and a test reads it
	}
	return m
})

// parseModel reads what Model.String wrote. Lines are
//
//	base KIND Y
//	curve KIND SIGNAL | X:Y X:Y ...
//	vast KIND base | Y
//	vast KIND SIGNAL | Y
func parseModel(text string) (*Model, error) {
	m := &Model{}
	n := 0
	for line := range dataLines(text) {
		n++
		if err := m.parse(line); err != nil {
			return nil, fmt.Errorf("read weights, entry %d (%s): %w", n, line, err)
		}
	}
	return m, nil
}

func (m *Model) parse(line string) error {
	what, rest, _ := strings.Cut(line, " ")
	name, rest, _ := strings.Cut(rest, " ")
	kind := Kind(slices.Index(kindNames[:], name))
	if int(kind) >= NumKinds {
		return fmt.Errorf("unknown kind %q", name)
	}
	switch what {
	case "base":
		var err error
		m.Base[kind], err = strconv.ParseFloat(rest, 64)
		return err
	case "curve":
		signal, points, _ := strings.Cut(rest, " | ")
		i, ok := SignalNamed(signal)
		if !ok {
			return fmt.Errorf("unknown signal %q", signal)
		}
		return m.Curves[kind][i].parse(points)
	case "vast":
		signal, slope, _ := strings.Cut(rest, " | ")
		y, err := strconv.ParseFloat(slope, 64)
		if i, ok := SignalNamed(signal); ok {
			m.Vast[kind][i] = y
		} else if m.VastBase[kind] = y; signal != vastBase {
			return fmt.Errorf("unknown signal %q", signal)
		}
		return err
	}
	return fmt.Errorf("unknown entry %q", what)
}

// vastBase stands for VastBase where weights are written.
const vastBase = "base"

func (c *Curve) parse(points string) error {
	for p := range strings.FieldsSeq(points) {
		x, y, _ := strings.Cut(p, ":")
		xv, err := strconv.ParseFloat(x, 64)
		if err != nil {
			return err
		}
		yv, err := strconv.ParseFloat(y, 64)
		if err != nil {
			return err
		}
		if n := len(c.X); n > 0 && xv <= c.X[n-1] {
			return fmt.Errorf("the points do not ascend at %s", p)
		}
		c.X, c.Y = append(c.X, xv), append(c.Y, yv)
	}
	return nil
}

// String returns the model as text with numbers of three decimals, curves
// without effect left out.
func (m *Model) String() string {
	var b strings.Builder
	for kind := range Kind(NumKinds) {
		fmt.Fprintf(&b, "base %s %.3f\n", kind, m.Base[kind])
		for i := range m.Curves[kind] {
			c := &m.Curves[kind][i]
			if !c.flat() {
				fmt.Fprintf(&b, "curve %s %s |%s\n", kind, Signal(i), c)
			}
		}
		if y := m.VastBase[kind]; shows(y) {
			fmt.Fprintf(&b, "vast %s %s | %.3f\n", kind, vastBase, y)
		}
		for i, y := range m.Vast[kind] {
			if shows(y) {
				fmt.Fprintf(&b, "vast %s %s | %.3f\n", kind, Signal(i), y)
			}
		}
	}
	return b.String()
}

// flat reports whether the curve adds nothing that three decimals show.
func (c *Curve) flat() bool {
	return !slices.ContainsFunc(c.Y, shows)
}

// shows reports whether three decimals show that a number is not 0.
func shows(y float64) bool { return math.Abs(y) >= 0.0005 }

// String returns the points of the curve, each after a space.
func (c *Curve) String() string {
	var b strings.Builder
	for i, x := range c.X {
		fmt.Fprintf(&b, " %.4g:%.3f", x, c.Y[i])
	}
	return b.String()
}

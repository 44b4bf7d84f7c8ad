package rank

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCurve(t *testing.T) {
	c := Curve{X: []float64{0, 0.5, 1}, Y: []float64{0, 2, 3}}
	for _, v := range []struct{ x, want float64 }{{-1, 0}, {0, 0}, {0.25, 1}, {0.5, 2}, {0.75, 2.5}, {1, 3}, {9, 3}} {
		t.Run(fmt.Sprintf("at %v", v.x), func(t *testing.T) {
			if got := c.At(v.x); got != v.want {
				t.Errorf("At(%v) = %v, want %v", v.x, got, v.want)
			}
		})
	}
	if got := (&Curve{}).At(1); got != 0 {
		t.Errorf("a curve without points is %v at 1, want 0", got)
	}
}

const modelText = `base text -2.000
curve text stem | 0:0.000 1:3.000
curve text test | 0:0.000 1:-1.500
vast text base | -1.000
vast text stem | 2.000
base name -1.000
curve name depth | 0:0.000 2:-0.250
`

func TestModel(t *testing.T) {
	m, err := parseModel(modelText)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(modelText, m.String()); diff != "" {
		t.Errorf("read and written again (-want +got)\n%s", diff)
	}
	for _, c := range []struct {
		kind    Kind
		vast    float64
		s       Signals
		want    float64
		explain string
	}{
		{KindText, 0, Signals{}, -2, "base"},
		{KindText, 0, Signals{Stem: 0.5}, -0.5, "base, stem"},
		{KindText, 0, Signals{Stem: 0.5, Coverage: 1, Test: 1}, -2, "base, coverage, stem, test"},
		{KindText, 0.5, Signals{Stem: 0.5, Test: 1}, -2, "base, stem, test"},
		{KindText, 1, Signals{Stem: 0.5}, -0.5, "base, stem"},
		{KindName, 1, Signals{Stem: 0.5, Depth: 1}, -1.125, "base, stem, depth"},
	} {
		t.Run(fmt.Sprintf("%v %v: %s", c.kind, c.vast, c.explain), func(t *testing.T) {
			scorer := m.Scorer(c.kind, c.vast)
			if got := scorer.Score(&c.s); !near(got, c.want) {
				t.Errorf("%v of %v: score %v, want %v", c.kind, c.s, got, c.want)
			}
			if got, want := scorer.Guess(some(&c.s)), scorer.Score(&c.s); got != want {
				t.Errorf("%v of %v: guess %v, want the score, %v", c.kind, c.s, got, want)
			}
			sum := 0.0
			var words []string
			for _, e := range scorer.Explain(&c.s) {
				sum += e.Score
				words = append(words, e.Signal)
			}
			if !near(sum, c.want) || strings.Join(words, ", ") != c.explain {
				t.Errorf("%v of %v: explained by %q with sum %v, want %q and %v", c.kind, c.s, words, sum, c.explain, c.want)
			}
		})
	}
}

// some returns the signals that are not 0.
func some(all *Signals) *Some {
	s := &Some{}
	for i, v := range all {
		s.Set(Signal(i), v)
	}
	return s
}

func TestGuessAtZero(t *testing.T) {
	m, err := parseModel("base text -2\ncurve text stem | 0:0.5 1:3\ncurve text test | 0:0.25 1:1\n")
	if err != nil {
		t.Fatal(err)
	}
	s := Signals{Test: 1}
	if got := m.Scorer(KindText, 0).Guess(some(&s)); got != -0.5 {
		t.Errorf("guess %v, want -0.5: the stem adds something without being there", got)
	}
}

func TestModelErrors(t *testing.T) {
	for _, text := range []string{
		"base", "base poem 1", "base text x", "curve text nothing | 0:0", "curve text stem | 0", "curve text stem | 0:0 0:1", "curve text stem | a:0",
		"line text 1", "vast text stem | x", "vast text nothing | 1", "vast text",
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := parseModel(text); err == nil {
				t.Errorf("parseModel(%q): no error", text)
			}
		})
	}
}

func TestVastness(t *testing.T) {
	for _, c := range []struct {
		files int
		want  float64
	}{{0, 0}, {5_000, 0}, {10_000, 0.5}, {20_000, 1}, {80_000, 1}} {
		t.Run(fmt.Sprint(c.files), func(t *testing.T) {
			if got := Vastness(c.files); !near(got, c.want) {
				t.Errorf("Vastness(%d) = %v, want %v", c.files, got, c.want)
			}
		})
	}
}

// TestWeights holds what must be so whatever the weights are fitted to: what
// answers the query never speaks against a file, and a class never for it.
func TestWeights(t *testing.T) {
	m := Default()
	for kind := range Kind(NumKinds) {
		t.Run(kind.String(), func(t *testing.T) {
			if c := m.Curves[kind][Stem]; c.At(1)+m.Curves[kind][StemFull].At(1) <= 0 || m.Curves[kind][Exact].At(1) <= 0 {
				t.Errorf("%v: a name in the query says nothing", kind)
			}
			for s := range NumSignals {
				c := &m.Curves[kind][s]
				if full := c.At(1) + m.Vast[kind][s]; full*float64(sign(s)) < 0 {
					t.Errorf("%v %v: %v in a vast tree", kind, s, full)
				}
				for i := range c.Y {
					switch {
					case c.X[0] != 0 || c.Y[0] != 0:
						t.Errorf("%v %v: does not start at 0", kind, s)
					case i == 0 || s == Folder || s == Barrel:
					case s == Depth || s >= Test:
						if c.Y[i] > c.Y[i-1] {
							t.Errorf("%v %v: rises at %v", kind, s, c.X[i])
						}
					case c.Y[i] < c.Y[i-1]:
						t.Errorf("%v %v: falls at %v", kind, s, c.X[i])
					}
				}
			}
		})
	}
}

// sign is 1 for a signal that speaks for a file, -1 for one that speaks against it, and 0
// where it depends.
func sign(s Signal) int {
	switch {
	case s == Folder || s == Barrel:
		return 0
	case s == Depth || s >= Test:
		return -1
	}
	return 1
}

func TestLogistic(t *testing.T) {
	if Logistic(0) != 0.5 || Logistic(-800) < 0 || Logistic(800) != 1 || !near(Logistic(1), 0.7310586) {
		t.Errorf("Logistic at 0, 1 = %v, %v", Logistic(0), Logistic(1))
	}
}

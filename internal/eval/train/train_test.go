package train

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"espy/internal/rank"
)

// someLists makes questions of which the answer has the highest stem, while
// tests that look as good are none and the depth is noise.
func someLists(n int) []*List {
	r := rand.New(rand.NewPCG(1, 2))
	var lists []*List
	for i := range n {
		l := &List{ID: fmt.Sprint(i), Repo: fmt.Sprint("repo", i%10), Language: "go", Category: "c", Mode: "whole", Targets: 1}
		for k := range 20 {
			var row Row
			row.Signals[rank.StemFull] = r.Float64() * 0.6
			row.Signals[rank.Depth] = float64(r.IntN(5))
			if k == i%20 {
				row.Signals[rank.StemFull] = 0.7 + r.Float64()*0.3
				row.Hits = 1
			} else if k%5 == 0 {
				row.Signals[rank.StemFull], row.Signals[rank.Test] = 0.9, 1
			}
			l.Rows = append(l.Rows, row)
		}
		lists = append(lists, l)
	}
	return lists
}

func TestFit(t *testing.T) {
	lists := someLists(60)
	o := Defaults
	o.Steps = 100
	m := fitModel(lists, o)
	for _, l := range lists {
		t.Run(l.ID, func(t *testing.T) {
			if got := l.ndcg(m); got < 0.999 {
				t.Errorf("list %s: NDCG %v after the fit, want 1", l.ID, got)
			}
		})
	}
	if again := fitModel(lists, o); again.String() != m.String() {
		t.Error("fitted twice to other weights")
	}
	c := &m.Curves[rank.KindText][rank.StemFull]
	for i := 1; i < len(c.Y); i++ {
		if c.Y[i] < c.Y[i-1] {
			t.Errorf("the curve of the stem falls: %v", c.Y)
		}
	}
	o.Off = []rank.Signal{rank.StemFull}
	if c := fitModel(lists, o).Curves[rank.KindText][rank.StemFull]; len(c.X) != 0 {
		t.Errorf("a signal that is off has a curve: %v", c)
	}
}

func TestFitStaysNearHand(t *testing.T) {
	o := Defaults
	o.Steps, o.Hand = 200, 1e6
	m, hand := fitModel(someLists(60), o), handModel(o)
	for s := range rank.NumSignals {
		t.Run(s.String(), func(t *testing.T) {
			a, b := m.Curves[rank.KindText][s].At(1), hand.Curves[rank.KindText][s].At(1)
			if math.Abs(a-b) > 0.01 {
				t.Errorf("%v: %v with all the pull there is, set by hand %v", s, a, b)
			}
		})
	}
}

// TestFitVast holds that what vast trees add puts the answers first there, leaves other
// trees as they are, and turns no signal round.
func TestFitVast(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	m := &rank.Model{}
	m.Base[rank.KindText] = -3
	m.Curves[rank.KindText][rank.ExactStem] = rank.Curve{X: []float64{0, 1}, Y: []float64{0, 0.5}}
	var lists []*List
	for i := range 60 {
		l := &List{Repo: fmt.Sprint("tree", i%2), Mode: ModeTree, Vast: 1, Targets: 1}
		for k := range 10 {
			var row Row
			row.Signals[rank.BestChunk] = r.Float64() * 0.6
			row.Signals[rank.ExactStem] = 1
			if k == i%10 {
				row.Hits = 1
				row.Signals[rank.BestChunk], row.Signals[rank.ExactStem] = 0.7+r.Float64()*0.3, 0
			}
			l.Rows = append(l.Rows, row)
		}
		lists = append(lists, l)
	}
	got := fitVast(m, lists)
	for i, l := range lists {
		if n := l.ndcg(got); i < 5 && n < 0.999 || n < 0.5 {
			t.Errorf("list %d: NDCG %v after the fit", i, n)
		}
		if s := &l.Rows[0].Signals; got.Scorer(l.Kind, 0).Score(s) != m.Scorer(l.Kind, 0).Score(s) {
			t.Fatal("the score of a file in a tree that is not vast has changed")
		}
	}
	if v := got.Vast[rank.KindText][rank.ExactStem]; v != -0.5 {
		t.Errorf("a name that spells the stem counts %v more, want -0.5: no more than takes it back", v)
	}
	scored, answers := 0.0, 0.0
	for _, l := range lists {
		for i := range l.Rows {
			scored += rank.Logistic(got.Scorer(l.Kind, 1).Score(&l.Rows[i].Signals))
		}
		answers++
	}
	if math.Abs(scored-answers) > 0.01 {
		t.Errorf("the logistics of the scores add up to %v, want %v, as many as there are answers", scored, answers)
	}
	if again := fitVast(got, lists); again.String() != got.String() {
		t.Error("fitted again, what vast trees add is another")
	}
	if diff := fitVast(m, nil).String(); diff != m.String() {
		t.Errorf("without trees the model is\n%s", diff)
	}
}

// TestCrossValidate holds that a list is judged by a model that has not seen its repository.
func TestCrossValidate(t *testing.T) {
	lists := someLists(30)
	crossValidate(lists, func(train []*List) *rank.Model {
		seen := map[string]bool{}
		for _, l := range train {
			seen[l.Repo] = true
		}
		if len(seen) != 8 {
			t.Errorf("fitted to %d of 10 repositories, want 8", len(seen))
		}
		return &rank.Model{}
	})
}

func TestNDCG(t *testing.T) {
	m := &rank.Model{}
	m.Curves[rank.KindText][rank.Stem] = rank.Curve{X: []float64{0, 1}, Y: []float64{0, 1}}
	for _, c := range []struct {
		hits    []uint32 // by row, best first
		targets int
		want    float64
	}{
		{[]uint32{1}, 1, 1},
		{[]uint32{0, 1}, 1, 1 / math.Log2(3)},
		{[]uint32{1, 2}, 2, 1},
		{[]uint32{3}, 2, 1 / (1 + 1/math.Log2(3))},
		{[]uint32{1, 1}, 2, 1 / (1 + 1/math.Log2(3))},
		{[]uint32{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 1, 0},
		{nil, 1, 0},
	} {
		t.Run(fmt.Sprintf("hits %v of %d", c.hits, c.targets), func(t *testing.T) {
			l := List{Targets: c.targets}
			for i, h := range c.hits {
				row := Row{Hits: h}
				row.Signals[rank.Stem] = 1 - float64(i)/100
				l.Rows = append(l.Rows, row)
			}
			if got := l.ndcg(m); math.Abs(got-c.want) > 1e-12 {
				t.Errorf("hits %v of %d targets: NDCG %v, want %v", c.hits, c.targets, got, c.want)
			}
		})
	}
}

// TestCalibrate holds that the logistic of a calibrated score is how often a
// file of that score is a target.
func TestRecall(t *testing.T) {
	m := &rank.Model{}
	m.Curves[rank.KindText][rank.Coverage] = rank.Curve{X: []float64{0, 1}, Y: []float64{0, 1}}
	l := &List{Targets: 4}
	for i := range 12 {
		var row Row
		row.Signals[rank.Coverage] = 1 - float64(i)/20
		l.Rows = append(l.Rows, row)
	}
	l.Rows[0].Hits, l.Rows[9].Hits, l.Rows[10].Hits = 0b11, 0b10, 0b100 // one twice, one eleventh, one nowhere
	if got := l.recall(m, 10); got != 0.5 {
		t.Errorf("Recall = %v, want 0.5: two targets of four", got)
	}
}

func TestCalibrate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	m := &rank.Model{}
	m.Curves[rank.KindText][rank.Stem] = rank.Curve{X: []float64{0, 1}, Y: []float64{0, 100}}
	var lists []*List
	for i := range 20_000 {
		x := r.Float64()
		row := Row{}
		row.Signals[rank.Stem] = x
		if r.Float64() < rank.Logistic(6*x-4) {
			row.Hits = 1
		}
		lists = append(lists, &List{Repo: fmt.Sprint(i % 10), Mode: "whole", Rows: []Row{row}, Targets: 1})
	}
	c := calibrate(m, lists, Defaults)
	for _, x := range []float64{0, 0.3, 0.6, 1} {
		t.Run(fmt.Sprintf("at %v", x), func(t *testing.T) {
			var s rank.Signals
			s[rank.Stem] = x
			got, want := rank.Logistic(c.Scorer(rank.KindText, 0).Score(&s)), rank.Logistic(6*x-4)
			if math.Abs(got-want) > 0.02 {
				t.Errorf("at %v: %v, want %v", x, got, want)
			}
		})
	}
}

func TestSummarise(t *testing.T) {
	lists := []*List{
		{Repo: "a", Language: "go", Category: "x", Mode: "root"}, {Repo: "a", Language: "go", Category: "y", Mode: "root"},
		{Repo: "b", Language: "c", Category: "x", Mode: "root"}, {Repo: "b", Language: "c", Category: "x", Mode: "whole"},
	}
	s := summarise(lists, []float64{1, 0.5, 0.25, 9}, "root")
	if s.All != 0.5 || s.Category["x"] != 0.625 || s.Category["y"] != 0.5 || s.Repo["a"] != 0.75 || s.worst(1) != 0.25 || s.worst(5) != 0.5 {
		t.Errorf("summary %+v", s)
	}
}

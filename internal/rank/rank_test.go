package rank

import (
	"math"
	"slices"
	"testing"

	"espy/internal/code"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestFrequency(t *testing.T) {
	norms := NewNorms(Sums{FieldBody: {1000, 10}, FieldType: {10, 10}, FieldFunc: {20, 10}, FieldStem: {20, 10}, FieldDir: {30, 10}})
	for _, c := range []struct {
		field      Field
		tf, length uint32
		want       float64
	}{
		{FieldBody, 1, 100, 1},                 // average length
		{FieldBody, 2, 100, 2},                 //
		{FieldBody, 1, 200, 1 / 1.75},          // twice as long
		{FieldBody, 1, 0, 4},                   // the cap: 1/(1-b)
		{FieldType, 1, 1, 3},                   //
		{FieldFunc, 1, 4, 2 / (0.6 + 0.4*2)},   //
		{FieldStem, 1, 2, 3},                   //
		{FieldDir, 1, 3, 1.2},                  //
		{FieldDir, 0, 3, 0},                    //
		{FieldStem, 1, 0, 3 / 0.7},             //
		{FieldBody, 3, 1000, 3 / (0.25 + 7.5)}, //
	} {
		if got := float64(norms.Frequency(c.field, c.tf, c.length)); !near(got, c.want) {
			t.Errorf("Frequency(%d, %d, %d) = %v, want %v", c.field, c.tf, c.length, got, c.want)
		}
	}
}

func TestFrequencyOfNothing(t *testing.T) {
	norms := NewNorms(Sums{})
	for f := range numFields {
		if got := norms.Frequency(f, 1, 1); math.IsNaN(float64(got)) || math.IsInf(float64(got), 0) {
			t.Errorf("field %d of an empty collection: %v", f, got)
		}
	}
}

func TestSaturateAndIDF(t *testing.T) {
	if got := float64(Saturate(1.4)); !near(got, 0.5) {
		t.Errorf("Saturate(k1) = %v, want 0.5", got)
	}
	if got := Saturate(0); got != 0 {
		t.Errorf("Saturate(0) = %v, want 0", got)
	}
	for _, c := range []struct {
		df, n int
		want  float64
	}{{0, 0, math.Log(2)}, {1, 1, math.Log(1 + 0.5/1.5)}, {10, 1000, math.Log(1 + 990.5/10.5)}} {
		if got := IDF(c.df, c.n); !near(got, c.want) {
			t.Errorf("IDF(%d, %d) = %v, want %v", c.df, c.n, got, c.want)
		}
	}
}

func TestScore(t *testing.T) {
	all := Signals{Chunks: 1, SecondChunk: 1, Coverage: 1, Stem: 1, StemFull: 1, PathWords: 1, Prefix: 1, TypeName: 1, FuncName: 1, Exact: 1, ExactStem: 1}
	for _, c := range []struct {
		name string
		s    Signals
		lift Lift
		want float64
	}{
		{"nothing", Signals{}, Lift{}, 0},
		{"everything", all, Lift{}, 6.03},
		{"depth", Signals{Depth: 4}, Lift{}, -0.1},
		{"size", Signals{NumChunks: 1}, Lift{}, 0.005 * math.Log(2)},
		{"test", Signals{Exact: 1, Class: code.ClassTest}, Lift{}, 1.2 * math.Exp(-2)},
		{"test that is asked for", Signals{Exact: 1, Class: code.ClassTest}, Lift{Classes: code.ClassTest}, 1.2},
		{"example of a test", Signals{Exact: 1, Class: code.ClassTest | code.ClassExample}, Lift{Classes: code.ClassTest}, 1.2 * math.Exp(-2)},
		{"vendored and generated count once", Signals{Exact: 1, Class: code.ClassVendor | code.ClassGenerated}, Lift{}, 1.2 * math.Exp(-0.7)},
		{"barrel", Signals{Exact: 1, Class: code.ClassBarrel}, Lift{}, 1.2},
		{"data", Signals{Exact: 1, Content: ContentData}, Lift{}, 1.2 * math.Exp(-1)},
		{"data that is asked for", Signals{Exact: 1, Content: ContentData}, Lift{Content: true}, 1.2},
	} {
		if got := c.s.Score(c.lift); !near(got, c.want) {
			t.Errorf("%s: score %v, want %v", c.name, got, c.want)
		}
	}
}

func TestExplainAddsUp(t *testing.T) {
	s := Signals{Chunks: 0.5, Stem: 0.25, Exact: 0.8, Depth: 3, NumChunks: 7, Class: code.ClassTest | code.ClassBench, Content: ContentData}
	sum, penalty := 0.0, 0.0
	for _, c := range s.Explain(Lift{}) {
		if slices.Contains([]string{"test", "bench", "data"}, c.Signal) {
			penalty += c.Score
		} else {
			sum += c.Score
		}
	}
	if got, want := sum*math.Exp(penalty), s.Score(Lift{}); !near(got, want) || want == 0 {
		t.Errorf("the contributions make %v, the score is %v", got, want)
	}
}

func TestNameMatch(t *testing.T) {
	for _, c := range []struct {
		share       float64
		hits, parts int
		want        float64
	}{{0.5, 1, 2, 0.25}, {1, 2, 2, 1}, {1, 3, 2, 1}, {1, 1, 0, 0}} {
		if got := NameMatch(c.share, c.hits, c.parts); got != c.want {
			t.Errorf("NameMatch(%v, %d, %d) = %v, want %v", c.share, c.hits, c.parts, got, c.want)
		}
	}
}

func TestExactName(t *testing.T) {
	for _, c := range []struct {
		weight float64
		kind   code.Kind
		folded bool
		want   float64
		owns   bool
	}{
		{1, code.KindClass, false, 1, true},
		{1, code.KindMethod, false, 0.8, true},
		{1, code.KindConst, false, 0.45, false},
		{0.5, code.KindType, false, 0.5, false},
		{1, code.KindType, true, 0.6, true},
	} {
		if got := ExactName(c.weight, c.kind, c.folded); !near(got, c.want) {
			t.Errorf("ExactName(%v, %v, %v) = %v, want %v", c.weight, c.kind, c.folded, got, c.want)
		}
		if got := Owns(c.weight, c.kind); got != c.owns {
			t.Errorf("Owns(%v, %v) = %v, want %v", c.weight, c.kind, got, c.owns)
		}
	}
}

func TestEvidence(t *testing.T) {
	if Evidence(1, 0) != 1 || Evidence(1, 10) != 0.5 || Evidence(0.5, 10) != 0.25 {
		t.Errorf("Evidence at ranks 0 and 10 = %v, %v, want 1, 0.5", Evidence(1, 0), Evidence(1, 10))
	}
}

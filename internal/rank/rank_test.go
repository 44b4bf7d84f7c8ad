package rank

import (
	"fmt"
	"math"
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
		t.Run(fmt.Sprintf("field %v, %d of %d", c.field, c.tf, c.length), func(t *testing.T) {
			if got := float64(norms.Of(c.field).Frequency(c.tf, c.length)); !near(got, c.want) {
				t.Errorf("Frequency(%d, %d, %d) = %v, want %v", c.field, c.tf, c.length, got, c.want)
			}
		})
	}
}

func TestFrequencyOfNothing(t *testing.T) {
	norms := NewNorms(Sums{})
	for f := range NumFields {
		t.Run(fmt.Sprintf("field %v", f), func(t *testing.T) {
			if got := norms.Of(f).Frequency(1, 1); math.IsNaN(float64(got)) || math.IsInf(float64(got), 0) {
				t.Errorf("field %d of an empty collection: %v", f, got)
			}
		})
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
		t.Run(fmt.Sprintf("%d of %d", c.df, c.n), func(t *testing.T) {
			if got := IDF(c.df, c.n); !near(got, c.want) {
				t.Errorf("IDF(%d, %d) = %v, want %v", c.df, c.n, got, c.want)
			}
		})
	}
}

func TestClassify(t *testing.T) {
	test := Boost{}
	test.Raise(Ask{Signals: []Signal{Test}, Sure: 1}, 0)
	for _, c := range []struct {
		class   code.Class
		content Content
		boost   Boost
		want    map[Signal]float64
	}{
		{0, ContentCode, Boost{}, nil},
		{code.ClassTest | code.ClassExample, ContentCode, Boost{}, map[Signal]float64{Test: 1, Example: 1}},
		{code.ClassTest | code.ClassExample, ContentCode, test, map[Signal]float64{Example: 1}},
		{code.ClassDocs, ContentProse, test, map[Signal]float64{Docs: 1, Prose: 1}},
		{code.ClassLock, ContentData, Boost{}, map[Signal]float64{Lock: 1, Data: 1}},
	} {
		t.Run(fmt.Sprintf("class %b, %v, boost %v", c.class, c.content, c.boost), func(t *testing.T) {
			var some Some
			var want Signals
			some.Classify(c.class, c.content, &c.boost)
			s := some.All()
			for k, v := range c.want {
				want[k] = v
			}
			if s != want {
				t.Errorf("Classify(%b, %v) = %v, want %v", c.class, c.content, s, want)
			}
		})
	}
}

func TestNameMatch(t *testing.T) {
	for _, c := range []struct {
		share       float64
		hits, parts int
		want        float64
	}{{0.5, 1, 2, 0.25}, {1, 2, 2, 1}, {1, 3, 2, 1}, {1, 1, 0, 0}} {
		t.Run(fmt.Sprintf("share %v, %d of %d parts", c.share, c.hits, c.parts), func(t *testing.T) {
			if got := NameMatch(c.share, c.hits, c.parts); got != c.want {
				t.Errorf("NameMatch(%v, %d, %d) = %v, want %v", c.share, c.hits, c.parts, got, c.want)
			}
		})
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
		t.Run(fmt.Sprintf("weight %v, %v, folded %v", c.weight, c.kind, c.folded), func(t *testing.T) {
			if got := ExactName(c.weight, c.kind, c.folded); !near(got, c.want) {
				t.Errorf("ExactName(%v, %v, %v) = %v, want %v", c.weight, c.kind, c.folded, got, c.want)
			}
			if got := Owns(c.weight, c.kind); got != c.owns {
				t.Errorf("Owns(%v, %v) = %v, want %v", c.weight, c.kind, got, c.owns)
			}
		})
	}
}

func TestEvidence(t *testing.T) {
	if Evidence(1, 0) != 1 || Evidence(1, 10) != 0.5 || Evidence(0.5, 10) != 0.25 {
		t.Errorf("Evidence at ranks 0 and 10 = %v, %v, want 1, 0.5", Evidence(1, 0), Evidence(1, 10))
	}
}

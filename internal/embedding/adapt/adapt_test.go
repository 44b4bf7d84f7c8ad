package adapt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"espy/internal/embedding"
)

const (
	dims  = 16
	model = "words"
)

// unit returns a vector of length 1.
func unit(r *rand.Rand) embedding.Vector {
	v, sum := make(embedding.Vector, dims), 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func cosine(a, b embedding.Vector) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// turned are questions whose answers lie elsewhere by the same rule: each number
// is that of the next one.
func turned(n int) (all []Example) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		q := unit(r)
		all = append(all, Example{q, append(slices.Clone(q[1:]), q[0])})
	}
	return all
}

func TestFit(t *testing.T) {
	all := turned(12100)
	a, err := Fit(model, all[:12000])
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range all[12000:] {
		if before, after := cosine(e.Question, e.Answer), cosine(a.Turn(model, e.Question), e.Answer); after < 0.85 {
			t.Errorf("question %d: cosine %.3f, then %.3f", i, before, after)
		}
	}
	again, _ := Fit(model, all[:12000])
	if !slices.Equal(a.Weight, again.Weight) {
		t.Error("the same examples give another adapter")
	}
}

func TestShuffledAnswersTeachNothing(t *testing.T) {
	all := turned(400)
	r := rand.New(rand.NewPCG(3, 4))
	shuffled := slices.Clone(all[:300])
	for i := range shuffled {
		j := r.IntN(i + 1)
		shuffled[i].Answer, shuffled[j].Answer = shuffled[j].Answer, shuffled[i].Answer
	}
	a, err := Fit(model, shuffled)
	if err != nil {
		t.Fatal(err)
	}
	gain := 0.0
	for _, e := range all[300:] {
		gain += cosine(a.Turn(model, e.Question), e.Answer) - cosine(e.Question, e.Answer)
	}
	if gain/100 > 0.05 {
		t.Errorf("a gain of %.3f from answers to other questions", gain/100)
	}
}

// TestCommonAnswer holds that a question is not turned towards what all answers have
// in common, whatever it asks: the answers of any other questions teach that as well.
func TestCommonAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	common, all := unit(r), []Example{}
	for range 600 {
		e := Example{unit(r), unit(r)}
		for i, x := range common {
			e.Answer[i] = e.Answer[i]/4 + x
		}
		all = append(all, e)
	}
	a, err := Fit(model, all[:500])
	if err != nil {
		t.Fatal(err)
	}
	gain := 0.0
	for _, e := range all[500:] {
		gain += cosine(a.Turn(model, e.Question), common) - cosine(e.Question, common)
	}
	if gain/100 > 0.05 || gain/100 < -0.05 {
		t.Errorf("questions come nearer to what is common by %.3f", gain/100)
	}
}

func TestTurnLeavesWhatItCannot(t *testing.T) {
	a, err := Fit(model, turned(20))
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]embedding.Vector{"of another length": {1, 0}, "that says nothing": make(embedding.Vector, dims)} {
		t.Run(name, func(t *testing.T) {
			if got := a.Turn(model, v); !slices.Equal(got, v) {
				t.Errorf("turned to %v", got)
			}
		})
	}
	other := turned(21)[20].Question
	if got := a.Turn("another", other); !slices.Equal(got, other) {
		t.Errorf("a question to another model turned to %v", got)
	}
	if got := (*Adapter)(nil).Turn(model, embedding.Vector{1}); len(got) != 1 {
		t.Errorf("no adapter turns to %v", got)
	}
}

func TestFitRefuses(t *testing.T) {
	for name, examples := range map[string][]Example{
		"nothing":          nil,
		"another length":   {{embedding.Vector{1, 0}, embedding.Vector{1}}},
		"uneven questions": {{embedding.Vector{1}, embedding.Vector{1}}, {embedding.Vector{1, 0}, embedding.Vector{1, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			if a, err := Fit(model, examples); err == nil {
				t.Errorf("an adapter of %d numbers", len(a.Weight))
			}
		})
	}
}

func TestBytes(t *testing.T) {
	a, err := Fit(model, turned(20))
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var back Adapter
	if err := back.UnmarshalBinary(b); err != nil || back.Dims != dims || !slices.Equal(back.Weight, a.Weight) {
		t.Errorf("%d numbers come back, %v", len(back.Weight), err)
	}
	for name, bad := range map[string][]byte{"none": nil, "cut": b[:len(b)-4], "odd": b[:7], "square": b[:4*dims*dims], "no number": {0, 0, 0xc0, 0x7f, 0, 0, 0, 0}, "endless": {0, 0, 0, 0, 0, 0, 0x80, 0x7f}} {
		t.Run(name, func(t *testing.T) {
			if err := new(Adapter).UnmarshalBinary(bad); err == nil {
				t.Error("was read")
			}
		})
	}
}

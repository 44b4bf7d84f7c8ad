package eval

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// asked returns n questions about a repository that are answered at the given
// ranks; 0 is no answer.
func asked(repo, category, language string, ranks ...int) (questions []Question, answers []Answer) {
	for i, rank := range ranks {
		q := Question{ID: repo + category + string(rune('a'+i)), Repo: repo, Category: category, Language: language, Targets: []Target{{Path: "hit"}}}
		a := Answer{Repo: repo, ID: q.ID}
		for r := 1; rank > 0 && r <= rank; r++ {
			path := "miss"
			if r == rank {
				path = "hit"
			}
			a.Results = append(a.Results, Result{Path: path})
		}
		questions, answers = append(questions, q), append(answers, a)
	}
	return questions, answers
}

func TestSummary(t *testing.T) {
	var r Run
	for _, x := range []struct {
		repo, category, language string
		ranks                    []int
	}{
		{"one", "symbol", "go", []int{1, 1, 1}},
		{"one", "semantic", "go", []int{0}},
		{"two", "symbol", "go", []int{0}},
		{"three", "semantic", "c", []int{3}},
	} {
		q, a := asked(x.repo, x.category, x.language, x.ranks...)
		r.Questions, r.Answers = append(r.Questions, q...), append(r.Answers, a...)
	}
	r.Mode, r.Absent = ModeWhole, []string{"two hit"}
	r.Answers[4].Error = "refused"
	third := 1.0 / 3
	want := &Summary{
		Mode:  ModeWhole,
		Means: Means{NDCG: (0.75 + 0 + 0.5) / 3, MRR: (0.75 + 0 + third) / 3, Recall: (0.75 + 0 + 1) / 3, First: 0.75 / 3, Questions: 6},
		Micro: 3.5 / 6, Repos: 3, Refused: 1, Absent: 1,
		Categories: []Row{{"semantic", Means{0.25, third / 2, 0.5, 0, 2}}, {"symbol", Means{0.5, 0.5, 0.5, 0.5, 4}}},
		Languages:  []Row{{"c", Means{0.5, third, 1, 0, 1}}, {"go", Means{0.375, 0.375, 0.375, 0.375, 5}}},
		ByRepo:     []Row{{"one", Means{0.75, 0.75, 0.75, 0.75, 4}}, {"three", Means{0.5, third, 1, 0, 1}}, {"two", Means{0, 0, 0, 0, 1}}},
	}
	near := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
	if diff := cmp.Diff(want, r.Summary(), near); diff != "" {
		t.Fatalf("Summary() differs (-want +got):\n%s", diff)
	}
	if got := worst(want.ByRepo, 2); math.Abs(got-0.25) > 1e-12 {
		t.Fatalf("Worst(rows, 2) = %v, want 0.25", got)
	}
}

func TestLatency(t *testing.T) {
	var r Run
	for i := range 20 {
		r.Answers = append(r.Answers, Answer{Took: time.Duration(20-i) * time.Millisecond})
	}
	r.Answers = append(r.Answers, Answer{Error: "refused", Took: time.Hour})
	for _, test := range []struct {
		p    float64
		want time.Duration
	}{{0, 1}, {0.5, 10}, {0.95, 19}, {1, 20}} {
		t.Run(fmt.Sprintf("percentile %v", test.p), func(t *testing.T) {
			if got := r.Latency(test.p); got != test.want*time.Millisecond {
				t.Errorf("Latency(%v) = %v, want %v ms", test.p, got, int(test.want))
			}
		})
	}
	if got := new(Run).Latency(0.5); got != 0 {
		t.Errorf("Latency of no answers = %v, want 0", got)
	}
}

func TestCompare(t *testing.T) {
	q1, perfect1 := asked("one", "x", "go", 1, 1, 1, 1)
	q2, perfect2 := asked("two", "x", "go", 1, 1)
	_, mixed1 := asked("one", "x", "go", 1, 3, 3, 1)
	_, mixed2 := asked("two", "x", "go", 3, 3)
	questions := append(q1, q2...)
	perfect, mixed := append(perfect1, perfect2...), append(mixed1, mixed2...)
	for _, test := range []struct {
		name          string
		before, after []Answer
		want          Comparison
	}{
		{"the same", mixed, mixed, Comparison{Questions: 6, Old: 0.625, New: 0.625}},
		{"better", mixed, perfect, Comparison{Questions: 6, Old: 0.625, New: 1, Difference: 0.375, Low: 0.25, High: 0.5, Better: 4}},
		{"worse", perfect, mixed, Comparison{Questions: 6, Old: 1, New: 0.625, Difference: -0.375, Low: -0.5, High: -0.25, Worse: 4}},
		{"no answers before", nil, perfect, Comparison{Questions: 6, New: 1, Difference: 1, Low: 1, High: 1, Better: 6}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Compare(questions, test.before, test.after, 7)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s: Compare differs (-want +got):\n%s", test.name, diff)
			}
			if again := Compare(questions, test.before, test.after, 7); again != got {
				t.Errorf("%s: the same seed gives %v, then %v", test.name, got, again)
			}
		})
	}
}

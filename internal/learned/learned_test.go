package learned

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/embedding"
	"espy/internal/embedding/embeddingtest"
	"espy/internal/git"
	"espy/internal/git/gittest"
	"espy/internal/sample"
	"espy/internal/store"
)

// counted is a model that counts questions.
type counted struct {
	embeddingtest.Words
	questions int
}

func (c *counted) Query(ctx context.Context, text string) (embedding.Vector, error) {
	c.questions++
	return c.Words.Query(ctx, text)
}

func newModel(name string) *counted {
	return &counted{Words: embeddingtest.Words{Name: name, Size: 256}}
}

// lessons are the snapshot after n commits and what these changed, the newest
// first. No message has a word of the files.
func lessons(t *testing.T, n int) (*store.Snapshot, []git.Changed) {
	t.Helper()
	files, commits := gittest.Lessons(n)
	var all []git.Changed
	for _, c := range commits[1:] {
		entry := git.Changed{ID: "c", Message: c.Message}
		for path := range c.Files {
			entry.Entries = []git.Touched{{Status: 'M', Path: path}}
		}
		all = append([]git.Changed{entry}, all...)
	}
	return sample.WithVectors(t, sample.Repository(t, "lessons", files), newModel("words")), all
}

func TestLearn(t *testing.T) {
	s, commits := lessons(t, 400)
	l, err := learn(t.Context(), s, newModel("words"), commits)
	if err != nil {
		t.Fatal(err)
	}
	if l == nil || l.Adapter == nil {
		t.Fatalf("no adapter is used: %+v", l)
	}
	if f := l.Proof; l.Fitted != 300 || f.Commits != 100 || f.Plain > 0.2 || f.Adapted < 0.9 {
		t.Errorf("learned %+v of %d commits, want 300 fitted, 100 to prove, at most .2 of them found plain and .9 or more adapted", l.Proof, l.Fitted)
	}
	again, err := learn(t.Context(), s, newModel("words"), commits)
	if diff := cmp.Diff(l, again); diff != "" || err != nil {
		t.Errorf("the same commits teach something else (-first +second), error %v:\n%s", err, diff)
	}
}

// What commits do not teach is not used.
func TestLearnOfChance(t *testing.T) {
	s, commits := lessons(t, 400)
	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(commits), func(i, j int) { commits[i].Entries, commits[j].Entries = commits[j].Entries, commits[i].Entries })
	l, err := learn(t.Context(), s, newModel("words"), commits)
	if err != nil || l == nil {
		t.Fatalf("lesson %+v, error %v", l, err)
	}
	if l.Proof.Adapted > 0.6 {
		t.Errorf("%.2f of the files are found by chance", l.Proof.Adapted)
	}
}

// An adapter is used only where those that chose it are found more often.
func TestChoice(t *testing.T) {
	s, commits := lessons(t, 400)
	for i := 100; i < 200; i++ { // the half that chooses says the words of its files
		commits[i].Message = "Let " + commits[i].Entries[0].Path[len("src/"):len("src/wxaa")] + " know what to say now and " + string(rune('a'+i%26)) + "xyz" + string(rune('a'+i/26))
	}
	l, err := learn(t.Context(), s, newModel("words"), commits)
	if err != nil {
		t.Fatal(err)
	}
	if l.Adapter != nil || l.Proof.Adapted < 0.9 {
		t.Errorf("used %v, proof %+v: want an adapter that is not used, and its figure", l.Adapter != nil, l.Proof)
	}
}

func TestTooLittle(t *testing.T) {
	for name, n := range map[string]int{"no commits": 0, "one commit": 1, "few commits": Least - 1} {
		t.Run(name, func(t *testing.T) {
			s, commits := lessons(t, n)
			if l, err := learn(t.Context(), s, newModel("words"), commits); l != nil || err != nil {
				t.Errorf("learned %+v, error %v", l, err)
			}
			if e, err := Examine(t.Context(), s, newModel("words"), commits); e != nil || err != nil {
				t.Errorf("exam %+v, error %v", e, err)
			}
		})
	}
	t.Run("no vectors", func(t *testing.T) {
		s, commits := lessons(t, 400)
		if l, err := learn(t.Context(), s, newModel("another"), commits); l != nil || err != nil {
			t.Errorf("learned %+v, error %v", l, err)
		}
	})
}

func TestCancelled(t *testing.T) {
	s, commits := lessons(t, 400)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if l, err := learn(ctx, s, newModel("words"), commits); l != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("learned %+v, error %v", l, err)
	}
}

func TestExam(t *testing.T) {
	s, commits := lessons(t, 400)
	e, err := Examine(t.Context(), s, newModel("words"), commits)
	if err != nil {
		t.Fatal(err)
	}
	c := newCourse(s, newModel("words"), commits)
	adapted, err := c.compare(t.Context(), e.Adapter, c.proof)
	if err != nil {
		t.Fatal(err)
	}
	control, err := c.recalls(t.Context(), e.Control, c.proof)
	if err != nil {
		t.Fatal(err)
	}
	if mean(adapted.adapted) < 0.9 || mean(control) > 0.6 {
		t.Errorf("%.2f are found adapted, %.2f by the control", mean(adapted.adapted), mean(control))
	}
	if got := e.Questions[0]; len(e.Questions) != 100 || got.Commit != "c" || got.Text != commits[0].Message || got.Files[0] != commits[0].Entries[0].Path {
		t.Errorf("%d questions, the first is %+v", len(e.Questions), got)
	}
}

// TestIsBetter holds that a gain which chance explains is none.
func TestIsBetter(t *testing.T) {
	with := func(n, won, lost int) (r compared) {
		r.plain, r.adapted = make([]float64, n), make([]float64, n)
		for i := range n {
			switch {
			case i < won:
				r.adapted[i] = 1
			case i < won+lost:
				r.plain[i] = 1
			}
		}
		return r
	}
	for _, tt := range []struct {
		name         string
		n, won, lost int
		want         bool
	}{
		{"all", 100, 100, 0, true}, {"none", 100, 0, 0, false}, {"worse", 100, 0, 50, false}, {"as many", 400, 30, 30, false},
		{"one", 400, 1, 0, false}, {"two", 400, 2, 0, false}, {"three", 400, 3, 0, true}, {"few more", 400, 20, 12, false}, {"more", 400, 24, 12, true},
		{"a tenth of a few", 40, 4, 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if r := with(tt.n, tt.won, tt.lost); r.isBetter() != tt.want {
				t.Errorf("%d of %d examples gain, %d lose: used %v, want %v", tt.won, tt.n, tt.lost, !tt.want, tt.want)
			}
		})
	}
}

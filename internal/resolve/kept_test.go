package resolve_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// TestQuestionsLeaveWhatTheyKnow holds that references are the same to a question that
// takes over what others have looked up, in any order, as to one that knows nothing.
func TestQuestionsLeaveWhatTheyKnow(t *testing.T) {
	forEachMarked(t, func(t *testing.T, _ string, m *marks) {
		c := index(t, m.files)
		err := segment.Guard(func() error {
			var symbols []corpus.Ref
			for id := range c.Files() {
				for i := range resolve.New(c).Ask().File(id).NumSymbols() {
					symbols = append(symbols, corpus.Ref{File: id, Index: int32(i)})
				}
			}
			want := map[corpus.Ref]string{}
			for _, r := range symbols {
				want[r] = references(resolve.New(c).Ask(), r)
			}
			shared, random := resolve.New(c), rand.New(rand.NewPCG(16, 1))
			random.Shuffle(len(symbols), func(i, j int) { symbols[i], symbols[j] = symbols[j], symbols[i] })
			for _, r := range symbols {
				q := shared.Ask()
				if got := references(q, r); got != want[r] {
					t.Errorf("%s:%d %s has %s alone, %s after others", c.Path(r.File), q.Symbol(r).Line, q.Symbol(r).Name, want[r], got)
				}
				q.End()
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func references(q *resolve.Question, r corpus.Ref) string {
	return fmt.Sprint(q.References(q.Together(r)), q.Left())
}

// TestInterruptedQuestionsLeaveNothing holds that a question which its time ended is
// not taken over, and one that ended by itself is, without its time.
func TestInterruptedQuestionsLeaveNothing(t *testing.T) {
	c := index(t, map[string]string{"a.go": "package a\n\nfunc f() {}\n\nfunc g() { f(); f() }\n"})
	err := segment.Guard(func() error {
		r := resolve.New(c)
		f := corpus.Ref{}
		whole := r.Ask()
		want := references(whole, f)
		whole.End()
		late := r.Ask()
		if late != whole {
			t.Error("a question that ended is not taken over")
		}
		late.Until(func() bool { return true })
		if got := references(late, f); got == want {
			t.Errorf("a question without time found %s", got)
		}
		late.End()
		next := r.Ask()
		if next == late {
			t.Error("a question that its time ended is taken over")
		}
		if got := references(next, f); got != want {
			t.Errorf("the next question found %s, want %s", got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

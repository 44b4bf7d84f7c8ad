package infer

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// graph is what keys are worked out of: each of the values of others, in order, until one of
// them ends it.
type graph struct {
	needs  [][]int
	memory Memory
	book   Book[int, int]
	guard  *Guard[int] // of each third key, which no book has
	guards bool
	worked int
}

func (g *graph) ask(key int) (value int) {
	if g.guards && key%3 == 0 {
		g.guard.Once(key, Full(), func() { value = g.work(key) })
		return value
	}
	return g.book.Recall(key, Full(), func() int { return g.work(key) })
}

func (g *graph) work(key int) int {
	g.worked++
	value := key + 1
	for _, n := range g.needs[key] {
		v := g.ask(n)
		if value = (value*31 + v) % 1009; v%7 == 3 {
			break
		}
	}
	return value
}

func newGraph(needs [][]int, guards bool) *graph {
	g := &graph{needs: needs, guards: guards}
	g.book, g.guard = NewBook[int](&g.memory, 0), NewGuard[int](&g.memory)
	return g
}

// What is found does not depend on what was asked before, whatever goes in circles.
func TestRememberedAsAsked(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 16))
		needs := make([][]int, 3+r.IntN(25))
		for i := range needs {
			for range r.IntN(4) {
				needs[i] = append(needs[i], r.IntN(len(needs)))
			}
		}
		guards := seed%2 == 0
		all := newGraph(needs, guards)
		for range 3 {
			for _, key := range r.Perm(len(needs)) {
				if got, want := all.ask(key), newGraph(needs, guards).ask(key); got != want {
					t.Fatalf("seed %d: %v: key %d is %d after others, %d alone", seed, needs, key, got, want)
				}
			}
		}
		if len(all.memory.trail) != 0 || slices.ContainsFunc(all.memory.busy, func(w uint64) bool { return w != 0 }) {
			t.Fatalf("seed %d: something holds after the last look-up", seed)
		}
	}
}

// A circle is gone round once for each member that others ask for, not once for each that asks.
func TestCirclesAreRemembered(t *testing.T) {
	const members, asking = 50, 1000
	needs := make([][]int, members+asking)
	for i := range members {
		needs[i] = []int{(i + 1) % members, (i + 7) % members}
	}
	for i := range asking {
		needs[members+i] = []int{i % 3}
	}
	g := newGraph(needs, false)
	for i := range asking {
		g.ask(members + i)
	}
	if most := asking + 3*members; g.worked > most {
		t.Errorf("worked %d times, want at most %d", g.worked, most)
	}
}

// What a look-up finds that its budget ended holds for it only.
func TestForgottenAfterwards(t *testing.T) {
	g, times := newGraph(nil, false), 0
	for range 2 {
		b := Full()
		g.book.Recall(1, b, func() int {
			for range 2 {
				g.book.Recall(2, b, func() int { times++; b.left.ended = true; return 1 })
			}
			return 1
		})
	}
	if times != 2 || g.memory.Size() != 0 {
		t.Errorf("worked out %d times, want 2; remembered %d", times, g.memory.Size())
	}
}

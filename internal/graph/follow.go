package graph

import (
	"slices"

	"espy/internal/facts"
)

// Follow follows a tree breadth first, depth levels of it. step adds what continues a
// branch, what the tree begins with for None, and returns those to be followed next.
// When full says so it stops, and left are the branches of that level that were not
// followed.
func Follow(depth int, full func() bool, step func(at, depth int) (next []int)) (left int) {
	level := []int{facts.None}
	for d := 1; d <= depth && len(level) > 0; d++ {
		var next []int
		for k, at := range level {
			if full() {
				return len(level) - k
			}
			next = append(next, step(at, d)...)
		}
		level = next
	}
	return 0
}

// Walk visits the branches of a tree, each before those that continue it.
func Walk(roots []int, children func(at int) []int, visit func(at int)) {
	stack := reversed(roots)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], reversed(children(at))...)
		visit(at)
	}
}

func reversed(all []int) []int {
	back := slices.Clone(all)
	slices.Reverse(back)
	return back
}

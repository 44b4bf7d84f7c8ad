package modules

import (
	"slices"
	"strings"
)

// Cycle is units that all reach each other.
type Cycle struct {
	Units    []int32 // by name
	Shortest []Link  // a shortest way from one of them back to itself
}

// Cycles finds the units that reach each other by links that count: the largest
// first, then by name. A link of tests never counts, since nothing imports tests.
func (u *Units) Cycles(counts func(*Link) bool) []Cycle {
	use := func(l *Link) bool { return !l.Test && (counts == nil || counts(l)) }
	var all []Cycle
	for _, members := range u.components(use) {
		slices.SortFunc(members, func(a, b int32) int { return strings.Compare(u.Names[a], u.Names[b]) })
		all = append(all, Cycle{members, u.shortest(members, use)})
	}
	slices.SortFunc(all, func(a, b Cycle) int {
		if len(a.Units) != len(b.Units) {
			return len(b.Units) - len(a.Units)
		}
		return strings.Compare(u.Names[a.Units[0]], u.Names[b.Units[0]])
	})
	return all
}

// visit is a unit whose links are being followed.
type visit struct {
	unit int32
	next int32 // link
}

// components finds the strongly connected components of more than one unit
// (Tarjan: Depth-first search and linear graph algorithms, 1972), without
// recursion.
func (u *Units) components(use func(*Link) bool) (all [][]int32) {
	n := len(u.Names)
	index, low, on := make([]int32, n), make([]int32, n), make([]bool, n)
	var stack []int32
	var path []visit
	count := int32(0)
	enter := func(v int32) {
		count++
		index[v], low[v], on[v] = count, count, true
		stack = append(stack, v)
		path = append(path, visit{v, u.first[v]})
	}
	for root := range int32(n) {
		if index[root] != 0 {
			continue
		}
		enter(root)
		for len(path) > 0 {
			at := &path[len(path)-1]
			v := at.unit
			if at.next < u.first[v+1] {
				l := &u.Links[at.next]
				at.next++
				switch {
				case !use(l):
				case index[l.To] == 0:
					enter(l.To)
				case on[l.To]:
					low[v] = min(low[v], index[l.To])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1].unit
				low[up] = min(low[up], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			from := slices.Index(stack, v)
			for _, w := range stack[from:] {
				on[w] = false
			}
			if len(stack)-from > 1 {
				all = append(all, slices.Clone(stack[from:]))
			}
			stack = stack[:from]
		}
	}
	return all
}

// maxStarts bounds the units of a large cycle from which a way back is looked for.
const maxStarts = 64

// shortest finds a shortest way from one of some units back to itself: the first
// by name of those that were looked at.
func (u *Units) shortest(members []int32, use func(*Link) bool) (best []Link) {
	inside := map[int32]bool{}
	for _, m := range members {
		inside[m] = true
	}
	for _, start := range members[:min(len(members), maxStarts)] {
		if way := u.back(start, inside, use); best == nil || len(way) < len(best) {
			best = way
		}
		if len(best) == 2 {
			break
		}
	}
	return best
}

// back finds a shortest way from a unit of a cycle back to it.
func (u *Units) back(start int32, inside map[int32]bool, use func(*Link) bool) (way []Link) {
	by := map[int32]int32{} // the link that reached a unit first
	todo := []int32{start}
	for len(todo) > 0 {
		v := todo[0]
		todo = todo[1:]
		for i := u.first[v]; i < u.first[v+1]; i++ {
			l := &u.Links[i]
			if !inside[l.To] || !use(l) {
				continue
			}
			if l.To == start {
				way = append(way, *l)
				for at := v; at != start; at = way[len(way)-1].From {
					way = append(way, u.Links[by[at]])
				}
				slices.Reverse(way)
				return way
			}
			if _, seen := by[l.To]; !seen {
				by[l.To] = i
				todo = append(todo, l.To)
			}
		}
	}
	return nil
}

// Package fusion makes one order of several, by reciprocal rank fusion: what several
// engines rank high comes before what one of them does (Cormack, Clarke, Büttcher:
// "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
// Methods", 2009). The scores of the engines themselves do not count.
package fusion

import (
	"cmp"
	"slices"
)

// k is the constant of the method: how little the first ranks differ.
const k = 60

// List is what one engine found, the best first, without repeats.
type List[T comparable] struct {
	Items  []T
	Weight float64 // of a rank; the weights of all lists together are usually 1
}

// Scored is an item with its score: above 0, at most the weights of all lists
// together divided by 61.
type Scored[T comparable] struct {
	Item  T
	Score float64
}

// Fuse returns what stands in any of the lists, the highest score first: the sum of
// weight/(60+rank), ranks counting from 1. Items of one score are in the order of
// compare. The same lists give the same order.
func Fuse[T comparable](compare func(a, b T) int, lists ...List[T]) []Scored[T] {
	at := map[T]int{}
	var all []Scored[T]
	for _, l := range lists {
		for i, item := range l.Items {
			n, known := at[item]
			if !known {
				n, at[item] = len(all), len(all)
				all = append(all, Scored[T]{Item: item})
			}
			all[n].Score += l.Weight / float64(k+i+1)
		}
	}
	slices.SortFunc(all, func(a, b Scored[T]) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), compare(a.Item, b.Item))
	})
	return all
}

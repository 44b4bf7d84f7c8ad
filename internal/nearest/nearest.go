// Package nearest finds the valid words that a misspelt one may have meant.
package nearest

import (
	"cmp"
	"slices"
	"strings"
)

// Of returns up to n of the candidates that a reader who wrote word may have
// meant, the likeliest first. A candidate counts where the word begins it, or
// where its edit distance to the word is at most a third of the word's length
// (at least 1); letter case does not matter. Order is by distance, then those
// that the word begins, then bytes.
func Of(word string, candidates []string, n int) []string {
	type candidate struct {
		name     string
		distance int
		other    int // 1 where the word does not begin the name
	}
	low := strings.ToLower(word)
	limit := max(1, len(word)/3)
	typos := NewTypos(low, limit)
	var near []candidate
	for _, c := range candidates {
		name := strings.ToLower(c)
		if word != "" && strings.HasPrefix(name, low) {
			near = append(near, candidate{c, len(name) - len(low), 0})
		} else if d := typos.Distance([]byte(name)); d <= limit {
			near = append(near, candidate{c, d, 1})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.other, b.other), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, c := range near[:min(n, len(near))] {
		names = append(names, c.name)
	}
	return slices.Compact(names)
}

// Distance returns the number of edits that Typos counts, without a limit.
func Distance(a, b string) int {
	return NewTypos(a, max(len(a), len(b))).Distance([]byte(b))
}

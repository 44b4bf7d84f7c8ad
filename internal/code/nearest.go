package code

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest returns up to n of the candidates that a reader who wrote word may
// have meant, the likeliest first: those whose edit distance to it, letter
// case aside, is at most a third of its length (at least 1), or that it
// begins. Of equal distances those that it begins come first, then ties go in the
// order of the candidates' bytes.
func Nearest(word string, candidates []string, n int) []string {
	type candidate struct {
		name     string
		distance int
		other    int // 1 where the word is not how the name begins
	}
	low := strings.ToLower(word)
	var near []candidate
	for _, c := range candidates {
		d, other := EditDistance(low, strings.ToLower(c)), 1
		if word != "" && strings.HasPrefix(strings.ToLower(c), low) {
			other = 0
		}
		if d <= max(1, len(word)/3) || other == 0 {
			near = append(near, candidate{c, d, other})
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

// EditDistance is the optimal string alignment distance of two strings in
// bytes: the fewest insertions, deletions, replacements and exchanges of
// neighbours that turn one into the other, no place being edited twice.
func EditDistance(a, b string) int {
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

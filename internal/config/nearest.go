package config

import "fmt"

// nearestHint names the known word nearest to a misspelt one.
func nearestHint(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "the settings are listed by espy config"
}

func didYouMean(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

// Nearest returns the known word that differs from word by the fewest edits,
// the first of several, or "" when none is near enough to be meant.
func Nearest(word string, known []string) string {
	best, bestDistance := "", 1+max(1, len(word)/3)
	for _, k := range known {
		if d := distance(word, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// distance is the optimal string alignment distance of a and b in bytes: the
// insertions, deletions, substitutions and swaps of neighbours between them.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
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
		before, last, row = last, row, before
	}
	return last[len(b)]
}

package rank

import "math/bits"

// Distance returns the number of edits (a byte inserted, taken out or replaced,
// or two side by side swapped) that lead from a to b, or limit+1 where there are
// more than limit. It is the optimal string alignment distance: Boytsov,
// "Indexing Methods for Approximate Dictionary Searching" (2011), section 2.2.
func Distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	if differ(a, b) > 2*limit {
		return limit + 1
	}
	var few [3 * 65]int
	rows := few[:]
	if len(b) > 64 {
		rows = make([]int, 3*(len(b)+1))
	}
	n := len(b) + 1
	before, last, row := rows[:n], rows[n:2*n], rows[2*n:3*n]
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
	}
	return min(row[len(b)], limit+1)
}

// differ returns how many letters, modulo 32, occur in one of two texts only.
// One edit changes it by two at most.
func differ(a, b string) int {
	var x, y uint32
	for i := range len(a) {
		x |= 1 << (a[i] % 32)
	}
	for i := range len(b) {
		y |= 1 << (b[i] % 32)
	}
	return bits.OnesCount32(x ^ y)
}

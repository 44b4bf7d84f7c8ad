package rank

import (
	"math/bits"
	"slices"
)

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

// Typos measures how far names are from one word. Names that begin like the one
// before share its work. It serves one goroutine.
type Typos struct {
	word  string
	limit int
	rows  []int  // of len(word)+1 distances for each beginning of name, the empty one first; what lies over the limit may be left out
	name  []byte // the beginning with rows
	far   bool   // no name that begins with name is within the limit
}

// NewTypos returns the measure of a word for distances up to a limit.
func NewTypos(word string, limit int) *Typos {
	t := &Typos{word: word, limit: limit, rows: make([]int, 0, (len(word)+1)*(len(word)+limit+2))}
	for j := range len(word) + 1 {
		t.rows = append(t.rows, j)
	}
	return t
}

// Distance returns what Distance(word, name, limit) does.
func (t *Typos) Distance(name []byte) int {
	if len(name)-len(t.word) > t.limit || len(t.word)-len(name) > t.limit || t.Hopeless(name) > 0 {
		return t.limit + 1
	}
	return min(t.rows[len(t.rows)-1], t.limit+1)
}

// Hopeless returns how many first bytes of a name make every name that begins
// with them farther than the limit, 0 where none do.
func (t *Typos) Hopeless(name []byte) int {
	shared := 0
	for shared < len(t.name) && shared < len(name) && t.name[shared] == name[shared] {
		shared++
	}
	if t.far && shared == len(t.name) {
		return shared
	}
	t.far = false
	t.name = t.name[:shared]
	t.rows = t.rows[:(shared+1)*(len(t.word)+1)]
	for len(t.name) < len(name) && !t.far {
		t.extend(name[len(t.name)])
	}
	if !t.far {
		return 0
	}
	return len(t.name)
}

// extend adds a letter to the name and its row, as in Distance. Of a row it
// computes the distances that can be within the limit: Ukkonen, "Algorithms for
// Approximate String Matching" (1985).
func (t *Typos) extend(c byte) {
	n, over := len(t.word)+1, t.limit+1
	t.name = append(t.name, c)
	i := len(t.name)
	t.rows = slices.Grow(t.rows, n)[:(i+1)*n]
	last, row := t.rows[(i-1)*n:i*n], t.rows[i*n:]
	from, to := max(1, i-t.limit), min(n-1, i+t.limit)
	row[from-1] = min(i, over)
	if to+1 < n {
		row[to+1] = over
	}
	least := row[from-1]
	for j := from; j <= to; j++ {
		cost := 1
		if t.word[j-1] == c {
			cost = 0
		}
		d := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
		if i > 1 && j > 1 && t.word[j-2] == c && t.word[j-1] == t.name[i-2] {
			d = min(d, t.rows[(i-2)*n+j-2]+1)
		}
		row[j] = d
		least = min(least, d)
	}
	t.far = least > t.limit
}

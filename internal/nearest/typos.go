package nearest

// Typos measures the edit distance of names to one word. It serves one goroutine.
type Typos struct {
	word  string
	limit int
	rows  [3][]int // of len(word)+1 distances; what lies over the limit may be left out
}

// NewTypos returns the measure of a word for distances up to a limit.
func NewTypos(word string, limit int) *Typos {
	t := &Typos{word: word, limit: limit}
	for i := range t.rows {
		t.rows[i] = make([]int, len(word)+1)
	}
	return t
}

// Distance returns the number of edits (a byte inserted, deleted or replaced, or
// two neighbours swapped) that lead from the word to a name, or limit+1 where
// there are more than limit. It is the optimal string alignment distance:
// Boytsov, "Indexing Methods for Approximate Dictionary Searching" (2011),
// section 2.2. Only the band of each row that can be within the limit is
// computed: Ukkonen, "Algorithms for Approximate String Matching" (1985).
func (t *Typos) Distance(name []byte) int {
	n, over := len(t.word), t.limit+1
	if len(name)-n > t.limit || n-len(name) > t.limit {
		return over
	}
	before, last, row := t.rows[0], t.rows[1], t.rows[2]
	for j := range min(n, t.limit) + 1 {
		row[j] = j
	}
	for i := 1; i <= len(name); i++ {
		before, last, row = last, row, before
		if t.extend(before, last, row, name, i) > t.limit {
			return over
		}
	}
	return min(row[n], over)
}

// extend computes the row of the first i bytes of a name from those of one and
// two bytes less, and returns its least distance.
func (t *Typos) extend(before, last, row []int, name []byte, i int) (least int) {
	over := t.limit + 1
	from, to := max(1, i-t.limit), min(len(t.word), i+t.limit)
	row[from-1] = min(i, over)
	if i+t.limit <= len(t.word) {
		last[i+t.limit] = over // the row before ends here
	}
	least = row[from-1]
	c := name[i-1]
	for j := from; j <= to; j++ {
		d := last[j-1]
		if t.word[j-1] != c {
			d = min(d, last[j], row[j-1]) + 1
			if i > 1 && j > 1 && t.word[j-2] == c && t.word[j-1] == name[i-2] {
				d = min(d, before[j-2]+1)
			}
		}
		row[j] = d
		least = min(least, d)
	}
	return least
}

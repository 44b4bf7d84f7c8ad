package diff

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// Hunk is a run of lines that one version has in the place of a run of the
// other. Lines are from 1; a run without lines stands before its line.
type Hunk struct {
	Old, OldLines int
	New, NewLines int
}

// maxEdits bounds the lines that are added and removed together in what is
// compared line by line; texts that differ more are one hunk between what is
// alike at both ends.
const maxEdits = 1000

// Lines returns what differs between two texts, by line, with as few lines as
// can be (E. Myers, "An O(ND) difference algorithm and its variations",
// Algorithmica 1, 1986). Ends of lines do not matter.
func Lines(old, new []byte) []Hunk {
	a, b := hashes(old), hashes(new)
	skip := 0
	for skip < len(a) && skip < len(b) && a[skip] == b[skip] {
		skip++
	}
	a, b = a[skip:], b[skip:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	trace := edits(a, b)
	if trace == nil {
		return []Hunk{{skip + 1, len(a), skip + 1, len(b)}}
	}
	return hunks(trace, len(a), len(b), skip)
}

// Count returns how many lines hunks add and remove.
func Count(hunks []Hunk) (added, removed int) {
	for _, h := range hunks {
		added += h.NewLines
		removed += h.OldLines
	}
	return added, removed
}

func hashes(text []byte) []uint64 {
	var out []uint64
	for line := range bytes.Lines(text) {
		out = append(out, xxh3.Hash(bytes.TrimRight(line, "\r\n")))
	}
	return out
}

// edits returns for each number of edits how far every diagonal was reached,
// the diagonals of d edits being -d to d; nil where there are too many.
func edits(a, b []uint64) [][]int32 {
	var trace [][]int32
	v := make([]int32, 2*maxEdits+3)
	const mid = maxEdits + 1
	for d := 0; d <= maxEdits; d++ {
		for k := -d; k <= d; k += 2 {
			x := v[mid+k-1] + 1
			if k == -d || k != d && v[mid+k-1] < v[mid+k+1] {
				x = v[mid+k+1]
			}
			y := x - int32(k)
			for int(x) < len(a) && int(y) < len(b) && a[x] == b[y] {
				x++
				y++
			}
			v[mid+k] = x
			if int(x) >= len(a) && int(y) >= len(b) {
				return append(trace, append([]int32(nil), v[mid-d:mid+d+1]...))
			}
		}
		trace = append(trace, append([]int32(nil), v[mid-d:mid+d+1]...))
	}
	return nil
}

// hunks goes back through the edits from the ends of both texts.
func hunks(trace [][]int32, x, y, skip int) []Hunk {
	var back []Hunk
	for d := len(trace) - 1; d > 0; d-- {
		before := trace[d-1]
		reach := func(k int) int {
			if k < -(d-1) || k > d-1 {
				return -1
			}
			return int(before[k+d-1])
		}
		k := x - y
		down := k == -d || k != d && reach(k-1) < reach(k+1)
		h := Hunk{}
		if down { // a line of the newer one
			px := reach(k + 1)
			x, y = px, px-k-1
			h = Hunk{x + skip + 1, 0, y + skip + 1, 1}
		} else {
			px := reach(k - 1)
			x, y = px, px-k+1
			h = Hunk{x + skip + 1, 1, y + skip + 1, 0}
		}
		if n := len(back); n > 0 && back[n-1].Old == h.Old+h.OldLines && back[n-1].New == h.New+h.NewLines {
			last := &back[n-1]
			last.Old, last.New = h.Old, h.New
			last.OldLines += h.OldLines
			last.NewLines += h.NewLines
			continue
		}
		back = append(back, h)
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

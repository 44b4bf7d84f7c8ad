package diff

import (
	"bytes"
	"slices"
	"sort"

	"github.com/zeebo/xxh3"
)

// Hunk is a run of lines that one version has in the place of a run of the
// other. Lines are from 1; a run without lines is in front of its line.
type Hunk struct {
	Old, OldLines int
	New, NewLines int
}

// maxEdits bounds the lines that are added and removed together in what is
// compared line by line. Texts that differ more are first cut at the lines that
// each has once, in the same order; what differs more between two of those is
// one hunk.
const maxEdits = 1000

// Lines returns what differs between two texts, by line, with as few lines as
// can be (E. Myers, "An O(ND) difference algorithm and its variations",
// Algorithmica 1, 1986). Ends of lines do not matter.
func Lines(old, new []byte) []Hunk {
	return between(hashes(old), hashes(new), 0, 0, true)
}

// between compares two runs of lines that begin after so many lines of their texts.
func between(a, b []uint64, skipA, skipB int, cut bool) []Hunk {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, skipA, skipB = a[1:], b[1:], skipA+1, skipB+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	if trace := edits(a, b); trace != nil {
		return hunks(trace, len(a), len(b), skipA, skipB)
	}
	var found []Hunk
	fromA, fromB := 0, 0
	if cut {
		for _, at := range anchors(a, b) {
			found = append(found, between(a[fromA:at[0]], b[fromB:at[1]], skipA+fromA, skipB+fromB, false)...)
			fromA, fromB = at[0]+1, at[1]+1
		}
	}
	if fromA+fromB == 0 {
		return []Hunk{{skipA + 1, len(a), skipB + 1, len(b)}}
	}
	return append(found, between(a[fromA:], b[fromB:], skipA+fromA, skipB+fromB, false)...)
}

// anchors returns the most lines that both have once and in the same order (the
// "patience" way, after the sorting of that name).
func anchors(a, b []uint64) [][2]int {
	once := func(lines []uint64) map[uint64]int {
		at := make(map[uint64]int, len(lines))
		for i, h := range lines {
			if _, seen := at[h]; seen {
				i = -1
			}
			at[h] = i
		}
		return at
	}
	inA, inB := once(a), once(b)
	var piles [][2]int // the last of each pile: its line in a and in b
	var before []int   // of each kept pair the one below it, -1 for none
	var kept [][2]int
	var top []int // of each pile its last pair
	for i, h := range a {
		j, ok := inB[h]
		if !ok || j < 0 || inA[h] < 0 {
			continue
		}
		p := sort.Search(len(piles), func(p int) bool { return piles[p][1] > j })
		below := -1
		if p > 0 {
			below = top[p-1]
		}
		kept, before = append(kept, [2]int{i, j}), append(before, below)
		if p == len(piles) {
			piles, top = append(piles, [2]int{}), append(top, 0)
		}
		piles[p], top[p] = [2]int{i, j}, len(kept)-1
	}
	var chain [][2]int
	if len(top) > 0 {
		for k := top[len(top)-1]; k >= 0; k = before[k] {
			chain = append(chain, kept[k])
		}
	}
	slices.Reverse(chain)
	return chain
}

// Text returns the lines of runs, of the older text before the newer, without their
// ends.
func Text(hunks []Hunk, old, new []byte) (all [][]byte) {
	a, b := slices.Collect(bytes.Lines(old)), slices.Collect(bytes.Lines(new))
	for _, h := range hunks {
		all = append(all, a[h.Old-1:h.Old-1+h.OldLines]...)
		all = append(all, b[h.New-1:h.New-1+h.NewLines]...)
	}
	for i := range all {
		all[i] = bytes.TrimRight(all[i], "\r\n")
	}
	return all
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
func hunks(trace [][]int32, x, y, skipA, skipB int) []Hunk {
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
			h = Hunk{x + skipA + 1, 0, y + skipB + 1, 1}
		} else {
			px := reach(k - 1)
			x, y = px, px-k+1
			h = Hunk{x + skipA + 1, 1, y + skipB + 1, 0}
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
	slices.Reverse(back)
	return back
}

package corpus

import (
	"fmt"
	"slices"
	"testing"
)

func TestMergeRuns(t *testing.T) {
	for _, sizes := range [][]int{{}, {0}, {3}, {0, 0}, {2, 5}, {4, 0, 1}, {1, 2, 3, 4, 5}, {7, 0, 9, 30, 2, 2, 11, 1}} {
		var files []fileInfo
		var ends []int
		for run, n := range sizes {
			for i := range n {
				files = append(files, fileInfo{path: fmt.Sprintf("%04d", i*31%7+i*len(sizes)+run), part: int32(run)})
			}
			slices.SortFunc(files[len(files)-n:], byPath)
			ends = append(ends, len(files))
		}
		want := slices.Clone(files)
		slices.SortStableFunc(want, byPath)
		if got := mergeRuns(files, ends); !slices.Equal(got, want) {
			t.Errorf("runs of %v: %v, want %v", sizes, got, want)
		}
	}
}

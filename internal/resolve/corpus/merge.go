package corpus

import "strings"

func byPath(a, b fileInfo) int { return strings.Compare(a.path, b.path) }

// mergeRuns merges sorted runs, given by their ends, into one.
func mergeRuns(files []fileInfo, ends []int) []fileInfo {
	other := make([]fileInfo, len(files))
	for len(ends) > 1 {
		var merged []int
		from := 0
		for i := 0; i < len(ends); i += 2 {
			middle, to := ends[i], ends[min(i+1, len(ends)-1)]
			merge(other[from:to], files[from:middle], files[middle:to])
			merged = append(merged, to)
			from = to
		}
		files, other, ends = other, files, merged
	}
	return files
}

// merge fills to with two sorted runs.
func merge(to, a, b []fileInfo) {
	for i := range to {
		if len(b) == 0 || len(a) > 0 && byPath(a[0], b[0]) <= 0 {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
}

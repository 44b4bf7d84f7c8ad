package nearest

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// pathTypos is how many letters a path may differ by in whole, a short one by less.
const pathTypos = 2

// leastLike is how many letters a name has at least that others may be like.
const leastLike = 3

// Paths returns up to n of some paths that a reader may have meant who wrote one
// that is not there, the likeliest first: those that differ from it by a few
// letters, then those with its last name, else those with a name like it. Of
// folders, which end in a slash, it is the one that the missing path is in where
// nothing else is near.
func Paths(missing string, paths []string, n int) []string {
	if missing = strings.TrimSuffix(missing, "/"); missing == "" {
		return nil
	}
	base := path.Base(missing)
	most := min(pathTypos, len(missing)/3)
	typos := NewTypos(missing, most)
	type candidate struct {
		path  string
		other int // 0 for a few letters, 1 for the name
	}
	var near []candidate
	var names []string
	for _, p := range paths {
		bare := strings.TrimSuffix(p, "/")
		if typos.Distance([]byte(bare)) <= most {
			near = append(near, candidate{p, 0})
		} else if path.Base(bare) == base {
			near = append(near, candidate{p, 1})
		}
		names = append(names, path.Base(bare))
	}
	if len(near) == 0 && len(base) >= leastLike {
		slices.Sort(names)
		like := Of(base, slices.Compact(names), n)
		for _, p := range paths {
			if i := slices.Index(like, path.Base(strings.TrimSuffix(p, "/"))); i >= 0 {
				near = append(near, candidate{p, i})
			}
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.other, b.other), cmp.Compare(Distance(a.path, missing), Distance(b.path, missing)), cmp.Compare(a.path, b.path))
	})
	var found []string
	for _, c := range near[:min(n, len(near))] {
		found = append(found, c.path)
	}
	if len(found) > 0 {
		return found
	}
	for dir := path.Dir(missing); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if slices.Contains(paths, dir+"/") {
			return []string{dir + "/"}
		}
	}
	return nil
}

// WithFolders returns some files and the folders that they are in, which end in a
// slash.
func WithFolders(files []string) []string {
	all := slices.Clone(files)
	known := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(f); dir != "." && dir != "/" && !known[dir]; dir = path.Dir(dir) {
			known[dir] = true
			all = append(all, dir+"/")
		}
	}
	return all
}

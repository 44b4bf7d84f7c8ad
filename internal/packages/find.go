package packages

import (
	"cmp"
	"slices"
)

// Find lists the packages of a repository.
func Find(in Repository, places Places) *List {
	f := &finder{in: in, places: places, disk: &disk{root: in.Root, notes: map[string]string{}}, seen: map[string]int{}}
	for _, left := range in.Left {
		f.note("%s", left)
	}
	for _, find := range []func(){f.golang, f.npm, f.python, f.cargo, f.ruby, f.composer, f.maven} {
		find()
	}
	slices.SortStableFunc(f.Packages, func(a, b Package) int {
		return cmp.Or(cmp.Compare(slices.Index(ecosystems, a.Ecosystem), slices.Index(ecosystems, b.Ecosystem)),
			order(a.Direct, b.Direct), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	return &f.List
}

// order puts what is so before what is not.
func order(a, b bool) int {
	switch {
	case a && !b:
		return -1
	case b && !a:
		return 1
	}
	return 0
}

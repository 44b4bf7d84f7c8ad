package kin

import "espy/internal/resolve/corpus"

// Common says which of several members all of them mean: each of the others declares the
// same thing, as together says, or overrides a declaration of it. It asks once about each
// member, and takes time in proportion to what it is told.
func Common(members []corpus.Ref, together, overridden func(corpus.Ref) []corpus.Ref) []bool {
	means := map[corpus.Ref][]int{} // the members that are a declaration, or override it
	for i, m := range members {
		means[m] = append(means[m], i)
		for _, o := range overridden(m) {
			if at := means[o]; len(at) == 0 || at[len(at)-1] != i {
				means[o] = append(at, i)
			}
		}
	}
	counts := map[*corpus.Ref]int{} // by the first of declarations that are handed out together
	all := make([]bool, len(members))
	for i, m := range members {
		group := together(m)
		if len(group) == 0 {
			continue
		}
		n, known := counts[&group[0]]
		if !known {
			seen := map[int]bool{}
			for _, d := range group {
				for _, j := range means[d] {
					seen[j] = true
				}
			}
			n = len(seen)
			counts[&group[0]] = n
		}
		all[i] = n == len(members)
	}
	return all
}

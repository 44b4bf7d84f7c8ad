package files

import (
	"context"
	"path"
	"slices"

	"espy/internal/nearest"
	"espy/internal/place"
	"espy/internal/store"
	"espy/internal/workspace"
)

// maxSimilar is how many files a missing one is told apart from.
const maxSimilar = 3

// Similar lists up to three indexed files with the base name of a missing file, or
// a similar one, as place.Name writes them.
func Similar(ctx context.Context, r *workspace.Repo, wait workspace.Wait, missing string) []string {
	byName := map[string][]string{}
	err := r.Look(ctx, wait, func(s *store.Snapshot) error {
		s.Each(func(seg, file int) bool {
			p := s.Segments[seg].Reader.File(file).Path
			byName[path.Base(p)] = append(byName[path.Base(p)], p)
			return true
		})
		return nil
	})
	if err != nil {
		return nil
	}
	bases := []string{path.Base(missing)}
	if len(byName[bases[0]]) == 0 {
		names := make([]string, 0, len(byName))
		for name := range byName {
			names = append(names, name)
		}
		slices.Sort(names)
		bases = nearest.Of(bases[0], names, maxSimilar)
	}
	var similar []string
	for _, b := range bases {
		found := byName[b]
		slices.SortStableFunc(found, func(x, y string) int { return nearest.Distance(x, missing) - nearest.Distance(y, missing) })
		similar = append(similar, found...)
	}
	similar = similar[:min(maxSimilar, len(similar))]
	for i := range similar {
		similar[i] = place.Name(similar[i])
	}
	return similar
}

// near returns the files like a path in the first repository that has some.
func near(ctx context.Context, repos []*workspace.Repo, wait workspace.Wait, missing string) []string {
	for _, r := range repos {
		if found := Similar(ctx, r, wait, path.Clean(missing)); len(found) > 0 {
			return found
		}
	}
	return nil
}

package files

import (
	"context"
	"path"

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
	return named(nearest.Paths(missing, paths(ctx, r, wait), maxSimilar))
}

// near returns the files and folders like a path in the first repository that has
// some.
func near(ctx context.Context, repos []*workspace.Repo, wait workspace.Wait, missing string) []string {
	for _, r := range repos {
		if found := nearest.Paths(path.Clean(missing), nearest.WithFolders(paths(ctx, r, wait)), maxSimilar); len(found) > 0 {
			return named(found)
		}
	}
	return nil
}

// paths are the indexed files, none where the index cannot be read.
func paths(ctx context.Context, r *workspace.Repo, wait workspace.Wait) (all []string) {
	err := r.Look(ctx, wait, func(s *store.Snapshot) error {
		all = all[:0]
		s.Each(func(seg, file int) bool {
			all = append(all, s.Segments[seg].Reader.File(file).Path)
			return true
		})
		return nil
	})
	if err != nil {
		return nil
	}
	return all
}

func named(paths []string) []string {
	for i := range paths {
		paths[i] = place.Name(paths[i])
	}
	return paths
}

package files

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"espy/internal/nearest"
	"espy/internal/pattern"
	"espy/internal/place"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// maxSimilar is how many files a missing one is told apart from.
const maxSimilar = 3

// Calls are how a front lists files, those that the index leaves out, and shows the code of a
// symbol, whose name stands for %s.
type Calls struct{ List, Excluded, Symbol string }

// symbolForm matches what may be the name of a symbol and is hardly that of a file.
var symbolForm = pattern.New(`^[A-Za-z_]\w*(?:::\w+)*$`)

// Missing refuses a path that no file of a repository has: it names those like it,
// else the calls that list what there is.
func Missing(ctx context.Context, r *workspace.Repo, missing string, c Calls) error {
	var all []string
	left := 0
	err := r.Look(ctx, workspace.Wait{First: time.Second, Fresh: time.Second}, func(s *store.Snapshot) error {
		all, left = live(s), len(s.Excluded())
		return nil
	})
	hint := c.List + " lists what there is"
	if near := named(nearest.Paths(missing, all, maxSimilar)); err == nil && len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	} else if err == nil && left > 0 {
		hint += ", " + c.Excluded + " what the index leaves out and why"
	}
	if name := path.Base(missing); symbolForm().MatchString(name) {
		hint += "; of a symbol " + fmt.Sprintf(c.Symbol, name) + " shows the code"
	}
	return &usage.Error{Msg: fmt.Sprintf("no file %s in repo %s", place.Name(missing), place.Name(r.Name())), Hint: hint}
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
		all = live(s)
		return nil
	})
	if err != nil {
		return nil
	}
	return all
}

// live are the paths of the live files of a snapshot.
func live(s *store.Snapshot) (all []string) {
	s.Each(func(seg, file int) bool {
		all = append(all, s.Segments[seg].Reader.File(file).Path)
		return true
	})
	return all
}

func named(paths []string) []string {
	for i := range paths {
		paths[i] = place.Name(paths[i])
	}
	return paths
}

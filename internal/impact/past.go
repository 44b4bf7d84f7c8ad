package impact

import (
	"context"

	"espy/internal/git"
)

// past is what the commits before say: which files change together.
type past struct {
	commits [][]string // the paths that each changed, the newest first
}

// Bounds of the commits that are looked at.
const (
	maxCommits = 3000
	maxChanged = 40 // paths of a commit: one that changes more says little
)

// readPast starts to read the commits, and returns what waits for them.
func (f *finder) readPast(ctx context.Context) func() *past {
	done := make(chan *past, 1)
	go func() {
		p := &past{}
		defer func() { done <- p }()
		history, at, err := f.repo.History(ctx)
		if err != nil {
			return // a folder without a history
		}
		p.commits, _ = history.Together(ctx, at.Commit, git.LogOptions{Limit: maxCommits})
	}()
	var p *past
	return func() *past {
		if p == nil {
			p = <-done
		}
		return p
	}
}

// pair is how often two files were changed by one commit.
type pair struct {
	together int
	of       int // commits that changed the first of them
}

// with counts how often files were changed with each of some others.
func (p *past) with(changed []string, wanted func(path string) bool) map[string]map[string]pair {
	is := map[string]bool{}
	for _, c := range changed {
		is[c] = true
	}
	times := map[string]int{}
	all := map[string]map[string]pair{} // by the other file, then by the changed one
	for _, paths := range p.commits {
		if len(paths) > maxChanged {
			continue
		}
		for _, c := range paths {
			if !is[c] {
				continue
			}
			times[c]++
			for _, o := range paths {
				if o == c || !wanted(o) {
					continue
				}
				if all[o] == nil {
					all[o] = map[string]pair{}
				}
				n := all[o][c]
				n.together++
				all[o][c] = n
			}
		}
	}
	for _, by := range all {
		for c, n := range by {
			n.of = times[c]
			by[c] = n
		}
	}
	return all
}

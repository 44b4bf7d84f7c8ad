package impact

import (
	"context"
	"slices"
	"sync"

	"espy/internal/git"
	"espy/internal/workspace"
)

// past is what the commits before say: which files change together.
type past struct {
	commits [][]string // the paths that each changed, the newest first, without those of many
	late    bool       // they were not read in time
}

// Bounds of the commits that are looked at.
const (
	maxCommits = 1000
	maxChanged = 40 // paths of a commit: one that changes more says little
)

// reading reads the commits while the index is asked.
type reading struct {
	cancel context.CancelFunc
	done   chan struct{}
	past   past // once done is closed
}

// readPast starts to read the commits. Close ends it.
func readPast(ctx context.Context, repo *workspace.Repo) *reading {
	ctx, cancel := context.WithCancel(ctx)
	r := &reading{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		history, at, err := repo.History(ctx)
		if err != nil {
			return // a folder without a history
		}
		r.past.commits, err = recent.before(at, func() ([][]string, error) {
			return history.Together(ctx, at.Commit, git.LogOptions{Limit: maxCommits})
		})
		r.past.late = err != nil && ctx.Err() != nil
	}()
	return r
}

// recent are the commits that were read last: what is before a commit never changes.
var recent pasts

// pasts are commits that were read, by the one that they are before.
type pasts struct {
	mu  sync.Mutex
	all map[string][][]string // guarded by mu
}

// maxPasts bounds the repositories whose commits are kept, of each some 300 kB.
const maxPasts = 8

// before returns the commits before what is checked out, that tell something, which
// read reads where they are not kept. Those of a repository that has only the newest
// commits may become more.
func (p *pasts) before(at workspace.Checkout, read func() ([][]string, error)) ([][]string, error) {
	p.mu.Lock()
	kept, ok := p.all[at.Commit]
	p.mu.Unlock()
	if ok {
		return kept, nil
	}
	all, err := read()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(paths []string) bool { return len(paths) > maxChanged })
	if at.Shallow || at.Commit == "" {
		return all, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil || len(p.all) >= maxPasts {
		p.all = map[string][][]string{}
	}
	p.all[at.Commit] = all
	return all, nil
}

// wait returns what was read until ctx ends; nothing where nothing is read.
func (r *reading) wait(ctx context.Context) *past {
	if r == nil {
		return &past{}
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		r.close()
	}
	return &r.past
}

func (r *reading) close() {
	r.cancel()
	<-r.done
}

// pair is how often two files were changed by one commit.
type pair struct {
	together int
	of       int     // commits that changed the first of them
	weight   float64 // of those that changed both: 1 of a small one, less of one that changed much else
}

// small is how many paths a commit changes that has one purpose.
const small = 6

// with counts how often files were changed with each of some others.
func (p *past) with(changed []string, wanted func(path string) bool) map[string]map[string]pair {
	is := map[string]bool{}
	for _, c := range changed {
		is[c] = true
	}
	times := map[string]int{}
	all := map[string]map[string]pair{} // by the other file, then by the changed one
	for _, paths := range p.commits {
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
				n.weight += min(1, float64(small)/float64(len(paths)))
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

package workspace

import (
	"errors"
	"math"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"espy/internal/git"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/view"
)

// commits are the repositories at a ref that a process was asked about.
type commits struct {
	lru *simplelru.LRU[commitOf, *Repo] // guarded by Workspace.mu
}

// commitOf names a commit of a repository.
type commitOf struct {
	repo *Repo
	at   view.Commit
}

// maxCommits is how many commits a process keeps open between questions, beside
// those that are being indexed.
const maxCommits = 16

func newCommits() commits {
	lru, _ := simplelru.NewLRU[commitOf, *Repo](math.MaxInt, nil) // trim bounds it
	return commits{lru}
}

// openCommit returns the Repo of a commit, the same one for the same name.
func (w *Workspace) openCommit(of *Repo, at view.Commit) *Repo {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := commitOf{of, at}
	if r, ok := w.commits.lru.Get(key); ok {
		r.view.SetRecord(of.view.Record())
		return r
	}
	e := view.New(w.env, of.view.Family, of.view.Record(), view.RefPrefix+at.ID, at.Ref)
	r := newRepo(e, w.opts)
	r.origin = origin.NewCommit(e, at, func() (*git.Repository, error) { return of.origin.Repository() })
	w.commits.lru.Add(key, r)
	w.commits.trim()
	return r
}

// trim lets go of the idle commit that was not asked about for longest.
func (c *commits) trim() {
	if c.lru.Len() <= maxCommits {
		return
	}
	for _, key := range c.lru.Keys() {
		if r, _ := c.lru.Peek(key); r.idle() {
			r.view.Forget()
			c.lru.Remove(key)
			return
		}
	}
}

// closeOf ends what runs for the commits of a repository, or of all where it is nil.
func (c *commits) closeOf(of *Repo) (err error) {
	for _, key := range c.lru.Keys() {
		if of == nil || key.repo == of {
			r, _ := c.lru.Peek(key)
			err = errors.Join(err, r.close())
			c.lru.Remove(key)
		}
	}
	return err
}

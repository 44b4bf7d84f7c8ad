package view

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/worktree"
)

// alike finds the files of a commit that another commit of the family, or the work
// tree, has at the same path, under the same id of git: they are indexed already, and
// git need not print them.
type alike struct {
	view    *View
	opts    index.Options
	history *git.Repository
	entries []git.TreeEntry
	pending map[string]git.TreeEntry // files that may be held, by path
	steers  map[string]string        // ids of the files that say what a walk leaves out, by path
	known   *store.Known
	held    map[string]index.Held
}

// alikeRefs is how many indexed commits are looked at, the ones used last first.
const alikeRefs = 3

// indexed returns those of a commit's files that are indexed already, by path,
// which are valid until release.
func (v *View) indexed(ctx context.Context, batch *store.Batch, o index.Options, history *git.Repository, entries []git.TreeEntry) (held map[string]index.Held, release func() error, err error) {
	a := &alike{
		view: v, opts: o, history: history, entries: entries, steers: steering(entries, o.Policy),
		pending: map[string]git.TreeEntry{}, held: map[string]index.Held{},
	}
	if o.Siblings == nil || !a.list() {
		return nil, a.known.Close, nil
	}
	a.known = batch.Known(o.Siblings, maps.Keys(a.pending))
	return a.held, a.known.Close, a.find(ctx)
}

// steering returns the ids of those files that say what a walk leaves out.
func steering(entries []git.TreeEntry, p discover.Policy) map[string]string {
	ids := map[string]string{}
	for _, e := range entries {
		if p.Steers(e.Path) {
			ids[e.Path] = e.ID
		}
	}
	return ids
}

// list fills pending. It reports false where what is left out depends on the
// number of files or bytes, so that the walk must see them all.
func (a *alike) list() bool {
	p := a.opts.Policy
	bytes, twice := int64(0), false
	for _, e := range a.entries {
		_, have := a.pending[e.Path]
		twice = twice || have
		if e.Mode.IsFile() && e.Size >= 0 && !p.Steers(e.Path) {
			a.pending[e.Path] = e
			bytes += e.Size
		}
	}
	return !twice && p.MaxFiles == 0 && p.MaxBytes == 0 && len(a.entries) <= discover.DefaultMaxFiles && bytes <= maxExportBytes
}

// find looks into the commits that were used last.
func (a *alike) find(ctx context.Context) error {
	refs, err := a.view.KeptRefs()
	if err != nil {
		return err
	}
	for _, k := range refs[:min(len(refs), alikeRefs)] {
		if err := a.look(ctx, k.Commit); err != nil {
			return err
		}
	}
	return a.lookBeside(ctx)
}

// lookBeside holds the pending files that are the same in the work tree, as it was
// indexed. One that cannot be read, or whose files were chosen by other rules, is of no
// help.
func (a *alike) lookBeside(ctx context.Context) error {
	rec := a.view.Record()
	if len(a.pending) == 0 || rec.Root == "" {
		return nil
	}
	s, err := a.view.Family.Snapshot(cmp.Or(rec.View(), store.MainView))
	if err != nil {
		return nil
	}
	tree, err := s.Tree()
	if err != nil || s.Freshness.Commit == "" || !a.ruled(s) {
		return s.Close()
	}
	root, err := os.OpenRoot(rec.Root)
	if err != nil {
		return s.Close()
	}
	defer root.Close()
	ids, err := worktree.Blobs(root, s.Freshness.Commit, a.opts.Policy, tree)
	if err == nil {
		err = segment.Guard(func() error { return a.takeBeside(ctx, tree, ids) })
	} else {
		err = ctx.Err() // git's index is of a kind that is not read
	}
	return errors.Join(err, s.Close())
}

// takeBeside holds the pending files that are those of the work tree: of one blob and its
// size, which tells ends of lines that git converts.
func (a *alike) takeBeside(ctx context.Context, tree *listing.Tree, ids map[string]string) error {
	theirs := map[string]string{}
	for i := range tree.Leaves {
		if l := &tree.Leaves[i]; a.opts.Policy.Steers(l.Path) {
			theirs[l.Path] = cmp.Or(ids[l.Path], "touched")
		}
	}
	other := a.resteered(theirs)
	for file, id := range ids {
		at, ok := a.pending[file]
		if !ok || at.ID != id || below(file, other) {
			continue
		}
		if l, ok := tree.Find(file); ok && lasting(l) && l.Stat.Size == at.Size {
			if err := errors.Join(a.hold(l), ctx.Err()); err != nil {
				return err
			}
		}
	}
	return nil
}

// look holds the pending files that are the same in a commit. One that cannot be
// read, or whose files were chosen by other rules, is of no help.
func (a *alike) look(ctx context.Context, commit string) error {
	if len(a.pending) == 0 {
		return nil
	}
	entries, err := a.history.Tree(ctx, commit)
	if err != nil {
		return ctx.Err()
	}
	s, err := a.view.Family.Snapshot(RefPrefix + commit)
	if err != nil {
		return nil
	}
	tree, err := s.Tree()
	if err != nil || s.Freshness.Commit != commit || !a.ruled(s) {
		return s.Close()
	}
	err = segment.Guard(func() error { return a.take(ctx, entries, tree) })
	return errors.Join(err, s.Close())
}

// take holds the pending files that are the same in the tree of a commit.
func (a *alike) take(ctx context.Context, entries []git.TreeEntry, tree *listing.Tree) error {
	other := a.resteered(steering(entries, a.opts.Policy))
	for _, e := range entries {
		if at, ok := a.pending[e.Path]; !ok || at.ID != e.ID || !e.Mode.IsFile() || below(e.Path, other) {
			continue
		}
		if l, ok := tree.Find(e.Path); ok && lasting(l) {
			if err := errors.Join(a.hold(l), ctx.Err()); err != nil {
				return err
			}
		}
	}
	return nil
}

// resteered returns the folders in which a file that says what a walk leaves out
// is not what it is elsewhere, by the ids that these have there.
func (a *alike) resteered(theirs map[string]string) map[string]bool {
	folders := map[string]bool{}
	for file, id := range a.steers {
		if theirs[file] != id {
			folders[path.Dir(file)] = true
		}
	}
	for file, id := range theirs {
		if a.steers[file] != id {
			folders[path.Dir(file)] = true
		}
	}
	return folders
}

// below reports whether a file lies in one of the folders, "." for the root.
func below(file string, folders map[string]bool) bool {
	for dir := path.Dir(file); len(folders) > 0; dir = path.Dir(dir) {
		if folders[dir] {
			return true
		}
		if dir == "." {
			break
		}
	}
	return false
}

// ruled reports whether the files of a snapshot were chosen by the rules of now.
func (a *alike) ruled(s *store.Snapshot) bool {
	if !samePolicy(s.Policy(), a.opts.Policy) {
		return false
	}
	own, err := os.Stat(a.opts.GlobalIgnore)
	return a.opts.GlobalIgnore == "" || err == nil && own.ModTime().Before(s.Written()) || errors.Is(err, os.ErrNotExist)
}

// lasting reports whether what a leaf says follows from path and content, once
// the walk lets the file through.
func lasting(l *listing.Leaf) bool {
	return l.Read && !l.Dir && l.Reason != string(discover.ReasonUnreadable)
}

// hold notes a file that is the same as that of a leaf, where the parts that are
// worth taking have it.
func (a *alike) hold(l *listing.Leaf) error {
	h := index.Held{Leaf: *l}
	if l.Reason == "" {
		place, ok, err := a.known.Find(l.Path, l.Hash, l.Stat.Size)
		if err != nil || !ok {
			return err
		}
		h.Place = place
	}
	a.held[l.Path] = h
	delete(a.pending, l.Path)
	return nil
}

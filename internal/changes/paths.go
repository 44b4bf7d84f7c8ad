package changes

import (
	"context"
	"encoding/hex"
	"io/fs"
	"iter"
	"os"
	"strings"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/listing"
	"espy/internal/workspace"
	"espy/internal/worktree"
)

// entry is what is known of one path of a work tree.
type entry struct {
	name    string
	base    git.TreeEntry // of the commit, if inBase
	known   followed      // if tracked
	file    looked        // if walked, else until it is looked at
	inBase  bool
	tracked bool
	walked  bool
}

// followed is what git's index says of a file.
type followed struct {
	id    string
	mode  git.Mode
	stat  listing.Stat
	stage int
	skip  bool
}

// looked is what the file system says of a file.
type looked struct {
	Path string
	listing.Stat
	Mode fs.FileMode
}

// walk lists the files of a work tree, those of repositories within it left out. Where
// the files are followed, it is known how they are.
func walk(ctx context.Context, r *workspace.Repo, root *os.Root) (files []looked, err error) {
	if tree, err := r.Followed(ctx); err == nil && tree != nil {
		return ofLeaves(tree.Leaves), nil
	}
	o := r.Options()
	l, err := discover.Walk(ctx, root, o.Policy, discover.Options{GlobalIgnore: o.GlobalIgnore})
	if err != nil {
		return nil, err
	}
	inner := map[string]bool{}
	for _, x := range l.Excluded {
		if folder, ok := nested(x.Path, x.Reason); ok {
			inner[folder] = true
		}
	}
	for i := range l.Entries {
		if e := &l.Entries[i]; !worktree.Below(e.Path, inner) {
			files = append(files, looked{e.Path, listing.Stat{Size: e.Size, MTime: e.MtimeNS, CTime: e.CtimeNS, Inode: e.Inode}, e.Mode})
		}
	}
	return files, nil
}

func ofLeaves(leaves []listing.Leaf) (files []looked) {
	inner := map[string]bool{}
	for i := range leaves {
		if folder, ok := nested(leaves[i].Path, discover.Reason(leaves[i].Reason)); ok {
			inner[folder] = true
		}
	}
	for i := range leaves {
		if l := &leaves[i]; !l.Dir && l.Count == 0 && (l.Reason == "" || l.Read) && !worktree.Below(l.Path, inner) {
			files = append(files, looked{Path: l.Path, Stat: l.Stat})
		}
	}
	return files
}

// nested returns the folder that is a repository of its own, a submodule among them,
// of which a path was left out.
func nested(path string, why discover.Reason) (folder string, ok bool) {
	if why != discover.ReasonVCS {
		return "", false
	}
	return strings.CutSuffix(path, "/.git")
}

func names(files []looked) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range files {
			if !yield(files[i].Path) {
				return
			}
		}
	}
}

// baseOf is the files of a commit.
type baseOf struct {
	entries []git.TreeEntry // in order of their paths
	index   bool            // they are those of git's index instead
}

// baseOfCommit lists the files of a commit, an empty one for none. Those that git's
// index has as the commit does are not asked for.
func baseOfCommit(ctx context.Context, history *git.Repository, commit string, x *git.Index) (b baseOf, err error) {
	if commit == "" {
		return b, nil
	}
	if x != nil && x.Tree != "" {
		if b.index, err = history.IsTree(ctx, commit, x); err != nil || b.index {
			return b, err
		}
	}
	b.entries, err = history.Tree(ctx, commit)
	return b, err
}

// merge goes through the paths of the commit, of git's index and of the walk side
// by side. Each is in order of its paths.
type merge struct {
	commit baseOf
	base   []git.TreeEntry // that are still to come
	walked []looked        // that are still to come
	wrote  git.Stamp       // of git's index
	id     []byte
	found  []entry
	total  int
}

// doubtful returns the paths that may differ, in order, and how many there are in all.
// The index is nil where it cannot be read.
func doubtful(base baseOf, walked []looked, x *git.Index) (found []entry, total int) {
	m := &merge{commit: base, base: base.entries, walked: walked}
	if x != nil {
		m.wrote = x.Stamp
		for e := range x.Entries() {
			m.unknown(e.Path)
			m.known(e)
		}
	}
	m.unknown(nil)
	return m.found, m.total
}

// unknown adds the paths before one, all for nil, that git's index does not have.
func (m *merge) unknown(until []byte) {
	for {
		p := entry{}
		b, w := len(m.base) > 0 && before(m.base[0].Path, until), len(m.walked) > 0 && before(m.walked[0].Path, until)
		if b && w {
			b, w = m.base[0].Path <= m.walked[0].Path, m.walked[0].Path <= m.base[0].Path
		}
		if !b && !w {
			return
		}
		if b {
			p.name, p.base, p.inBase = m.base[0].Path, m.base[0], true
			m.base = m.base[1:]
		}
		if w {
			p.name, p.file, p.walked = m.walked[0].Path, m.walked[0], true
			m.walked = m.walked[1:]
		}
		m.add(p)
	}
}

// before reports whether a path comes before another, which nil does not.
func before(name string, until []byte) bool { return until == nil || name < string(until) }

func (m *merge) add(p entry) {
	m.found = append(m.found, p)
	m.total++
}

// known adds an entry of git's index, unless the commit has it and nobody has touched the
// file since. Of a path in conflict, which has several, the last counts.
func (m *merge) known(e *git.IndexEntry) {
	f := followed{mode: git.Mode(e.Mode), stage: e.Stage, skip: e.Skip, stat: listing.Stat{Size: int64(e.Size), MTime: e.MTime, CTime: e.CTime, Inode: uint64(e.Inode)}}
	var base *git.TreeEntry
	var file *looked
	if len(m.base) > 0 && m.base[0].Path == string(e.Path) {
		base, m.base = &m.base[0], m.base[1:]
	}
	if len(m.walked) > 0 && m.walked[0].Path == string(e.Path) {
		file, m.walked = &m.walked[0], m.walked[1:]
	}
	m.id = hex.AppendEncode(m.id[:0], e.ID)
	same := m.commit.index || base != nil && base.Mode.IsFile() && base.ID == string(m.id)
	if same && e.Stage == 0 && e.Regular() && file != nil && untouched(file, &f.stat, m.wrote) {
		m.total++
		return
	}
	f.id = string(m.id)
	if last := len(m.found) - 1; e.Stage != 0 && last >= 0 && m.found[last].name == string(e.Path) {
		m.found[last].known = f
		return
	}
	p := entry{name: string(e.Path), known: f, tracked: true}
	if file != nil {
		p.file, p.walked = *file, true
	}
	if m.commit.index {
		base = &git.TreeEntry{Path: p.name, ID: f.id, Mode: f.mode, Size: -1}
	}
	if base != nil {
		p.base, p.inBase = *base, true
	}
	m.add(p)
}

// untouched reports whether a file is as git found it when it wrote its index.
func untouched(e *looked, x *listing.Stat, wrote git.Stamp) bool {
	return looksUntouched(e, x) && !(listing.Stat{MTime: e.MTime, CTime: e.CTime}).Racy(wrote.MTime)
}

// looksUntouched is untouched but for what was changed in the moment when git looked.
func looksUntouched(e *looked, x *listing.Stat) bool {
	return e.MTime == x.MTime && (e.CTime == 0 || e.CTime == x.CTime) && uint32(e.Size) == uint32(x.Size) &&
		(e.Inode == 0 || uint32(e.Inode) == uint32(x.Inode))
}

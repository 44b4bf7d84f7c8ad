// Package indexed tells by the index which files cannot match an expression: those
// that are on the disk as the index saw them, and lack the trigrams of every match.
package indexed

import (
	"cmp"
	"errors"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/lines/trigram"
	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/store"
)

// Question says which files cannot match: those without some trigrams. With Fold,
// those with letters that fold to ASCII ones may match anyway.
type Question struct {
	Grams *trigram.Query
	Fold  bool
}

// Index is the index of an attached repository, for one expression.
type Index struct {
	snap   *store.Snapshot
	leaves []listing.Leaf // what it saw of a folder, in order
	looked int64          // when, as listing.Tree has it
	below  string         // what stands before paths to make them those of the repository
	may    [][]uint64     // by segment: the files that may match
	every  []bool         // by segment: all of them may
	spared []bool         // by leaf: a file that could not match as it was seen
	at     map[string]int // the leaf of a path; nil without Prepare
	missed int            // files that were asked about in vain
}

// Open returns the index of the attached repository that a folder is in, as it was
// committed last, nil where there is none that can be read: files are then read one
// and all. Nothing is attached, indexed or compared for it.
func Open(dataDir, dir string, q Question) (*Index, error) {
	snap, below, err := snapshot(dataDir, dir)
	if snap == nil {
		return nil, err
	}
	x, err := Of(snap, below, q)
	if err != nil {
		return nil, errors.Join(err, snap.Close())
	}
	return x, nil
}

// snapshot opens what was committed last of the attached repository that a folder is in,
// and returns the path of the folder there; nil where there is none.
func snapshot(dataDir, dir string) (_ *store.Snapshot, below string, _ error) {
	folder := filepath.Join(dataDir, "repos")
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil
	}
	c, err := catalog.Open(folder)
	if err != nil {
		return nil, "", err
	}
	records, err := c.List()
	if err != nil {
		return nil, "", err
	}
	rec, below, ok := deepest(records, dir)
	if !ok {
		return nil, "", nil
	}
	family, err := store.Open(c.Folder(rec.FamilyID()))
	if err != nil {
		return nil, "", err
	}
	snap, err := family.Snapshot(cmp.Or(rec.View(), store.MainView))
	return snap, below, err
}

// Of returns a snapshot as an index. Paths are relative to a folder of it, "" for its
// root.
func Of(snap *store.Snapshot, dir string, q Question) (*Index, error) {
	x := &Index{snap: snap, below: dir}
	if dir != "" {
		x.below += "/"
	}
	err := segment.Guard(func() error { return x.choose(q) })
	return x, err
}

// deepest returns the repository of a folder, and the path of the folder in it.
func deepest(records []catalog.Repo, dir string) (best catalog.Repo, below string, ok bool) {
	for _, rec := range records {
		rel, in := code.Below(rec.Root, dir)
		if !in || rec.Root == "" || ok && len(rec.Root) < len(best.Root) {
			continue
		}
		best, below, ok = rec, strings.TrimPrefix(rel, "."), true
	}
	return best, below, ok
}

// choose looks up which files may match.
func (x *Index) choose(q Question) error {
	for i := range x.snap.Segments {
		r := x.snap.Segments[i].Reader
		if q.Grams == nil {
			x.may, x.every = append(x.may, nil), append(x.every, true)
			continue
		}
		docs, all, err := trigram.Documents{Reader: r, Whole: true}.Eligible(q.Grams, q.Fold)
		if err != nil {
			return err
		}
		set := make([]uint64, (r.NumFiles()+63)/64)
		for _, d := range docs {
			set[d/64] |= 1 << (d % 64)
		}
		x.may, x.every = append(x.may, set), append(x.every, all)
	}
	return nil
}

// Spares reports whether the index spares reading files enough to be worth reading what
// it saw of all of them.
func (x *Index) Spares() bool {
	all, may := 0, 0
	for i := range x.may {
		n := x.snap.Segments[i].NumFiles()
		all += n
		if x.every[i] {
			may += n
			continue
		}
		for _, word := range x.may[i] {
			may += bits.OnesCount64(word)
		}
	}
	return may <= all/20*19
}

// Close gives the index back.
func (x *Index) Close() error { return x.snap.Close() }

// see reads what the index saw below a part of the folder, which ends in a slash or is
// empty, and which files of that cannot match.
func (x *Index) see(part string) error {
	tree, err := x.snap.Tree()
	if err != nil {
		return err
	}
	part = x.below + part
	from, _ := slices.BinarySearchFunc(tree.Leaves, part, func(l listing.Leaf, p string) int { return cmp.Compare(l.Path, p) })
	n := sort.Search(len(tree.Leaves)-from, func(i int) bool { return !strings.HasPrefix(tree.Leaves[from+i].Path, part) })
	x.leaves, x.looked, x.spared = tree.Leaves[from:from+n], tree.Looked, make([]bool, n)
	return segment.Guard(func() error {
		for i := range x.snap.Segments {
			x.spare(i)
		}
		return nil
	})
}

// spare notes the files of a segment that cannot match. Segments hold files in the order
// of their paths.
func (x *Index) spare(seg int) {
	if x.every[seg] || len(x.leaves) == 0 {
		return
	}
	s, at := &x.snap.Segments[seg], 0
	for f := sort.Search(s.NumFiles(), func(i int) bool { return s.Path(i) >= x.leaves[0].Path }); f < s.NumFiles(); f++ {
		if x.may[seg][f/64]>>(f%64)&1 != 0 || !s.Alive(f) {
			continue
		}
		path := s.Path(f)
		for at < len(x.leaves) && x.leaves[at].Path < path {
			at++
		}
		if at == len(x.leaves) {
			return
		}
		x.spared[at] = x.spared[at] || x.leaves[at].Path == path && x.leaves[at].Reason == ""
	}
}

// Prepare makes Asked and Skip ready to be called for the files of a walk below a part of
// the folder, which ends in a slash or is empty.
func (x *Index) Prepare(part string) error {
	if err := x.see(part); err != nil {
		return err
	}
	x.at = make(map[string]int, len(x.leaves))
	for i := range x.leaves {
		x.at[x.leaves[i].Path[len(x.below):]] = i
	}
	return nil
}

// Asked reports by the path of a file whether Skip has to know how the file is now. It may be
// called from any goroutine.
func (x *Index) Asked(path string) bool {
	i, ok := x.find(path)
	return ok && x.spared[i]
}

// Skip reports whether a file cannot match: it is as the index saw it, and lacks what
// every match has. stat is looked at only where Asked wants it.
func (x *Index) Skip(path string, stat listing.Stat) bool {
	i, ok := x.find(path)
	same := ok && x.spared[i] && x.leaves[i].Stat == stat
	if !same && (!ok || x.spared[i] || x.leaves[i].Reason != "") {
		x.missed++
	}
	return same && !stat.Racy(x.looked)
}

// find returns the leaf of a path.
func (x *Index) find(path string) (i int, ok bool) {
	if x.at != nil {
		i, ok = x.at[path]
		return i, ok
	}
	return slices.BinarySearchFunc(x.leaves, x.below+path, func(l listing.Leaf, p string) int { return cmp.Compare(l.Path, p) })
}

// Missed is how many files Skip was asked about that are read because the index does not
// hold them as they are.
func (x *Index) Missed() int { return x.missed }

// Leaves returns what the index saw of the folder, in order, with paths that are relative to it,
// but for files that cannot match where these need not be told apart: keep says which
// names are needed in any case.
func (x *Index) Leaves(all bool, keep func(name string) bool) ([]listing.Leaf, error) {
	if err := x.see(""); err != nil {
		return nil, err
	}
	list := []listing.Leaf{}
	for i := range x.leaves {
		if l := &x.leaves[i]; all || !x.spared[i] || l.Stat.Racy(x.looked) || keep(l.Path[strings.LastIndexByte(l.Path, '/')+1:]) {
			list = append(list, *l)
			list[len(list)-1].Path = l.Path[len(x.below):]
		}
	}
	return list, nil
}

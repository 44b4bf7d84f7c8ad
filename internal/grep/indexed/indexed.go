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
	"strings"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/index"
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
	snap  *store.Snapshot
	tree  *listing.Tree
	below string     // what stands before paths to make them those of the repository
	may   [][]uint64 // by segment: the files that may match
	every []bool     // by segment: all of them may
	known int        // files that the index holds as they are
	met   int        // files that it was asked about
}

// Open returns the index of the attached repository that a folder is in, as it was
// committed last, nil where there is none that can be read: files are then read one
// and all. Nothing is attached, indexed or compared for it.
func Open(dataDir, dir string, q Question) (*Index, error) {
	folder := filepath.Join(dataDir, "repos")
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c, err := catalog.Open(folder)
	if err != nil {
		return nil, err
	}
	records, err := c.List()
	if err != nil {
		return nil, err
	}
	rec, below, ok := deepest(records, dir)
	if !ok {
		return nil, nil
	}
	family, err := store.Open(c.Folder(rec.FamilyID()))
	if err != nil {
		return nil, err
	}
	snap, err := family.Snapshot(cmp.Or(rec.View(), store.MainView))
	if err != nil {
		return nil, err
	}
	x, err := Of(snap, below, q)
	if err != nil {
		return nil, errors.Join(err, snap.Close())
	}
	return x, nil
}

// Of returns a snapshot as an index. Paths are relative to a folder of it, "" for its
// root.
func Of(snap *store.Snapshot, dir string, q Question) (*Index, error) {
	x := &Index{snap: snap, below: dir}
	if dir != "" {
		x.below += "/"
	}
	err := segment.Guard(func() error { return x.find(q) })
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

// find looks up which files may match.
func (x *Index) find(q Question) (err error) {
	if x.tree, err = x.snap.Tree(); err != nil {
		return err
	}
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

// Spares reports whether the index spares reading files enough to be worth the look at
// each file's size and times that it takes: a fifth of a file's reading.
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
	return may <= all/5*4
}

// Close gives the index back.
func (x *Index) Close() error { return x.snap.Close() }

// Unknown is how many files were asked about that the index does not hold as they
// are.
func (x *Index) Unknown() int { return x.met - x.known }

// Skip reports whether the file of a path cannot match as long as it is as stat
// says. It is called for one file after the other.
func (x *Index) Skip(path string, stat listing.Stat) (skip bool) {
	path = x.below + path
	x.met++
	leaf, ok := x.tree.Find(path)
	if !ok || leaf.Reason != "" || leaf.Stat != stat || index.Racy(leaf.Stat, x.tree.Looked) {
		return false
	}
	err := segment.Guard(func() error {
		seg, file, ok := x.snap.Find(path)
		if !ok {
			return nil
		}
		x.known++
		skip = !x.mayMatch(seg, file)
		return nil
	})
	return skip && err == nil
}

func (x *Index) mayMatch(seg, file int) bool {
	return x.every[seg] || x.may[seg][file/64]&(1<<(file%64)) != 0
}

// Leaves returns what the snapshot saw below the folder, in order, with paths that are
// relative to it, but for files that cannot match where these need not be told apart:
// keep says which names are needed in any case.
func (x *Index) Leaves(all bool, keep func(name string) bool) ([]listing.Leaf, error) {
	list := []listing.Leaf{}
	may, err := x.candidates()
	all = all || len(x.snap.Damaged) > 0
	from, _ := slices.BinarySearchFunc(x.tree.Leaves, x.below, func(l listing.Leaf, p string) int { return cmp.Compare(l.Path, p) })
	for i := from; i < len(x.tree.Leaves) && strings.HasPrefix(x.tree.Leaves[i].Path, x.below); i++ {
		l := &x.tree.Leaves[i]
		for len(may) > 0 && may[0] < l.Path {
			may = may[1:]
		}
		isMay := len(may) > 0 && may[0] == l.Path
		if all || isMay || l.Reason != "" || keep(l.Path[strings.LastIndexByte(l.Path, '/')+1:]) || index.Racy(l.Stat, x.tree.Looked) {
			list = append(list, *l)
			list[len(list)-1].Path = l.Path[len(x.below):]
		}
	}
	return list, err
}

// candidates returns the paths of the live files that may match, in order.
func (x *Index) candidates() (paths []string, err error) {
	err = segment.Guard(func() error {
		for i := range x.snap.Segments {
			s := &x.snap.Segments[i]
			for f := range s.NumFiles() {
				if x.mayMatch(i, f) && s.Alive(f) {
					paths = append(paths, s.Path(f))
				}
			}
		}
		return nil
	})
	slices.Sort(paths)
	return paths, err
}

// Package indexed tells by the index which files cannot match an expression: those
// that are on the disk as the index saw them, and lack the trigrams of every match.
// The index is read as it was committed last. Nothing is attached, indexed or
// compared for it.
package indexed

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/index"
	"espy/internal/lines/trigram"
	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/store"
)

// Index is the index of an attached repository, for one expression.
type Index struct {
	snap  *store.Snapshot
	tree  *listing.Tree
	below string       // what stands before paths to make them those of the repository
	may   [][]uint64   // by segment: the files that may match
	every []bool       // by segment: all of them may
	known atomic.Int64 // files that the index holds as they are
	met   atomic.Int64 // files that it was asked about
}

// Open returns the index of the attached repository that a folder is in, nil where
// there is none that can be read: files are then read one and all.
func Open(dataDir, dir string, grams *trigram.Query, fold bool) (*Index, error) {
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
	x := &Index{snap: snap, below: below}
	if err := segment.Guard(func() error { return x.find(grams, fold) }); err != nil {
		return nil, errors.Join(err, snap.Close())
	}
	return x, nil
}

// deepest returns the repository of a folder, and what stands before paths below it.
func deepest(records []catalog.Repo, dir string) (best catalog.Repo, below string, ok bool) {
	for _, rec := range records {
		rel, in := code.Below(rec.Root, dir)
		if !in || rec.Root == "" || ok && len(rec.Root) < len(best.Root) {
			continue
		}
		best, below, ok = rec, rel+"/", true
		if rel == "." {
			below = ""
		}
	}
	return best, below, ok
}

// find looks up which files may match.
func (x *Index) find(grams *trigram.Query, fold bool) (err error) {
	if x.tree, err = x.snap.Tree(); err != nil {
		return err
	}
	for i := range x.snap.Segments {
		r := x.snap.Segments[i].Reader
		docs, all, err := trigram.Documents{Reader: r, Whole: true}.Eligible(grams, fold)
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

// Close gives the index back.
func (x *Index) Close() error { return x.snap.Close() }

// Unknown is how many files were asked about that the index does not hold as they
// are.
func (x *Index) Unknown() int { return int(x.met.Load() - x.known.Load()) }

// Skip reports whether the file of a path cannot match as long as it is as stat
// says. It is called for one file after the other.
func (x *Index) Skip(path string, stat listing.Stat) (skip bool) {
	path = x.below + path
	x.met.Add(1)
	leaf, ok := x.tree.Find(path)
	if !ok || leaf.Reason != "" || leaf.Stat != stat || index.Racy(leaf.Stat, x.tree.Looked) {
		return false
	}
	err := segment.Guard(func() error {
		seg, file, ok := x.snap.Find(path)
		if !ok {
			return nil
		}
		x.known.Add(1)
		skip = !x.every[seg] && x.may[seg][file/64]&(1<<(file%64)) == 0
		return nil
	})
	return skip && err == nil
}

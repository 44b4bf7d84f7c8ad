package changes

import (
	"errors"
	"path"
	"slices"

	"espy/internal/diff"
	"espy/internal/git"
)

// Files that were removed and others that were added are the same file renamed
// when they have the same content, or half of it. Contents are compared of so
// many files at most, each of so many bytes.
const (
	renameAlike = 0.5
	renameFiles = 300
	renameBytes = 1 << 20
)

// versions reads the texts of files that were removed and of others that were added,
// nil for one that is no text or too large.
type versions interface {
	removed(f *File) ([]byte, error)
	added(f *File) []byte
}

// renames turns files that were removed and added into renamed ones.
func renames(files []File, v versions) ([]File, error) {
	var gone, new []int
	for i := range files {
		switch f := &files[i]; {
		case f.Status == Removed && f.oldMode.IsFile():
			gone = append(gone, i)
		case f.Status == Added && f.newMode.IsFile():
			new = append(new, i)
		}
	}
	if len(gone) == 0 || len(new) == 0 {
		return files, nil
	}
	drop := map[int]bool{}
	rename := func(from, to int) {
		f := &files[to]
		f.Status, f.Old, f.oldID, f.oldMode = Renamed, files[from].Path, files[from].oldID, files[from].oldMode
		drop[from] = true
	}
	byID := map[string][]int{}
	for _, g := range gone {
		byID[files[g].oldID] = append(byID[files[g].oldID], g)
	}
	for _, n := range new {
		if same := byID[files[n].newID]; files[n].newID != "" && len(same) > 0 {
			at := max(slices.IndexFunc(same, func(g int) bool { return path.Base(files[g].Path) == path.Base(files[n].Path) }), 0)
			rename(same[at], n)
			byID[files[n].newID] = slices.Delete(same, at, at+1)
		}
	}
	gone = slices.DeleteFunc(gone, func(g int) bool { return drop[g] })
	new = slices.DeleteFunc(new, func(n int) bool { return files[n].Status == Renamed })
	if len(gone) <= renameFiles && len(new) <= renameFiles && len(gone)*len(new) > 0 {
		match, err := alike(files, gone, new, v)
		if err != nil {
			return nil, err
		}
		for n, g := range match {
			if g >= 0 {
				rename(gone[g], new[n])
			}
		}
	}
	kept := files[:0]
	for i, f := range files {
		if !drop[i] {
			kept = append(kept, f)
		}
	}
	return kept, nil
}

// alike pairs files by what of their contents is the same.
func alike(files []File, gone, new []int, v versions) ([]int, error) {
	removed, added := make([]*diff.Lineset, len(gone)), make([]*diff.Lineset, len(new))
	for i, g := range gone {
		text, err := v.removed(&files[g])
		if err != nil {
			return nil, err
		}
		removed[i] = diff.NewLineset(text)
	}
	for i, n := range new {
		added[i] = diff.NewLineset(v.added(&files[n]))
	}
	return diff.Match(removed, added, renameAlike), nil
}

// removed implements versions.
func (t *workTree) removed(f *File) ([]byte, error) {
	raw, err := t.blob(f.oldID, renameBytes)
	if err != nil && !errors.Is(err, git.ErrLarge) && !errors.Is(err, git.ErrMissing) {
		return nil, err
	}
	return raw, nil
}

// added implements versions.
func (t *workTree) added(f *File) []byte {
	content, left, err := t.reader.Read(f.Path)
	if err != nil || left != nil || len(content.Raw) > renameBytes {
		return nil
	}
	return content.Raw
}

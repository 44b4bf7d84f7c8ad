package impact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"espy/internal/changes"
	"espy/internal/patch"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/workspace"
)

// maxFiles bounds the changed files that are looked at.
const maxFiles = 2000

// side is a repository that a difference may be of.
type side struct {
	repo     *workspace.Repo
	snapshot *store.Snapshot
	prefix   string // of its paths in the answer, of several
	whole    int    // files of the difference that apply to it as a whole
	cache    segment.TextCache
}

// fit says how well a file of a difference fits a repository.
type fit int

const (
	fitsNot      fit = iota
	fitsAnywhere     // there is no text to compare: it is new, or gone
	fitsPartly
	fitsWhole
)

// homes are the repositories that the files of a difference are of: the one to which a
// file applies, of several the one to which most others do, then the first.
type homes struct {
	of   []int // by file, -1 for none
	also []int // another one that it may be of as well, -1 for none
}

// homesOf finds the repositories of the files of a difference by how they fit, a row for
// each repository.
func homesOf(sides []side, fits [][]fit) (h homes) {
	better := func(a, b, file int) bool {
		if fits[a][file] != fits[b][file] {
			return fits[a][file] > fits[b][file]
		}
		return sides[a].whole > sides[b].whole
	}
	if len(fits) == 0 {
		return h
	}
	for file := range fits[0] {
		best, also := -1, -1
		for i := range sides {
			switch {
			case fits[i][file] == fitsNot:
			case best < 0 || better(i, best, file):
				best, also = i, -1
			case also < 0 && !better(best, i, file):
				also = i
			}
		}
		h.of, h.also = append(h.of, best), append(h.also, also)
	}
	return h
}

// fit says how well files of a difference fit, and counts those that do as a whole.
func (s *side) fit(ctx context.Context, files []patch.File) (all []fit, err error) {
	s.whole = 0
	for i := range files {
		one := fitsNot
		if i < maxFiles && ctx.Err() == nil {
			if one, err = s.fitOf(&files[i]); err != nil {
				return nil, err
			}
		}
		if one == fitsWhole {
			s.whole++
		}
		all = append(all, one)
	}
	return all, nil
}

func (s *side) fitOf(d *patch.File) (fit, error) {
	d, named := s.own(d)
	v, ok, err := s.versions(d)
	switch {
	case err != nil || !ok && !d.Binary:
		return fitsNot, err
	case named:
		return fitsWhole, nil
	case !s.has(d):
		return fitsAnywhere, nil
	case v.failed > 0:
		return fitsPartly, nil
	}
	return fitsWhole, nil
}

// own is a file of a difference with the paths that it has in the repository, without the
// name of the repository in front; named tells whether that and a colon stood there.
func (s *side) own(d *patch.File) (own *patch.File, named bool) {
	if s.prefix == "" {
		return d, false
	}
	name := strings.TrimSuffix(s.prefix, ":")
	for _, prefix := range []string{s.prefix, name + "/"} {
		if strings.HasPrefix(d.Path(), prefix) && (prefix == s.prefix || !s.has(d)) {
			o := *d
			o.Old, o.New = strings.TrimPrefix(d.Old, prefix), strings.TrimPrefix(d.New, prefix)
			return &o, prefix == s.prefix
		}
	}
	return d, false
}

// has reports whether the index has a version of a file.
func (s *side) has(d *patch.File) bool {
	for _, p := range []string{d.Old, d.New} {
		if _, _, ok := s.snapshot.Find(p); p != "" && ok {
			return true
		}
	}
	return false
}

// changedBy are the repositories that the files of a difference are of.
func changedBy(ctx context.Context, repos []*workspace.Repo, text string, w workspace.Wait) (of []*workspace.Repo, err error) {
	files := patch.Parse(text)
	sides := make([]side, len(repos))
	fits := make([][]fit, len(repos))
	var failed []error
	for i, r := range repos {
		err := r.Look(ctx, w, func(s *store.Snapshot) (err error) {
			sides[i] = side{repo: r, snapshot: s, prefix: r.Name() + ":"}
			fits[i], err = sides[i].fit(ctx, files)
			return err
		})
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", r.Name(), err))
			fits[i] = make([]fit, len(files))
		}
	}
	if len(failed) == len(repos) {
		return nil, errors.Join(failed...)
	}
	is := map[int]bool{}
	for _, home := range homesOf(sides, fits).of {
		is[home] = true
	}
	for i, r := range repos {
		if is[i] {
			of = append(of, r)
		}
	}
	return of, nil
}

// aboutDiff says which difference was asked about.
func aboutDiff(files int, sides []side) string {
	about := fmt.Sprintf("a diff of %d files", files)
	if files == 1 {
		about = "a diff of 1 file"
	}
	if len(sides) == 1 {
		return about
	}
	var names []string
	for i := range sides {
		if sides[i].whole > 0 {
			names = append(names, sides[i].repo.Name())
		}
	}
	if len(names) == 0 {
		return about
	}
	return about + " of " + strings.Join(names, ", ")
}

// versions are those of a file: one is in the index, the other made of it.
type versions struct {
	old, new changes.Text
	newer    bool // the index has the newer
	failed   int  // runs that do not apply
}

func (s *side) versions(d *patch.File) (v versions, ok bool, err error) {
	older, hasOld, err := s.text(d.Old)
	if err != nil {
		return v, false, err
	}
	newer, hasNew := older, hasOld
	if d.New != d.Old {
		if newer, hasNew, err = s.text(d.New); err != nil {
			return v, false, err
		}
	}
	v.old.Path, v.new.Path = d.Old, d.New
	var fit patch.Fit
	switch {
	case hasOld && d.Old == d.New:
		text := patch.NewText(older.Text)
		forth, back := d.Fit(text), d.Reversed().Fit(text)
		if fit, v.newer = forth, back.Failed < forth.Failed; v.newer {
			fit = back
		}
		if fit.Failed == len(d.Runs) {
			return v, false, nil
		}
	case hasNew: // added or renamed, and there
		fit, v.newer = d.Reversed().Fit(patch.NewText(newer.Text)), true
	case hasOld: // to be removed or renamed
		fit = d.Fit(patch.NewText(older.Text))
	case d.New == "": // removed, and gone
		fit = d.Reversed().Fit(patch.NewText(nil))
		v.newer = true
	case d.Old == "": // not added yet
		fit = d.Fit(patch.NewText(nil))
	default:
		return v, false, nil
	}
	v.failed = fit.Failed
	if v.newer {
		v.old.Text = fit.Newer()
		if hasNew {
			v.new = newer
		}
	} else {
		v.new.Text = fit.Newer()
		if hasOld {
			v.old = older
		}
	}
	return v, true, nil
}

// text is that of a file of the index.
func (s *side) text(name string) (t changes.Text, ok bool, err error) {
	seg, file, ok := s.snapshot.Find(name)
	if !ok || name == "" {
		return t, false, nil
	}
	text, err := s.snapshot.Segments[seg].Text(file, &s.cache)
	return changes.Text{Path: name, Text: bytes.Clone(text), Known: changes.Known(s.snapshot, seg, file)}, true, err
}

// Package sides finds the repositories that the files of a difference are of, and the two
// versions of each: one is in the index, the other is made of it.
package sides

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"espy/internal/changes"
	"espy/internal/patch"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/workspace"
)

// MaxFiles bounds the files of a difference that are looked at.
const MaxFiles = 2000

// Side is a repository that a difference may be of. It belongs to one goroutine.
type Side struct {
	Repo     *workspace.Repo
	Snapshot *store.Snapshot
	Prefix   string // of its paths in the answer, of several
	whole    int    // files of the difference that apply to it as a whole
	cache    segment.TextCache
}

// Copies returns sides for another goroutine.
func Copies(all []Side) []Side {
	own := slices.Clone(all)
	for i := range own {
		own[i].cache = segment.TextCache{}
	}
	return own
}

// fit says how well a file of a difference fits a repository.
type fit int

const (
	fitsNot      fit = iota
	fitsAnywhere     // there is no text to compare: it is new, or gone
	fitsPartly
	fitsWhole
)

// Homes are the repositories that the files of a difference are of: the one to which a
// file applies, of several the one to which most others do, then the first.
type Homes struct {
	Of   []int // by file, -1 for none
	Also []int // another one that it may be of as well, -1 for none
}

// HomesOf finds the repositories of the files of a difference.
func HomesOf(ctx context.Context, sides []Side, files []patch.File) (h Homes, err error) {
	if len(sides) == 1 {
		return Homes{make([]int, len(files)), slices.Repeat([]int{-1}, len(files))}, nil
	}
	fits := make([][]fit, len(sides))
	for i := range sides {
		if fits[i], err = sides[i].fit(ctx, files); err != nil {
			return h, err
		}
	}
	return homesOf(sides, fits), nil
}

// homesOf finds the repositories of files by how they fit, a row for each repository.
func homesOf(sides []Side, fits [][]fit) (h Homes) {
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
		h.Of, h.Also = append(h.Of, best), append(h.Also, also)
	}
	return h
}

// fit says how well files of a difference fit, and counts those that do as a whole.
func (s *Side) fit(ctx context.Context, files []patch.File) (all []fit, err error) {
	s.whole = 0
	for i := range files {
		one := fitsNot
		if i < MaxFiles && ctx.Err() == nil {
			if one, err = s.fitOf(ctx, &files[i]); err != nil {
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

func (s *Side) fitOf(ctx context.Context, d *patch.File) (fit, error) {
	d, named := s.Own(d)
	a, ok, err := s.apply(ctx, d)
	switch {
	case err != nil || !ok && !d.Binary:
		return fitsNot, err
	case named:
		return fitsWhole, nil
	case !s.has(d):
		return fitsAnywhere, nil
	case a.Failed > 0:
		return fitsPartly, nil
	}
	return fitsWhole, nil
}

// Own is a file of a difference with the paths that it has in the repository, without the
// name of the repository in front; named tells whether that and a colon stood there.
func (s *Side) Own(d *patch.File) (own *patch.File, named bool) {
	if s.Prefix == "" {
		return d, false
	}
	name := strings.TrimSuffix(s.Prefix, ":")
	for _, prefix := range []string{s.Prefix, name + "/"} {
		if strings.HasPrefix(d.Path(), prefix) && (prefix == s.Prefix || !s.has(d)) {
			o := *d
			o.Old, o.New = strings.TrimPrefix(d.Old, prefix), strings.TrimPrefix(d.New, prefix)
			return &o, prefix == s.Prefix
		}
	}
	return d, false
}

// has reports whether the index has a version of a file.
func (s *Side) has(d *patch.File) bool {
	for _, p := range []string{d.Old, d.New} {
		if _, _, ok := s.Snapshot.Find(p); p != "" && ok {
			return true
		}
	}
	return false
}

// ChangedBy are the repositories that the files of a difference are of.
func ChangedBy(ctx context.Context, repos []*workspace.Repo, text string, w workspace.Wait) (of []*workspace.Repo, err error) {
	files := patch.Parse(text)
	sides := make([]Side, len(repos))
	fits := make([][]fit, len(repos))
	var failed []error
	for i, r := range repos {
		err := r.Look(ctx, w, func(s *store.Snapshot) (err error) {
			sides[i] = Side{Repo: r, Snapshot: s, Prefix: r.Name() + ":"}
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
	for _, home := range homesOf(sides, fits).Of {
		is[home] = true
	}
	for i, r := range repos {
		if is[i] {
			of = append(of, r)
		}
	}
	return of, nil
}

// About says which difference was asked about.
func About(files int, sides []Side) string {
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
			names = append(names, sides[i].Repo.Name())
		}
	}
	if len(names) == 0 {
		return about
	}
	return about + " of " + strings.Join(names, ", ")
}

// Versions are those of a file: one is in the index, the other made of it.
type Versions struct {
	Old, New changes.Text
	Newer    bool // the index has the newer
	Failed   int  // runs that do not apply
}

// Versions returns those of a file; ok is false where the difference does not apply.
func (s *Side) Versions(ctx context.Context, d *patch.File) (v Versions, ok bool, err error) {
	a, ok, err := s.apply(ctx, d)
	if err != nil || !ok {
		return v, false, err
	}
	v = Versions{Old: changes.Text{Path: d.Old}, New: changes.Text{Path: d.New}, Newer: a.newer, Failed: a.Failed}
	known, made := &v.Old, &v.New
	if a.newer {
		known, made = made, known
	}
	made.Text = a.Newer()
	if a.of.is {
		known.Text, known.Known = a.of.text, changes.Known(s.Snapshot, a.of.seg, a.of.file)
	}
	return v, true, nil
}

// applied is how a file of a difference applies to the index.
type applied struct {
	patch.Fit      // of the version that the index has
	of        held // that version
	newer     bool // it is the newer one
}

// held is a file of the index.
type held struct {
	is        bool // the index has it
	seg, file int
	text      []byte
}

// apply finds which version of a file the index has, and where it differs; ok is false
// where the difference does not apply.
func (s *Side) apply(ctx context.Context, d *patch.File) (a applied, ok bool, err error) {
	older, err := s.held(d.Old)
	if err != nil {
		return a, false, err
	}
	newer := older
	if d.New != d.Old {
		if newer, err = s.held(d.New); err != nil {
			return a, false, err
		}
	}
	switch {
	case older.is && d.Old == d.New:
		text := patch.NewText(older.text)
		back, err := d.Reversed().Fit(ctx, text)
		if err != nil {
			return a, false, err
		}
		forth, err := d.Fit(ctx, text)
		if a = (applied{forth, older, false}); back.Failed < forth.Failed {
			a = applied{back, newer, true}
		}
		return a, a.Failed < len(d.Runs), err
	case newer.is, d.New == "" && !older.is: // added or renamed, and there; removed, and gone
		a.of, a.newer = newer, true
		a.Fit, err = d.Reversed().Fit(ctx, patch.NewText(newer.text))
	case older.is, d.Old == "": // to be removed or renamed; not added yet
		a.of = older
		a.Fit, err = d.Fit(ctx, patch.NewText(older.text))
	default:
		return a, false, nil
	}
	return a, err == nil, err
}

// held is a file of the index, where it has one of that name.
func (s *Side) held(name string) (h held, err error) {
	seg, file, ok := s.Snapshot.Find(name)
	if !ok || name == "" {
		return h, nil
	}
	text, err := s.Snapshot.Segments[seg].Text(file, &s.cache)
	return held{true, seg, file, bytes.Clone(text)}, err
}

package impact

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"espy/internal/changes"
	"espy/internal/diff"
	"espy/internal/patch"
	"espy/internal/place"
	"espy/internal/segment"
	"espy/internal/store"
)

// patched finds what the difference of the request changes. A file of the index is
// either the older version of it or the newer one.
func (f *finder) patched(ctx context.Context, s *store.Snapshot) error {
	files := patch.Parse(f.req.Diff)
	f.answer.About = fmt.Sprintf("a diff of %d files", len(files))
	if len(files) == 1 {
		f.answer.About = "a diff of 1 file"
	}
	p := &patcher{finder: f, ctx: ctx, snapshot: s}
	for i := range files {
		if ctx.Err() != nil || i == maxFiles {
			p.left = len(files) - i
			break
		}
		if err := p.file(&files[i]); err != nil {
			return err
		}
	}
	p.pair()
	p.tell()
	return nil
}

// patcher is the work on a difference.
type patcher struct {
	*finder
	ctx      context.Context // of the question: it lives no longer
	snapshot *store.Snapshot
	compared []differing

	left    int // files that were not looked at
	missing []string
	binary  int
	failed  int      // runs that do not apply
	partly  []string // the files with such runs
}

// file compares the two versions of a file.
func (p *patcher) file(d *patch.File) error {
	if d.Binary {
		p.binary++
		p.compared = append(p.compared, differing{path: d.Path(), old: cmp.Or(d.Old, d.New)})
		return nil
	}
	v, ok, err := p.versions(d)
	if err != nil {
		return err
	}
	if !ok {
		p.missing = append(p.missing, place.Name(d.Path()))
		return nil
	}
	if v.failed > 0 {
		p.failed += v.failed
		p.partly = append(p.partly, place.Name(d.Path()))
	}
	all, _, why, err := changes.CompareTexts(p.ctx, p.repo, v.old, v.new)
	if err != nil || why != "" {
		return err
	}
	p.compared = append(p.compared, differing{path: d.Path(), old: cmp.Or(d.Old, d.New), newer: v.newer, symbols: all})
	return nil
}

// versions are those of a file: one is in the index, the other made of it.
type versions struct {
	old, new changes.Text
	newer    bool // the index has the newer
	failed   int  // runs that do not apply
}

func (p *patcher) versions(d *patch.File) (v versions, ok bool, err error) {
	older, hasOld, err := p.text(d.Old)
	if err != nil {
		return v, false, err
	}
	newer, hasNew, err := p.text(d.New)
	if err != nil {
		return v, false, err
	}
	v.old.Path, v.new.Path = d.Old, d.New
	back := d.Reversed()
	switch {
	case hasNew && d.Old != d.New || hasNew && !hasOld: // added or renamed, and there
		v.newer = true
		v.new.Text = newer
	case hasOld && d.Old != d.New: // to be removed or renamed
		v.old.Text = older
	case hasOld:
		made, failed := d.Apply(string(older))
		unmade, refused := back.Apply(string(newer))
		if v.newer = refused < failed; v.newer {
			v.failed, v.new.Text, v.old.Text = refused, newer, []byte(unmade)
		} else {
			v.failed, v.old.Text, v.new.Text = failed, older, []byte(made)
		}
		return v, v.failed < len(d.Runs), nil
	case d.New == "": // removed, and gone
		v.newer = true
		v.old.Text, v.failed = applied(back, nil)
		return v, true, nil
	case d.Old == "": // not added yet
		v.new.Text, v.failed = applied(d, nil)
		return v, true, nil
	default:
		return v, false, nil
	}
	if v.newer {
		v.old.Text, v.failed = applied(back, newer)
	} else {
		v.new.Text, v.failed = applied(d, older)
	}
	return v, true, nil
}

func applied(d *patch.File, text []byte) ([]byte, int) {
	made, failed := d.Apply(string(text))
	return []byte(made), failed
}

// text is that of a file of the index.
func (p *patcher) text(name string) (text []byte, ok bool, err error) {
	seg, file, ok := p.snapshot.Find(name)
	if !ok || name == "" {
		return nil, false, nil
	}
	text, err = p.snapshot.Segments[seg].Text(file, &segment.TextCache{})
	return bytes.Clone(text), true, err
}

// pair finds what moved between files.
func (p *patcher) pair() {
	var all []diff.Change
	for i := range p.compared {
		all = append(all, p.compared[i].symbols...)
	}
	byPath := map[string][]diff.Change{}
	for _, c := range diff.Pair(all) {
		byPath[c.Path] = append(byPath[c.Path], c)
	}
	for i := range p.compared {
		p.compared[i].symbols = byPath[p.compared[i].path]
	}
	p.differ = p.compared
}

// tell notes what of the difference was not used.
func (p *patcher) tell() {
	note := func(format string, args ...any) {
		p.answer.Notes = append(p.answer.Notes, fmt.Sprintf(format, args...))
	}
	if len(p.missing) > 0 {
		note("the diff does not apply to %s: %s", counted(len(p.missing), "file"), some(p.missing))
	}
	if p.failed > 0 {
		note("%s of the diff %s not apply, in %s; the rest is used", counted(p.failed, "run"), does(p.failed), some(p.partly))
	}
	if p.binary > 0 {
		note("%s binary: who mentions the name is all that is known", areFiles(p.binary))
	}
	if p.left > 0 {
		p.answer.Left += p.left
		note("%s of the diff were not looked at", counted(p.left, "file"))
	}
}

func does(n int) string {
	if n == 1 {
		return "does"
	}
	return "do"
}

func areFiles(n int) string {
	if n == 1 {
		return "1 changed file is"
	}
	return fmt.Sprintf("%d changed files are", n)
}

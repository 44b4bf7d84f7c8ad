package impact

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"espy/internal/changes"
	"espy/internal/diff"
	"espy/internal/patch"
	"espy/internal/place"
	"espy/internal/segment"
)

// patched finds what the difference of the request changes, in one repository or in
// several. A file of the index is either the older version of it or the newer one.
func (f *finder) patched(ctx context.Context, sides []side) error {
	files := patch.Parse(f.req.Diff)
	p := &patcher{finder: f, ctx: ctx, sides: sides}
	homes, err := p.homes(files)
	if err != nil {
		return err
	}
	f.answer.About = aboutDiff(len(files), sides)
	for i := range files {
		if ctx.Err() != nil || i == maxFiles {
			p.left = len(files) - i
			break
		}
		if homes.of[i] < 0 {
			p.missing = append(p.missing, place.Name(files[i].Path()))
			continue
		}
		if homes.also[i] >= 0 {
			p.ambiguous(&files[i], homes.of[i], homes.also[i])
		}
		if err := p.file(&sides[homes.of[i]], &files[i]); err != nil {
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
	sides    []side
	compared []differing

	left    int // files that were not looked at
	missing []string
	unsure  []string // files that may be of several repositories
	binary  int
	failed  int      // runs that do not apply
	partly  []string // the files with such runs
}

// homes are the repositories that files are of.
func (p *patcher) homes(files []patch.File) (h homes, err error) {
	if len(p.sides) == 1 {
		return homes{make([]int, len(files)), slices.Repeat([]int{-1}, len(files))}, nil
	}
	fits := make([][]fit, len(p.sides))
	for i := range p.sides {
		if fits[i], err = p.sides[i].fit(p.ctx, files); err != nil {
			return h, err
		}
	}
	return homesOf(p.sides, fits), nil
}

// file compares the two versions of a file.
func (p *patcher) file(s *side, d *patch.File) error {
	d, _ = s.own(d)
	shown, old := s.prefix+d.Path(), s.prefix+cmp.Or(d.Old, d.New)
	if d.Binary {
		p.binary++
		p.compared = append(p.compared, differing{path: shown, old: old, prefix: s.prefix})
		return nil
	}
	v, ok, err := s.versions(d)
	if err != nil {
		return err
	}
	if !ok {
		p.missing = append(p.missing, place.Name(shown))
		return nil
	}
	if v.failed > 0 {
		p.failed += v.failed
		p.partly = append(p.partly, place.Name(shown))
	}
	one, ok, err := s.compareTexts(p.ctx, v)
	if err == nil && ok {
		one.path, one.old = shown, old
		p.compared = append(p.compared, one)
	}
	return err
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
	newer, hasNew, err := s.text(d.New)
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
func (s *side) text(name string) (text []byte, ok bool, err error) {
	seg, file, ok := s.snapshot.Find(name)
	if !ok || name == "" {
		return nil, false, nil
	}
	text, err = s.snapshot.Segments[seg].Text(file, &segment.TextCache{})
	return bytes.Clone(text), true, err
}

// pair finds what moved between files of a repository.
func (p *patcher) pair() {
	all := map[string][]diff.Change{} // by repository
	for i := range p.compared {
		d := &p.compared[i]
		all[d.prefix] = append(all[d.prefix], d.symbols...)
	}
	byPath := map[string][]diff.Change{}
	for prefix, symbols := range all {
		for _, c := range diff.Pair(symbols) {
			byPath[prefix+c.Path] = append(byPath[prefix+c.Path], c)
		}
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
	if len(p.unsure) > 0 {
		note("%s of the diff may be of several repositories: %s; put the name of the right one and a colon in front of the path", counted(len(p.unsure), "file"), some(p.unsure))
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

package impact

import (
	"cmp"
	"context"
	"fmt"

	"espy/internal/changes"
	"espy/internal/diff"
	"espy/internal/impact/sides"
	"espy/internal/parallel"
	"espy/internal/patch"
	"espy/internal/place"
)

// patched finds what the difference of the request changes, in one repository or in
// several. A file of the index is either the older version of it or the newer one.
func (f *finder) patched(ctx context.Context) error {
	files := patch.Parse(f.req.Diff)
	p := &patcher{finder: f, ctx: ctx}
	homes, err := sides.HomesOf(ctx, f.sides, files)
	if err != nil {
		return err
	}
	f.answer.About = sides.About(len(files), f.sides)
	all, err := p.compareAll(files, homes)
	if err != nil {
		return err
	}
	for i := range all {
		if homes.Also[i] >= 0 && all[i].looked {
			p.ambiguous(&files[i], homes.Of[i], homes.Also[i])
		}
		p.take(&all[i])
	}
	p.left += len(files) - len(all)
	p.pair()
	p.tell()
	return nil
}

// patcher is the work on a difference.
type patcher struct {
	*finder
	ctx      context.Context // of the question: it lives no longer
	compared []differing

	left   int      // files that were not looked at
	unsure []string // files that may be of several repositories
	binary int
	failed int      // runs that do not apply
	partly []string // the files with such runs
}

// outcome is what comes of one file of a difference.
type outcome struct {
	differing
	looked bool
	binary bool
	why    string // it is not compared
	failed int    // runs that do not apply
}

// compareAll compares the two versions of the first files, in order.
func (p *patcher) compareAll(files []patch.File, h sides.Homes) ([]outcome, error) {
	all := make([]outcome, min(len(files), sides.MaxFiles))
	err := parallel.Each(p.ctx, len(all), len(all), func() func(int) error {
		own := sides.Copies(p.sides)
		return func(i int) (err error) {
			if h.Of[i] < 0 {
				all[i] = outcome{differing: differing{path: files[i].Path()}, why: doesNotApply}
			} else {
				all[i], err = compare(p.ctx, &own[h.Of[i]], &files[i])
			}
			all[i].looked = err == nil
			return err
		}
	})
	if err != nil && p.ctx.Err() != nil {
		err = nil // what was compared is answered
	}
	return all, err
}

// take notes what came of a file.
func (p *patcher) take(o *outcome) {
	switch {
	case !o.looked:
		p.left++
		return
	case o.why != "":
		p.answer.NotFollowed = append(p.answer.NotFollowed, NotFollowed{Changed{Path: o.path}, o.why})
		return
	case o.binary:
		p.binary++
	case o.failed > 0:
		p.failed += o.failed
		p.partly = append(p.partly, place.Name(o.path))
	}
	p.compared = append(p.compared, o.differing)
}

// compare compares the two versions of a file.
func compare(ctx context.Context, s *sides.Side, d *patch.File) (o outcome, err error) {
	d, _ = s.Own(d)
	o.differing = differing{path: s.Prefix + d.Path(), old: s.Prefix + cmp.Or(d.Old, d.New), prefix: s.Prefix}
	if o.binary = d.Binary; d.Binary {
		return o, nil
	}
	v, ok, err := s.Versions(ctx, d)
	switch {
	case err != nil:
		return o, err
	case !ok:
		o.why = doesNotApply
		return o, nil
	}
	o.newer, o.failed, o.lines = v.Newer, v.Failed, linesOf(d)
	o.symbols, o.why, err = changes.CompareTexts(ctx, s.Repo, v.Old, v.New)
	return o, err
}

// linesOf are the lines that a file of a difference adds or removes.
func linesOf(d *patch.File) (all [][]byte) {
	for _, r := range d.Runs {
		for _, l := range r.Lines {
			if l.Mark != ' ' {
				all = append(all, []byte(l.Text))
			}
		}
	}
	return all
}

// doesNotApply is why a file of a difference is not compared.
const doesNotApply = "the diff does not apply to it"

// ambiguous notes a file that may be of another repository as well.
func (p *patcher) ambiguous(d *patch.File, of, also int) {
	p.unsure = append(p.unsure, fmt.Sprintf("%s (%s or %s)", place.Name(d.Path()), p.sides[of].Repo.Name(), p.sides[also].Repo.Name()))
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

package nav

import (
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
)

// Symbol finds definitions: of a name, of the symbol declared at a place, or of
// what the use at a place means. It is a *usage.Error when the request cannot
// be answered as it was put; a name that no symbol has is no error.
func (x *Index) Symbol(r SymbolRequest) (*Symbols, error) {
	if err := r.Check(r.Limit, r.Offset); err != nil {
		return nil, err
	}
	res := &Symbols{Offset: r.Offset, Pending: x.Pending()}
	err := x.run(func(a *ask) error {
		if f, name, ok := a.Unparsed(r.Name); ok {
			if err := a.linesNamed(res, &r, name, func(o corpus.Outlined) bool { return o.File == f }); err != nil || res.Total+res.Apart > 0 {
				return err
			}
		}
		all, err := a.Targets(r.Target)
		if err != nil {
			return err
		}
		res.Apart = apart(a, r.Files, &all.Meanings, func(m *resolve.Meaning) corpus.FileID { return m.Ref.File })
		res.Total = len(all.Meanings)
		if e := a.Elsewhere(&all); e != nil {
			res.Elsewhere = &Elsewhere{Name: e.Name, From: e.From}
		}
		if all.Use != facts.None {
			ref, err := a.reference(&located{Reference: resolve.Reference{File: all.File, Use: int32(all.Use), Symbol: facts.None}})
			if err != nil {
				return err
			}
			res.Use = &ref
		}
		if res.Total+res.Apart == 0 {
			res.Failed = a.Corpus.Failed()
		}
		if res.Total+res.Apart == 0 && r.Name != "" {
			defer func() {
				res.Named = a.filesNamed(r.Name, res.Definitions)
				if !slices.ContainsFunc(res.Definitions, func(d locate.Definition) bool { return d.Kind != code.KindHeading }) {
					res.Brought, res.Passed = a.brought(r.Name)
				}
				if res.Brought != nil {
					res.Near = nil
				}
			}()
			if err := a.linesNamed(res, &r, r.Name, nil); err != nil || res.Total+res.Apart > 0 {
				return err
			}
			res.Near = a.near(r.Name)
			if res.Unread, err = a.unread(r.Name); err != nil {
				return err
			}
		}
		for _, m := range pageOf(all.Meanings, r.Offset, r.Limit, defaultSymbols) {
			d, err := a.Definition(m.Ref, r.Body)
			if err != nil {
				return err
			}
			d.Confidence, d.Reason = m.Confidence, m.Reason
			res.Definitions = append(res.Definitions, d)
		}
		if r.Name == "" {
			return nil
		}
		beside, err := a.Besides(r.Name)
		if err != nil {
			return err
		}
		return a.lined(res, &r, beside)
	})
	return res, err
}

// linesNamed adds the definitions of a name that were found line by line; those that
// fits wants, where it is not nil.
func (a *ask) linesNamed(res *Symbols, r *SymbolRequest, name string, fits func(corpus.Outlined) bool) error {
	all, err := a.ByLine(name)
	if err != nil {
		return err
	}
	if fits != nil {
		all = slices.DeleteFunc(all, func(o corpus.Outlined) bool { return !fits(o) })
	}
	return a.lined(res, r, all)
}

// lined adds definitions that were found line by line.
func (a *ask) lined(res *Symbols, r *SymbolRequest, all []corpus.Outlined) error {
	res.Apart += apart(a, r.Files, &all, func(o *corpus.Outlined) corpus.FileID { return o.File })
	before := res.Total
	res.Total += len(all)
	limit := r.Limit
	if limit == 0 {
		limit = defaultSymbols
	}
	if limit -= len(res.Definitions); limit <= 0 {
		return nil
	}
	for _, o := range pageOf(all, max(0, r.Offset-before), limit, limit) {
		d, err := a.LineDefinition(o, r.Body)
		if err != nil {
			return err
		}
		res.Definitions = append(res.Definitions, d)
	}
	return nil
}

// maxNamed is how many files of a name an answer has.
const maxNamed = 5

// filesNamed are the paths of code whose file, or folder of an index file, has the last
// part of a name, and whose folders have the parts before it: of "app.schedules" and
// "Schedules" app/schedules.py. Files that hold one of the definitions are left out.
// Tests come last. A path names its file alone.
func (a *ask) filesNamed(name string, known []locate.Definition) (all []string) {
	if f, ok := a.Corpus.Find(path.Clean(name)); ok {
		return []string{a.Corpus.Path(f)}
	}
	parts := facts.SplitName(name)
	if len(parts) == 0 || strings.Contains(name, "#") {
		return nil
	}
	var tests []string
	for f := range corpus.FileID(a.Corpus.NumFiles()) {
		p := a.Corpus.Path(f)
		holds := func(d locate.Definition) bool { return d.Path == p }
		if !isCalled(p, parts) || !lang.IsCode(a.Corpus.Language(f)) || slices.ContainsFunc(known, holds) {
			continue
		}
		if a.Corpus.Class(f)&code.ClassTest != 0 {
			tests = append(tests, p)
		} else {
			all = append(all, p)
		}
	}
	all = append(all, tests...)
	return all[:min(len(all), maxNamed)]
}

// near are the names like one that no symbol has; a path of a file is none.
func (a *ask) near(name string) []string {
	if _, ok := a.Corpus.Find(path.Clean(name)); ok {
		return nil
	}
	return a.Near(name)
}

// isCalled reports whether the last parts of a path, without its endings, are those of
// a name, in any case: a module Build_system of OCaml is build_system.ml.
func isCalled(p string, parts []string) bool {
	for i := len(parts) - 1; i >= 0; i-- {
		base := path.Base(p)
		if i == len(parts)-1 {
			base, _, _ = strings.Cut(base, ".")
			switch base {
			case "__init__", "index", "init", "mod":
				p = path.Dir(p)
				base = path.Base(p)
			}
		}
		if !strings.EqualFold(base, parts[i]) {
			return false
		}
		p = path.Dir(p)
	}
	return true
}

// unread is a language of files in which the last part of a name stands, but that no
// grammar here reads: one that has definitions line by line, else one of which no
// declarations are known; empty for none.
func (a *ask) unread(name string) (language string, err error) {
	parts := facts.SplitName(name)
	if len(parts) == 0 {
		return "", nil
	}
	err = a.Corpus.Mentions(parts[len(parts)-1], func(f corpus.FileID, _ uint32) bool {
		l, ok := lang.ByName(a.Corpus.Language(f))
		switch {
		case !ok || a.Corpus.Family(f) != corpus.NoFamily:
		case l.Outline:
			language = l.Name
			return false
		case language == "" && lang.IsCode(l.Name):
			language = l.Name
		}
		return !a.Late()
	})
	return language, err
}

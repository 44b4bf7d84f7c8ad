// Package bridge has the imports of one repository lead into others.
//
// Each repository has its own rules, which know nothing of the others. A name that
// they do not find is looked up by the rules of the repositories whose packages it
// may import, as if one of their own files imported it: they know how their packages
// are laid out. So types, members and what modules pass on are found as within one
// repository. What a repository declares itself is preferred.
//
// What is linked with what, and what the packages are called, is said by
// corpus.Member: that is where another source of packages is added.
package bridge

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Join has the languages of each repository that a reader reads look beyond it. Of
// one repository alone they stay as they are.
func Join(read *corpus.Reader, own []infer.Languages) []infer.Languages {
	if len(own) < 2 {
		return own
	}
	joined := slices.Clone(own)
	for home := range own {
		for family, l := range own[home] {
			if l == nil {
				continue
			}
			beyond := *l
			beyond.Rules = &rules{Rules: l.Rules, read: read, home: home, family: corpus.Family(family), own: own, joined: joined}
			joined[home][family] = &beyond
		}
	}
	return joined
}

// rules are those of one language in one repository.
type rules struct {
	infer.Rules
	read   *corpus.Reader
	home   int
	family corpus.Family
	own    []infer.Languages // of each repository, for what it declares itself
	joined []infer.Languages // of each repository, for what it imports, too
}

// unnamed are the languages whose imports do not name packages but what these
// declare, in names that all packages share.
func unnamed(f corpus.Family) bool {
	switch f {
	case corpus.Java, corpus.PHP, corpus.CSharp, corpus.Ruby, corpus.C, corpus.Elixir:
		return true
	}
	return false
}

// Import finds what an import takes, here or in a package of another repository.
func (r *rules) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	a := r.at(r.Rules.Import(f, m, b), r.home)
	if a.State == infer.Found && !r.isHollow(&a) {
		return a
	}
	for p, to := range r.packages {
		if !p.Takes(r.family, m.Module) {
			continue
		}
		row := *m
		row.In = facts.None
		found := r.at(r.take(p, to, &row, b), to)
		if found.State == infer.Found && !r.isHollow(&found) {
			return r.weighed(found, p, to)
		}
	}
	return a
}

// packages are those that the repository may import, with the repositories that
// publish them, in the order of preference.
func (r *rules) packages(yield func(*corpus.Package, int) bool) {
	for _, l := range r.read.Corpus().Links(r.home) {
		for i := range l.Packages {
			if p := &l.Packages[i]; r.own[l.To][r.family] != nil && p.Family == r.family && !yield(p, l.To) {
				return
			}
		}
	}
}

// take is what an import takes from a package of another repository, as its rules see
// it.
func (r *rules) take(p *corpus.Package, to int, m *facts.Import, b infer.Budget) infer.Answer {
	id, ok := r.read.Corpus().Entry(to, p)
	if !ok {
		return infer.Answer{}
	}
	from := *r.read.File(id)
	from.Family = r.family
	return r.own[to][r.family].Import(&from, m, b)
}

// weighed is what a package brings, as certain as it is that this is the package.
func (r *rules) weighed(a infer.Answer, p *corpus.Package, to int) infer.Answer {
	a.Reason += " of " + r.read.Corpus().Member(to)
	if !p.Wanted {
		a.Confidence = max(a.Confidence, facts.Likely)
		a.Reason += ", a package that no manifest here asks for"
	}
	return a
}

// isHollow reports whether an answer is nothing but the name of a namespace, which
// need not exist, or of a module of which only additions are known.
func (r *rules) isHollow(a *infer.Answer) bool {
	return (unnamed(r.family) || r.family == corpus.Script) && len(a.Refs) == 0 && !slices.ContainsFunc(a.Modules, func(m *infer.Module) bool { return len(m.Files) > 0 })
}

// at says of modules without files whose rules know them.
func (r *rules) at(a infer.Answer, home int) infer.Answer {
	for i, m := range a.Modules {
		if len(m.Files) == 0 && m.Home != home {
			other := *m
			other.Home = home
			a.Modules = slices.Clone(a.Modules)
			a.Modules[i] = &other
		}
	}
	return a
}

// Exported finds what a module has, by the rules of the repository that it is of. A
// namespace may be filled by several.
func (r *rules) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	home := m.Home
	if len(m.Files) > 0 {
		home = r.read.Corpus().Home(m.Files[0])
	}
	if home != r.home {
		return r.joined[home][r.family].Exported(m, name, b)
	}
	a := r.at(r.Rules.Exported(m, name, b), r.home)
	if len(m.Files) > 0 || !unnamed(r.family) {
		return a
	}
	return r.beyond(a, func(own *infer.Language) infer.Answer { return own.Exported(m, name, b) })
}

// beyond is the answer of this repository to a question, where that is a symbol; else
// that of the first other one whose answer is a symbol, else a namespace.
func (r *rules) beyond(a infer.Answer, ask func(*infer.Language) infer.Answer) infer.Answer {
	if a.State == infer.Found && !r.isHollow(&a) {
		return a
	}
	for p, to := range r.packages {
		found := r.at(ask(r.own[to][r.family]), to)
		switch {
		case found.State != infer.Found:
		case !r.isHollow(&found):
			return r.weighed(found, p, to)
		case a.State != infer.Found:
			a = r.weighed(found, p, to)
		}
	}
	return a
}

// Free looks a name up that no scope of its file declares: here, then among what
// packages declare in names that all share, or as the name of a package itself.
func (r *rules) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	a := r.at(r.Rules.Free(f, u, b), r.home)
	switch {
	case unnamed(r.family):
		return r.beyond(a, func(own *infer.Language) infer.Answer { return own.Free(f, u, b) })
	case r.family == corpus.Rust && u.Role != facts.RoleCall && a.State == infer.Outside:
		m := facts.Import{Module: u.Name, In: facts.None}
		for p, to := range r.packages {
			if p.Import != u.Name {
				continue
			}
			if found := r.take(p, to, &m, b); found.State == infer.Found {
				return r.weighed(r.at(found, to), p, to)
			}
		}
	}
	return a
}

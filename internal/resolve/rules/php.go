package rules

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/composer"
	"espy/internal/wordset"
)

// php is the rules of PHP.
type php struct {
	asker
	autoloads func() []composer.Autoload
}

func phpLanguage(a asker, autoloads func() []composer.Autoload) *infer.Language {
	return &infer.Language{
		Rules: &php{a, autoloads}, Hierarchy: true, Overrides: infer.SiblingsApart, MethodsApart: true, NamedArguments: true, Constructor: "__construct", Keyword: phpKeyword, Keywords: []string{"self", "static", "parent"},
		Bases:  infer.InBody,                                                                                                                             // of the traits it uses
		Models: &infer.Models{Makers: wordset.Of("get make makeWith app resolve createMock createStub createConfiguredMock createPartialMock mock spy")}, // of PSR-11, Laravel, PHPUnit
	}
}

// phpKeyword is the name of what new self, new static and new parent call.
var phpKeyword = infer.Calling("__construct", map[string]facts.Op{"self": facts.OpSymbol, "static": facts.OpElse, "parent": facts.OpSuper})

// Import finds the symbol of a name with a namespace. A namespace may be imported
// too, which is no symbol.
func (p *php) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	if a := p.Exported(&infer.Module{Path: m.Module, Family: f.Family}, m.Name, b); a.State == infer.Found {
		return a
	}
	return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere", Via: m.Name}
}

// Exported finds what a namespace has under a name.
func (p *php) Exported(m *infer.Module, name string, _ infer.Budget) infer.Answer {
	if refs := p.inNamespace(m.Path, name); len(refs) > 0 {
		return infer.Answer{Refs: p.loaded(m.Path, name, refs), State: infer.Found, Reason: "declared in namespace " + m.Path}
	}
	return infer.Answer{State: infer.Absent}
}

// inNamespace finds the symbols of a name that a namespace holds.
func (p *php) inNamespace(namespace, name string) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range p.read.Named(name) {
		f := p.read.File(r.File)
		if f.Family != corpus.PHP {
			continue
		}
		s := f.Symbol(r.Index)
		if in, ok := namespaceOf(f, s); ok && in == namespace && s.Kind != code.KindModule {
			refs = append(refs, r)
		}
	}
	return refs
}

// namespaceOf is the namespace that holds a symbol; ok is false where that is a
// type or a function. Another namespace than the first of a file is a symbol.
func namespaceOf(f *corpus.File, s *facts.Symbol) (namespace string, ok bool) {
	if s.Parent == facts.None {
		return f.Facts.Package(), corpus.AtTop(s)
	}
	in := f.Symbol(s.Parent)
	return wholeNamespace(in), in.Kind == code.KindModule && s.Flags&facts.Local == 0
}

func wholeNamespace(s *facts.Symbol) string { return strings.Trim(s.Owner+`\`+s.Name, `\`) }

// around is the namespace that a use stands in.
func (p *php) around(f *corpus.File, u *facts.Use) string {
	for i := u.In; i != facts.None; {
		s := f.Symbol(i)
		if s.Kind == code.KindModule {
			return wholeNamespace(s)
		}
		i = s.Parent
	}
	return f.Facts.Package()
}

// loaded are those of several types of a name that Composer loads, all where it says
// nothing.
func (p *php) loaded(namespace, name string, refs []corpus.Ref) []corpus.Ref {
	if len(refs) < 2 {
		return refs
	}
	kept := slices.DeleteFunc(slices.Clone(refs), func(r corpus.Ref) bool {
		path := p.corpus.Path(r.File)
		return !slices.ContainsFunc(p.autoloads(), func(a composer.Autoload) bool { return a.Loads(namespace, name, path) })
	})
	if len(kept) == 0 {
		return refs
	}
	return kept
}

// Free looks a name up in the namespace of its file. A function or a constant
// that the namespace lacks is the global one, while a class is not.
func (p *php) Free(f *corpus.File, u *facts.Use, _ infer.Budget) infer.Answer {
	if space := p.around(f, u); len(p.inNamespace(space, u.Name)) > 0 {
		return infer.Answer{Refs: p.loaded(space, u.Name, p.inNamespace(space, u.Name)), State: infer.Found, Reason: "declared in this namespace"}
	}
	if u.Role == facts.RoleCall || u.Role == facts.RoleRead {
		refs := slices.DeleteFunc(p.inNamespace("", u.Name), func(r corpus.Ref) bool { return p.read.Symbol(r).Kind.IsType() })
		if len(refs) > 0 {
			return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared outside of namespaces"}
		}
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// Owns reports whether a member that a comment names is of the type behind it.
func (p *php) Owns(typ, owned corpus.Ref, _ infer.Budget) bool {
	return typ.File == owned.File && typ.Index > owned.Index && p.read.Symbol(typ).Kind != code.KindModule
}

// Same is false: a symbol is declared once.
func (p *php) Same(corpus.Ref, corpus.Ref) bool { return false }

package rules

import (
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// php is the rules of PHP.
type php struct{ asker }

func phpLanguage(a asker) *infer.Language {
	return &infer.Language{
		Rules: &php{a}, Hierarchy: true, NamedArguments: true, Constructor: "__construct",
		Bases: infer.InBody, // of the traits it uses
	}
}

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
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in namespace " + m.Path}
	}
	return infer.Answer{State: infer.Absent}
}

// inNamespace finds the symbols of a name at the top of the files of a namespace.
func (p *php) inNamespace(namespace, name string) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range p.read.Named(name) {
		f := p.read.File(r.File)
		if f.Family != corpus.PHP || f.Facts.Package() != namespace {
			continue
		}
		if s := f.Symbol(r.Index); corpus.AtTop(s) && s.Kind != code.KindModule {
			refs = append(refs, r)
		}
	}
	return refs
}

// Free looks a name up in the namespace of its file. A function or a constant
// that the namespace lacks is the global one, while a class is not.
func (p *php) Free(f *corpus.File, u *facts.Use, _ infer.Budget) infer.Answer {
	if refs := p.inNamespace(f.Facts.Package(), u.Name); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in this namespace"}
	}
	if u.Role == facts.RoleCall || u.Role == facts.RoleRead {
		refs := slices.DeleteFunc(p.inNamespace("", u.Name), func(r corpus.Ref) bool { return p.read.Symbol(r).Kind.IsType() })
		if len(refs) > 0 {
			return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared outside of namespaces"}
		}
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// Owns is false: members stand in their types.
func (p *php) Owns(corpus.Ref, corpus.Ref, infer.Budget) bool { return false }

// Same is false: a symbol is declared once.
func (p *php) Same(corpus.Ref, corpus.Ref) bool { return false }

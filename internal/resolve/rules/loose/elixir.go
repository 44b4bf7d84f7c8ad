package loose

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// elixir is the rules of Elixir.
type elixir struct{ loose }

// Elixir returns the rules of Elixir for one question.
func Elixir(read *corpus.Reader, files func() Files) *infer.Language {
	return &infer.Language{Rules: &elixir{newLoose(read, corpus.Elixir, files)}, Dynamic: true, Overloads: true, Overrides: infer.AllApart}
}

// fullName is the name of a module with those around it.
func (l *elixir) fullName(r corpus.Ref) string {
	s := l.read.Symbol(r)
	name := s.Name
	if s.Owner != "" {
		name = s.Owner + "." + name
	}
	if s.Parent == facts.None {
		return name
	}
	return l.fullName(corpus.Ref{File: r.File, Index: s.Parent}) + "." + name
}

// modules finds the modules and protocols of a whole name.
func (l *elixir) modules(full string) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range l.read.Named(full[strings.LastIndexByte(full, '.')+1:]) {
		s := l.read.Symbol(r)
		if l.read.File(r.File).Family == corpus.Elixir && (s.Kind == code.KindModule || s.Kind == code.KindInterface) && l.fullName(r) == full {
			refs = append(refs, r)
		}
	}
	return refs
}

// Import finds a module by its whole name.
func (l *elixir) Import(_ *corpus.File, m *facts.Import, _ infer.Budget) infer.Answer {
	full := m.Module
	if m.Name != "*" {
		full = strings.TrimPrefix(m.Module+"."+m.Name, ".")
	}
	if refs := l.modules(full); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "module " + full}
	}
	return infer.Answer{State: infer.Outside, Reason: "of another application", Via: full}
}

// Free looks a name up in the modules that its file imports, then in what those
// that it uses import.
func (l *elixir) Free(f *corpus.File, u *facts.Use, _ infer.Budget) infer.Answer {
	if refs := l.imported(f, u, false); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "imported"}
	}
	for i := range f.Facts.NumImports() {
		m := f.Facts.Import(i)
		if m.Name != "*" || m.Flags&facts.Exported == 0 {
			continue
		}
		for _, module := range l.modules(m.Module) {
			if refs := append(l.functions(module, u), l.imported(l.read.File(module.File), u, true)...); len(refs) > 0 {
				return infer.Answer{Refs: refs, State: infer.Found, Confidence: facts.Likely, Reason: "brought by use " + m.Module}
			}
		}
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// imported finds a function in the modules that a file imports; quoted leaves out
// those that it uses.
func (l *elixir) imported(f *corpus.File, u *facts.Use, quoted bool) []corpus.Ref {
	var refs []corpus.Ref
	for i := range f.Facts.NumImports() {
		m := f.Facts.Import(i)
		if m.Name != "*" || m.Flags&facts.Exported != 0 && !quoted {
			continue
		}
		for _, module := range l.modules(m.Module) {
			refs = append(refs, l.functions(module, u)...)
		}
	}
	return refs
}

// functions are those of a module that a use may mean.
func (l *elixir) functions(module corpus.Ref, u *facts.Use) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range l.read.NamedNear(u.Name, module.File, "") {
		s := l.read.Symbol(r)
		if r.File != module.File || s.Parent != module.Index || !s.Kind.IsFunc() || s.Flags&facts.Exported == 0 {
			continue
		}
		if u.Args < 0 || int(s.MinArgs) <= int(u.Args) && int(u.Args) <= int(s.MaxArgs) {
			refs = append(refs, r)
		}
	}
	return refs
}

// Exported finds what a module of a file has under a name.
func (l *elixir) Exported(m *infer.Module, name string, _ infer.Budget) infer.Answer {
	if refs := slices.Clone(l.modules(m.Path + "." + name)); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "module " + m.Path}
	}
	return infer.Answer{State: infer.Absent}
}

// Owns is false: functions stand in their modules.
func (l *elixir) Owns(corpus.Ref, corpus.Ref, infer.Budget) bool { return false }

// Same is false: the clauses of a function are one symbol.
func (l *elixir) Same(corpus.Ref, corpus.Ref) bool { return false }

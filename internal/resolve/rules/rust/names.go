package rust

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Import follows the path of a use declaration.
func (r *rust) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	at := r.path(f, m.In, m.Module, b)
	if m.Name == "" || m.Name == "*" || at.State != infer.Found {
		return at
	}
	return r.member(at, m.Name, b)
}

// innermost is the innermost module within a file around a symbol, None where that is
// the module of the file.
func innermost(f *corpus.File, in int32) int32 {
	for in != facts.None && f.Symbol(in).Kind != code.KindModule {
		in = f.Symbol(in).Parent
	}
	return in
}

// path follows a path from a symbol of a file.
func (r *rust) path(f *corpus.File, in int32, p string, b infer.Budget) infer.Answer {
	names := strings.Split(strings.TrimPrefix(p, "::"), "::")
	own := r.inner(f.ID, innermost(f, in))
	at := infer.Answer{Modules: []*infer.Module{own}, State: infer.Found, Reason: "named by its path"}
	switch first := names[0]; first {
	case "crate", "$crate":
		at.Modules = []*infer.Module{r.module(r.top(f.ID))}
	case "self":
	case "super":
		at.Modules = []*infer.Module{r.parent(own)}
	default:
		if a := r.first(own, first, b); a.State == infer.Found {
			at = a
		} else if mod, ok := r.named(first, f.Path); ok {
			at.Modules = []*infer.Module{mod}
		} else {
			return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere"}
		}
	}
	return r.follow(at, names[1:], b)
}

// first finds what the first name of a path means in a module: a module or a type
// that it declares, else whatever it has under the name.
func (r *rust) first(m *infer.Module, name string, b infer.Budget) infer.Answer {
	a := infer.Answer{State: infer.Found, Reason: "named by its path"}
	for _, ref := range r.declared(m, name) {
		if s := r.read.Symbol(ref); s.Kind == code.KindModule || s.Kind.IsType() {
			a.Refs = append(a.Refs, ref)
		}
	}
	if len(a.Refs) > 0 {
		return a
	}
	return r.infer.Exported(m, name, b)
}

// parent is the module above a module: itself where there is none.
func (r *rust) parent(m *infer.Module) *infer.Module {
	id := m.Files[0]
	if m.Inside > 0 {
		f := r.read.File(id)
		return r.inner(id, innermost(f, f.Symbol(m.Inside-1).Parent))
	}
	return r.module(r.up(id))
}

// follow follows the rest of a path.
func (r *rust) follow(at infer.Answer, names []string, b infer.Budget) infer.Answer {
	for _, name := range names {
		switch {
		case name == "super" && len(at.Modules) == 1:
			at.Modules = []*infer.Module{r.parent(at.Modules[0])}
		case name == "super", name == "self":
		default:
			if at = r.step(at, name, b); at.State != infer.Found {
				return at
			}
		}
	}
	return at
}

// step finds what a name within a path means: a module or a type before a function
// of the same name.
func (r *rust) step(at infer.Answer, name string, b infer.Budget) infer.Answer {
	if len(at.Modules) == 1 {
		if a := r.first(at.Modules[0], name, b); a.State == infer.Found {
			return a
		}
	}
	return r.member(at, name, b)
}

// member finds what modules or types have under a name.
func (r *rust) member(at infer.Answer, name string, b infer.Budget) infer.Answer {
	all := infer.Answer{State: infer.Absent}
	add := func(a infer.Answer) {
		switch {
		case a.State == infer.Found && all.State == infer.Found: // of a twin
			all.Modules = append(all.Modules, a.Modules...)
			all.Refs = slices.Concat(all.Refs, slices.DeleteFunc(slices.Clone(a.Refs), func(ref corpus.Ref) bool { return slices.Contains(all.Refs, ref) }))
		case a.State == infer.Found, a.State == infer.Outside && all.State == infer.Absent:
			all = a
		}
	}
	for _, mod := range at.Modules {
		add(r.infer.Exported(mod, name, b))
	}
	for _, ref := range at.Refs {
		if r.read.Symbol(ref).Kind.IsFunc() {
			continue
		}
		for _, t := range r.infer.ThingsOf(ref, b.Restart()) {
			found, s := r.infer.Member(t, name, b.Restart())
			a := infer.AnswerOf(found)
			a.State = s
			add(a)
		}
	}
	return all
}

// Exported finds what a module has under a name.
func (r *rust) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	if len(m.Files) == 0 {
		return infer.Answer{State: infer.Absent}
	}
	return r.exporting.Recall(moduleAndName{m.Path, name}, b, func() infer.Answer { return r.exported(m, name, b) })
}

// exported joins what a module declares under a name and what it imports by it:
// a type, a value, a module and a macro may share one. Wildcards come last.
func (r *rust) exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	all := infer.Answer{Refs: r.declared(m, name), State: infer.Absent, Reason: "named by its path"}
	f := r.read.File(m.Files[0])
	state := r.take(&all, f, m, func(row *facts.Import) bool { return row.Local == name && row.Name != "*" }, b, "")
	if len(all.Refs)+len(all.Modules) == 0 && r.take(&all, f, m, func(row *facts.Import) bool { return row.Name == "*" }, b, name) == infer.Outside {
		state = infer.Outside
	}
	if m.Inside == 0 && len(all.Refs)+len(all.Modules) == 0 && r.top(f.ID) == f.ID {
		all.Refs = r.exportedMacros(f.ID, name)
	}
	if len(all.Refs)+len(all.Modules) > 0 {
		all.State = infer.Found
	} else if state == infer.Outside {
		all.State = infer.Outside
	}
	return all
}

// take adds what imports of a module bring: themselves, or a name of theirs. It
// returns Outside where one of them is from elsewhere.
func (r *rust) take(all *infer.Answer, f *corpus.File, m *infer.Module, which func(*facts.Import) bool, b infer.Budget, name string) infer.State {
	state := infer.Absent
	for i := range f.Facts.NumImports() {
		row := f.Facts.Import(i)
		if !r.isInside(m, row.In) || !which(&row) {
			continue
		}
		a := r.infer.Imported(corpus.Ref{File: f.ID, Index: int32(i)}, b)
		if name != "" && a.State == infer.Found {
			a = r.member(a, name, b)
		}
		if a.State == infer.Outside {
			state = infer.Outside
		}
		if a.State != infer.Found {
			continue
		}
		all.Modules = append(all.Modules, a.Modules...)
		for _, ref := range a.Refs {
			if !slices.Contains(all.Refs, ref) {
				all.Refs = append(all.Refs, ref)
			}
		}
	}
	return state
}

// isInside reports whether a symbol of the file of a module, or None, is that module.
func (r *rust) isInside(m *infer.Module, symbol int32) bool {
	if symbol == m.Inside-1 || symbol == facts.None || m.Inside == 0 {
		return symbol == m.Inside-1
	}
	return slices.Contains(r.infer.Together(corpus.Ref{File: m.Files[0], Index: m.Inside - 1}), corpus.Ref{File: m.Files[0], Index: symbol})
}

// declared are the symbols that stand in a module under a name.
func (r *rust) declared(m *infer.Module, name string) []corpus.Ref {
	f := r.read.File(m.Files[0])
	if m.Inside == 0 {
		return f.TopNamed(name)
	}
	var refs []corpus.Ref
	for i := range f.Facts.SymbolsNamed(name) {
		if s := f.Symbol(int32(i)); r.isInside(m, s.Parent) && s.Owner == "" && s.Flags&facts.Local == 0 {
			refs = append(refs, corpus.Ref{File: f.ID, Index: int32(i)})
		}
	}
	return refs
}

// Free looks a name up in what wildcards bring, among the crates and the macros.
func (r *rust) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	switch u.Name {
	case "crate", "self", "super":
		return r.path(f, u.In, u.Name, b)
	}
	if a := r.inSpace(r.Exported(r.inner(f.ID, innermost(f, u.In)), u.Name, b), u); a.State == infer.Found {
		return a
	}
	if a := r.inSpace(r.within(f, u, b), u); a.State == infer.Found {
		return a
	}
	if mod, ok := r.named(u.Name, f.Path); ok && u.Role != facts.RoleCall {
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "a crate of this repository"}
	}
	if u.Args == facts.MacroArgs {
		if a := r.macro(f, u.Name); a.State == infer.Found {
			return a
		}
	}
	if u.In != facts.None && f.Symbol(u.In).Kind == code.KindMacro {
		return infer.Answer{} // where the macro is called it may mean anything
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// inSpace leaves of an answer what is a macro where a use calls one, and what is none
// where it does not: macros have names of their own.
func (r *rust) inSpace(a infer.Answer, u *facts.Use) infer.Answer {
	switch {
	case u.Role == facts.RoleImport:
		return a
	case u.Args == facts.MacroArgs:
		a.Modules = nil
		a.Refs = slices.DeleteFunc(slices.Clone(a.Refs), func(ref corpus.Ref) bool { return !r.isMacro(ref) })
	default:
		a.Refs = slices.DeleteFunc(slices.Clone(a.Refs), func(ref corpus.Ref) bool { return r.read.Symbol(ref).Kind == code.KindMacro })
	}
	if len(a.Refs)+len(a.Modules) == 0 {
		return infer.Answer{}
	}
	return a
}

// isMacro reports whether a symbol is a macro: one of macro_rules, or a function that
// an attribute makes one.
func (r *rust) isMacro(ref corpus.Ref) bool {
	kind := r.read.Symbol(ref).Kind
	return kind == code.KindMacro || kind == code.KindFunc && strings.Contains(r.attributes(ref), "#[proc_macro")
}

// nearer looks a name that a module declares or imports up in the wildcards of the
// functions around a use: what these bring hides it.
func (r *rust) nearer(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	if u.In == facts.None || u.Role == facts.RoleImport || !r.hasInnerWildcards(f) {
		return infer.Answer{}
	}
	if u.Bind == facts.BindSymbol && f.Symbol(u.Target).Flags&facts.Local != 0 {
		return infer.Answer{}
	}
	a := r.inSpace(r.within(f, u, b), u)
	if a.Refs = r.infer.Suited(a.Refs, u); len(a.Refs) == 0 {
		return infer.Answer{}
	}
	return a
}

// hasInnerWildcards reports whether a function of a file has use path::*;
func (r *rust) hasInnerWildcards(f *corpus.File) bool {
	has, ok := r.wildcards[f.ID]
	if !ok {
		for i := range f.Facts.NumImports() {
			if row := f.Facts.Import(i); row.Name == "*" && row.In != facts.None && f.Symbol(row.In).Kind != code.KindModule {
				has = true
			}
		}
		r.wildcards[f.ID] = has
	}
	return has
}

// within looks a name up in what the wildcards of the functions around a use bring.
func (r *rust) within(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	for in := u.In; in != facts.None && f.Symbol(in).Kind != code.KindModule; in = f.Symbol(in).Parent {
		a := infer.Answer{Reason: "named by its path"}
		r.take(&a, f, r.inner(f.ID, in), func(row *facts.Import) bool { return row.Name == "*" }, b, u.Name)
		if len(a.Refs)+len(a.Modules) > 0 {
			a.State = infer.Found
			return a
		}
	}
	return infer.Answer{}
}

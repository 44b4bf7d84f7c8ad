// Package rust holds the rules of Rust: which file is which module of which crate,
// which names a path leads to, which types an impl is of and which macros are
// seen where. Its words are those of Rust.
package rust

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
)

// rust is the rules of Rust, within one question.
type rust struct {
	corpus    *corpus.Corpus
	read      *corpus.Reader
	infer     *meaning.Evaluator
	crates    func() []Crate
	exporting infer.Book[moduleAndName, infer.Answer] // what modules export by some names, which they may pass on in circles
	owners    map[moduleAndName][]corpus.Ref          // types by the file of an impl and the name there
	above     map[corpus.FileID]corpus.FileID         // the file that declares the module of a file; the file itself at the top of a crate

	wildcards    map[corpus.FileID]bool  // files by whether functions of theirs import all of something
	implementing map[corpus.Ref][]header // by trait: the headers of its impls for types from elsewhere
}

type moduleAndName struct{ module, name string }

// Language returns the rules of Rust for one question.
func Language(read *corpus.Reader, e *meaning.Evaluator, crates func() []Crate) *infer.Language {
	r := &rust{corpus: read.Corpus(), read: read, infer: e, crates: crates,
		exporting: infer.NewBook[moduleAndName](e.Memory(), infer.Answer{State: infer.Absent}), owners: map[moduleAndName][]corpus.Ref{}, above: map[corpus.FileID]corpus.FileID{}, wildcards: map[corpus.FileID]bool{}, implementing: map[corpus.Ref][]header{}}
	return &infer.Language{
		Rules: r, Hierarchy: true, Bases: infer.InFile, Namespace: r.namespace, Suits: suits, Fulfils: r.fulfils, Extensions: r.extensions, Nearer: r.nearer, Element: r.element,
		Twins: true, Variants: true, Overrides: infer.AboveApart, Dereference: "deref",
		Utilities: map[string]bool{"Box": true, "Rc": true, "Arc": true, "Pin": true, "ManuallyDrop": true, "Ref": true, "RefMut": true,
			"MutexGuard": true, "RwLockReadGuard": true, "RwLockWriteGuard": true, "Cow": true, "Reverse": true, "Wrapping": true, "AssertUnwindSafe": true},
		Leading: map[string]bool{"Result": true},
		Callbacks: map[string]int{
			"map": 0, "for_each": 0, "filter": 0, "any": 0, "all": 0, "find": 0, "position": 0, "and_then": 0, "filter_map": 0, "flat_map": 0,
			"take_while": 0, "skip_while": 0, "inspect": 0, "max_by_key": 0, "min_by_key": 0, "is_some_and": 0, "retain": 0,
			"sort_by_key": 0, "partition": 0, "map_while": 0, "find_map": 0, "try_for_each": 0, "is_ok_and": 0, "sort_unstable_by_key": 0,
		},
		Containers: map[string]infer.Gives{
			"unwrap": infer.AnElement, "expect": infer.AnElement, "unwrap_or": infer.AnElement, "unwrap_or_default": infer.AnElement,
			"unwrap_or_else": infer.AnElement, "next": infer.AnElement, "borrow": infer.AnElement, "borrow_mut": infer.AnElement,
			"get_mut": infer.TheSame, "take": infer.TheSame, "as_ref": infer.TheSame, "as_mut": infer.TheSame,
			"clone": infer.TheSame, "iter": infer.TheSame, "iter_mut": infer.TheSame, "into_iter": infer.TheSame, "lock": infer.TheSame,
			"read": infer.TheSame, "write": infer.TheSame, "pop": infer.TheSame, "last": infer.TheSame, "first": infer.TheSame,
			"get": infer.TheSame, "filter": infer.TheSame, "rev": infer.TheSame, "skip": infer.TheSame, "cloned": infer.TheSame,
			"copied": infer.TheSame, "to_owned": infer.TheSame, "as_deref": infer.TheSame, "as_deref_mut": infer.TheSame, "ok": infer.TheSame,
			"peekable": infer.TheSame, "step_by": infer.TheSame, "chain": infer.TheSame, "take_mut": infer.TheSame,
			"unwrap_unchecked": infer.AnElement, "peek": infer.TheSame, "next_back": infer.AnElement, "last_mut": infer.TheSame, "first_mut": infer.TheSame,
			"load": infer.AnElement, "swap": infer.AnElement, "get_unchecked": infer.AnElement, "get_unchecked_mut": infer.AnElement, // of an AtomicPtr, of a slice
			"by_ref": infer.TheSame, "max": infer.TheSame, "min": infer.TheSame, "or": infer.TheSame, "or_else": infer.TheSame, "ok_or": infer.TheSame, "drain": infer.TheSame,
		},
	}
}

// namespace is the module that a symbol declares: within its file, or another
// file where it has no body.
func (r *rust) namespace(ref corpus.Ref, s *facts.Symbol) (*infer.Module, bool) {
	if s.Flags&facts.Abstract == 0 {
		return r.inner(ref.File, ref.Index), true
	}
	f := r.read.File(ref.File)
	dir := moduleFolder(f.Path)
	for _, p := range []string{corpus.Child(dir, s.Name+".rs"), corpus.Child(dir, s.Name+"/mod.rs"), corpus.Child(f.Folder, s.Name+".rs"), corpus.Child(f.Folder, s.Name+"/mod.rs")} {
		if id, ok := r.corpus.Find(p); ok {
			return r.module(id), true
		}
	}
	return nil, true
}

// Owns reports whether an impl is of a type: of the one that its module knows
// under that name, else of any in its crate.
func (r *rust) Owns(typ, owned corpus.Ref, b infer.Budget) bool {
	if known := r.ownersOf(owned, b); len(known) > 0 {
		return slices.Contains(known, typ)
	}
	return r.folderOf(r.corpus.Path(owned.File)) == r.folderOf(r.corpus.Path(typ.File))
}

// ownersOf are the types that the owner of a symbol names, in a module within
// the file or in that of the file.
func (r *rust) ownersOf(owned corpus.Ref, b infer.Budget) []corpus.Ref {
	f, s := r.read.File(owned.File), r.read.Symbol(owned)
	name := corpus.LastName(s.Owner)
	if s.Parent != facts.None {
		var near []corpus.Ref
		for i := range f.Facts.SymbolsNamed(name) {
			if x := f.Symbol(int32(i)); x.Parent == s.Parent && x.Kind.IsType() {
				near = append(near, corpus.Ref{File: f.ID, Index: int32(i)})
			}
		}
		if len(near) > 0 {
			return near
		}
	}
	key := moduleAndName{f.Path, name}
	known, ok := r.owners[key]
	if !ok {
		known = r.typesOf(r.Exported(r.module(f.ID), name, b).Refs)
		r.owners[key] = known
	}
	return known
}

// fulfils finds what a member of an impl of a trait stands for: that of the trait
// in the header of the impl, which is the last one before the member.
func (r *rust) fulfils(member corpus.Ref, b infer.Budget) []corpus.Ref {
	s := r.read.Symbol(member)
	if s.Flags&facts.Overrides == 0 {
		return nil
	}
	trait := r.headerOf(member)
	if trait == facts.None {
		return nil
	}
	var all []corpus.Ref
	for _, t := range r.typesOf(r.infer.Meaning(corpus.Ref{File: member.File, Index: trait}, b.Restart()).Refs) {
		for _, m := range r.infer.Declared(t, s.Name, b.Restart()) {
			if r.read.Symbol(m).Kind == s.Kind {
				all = append(all, m)
			}
		}
	}
	return all
}

// headerOf is the use of the trait in the header of the impl that a member stands in,
// which is the last one before it; None where there is none.
func (r *rust) headerOf(member corpus.Ref) int32 {
	f := r.read.File(member.File)
	for i := f.Facts.UsesFrom(f.Symbol(member.Index).Start) - 1; i >= 0; i-- {
		u := f.Use(int32(i))
		if u.Role == facts.RoleImplement && (u.In == facts.None || u.At < f.Symbol(u.In).Start || f.Symbol(u.In).End <= u.At) { // no derive
			return int32(i)
		}
	}
	return facts.None
}

// element is what an index into a value gives, by its method index, or a loop over it,
// by what its method next gives in an Option.
func (r *rust) element(t infer.Thing, which infer.Part, b infer.Budget) ([]infer.Thing, bool) {
	if which != infer.ElementPart || b.TooDeep() {
		return nil, false
	}
	if things, ok := r.infer.Through(t, []string{"index"}, b); ok && len(things) > 0 {
		return things, true
	}
	options, _ := r.infer.Through(t, []string{"next"}, b)
	things := infer.Each(options, func(o infer.Thing) []infer.Thing { return r.infer.Element(o, which, b.Deeper()) })
	return things, len(things) > 0
}

// Same reports whether two symbols are twins. A scope declares a name once, so that of
// two each build compiles one, as attributes say: #[cfg(unix)], #[cfg(not(unix))].
func (r *rust) Same(x, y corpus.Ref) bool {
	a, b := r.read.Symbol(x), r.read.Symbol(y)
	if x.File != y.File || a.Name != b.Name || a.Name == "_" || a.Owner != b.Owner || spaceOf(a.Kind) != spaceOf(b.Kind) {
		return false
	}
	if a.Parent != b.Parent {
		return a.Parent != facts.None && b.Parent != facts.None && a.Flags&facts.Local == 0 &&
			r.Same(corpus.Ref{File: x.File, Index: a.Parent}, corpus.Ref{File: y.File, Index: b.Parent})
	}
	if a.Owner == "" && (a.Kind != code.KindMethod || a.Parent != facts.None && r.read.File(x.File).Symbol(a.Parent).Kind == code.KindTrait) {
		return true
	}
	return r.isConditional(x) && r.isConditional(y) || (a.Flags|b.Flags)&facts.Overrides == 0 && r.isPlain(x)
}

// space is one of the name spaces of a scope.
type space uint8

const (
	values space = iota
	types
	macros
	fields
)

func spaceOf(k code.Kind) space {
	switch {
	case k == code.KindMacro:
		return macros
	case k == code.KindField:
		return fields
	case k.IsType():
		return types
	}
	return values
}

// isConditional reports whether an attribute of a symbol says in which builds it is
// compiled.
func (r *rust) isConditional(ref corpus.Ref) bool {
	return strings.Contains(r.attributes(ref), "#[cfg(")
}

// attributes is the text of the attributes of a symbol.
func (r *rust) attributes(ref corpus.Ref) string {
	s := r.read.Symbol(ref)
	text, err := r.corpus.TextRange(ref.File, int(s.Start), int(s.SigStart), nil)
	if err != nil {
		return ""
	}
	return string(text)
}

// isPlain reports whether the type of a member has no type parameters, so that all
// impls of it are of the same type.
func (r *rust) isPlain(member corpus.Ref) bool {
	typ, ok := r.infer.OwnerType(member, infer.Full())
	if !ok {
		return false
	}
	f := r.read.File(typ.File)
	for i := typ.Index + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Parent == typ.Index; i++ {
		if f.Symbol(i).Kind == code.KindTypeParam {
			return false
		}
	}
	return true
}

// suits reports whether a use can mean a symbol by where it stands: a type, a
// value, a module and a macro may share a name, and so may a field and a method.
func suits(s *facts.Symbol, u *facts.Use) bool {
	switch u.Role {
	case facts.RoleImport:
		return true
	case facts.RoleType, facts.RoleInherit, facts.RoleImplement:
		return s.Kind.IsType() || s.Kind == code.KindModule || s.Kind == code.KindTypeParam
	case facts.RoleCall:
		if u.Args == facts.MacroArgs {
			return s.Kind == code.KindMacro
		}
		return s.Kind != code.KindField && s.Kind != code.KindModule && s.Kind != code.KindMacro
	}
	if u.Bind == facts.BindMember {
		return !s.Kind.IsFunc()
	}
	return s.Kind != code.KindModule && s.Kind != code.KindMacro
}

// typesOf are the symbols that are types.
func (r *rust) typesOf(refs []corpus.Ref) []corpus.Ref {
	return slices.DeleteFunc(slices.Clone(refs), func(ref corpus.Ref) bool { return !r.read.Symbol(ref).Kind.IsType() })
}

package rules

import (
	"cmp"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Same reports whether two symbols are declared in one scope of one file, or in
// scopes that the compiler merges, and can stand in the same place: a constant is
// apart from an interface of its name.
func (s *script) Same(a, b corpus.Ref) bool {
	x, y := s.read.Symbol(a), s.read.Symbol(b)
	if x.Flags&facts.Static != y.Flags&facts.Static || isField(x) && isVariable(y) || isField(y) && isVariable(x) {
		return false
	}
	if (!infer.IsType(x.Kind) || !infer.IsType(y.Kind)) && (!infer.IsValue(x.Kind) || !infer.IsValue(y.Kind)) {
		return false
	}
	return s.sameScope(a, b) && s.partOf(a) == s.partOf(b) && !isTwice(x, y) || s.merged(a, b)
}

// isTwice reports whether two symbols cannot be declared in one scope, but in two functions
// without a name: two classes, or two types, each of the scope that declares it.
func isTwice(x, y *facts.Symbol) bool {
	return x.Kind == y.Kind && (x.Kind == code.KindClass || x.Kind == code.KindType) && x.Flags&y.Flags&facts.Local != 0
}

// partOf tells of which unnamed type a symbol is a member.
func (s *script) partOf(r corpus.Ref) int32 { return s.infer.File(r.File).PartOf(r.Index) }

func isField(s *facts.Symbol) bool { return s.Kind == code.KindField }

// isVariable reports whether a symbol is a variable, which a function may give away
// under its name as a field.
func isVariable(s *facts.Symbol) bool { return s.Kind == code.KindVar || s.Kind == code.KindConst }

// fewNamed is how many symbols of a name are compared with each other.
const fewNamed = 32

// alike are the symbols of a name that may be Same as one: those of its file, those
// of another declaration of the type that holds it, and those in augmentations.
func (s *script) alike(r corpus.Ref) []corpus.Ref {
	name := s.read.Symbol(r).Name
	named := s.read.Of(r.File).Named(name)
	if len(named) <= fewNamed {
		return named
	}
	in, ok := s.around(r)
	if s.isAugmentation(in, ok) {
		return named
	}
	near, apart := s.read.NamedNear(name, r.File, ""), s.inAugmentations(name)
	var more []corpus.Ref
	if ok && s.isMerging(in) {
		for _, o := range s.infer.Together(in) {
			if o.File != r.File {
				more = append(more, s.read.NamedNear(name, o.File, "")...)
			}
		}
	}
	if len(apart)+len(more) == 0 {
		return near
	}
	all := slices.Concat(near, apart, more)
	slices.SortFunc(all, func(a, b corpus.Ref) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Index, b.Index)) })
	return slices.Compact(all)
}

// inAugmentations are the symbols of a name that stand in augmentations, which may be
// merged with any.
func (s *script) inAugmentations(name string) []corpus.Ref {
	all, ok := s.augmenting[name]
	if !ok {
		for _, r := range s.read.NamedInModules(name) {
			if in, ok := s.around(r); s.isAugmentation(in, ok) {
				all = append(all, r)
			}
		}
		s.augmenting[name] = all
	}
	return all
}

// merged reports whether two symbols of a name stand in declarations of one thing:
// members of an interface that is declared twice, or what several files declare
// global or for one module.
func (s *script) merged(a, b corpus.Ref) bool {
	in, ok := s.around(a)
	other, both := s.around(b)
	switch {
	case ok && both && s.read.Symbol(in).Name == s.read.Symbol(other).Name && s.isMerging(in) && s.isMerging(other):
		return in != other && s.Same(in, other)
	case !s.isAugmentation(in, ok) && !s.isAugmentation(other, both):
		return false
	case ok && both && s.read.Symbol(in).Name == s.read.Symbol(other).Name:
		return true
	}
	return slices.Contains(s.augments(a, in, ok), b) || slices.Contains(s.augments(b, other, both), a)
}

// around is the symbol that holds another one; ok is false at the top of a file.
func (s *script) around(r corpus.Ref) (holder corpus.Ref, ok bool) {
	p := s.read.Symbol(r).Parent
	return corpus.Ref{File: r.File, Index: p}, p != facts.None
}

// isMerging reports whether a symbol has the members of all its declarations.
func (s *script) isMerging(r corpus.Ref) bool {
	k := s.read.Symbol(r).Kind
	return k == code.KindInterface || k == code.KindClass
}

// isAugmentation reports whether a symbol is declare global, or declare module of
// a module that some file imports.
func (s *script) isAugmentation(r corpus.Ref, ok bool) bool {
	if !ok {
		return false
	}
	sym := s.read.Symbol(r)
	if sym.Kind != code.KindModule || sym.Parent != facts.None {
		return false
	}
	if sym.Name == "global" {
		return true
	}
	imported, ok := s.imports[sym.Name]
	if !ok {
		imported = s.isImported(sym.Name)
		s.imports[sym.Name] = imported
	}
	return imported
}

func (s *script) isImported(module string) bool {
	for _, m := range s.read.Imports(module) {
		if m.Module == module {
			return true
		}
	}
	return false
}

// augments are the symbols that a declaration for a module of the repository is
// merged with.
func (s *script) augments(r, in corpus.Ref, ok bool) []corpus.Ref {
	if !s.isAugmentation(in, ok) {
		return nil
	}
	key := declaredFor{in, s.read.Symbol(r).Name}
	all, ok := s.joined[key]
	if ok {
		return all
	}
	s.joined[key] = nil // while it is looked for
	if id, ok := s.project().Find(s.read.File(r.File).Folder, s.read.Symbol(in).Name); ok {
		m := &infer.Module{Files: []corpus.FileID{id}, Path: s.corpus.Path(id), Family: s.read.File(id).Family}
		all = s.Exported(m, key.name, infer.Full()).Refs
	}
	s.joined[key] = all
	return all
}

// declaredFor is a name in a declaration for a module.
type declaredFor struct {
	in   corpus.Ref
	name string
}

// isForeign reports whether a member is one that the repository declares for a
// type from elsewhere.
func (s *script) isForeign(member corpus.Ref) bool {
	typ, ok := s.around(member)
	if !ok || !s.isMerging(typ) {
		return false
	}
	in, ok := s.around(typ)
	return s.isAugmentation(in, ok) && len(s.augments(typ, in, ok)) == 0
}

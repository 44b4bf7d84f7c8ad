package shape

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// Differ reports whether two functions of one name are surely not the
// same: one is of values that do not change, or they take different types.
func (v *Choice) Differ(r, o corpus.Ref) bool {
	x, y := v.read.Symbol(r), v.read.Symbol(o)
	if x.Kind == code.KindMethod && y.Kind == code.KindMethod && (x.Flags^y.Flags)&facts.Constant != 0 {
		return true
	}
	if x.MaxArgs == 0 || x.MaxArgs != y.MaxArgs || x.MaxArgs == facts.ManyArgs {
		return false
	}
	if v.isTemplate(r) && v.isTemplate(o) && !slices.Equal(v.constraintsOf(r), v.constraintsOf(o)) {
		return true
	}
	a, named := v.spelled(r)
	c, alsoNamed := v.spelled(o)
	if !named || !alsoNamed {
		return v.isCpp(r) && v.isCpp(o) && v.belongsToOther(r, o)
	}
	beside := r.File == o.File && (x.Flags^y.Flags)&facts.Abstract == 0
	for i := range min(len(a), len(c)) {
		if a[i].differs(c[i], r.File == o.File) || (a[i].alias || c[i].alias) && v.isCpp(r) && v.isCpp(o) && (beside && a[i].isOther(c[i]) || v.areOtherNames(a[i], c[i])) {
			return true
		}
	}
	return v.isCpp(r) && v.isCpp(o) && v.belongsToOther(r, o)
}

// isCpp reports whether a symbol stands in a file of C++, where functions are overloaded.
func (v *Choice) isCpp(r corpus.Ref) bool { return v.read.Corpus().Language(r.File) != "c" }

// isOther reports whether two spellings, of which all is told, are not the same.
func (s spelling) isOther(o spelling) bool { return s != o && s != spelling{} && o != spelling{} }

// areOtherNames reports whether two spellings are different names of types that one file
// declares: none writes one of these for the other.
func (v *Choice) areOtherNames(s, o spelling) bool {
	if !s.alias || !o.alias || s.name == o.name {
		return false
	}
	others := v.read.Named(o.name)
	return slices.ContainsFunc(v.read.Named(s.name), func(r corpus.Ref) bool {
		return v.read.Symbol(r).Kind == code.KindType && slices.ContainsFunc(others, func(x corpus.Ref) bool { return x.File == r.File && v.read.Symbol(x).Kind == code.KindType })
	})
}

// AreSpelledAlike reports whether two functions of one name are written to take the
// same types, all of which are told, and no type parameters.
func (v *Choice) AreSpelledAlike(r, o corpus.Ref) bool {
	x, y := v.read.Symbol(r), v.read.Symbol(o)
	if x.MinArgs != y.MinArgs || x.MaxArgs != y.MaxArgs || x.MaxArgs == facts.ManyArgs || (x.Flags^y.Flags)&(facts.Constant|facts.Static) != 0 {
		return false
	}
	a, named := v.spelled(r)
	c, alsoNamed := v.spelled(o)
	told := !slices.ContainsFunc(a, func(s spelling) bool { // long and long long are as long
		return s == spelling{} || s.alias || s.literal == facts.LiteralNumber+1 || s.literal == facts.LiteralLong+1 || s.literal == facts.LiteralUnsignedLong+1
	})
	return named && alsoNamed && told && slices.Equal(a, c) && !v.isTemplate(r) && !v.isTemplate(o)
}

// spelling is a type as it is written: a built-in one, or a class by its name.
// Nothing is told of other names, which may be further names of these.
type spelling struct {
	name    string
	literal int32       // one more than the built-in type
	flags   facts.Flags // Pointer and Reference, and Constant of what one of these leads to
	deep    bool        // a pointer to pointers
	alias   bool        // another name of a type, which nothing but its own name is known of
}

// differs reports whether two spellings are surely of different types. In one file, it
// tells, too, what may be changed through a pointer, of which headers of C say nothing.
func (s spelling) differs(o spelling, oneFile bool) bool {
	switch {
	case s == spelling{} || o == spelling{} || s.alias || o.alias:
		return false
	case !oneFile && s.flags&facts.Pointer != 0 && s.flags&facts.Reference == 0:
		s.flags &^= facts.Constant
		o.flags &^= facts.Constant
	}
	if s.literal != 0 && o.literal != 0 && s.flags == o.flags && s.deep == o.deep {
		return areDistinct(s.literal-1, o.literal-1)
	}
	return s != o
}

// ofParameter is the name of the spelling of every type parameter.
const ofParameter = "typename"

// spelled are the types that a function takes; ok where all that it takes is named.
func (v *Choice) spelled(r corpus.Ref) (all []spelling, ok bool) {
	f := v.e.File(r.File)
	fn := f.Symbol(r.Index)
	end := int32(f.Facts.SymbolsFrom(fn.End))
	for i := r.Index + 1; i < end; i++ {
		if f.Facts.Parent(int(i)) == int(r.Index) && f.Facts.Kind(int(i)) == code.KindParam {
			all = append(all, v.spellingOf(f, i))
		}
	}
	if len(all) == 0 && fn.MaxArgs > 0 {
		all = v.unnamed(r)
	}
	return all, len(all) == int(fn.MaxArgs)
}

// unnamed are the types that a function takes whose parameters have no names, as far as
// they are types of the library of C.
func (v *Choice) unnamed(r corpus.Ref) (all []spelling) {
	s := v.read.Symbol(r)
	from := s.At + uint32(len(s.Name))
	text, err := v.read.Corpus().TextRange(r.File, int(from), int(min(max(from, s.End), from+maxDeclared)), nil)
	if err != nil {
		return nil
	}
	list, _, closed := strings.Cut(strings.TrimSpace(string(text)), ")")
	if !closed || !strings.HasPrefix(list, "(") || strings.ContainsAny(list[1:], "(<{") {
		return nil
	}
	for _, p := range strings.Split(list[1:], ",") {
		name := strings.TrimRight(strings.TrimSpace(p), " *")
		to := spelling{}
		if isOfLibrary(name) {
			to.name = name
			if strings.Contains(p, "*") {
				to.flags = facts.Pointer
			}
		}
		all = append(all, to)
	}
	return all
}

func (v *Choice) spellingOf(f *infer.File, i int32) (s spelling) {
	param := f.Symbol(i)
	if param.Type == facts.None {
		return spelling{}
	}
	s.flags = param.Flags & (facts.Pointer | facts.Reference)
	if s.flags != 0 {
		s.flags |= param.Flags & facts.Constant
	}
	s.deep = s.flags&facts.Pointer != 0 && v.isDeep(corpus.Ref{File: f.ID, Index: i})
	n := f.Facts.Expr(int(param.Type))
	if n.Op == facts.OpLiteral && n.X != facts.LiteralList {
		s.literal = n.X + 1
		return s
	}
	if n.Op == facts.OpValue {
		n = f.Facts.Expr(int(n.X))
	}
	applied := n.Op == facts.OpApply
	if applied {
		n = f.Facts.Expr(int(n.X))
	}
	if n.Op != facts.OpUse {
		return spelling{}
	}
	switch u := f.Use(n.X); {
	case !applied && u.Bind != facts.BindSymbol && isCharacter(u.Name):
		s.literal = facts.LiteralNumber + 1
	case u.Bind == facts.BindSymbol && f.Symbol(u.Target).Kind == code.KindTypeParam:
		s.name = ofParameter
	case applied && (isOfStd(f.Expr(n.X, nil), u) || v.isToldBy(f, u)):
		s.name = u.Name + "<>"
	case !applied && v.isToldBy(f, u):
		s.name = u.Name
	case !applied && v.isAlias(f, u):
		if s.literal = v.number(u.Name); s.literal == 0 {
			s.name, s.alias = u.Name, true
		}
	default:
		return spelling{}
	}
	return s
}

// isToldBy reports whether the name of a use tells a type from all of other names.
func (v *Choice) isToldBy(f *infer.File, u *facts.Use) bool {
	if _, ok := f.Language.Texts[u.Name]; ok || u.Bind == facts.BindFree && isOfLibrary(u.Name) && len(v.read.Named(u.Name)) == 0 {
		return true
	}
	if u.Bind == facts.BindSymbol {
		k := f.Symbol(u.Target).Kind
		return k.IsType() && k != code.KindType
	}
	told := false
	for _, r := range v.read.Named(u.Name) {
		k := v.read.Symbol(r).Kind
		if k == code.KindType || k == code.KindMacro {
			return false
		}
		told = told || k.IsType() && v.read.Corpus().Family(r.File) == f.Family
	}
	return told && (u.Bind == facts.BindFree || u.Bind == facts.BindMember && u.Target != facts.None)
}

// isAlias reports whether a use names a type by a name that is declared as nothing but
// another one of it.
func (v *Choice) isAlias(f *infer.File, u *facts.Use) bool {
	if u.Bind == facts.BindSymbol {
		return f.Symbol(u.Target).Kind == code.KindType
	}
	if u.Bind == facts.BindMember && u.Target == facts.None {
		return false
	}
	is := false
	for _, r := range v.read.Named(u.Name) {
		k := v.read.Symbol(r).Kind
		if k.IsType() && k != code.KindType || k == code.KindMacro {
			return false
		}
		is = is || k == code.KindType && v.read.Corpus().Family(r.File) == f.Family
	}
	return is
}

// isOfLibrary reports whether a name is that of a type of the library of C that is neither
// a number nor a pointer.
func isOfLibrary(name string) bool { return name == "FILE" || name == "DIR" }

// number is one more than the built-in type that a name stands for, by all that it is
// declared as; 0 where that is none.
func (v *Choice) number(name string) (literal int32) {
	for _, r := range v.read.Named(name) {
		f, s := v.e.File(r.File), v.read.Symbol(r)
		if s.Kind != code.KindType || s.Type == facts.None || s.End-s.Start > maxDeclared {
			return 0
		}
		text, err := v.read.Corpus().TextRange(r.File, int(s.Start), int(s.End), nil)
		if err != nil || bytes.ContainsAny(text, "*&[(") {
			return 0
		}
		n := f.Facts.Expr(int(s.Type))
		if n.Op == facts.OpValue {
			n = f.Facts.Expr(int(n.X))
		}
		switch {
		case n.Op == facts.OpUse && f.Use(n.X).Name == name: // that of another space
		case n.Op == facts.OpLiteral && n.X != facts.LiteralList && n.X != facts.LiteralMap && n.X != facts.LiteralPointer && (literal == 0 || literal == n.X+1):
			literal = n.X + 1
		default:
			return 0
		}
	}
	return literal
}

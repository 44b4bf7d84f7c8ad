package infer

import (
	"math"
	"slices"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// File is a file with what is known of its rows.
type File struct {
	*corpus.File
	Language *Language            // nil where there are no rules
	Meanings Book[int32, Answer]  // by use
	Imported Book[int32, Answer]  // by import
	Values   Book[int32, []Thing] // by expression

	bases map[int32][]int32 // by type: the uses that name its bases, in order
	calls map[int32]int32   // by use: the values that a call gives
	keys  map[int32][]int32 // by expression that a literal is: the uses that are its keys
	keyed map[int32]int32   // by use: the value of a key of a literal
	named map[int32][]int32 // by use: the uses that name arguments of its call
	parts map[int32]int32   // PartOf, by symbol, without those that are 0
	typed map[string]bool   // TypesField, by name

	ofFunctions map[facts.Op]map[int32]int32 // by function: what an expression of an operator says of it
}

// Open returns a file of a language of which nothing is known yet.
func Open(f *corpus.File, l *Language, m *Memory) *File {
	return &File{File: f, Language: l, Meanings: NewBook[int32](m, Answer{}), Imported: NewBook[int32](m, Answer{}),
		Values: NewBook[int32, []Thing](m, nil)}
}

// Expr returns an expression of the file in an environment, which may be nil.
func (f *File) Expr(at int32, in *Env) Expr { return Expr{File: f, At: at, Env: in} }

// TypesField reports whether a field of a name is declared in the file with a type.
func (f *File) TypesField(name string) bool {
	is, known := f.typed[name]
	if known {
		return is
	}
	for i := range f.Facts.SymbolsNamed(name) {
		if s := f.Symbol(int32(i)); s.Kind == code.KindField && s.Flags&facts.Inferred == 0 && s.Type != facts.None {
			is = true
			break
		}
	}
	if f.typed == nil {
		f.typed = map[string]bool{}
	}
	f.typed[name] = is
	return is
}

// Given are the values that a call gives, by its use; nil where the file does
// not say.
func (f *File) Given(use int32) []int32 {
	if f.calls == nil {
		f.calls = map[int32]int32{}
		for i := range f.Facts.ExprsOf(facts.OpGiven) {
			x := f.Facts.Expr(i)
			f.calls[x.X] = x.Y
		}
	}
	at, ok := f.calls[use]
	if !ok {
		return nil
	}
	return Expr{File: f, At: at}.Tuple()
}

// Targeting are the uses that are keys of the literal that an expression stands for.
func (f *File) Targeting(literal int32) []int32 {
	if f.keys == nil {
		f.keys = map[int32][]int32{}
		for i := range f.Facts.NumUses() {
			u := f.Use(int32(i))
			if f.IsKey(u) {
				f.keys[u.Target] = append(f.keys[u.Target], int32(i))
			}
		}
	}
	return f.keys[literal]
}

// Keyed is the value of a key of a literal, None where the file does not say.
func (f *File) Keyed(key int32) int32 {
	if f.keyed == nil {
		f.keyed = map[int32]int32{}
		for i := range f.Facts.ExprsOf(facts.OpKeyed) {
			x := f.Facts.Expr(i)
			f.keyed[x.X] = x.Y
		}
	}
	if value, ok := f.keyed[key]; ok {
		return value
	}
	return facts.None
}

// Naming are the uses that name arguments of the call of a use, in order.
func (f *File) Naming(use int32) []int32 {
	if f.named == nil {
		f.named = map[int32][]int32{}
		for i := range f.Facts.NumUses() {
			u := f.Use(int32(i))
			if call, ok := f.argumentOf(u); ok {
				f.named[call] = append(f.named[call], int32(i))
			}
		}
	}
	return f.named[use]
}

// NamesArgument reports whether a use names an argument of a call.
func (f *File) NamesArgument(u *facts.Use) bool {
	_, ok := f.argumentOf(u)
	return ok
}

// argumentOf is the use that is called with an argument which a use names.
func (f *File) argumentOf(u *facts.Use) (call int32, ok bool) {
	if u.Role != facts.RoleWrite || u.Bind != facts.BindMember || u.Target == facts.None {
		return 0, false
	}
	of := f.Facts.Expr(int(u.Target))
	if of.Op == facts.OpApply && of.X != facts.None {
		of = f.Facts.Expr(int(of.X))
	}
	return of.X, of.Op == facts.OpUse && f.Use(of.X).Role == facts.RoleCall
}

// PartOf tells of which unnamed type a symbol is a member, where the symbol around it
// holds those of several: one more than its OpExtent, 0 where it is of none of these.
func (f *File) PartOf(symbol int32) int32 {
	if f.parts == nil {
		f.parts = map[int32]int32{}
		for i := range f.Facts.ExprsOf(facts.OpMembers) {
			x := f.Facts.Expr(i)
			if x.Y == facts.None || f.Facts.Expr(int(x.Y)).Op != facts.OpExtent {
				continue
			}
			extent := f.Facts.Expr(int(x.Y))
			for m := extent.X; m != facts.None && m <= extent.Y; m++ {
				if f.Symbol(m).Parent != x.X {
					continue
				}
				if in, ok := f.parts[m]; !ok || f.isWithin(extent, f.Facts.Expr(int(in-1))) {
					f.parts[m] = x.Y + 1
				}
			}
		}
	}
	return f.parts[symbol]
}

// IsOf reports whether an unnamed type, as PartOf has it, tells the members of the type
// that holds it: the type is another name of it, of a union or of an intersection with it.
func (f *File) IsOf(typ, part int32) bool {
	if s := f.Symbol(typ); s.Kind == code.KindType && (part != 0 || f.Family == corpus.Script) {
		return f.tells(s.Type, part)
	}
	return part == 0
}

// tells reports whether an expression stands for the members of an unnamed type.
func (f *File) tells(x, part int32) bool {
	if x == facts.None {
		return false
	}
	switch n := f.Facts.Expr(int(x)); n.Op {
	case facts.OpUnion, facts.OpBoth:
		return f.tells(n.X, part) || f.tells(n.Y, part)
	case facts.OpMembers:
		return n.Y+1 == part
	}
	return false
}

// Held are the symbols, from first to before end, among which the members of an unnamed
// type stand. Those of a variable whose text is nothing but its name stand behind it.
func (f *File) Held(t Thing) (first, end int32) {
	if t.Part > 0 && f.Facts.Expr(int(t.Part-1)).Op == facts.OpExtent {
		extent := f.Facts.Expr(int(t.Part - 1))
		return max(extent.X, 0), extent.Y + 1
	}
	s := f.Symbol(t.Ref.Index)
	until := s.End
	if s.Parent != facts.None && !s.Kind.IsFunc() && !s.Kind.IsType() && int(s.End-s.Start) == len(s.Name) {
		until = f.Symbol(s.Parent).End
	}
	return t.Ref.Index + 1, int32(f.Facts.SymbolsFrom(until))
}

// AreTogether reports whether byte other stands in the innermost of the bodies of functions
// without a name that byte at stands in, as far as these have unnamed types.
func (f *File) AreTogether(at, other uint32) bool {
	in := facts.Expr{Y: math.MaxInt32}
	for i := range f.Facts.ExprsOf(facts.OpWithin) {
		if x := f.Facts.Expr(i); uint32(x.X) <= at && at < uint32(x.Y) && x.Y-x.X < in.Y-in.X {
			in = x
		}
	}
	return uint32(in.X) <= other && other < uint32(in.Y)
}

// TypeOf is the type that a function is declared with as a value, None where it is none.
func (f *File) TypeOf(fn int32) int32 { return f.ofFunction(facts.OpTyped, fn) }

// BlockOf is the block that a function takes, None where nothing is known of it.
func (f *File) BlockOf(fn int32) int32 { return f.ofFunction(facts.OpTakes, fn) }

// ExtendedBy is the type that a function or a property outside of it is written for, None
// where it is written for none.
func (f *File) ExtendedBy(symbol int32) int32 { return f.ofFunction(facts.OpExtends, symbol) }

// IsBehind reports whether a block stands behind the arguments of the call of a use, of
// which it is not known how many there are.
func (f *File) IsBehind(use int32) bool { return f.ofFunction(facts.OpBehind, use) != facts.None }

// IsAhead reports whether the members of the base that a use names go before those of the
// type that names it.
func (f *File) IsAhead(use int32) bool { return f.ofFunction(facts.OpAhead, use) != facts.None }

// ofFunction is expression Y that an operator joins to function X, None where it does not.
func (f *File) ofFunction(op facts.Op, fn int32) int32 {
	all, ok := f.ofFunctions[op]
	if !ok {
		all = map[int32]int32{}
		for i := range f.Facts.ExprsOf(op) {
			x := f.Facts.Expr(i)
			all[x.X] = x.Y
		}
		if f.ofFunctions == nil {
			f.ofFunctions = map[facts.Op]map[int32]int32{}
		}
		f.ofFunctions[op] = all
	}
	if y, ok := all[fn]; ok {
		return y
	}
	return facts.None
}

// isWithin reports whether an extent is a part of another one.
func (f *File) isWithin(extent, other facts.Expr) bool {
	return extent.X >= other.X && extent.Y <= other.Y && extent != other
}

// IsEnumerator reports whether a symbol is a constant of an enumeration.
func (f *File) IsEnumerator(s *facts.Symbol) bool {
	return s.Kind == code.KindConst && s.Parent != facts.None && f.Symbol(s.Parent).Kind == code.KindEnum
}

// IsVariant reports whether a symbol is a constant of an enumeration, with fields or without.
func (f *File) IsVariant(s *facts.Symbol) bool {
	return f.IsEnumerator(s) && (s.Type == facts.None || f.Language != nil && f.Language.Variants)
}

// FieldsOf are the values that a type of the file without names for them, or a constant of
// an enumeration, is made of: an OpTuple.
func (f *File) FieldsOf(t Thing) Expr {
	s := f.Symbol(t.Ref.Index)
	if t.Variant > 0 {
		s = f.Symbol(t.Variant - 1)
	}
	x := f.Expr(s.Type, t.Env)
	if x.At == facts.None || f.Language == nil || !f.Language.Variants || x.Node().Op != facts.OpFunc {
		return x.To(facts.None)
	}
	return x.To(x.Node().Y)
}

// ModuleAround is the name of the module on whose values a use calls a member by its bare
// name, in languages whose types are given members; else "".
func (f *File) ModuleAround(u *facts.Use) string {
	if f.Language == nil || !f.Language.Mixins || !f.Language.Reopens || u.Target == facts.None {
		return ""
	}
	x := f.Facts.Expr(int(u.Target))
	for x.Op == facts.OpElse && x.X != facts.None {
		next := x.X
		if f.Facts.Expr(int(next)).Op == facts.OpSelf {
			next = x.Y
		}
		x = f.Facts.Expr(int(next))
	}
	if x.Op != facts.OpThis || f.Symbol(x.X).Kind != code.KindModule {
		return ""
	}
	return f.Symbol(x.X).Name
}

// Parameter is the parameter of a name that a function takes, None where it takes none.
func (f *File) Parameter(fn int32, name string) int32 {
	end := f.Symbol(fn).End
	for i := fn + 1; int(i) < f.Facts.NumSymbols() && f.Symbol(i).Start < end; i++ {
		if s := f.Symbol(i); s.Parent == fn && s.Kind == code.KindParam && s.Name == name {
			return i
		}
	}
	return facts.None
}

// ParameterTypes are the expressions of the types that a function takes. What
// functions without a name take in its body stands behind its signature.
func (f *File) ParameterTypes(fn int32) []int32 {
	end := EndOfParameters(f.Symbol(fn))
	var all []int32
	for i := fn + 1; int(i) < f.Facts.NumSymbols(); i++ {
		s := f.Symbol(i)
		if s.Start >= end {
			break
		}
		if s.Parent == fn && s.Kind == code.KindParam {
			all = append(all, s.Type)
		}
	}
	return all
}

// EndOfParameters is the byte before which the parameters of a function stand.
func EndOfParameters(fn *facts.Symbol) uint32 {
	if fn.SigEnd <= fn.At {
		return fn.End
	}
	return fn.SigEnd
}

// BaseUses finds the uses that name what a type inherits or embeds, those first whose
// members go before the others.
func (f *File) BaseUses(typ int32) []int32 {
	if all, ok := f.bases[typ]; ok {
		return all
	}
	all := []int32{}
	if s := f.Symbol(typ); s.Kind.IsType() {
		start, end := f.basesOf(s)
		for i := f.Facts.UsesFrom(start); i < f.Facts.NumUses(); i++ {
			u := f.Use(int32(i))
			if u.At >= end {
				break
			}
			if u.In == typ && (u.Role == facts.RoleInherit || u.Role == facts.RoleImplement) {
				all = append(all, int32(i))
			}
		}
	}
	if f.Language != nil && f.Language.Reopens && f.Language.Mixins { // what is mixed in last goes first, the superclass last
		slices.Reverse(all)
	}
	if f.bases == nil {
		f.bases = map[int32][]int32{}
	}
	f.bases[typ] = all
	return all
}

// basesOf returns the bytes in which the bases of a type are named.
func (f *File) basesOf(typ *facts.Symbol) (start, end uint32) {
	place := InSignature
	if f.Language != nil {
		place = f.Language.Bases
	}
	switch place {
	case InBody:
		return typ.Start, typ.End
	case InFile:
		return 0, math.MaxUint32
	}
	return typ.Start, typ.SigEnd
}

// CallsAccessors reports whether what reads an accessor is a call of it.
func (f *File) CallsAccessors() bool { return f.Language != nil && f.Language.CallsAccessors }

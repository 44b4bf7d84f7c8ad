package infer

import (
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
)

// IsGivenKey reports whether a use is the key of a literal in the arguments of a
// call, in languages whose literals need no type.
func (f *File) IsGivenKey(u *facts.Use) bool { return f.givenTo(u) != facts.None }

// IsKey reports whether a use is the key of a literal, in languages whose literals need no
// type.
func (f *File) IsKey(u *facts.Use) bool {
	return u.Role == facts.RoleWrite && u.Bind == facts.BindMember && u.Target != facts.None && f.Facts.Expr(int(u.Target)).Op == facts.OpShaped
}

// IsImported reports whether an expression is the name of an import alone.
func (f *File) IsImported(expr int32) bool {
	x := f.Facts.Expr(int(expr))
	return x.Op == facts.OpUse && f.Use(x.X).Bind == facts.BindImport
}

// givenTo is the expression of what is called with a literal that a use is a key of,
// in languages whose literals need no type; None for other uses.
func (f *File) givenTo(u *facts.Use) int32 {
	if u.Role != facts.RoleWrite || f.Language == nil || !f.Language.KeysAreMembers {
		return facts.None
	}
	for at := u.Target; at != facts.None; {
		switch x := f.Facts.Expr(int(at)); x.Op {
		case facts.OpArgument:
			return x.X
		case facts.OpElem, facts.OpCall, facts.OpShaped:
			at = x.X
		case facts.OpUse: // a key around it
			around := f.Use(x.X)
			if around.Role != facts.RoleWrite || around.Bind != facts.BindMember {
				return facts.None
			}
			at = around.Target
		default:
			return facts.None
		}
	}
	return facts.None
}

// IsContextual reports whether a use is of a member of "this" in a function of
// an unnamed object, which may be called on something else.
func (f *File) IsContextual(u *facts.Use) bool {
	return u.Target != facts.None && f.Facts.Expr(int(u.Target)).Op == facts.OpMembers
}

// Constructing is the name by which uses mean the constructors of a type that bear its name.
const Constructing = "this"

// New is the keyword of new() and X::new, whose use means the constructors of a type that
// bear its name.
func New(_ *corpus.File, u *facts.Use) (name string, ok bool) {
	return Constructing, u.Name == "new" && u.Bind == facts.BindMember
}

// Calling is the Keyword of a language in which words call one member where they stand for
// what an operator says: super(...), new this(...).
func Calling(member string, words map[string]facts.Op) func(*corpus.File, *facts.Use) (string, bool) {
	return func(f *corpus.File, u *facts.Use) (name string, ok bool) {
		op, ok := words[u.Name]
		return member, ok && f.Target(u) == op && u.Role == facts.RoleCall
	}
}

// Meant is use i, under the name of the member that it means where it is a keyword.
func (f *File) Meant(i int32) *facts.Use {
	u := f.Use(i)
	if f.Language == nil || f.Language.Keyword == nil || u.Bind != facts.BindMember {
		return u
	}
	name, ok := f.Language.Keyword(f.File, u)
	if !ok {
		return u
	}
	named := *u
	named.Name = name
	return &named
}

// IsMaker reports whether a use is a call of what makes a value of a type.
func (f *File) IsMaker(u *facts.Use) bool {
	return f.Language != nil && u.Name == f.Language.Maker && u.Role == facts.RoleCall
}

// IsImplicit reports whether a use is of a member that is written as a bare name.
func (f *File) IsImplicit(u *facts.Use) bool {
	return f.Language != nil && u.Target != facts.None && slices.Contains(f.Language.Implicit, f.Facts.Expr(int(u.Target)).Op)
}

// IsNotOfCore reports whether types of the language itself are known to lack the member that
// a use names.
func (f *File) IsNotOfCore(u *facts.Use) bool {
	return f.Language != nil && f.Language.Core != nil && !f.Language.Builtins[u.Name] && !f.Language.Everything[u.Name]
}

// MayBeElse reports whether a bare name may be a member of something else than the value
// around it, in languages that give types members: in a block that another one is given.
func (f *File) MayBeElse(u *facts.Use) bool {
	return f.Language.Mixins && f.Facts.Expr(int(u.Target)).Op == facts.OpElse
}

// IsOfBlocks reports whether a use is of a member of what blocks may run on, and of
// nothing else: where they are not known to run on something it is a plain name.
func (f *File) IsOfBlocks(u *facts.Use) bool {
	at := u.Target
	for ; at != facts.None; at = f.Facts.Expr(int(at)).Y {
		x := f.Facts.Expr(int(at))
		if x.Op != facts.OpElse || x.X == facts.None || f.Facts.Expr(int(x.X)).Op != facts.OpSelf {
			return false
		}
	}
	return u.Target != facts.None
}

// IsNarrowed reports whether one of several alternatives is not what a member is
// used of: a text or a number that has no such member.
func (f *File) IsNarrowed(t Thing, u *facts.Use) bool {
	return t.Kind == ABuiltin && f.Language != nil && len(f.Language.Builtins) > 0 && !f.Language.Builtins[u.Name]
}

// IsReceiver reports whether a parameter of a function takes the receiver.
func (f *File) IsReceiver(param, fn *facts.Symbol) bool {
	if param.Type == facts.None || f.Language == nil || !f.Language.ExplicitReceiver {
		return false
	}
	x := f.Facts.Expr(int(param.Type))
	return (x.Op == facts.OpThis || x.Op == facts.OpSymbol) && x.X == fn.Parent
}

// ParameterType is the expression of the type of a parameter: that of the whole
// where the name stands in a pattern.
func (f *File) ParameterType(param *facts.Symbol) int32 {
	if param.Flags&facts.Inferred == 0 || param.Type == facts.None {
		return param.Type
	}
	x := f.Facts.Expr(int(param.Type))
	if x.Op == facts.OpUnion && x.X != facts.None { // with a value by default
		x = f.Facts.Expr(int(x.X))
	}
	if x.Op == facts.OpUse {
		if u := f.Use(x.X); u.Bind == facts.BindMember && u.At <= param.At {
			return u.Target
		}
	}
	return param.Type
}

// maxReceiver bounds the calls and elements in the text of a receiver.
const maxReceiver = 48

// Receiver is the last name in the text of an expression, in small letters.
func (f *File) Receiver(e int32) string {
	for range maxReceiver {
		if e == facts.None {
			return ""
		}
		x := f.Facts.Expr(int(e))
		switch x.Op {
		case facts.OpUse:
			return strings.ToLower(strings.TrimPrefix(f.Use(x.X).Name, "get"))
		case facts.OpElem:
			if f.Language != nil && f.Language.WholeNames { // the list has that name, not its element
				return ""
			}
			e = x.X
		case facts.OpCall, facts.OpValue:
			e = x.X
		default:
			return ""
		}
	}
	return ""
}

// IsCopy reports whether a symbol is a variable that is given the value of another name,
// which TypeScript has as a thing of its own; {name} takes a member out, which bears that
// name.
func (f *File) IsCopy(symbol int32) bool {
	s := f.Symbol(symbol)
	if f.Language == nil || !f.Language.TypesApart || s.Kind != code.KindVar && s.Kind != code.KindConst || s.Type == facts.None {
		return false
	}
	x := f.Facts.Expr(int(s.Type))
	return x.Op == facts.OpUse && f.Use(x.X).At != s.At
}

// OrAdded are the members of a thing that were found, or, where there are none, those of
// the name that the repository adds to it, or that an annotation makes of a field, as the
// language of the file tells.
func (f *File) OrAdded(t Thing, name string, found []Member, state State, b Budget) ([]Member, State) {
	l := f.Language
	if l == nil || state == Found {
		return found, state
	}
	if l.Extensions != nil {
		for _, r := range l.Extensions(f.File, t, name) {
			found, state = append(found, Member{Ref: r, Guess: true}), Found
		}
	}
	if l.Generated != nil && state != Found {
		if r, ok := l.Generated(t, name, b); ok {
			found, state = []Member{{Ref: r, Env: t.Env, Method: true}}, Found
		}
	}
	return found, state
}

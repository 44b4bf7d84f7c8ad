package infer

import (
	"espy/internal/facts"
)

// IsGivenKey reports whether a use is the key of a literal in the arguments of a
// call, in languages whose literals need no type.
func (f *File) IsGivenKey(u *facts.Use) bool { return f.givenTo(u) != facts.None }

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

package corpus

import (
	"espy/internal/code"
	"espy/internal/facts"
)

// AtTop reports whether a symbol stands in the outermost scope of its file.
func AtTop(s *facts.Symbol) bool {
	return s.Parent == facts.None && s.Owner == "" && s.Flags&facts.Local == 0 && s.Kind != code.KindField
}

// CanBeMember reports whether a symbol within a type is a member of it, not one
// of its parameters.
func CanBeMember(s *facts.Symbol) bool {
	return s.Kind != code.KindTypeParam && s.Kind != code.KindParam
}

// IsMember reports whether a symbol is a member of a type or of a namespace.
func IsMember(s *facts.Symbol) bool {
	return CanBeMember(s) && (s.Owner != "" || s.Parent != facts.None)
}

// IsWithin reports whether a symbol that another one holds is a member of it, or, of a
// function, of the unnamed type that this gives.
func IsWithin(holder, s *facts.Symbol) bool {
	if holder.Kind.IsFunc() {
		return s.Kind == code.KindField || s.Kind == code.KindMethod
	}
	return CanBeMember(s)
}

// Promotes reports whether the constants of an enumeration are members of the type
// around it, too.
func Promotes(s *facts.Symbol, typ int32) bool {
	return s.Kind == code.KindEnum && s.Flags&facts.Embedded != 0 && s.Parent == typ
}

// AreMerged reports whether a symbol of the same file is another declaration of a type.
func AreMerged(s, typ *facts.Symbol) bool {
	return s.Name == typ.Name && s.Parent == typ.Parent && s.At != typ.At && s.Kind.IsType() && typ.Kind.IsType()
}

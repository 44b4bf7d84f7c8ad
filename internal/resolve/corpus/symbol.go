package corpus

import "espy/internal/code"

// AtTop reports whether a symbol stands in the outermost scope of its file.
func AtTop(s *code.Symbol) bool {
	return s.Parent == code.None && s.Owner == "" && s.Flags&code.Local == 0 && s.Kind != code.KindField
}

// CanBeMember reports whether a symbol within a type is a member of it, not one
// of its parameters.
func CanBeMember(s *code.Symbol) bool {
	return s.Kind != code.KindTypeParam && s.Kind != code.KindParam
}

// IsMember reports whether a symbol is a member of a type or of a namespace.
func IsMember(s *code.Symbol) bool {
	return CanBeMember(s) && (s.Owner != "" || s.Parent != code.None)
}

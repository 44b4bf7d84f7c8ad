package infer

import (
	"espy/internal/code"
	"espy/internal/facts"
)

// IsType reports whether a kind names a type, in languages that allow the same
// name for a type and a value. A class, an enum and a module are both.
func IsType(k code.Kind) bool { return k.IsType() || k == code.KindTypeParam }

// IsValue reports whether a kind names a value there.
func IsValue(k code.Kind) bool {
	return k != code.KindInterface && k != code.KindType && k != code.KindTypeParam
}

// IsCalled reports whether a symbol can be what a call names, or what is named
// without one, in a language where the two stand apart.
func IsCalled(s *facts.Symbol, call bool) bool {
	return s.Kind.IsType() || s.Kind.IsFunc() == call || call && s.Flags&facts.Accessor != 0
}

// Fits reports whether a call gives as many arguments as a function takes.
func Fits(s *facts.Symbol, u *facts.Use) bool {
	if u.Role != facts.RoleCall || u.Args == facts.None || !s.Kind.IsFunc() {
		return true
	}
	return u.Args >= int16(s.MinArgs) && (s.MaxArgs == facts.ManyArgs || u.Args <= int16(s.MaxArgs))
}

package jdk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/resolve/infer"
)

// Built are the methods of builders that make a value of the class which gave them.
var Built = &infer.Models{Gives: map[string]infer.Gives{"build": infer.AnElement}}

// Builder reports whether a method gives a builder of Lombok.
func Builder(method string) bool { return method == "builder" || method == "toBuilder" }

// accessors are what stands before the name of a field in the methods of Lombok.
var accessors = []string{"get", "is", "set", "with"}

// Accessed are the fields that a method of Lombok may read or set by its name, the
// likeliest first; none of another method. See projectlombok.org/features/GetterSetter.
func Accessed(method string) (fields []string) {
	for _, before := range accessors {
		rest, ok := strings.CutPrefix(method, before)
		first, n := utf8.DecodeRuneInString(rest)
		if !ok || n == 0 || unicode.IsLower(first) {
			continue
		}
		fields = append(fields, string(unicode.ToLower(first))+rest[n:], rest)
		if before == "is" || before == "set" { // of a boolean
			fields = append(fields, "is"+rest)
		}
	}
	return fields
}

// Accessors are the names of the methods that Lombok may make of a field.
func Accessors(field string) (methods []string) {
	names := []string{field}
	if rest, ok := strings.CutPrefix(field, "is"); ok && rest != "" && !unicode.IsLower(rune(rest[0])) {
		methods, names = append(methods, field), append(names, rest)
	}
	for _, name := range names {
		first, n := utf8.DecodeRuneInString(name)
		for _, before := range accessors {
			methods = append(methods, before+string(unicode.ToUpper(first))+name[n:])
		}
	}
	return methods
}

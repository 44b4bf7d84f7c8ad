// Package lombok tells the methods that Lombok makes of fields, and those by which Java has
// the properties of Kotlin. See projectlombok.org/features.
package lombok

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/wordset"
)

// Methods finds them within one question.
type Methods struct {
	read     *corpus.Reader
	infer    evaluator
	isKotlin func(corpus.FileID) bool
	used     map[corpus.FileID]bool // the files that import Lombok, and others that were asked for
}

// evaluator finds what a thing has under a name.
type evaluator interface {
	Member(t infer.Thing, name string, b infer.Budget) ([]infer.Member, infer.State)
}

// New makes them.
func New(read *corpus.Reader, in evaluator, isKotlin func(corpus.FileID) bool) *Methods {
	return &Methods{read, in, isKotlin, map[corpus.FileID]bool{}}
}

// Of finds the field that a method reads or sets which Lombok makes, of a value or of its
// builder, the class that gives a builder, and the property of Kotlin that Java calls so.
func (m *Methods) Of(t infer.Thing, name string, b infer.Budget) (field corpus.Ref, ok bool) {
	fields := Accessed(name)
	for t.Kind == infer.Elsewhere && t.Recv != nil {
		if isBuilder(t.Name) {
			fields = []string{name}
		}
		t = *t.Recv
	}
	switch {
	case t.Kind != infer.AValue && t.Kind != infer.AType || t.Unnamed:
		return field, false
	case isBuilder(name):
		return t.Ref, m.isUsed(t.Ref.File)
	}
	for _, name := range fields {
		found, _ := m.infer.Member(infer.ValueOf(t.Ref), name, b.Deeper())
		for _, r := range found {
			if r.Module == nil && m.hasAccessors(r.Ref) {
				return r.Ref, true
			}
		}
	}
	return field, false
}

// Bare finds what a bare name means that a type around it has from Lombok.
func (m *Methods) Bare(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	if u.Role != facts.RoleCall || !m.isUsed(f.ID) {
		return infer.Answer{}
	}
	for i := u.In; i != facts.None; i = f.Symbol(i).Parent {
		if !f.Symbol(i).Kind.IsType() {
			continue
		}
		if r, ok := m.Of(infer.ValueOf(corpus.Ref{File: f.ID, Index: i}), u.Name, b.Restart()); ok {
			return infer.Answer{Refs: []corpus.Ref{r}, State: infer.Found, Reason: "member of " + f.Symbol(i).Name}
		}
	}
	return infer.Answer{}
}

// Names are the names of the methods that Lombok may make of a field, and by which Java
// has a property of Kotlin.
func (m *Methods) Names(field corpus.Ref) []string {
	if !m.hasAccessors(field) {
		return nil
	}
	return accessorsOf(m.read.Symbol(field).Name)
}

// hasAccessors reports whether a symbol is a field that methods read or set which no file
// declares.
func (m *Methods) hasAccessors(r corpus.Ref) bool {
	s := m.read.Symbol(r)
	return s.Kind == code.KindField && s.Flags&facts.Static == 0 && (m.isUsed(r.File) || m.isKotlin(r.File))
}

// isUsed reports whether a file imports what makes accessors or builders: others of Lombok
// make none.
func (m *Methods) isUsed(id corpus.FileID) bool {
	uses, ok := m.used[id]
	if !ok {
		f := m.read.File(id).Facts
		for i := 0; i < f.NumImports() && !uses; i++ {
			row := f.Import(i)
			uses = row.Module == "lombok" && making()[row.Name] || row.Module == "lombok.experimental"
		}
		m.used[id] = uses
	}
	return uses
}

// making are the annotations that make accessors or builders.
var making = sync.OnceValue(func() map[string]bool { return wordset.Of("* Builder Data Getter Setter Value With") })

// Built are the methods of builders that make a value of the class which gave them.
var Built = &infer.Models{Gives: map[string]infer.Gives{"build": infer.AnElement}}

// isBuilder reports whether a method gives a builder.
func isBuilder(method string) bool { return method == "builder" || method == "toBuilder" }

// accessors are what stands before the name of a field in the methods.
var accessors = []string{"get", "is", "set", "with"}

// Accessed are the fields that a method may read or set by its name, the likeliest first;
// none of another method.
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

// accessorsOf are the names of the methods that may read or set a field.
func accessorsOf(field string) (methods []string) {
	names := []string{field}
	if rest, ok := strings.CutPrefix(field, "is"); ok && rest != "" && !unicode.IsLower(rune(rest[0])) {
		names = append(names, rest)
	}
	for _, name := range names {
		first, n := utf8.DecodeRuneInString(name)
		for _, before := range accessors {
			methods = append(methods, before+string(unicode.ToUpper(first))+name[n:])
		}
	}
	return methods
}

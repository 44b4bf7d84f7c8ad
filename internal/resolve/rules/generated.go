package rules

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/jdk"
)

// generated finds the field that a method reads or sets which Lombok makes, of a value or
// of its builder, the class that gives a builder, and the property of Kotlin that Java calls so.
func (j *java) generated(t infer.Thing, name string, b infer.Budget) (field corpus.Ref, ok bool) {
	fields := jdk.Accessed(name)
	for t.Kind == infer.Elsewhere && t.Recv != nil {
		if jdk.Builder(t.Name) {
			fields = []string{name}
		}
		t = *t.Recv
	}
	if typed := t.Kind == infer.AValue || t.Kind == infer.AType; typed && jdk.Builder(name) {
		return t.Ref, j.usesLombok(t.Ref.File)
	}
	if len(fields) == 0 || t.Kind != infer.AValue && t.Kind != infer.AType || t.Unnamed {
		return field, false
	}
	for _, name := range fields {
		found, _ := j.infer.Member(infer.ValueOf(t.Ref), name, b.Deeper())
		for _, m := range found {
			if m.Module == nil && j.hasAccessors(m.Ref) {
				return m.Ref, true
			}
		}
	}
	return field, false
}

// ownGenerated finds what a bare name means that a type around it has from Lombok.
func (j *java) ownGenerated(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	if u.Role != facts.RoleCall || !j.usesLombok(f.ID) {
		return infer.Answer{}
	}
	for i := u.In; i != facts.None; i = f.Symbol(i).Parent {
		if !f.Symbol(i).Kind.IsType() {
			continue
		}
		if r, ok := j.generated(infer.ValueOf(corpus.Ref{File: f.ID, Index: i}), u.Name, b.Restart()); ok {
			return infer.Answer{Refs: []corpus.Ref{r}, State: infer.Found, Reason: "member of " + f.Symbol(i).Name}
		}
	}
	return infer.Answer{}
}

// generates are the names of the methods that Lombok may make of a field, and by which Java
// has a property of Kotlin.
func (j *java) generates(field corpus.Ref) []string {
	if !j.hasAccessors(field) {
		return nil
	}
	return jdk.Accessors(j.read.Symbol(field).Name)
}

// hasAccessors reports whether a symbol is a field that methods read or set which no file
// declares.
func (j *java) hasAccessors(r corpus.Ref) bool {
	s := j.read.Symbol(r)
	return s.Kind == code.KindField && s.Flags&facts.Static == 0 && (j.usesLombok(r.File) || j.isKotlin(r.File))
}

// usesLombok reports whether a file imports something of Lombok.
func (j *java) usesLombok(id corpus.FileID) bool {
	uses, ok := j.lombok[id]
	if !ok {
		f := j.read.File(id).Facts
		for i := 0; i < f.NumImports() && !uses; i++ {
			module := f.Import(i).Module
			uses = module == "lombok" || strings.HasPrefix(module, "lombok.")
		}
		j.lombok[id] = uses
	}
	return uses
}

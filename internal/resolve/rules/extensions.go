package rules

import (
	"slices"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/jdk"
)

// extensions finds the extensions of Kotlin that a file sees on a type that no file
// declares: those that are written for the type, else those for a type above it. Every
// value has those that are written for all.
func (j *java) extensions(f *corpus.File, t infer.Thing, name string) []corpus.Ref {
	names := receivers(t)
	best, all := len(names), []corpus.Ref(nil)
	for _, r := range j.read.Named(name) {
		s := j.read.Symbol(r)
		at := slices.Index(names, s.Owner)
		if at < 0 || at > best || j.corpus.Family(r.File) != corpus.Java || !isExtension(s) || !j.isForeign(r) || !j.sees(f, r) {
			continue
		}
		if at < best {
			best, all = at, nil
		}
		all = append(all, r)
	}
	return all
}

// sees reports whether a file knows a function or property outside of types: one of its
// own, of its package or of what it imports.
func (j *java) sees(f *corpus.File, r corpus.Ref) bool {
	pkg := j.read.File(r.File).Facts.Package()
	switch {
	case r.File == f.ID:
		return true
	case j.isPrivate(r):
		return false
	case pkg == f.Facts.Package():
		return true
	}
	for i := range f.Facts.NumImports() {
		if row := f.Facts.Import(i); row.Module == pkg && (row.Name == "*" || row.Name == j.read.Symbol(r).Name) {
			return true
		}
	}
	return false
}

// receivers are the names of a type from elsewhere and of those above it, as extensions
// name what they are written for, the nearest first.
func receivers(t infer.Thing) []string {
	name := ""
	switch t.Kind {
	case infer.AValue:
		return []string{"Any"}
	case infer.AList:
		return []string{"List", "MutableList", "Array", "Set", "MutableSet", "Collection", "MutableCollection", "Iterable", "Sequence"}
	case infer.AMap:
		return []string{"Map", "MutableMap"}
	case infer.ABuiltin:
		name = builtins[t.Argument]
	case infer.Elsewhere:
		if name = t.Name; t.Recv != nil {
			name = jdk.Conversions.Results[name]
		}
	}
	if name == "" {
		return nil
	}
	return append(append([]string{name}, jdk.Conversions.Above[name]...), "Any")
}

// builtins are the types of Kotlin's literals.
var builtins = map[int32]string{
	facts.LiteralString: "String", facts.LiteralBool: "Boolean", facts.LiteralMirror: "KClass", facts.LiteralNumber: "Int",
	facts.LiteralByte: "Byte", facts.LiteralShort: "Short", facts.LiteralChar: "Char", facts.LiteralInt: "Int",
	facts.LiteralLong: "Long", facts.LiteralFloat: "Float", facts.LiteralDouble: "Double",
}

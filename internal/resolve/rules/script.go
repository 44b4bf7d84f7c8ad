package rules

import (
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
)

// script is the rules of JavaScript and TypeScript.
type script struct {
	asker
	project   func() *scriptProject
	exporting lookups
}

func scriptLanguage(a asker, project func() *scriptProject) *infer.Language {
	return &infer.Language{
		Rules: &script{a, project, lookups{}}, Dynamic: true, Hierarchy: true, ComponentArguments: true, TypesApart: true, PassesOn: true, Mixins: true, StaticsApart: true, Constructor: "constructor",
		Utilities: map[string]bool{ // those that keep the names of the members
			"Partial": true, "Required": true, "Readonly": true, "Pick": true, "Omit": true, "NonNullable": true,
			"Extract": true, "Exclude": true, "ThisType": true, "NoInfer": true,
		},
		Derived: map[string]infer.Derivation{
			"InstanceType": infer.ItsInstance, "ReturnType": infer.ItsResult, "Awaited": infer.ItsAwaited,
		},
		Containers: map[string]infer.Gives{
			"get": infer.AnElement, "at": infer.AnElement, "pop": infer.AnElement, "shift": infer.AnElement,
			"find": infer.AnElement, "findLast": infer.AnElement, "values": infer.AllElements, "entries": infer.AllEntries,
			"filter": infer.TheSame, "slice": infer.TheSame, "concat": infer.TheSame, "reverse": infer.TheSame,
			"sort": infer.TheSame, "toSorted": infer.TheSame, "toReversed": infer.TheSame, "splice": infer.TheSame,
			"finally": infer.TheSame, "catch": infer.TheSame,
		},
		Builtins: scriptBuiltins,
		Callbacks: map[string]int{
			"forEach": 0, "map": 0, "filter": 0, "find": 0, "findLast": 0, "findIndex": 0, "some": 0, "every": 0, "flatMap": 0,
			"sort": 0, "reduce": 1, "then": 0,
		},
	}
}

// scriptBuiltins are the members of texts, numbers, functions, arrays, maps, sets,
// promises, regular expressions, dates and iterators (ECMA-262).
var scriptBuiltins = wordSet(`length name message stack cause size index input groups source flags lastIndex byteLength buffer
	toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable constructor prototype apply call bind
	at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll normalize padEnd padStart
	repeat replace replaceAll search slice split startsWith substring substr toLowerCase toUpperCase trim trimEnd trimStart
	copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach join keys map pop push reduce
	reduceRight reverse shift some sort splice toReversed toSorted toSpliced unshift values with
	get set has add delete clear union intersection difference then catch finally exec test compile next return throw
	toFixed toPrecision toExponential getTime getDate getDay getFullYear getHours getMinutes getMonth getSeconds setTime toISOString toJSON
	parse stringify assign create defineProperty freeze fromEntries is all race any resolve reject from of isArray log warn error info debug`)

// wordSet is the set of the words in a text.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// Import finds a file, or what it exports under a name. Without a module it is a
// name of the file itself.
func (s *script) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	if m.Module == "" {
		return s.own(f, m.Name, b)
	}
	id, ok := s.project().find(f.Folder, m.Module)
	if !ok {
		return s.missing(m)
	}
	mod := &infer.Module{Files: []corpus.FileID{id}, Path: s.corpus.Path(id), Family: f.Family}
	if m.Name == "" || m.Name == "*" {
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "imported module"}
	}
	return s.Exported(mod, m.Name, b)
}

// missing is what an import takes from a module that the repository lacks.
func (s *script) missing(m *facts.Import) infer.Answer {
	if strings.HasPrefix(m.Module, ".") {
		return infer.Answer{State: infer.Absent}
	}
	if refs := s.augmented(m); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared for the module " + m.Module}
	}
	return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere", Via: m.Name}
}

// augmented finds what the repository declares for a module from elsewhere:
// declare module "name".
func (s *script) augmented(m *facts.Import) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range s.read.Named(m.Name) {
		sym := s.read.Symbol(r)
		if sym.Parent == facts.None {
			continue
		}
		if p := s.read.Symbol(corpus.Ref{File: r.File, Index: sym.Parent}); p.Kind == code.KindModule && strings.Trim(p.Name, "\"'") == m.Module {
			refs = append(refs, r)
		}
	}
	return refs
}

// own finds what a file means by a name at its top.
func (s *script) own(f *corpus.File, name string, b infer.Budget) infer.Answer {
	if refs := f.TopNamed(name); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in this file"}
	}
	for i := range f.Facts.NumImports() {
		if row := f.Facts.Import(i); row.Local == name && row.Module != "" && row.Flags&facts.Reexport == 0 {
			return s.imported(f, i, b)
		}
	}
	return infer.Answer{State: infer.Absent}
}

// Exported finds what a file exports under a name.
func (s *script) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	if len(m.Files) == 0 {
		return infer.Answer{State: infer.Absent}
	}
	return s.exporting.once(m.Path, name, func() infer.Answer { return s.exported(m, name, b) })
}

func (s *script) exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	f := s.read.File(m.Files[0])
	var refs []corpus.Ref
	for _, r := range f.TopNamed(name) {
		if f.Symbol(r.Index).Flags&facts.Exported != 0 {
			refs = append(refs, r)
		}
	}
	if len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "imported from " + f.Path}
	}
	state := infer.Absent
	for i := range f.Facts.NumImports() {
		row := f.Facts.Import(i)
		all := row.Name == "*" && row.Local == ""
		if row.Flags&facts.Reexport == 0 || row.Local != name && (!all || name == "default") {
			continue
		}
		a := s.imported(f, i, b)
		if all && a.State == infer.Found {
			a = s.Exported(a.Modules[0], name, b)
		}
		switch a.State {
		case infer.Found:
			a.Reason = "imported from " + f.Path
			if row.Module != "" {
				a.Reason = "passed on by " + f.Path
			}
			return a
		case infer.Outside:
			state = infer.Outside
		}
	}
	if name == "default" && state == infer.Absent {
		return infer.Answer{Modules: []*infer.Module{m}, State: infer.Found, Reason: "imported module"}
	}
	return infer.Answer{State: state}
}

// Free looks a name up among those that declaration files without imports and
// exports declare for all files.
func (s *script) Free(f *corpus.File, u *facts.Use, _ infer.Budget) infer.Answer {
	var refs []corpus.Ref
	for _, r := range s.read.Named(u.Name) {
		o := s.read.File(r.File)
		sym := o.Symbol(r.Index)
		if o.Family != f.Family || !corpus.AtTop(sym) || o.ID == f.ID {
			continue
		}
		if o.Facts.NumImports() == 0 && sym.Flags&facts.Exported == 0 && strings.HasSuffix(o.Path, ".d.ts") {
			refs = append(refs, r)
		}
	}
	if len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Confidence: facts.Likely, Reason: "declared for all files"}
	}
	return infer.Answer{State: infer.Outside}
}

// Owns reports whether a symbol and the type that it names stand in one file.
func (s *script) Owns(typ, owned corpus.Ref, _ infer.Budget) bool { return owned.File == typ.File }

// Same reports whether two symbols are declared in one scope of one file, and can
// stand in the same place: a constant is apart from an interface of its name.
func (s *script) Same(a, b corpus.Ref) bool {
	x, y := s.read.Symbol(a), s.read.Symbol(b)
	return s.sameScope(a, b) && x.Flags&facts.Static == y.Flags&facts.Static &&
		(infer.IsType(x.Kind) && infer.IsType(y.Kind) || infer.IsValue(x.Kind) && infer.IsValue(y.Kind))
}

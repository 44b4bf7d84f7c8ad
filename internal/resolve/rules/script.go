package rules

import (
	"cmp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/npm"
	"espy/internal/wordset"
)

// script is the rules of JavaScript and TypeScript.
type script struct {
	asker
	project    func() *npm.Project
	exporting  lookups
	augmenting map[string][]corpus.Ref // the symbols of a name in augmentations
	global     map[string][]corpus.Ref // the symbols of a name that are declared for all files
	imports    map[string]bool         // modules that some file imports, by name
	joined     map[declaredFor][]corpus.Ref
	found      map[moduleIn]foundModule
	augmented  map[string][]corpus.Ref // augmentations of modules
}

// moduleIn is the name of a module, as it is imported in a folder.
type moduleIn struct{ folder, module string }

// foundModule is the file that a module means, and whether that is a guess.
type foundModule struct {
	file  corpus.FileID
	is    bool
	guess bool
}

// scriptKeyword is the name of what super(...) and new this(...) call.
var scriptKeyword = infer.Calling("constructor", map[string]facts.Op{"super": facts.OpSuper, "this": facts.OpElse})

func scriptLanguage(a asker, project func() *npm.Project) *infer.Language {
	rules := &script{a, project, a.lookups(), map[string][]corpus.Ref{}, map[string][]corpus.Ref{}, map[string]bool{}, map[declaredFor][]corpus.Ref{}, map[moduleIn]foundModule{}, map[string][]corpus.Ref{}}
	return &infer.Language{
		Rules: rules, Foreign: rules.isForeign, Alike: rules.alike, Dynamic: true, Hierarchy: true, ComponentArguments: true, KeysAreMembers: true, TypesApart: true, ImportsTell: true, PassesOn: true, Mixins: true, RestsAreLists: true, StaticsApart: true, Constructor: "constructor", Keyword: scriptKeyword, Keywords: []string{"super", "this"},
		Utilities: map[string]bool{ // those that keep the names of the members
			"Partial": true, "Required": true, "Readonly": true, "Pick": true, "Omit": true, "NonNullable": true,
			"Extract": true, "Exclude": true, "ThisType": true, "NoInfer": true,
			"PropsWithChildren": true, "PropsWithoutRef": true, "RenderableProps": true, "ParentProps": true, "FlowProps": true,
		},
		Maps: map[string]bool{"Record": true},
		Derived: map[string]infer.Derivation{
			"InstanceType": infer.ItsInstance, "ReturnType": infer.ItsResult, "Awaited": infer.ItsAwaited,
			"Parameters": infer.ItsParameters, "ConstructorParameters": infer.ItsParameters,
		},
		Containers: map[string]infer.Gives{
			"get": infer.AnElement, "at": infer.AnElement, "pop": infer.AnElement, "shift": infer.AnElement,
			"find": infer.AnElement, "findLast": infer.AnElement, "values": infer.AllElements, "entries": infer.AllEntries,
			"filter": infer.TheSame, "slice": infer.TheSame, "concat": infer.TheSame, "reverse": infer.TheSame,
			"sort": infer.TheSame, "toSorted": infer.TheSame, "toReversed": infer.TheSame, "splice": infer.TheSame,
			"finally": infer.TheSame, "catch": infer.TheSame,
		},
		Infers: true, Signatures: true, Flat: map[string]bool{"Promise": true, "PromiseLike": true}, Leading: infer.Yielding, Functional: infer.Components,
		Applies: map[string]infer.Gives{"call": infer.ItsOutcome, "apply": infer.ItsOutcome, "bind": infer.TheSame},
		Results: map[string]infer.Gives{"map": infer.Outcomes, "flatMap": infer.Outcomes, "then": infer.LaterOne},
		Library: map[string]infer.Gives{
			"Object.values": infer.AllElements, "Object.entries": infer.AllEntries, "Array.from": infer.AllElements,
			"Object.assign": infer.TheSame, "Object.freeze": infer.TheSame, "Object.seal": infer.TheSame, "Promise.resolve": infer.TheSame,
			"Promise.all": infer.AllAwaited, "Promise.race": infer.AnElement, "Promise.any": infer.AnElement,
		},
		Pairs:    map[string]bool{"Map": true, "ReadonlyMap": true},
		Builtins: scriptBuiltins,
		Takes:    map[string]int{"push": 0, "unshift": 0, "add": 0, "fill": 0, "includes": 0, "indexOf": 0, "set": 1, "with": 1},
		Callbacks: map[string]int{
			"forEach": 0, "map": 0, "filter": 0, "find": 0, "findLast": 0, "findIndex": 0, "some": 0, "every": 0, "flatMap": 0,
			"sort": 0, "reduce": 1, "then": 0,
		},
	}
}

// scriptBuiltins are the members of texts, numbers, functions, arrays, maps, sets,
// promises, regular expressions, dates and iterators (ECMA-262).
var scriptBuiltins = wordset.Of(`length name message stack cause size index input groups source flags lastIndex byteLength buffer
	toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable constructor prototype apply call bind
	at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll normalize padEnd padStart
	repeat replace replaceAll search slice split startsWith substring substr toLowerCase toUpperCase trim trimEnd trimStart
	copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach join keys map pop push reduce
	reduceRight reverse shift some sort splice toReversed toSorted toSpliced unshift values with
	get set has add delete clear union intersection difference then catch finally exec test compile next return throw
	toFixed toPrecision toExponential getTime getDate getDay getFullYear getHours getMinutes getMonth getSeconds setTime toISOString toJSON
	parse stringify assign create defineProperty freeze fromEntries is all race any resolve reject from of isArray log warn error info debug
	preventDefault stopPropagation stopImmediatePropagation currentTarget relatedTarget addEventListener removeEventListener dispatchEvent appendChild removeChild insertBefore replaceChild
	cloneNode parentNode parentElement childNodes firstChild lastChild nextSibling textContent innerHTML outerHTML querySelector querySelectorAll closest getElementById getAttribute setAttribute
	removeAttribute hasAttribute classList className dataset tagName nodeName nodeType focus blur click scrollIntoView getBoundingClientRect offsetWidth offsetHeight scrollTop scrollLeft`)

// Import finds a file, or what it exports under a name. Without a module it is a
// name of the file itself.
func (s *script) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	if m.Module == "" {
		return s.own(f, m.Name, b)
	}
	found := s.find(f.Folder, m.Module)
	if !found.is {
		return s.missing(f, m)
	}
	a := s.taken(f, m, found.file, b)
	if found.guess && a.State == infer.Found {
		a.Confidence, a.Reason = max(a.Confidence, facts.Likely), "by the usual name of the folder of sources"
	}
	return a
}

// find finds the file that a module means in a folder.
func (s *script) find(folder, module string) (m foundModule) {
	m, known := s.found[moduleIn{folder, module}]
	if !known {
		if m.file, m.is = s.project().Find(folder, module); !m.is {
			m.file, m.is = s.project().Guess(folder, module)
			m.guess = m.is
		}
		s.found[moduleIn{folder, module}] = m
	}
	return m
}

// taken is what an import of a file takes from a file.
func (s *script) taken(f *corpus.File, m *facts.Import, id corpus.FileID, b infer.Budget) infer.Answer {
	mod := &infer.Module{Files: []corpus.FileID{id}, Path: s.corpus.Path(id), Family: f.Family}
	if m.Name == "" || m.Name == "*" {
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "imported module"}
	}
	if m.Name == facts.WholeModule {
		return s.whole(mod, b)
	}
	a := s.Exported(mod, m.Name, b)
	if a.State == infer.Absent {
		if refs := s.augmentation(m.Module, m.Name); len(refs) > 0 {
			return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared for the module " + m.Module}
		}
	}
	return a
}

// whole finds the one value that a module of CommonJS gives away, else the module
// itself. It is both where the value is given further names.
func (s *script) whole(m *infer.Module, b infer.Budget) infer.Answer {
	a := s.Exported(m, facts.WholeModule, b)
	if a.State != infer.Found {
		return infer.Answer{Modules: []*infer.Module{m}, State: infer.Found, Reason: "imported module"}
	}
	f := s.read.File(m.Files[0])
	for i := range f.Facts.NumSymbols() {
		r := corpus.Ref{File: f.ID, Index: int32(i)}
		if sym := f.Symbol(r.Index); corpus.AtTop(sym) && sym.Flags&facts.Exported != 0 && !slices.Contains(a.Refs, r) && len(a.Modules) == 0 {
			a.Modules = append(a.Modules, m)
		}
	}
	return a
}

// missing is what an import takes from a module that the repository lacks.
func (s *script) missing(f *corpus.File, m *facts.Import) infer.Answer {
	if strings.HasPrefix(m.Module, ".") {
		return infer.Answer{State: infer.Absent}
	}
	if (m.Name == "" || m.Name == "*") && len(s.augmentations(m.Module)) > 0 {
		mod := &infer.Module{Path: augmentedPath + m.Module, Family: f.Family}
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "imported module"}
	}
	if refs := s.augmentation(m.Module, m.Name); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared for the module " + m.Module}
	}
	return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere", Via: m.Name}
}

// augmentedPath is the start of the path of a module from elsewhere, of which only what
// the repository declares for it is known.
const augmentedPath = "declare module "

// augmentations are what the repository declares for a module from elsewhere: the
// symbols of declare module "name".
func (s *script) augmentations(module string) []corpus.Ref {
	all, known := s.augmented[module]
	if !known {
		for _, r := range s.read.Named(module) {
			if s.read.File(r.File).Facts.Kind(int(r.Index)) == code.KindModule {
				all = append(all, r)
			}
		}
		s.augmented[module] = all
	}
	return all
}

// augmentation finds what the repository declares under a name for a module from
// elsewhere.
func (s *script) augmentation(module, name string) (refs []corpus.Ref) {
	for _, in := range s.augmentations(module) {
		f := s.read.File(in.File)
		for i := range f.Facts.SymbolsNamed(name) {
			if f.Symbol(int32(i)).Parent == in.Index {
				refs = append(refs, corpus.Ref{File: in.File, Index: int32(i)})
			}
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
		if row := f.Import(int32(i)); row.Local == name && row.Module != "" && row.Flags&facts.Reexport == 0 {
			return s.imported(f, i, b)
		}
	}
	return infer.Answer{State: infer.Absent}
}

// Exported finds what a file exports under a name.
func (s *script) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	if len(m.Files) == 0 {
		module, _ := strings.CutPrefix(m.Path, augmentedPath)
		if refs := s.augmentation(module, name); len(refs) > 0 {
			return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared for the module " + module}
		}
		return infer.Answer{State: infer.Outside}
	}
	return s.exporting.Recall(lookup{m.Path, name}, b, func() infer.Answer { return s.exported(m, name, b) })
}

func (s *script) exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	f := s.read.File(m.Files[0])
	var refs []corpus.Ref
	for _, r := range f.TopNamed(name) {
		if f.Symbol(r.Index).Flags&facts.Exported != 0 {
			refs = append(refs, r)
		}
	}
	if len(refs) == 0 && isDeclarationFile(f.Path) { // which exports all that it declares
		refs = f.TopNamed(name)
	}
	if len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "imported from " + f.Path}
	}
	state := infer.Absent
	for i := range f.Facts.NumImports() {
		row := f.Import(int32(i))
		all := row.Name == "*" && row.Local == ""
		if row.Flags&facts.Reexport == 0 || row.Local != name && (!all || name == "default" || name == facts.WholeModule) {
			continue
		}
		a := s.imported(f, i, b)
		if all && a.State == infer.Found {
			a = s.infer.Exported(a.Modules[0], name, b)
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
	if name == facts.WholeModule || state != infer.Absent {
		return infer.Answer{State: state}
	}
	if name == "default" {
		return s.whole(m, b)
	}
	return s.memberOfWhole(m, name, b)
}

// memberOfWhole finds a name in the one value that a module of CommonJS gives away.
func (s *script) memberOfWhole(m *infer.Module, name string, b infer.Budget) infer.Answer {
	a := infer.Answer{State: infer.Absent}
	for _, whole := range s.Exported(m, facts.WholeModule, b).Refs {
		for _, t := range s.infer.ThingsOf(whole, b.Restart()) {
			found, state := s.infer.Member(t, name, b.Restart())
			if state == infer.Outside && a.State == infer.Absent {
				a.State = state
			}
			for _, member := range found {
				if member.Module == nil {
					a.Refs = append(a.Refs, member.Ref)
					a.State, a.Reason = infer.Found, "imported from "+m.Path
				}
			}
		}
	}
	return a
}

// isDeclarationFile reports whether a file only declares what others define.
func isDeclarationFile(p string) bool {
	return strings.HasSuffix(p, ".d.ts") || strings.HasSuffix(p, ".d.mts") || strings.HasSuffix(p, ".d.cts")
}

// Free looks a name up among those that declaration files without imports and
// exports, and what is declared global, declare for all files.
func (s *script) Free(f *corpus.File, u *facts.Use, _ infer.Budget) infer.Answer {
	var refs []corpus.Ref
	for _, r := range s.globals(u.Name) {
		if r.File != f.ID || s.isGlobal(f, s.read.Symbol(r)) {
			refs = append(refs, r)
		}
	}
	if len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Confidence: facts.Likely, Reason: "declared for all files"}
	}
	return infer.Answer{State: infer.Outside}
}

// globals are the symbols of a name that are declared for all files.
func (s *script) globals(name string) []corpus.Ref {
	all, ok := s.global[name]
	if ok {
		return all
	}
	for _, r := range s.read.NamedInModules(name) {
		if s.isGlobal(s.read.File(r.File), s.read.Symbol(r)) {
			all = append(all, r)
		}
	}
	for _, r := range s.read.Named(name) {
		if s.corpus.Family(r.File) == corpus.Script && isDeclarationFile(s.corpus.Path(r.File)) && s.isForAll(r) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b corpus.Ref) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Index, b.Index)) })
	s.global[name] = all
	return all
}

// isForAll reports whether a symbol stands at the top of a file without imports and
// exports.
func (s *script) isForAll(r corpus.Ref) bool {
	sym := s.read.Symbol(r)
	return corpus.AtTop(sym) && sym.Flags&facts.Exported == 0 && s.read.File(r.File).Facts.NumImports() == 0
}

// isGlobal reports whether a symbol stands in declare global.
func (s *script) isGlobal(f *corpus.File, sym *facts.Symbol) bool {
	if sym.Parent == facts.None {
		return false
	}
	p := f.Symbol(sym.Parent)
	return p.Kind == code.KindModule && p.Name == "global" && p.Parent == facts.None
}

// Owns reports whether a symbol and the type that it names stand in one file.
func (s *script) Owns(typ, owned corpus.Ref, _ infer.Budget) bool { return owned.File == typ.File }

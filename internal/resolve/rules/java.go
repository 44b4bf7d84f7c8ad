package rules

import (
	"slices"
	"strings"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/jdk"
	"espy/internal/resolve/rules/kotlin"
	"espy/internal/resolve/rules/lombok"
)

// java is the rules of Java.
type java struct {
	asker
	packages func() map[string]bool
	lombok   *lombok.Methods
	kotlin   *kotlin.Calls
}

func javaLanguage(a asker, packages func() map[string]bool, written func() bool) *infer.Language {
	calls := kotlin.New(a.corpus, a.infer)
	j := &java{a, packages, lombok.New(a.read, a.infer, calls.Is), calls}
	s := &scala{j, written}
	other := scalaLanguage(s)
	return &infer.Language{
		Rules: javaBesides{j, s}, Dialects: map[string]*infer.Language{".scala": other, ".sbt": other, ".sc": other},
		Foreign: j.isForeign, Private: j.isPrivateExtension, Extensions: j.extensions, Generated: j.lombok.Of, Generates: j.lombok.Names, Models: lombok.Built, Narrow: calls.Narrow, Suits: kotlin.Suits, Nearness: j.nearness, Implicit: []facts.Op{facts.OpElse}, Nests: true, NamedArguments: true, Overloads: true, Hierarchy: true, Overrides: infer.AllApart, InheritsOverloads: true, MethodsApart: true,
		NamedConstructors: true, Keyword: j.keyword, Keywords: []string{"new"}, Conversions: jdk.Conversions, Functional: jdk.Functional, Passing: jdk.Passing,
		Containers: map[string]infer.Gives{
			"get": infer.AnElement, "next": infer.AnElement, "remove": infer.AnElement, "poll": infer.AnElement,
			"peek": infer.AnElement, "pop": infer.AnElement, "getOrDefault": infer.AnElement, "orElse": infer.AnElement,
			"orElseThrow": infer.AnElement, "getFirst": infer.AnElement, "getLast": infer.AnElement,
			"values": infer.AllElements, "keySet": infer.AKey, "entrySet": infer.AllEntries,
			"stream": infer.TheSame, "iterator": infer.TheSame, "filter": infer.TheSame,
			"first": infer.AnElement, "last": infer.AnElement, "firstOrNull": infer.AnElement, "lastOrNull": infer.AnElement, "single": infer.AnElement,
			"singleOrNull": infer.AnElement, "find": infer.AnElement, "elementAt": infer.AnElement, "getOrNull": infer.AnElement, "removeFirst": infer.AnElement,
			"filterNot": infer.TheSame, "sortedBy": infer.TheSame, "reversed": infer.TheSame, "toList": infer.TheSame, "toMutableList": infer.TheSame,
			"distinct": infer.TheSame, "asSequence": infer.TheSame, "drop": infer.TheSame, "take": infer.TheSame, "toSet": infer.TheSame, "sorted": infer.TheSame,
		},
		Callbacks: map[string]int{
			"forEach": 0, "map": 0, "filter": 0, "filterNot": 0, "flatMap": 0, "any": 0, "all": 0, "none": 0, "first": 0, "firstOrNull": 0, "find": 0, "last": 0,
			"mapNotNull": 0, "sortedBy": 0, "groupBy": 0, "associateBy": 0, "associateWith": 0, "count": 0, "sumOf": 0, "partition": 0, "joinToString": 0,
			"anyMatch": 0, "allMatch": 0, "noneMatch": 0, "ifPresent": 0, "peek": 0, "mapToInt": 0, "mapToLong": 0, "mapToDouble": 0, "mapToObj": 0,
			"maxBy": 0, "minBy": 0, "removeAll": 0, "removeIf": 0, "indexOfFirst": 0, "takeWhile": 0, "dropWhile": 0, "single": 0, "lastOrNull": 0, "forEachIndexed": 1, "mapIndexed": 1,
		},
	}
}

// keyword is infer.New in Java: in Kotlin a member may be called new.
func (j *java) keyword(f *corpus.File, u *facts.Use) (name string, ok bool) {
	name, ok = infer.New(f, u)
	return name, ok && !j.kotlin.Is(f.ID)
}

// javaBesides is the rules of Java where a package may be written in Scala.
type javaBesides struct {
	*java
	scala *scala
}

// Exported finds what a package or a type has under a name.
func (j javaBesides) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	return j.scala.Exported(m, name, b)
}

// readJavaPackages reads the packages that files say they are of, and those that
// hold them.
func readJavaPackages(c *corpus.Corpus) map[string]bool {
	read := c.Reader()
	all := map[string]bool{}
	for i := range c.Files() {
		if c.Family(i) != corpus.Java {
			continue
		}
		for pkg := read.File(i).Facts.Package(); pkg != "" && !all[pkg]; pkg, _ = cutLast(pkg, ".") {
			all[pkg] = true
		}
	}
	return all
}

// maxNested bounds the names of a package and the types nested in it.
const maxNested = 48

// Import finds a type of a package, a nested type or a static member of a type,
// or the package of a wildcard.
func (j *java) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	mod := &infer.Module{Path: m.Module, Family: f.Family}
	if m.Name == "*" || m.Name == "" {
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "imported package"}
	}
	if a := j.Exported(mod, m.Name, b); a.State == infer.Found {
		return a
	}
	return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere", Via: m.Name}
}

// Exported finds what a package, or a type with its package in front, has under
// a name.
func (j *java) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	if refs := j.inPackage(m.Path, name); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "imported from " + m.Path}
	}
	if inner := m.Path + "." + name; j.packages()[inner] {
		return infer.Answer{Modules: []*infer.Module{{Path: inner, Family: m.Family}}, State: infer.Found, Reason: "a package"}
	}
	owner, typ := cutLast(m.Path, ".")
	if typ == "" || typ[0] >= 'a' && typ[0] <= 'z' || strings.Count(m.Path, ".") > maxNested {
		return infer.Answer{State: infer.Outside}
	}
	types := j.Exported(&infer.Module{Path: owner, Family: m.Family}, typ, b)
	for _, t := range types.Refs {
		if found, state := j.infer.Member(infer.TypeOf(t), name, b.Restart()); state == infer.Found {
			types.Refs = nil
			for _, m := range found {
				types.Refs = append(types.Refs, m.Ref)
			}
			types.Reason = "imported from " + m.Path
			return types
		}
	}
	return infer.Answer{State: infer.Outside}
}

// cutLast cuts a name in two at the last separator.
func cutLast(s, sep string) (before, last string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return "", s
}

// inPackage finds the symbols of a name at the top of the files of a package.
func (j *java) inPackage(pkg, name string) []corpus.Ref {
	var refs []corpus.Ref
	for _, r := range j.read.Named(name) {
		f := j.read.File(r.File)
		if f.Family == corpus.Java && (corpus.AtTop(f.Symbol(r.Index)) || isExtension(f.Symbol(r.Index))) && f.Facts.Package() == pkg {
			refs = append(refs, r)
		}
	}
	return refs
}

// isExtension reports whether a symbol is a function or a property of Kotlin that
// stands outside of the type that it is written for.
func isExtension(s *facts.Symbol) bool {
	return s.Owner != "" && s.Parent == facts.None && s.Flags&facts.Local == 0
}

// isPrivate reports whether only its file knows a function or a property of Kotlin
// that stands outside of types.
func (j *java) isPrivate(r corpus.Ref) bool {
	s := j.read.Symbol(r)
	return s.Parent == facts.None && s.Flags&facts.Exported == 0 && !s.Kind.IsType()
}

// isPrivateExtension reports whether only its file knows an extension of Kotlin.
func (j *java) isPrivateExtension(member corpus.Ref) bool {
	return isExtension(j.read.Symbol(member)) && j.isPrivate(member)
}

// isForeign reports whether a member is an extension of a type that no file declares.
func (j *java) isForeign(member corpus.Ref) bool {
	s := j.read.Symbol(member)
	return s.Owner != "" && !slices.ContainsFunc(j.read.Named(s.Owner), func(r corpus.Ref) bool {
		return j.read.Symbol(r).Kind.IsType() && j.corpus.Family(r.File) == corpus.Java
	})
}

// Free looks a name up in what the types around it inherit, in the package, and
// in what wildcards bring.
func (j *java) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	if a := j.inherited(f, u, b); a.State == infer.Found {
		return a
	}
	if a := j.lombok.Bare(f, u, b); a.State == infer.Found {
		return a
	}
	refs := slices.DeleteFunc(j.inPackage(f.Facts.Package(), u.Name), func(r corpus.Ref) bool { return r.File != f.ID && j.isPrivate(r) })
	if len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in this package"}
	}
	for i := range f.Facts.NumImports() {
		row := f.Facts.Import(i)
		name := u.Name
		switch {
		case row.Name == "*" || row.Local == "" && row.Name == u.Name:
		case row.Local == u.Name: // maybe another name
			name = row.Name
		default:
			continue
		}
		if a := j.Exported(&infer.Module{Path: row.Module, Family: f.Family}, name, b); a.State == infer.Found {
			return a
		}
	}
	if u.Role == facts.RoleRead && j.packages()[u.Name] {
		mod := &infer.Module{Path: u.Name, Family: f.Family}
		return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "a package"}
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// Owns reports whether an extension of Kotlin is written for a type: one that its
// file imports, declares or shares its package with.
func (j *java) Owns(typ, owned corpus.Ref, b infer.Budget) bool {
	name := j.read.Symbol(typ).Name
	if typ.File == owned.File {
		return true
	}
	f := j.read.File(owned.File)
	if j.read.Symbol(typ).Parent != facts.None {
		return j.isWrittenFor(f, owned, typ, b)
	}
	for i := range f.Facts.NumImports() {
		if row := f.Facts.Import(i); row.Local == j.read.Symbol(owned).Owner && row.Local != "" {
			return slices.Contains(j.imported(f, i, b).Refs, typ)
		}
	}
	if refs := j.inPackage(f.Facts.Package(), name); len(refs) > 0 {
		return slices.Contains(refs, typ)
	}
	for i := range f.Facts.NumImports() {
		if row := f.Facts.Import(i); row.Name == "*" && slices.Contains(j.inPackage(row.Module, name), typ) {
			return true
		}
	}
	return false
}

// isWrittenFor reports whether the type that stands before the name of an extension is one.
func (j *java) isWrittenFor(f *corpus.File, extension, typ corpus.Ref, b infer.Budget) bool {
	s := f.Symbol(extension.Index)
	first := f.Facts.UsesFrom(s.SigStart)
	for i := f.Facts.UsesFrom(s.At) - 1; i >= first; i-- {
		if u := f.Use(int32(i)); u.Name == s.Owner {
			return slices.Contains(j.infer.Meaning(corpus.Ref{File: f.ID, Index: int32(i)}, b.Deeper()).Refs, typ)
		}
	}
	return false
}

// Same is false: a symbol is declared once.
func (j *java) Same(corpus.Ref, corpus.Ref) bool { return false }

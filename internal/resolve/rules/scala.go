package rules

import (
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/rules/jdk"
)

// scala is the rules of Scala, whose files share the packages of Java.
type scala struct {
	*java
	written func() bool // whether a file is written in it
}

func scalaLanguage(s *scala) *infer.Language {
	return &infer.Language{
		Rules: s, Foreign: s.isForeign, Implicit: []facts.Op{facts.OpElse}, NamedArguments: true, Overloads: true, Hierarchy: true, Overrides: infer.AllApart, InheritsOverloads: true,
		Conversions: jdk.Conversions, Functional: jdk.Functional, Suits: scalaSuits, Namespace: s.namespace, Calls: "apply", Extensions: s.extensions,
		Pairs:  map[string]bool{"Map": true, "HashMap": true, "LinkedHashMap": true, "TreeMap": true, "SortedMap": true, "ListMap": true, "TrieMap": true},
		Halves: map[string]int{"_1": 0, "_2": 1},
		Containers: map[string]infer.Gives{
			"apply": infer.AnElement, "head": infer.AnElement, "last": infer.AnElement, "get": infer.AnElement, "getOrElse": infer.AnElement, "next": infer.AnElement,
			"orNull": infer.AnElement, "dequeue": infer.AnElement, "pop": infer.AnElement, "remove": infer.AnElement, "maxBy": infer.AnElement, "minBy": infer.AnElement, "max": infer.AnElement, "min": infer.AnElement,
			"reduce": infer.AnElement, "reduceLeft": infer.AnElement, "reduceRight": infer.AnElement,
			"values": infer.AllElements,
			"tail":   infer.TheSame, "init": infer.TheSame, "reverse": infer.TheSame, "iterator": infer.TheSame, "distinct": infer.TheSame, "sorted": infer.TheSame, "sortBy": infer.TheSame, "sortWith": infer.TheSame,
			"filter": infer.TheSame, "filterNot": infer.TheSame, "withFilter": infer.TheSame, "take": infer.TheSame, "drop": infer.TheSame, "takeWhile": infer.TheSame, "dropWhile": infer.TheSame, "takeRight": infer.TheSame, "dropRight": infer.TheSame,
			"toList": infer.TheSame, "toSeq": infer.TheSame, "toVector": infer.TheSame, "toArray": infer.TheSame, "toSet": infer.TheSame, "toIndexedSeq": infer.TheSame, "toBuffer": infer.TheSame, "toIterator": infer.TheSame, "toStream": infer.TheSame, "toIterable": infer.TheSame,
			"headOption": infer.TheSame, "lastOption": infer.TheSame, "find": infer.TheSame, "orElse": infer.TheSame, "view": infer.TheSame, "par": infer.TheSame, "slice": infer.TheSame, "tapEach": infer.TheSame,
		},
		Results: map[string]infer.Gives{"map": infer.Outcomes, "collect": infer.Outcomes},
		Callbacks: map[string]int{
			"foreach": 0, "map": 0, "flatMap": 0, "filter": 0, "filterNot": 0, "withFilter": 0, "exists": 0, "forall": 0, "find": 0, "count": 0, "collect": 0, "collectFirst": 0, "groupBy": 0, "partition": 0,
			"sortBy": 0, "maxBy": 0, "minBy": 0, "takeWhile": 0, "dropWhile": 0, "span": 0, "indexWhere": 0, "lastIndexWhere": 0, "foldLeft": 1, "foldRight": 0, "distinctBy": 0, "tapEach": 0, "groupMap": 0, "partitionMap": 0, "sumBy": 0, "mapValues": 0,
		},
	}
}

// readScala reports whether a file is written in Scala.
func readScala(c *corpus.Corpus) bool {
	for i := range c.Files() {
		if c.Family(i) == corpus.Java && isScala(c.Path(i)) {
			return true
		}
	}
	return false
}

// isScala reports whether a file is written in Scala, by its name.
func isScala(path string) bool {
	switch filepath.Ext(path) {
	case ".scala", ".sbt", ".sc":
		return true
	}
	return false
}

// isObject reports whether a symbol of Scala is an object.
func isObject(s *facts.Symbol) bool { return s.Kind == code.KindClass && s.Flags&facts.Static != 0 }

// scalaSuits reports whether a use can mean a symbol: an object is no type, and a class
// is called by its name but no value.
func scalaSuits(s *facts.Symbol, u *facts.Use) bool {
	switch u.Role {
	case facts.RoleType, facts.RoleInherit, facts.RoleImplement:
		return s.Kind.IsType() && !isObject(s)
	case facts.RoleRead, facts.RoleWrite:
		return !s.Kind.IsType() || isObject(s) || s.Kind == code.KindModule
	case facts.RoleCall:
		return s.Kind != code.KindType && s.Kind != code.KindModule
	}
	return true
}

// Same reports whether two symbols are a class and the object beside it.
func (s *scala) Same(a, b corpus.Ref) bool {
	if a.File != b.File {
		return false
	}
	x, y := s.read.Symbol(a), s.read.Symbol(b)
	return x.Name == y.Name && x.Parent == y.Parent && x.Kind.IsType() && y.Kind.IsType() && isObject(x) != isObject(y)
}

// Import finds what a package or an object has under a name. The path may begin with a
// package or an object that stands beside those around the import.
func (s *scala) Import(f *corpus.File, m *facts.Import, b infer.Budget) infer.Answer {
	for _, path := range s.paths(f, m.Module) {
		mod := &infer.Module{Path: path, Family: f.Family}
		if m.Name == "*" || m.Name == "" {
			if s.isModule(mod, b) {
				return infer.Answer{Modules: []*infer.Module{mod}, State: infer.Found, Reason: "imported package"}
			}
			continue
		}
		if a := s.Exported(mod, m.Name, b); a.State == infer.Found {
			return a
		}
	}
	if m.Name == "*" || m.Name == "" {
		return infer.Answer{Modules: []*infer.Module{{Path: m.Module, Family: f.Family}}, State: infer.Found, Reason: "imported package"}
	}
	return infer.Answer{State: infer.Outside, Reason: "imported from elsewhere", Via: m.Name}
}

// paths are what the path of an import may name: that of itself, or one in the packages
// around it, the innermost first.
func (s *scala) paths(f *corpus.File, path string) []string {
	all := []string{path}
	for pkg := f.Facts.Package(); pkg != "" && len(all) < maxNested; pkg, _ = cutLast(pkg, ".") {
		all = append(all, pkg+"."+path)
	}
	return all
}

// isModule reports whether a path names a package or an object, whose files it notes.
func (s *scala) isModule(m *infer.Module, b infer.Budget) bool {
	if s.packages()[m.Path] {
		return true
	}
	owner, name := cutLast(m.Path, ".")
	if owner == "" {
		return false
	}
	a := s.Exported(&infer.Module{Path: owner, Family: m.Family}, name, b)
	for _, r := range a.Refs {
		m.Files = append(m.Files, r.File)
	}
	return a.State == infer.Found
}

// Exported finds what a package, or an object with its package in front, has under a
// name. Objects may begin with a lower-case letter, and a package may have an object.
func (s *scala) Exported(m *infer.Module, name string, b infer.Budget) infer.Answer {
	if a := s.java.Exported(m, name, b); a.State == infer.Found || !s.written() {
		return a
	}
	if a := s.inScalaPackage(m.Path, name, b); a.State == infer.Found {
		return a
	}
	owner, object := cutLast(m.Path, ".")
	if object == "" || s.packages()[m.Path] || strings.Count(m.Path, ".") > maxNested {
		return infer.Answer{State: infer.Outside}
	}
	a := infer.Answer{State: infer.Outside, Reason: "imported from " + m.Path}
	for _, t := range s.Exported(&infer.Module{Path: owner, Family: m.Family}, object, b).Refs {
		if k := s.read.Symbol(t).Kind; !k.IsType() || k == code.KindType {
			continue
		}
		found, state := s.infer.Member(infer.TypeOf(t), name, b.Restart())
		if state != infer.Found {
			continue
		}
		a.State = infer.Found
		for _, m := range found {
			if m.Module == nil && !slices.Contains(a.Refs, m.Ref) {
				a.Refs = append(a.Refs, m.Ref)
			}
		}
	}
	return a
}

// Free looks a name up in what the types around it inherit, in what wildcards bring, in
// the package and in the packages that the file names around that.
func (s *scala) Free(f *corpus.File, u *facts.Use, b infer.Budget) infer.Answer {
	if a := s.inherited(f, u, b); a.State == infer.Found {
		return a
	}
	pkg := f.Facts.Package()
	for i := f.Facts.NumImports() - 1; i >= 0; i-- {
		row := f.Facts.Import(i)
		if row.Name != "*" || row.Module == "" || !s.holds(f, row.In, u.In) || strings.HasPrefix(pkg, row.Module+".") {
			continue
		}
		for _, path := range s.paths(f, row.Module) {
			if a := s.Exported(&infer.Module{Path: path, Family: f.Family}, u.Name, b); a.State == infer.Found && s.anySuits(a.Refs, u) {
				return a
			}
		}
	}
	around := []string{pkg}
	for i := f.Facts.NumImports() - 1; i >= 0; i-- {
		if row := f.Facts.Import(i); row.Name == "*" && strings.HasPrefix(pkg, row.Module+".") {
			around = append(around, row.Module)
		}
	}
	for _, p := range around {
		if a := s.inScalaPackage(p, u.Name, b); a.State == infer.Found && s.anySuits(a.Refs, u) {
			return a
		}
	}
	if u.Role == facts.RoleRead {
		for _, path := range s.paths(f, u.Name) {
			if s.packages()[path] {
				return infer.Answer{Modules: []*infer.Module{{Path: path, Family: f.Family}}, State: infer.Found, Reason: "a package"}
			}
		}
	}
	return infer.Answer{State: infer.Outside, Via: u.Name}
}

// anySuits reports whether a use can mean one of some symbols.
func (s *scala) anySuits(refs []corpus.Ref, u *facts.Use) bool {
	return len(refs) == 0 || slices.ContainsFunc(refs, func(r corpus.Ref) bool {
		y := s.read.Symbol(r)
		if u.Role == facts.RoleType || u.Role == facts.RoleInherit || u.Role == facts.RoleImplement {
			return y.Kind.IsType()
		}
		return u.Role != facts.RoleRead || y.Kind != code.KindTrait && y.Kind != code.KindType
	})
}

// holds reports whether a symbol is another one or holds it. None holds all.
func (s *scala) holds(f *corpus.File, holder, symbol int32) bool {
	for i := symbol; ; i = f.Symbol(i).Parent {
		if i == holder {
			return true
		}
		if i == facts.None {
			return false
		}
	}
}

// inScalaPackage finds what a package has under a name: at the top of its files, in its
// package objects and in the packages that files write in braces.
func (s *scala) inScalaPackage(pkg, name string, b infer.Budget) infer.Answer {
	if refs := slices.DeleteFunc(s.inPackage(pkg, name), s.isPrivate); len(refs) > 0 {
		return infer.Answer{Refs: refs, State: infer.Found, Reason: "declared in this package"}
	}
	_, last := cutLast(pkg, ".")
	for _, r := range s.namespaces(pkg, last) {
		found, state := s.infer.Member(infer.TypeOf(r), name, b.Restart())
		if state != infer.Found {
			continue
		}
		a := infer.Answer{State: infer.Found, Reason: "declared in this package"}
		for _, m := range found {
			a.Refs = append(a.Refs, m.Ref)
		}
		return a
	}
	return infer.Answer{State: infer.Outside}
}

// namespaces are the package objects and the packages in braces of a name. last is its
// last part.
func (s *scala) namespaces(pkg, last string) (all []corpus.Ref) {
	for _, name := range []string{last, pkg} {
		for _, r := range s.read.Named(name) {
			y := s.read.Symbol(r)
			if y.Kind == code.KindModule && s.corpus.Family(r.File) == corpus.Java && s.pathOf(r, y) == pkg && !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}

// pathOf is the name of the package that a package object or a package in braces is of.
func (s *scala) pathOf(r corpus.Ref, y *facts.Symbol) string {
	f := s.read.File(r.File)
	path := y.Name
	for at := y.Parent; at != facts.None; at = f.Symbol(at).Parent {
		path = f.Symbol(at).Name + "." + path
	}
	if outer := f.Facts.Package(); outer != "" {
		return outer + "." + path
	}
	return path
}

// namespace is the package that a package object or a package in braces is of.
func (s *scala) namespace(r corpus.Ref, y *facts.Symbol) (*infer.Module, bool) {
	if y.Kind != code.KindModule {
		return nil, false
	}
	return &infer.Module{Path: s.pathOf(r, y), Family: corpus.Java}, true
}

// extensions finds the functions that files write for a type that none declares, as a
// file sees them: those of implicit classes and of extension.
func (s *scala) extensions(f *corpus.File, t infer.Thing, name string) []corpus.Ref {
	names := jdk.Receivers(t)
	best, all := len(names), []corpus.Ref(nil)
	for _, r := range s.read.Named(name) {
		y := s.read.Symbol(r)
		at := slices.Index(names, y.Owner)
		if at < 0 || at > best || s.corpus.Family(r.File) != corpus.Java || !s.isForeign(r) || !s.knows(f, r) {
			continue
		}
		if at < best {
			best, all = at, nil
		}
		all = append(all, r)
	}
	return all
}

// knows reports whether a file knows what makes a function one of another type: it stands
// in the file, in a package around that, or in what the file imports.
func (s *scala) knows(f *corpus.File, r corpus.Ref) bool {
	if r.File == f.ID {
		return true
	}
	g := s.read.File(r.File)
	function, class := g.Symbol(r.Index).Name, ""
	holder := g.Symbol(r.Index).Parent
	if holder != facts.None && g.Symbol(holder).Kind == code.KindClass && !isObject(g.Symbol(holder)) { // an implicit class
		class, holder = g.Symbol(holder).Name, g.Symbol(holder).Parent
	}
	home := g.Facts.Package()
	if holder != facts.None {
		home = s.pathOf(corpus.Ref{File: r.File, Index: holder}, g.Symbol(holder))
	}
	if strings.HasPrefix(f.Facts.Package()+".", home+".") {
		return true
	}
	for i := range f.Facts.NumImports() {
		row := f.Facts.Import(i)
		if row.Module != "" && strings.HasSuffix("."+home, "."+row.Module) && (row.Name == "*" || row.Name == class || row.Name == function) {
			return true
		}
	}
	return false
}

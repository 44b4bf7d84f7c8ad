package overview

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/manifest"
	"espy/internal/modules"
	"espy/internal/resolve/corpus"
)

// classOf is what a file is for.
func (s *surveyor) classOf(f corpus.FileID) code.Class {
	if s.known == nil {
		n := s.ask.Corpus.NumFiles()
		s.known, s.class = make([]bool, n), make([]code.Class, n)
	}
	if !s.known[f] {
		s.known[f], s.class[f] = true, s.ask.Corpus.Class(f)
	}
	return s.class[f]
}

// counts reports whether a file is part of the project itself.
func (s *surveyor) counts(f corpus.FileID) bool {
	return s.classOf(f)&(code.ClassTest|code.ClassVendor|code.ClassExample|code.ClassBench|code.ClassGenerated|code.ClassMinified) == 0
}

// own are the manifests below the path that are no part of tests or examples.
func (s *surveyor) own() (all []manifest.Manifest) {
	for _, m := range modules.Manifests(s.ask) {
		f, ok := s.ask.Corpus.Find(m.Path)
		if ok && s.counts(f) && (s.Request.Path == "" || strings.HasPrefix(m.Path, s.Request.Path+"/")) {
			all = append(all, m)
		}
	}
	return all
}

func depth(p string) int { return strings.Count(p, "/") }

func (s *surveyor) builds() {
	byTool := map[string]*Build{}
	for _, m := range s.own() {
		if m.Tool == "" {
			continue
		}
		b := byTool[m.Tool]
		if b == nil {
			b = &Build{Tool: m.Tool, Path: m.Path, Name: m.Name}
			byTool[m.Tool] = b
		}
		b.Files++
		if depth(m.Path) < depth(b.Path) {
			b.Path, b.Name = m.Path, m.Name
		}
	}
	var all []Build
	for _, b := range byTool {
		all = append(all, *b)
	}
	slices.SortFunc(all, func(a, b Build) int {
		return cmp.Or(cmp.Compare(depth(a.Path), depth(b.Path)), cmp.Compare(b.Files, a.Files), cmp.Compare(a.Tool, b.Tool))
	})
	s.Builds = first(all, s.show(6))
}

// entryKinds is the order in which entries are listed.
var entryKinds = []string{"command", "main", "program", "image", "script", "target"}

// entries finds what manifests start and which files have a main function.
func (s *surveyor) entries() {
	var all []Entry
	for _, m := range s.own() {
		for _, e := range m.Entries {
			all = append(all, Entry{e.Name, e.Kind, m.Path, e.Line, e.Target})
		}
		if path.Base(m.Path) == "manage.py" {
			all = append(all, Entry{"manage.py", "command", m.Path, 1, ""})
		}
	}
	for i, f := range s.files {
		if i%atOnce == 0 && s.late(PartEntries) {
			break
		}
		if s.counts(f) {
			if e, ok := s.main(f); ok {
				all = append(all, e)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(slices.Index(entryKinds, a.Kind), slices.Index(entryKinds, b.Kind)), cmp.Compare(s.aside(&a), s.aside(&b)),
			cmp.Compare(depth(a.Path), depth(b.Path)), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	s.Entries = first(all, s.show(8))
}

// aside tells how far an entry stands from the program proper: 0 for a file that is called
// main, 1 for any other, 2 for what builds and maintains it.
func (s *surveyor) aside(e *Entry) int {
	f, ok := s.ask.Corpus.Find(e.Path)
	stem, _, _ := strings.Cut(path.Base(e.Path), ".")
	switch {
	case ok && s.classOf(f)&code.ClassTool != 0:
		return 2
	case e.Kind == "main" && strings.EqualFold(stem, "main"):
		return 0
	}
	return 1
}

// main finds the function that a file starts with, as its language has it.
func (s *surveyor) main(f corpus.FileID) (e Entry, ok bool) {
	file, p := s.ask.File(f), s.ask.Corpus.Path(f)
	name := path.Base(path.Dir(p))
	if name == "." {
		name = strings.TrimSuffix(path.Base(p), path.Ext(p))
	}
	switch s.ask.Corpus.Family(f) {
	case corpus.Go:
		if file.Package() != "main" {
			return e, false
		}
	case corpus.Python:
		if path.Base(p) == "__main__.py" {
			return Entry{name, "main", p, 1, ""}, true
		}
		return e, false
	case corpus.Rust:
		if b := path.Base(p); b == "build.rs" {
			return e, false
		} else if b != "main.rs" {
			name = strings.TrimSuffix(b, ".rs")
		} else if name == "src" {
			if name = path.Base(path.Dir(path.Dir(p))); name == "." {
				name = "main"
			}
		}
	case corpus.Java:
		name = strings.TrimSuffix(path.Base(p), path.Ext(p))
	case corpus.C, corpus.Zig, corpus.CSharp:
		name = strings.TrimSuffix(path.Base(p), path.Ext(p))
		if strings.HasPrefix(path.Ext(p), ".h") { // an example of how to use it
			return e, false
		}
	case corpus.PHP:
		return started(p)
	case corpus.NoFamily:
		return s.lined(f)
	default:
		return e, false
	}
	called := "main"
	if s.ask.Corpus.Family(f) == corpus.CSharp {
		called = "Main"
	}
	for i := range file.SymbolsNamed(called) {
		sym := s.ask.Symbol(corpus.Ref{File: f, Index: int32(i)})
		if sym.Kind.IsFunc() && sym.Flags&facts.Abstract == 0 && (corpus.AtTop(sym) || s.startsClass(f, sym)) {
			return Entry{name, "main", p, int(sym.Line), ""}, true
		}
	}
	if s.ask.Corpus.Language(f) == "scala" {
		return s.scalaMain(f)
	}
	return e, false
}

// scalaMain finds what starts a file of Scala: the main function of an object, an object
// that extends App, or a function that is annotated so. It bears the name of that.
func (s *surveyor) scalaMain(f corpus.FileID) (e Entry, ok bool) {
	file, p := s.ask.File(f), s.ask.Corpus.Path(f)
	symbol := func(i int32) *facts.Symbol { return s.ask.Symbol(corpus.Ref{File: f, Index: i}) }
	isObject := func(i int32) bool {
		return i != facts.None && symbol(i).Kind == code.KindClass && symbol(i).Flags&facts.Static != 0
	}
	for i := range file.SymbolsNamed("main") {
		if y := symbol(int32(i)); y.Kind.IsFunc() && y.Flags&facts.Abstract == 0 && y.MaxArgs == 1 && isObject(y.Parent) {
			return Entry{symbol(y.Parent).Name, "main", p, int(y.Line), ""}, true
		}
	}
	for i := range file.NumUses() {
		switch u := file.Use(i); {
		case u.Name == "App" && (u.Role == facts.RoleInherit || u.Role == facts.RoleImplement) && isObject(u.In),
			u.Name == "main" && u.Role == facts.RoleType && u.In != facts.None && symbol(u.In).Kind.IsFunc():
			return Entry{symbol(u.In).Name, "main", p, int(symbol(u.In).Line), ""}, true
		}
	}
	return e, false
}

// started is the entry that a file of PHP is by its name: the console of Laravel and that
// of Symfony, or what a web server runs for every request.
func started(p string) (e Entry, ok bool) {
	base, dir := path.Base(p), path.Base(path.Dir(p))
	switch {
	case base == "artisan", base == "console" && dir == "bin":
		return Entry{base, "command", p, 1, ""}, true
	case base == "index.php" && (dir == "public" || dir == "web" || dir == "webroot"):
		return Entry{"index", "main", p, 1, ""}, true
	}
	return e, false
}

// startsClass reports whether a function of a class starts the program: main of Java, which
// others can call, Main of C#, which need not be.
func (s *surveyor) startsClass(f corpus.FileID, sym *facts.Symbol) bool {
	if sym.Flags&facts.Static == 0 {
		return false
	}
	switch s.ask.Corpus.Family(f) {
	case corpus.Java:
		return sym.Flags&facts.Exported != 0 && sym.MaxArgs == 1
	case corpus.CSharp:
		return sym.MaxArgs <= 1
	}
	return false
}

// lined finds the function that a file starts with whose language has no grammar, as its
// lines tell.
func (s *surveyor) lined(f corpus.FileID) (e Entry, ok bool) {
	called := "main"
	switch s.ask.Corpus.Language(f) {
	case "clojure":
		called = "-main"
	case "dart", "d", "haskell", "purescript", "groovy", "gleam", "crystal", "odin", "haxe", "vala", "objective-c", "ada", "lean", "mojo", "visualbasic", "fsharp", "v":
	default:
		return e, false
	}
	for _, d := range s.ask.Corpus.Definitions(f) {
		if d.Name == called && d.Kind.IsFunc() {
			p := s.ask.Corpus.Path(f)
			return Entry{strings.TrimSuffix(path.Base(p), path.Ext(p)), "main", p, int(d.Line), ""}, true
		}
	}
	return e, false
}

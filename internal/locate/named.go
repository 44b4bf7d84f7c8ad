package locate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/segment/syn"
)

// Find finds the symbols that a name may mean, the likeliest first. Where there are
// none, it looks for the name as languages write one that is a keyword.
func (a *Ask) Find(name string) []corpus.Ref {
	all := a.find(name)
	for _, other := range keywordForms(name) {
		if len(all) > 0 {
			break
		}
		all = a.find(other)
	}
	return all
}

// keywordForms are other ways to write a name whose last part is a keyword: without the
// quotes of Kotlin, Scala and Swift, with the signs of C# and Rust.
func keywordForms(name string) []string {
	if bare := strings.ReplaceAll(name, "`", ""); bare != name {
		return []string{bare}
	}
	last := 1 + strings.LastIndexAny(name, ".:#/")
	if last == len(name) {
		return nil
	}
	return []string{name[:last] + "@" + name[last:], name[:last] + "r#" + name[last:]}
}

func (a *Ask) find(name string) []corpus.Ref {
	if r, ok := a.ByID(name); ok {
		return []corpus.Ref{r}
	}
	if file, local, ok := a.cutID(name); ok {
		if f, ok := a.Corpus.Find(path.Clean(file)); ok {
			return a.namedIn(f, local)
		}
		if all := a.namedBelow(path.Clean(file), local); len(all) > 0 {
			return all
		}
	}
	parts := facts.SplitName(name)
	if len(parts) == 0 {
		return nil
	}
	if whole := a.Named(name); len(parts) > 1 && len(whole) > 0 {
		return whole // a module such as vite/client
	}
	last := parts[len(parts)-1]
	var all []corpus.Ref
	for _, r := range a.Named(last) {
		if a.File(r.File).Qualifies(a.Corpus.Of(r.File).Path(r.File), int(r.Index), parts[:len(parts)-1]) {
			all = append(all, r)
		}
	}
	switch {
	case len(all) == 0 && len(parts) > 1:
		all = a.inherited(parts[:len(parts)-1], last)
	case len(all) == 0:
		all = a.components(name)
	}
	if len(all) == 0 {
		all = slices.DeleteFunc(a.Fields(last), func(r corpus.Ref) bool {
			return !a.File(r.File).Qualifies(a.Corpus.Of(r.File).Path(r.File), int(r.Index), parts[:len(parts)-1])
		})
	}
	slices.SortStableFunc(all, a.byLikelihood)
	return all
}

// components finds what the components in files of a name are to those that import
// them: what each exports by default.
func (a *Ask) components(name string) []corpus.Ref {
	var all []corpus.Ref
	for f := range corpus.FileID(a.Corpus.NumFiles()) {
		base := path.Base(a.Corpus.Of(f).Path(f))
		if !strings.HasPrefix(base, name) || base != name+".vue" && base != name+".svelte" {
			continue
		}
		file := a.File(f)
		for _, symbol := range []string{"default", "setup", "script"} {
			i := file.ByID(symbol)
			if i != facts.None && file.Flags(i)&facts.Exported != 0 {
				all = append(all, corpus.Ref{File: f, Index: int32(i)})
				break
			}
		}
	}
	return all
}

// namedBelow finds the symbols that a name may mean in files whose path ends with
// that of an id, the likeliest first.
func (a *Ask) namedBelow(file, name string) []corpus.Ref {
	parts := facts.SplitName(name)
	if len(parts) == 0 {
		return nil
	}
	var all []corpus.Ref
	for _, r := range a.Named(parts[len(parts)-1]) {
		where := a.Corpus.Path(r.File)
		if strings.HasSuffix(where, "/"+file) && a.File(r.File).Qualifies(where, int(r.Index), parts[:len(parts)-1]) {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, a.byLikelihood)
	return all
}

// namedIn finds the symbols of a file that a name may mean, the likeliest first.
func (a *Ask) namedIn(f corpus.FileID, name string) []corpus.Ref {
	parts := facts.SplitName(name)
	if len(parts) == 0 {
		return nil
	}
	var all []corpus.Ref
	last := parts[len(parts)-1]
	for i := range a.File(f).SymbolsNamed(last) {
		if a.File(f).Qualifies(a.Corpus.Of(f).Path(f), i, parts[:len(parts)-1]) {
			all = append(all, corpus.Ref{File: f, Index: int32(i)})
		}
	}
	slices.SortStableFunc(all, a.byLikelihood)
	return all
}

// inherited finds what a type has under a name from the types above it.
func (a *Ask) inherited(owner []string, name string) []corpus.Ref {
	var all []corpus.Ref
	for _, t := range a.find(strings.Join(owner, ".")) {
		if !a.Symbol(t).Kind.IsType() {
			continue
		}
		for _, r := range a.Members(t, name) {
			if !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}

// byLikelihood orders the symbols of one name, the likeliest first: what other
// files can mean, code before tests before what is generated or vendored, by
// kind, a type before its constructor, a body before a prototype.
func (a *Ask) byLikelihood(x, y corpus.Ref) int {
	return cmp.Compare(a.unlikely(x), a.unlikely(y))
}

// Order orders symbols: the likelier first, then by file and place.
func (a *Ask) Order(x, y corpus.Ref) int {
	return cmp.Or(a.byLikelihood(x, y), cmp.Compare(x.File, y.File), cmp.Compare(x.Index, y.Index))
}

func (a *Ask) unlikely(r corpus.Ref) int {
	s := a.Symbol(r)
	n := int(s.Flags & facts.Local)
	n = n<<4 + tier(a.Corpus.Class(r.File))
	n = n<<8 + syn.Unlikely(s, 0)
	if s.Parent != facts.None && a.Symbol(corpus.Ref{File: r.File, Index: s.Parent}).Name == s.Name {
		n += 8
	}
	n <<= 1
	if a.isForward(r.File, s) {
		n++
	}
	return n
}

// isForward reports whether a symbol is a prototype, or a type that is declared
// without a body.
func (a *Ask) isForward(f corpus.FileID, s *facts.Symbol) bool {
	return s.Flags&facts.Abstract != 0 && (s.Kind == code.KindFunc || s.Kind.IsType() && a.Corpus.Family(f) == corpus.C)
}

// tier says how far the files of a class are from the program itself.
func tier(c code.Class) int {
	switch {
	case c&(code.ClassVendor|code.ClassGenerated|code.ClassMinified) != 0:
		return 3
	case c&(code.ClassTest|code.ClassExample|code.ClassBench|code.ClassDocs) != 0:
		return 2
	case c&(code.ClassTool|code.ClassLegacy|code.ClassDeclaration) != 0:
		return 1
	}
	return 0
}

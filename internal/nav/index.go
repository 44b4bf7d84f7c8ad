package nav

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/nearest"
	"espy/internal/outline"
	"espy/internal/place"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
	"espy/internal/usage"
)

// Index answers questions about one state of a repository. It may be used from
// any number of goroutines; its methods keep to one segment.Guard each.
type Index struct {
	corpus   *corpus.Corpus
	resolver *resolve.Resolver
	over     func() bool // reports that the time is over; nil for no bound
}

// Until returns the index for questions that answer with what they have found
// once over reports that the time is over.
func (x *Index) Until(over func() bool) *Index {
	return &Index{x.corpus, x.resolver, over}
}

// Open makes an index of a snapshot, which must stay open while it is in use.
func Open(s *store.Snapshot) (*Index, error) {
	var parts []corpus.Part
	for _, l := range s.Segments {
		parts = append(parts, corpus.Part{Live: l.Live, Syntax: l.Syntax})
	}
	return newIndex(parts)
}

// newIndex makes an index of the live files of parts, which must stay open while it is in use.
func newIndex(parts []corpus.Part) (x *Index, err error) {
	err = segment.Guard(func() error {
		c := corpus.New(parts)
		x = &Index{corpus: c, resolver: resolve.New(c)}
		return nil
	})
	return x, err
}

// ask is the work on one request.
type ask struct {
	*resolve.Question
	corpus *corpus.Corpus
	texts  map[corpus.FileID][]byte
	starts map[corpus.FileID][]int // of lines
	ids    map[corpus.Ref]string
	piece  segment.TextCache // what cut and line read last
	over   func() bool       // of Index.Until
	counted
}

// late reports whether the time is over.
func (a *ask) late() bool { return a.over != nil && a.over() }

func (x *Index) run(work func(*ask) error) error {
	return segment.Guard(func() error {
		a := &ask{Question: x.resolver.Ask(), corpus: x.corpus, texts: map[corpus.FileID][]byte{}, ids: map[corpus.Ref]string{}, over: x.over}
		a.Until(x.over)
		return work(a)
	})
}

// text returns the text of a file.
func (a *ask) text(f corpus.FileID) ([]byte, error) {
	if t, ok := a.texts[f]; ok {
		return t, nil
	}
	t, err := a.corpus.Text(f)
	if err == nil {
		a.texts[f] = t
	}
	return t, err
}

// id is the name of a symbol that every answer uses and every question takes.
func (a *ask) id(r corpus.Ref) string {
	if id, ok := a.ids[r]; ok {
		return id
	}
	id := a.File(r.File).ID(a.corpus.Path(r.File), int(r.Index))
	a.ids[r] = id
	return id
}

// byID finds the symbol with an id.
func (a *ask) byID(id string) (corpus.Ref, bool) {
	file, local, _ := a.cutID(id)
	f, ok := a.corpus.Find(file)
	if !ok {
		return corpus.Ref{}, false
	}
	i := a.File(f).ByID(local)
	return corpus.Ref{File: f, Index: int32(i)}, i != facts.None
}

// cutID cuts an id at the # behind the path of a file of the index.
func (a *ask) cutID(id string) (file, local string, ok bool) {
	return place.CutID(id, func(file string) bool {
		_, ok := a.corpus.Find(path.Clean(file))
		return ok
	})
}

// named finds the symbols that a name may mean, the likeliest first.
func (a *ask) named(name string) []corpus.Ref {
	if r, ok := a.byID(name); ok {
		return []corpus.Ref{r}
	}
	if file, local, ok := a.cutID(name); ok {
		if f, ok := a.corpus.Find(path.Clean(file)); ok {
			return a.namedIn(f, local)
		}
	}
	parts := syn.SplitName(name)
	if len(parts) == 0 {
		return nil
	}
	if whole := a.Named(name); len(parts) > 1 && len(whole) > 0 {
		return whole // a module such as vite/client
	}
	last := parts[len(parts)-1]
	var all []corpus.Ref
	for _, r := range a.Named(last) {
		if a.File(r.File).Qualifies(a.corpus.Path(r.File), int(r.Index), parts[:len(parts)-1]) {
			all = append(all, r)
		}
	}
	if len(all) == 0 && len(parts) > 1 {
		all = a.inherited(parts[:len(parts)-1], last)
	}
	slices.SortStableFunc(all, a.byLikelihood)
	return all
}

// namedIn finds the symbols of a file that a name may mean, the likeliest first.
func (a *ask) namedIn(f corpus.FileID, name string) []corpus.Ref {
	parts := syn.SplitName(name)
	if len(parts) == 0 {
		return nil
	}
	var all []corpus.Ref
	last := parts[len(parts)-1]
	for i := range a.File(f).SymbolsNamed(last) {
		if a.File(f).Qualifies(a.corpus.Path(f), i, parts[:len(parts)-1]) {
			all = append(all, corpus.Ref{File: f, Index: int32(i)})
		}
	}
	slices.SortStableFunc(all, a.byLikelihood)
	return all
}

// inherited finds what a type has under a name from the types above it.
func (a *ask) inherited(owner []string, name string) []corpus.Ref {
	var all []corpus.Ref
	for _, t := range a.named(strings.Join(owner, ".")) {
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
func (a *ask) byLikelihood(x, y corpus.Ref) int {
	return cmp.Compare(a.unlikely(x), a.unlikely(y))
}

func (a *ask) unlikely(r corpus.Ref) int {
	s := a.Symbol(r)
	n := int(s.Flags & facts.Local)
	n = n<<4 + tier(a.corpus.Class(r.File))
	n = n<<8 + syn.Unlikely(s, 0)
	if s.Parent != facts.None && a.Symbol(corpus.Ref{File: r.File, Index: s.Parent}).Name == s.Name {
		n += 8
	}
	n <<= 1
	if s.Kind == code.KindFunc && s.Flags&facts.Abstract != 0 {
		n++
	}
	return n
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

// offset finds the byte of a place.
func (a *ask) offset(f corpus.FileID, line, column int) (from, to uint32, err error) {
	text, err := a.text(f)
	if err != nil {
		return 0, 0, err
	}
	start := 0
	for n := 1; n < line; n++ {
		i := slices.Index(text[start:], '\n')
		if i < 0 {
			return 0, 0, &usage.Error{Arg: "line", Value: strconv.Itoa(line), Msg: "past the end of the file", Hint: "the file has " + strconv.Itoa(n) + " lines"}
		}
		start += i + 1
	}
	end := len(text)
	if i := slices.Index(text[start:], '\n'); i >= 0 {
		end = start + i
	}
	if column > 0 {
		start = min(start+column-1, end)
		return uint32(start), uint32(start + 1), nil
	}
	return uint32(start), uint32(end), nil
}

// at finds the symbol at a place, else the use.
func (a *ask) at(t Target) (f corpus.FileID, symbol, use int, err error) {
	f, ok := a.corpus.Find(path.Clean(t.Path))
	if !ok {
		return 0, 0, 0, &usage.Error{Arg: "path", Value: t.Path, Msg: "not in the index", Hint: a.nearestFile(t.Path)}
	}
	from, to, err := a.offset(f, t.Line, t.Column)
	if err != nil {
		return 0, 0, 0, err
	}
	file := a.File(f)
	symbol, use = facts.None, facts.None
	if t.Column > 0 {
		if symbol = file.SymbolAt(from); symbol == facts.None {
			use = file.UseAt(from)
		}
		return f, symbol, use, nil
	}
	for i := range file.NumSymbols() {
		if s := a.Symbol(corpus.Ref{File: f, Index: int32(i)}); s.At >= from && s.At < to {
			return f, i, facts.None, nil
		}
	}
	if i := file.UsesFrom(from); i < file.NumUses() && a.Use(f, i).At < to {
		use = i
	}
	return f, facts.None, use, nil
}

// nearestPaths is how many files and folders are named for one that is missing.
const nearestPaths = 3

// allPaths are those of all files.
func (a *ask) allPaths() []string {
	files := make([]string, a.corpus.NumFiles())
	for f := range files {
		files[f] = a.corpus.Path(corpus.FileID(f))
	}
	return files
}

// nearestFile says which file a missing one may have meant.
func (a *ask) nearestFile(p string) string { return nearestOf(p, a.allPaths()) }

// nearestPath says which file or folder a missing one may have meant.
func (a *ask) nearestPath(p string) string { return nearestOf(p, nearest.WithFolders(a.allPaths())) }

func nearestOf(p string, paths []string) string {
	near := nearest.Paths(path.Clean(p), paths, nearestPaths)
	if len(near) == 0 {
		return "give it as files lists it, relative to the root"
	}
	return didYouMean(near)
}

// definition describes a symbol.
func (a *ask) definition(r corpus.Ref, body bool) (Definition, error) {
	s := a.Symbol(r)
	chain := a.File(r.File).Chain(int(r.Index))
	if pkg := a.File(r.File).Package(); pkg != "" {
		chain = append([]string{pkg}, chain...)
	}
	d := Definition{
		ID: a.id(r), Path: a.corpus.Path(r.File), Line: int(s.Line), Column: int(s.Column), EndLine: int(s.EndLine),
		Name: s.Name, QualifiedName: strings.Join(chain, "."), Kind: s.Kind, Exported: s.Flags&facts.Exported != 0,
		Uses: a.CountUses(s.Name),
	}
	signature, err := a.cut(r.File, s.SigStart, s.SigEnd)
	if err != nil {
		return d, err
	}
	doc, err := a.cut(r.File, s.DocStart, s.DocEnd)
	if err != nil {
		return d, err
	}
	d.Signature, d.Doc = outline.OneLine(signature, a.corpus.Language(r.File)), document(doc)
	if body {
		d.Body, err = a.cut(r.File, s.Start, s.End)
	}
	return d, err
}

// cut returns a part of the text of a file, empty where the text does not have
// all of it.
func (a *ask) cut(f corpus.FileID, from, to uint32) (string, error) {
	if from >= to {
		return "", nil
	}
	text, err := a.corpus.TextRange(f, int(from), int(to), &a.piece)
	if err != nil || len(text) < int(to-from) {
		return "", err
	}
	return string(text), nil
}

// document takes the comment marks off documentation.
func document(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"/**", "/*", "///", "//!", "//", "*/", "* ", `"""`, "'''", "#"} {
			line = strings.TrimPrefix(line, mark)
		}
		for _, mark := range []string{"*/", `"""`, "'''"} {
			line = strings.TrimSuffix(line, mark)
		}
		if line == "*" {
			line = ""
		}
		lines = append(lines, strings.TrimRightFunc(strings.TrimPrefix(line, " "), unicode.IsSpace))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

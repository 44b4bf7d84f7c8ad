package corpus

import (
	"iter"
	"math"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/segment/syn"
)

// Reader reads symbols and uses for one question and keeps what it has read. It
// belongs to one goroutine.
type Reader struct {
	corpus  *Corpus
	opened  *opened
	names   map[string]*named
	uses    map[string][]Ref // of a name, by path and place
	members []*Reader        // of the repositories that were joined; nil of one
}

// opened are the files that were read, of all repositories.
type opened struct {
	files ByFile[File]
	last  *File
	rows  rows
}

// Reader returns a new reader.
func (c *Corpus) Reader() *Reader {
	all := &opened{}
	r := c.reader(all)
	if c.joined != nil {
		for _, m := range c.joined.members {
			r.members = append(r.members, m.reader(all))
		}
		for _, m := range r.members {
			m.members = r.members
		}
	}
	return r
}

func (c *Corpus) reader(all *opened) *Reader {
	return &Reader{corpus: c, opened: all, names: map[string]*named{}, uses: map[string][]Ref{}}
}

// Size is how much was read, in rows.
func (r *Reader) Size() int { return r.opened.rows.read }

// Of returns the reader of the one repository that a file is of. It knows names,
// uses and imports of no other, while files and symbols of all can be read.
func (r *Reader) Of(f FileID) *Reader {
	if r.members == nil {
		return r
	}
	return r.members[r.corpus.files[f].home]
}

// Members are the readers of the repositories that were joined, one for one alone.
func (r *Reader) Members() []*Reader {
	if r.members == nil {
		return []*Reader{r}
	}
	return r.members
}

// File is a file that a reader has opened.
type File struct {
	ID           FileID
	Path, Folder string
	Family       Family
	Facts        *syn.File // has rows only where the file was parsed

	rows    *rows
	symbols leaves[facts.Symbol]
	uses    leaves[facts.Use]
	imports leaves[facts.Import]
}

// leaves are rows of a file by number, in leaves that are made when one of them is
// read: most files are read in a few places.
type leaves[T any] []*[leafRows]*T

const leafRows = 16

// at returns where a row is kept, which has nil before it is read. One that a damaged
// file lacks is kept nowhere: to read it is a fault.
func (l *leaves[T]) at(i int32, rows int) **T {
	if i < 0 || int(i) >= rows {
		return new(*T)
	}
	if *l == nil {
		*l = make(leaves[T], (rows+leafRows-1)/leafRows)
	}
	leaf := &(*l)[i/leafRows]
	if *leaf == nil {
		*leaf = new([leafRows]*T)
	}
	return &(*leaf)[i%leafRows]
}

// rows hold the rows that were read, many in one allocation, because a question
// may read tens of thousands.
type rows struct {
	symbols []facts.Symbol
	uses    []facts.Use
	imports []facts.Import
	read    int // these, and what was read by names
}

// put adds a row to a slice. A full slice is left to its rows, and a new one begun.
func put[T any](all []T, row T) (_ []T, at *T) {
	if len(all) == cap(all) {
		all = make([]T, 0, min(max(2*cap(all), 8), 64))
	}
	all = append(all, row)
	return all, &all[len(all)-1]
}

// Corpus returns the corpus that is read.
func (r *Reader) Corpus() *Corpus { return r.corpus }

// File opens a file.
func (r *Reader) File(id FileID) *File {
	o := r.opened
	if o.last != nil && o.last.ID == id {
		return o.last
	}
	f := o.files.At(id)
	if f == nil {
		f = r.openFile(id)
		o.files.Set(id, f)
	}
	o.last = f
	return f
}

func (r *Reader) openFile(id FileID) *File {
	i := &r.corpus.files[id]
	f := &File{ID: id, Path: i.path, Folder: i.folder, Family: i.family, Facts: &syn.File{},
		rows: &r.opened.rows}
	if s := r.corpus.parts[i.part].Syntax; s != nil {
		f.Facts = s.File(int(i.file))
	}
	return f
}

// Look calls do with the facts of a file, which are good until do returns: it costs less
// than a File, which is kept. A file without facts is passed over.
func (c *Corpus) Look(id FileID, do func(*syn.File)) {
	i := &c.files[id]
	if s := c.parts[i.part].Syntax; s != nil {
		s.Look(int(i.file), do)
	}
}

// Imported calls yield with the module and the name of each import of a file, in order.
func (c *Corpus) Imported(id FileID, yield func(module, name string)) {
	c.Look(id, func(f *syn.File) {
		for n := range f.NumImports() {
			yield(f.Imported(n))
		}
	})
}

// nameless is what holds the unnamed types in functions without a name.
var nameless = facts.Symbol{Kind: code.KindFunc, Flags: facts.Local, Parent: facts.None, End: math.MaxUint32, Type: facts.None}

// Symbol returns symbol i, for None what holds the unnamed types in functions without a
// name. It is shared: do not change it.
func (f *File) Symbol(i int32) *facts.Symbol {
	if i == facts.None {
		return &nameless
	}
	s := f.symbols.at(i, f.Facts.NumSymbols())
	if *s == nil {
		f.rows.symbols, *s = put(f.rows.symbols, f.Facts.Symbol(int(i)))
		f.rows.read++
	}
	return *s
}

// Use returns use i without its line and column, which Facts.Use has. It is
// shared: do not change it.
func (f *File) Use(i int32) *facts.Use {
	u := f.uses.at(i, f.Facts.NumUses())
	if *u == nil {
		f.rows.uses, *u = put(f.rows.uses, f.Facts.BareUse(int(i)))
		f.rows.read++
	}
	return *u
}

// Import returns import i. It is shared: do not change it.
func (f *File) Import(i int32) *facts.Import {
	m := f.imports.at(i, f.Facts.NumImports())
	if *m == nil {
		f.rows.imports, *m = put(f.rows.imports, f.Facts.Import(int(i)))
		f.rows.read++
	}
	return *m
}

// Target is the operator of what a use is a member of; OpUse for other uses.
func (f *File) Target(u *facts.Use) facts.Op {
	if u.Bind != facts.BindMember || u.Target == facts.None {
		return facts.OpUse
	}
	return f.Facts.Expr(int(u.Target)).Op
}

// IsTop reports whether a use names what stands outside of all namespaces, as ::x
// of C++ does.
func (f *File) IsTop(u *facts.Use) bool {
	return u.Bind == facts.BindMember && u.Target != facts.None && f.Facts.Expr(int(u.Target)).Op == facts.OpTop
}

// TopNamed returns the symbols of a name in the outermost scope of a file.
func (f *File) TopNamed(name string) []Ref {
	var refs []Ref
	for i := range f.Facts.SymbolsNamed(name) {
		if AtTop(f.Symbol(int32(i))) {
			refs = append(refs, Ref{f.ID, int32(i)})
		}
	}
	return refs
}

// Symbol returns a symbol. It is shared: do not change it.
func (r *Reader) Symbol(s Ref) *facts.Symbol { return r.File(s.File).Symbol(s.Index) }

// Owner returns the name of the type that a member belongs to, empty where a
// symbol is none.
func (r *Reader) Owner(member Ref) string {
	s := r.Symbol(member)
	if s.Owner != "" || s.Parent == facts.None {
		return s.Owner
	}
	return r.Symbol(Ref{member.File, s.Parent}).Name
}

// Named returns the symbols of a name that other files can mean, by path and
// place. Do not change them.
func (r *Reader) Named(name string) []Ref { return r.named(name).refs }

// NamedNear returns those of Named that stand in a file or whose Owner ends in a
// name, by path and place. Do not change them.
func (r *Reader) NamedNear(name string, id FileID, owner string) []Ref {
	return r.named(name).near(id, owner)
}

// NamedInModules returns those of Named that stand in a namespace or module at the
// top of a file of JavaScript or TypeScript, by path and place. Do not change them.
func (r *Reader) NamedInModules(name string) []Ref { return r.named(name).inModules }

func (r *Reader) named(name string) *named {
	n, ok := r.names[name]
	if !ok {
		n = r.corpus.named(name)
		r.names[name] = n
		r.opened.rows.read += len(n.refs)
	}
	return n
}

// Uses returns the uses of a name in the whole repository, by path and place;
// Index is that of the use. Do not change them.
func (r *Reader) Uses(name string) []Ref {
	all, ok := r.uses[name]
	if ok {
		return all
	}
	for p := r.corpus.own.parts; p < r.corpus.own.endParts; p++ {
		s := r.corpus.parts[p].Syntax
		if s == nil {
			continue
		}
		for f, i := range s.Uses(name) {
			if id := r.corpus.ids[p][f.Ordinal()]; id != facts.None {
				all = append(all, Ref{id, int32(i)})
			}
		}
	}
	if !slices.IsSortedFunc(all, compareRefs) {
		slices.SortFunc(all, compareRefs)
	}
	r.uses[name] = all
	r.opened.rows.read += len(all)
	return all
}

// UsesUpTo counts the uses of a name in the whole repository, most at most. It costs
// little where there are more, for then the files that have them tell.
func (r *Reader) UsesUpTo(name string, most int) int {
	if all, ok := r.uses[name]; ok {
		return min(len(all), most)
	}
	files := 0
	for p := r.corpus.own.parts; p < r.corpus.own.endParts; p++ {
		s := r.corpus.parts[p].Syntax
		if s == nil {
			continue
		}
		for f := range s.FilesUsing(name) {
			if r.corpus.ids[p][f] != facts.None {
				files++
			}
			if files >= most {
				return most
			}
		}
	}
	return min(len(r.Uses(name)), most)
}

// Imports yields the imports with a name as their module, their name or their
// local name, in the whole repository, by path and place; Index is that of the
// import. They are shared: do not change them.
func (r *Reader) Imports(name string) iter.Seq2[Ref, *facts.Import] {
	var all []Ref
	for p := r.corpus.own.parts; p < r.corpus.own.endParts; p++ {
		s := r.corpus.parts[p].Syntax
		if s == nil {
			continue
		}
		for f, i := range s.Imports(name) {
			if id := r.corpus.ids[p][f.Ordinal()]; id != facts.None {
				all = append(all, Ref{id, int32(i)})
			}
		}
	}
	sortRefs(all)
	return func(yield func(Ref, *facts.Import) bool) {
		for _, m := range all {
			if !yield(m, r.File(m.File).Import(m.Index)) {
				return
			}
		}
	}
}

// IsShort reports whether a symbol is a member that is declared by the name of its
// value, as the key in {a} is: it is no other thing than that value.
func (r *Reader) IsShort(member Ref) bool {
	s := r.Symbol(member)
	if s.Kind != code.KindField || s.Type == facts.None || s.Flags&facts.Inferred == 0 {
		return false
	}
	f := r.File(member.File)
	x := f.Facts.Expr(int(s.Type))
	return x.Op == facts.OpUse && f.Use(x.X).At == s.At
}

// NamesFunctions reports whether an expression, or None, names a type of this file that
// is another name of that of functions.
func (f *File) NamesFunctions(x int32) bool {
	if x == facts.None {
		return false
	}
	n := f.Facts.Expr(int(x))
	if n.Op == facts.OpValue {
		n = f.Facts.Expr(int(n.X))
	}
	if n.Op != facts.OpUse || f.Use(n.X).Bind != facts.BindSymbol {
		return false
	}
	typ := f.Symbol(f.Use(n.X).Target)
	return typ.Kind == code.KindType && (typ.Type == facts.None || f.Facts.Expr(int(typ.Type)).Op == facts.OpFunc) // None of one that gives void
}

// UsesSpace reports whether the file says that it uses the names of a namespace.
func (f *File) UsesSpace(space string) bool {
	for n := range f.Facts.NumImports() {
		if m := f.Facts.Import(n); m.Module == space || strings.HasSuffix(space, "::"+m.Module) {
			return true
		}
	}
	return false
}

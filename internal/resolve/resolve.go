// Package resolve decides who a name means, when that is asked: from the facts
// of single files (facts.File), so that an edit never changes what is stored of
// other files.
//
// A Corpus is the live files of one state of a repository. A Question is a
// series of look-ups in it that remembers what it has found. Four operations
// make up the answers: what a use means (Define), what an expression stands for
// (eval.go), what a type or module has under a name (member.go), and who uses a
// symbol (References). What differs between languages is one row of a table
// (language.go): how a module's name maps to files, how a free name is looked
// up, which declarations are one symbol.
//
// Nothing is guessed silently. What scopes, imports and written types say is
// certain; what follows from first values and from there being nothing else is
// likely; what may as well be something else is possible. Each has a reason.
//
// Methods look into segments: they belong inside a segment.Guard.
package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/nearest"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// Part is a segment with its syntax part.
type Part struct {
	segment.Live
	Syntax *syn.Reader // nil where there is none yet
}

// FileID numbers the live files of a corpus in the order of their paths.
type FileID int32

// Ref is a symbol of a file.
type Ref struct {
	File  FileID
	Index int32
}

// Corpus is the files that questions are asked about. It may be used from any
// number of goroutines.
type Corpus struct {
	parts   []Part
	files   []fileInfo
	ordinal [][]FileID // of the files of each part; None for those that are not live
	byPath  map[string]FileID
	folders map[string][]FileID // the files that stand right in a folder

	names   nameCache
	pending func() int
	layouts [numLanguages]layout // how modules map to files, made when first asked for
}

// layout is what a family of languages needs to know of the whole repository.
type layout struct {
	once sync.Once
	it   any
}

type fileInfo struct {
	path, dir string
	part      int32
	file      int32
	language  *language // nil where there are no rules
}

// New makes a corpus of the live files of parts.
func New(parts []Part) *Corpus {
	c := &Corpus{parts: parts, folders: map[string][]FileID{}}
	c.pending = sync.OnceValue(c.countPending)
	c.files = c.live()
	c.byPath = make(map[string]FileID, len(c.files))
	for i := range c.files {
		f := &c.files[i]
		f.dir = folder(f.path)
		f.language = languages[parts[f.part].Language(int(f.file))]
		c.ordinal[f.part][f.file] = FileID(i)
		c.byPath[f.path] = FileID(i)
		c.folders[f.dir] = append(c.folders[f.dir], FileID(i))
	}
	return c
}

// live lists the live files by path, and makes room for their numbers. The files
// of a part mostly are in order, which merging makes use of.
func (c *Corpus) live() []fileInfo {
	var files []fileInfo
	var ends []int // of the parts in files
	for p := range c.parts {
		part := &c.parts[p]
		start := len(files)
		files = slices.Grow(files, part.NumFiles())
		c.ordinal = append(c.ordinal, make([]FileID, part.NumFiles()))
		for f := range part.NumFiles() {
			c.ordinal[p][f] = facts.None
			if part.Alive(f) {
				files = append(files, fileInfo{path: part.Path(f), part: int32(p), file: int32(f)})
			}
		}
		if own := files[start:]; !slices.IsSortedFunc(own, byPath) {
			slices.SortFunc(own, byPath)
		}
		ends = append(ends, len(files))
	}
	return mergeRuns(files, ends)
}

func byPath(a, b fileInfo) int { return strings.Compare(a.path, b.path) }

// mergeRuns puts sorted runs, which are given by their ends, in one order.
func mergeRuns(files []fileInfo, ends []int) []fileInfo {
	other := make([]fileInfo, len(files))
	for len(ends) > 1 {
		var merged []int
		from := 0
		for i := 0; i < len(ends); i += 2 {
			middle, to := ends[i], ends[min(i+1, len(ends)-1)]
			merge(other[from:to], files[from:middle], files[middle:to])
			merged = append(merged, to)
			from = to
		}
		files, other, ends = other, files, merged
	}
	return files
}

// merge fills to with two sorted runs.
func merge(to, a, b []fileInfo) {
	for i := range to {
		if len(b) == 0 || len(a) > 0 && byPath(a[0], b[0]) <= 0 {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
}

// folder is the folder of a path, empty for the root.
func folder(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// join puts a relative path behind a folder; ok is false where it leaves the repository.
func join(dir, rel string) (p string, ok bool) {
	p = path.Join(dir, rel)
	if p == "." {
		p = ""
	}
	return p, p != ".." && !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "/")
}

// NumFiles returns the number of live files.
func (c *Corpus) NumFiles() int { return len(c.files) }

// Path returns the path of a file.
func (c *Corpus) Path(f FileID) string { return c.files[f].path }

// Find returns the file with a path.
func (c *Corpus) Find(path string) (FileID, bool) {
	f, ok := c.byPath[path]
	return f, ok
}

// Under returns the files of a folder and of those in it, all of them for the root.
func (c *Corpus) Under(dir string) []FileID {
	from := sortedAt(c.files, dir)
	var all []FileID
	for i := from; i < len(c.files); i++ {
		switch p := c.files[i].path; {
		case dir == "" || strings.HasPrefix(p, dir) && len(p) > len(dir) && p[len(dir)] == '/':
			all = append(all, FileID(i))
		case !strings.HasPrefix(p, dir):
			return all
		}
	}
	return all
}

func sortedAt(files []fileInfo, path string) int {
	i, _ := slices.BinarySearchFunc(files, path, func(f fileInfo, p string) int { return cmp.Compare(f.path, p) })
	return i
}

// Text returns the searchable text of a file.
func (c *Corpus) Text(f FileID) ([]byte, error) {
	i := &c.files[f]
	return c.parts[i.part].Text(int(i.file), nil)
}

// TextRange returns bytes [from, to) of the text of a file, as far as it has
// them. They are valid until the cache is used again.
func (c *Corpus) TextRange(f FileID, from, to int, cache *segment.TextCache) ([]byte, error) {
	i := &c.files[f]
	return c.parts[i.part].TextRange(int(i.file), from, to, cache)
}

// Pending counts the files whose syntax is not known yet.
func (c *Corpus) Pending() int { return c.pending() }

func (c *Corpus) countPending() int {
	n := 0
	_ = segment.Guard(func() error { // damage is told by what reads the rows
		for i := range c.files {
			f := &c.files[i]
			if f.language != nil && (c.parts[f.part].Syntax == nil || c.parts[f.part].Syntax.State(int(f.file)) == syn.Absent) {
				n++
			}
		}
		return nil
	})
	return n
}

// Near returns names of symbols like a word, the likeliest first.
func (c *Corpus) Near(word string, n int) []string {
	var all []string
	for i := range c.parts {
		if s := c.parts[i].Syntax; s != nil {
			all = append(all, s.Near(word)...)
		}
	}
	slices.Sort(all)
	return nearest.Of(word, slices.Compact(all), n)
}

// Question remembers what it has looked up. It belongs to one goroutine.
type Question struct {
	c         *Corpus
	open      map[FileID]*file
	last      *file // opened
	rows      rows
	names     map[string]*named
	used      map[string][]Ref // the uses of a name, by part and place
	types     map[Ref][]thing
	groups    map[Ref][]Ref              // declarations that are one
	includes  map[FileID]map[FileID]bool // what a file includes, directly or not
	exporting map[exportKey]bool         // look-ups that are under way
	spaces    map[string]bool            // names by whether a macro opens a namespace of them
	owners    map[exportKey][]Ref        // types by the file of an impl and the name there
	base      map[Ref][]Ref              // members that a member overrides, and theirs
	steps     int                        // left of those that one use may take
}

// Ask starts a question.
func (c *Corpus) Ask() *Question {
	return &Question{c: c, steps: maxSteps, open: map[FileID]*file{}, names: map[string]*named{}, used: map[string][]Ref{}, types: map[Ref][]thing{}, groups: map[Ref][]Ref{}, exporting: map[exportKey]bool{}, owners: map[exportKey][]Ref{}, spaces: map[string]bool{}, base: map[Ref][]Ref{}, includes: map[FileID]map[FileID]bool{}}
}

// exportKey is a name of a module.
type exportKey struct{ module, name string }

// file is a file that a question has looked into.
type file struct {
	*syn.File // with rows only where it was parsed
	*fileInfo
	id      FileID
	rows    *rows
	symbols map[int32]*facts.Symbol
	uses    map[int32]*use
	targets map[int32]meaning // of its imports
	bases   map[int32][]int32 // of its types: uses that name what they inherit, in order
	values  map[int32][]thing // of its expressions
}

// use is a use with what it means, once that was asked.
type use struct {
	facts.Use
	meaning meaning
	decided bool
}

// rows are where the rows of files lie that a question has read: many together,
// because a question may read tens of thousands.
type rows struct {
	symbols []facts.Symbol
	uses    []use
}

// put adds a row to those that lie together. A full slice is left to its rows,
// and a new one begun.
func put[T any](all []T, row T) (_ []T, at *T) {
	if len(all) == cap(all) {
		all = make([]T, 0, min(max(2*cap(all), 8), 64))
	}
	all = append(all, row)
	return all, &all[len(all)-1]
}

// file opens a file.
func (q *Question) file(id FileID) *file {
	if q.last != nil && q.last.id == id {
		return q.last
	}
	f, ok := q.open[id]
	if !ok {
		f = q.openFile(id)
		q.open[id] = f
	}
	q.last = f
	return f
}

func (q *Question) openFile(id FileID) *file {
	f := &file{fileInfo: &q.c.files[id], id: id, rows: &q.rows,
		symbols: map[int32]*facts.Symbol{}, uses: map[int32]*use{}, targets: map[int32]meaning{},
		bases: map[int32][]int32{}, values: map[int32][]thing{}}
	if s := q.c.parts[f.part].Syntax; s != nil {
		f.File = s.File(int(f.fileInfo.file))
	} else {
		f.File = &syn.File{}
	}
	return f
}

func (f *file) symbol(i int32) *facts.Symbol {
	s, ok := f.symbols[i]
	if !ok {
		f.rows.symbols, s = put(f.rows.symbols, f.Symbol(int(i)))
		f.symbols[i] = s
	}
	return s
}

// use returns use i without its line and column.
func (f *file) use(i int32) *facts.Use { return &f.useRow(i).Use }

func (f *file) useRow(i int32) *use {
	u, ok := f.uses[i]
	if !ok {
		f.rows.uses, u = put(f.rows.uses, use{Use: f.BareUse(int(i))})
		f.uses[i] = u
	}
	return u
}

// File returns the facts of a file, with rows only where it was parsed.
func (q *Question) File(id FileID) *syn.File { return q.file(id).File }

// Symbol returns a symbol. It is shared: do not change it.
func (q *Question) Symbol(r Ref) *facts.Symbol { return q.file(r.File).symbol(r.Index) }

// Use returns use i of a file without its line and column, which File(id).Use(i)
// has. It is shared: do not change it.
func (q *Question) Use(id FileID, i int) *facts.Use { return q.file(id).use(int32(i)) }

// Named returns the symbols of a name that other files can mean, by path and place.
func (q *Question) Named(name string) []Ref { return q.named(name).refs }

func (q *Question) named(name string) *named {
	n, ok := q.names[name]
	if !ok {
		n = q.c.named(name)
		q.names[name] = n
	}
	return n
}

// uses are the uses of a name in the whole repository: Index is that of the use.
func (q *Question) uses(name string) []Ref {
	all, ok := q.used[name]
	if ok {
		return all
	}
	for p := range q.c.parts {
		s := q.c.parts[p].Syntax
		if s == nil {
			continue
		}
		for f, i := range s.Uses(name) {
			if id := q.c.ordinal[p][f.Ordinal()]; id != facts.None {
				all = append(all, Ref{id, int32(i)})
			}
		}
	}
	q.used[name] = all
	return all
}

// CountUses counts the uses of a name in the whole repository.
func (q *Question) CountUses(name string) int { return len(q.uses(name)) }

func sortRefs(all []Ref) {
	slices.SortFunc(all, func(a, b Ref) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Index, b.Index)) })
}

// topLevel reports whether a symbol stands in its file's own scope.
func topLevel(s *facts.Symbol) bool {
	return s.Parent == facts.None && s.Owner == "" && s.Flags&facts.Local == 0 && s.Kind != code.KindField
}

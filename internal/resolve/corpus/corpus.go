// Package corpus reads the live files of one state of a repository: their
// paths, their text, and the symbols and uses that the syntax parts hold of them.
//
// A Corpus is shared by all questions. A Reader serves one question and keeps
// the rows that it has read. Combine makes one corpus of several repositories.
//
// Methods read segments: call them inside a segment.Guard.
package corpus

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/lang"
	"espy/internal/nearest"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// Part is a segment with its syntax part.
type Part struct {
	segment.Live
	Syntax *syn.Reader // nil where there is none yet
}

// FileID numbers the live files of a corpus in the order of their paths, from 0.
type FileID int32

// Ref is a symbol of a file.
type Ref struct {
	File  FileID
	Index int32
}

// Corpus is the live files of one state of a repository, or of several that were
// joined. It may be used from any number of goroutines.
type Corpus struct {
	parts   []Part
	files   []fileInfo
	ids     [][]FileID // by part and file; None for a file that is not live
	own     span       // what of these is its own
	byPath  map[string]FileID
	folders map[string][]FileID // the files directly in a folder

	names   nameCache
	pending func() int
	joined  *joined // nil where it is of one repository
}

// span is the parts and files of one corpus among those of all that were joined.
type span struct {
	parts, endParts int
	files, endFiles FileID
}

type fileInfo struct {
	path, folder string
	part         int32
	file         int32
	family       Family
	home         int16 // the repository among those that were joined
}

// New makes a corpus of the live files of parts.
func New(parts []Part) *Corpus {
	c := &Corpus{parts: parts, folders: map[string][]FileID{}}
	c.pending = sync.OnceValue(c.countPending)
	c.files = c.live()
	c.own = span{endParts: len(parts), endFiles: FileID(len(c.files))}
	c.byPath = make(map[string]FileID, len(c.files))
	for i := range c.files {
		f := &c.files[i]
		f.folder = Folder(f.path)
		f.family = families[parts[f.part].Language(int(f.file))]
		c.ids[f.part][f.file] = FileID(i)
		c.byPath[f.path] = FileID(i)
		c.folders[f.folder] = append(c.folders[f.folder], FileID(i))
	}
	return c
}

// live lists the live files by path and allocates their ids. The files of a
// part are usually sorted already, so sorted runs are merged.
func (c *Corpus) live() []fileInfo {
	var files []fileInfo
	var ends []int // of the parts in files
	for p := range c.parts {
		part := &c.parts[p]
		start := len(files)
		files = slices.Grow(files, part.NumFiles())
		c.ids = append(c.ids, make([]FileID, part.NumFiles()))
		for f := range part.NumFiles() {
			c.ids[p][f] = facts.None
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

// NumFiles returns the number of live files.
func (c *Corpus) NumFiles() int { return int(c.own.endFiles - c.own.files) }

// Files are the live files, in order.
func (c *Corpus) Files() iter.Seq[FileID] {
	return func(yield func(FileID) bool) {
		for f := c.own.files; f < c.own.endFiles; f++ {
			if !yield(f) {
				return
			}
		}
	}
}

// Path returns the path of a file, relative to the root; in several repositories the
// name of its own with a colon in front.
func (c *Corpus) Path(f FileID) string {
	if c.isOne() {
		return c.files[f].path
	}
	return c.Repo(f) + ":" + c.files[f].path
}

// Folder returns the folder of a file, empty for the root.
func (c *Corpus) Folder(f FileID) string { return c.files[f].folder }

// Family returns the family of languages that a file is written in.
func (c *Corpus) Family(f FileID) Family { return c.files[f].family }

// Language returns the name of the language of a file, empty where it is not known.
func (c *Corpus) Language(f FileID) string {
	i := &c.files[f]
	return c.parts[i.part].Language(int(i.file))
}

// Class returns the traits of a file, by its path and by its content.
func (c *Corpus) Class(f FileID) code.Class {
	i := &c.files[f]
	return c.parts[i.part].Class(int(i.file)) | lang.Classify(i.path)
}

// Lines returns the number of lines of a file: line ends, and one for text behind
// the last.
func (c *Corpus) Lines(f FileID) int {
	i := &c.files[f]
	return c.parts[i.part].File(int(i.file)).Lines
}

// Find returns the file with a path: of several repositories that of the first that
// has one.
func (c *Corpus) Find(path string) (FileID, bool) {
	if c.isOne() {
		f, ok := c.byPath[path]
		return f, ok
	}
	if all := c.All(path); len(all) > 0 {
		return all[0], true
	}
	return c.joined.ofRepo(path)
}

// In returns the files directly in a folder, by path: of several repositories those
// of the first that has some. Do not change them.
func (c *Corpus) In(folder string) []FileID {
	if c.isOne() {
		return c.folders[folder]
	}
	for _, m := range c.joined.members {
		if all := m.folders[folder]; len(all) > 0 {
			return all
		}
	}
	return nil
}

// Under returns the files of a folder and of its subfolders, by path; all files
// for the root, which is "".
func (c *Corpus) Under(dir string) (all []FileID) {
	for _, m := range c.Members() {
		all = append(all, m.under(dir)...)
	}
	return all
}

// under is Under of one repository.
func (c *Corpus) under(dir string) []FileID {
	own := c.files[c.own.files:c.own.endFiles]
	from, _ := slices.BinarySearchFunc(own, dir, func(f fileInfo, p string) int { return cmp.Compare(f.path, p) })
	var all []FileID
	for i := from; i < len(own); i++ {
		switch p := own[i].path; {
		case dir == "" || strings.HasPrefix(p, dir) && len(p) > len(dir) && p[len(dir)] == '/':
			all = append(all, c.own.files+FileID(i))
		case !strings.HasPrefix(p, dir):
			return all
		}
	}
	return all
}

// Text returns the searchable text of a file.
func (c *Corpus) Text(f FileID) ([]byte, error) {
	i := &c.files[f]
	return c.parts[i.part].Text(int(i.file), nil)
}

// TextRange returns bytes [from, to) of the text of a file, cut off at its end.
// They are valid until the cache is used again.
func (c *Corpus) TextRange(f FileID, from, to int, cache *segment.TextCache) ([]byte, error) {
	i := &c.files[f]
	return c.parts[i.part].TextRange(int(i.file), from, to, cache)
}

// Definitions returns the definitions of a file that were found line by line, in
// the order of the lines.
func (c *Corpus) Definitions(f FileID) (all []code.Definition) {
	i := &c.files[f]
	part := c.parts[i.part]
	for d, end := part.DefinitionsOf(int(i.file)); d < end; d++ {
		all = append(all, part.Definition(d).Definition)
	}
	return all
}

// Pending counts the files whose syntax is not known yet.
func (c *Corpus) Pending() int { return c.pending() }

func (c *Corpus) countPending() int {
	n := 0
	_ = segment.Guard(func() error { // damage is reported when the rows are read
		for i := range c.Files() {
			f := &c.files[i]
			if f.family != NoFamily && (c.parts[f.part].Syntax == nil || c.parts[f.part].Syntax.State(int(f.file)) == syn.Absent) {
				n++
			}
		}
		return nil
	})
	return n
}

// State says what is known of the syntax of a file; Unknown of one without a grammar.
func (c *Corpus) State(f FileID) (state syn.State) {
	state = syn.Absent
	_ = segment.Guard(func() error { // damage is reported when the rows are read
		i := &c.files[f]
		if syntax := c.parts[i.part].Syntax; i.family == NoFamily {
			state = syn.Unknown
		} else if syntax != nil {
			state = syntax.State(int(i.file))
		}
		return nil
	})
	return state
}

// Failed counts the files that cannot be parsed.
func (c *Corpus) Failed() (n int) {
	_ = segment.Guard(func() error { // damage is reported when the rows are read
		for i := range c.Files() {
			f := &c.files[i]
			if syntax := c.parts[f.part].Syntax; f.family != NoFamily && syntax != nil && syntax.State(int(f.file)) == syn.Failed {
				n++
			}
		}
		return nil
	})
	return n
}

// Near returns up to n names of symbols that resemble a word, the likeliest first.
func (c *Corpus) Near(word string, n int) []string {
	var all []string
	for i := c.own.parts; i < c.own.endParts; i++ {
		if s := c.parts[i].Syntax; s != nil {
			all = append(all, s.Near(word)...)
		}
	}
	slices.Sort(all)
	return nearest.Of(word, slices.Compact(all), n)
}

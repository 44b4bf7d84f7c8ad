package rank

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/token"
)

// Part is a term of a path or one that is sought in paths. Texts lie here and
// there in memory: most that differ are told apart by their heads alone.
type Part struct {
	Text string
	head uint32 // its first three bytes, zeros behind a shorter text
}

// NewPart returns the part of a text.
func NewPart(text string) Part {
	return Part{text, headOf(text)}
}

// headOf returns the head of a text.
func headOf(text string) (head uint32) {
	for i := range min(len(text), 3) {
		head |= uint32(text[i]) << (8 * i)
	}
	return head
}

func (p *Part) is(q *Part) bool { return p.head == q.head && p.Text == q.Text }

// FileFolder is a folder's path as signals see it.
type FileFolder struct {
	Terms []Part // of the nearest folders, the nearest last
	Depth int    // folders from the root to it

	own   [4]Part // of Terms where there are no more, to lie beside the rest
	path  string
	asked string // the name that Named was asked for last, and its answer
	named bool
}

// FileStem is the name of a file without its extension as signals see it.
type FileStem struct {
	Terms []Part // of the name, and of its folder where the name says nothing
	Spell string // letters and digits of the name, lower-cased
}

// genericStems say nothing: the folder's name speaks for them.
var genericStems = map[string]bool{"mod": true, "index": true, "__init__": true, "lib": true, "init": true, "main": true}

// maxDirs is how many of the nearest folders count.
const maxDirs = 4

// maxRemembered bounds the folders and the names that a Splitter remembers
// beyond those of one query.
const maxRemembered = 1 << 14

// Splitter cuts paths into their parts and remembers those of folders and names
// that it saw. Its zero value is ready for use, by one goroutine at a time. What
// it returns must not be changed, and agrees with the terms that segments store.
type Splitter struct {
	folders map[string]*FileFolder
	stems   map[string]*knownStem
}

// Begin makes room for the paths of another query. Until the next one a folder
// is always the same FileFolder.
func (s *Splitter) Begin() {
	if s.folders == nil || len(s.folders) > maxRemembered {
		s.folders = map[string]*FileFolder{}
	}
	if s.stems == nil || len(s.stems) > maxRemembered {
		s.stems = map[string]*knownStem{}
	}
}

type knownStem struct {
	FileStem
	generic bool
	own     [2]Part // of Terms where there are no more
}

// CutPath cuts a path into that of its folder and the name of the file without
// its extension.
func CutPath(path []byte) (dir, stem []byte) {
	slash, dot := bytes.LastIndexByte(path, '/'), bytes.LastIndexByte(path, '.')
	if dot <= slash {
		dot = len(path)
	}
	return path[:max(slash, 0)], path[slash+1 : dot]
}

// isHeader reports whether a path is that of a header of C or a language like it.
func isHeader(path []byte) bool {
	for _, ext := range [...]string{".h", ".hh", ".hpp", ".hxx"} {
		if n := len(path) - len(ext); n > 0 && strings.EqualFold(string(path[n:]), ext) {
			return true
		}
	}
	return false
}

// Stem returns the parts of a file's name without extension.
func (s *Splitter) Stem(name []byte, in *FileFolder) FileStem {
	st, ok := s.stems[string(name)]
	if !ok {
		st = newStem(string(name))
		s.stems[string(name)] = st
	}
	if !st.generic {
		return st.FileStem
	}
	return FileStem{parts(slices.Clip(st.Terms), in.path[strings.LastIndexByte(in.path, '/')+1:]), st.Spell}
}

func newStem(name string) *knownStem {
	s := &knownStem{generic: genericStems[strings.ToLower(name)]}
	s.Terms, s.Spell = parts(s.own[:0], name), Spelling(name)
	return s
}

// Folder returns the parts of a path of folders, "" at the root.
func (s *Splitter) Folder(path []byte) *FileFolder {
	f, ok := s.folders[string(path)]
	if !ok {
		f = newFolder(string(path))
		s.folders[f.path] = f
	}
	return f
}

func newFolder(path string) *FileFolder {
	f := &FileFolder{path: path}
	if path != "" {
		f.Depth = strings.Count(path, "/") + 1
	}
	f.Terms = f.own[:0]
	dirs := strings.Split(path, "/")
	for _, d := range dirs[max(0, len(dirs)-maxDirs):] {
		f.Terms = parts(f.Terms, d)
	}
	return f
}

// parts appends the stemmed parts of every word of s.
func parts(dst []Part, s string) []Part {
	for _, w := range token.Words(s) {
		for _, t := range w.Terms {
			dst = append(dst, NewPart(t))
		}
	}
	return dst
}

// Spelling returns the ASCII letters and digits of s, lower-cased, and every
// other letter as it is: names that differ in case and separators spell alike.
func Spelling(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if c, ok := spelled(s[i]); ok {
			b = append(b, c)
		}
	}
	return string(b)
}

// spelled returns a byte as Spelling has it; ok is false where it leaves it out.
func spelled(c byte) (lower byte, ok bool) {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A', true
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c >= 0x80:
		return c, true
	}
	return 0, false
}

// SpellsName reports whether a stem spells a name, plural or not.
func SpellsName(stem, name string) bool {
	return stem == name || strings.TrimRight(stem, "s") == strings.TrimRight(name, "s") && name != ""
}

// Named reports whether a folder of the path spells a name, given as Spelling
// does: the main part of a repository often lies in a folder of its name. It is
// asked again and again for the same one.
func (f *FileFolder) Named(name string) bool {
	if f.asked != name {
		f.asked, f.named = name, false
		for dir := range strings.SplitSeq(f.path, "/") {
			f.named = f.named || spells(dir, name)
		}
	}
	return f.named && name != ""
}

// spells reports whether Spelling(s) is a spelling.
func spells(s, spelling string) bool {
	for i := range len(s) {
		c, ok := spelled(s[i])
		if !ok {
			continue
		}
		if spelling == "" || spelling[0] != c {
			return false
		}
		spelling = spelling[1:]
	}
	return spelling == ""
}

// Has reports whether the stem has a term.
func (s *FileStem) Has(term Part) bool { return contains(s.Terms, &term) }

// Has reports whether the folders have a term.
func (f *FileFolder) Has(term Part) bool { return contains(f.Terms, &term) }

func contains(parts []Part, t *Part) bool {
	for i := range parts {
		if parts[i].is(t) {
			return true
		}
	}
	return false
}

// Product returns what a file and the one that a program made of it are both called:
// a/parser of a/parser.y and a/parser.c, a/item of a/item.proto and a/item_pb2.py.
func Product(path string) string {
	dir := strings.LastIndexByte(path, '/') + 1
	name, _, _ := strings.Cut(path[dir:], ".")
	for _, suffix := range []string{"_pb2", "_pb", "_gen", "_generated"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return path[:dir] + name
}

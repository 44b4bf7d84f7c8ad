package rank

import (
	"bytes"
	"slices"
	"strings"

	"espy/internal/token"
)

// FileFolder is a folder's path as signals see it.
type FileFolder struct {
	Terms []string // of the nearest folders, the nearest last
	Depth int      // folders from the root to it

	path string
}

// FileStem is the name of a file without its extension as signals see it.
type FileStem struct {
	Terms []string // of the name, and of its folder where the name says nothing
	Spell string   // letters and digits of the name, lower-cased
}

// genericStems say nothing: the folder's name speaks for them.
var genericStems = map[string]bool{"mod": true, "index": true, "__init__": true, "lib": true, "init": true, "main": true}

// maxDirs is how many of the nearest folders count.
const maxDirs = 4

// maxRemembered bounds the folders and the names that a Splitter remembers.
const maxRemembered = 1 << 14

// Splitter cuts paths into their parts and remembers those of folders and names
// that it saw. Its zero value is ready for use, by one goroutine at a time. What
// it returns must not be changed, and agrees with the terms that segments store.
type Splitter struct {
	folders map[string]FileFolder
	stems   map[string]*knownStem
}

type knownStem struct {
	FileStem
	generic bool
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

// Split returns the parts of a path.
func (s *Splitter) Split(path string) (FileStem, FileFolder) {
	dir, name := CutPath([]byte(path))
	folder := s.Folder(string(dir))
	return s.Stem(name, &folder), folder
}

// Stem returns the parts of a file's name without extension.
func (s *Splitter) Stem(name []byte, in *FileFolder) FileStem {
	st, ok := s.stems[string(name)]
	if !ok {
		if s.stems == nil || len(s.stems) == maxRemembered {
			s.stems = map[string]*knownStem{}
		}
		name := string(name)
		st = &knownStem{FileStem{parts(nil, name), Spelling(name)}, genericStems[strings.ToLower(name)]}
		s.stems[name] = st
	}
	if !st.generic {
		return st.FileStem
	}
	return FileStem{parts(slices.Clip(st.Terms), in.path[strings.LastIndexByte(in.path, '/')+1:]), st.Spell}
}

// Folder returns the parts of a path of folders, "" at the root.
func (s *Splitter) Folder(path string) FileFolder {
	f, ok := s.folders[path]
	if !ok {
		if s.folders == nil || len(s.folders) == maxRemembered {
			s.folders = map[string]FileFolder{}
		}
		f.path = path
		if path != "" {
			f.Depth = strings.Count(path, "/") + 1
		}
		dirs := strings.Split(path, "/")
		for _, d := range dirs[max(0, len(dirs)-maxDirs):] {
			f.Terms = parts(f.Terms, d)
		}
		s.folders[path] = f
	}
	return f
}

// parts appends the stemmed parts of every word of s.
func parts(dst []string, s string) []string {
	for _, w := range token.Words(s) {
		dst = append(dst, w.Terms...)
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

// nearDirTerms is how many of the nearest folders' terms count as words of a path.
const nearDirTerms = 3

// prefixMatch is the worth of a word that only begins like a word of the path.
const prefixMatch = 0.7

// Words returns what each of the terms is worth by the near folders: 1 where it
// occurs in them, prefixMatch where it has a common beginning with one of theirs.
func (f *FileFolder) Words(terms []string) []float64 {
	near := f.Terms[max(0, len(f.Terms)-nearDirTerms):]
	worth := make([]float64, len(terms))
	for i, t := range terms {
		worth[i] = occurs(near, t)
	}
	return worth
}

// PathWords returns the part of the terms, each longer than two bytes, that
// occur in the stem or, as Words has it, near it; a common beginning counts
// prefixMatch.
func (s *FileStem) PathWords(terms []string, near []float64) float64 {
	if len(terms) == 0 {
		return 0
	}
	sum := 0.0
	for i, t := range terms {
		sum += max(occurs(s.Terms, t), near[i])
	}
	return sum / float64(len(terms))
}

// Mass returns the sum of the mass of the distinct terms of the folders.
func (f *FileFolder) Mass(mass map[string]float64) float64 {
	sum := 0.0
	for i, t := range f.Terms {
		if !contains(f.Terms[:i], t) {
			sum += mass[t]
		}
	}
	return sum
}

// Named reports whether a folder of the path spells a name, given as Spelling
// does: the main part of a repository often lies in a folder of its name.
func (f *FileFolder) Named(name string) bool {
	if name == "" {
		return false
	}
	for dir := range strings.SplitSeq(f.path, "/") {
		if spells(dir, name) {
			return true
		}
	}
	return false
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

// Head returns the sum of the weights of the terms that the stem has.
func (s *FileStem) Head(terms []Term) float64 {
	sum := 0.0
	for _, t := range terms {
		if contains(s.Terms, t.Text) {
			sum += t.Weight
		}
	}
	return sum
}

// occurs returns 1 where t is one of the parts, prefixMatch where one begins
// with the other, both of three bytes or more, and else 0.
func occurs(parts []string, t string) float64 {
	best := 0.0
	for _, p := range parts {
		switch {
		case p == "" || t == "" || p[0] != t[0]:
		case p == t:
			return 1
		case len(t) >= 3 && len(p) >= 3 && (strings.HasPrefix(p, t) || strings.HasPrefix(t, p)):
			best = prefixMatch
		}
	}
	return best
}

// Explained returns the part of the distinct terms of the stem that known reports.
func (s *FileStem) Explained(known func(string) bool) float64 {
	distinct, hits := 0, 0
	for i, t := range s.Terms {
		if contains(s.Terms[:i], t) {
			continue
		}
		distinct++
		if known(t) {
			hits++
		}
	}
	if distinct == 0 {
		return 0
	}
	return float64(hits) / float64(distinct)
}

func contains(list []string, s string) bool {
	for _, t := range list {
		if t == s {
			return true
		}
	}
	return false
}

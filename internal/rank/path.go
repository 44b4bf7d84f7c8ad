package rank

import (
	"slices"
	"strings"

	"espy/internal/token"
)

// Path is a file's path as signals see it.
type Path struct {
	Stem  []string // terms of the file's name without extension, and of its folder where the name says nothing
	Dir   []string // terms of the folders, nearest last
	Spell string   // letters and digits of the stem, lower-cased
	Depth int      // folders above the file
}

// genericStems say nothing: the folder's name speaks for them.
var genericStems = map[string]bool{"mod": true, "index": true, "__init__": true, "lib": true, "init": true, "main": true}

// maxDirs is how many of the nearest folders count.
const maxDirs = 4

// maxRemembered bounds the folders and the names that a Splitter remembers.
const maxRemembered = 1 << 14

// Splitter cuts paths into their parts and remembers those of folders and names
// that it saw. Its zero value is ready for use, by one goroutine at a time.
type Splitter struct {
	folders map[string][]string // terms
	stems   map[string]stem
}

// stem is a file's name without extension, in terms and letters.
type stem struct {
	terms   []string
	spell   string
	generic bool
}

// Split returns the parts of a path, which must not be changed. They agree with
// the terms that segments store for it.
func (s *Splitter) Split(path string) Path {
	dir, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, base = path[:i], path[i+1:]
	}
	name := base
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		name = base[:i]
	}
	st := s.stem(name)
	p := Path{Stem: st.terms, Dir: s.folder(dir), Spell: st.spell, Depth: strings.Count(path, "/")}
	if st.generic {
		p.Stem = parts(slices.Clip(p.Stem), dir[strings.LastIndexByte(dir, '/')+1:])
	}
	return p
}

func (s *Splitter) stem(name string) stem {
	st, ok := s.stems[name]
	if !ok {
		if s.stems == nil || len(s.stems) == maxRemembered {
			s.stems = map[string]stem{}
		}
		st = stem{parts(nil, name), Spelling(name), genericStems[strings.ToLower(name)]}
		s.stems[name] = st
	}
	return st
}

// folder returns the terms of the nearest folders of a path of folders.
func (s *Splitter) folder(dir string) []string {
	terms, ok := s.folders[dir]
	if !ok {
		if s.folders == nil || len(s.folders) == maxRemembered {
			s.folders = map[string][]string{}
		}
		dirs := strings.Split(dir, "/")
		for _, d := range dirs[max(0, len(dirs)-maxDirs):] {
			terms = parts(terms, d)
		}
		s.folders[dir] = terms
	}
	return terms
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

// nearDirTerms is how many of the nearest folders' terms PathWords looks at.
const nearDirTerms = 3

// prefixMatch is the worth of a word that only begins like a word of the path.
const prefixMatch = 0.7

// PathWords returns the part of the terms, each longer than two bytes, that
// occur in the stem or the near folders; a common beginning counts prefixMatch.
func (p *Path) PathWords(terms []string) float64 {
	if len(terms) == 0 {
		return 0
	}
	near := p.Dir[max(0, len(p.Dir)-nearDirTerms):]
	sum := 0.0
	for _, t := range terms {
		sum += max(occurs(p.Stem, t), occurs(near, t))
	}
	return sum / float64(len(terms))
}

// Folders returns the sum of the mass of the distinct terms in the folders.
func (p Path) Folders(mass map[string]float64) float64 {
	sum := 0.0
	for i, t := range p.Dir {
		if !contains(p.Dir[:i], t) {
			sum += mass[t]
		}
	}
	return sum
}

// UnderName reports whether a path has a folder that spells a name, given as
// Spelling does: the main part of a repository often lies in a folder of its name.
func UnderName(path, name string) bool {
	for {
		dir, rest, ok := strings.Cut(path, "/")
		if !ok || name == "" {
			return false
		}
		if spells(dir, name) {
			return true
		}
		path = rest
	}
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
func (p *Path) Head(terms []Term) float64 {
	sum := 0.0
	for _, t := range terms {
		if contains(p.Stem, t.Text) {
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
func (p *Path) Explained(known func(string) bool) float64 {
	distinct, hits := 0, 0
	for i, t := range p.Stem {
		if contains(p.Stem[:i], t) {
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

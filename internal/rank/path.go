package rank

import (
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

// SplitPath returns the parts of a path. They agree with the terms that
// segments store for it.
func SplitPath(path string) Path {
	dir, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, base = path[:i], path[i+1:]
	}
	stem := base
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		stem = base[:i]
	}
	p := Path{Stem: parts(nil, stem), Spell: Spelling(stem), Depth: strings.Count(path, "/")}
	dirs := strings.Split(dir, "/")
	if genericStems[strings.ToLower(stem)] {
		p.Stem = parts(p.Stem, dirs[len(dirs)-1])
	}
	for _, d := range dirs[max(0, len(dirs)-maxDirs):] {
		p.Dir = parts(p.Dir, d)
	}
	return p
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
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c >= 0x80:
			b = append(b, c)
		}
	}
	return string(b)
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

// UnderName reports whether a path has a folder that spells a name: the main
// part of a repository often lies in a folder of its name.
func UnderName(path, name string) bool {
	name = Spelling(name)
	for {
		dir, rest, ok := strings.Cut(path, "/")
		if !ok || name == "" {
			return false
		}
		if Spelling(dir) == name {
			return true
		}
		path = rest
	}
}

// occurs returns 1 where t is one of the parts, prefixMatch where one begins
// with the other, both of three bytes or more, and else 0.
func occurs(parts []string, t string) float64 {
	best := 0.0
	for _, p := range parts {
		switch {
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

// Package lang is the table of programming and markup languages: how each is
// recognised by file name, extension, first line or first bytes, how its
// comments look, and by which names users call it. It also says what a path
// tells about the role of a file (Classify): test, example, documentation,
// vendored and so on.
//
// Everything here is a pure function of its arguments over immutable tables.
package lang

import (
	"slices"
	"strings"

	"espy/internal/nearest"
)

// ID numbers the languages of this build, densely from 0, for arrays of
// counters. It is not stable between builds: store names.
type ID uint8

// Language is one row of the table. Rows are shared and must not be changed.
type Language struct {
	ID            ID
	Name          string      // as in a `lang:` filter: lower case
	Aliases       []string    // other names users write
	Extensions    []string    // with the dot; upper-case letters count only where a row has them
	Files         []string    // whole base names
	Interpreters  []string    // programs of a #! line, without version digits
	LineComments  []string    // openers of a comment that ends with the line
	BlockComments [][2]string // opener and closer
	Outline       bool        // package outline finds definitions of functions and types
}

var (
	sorted        []*Language          // by name
	byName        map[string]*Language // names and aliases
	byExtension   map[string]*Language
	byFile        map[string]*Language
	byInterpreter map[string]*Language
)

func init() {
	byName = map[string]*Language{}
	byExtension = map[string]*Language{}
	byFile = map[string]*Language{}
	byInterpreter = map[string]*Language{}
	for i := range table {
		l := &table[i]
		sorted = append(sorted, l)
		add(byName, l, l.Name)
		add(byName, l, l.Aliases...)
		add(byExtension, l, l.Extensions...)
		add(byFile, l, l.Files...)
		add(byInterpreter, l, l.Interpreters...)
	}
	slices.SortFunc(sorted, func(a, b *Language) int { return strings.Compare(a.Name, b.Name) })
	for i, l := range sorted {
		l.ID = ID(i)
	}
}

// add panics when two rows claim the same key: one of them would never be found.
func add(m map[string]*Language, l *Language, keys ...string) {
	for _, k := range keys {
		if old, ok := m[k]; ok {
			panic("lang: " + old.Name + " and " + l.Name + " both claim " + k)
		}
		m[k] = l
	}
}

// All returns every language, sorted by name. The slice is the caller's.
func All() []*Language { return slices.Clone(sorted) }

// ByName finds a language by its name or an alias, in any case.
func ByName(name string) (*Language, bool) {
	l, ok := byName[strings.ToLower(strings.TrimSpace(name))]
	return l, ok
}

// Nearest returns the name of the language closest to name, by edit distance over
// names and aliases. Ties go to the name that sorts first. ByName accepts every
// answer.
func Nearest(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if len(name) > 64 {
		name = name[:64]
	}
	best, bestDistance := sorted[0].Name, 1<<30
	try := func(candidate string, l *Language) {
		if d := distance(name, candidate); d < bestDistance {
			best, bestDistance = l.Name, d
		}
	}
	for _, l := range sorted {
		try(l.Name, l)
	}
	for _, l := range sorted {
		for _, a := range l.Aliases {
			try(a, l)
		}
	}
	return best
}

// distance is the edit distance doubled, with the first letter as tie-breaker.
func distance(a, b string) int {
	d := 2 * nearest.Distance(a, b)
	if a != "" && b != "" && a[0] != b[0] {
		d++
	}
	return d
}

// notCode are the languages of prose and of data.
var notCode = map[string]bool{
	"": true, "asciidoc": true, "csv": true, "diff": true, "dotenv": true, "gomod": true, "ini": true, "json": true, "markdown": true,
	"org": true, "properties": true, "rst": true, "tex": true, "text": true, "toml": true, "xml": true, "yaml": true,
}

// IsCode reports whether a language, "" for an unknown one, is written for
// programs to run rather than to be read: no prose, no data, no settings.
func IsCode(language string) bool { return !notCode[language] }

// Package byline reads imports line by line, in code that no grammar reads, and finds
// the files that they name.
//
// A language has forms (forms.go): what a line of an import begins with, and which of its
// text names something. A name leads to a file by its path, as build tools of the language
// have it, or by the module that a file declares (find.go). Comments and texts aside, it is
// a heuristic: conditions are not looked at, and of several files of one name the nearest
// counts.
package byline

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"espy/internal/lang"
	"espy/internal/outline"
)

// How says how a name leads to files.
type How uint8

// The ways.
const (
	ByPath    How = iota // a path from the folder of the file, from a folder of headers or from the root
	ByModule             // parts of a path without its ending: a/b for a.b
	ByDeclare            // the module that a file declares
	ByFolder             // a folder of sources that are one module, with the folders below it
	ByPackage            // a folder of sources that are one package, without those below it
	ByPub                // a path as ByPath, of package:name/file that of the package's folder lib
	ByUnit               // a file of the folder, or the only one of the repository that is called so: a module of OCaml
)

// Import is what one line takes in.
type Import struct {
	Name string // as written
	Path string // the same as a path, or as a name that files declare
	How  How
	Bare bool // it may be no import: what stands before a dot, what a class extends
	Line int  // from 1
}

// maxImports bounds the imports that are read of one file.
const maxImports = 5_000

// Knows reports whether imports of a language are read line by line.
func Knows(language string) bool { return len(forms()[language]) > 0 }

// InPackages reports whether the files of a folder are one package of a language, which is
// imported as a whole.
func InPackages(language string) bool {
	return slices.ContainsFunc(forms()[language], func(f form) bool { return f.how == ByPackage })
}

// Of reads the imports of a text, in the order of their lines, each name once.
func Of(language string, text []byte) []Import {
	l, ok := lang.ByName(language)
	if !ok || !Knows(language) {
		return nil
	}
	r := reader{text: text}
	for i := range forms()[language] {
		r.form(&forms()[language][i])
	}
	return r.inCode(l)
}

// reader reads one text.
type reader struct {
	text []byte
	all  []written
}

// written is an import as a line has it.
type written struct {
	Import
	at int // byte that the statement begins at
}

// form finds what is written in one form.
func (r *reader) form(f *form) {
	if !slices.ContainsFunc(f.begins, func(word string) bool { return contains(r.text, word, f.anyCase) }) {
		return
	}
	line, further := 0, 2*len(r.text)+maxStatement // bytes behind lines that are looked at, all together
	for at := 0; at < len(r.text) && len(r.all) < maxImports; {
		line++
		end := len(r.text)
		if n := bytes.IndexByte(r.text[at:], '\n'); n >= 0 {
			end = at + n
		}
		start := at
		at = end + 1
		if !f.may(r.text[start:end]) {
			continue
		}
		if f.until != "" && further > 0 { // the statement may go on
			most := r.text[start:min(len(r.text), start+maxStatement)]
			if n := bytes.Index(most, []byte(f.until)); n >= 0 {
				most = most[:n+len(f.until)]
			}
			end = max(end, start+len(most))
			further -= len(most)
		}
		for _, m := range f.re().FindAllSubmatchIndex(r.text[start:end], -1) {
			for _, name := range f.names(submatch(r.text[start:end], m)) {
				r.add(f, name, line+lineWithin(r.text[start:end], name), start+m[0])
			}
			if !f.anywhere {
				break
			}
		}
	}
}

// lineWithin is how many lines of a statement stand before a name, or before its last part
// where the name is put together.
func lineWithin(statement []byte, name string) int {
	at := bytes.Index(statement, []byte(name))
	if at < 0 {
		at = bytes.Index(statement, []byte(name[strings.LastIndexAny(name, ".:/")+1:]))
	}
	return bytes.Count(statement[:max(at, 0)], []byte("\n"))
}

// maxStatement is how many bytes of an import over several lines are looked at.
const maxStatement = 8 << 10

// submatch is the text of the groups of a match that took part, with a blank between them.
func submatch(text []byte, m []int) string {
	var parts []string
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			parts = append(parts, string(text[m[i]:m[i+1]]))
		}
	}
	return strings.Join(parts, " ")
}

// add keeps what is imported under a name by a statement that begins at a byte.
func (r *reader) add(f *form, name string, line, at int) {
	path := name
	if f.path != nil {
		path = f.path(name)
	}
	if path != "" {
		r.all = append(r.all, written{Import{Name: name, Path: path, How: f.how, Bare: f.bare, Line: line}, at})
	}
}

// inCode leaves the imports that stand in no comment and in no text, the first of each name.
// The text is looked at up to the last one.
func (r *reader) inCode(l *lang.Language) (all []Import) {
	if len(r.all) == 0 {
		return nil
	}
	slices.SortStableFunc(r.all, func(a, b written) int { return cmp.Or(a.Line-b.Line, a.at-b.at) })
	last := slices.MaxFunc(r.all, func(a, b written) int { return a.at - b.at }).at
	quiet, seen := outline.QuietTo(l, r.text, last+1), map[string]bool{}
	for _, m := range r.all {
		i, _ := slices.BinarySearchFunc(quiet, m.at, func(s outline.Span, at int) int {
			if s.End <= at {
				return -1
			}
			return 1
		})
		if i < len(quiet) && m.at >= quiet[i].Start && (m.at > quiet[i].Start || quiet[i].Comment) || seen[m.Name] {
			continue
		}
		seen[m.Name] = true
		all = append(all, m.Import)
	}
	return all
}

func contains(text []byte, word string, anyCase bool) bool {
	if anyCase {
		text = bytes.ToLower(text)
	}
	return bytes.Contains(text, []byte(word))
}

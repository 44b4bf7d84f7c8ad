package learn

import (
	"bytes"
	"slices"

	"espy/internal/code"
	"espy/internal/embedding"
	"espy/internal/lang"
	"espy/internal/outline"
)

// pair is what people say of a piece of code, and the piece without it.
type pair struct {
	source, language string
	said             string
	code             embedding.Document
	held             bool // kept back to measure with
}

// Bounds of a piece of code.
const (
	minCode     = 40   // bytes
	maxCode     = 2400 // bytes
	headSymbols = 24   // names of a file that its head is of
)

// minedFile returns the pairs of one file: of its head and of what it defines.
func minedFile(l *lang.Language, rel string, text []byte) (pairs []pair) {
	f := newFile(l, rel, text)
	if p, ok := f.head(); ok {
		pairs = append(pairs, p)
	}
	for i, d := range f.definitions {
		if !d.Kind.IsFunc() && !d.Kind.IsType() {
			continue
		}
		if p, ok := f.pair(i); ok {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// file is a source by lines.
type file struct {
	language    *lang.Language
	path        string
	text        []byte
	lines       []int // where each begins, and the end of the text
	definitions []code.Definition
	quiet       []outline.Span
	comment     []bool // by line: it is nothing but comment
}

func newFile(l *lang.Language, rel string, text []byte) *file {
	f := &file{language: l, path: rel, text: text}
	if l.Name == "perl" {
		f.definitions, f.quiet = perl(text)
	} else {
		f.definitions, f.quiet = outline.Parse(l, text).Definitions, outline.Quiet(l, text)
	}
	f.lines = append(f.lines, 0)
	for i, c := range text {
		if c == '\n' && i+1 < len(text) {
			f.lines = append(f.lines, i+1)
		}
	}
	f.comment = make([]bool, len(f.lines))
	f.lines = append(f.lines, len(text))
	at := 0
	for i := range f.comment {
		first := f.lines[i] + indent(text[f.lines[i]:f.lines[i+1]])
		for at < len(f.quiet) && f.quiet[at].End <= first {
			at++
		}
		f.comment[i] = at < len(f.quiet) && f.quiet[at].Comment && f.quiet[at].Start <= first
	}
	return f
}

func (f *file) line(i int) []byte { return f.text[f.lines[i]:f.lines[i+1]] }

func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// head returns the pair of the first comment of the file and what the file defines.
func (f *file) head() (pair, bool) {
	first := 0
	for first < len(f.comment) && !f.comment[first] && len(bytes.TrimSpace(f.line(first))) == 0 {
		first++
	}
	for first < len(f.comment) && f.comment[first] {
		end := first
		for end < len(f.comment) && f.comment[end] {
			end++
		}
		if p, ok := f.headOf(first, end); ok {
			return p, true
		}
		for first = end; first < len(f.comment) && len(bytes.TrimSpace(f.line(first))) == 0; {
			first++
		}
	}
	return pair{}, false
}

func (f *file) headOf(first, end int) (pair, bool) {
	if len(f.definitions) < 2 || int(f.definitions[0].Line)-1 <= end { // it is of that definition
		return pair{}, false
	}
	var names []string
	for _, d := range f.definitions[:min(len(f.definitions), headSymbols)] {
		names = append(names, d.Name)
	}
	return f.made(first, end, "", names, end, len(f.comment))
}

// pair returns the pair of a definition.
func (f *file) pair(i int) (pair, bool) {
	d := f.definitions[i]
	at := int(d.Line) - 1
	end := f.end(i)
	if first, last, ok := f.above(at); ok {
		return f.made(first, last, d.Name, []string{d.Name}, at, end)
	}
	if f.language.Name == "python" {
		return f.docstring(at, end, d.Name)
	}
	return pair{}, false
}

// above returns the lines of the comment above a definition.
func (f *file) above(at int) (first, last int, ok bool) {
	last = at
	for last > 0 && last > at-maxBetween && !f.comment[last-1] && f.isBetween(last-1) {
		last--
	}
	first = last
	for first > 0 && f.comment[first-1] {
		first--
	}
	return first, last, first < last
}

// maxBetween is how many lines may stand between a comment and what it is of.
const maxBetween = 6

// isBetween reports whether a line may stand there: an annotation, and in Perl nothing.
func (f *file) isBetween(i int) bool {
	line := bytes.TrimSpace(f.line(i))
	if len(line) == 0 {
		return f.language.Name == "perl"
	}
	return slices.ContainsFunc(annotations, func(a string) bool { return bytes.HasPrefix(line, []byte(a)) })
}

var annotations = []string{"@", "#[", "[", "template"}

// docstring returns the pair of a definition of Python and its first literal.
func (f *file) docstring(at, end int, name string) (pair, bool) {
	for _, s := range f.quiet {
		if s.Start < f.lines[at] || s.Comment {
			continue
		}
		if s.Start >= f.lines[end] {
			return pair{}, false
		}
		lineStart := bytes.LastIndexByte(f.text[:s.Start], '\n') + 1
		if len(bytes.TrimSpace(f.text[lineStart:s.Start])) > 1 {
			continue
		}
		if !bytes.HasPrefix(f.text[s.Start:], []byte(`"""`)) && !bytes.HasPrefix(f.text[s.Start:], []byte("'''")) {
			return pair{}, false
		}
		doc := string(bytes.Trim(f.text[s.Start:s.End], `"'`))
		text := append(bytes.Clone(f.text[f.lines[at]:lineStart]), f.code(s.End, f.lines[end])...)
		return f.said(doc, name, []string{name}, text)
	}
	return pair{}, false
}

// end returns the line after a definition: where the next one begins that is not inside.
func (f *file) end(i int) int {
	at := int(f.definitions[i].Line) - 1
	own := indent(f.line(at))
	for _, d := range f.definitions[i+1:] {
		next := int(d.Line) - 1
		if next <= at || indent(f.line(next)) > own {
			continue
		}
		first, _, _ := f.above(next)
		return max(first, at+1)
	}
	return len(f.comment)
}

// made returns the pair of the comment in some lines and the code in others.
func (f *file) made(first, last int, name string, names []string, from, to int) (pair, bool) {
	return f.said(string(f.text[f.lines[first]:f.lines[last]]), name, names, f.code(f.lines[from], f.lines[to]))
}

func (f *file) said(comment, name string, names []string, text []byte) (pair, bool) {
	said, ok := sentence(comment, name)
	if !ok || len(bytes.TrimSpace(text)) < minCode {
		return pair{}, false
	}
	return pair{
		language: f.language.Name, said: said,
		code: embedding.Document{Path: f.path, Symbols: names, Text: string(text)},
	}, true
}

// code returns a stretch of the text without comments, cut where it is long.
func (f *file) code(from, to int) []byte {
	var out []byte
	for _, s := range f.quiet {
		if !s.Comment || s.End <= from {
			continue
		}
		if s.Start >= to || len(out) > maxCode {
			break
		}
		out = append(out, f.text[min(from, s.Start):max(from, s.Start)]...)
		from = s.End
	}
	if from < to {
		out = append(out, f.text[from:to]...)
	}
	return out[:min(len(out), maxCode)]
}

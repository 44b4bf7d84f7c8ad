package tree

import (
	"bytes"
	"cmp"

	"espy/internal/pattern"
)

// csMisread are what the grammar misreads, each in its group: a cast to a pointer,
// with what is read through it, a step behind the pointer that is written through, and
// ref before partial.
var csMisread = []sought{
	{pattern.New(`(\*?\s*\((?:bool|byte|sbyte|char|short|ushort|int|uint|long|ulong|float|double|void)\s*\*+\))`), []string{"*)"}, 1, 0},
	{pattern.New(`\*\w+(\+\+|--)\s*=[^=]`), []string{"++", "--"}, 0, 1},
	{pattern.New(`\b(ref)\s+partial\s+struct\b`), []string{"partial"}, 1, 1},
}

// csPrepare hides casts to pointers, quotes within texts such as $@"a ""b""", and
// the branches of #if that are no whole statements or declarations, all but the
// first. The grammar reads directives between such only. Where all branches are
// attributes, or elements of a list in braces that end in commas, only the directives
// are hidden, for they may follow each other. A type that ends in a
// semicolon gets an empty body.
func csPrepare(text []byte) []byte {
	var hidden []span
	for i := range csMisread {
		hidden = append(hidden, csMisread[i].groups(text)...)
	}
	if bytes.Contains(text, []byte("#if")) || bytes.Contains(text, []byte(`$@"`)) || bytes.Contains(text, []byte(`@$"`)) {
		r := csReader{lineReader: lineReader{text: text}}
		r.read()
		hidden = append(hidden, r.hidden...)
	}
	text = cover(text, hidden, ' ')
	if ends := csEnds(text); len(ends) > 0 {
		text = bytes.Clone(text)
		for _, at := range ends {
			copy(text[at:], "{}")
		}
	}
	return text
}

// csHead is the beginning of a type.
var csHead = sought{pattern.New(`(?m)^[ \t]*(?:\w+[ \t]+)*(?:class|struct|interface)\s+\w+`), []string{"class", "struct", "interface"}, 0, 1}

// csEnds returns where types without a body end, which the grammar knows of records alone:
// each at a semicolon, behind which the line ends.
func csEnds(text []byte) (ends []int) {
	end := 0
	for _, head := range csHead.matches(text) {
		if end < head[1] {
			if end = bytes.IndexAny(text[head[1]:], ";{}\""); end < 0 {
				break
			}
			end += head[1]
		}
		if text[end] == ';' && end+1 < len(text) && (text[end+1] == '\r' || text[end+1] == '\n') {
			ends = append(ends, end)
		}
	}
	return ends
}

// csGroup is #if with its branches.
type csGroup struct {
	whole      bool // branches are statements or declarations so far
	follow     bool // else: they may follow each other so far
	list       bool // before it stands a brace or a comma in braces
	depth      int  // of brackets before it
	first      int  // and behind its first branch
	branches   int
	from       int // where the branch starts
	directives []span
	others     []span // branches but the first
}

// csReader finds the directives of a text outside of literals and comments.
type csReader struct {
	lineReader
	depth  int
	first  byte   // of a branch, 0 for none yet
	last   byte   // the last one that is no blank and in no comment; 0 for none
	open   []byte // brackets
	groups []csGroup
	hidden []span
}

func (r *csReader) read() {
	if bytes.HasPrefix(r.text, byteOrderMark) {
		r.at = len(byteOrderMark)
	}
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case r.isDirective():
			r.directive()
			continue
		case r.comment():
			continue
		case c == '"' || c == '\'':
			r.literal(c)
			continue
		case c == '{' || c == '(' || c == '[':
			r.depth++
			r.open = append(r.open, c)
		case c == '}' || c == ')' || c == ']':
			r.depth--
			r.open = r.open[:max(0, len(r.open)-1)]
		}
		if c > ' ' {
			r.last = c
			r.first = cmp.Or(r.first, c)
		}
		r.at++
	}
}

// literal skips a text or a character.
func (r *csReader) literal(quote byte) {
	start := r.at
	r.first, r.last = cmp.Or(r.first, quote), quote
	switch {
	case quote == '"' && bytes.HasPrefix(r.text[start:], []byte(`"""`)):
		r.at = r.find(`"""`, start+3) + 3
		return
	case quote == '"' && start > 0 && (r.text[start-1] == '@' || start > 1 && r.text[start-1] == '$' && r.text[start-2] == '@'):
		r.verbatim(start > 1 && (r.text[start-2] == '$' || r.text[start-1] == '$'))
		return
	}
	for r.at = start + 1; r.at < len(r.text) && r.text[r.at] != quote && r.text[r.at] != '\n'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
}

// verbatim skips a text in which quotes are doubled. In one with expressions these
// are hidden.
func (r *csReader) verbatim(expressions bool) {
	for r.at++; r.at < len(r.text); r.at++ {
		if r.text[r.at] != '"' {
			continue
		}
		if r.next() != '"' {
			break
		}
		if expressions {
			r.hidden = append(r.hidden, span{uint32(r.at), uint32(r.at + 2)})
		}
		r.at++
	}
	r.at++
}

// directive reads a line that begins with #.
func (r *csReader) directive() {
	start := r.at
	end := r.find("\n", start)
	word, _, _ := bytes.Cut(bytes.TrimLeft(r.text[start+1:end], " \t"), []byte(" "))
	line := span{uint32(start), uint32(end)}
	switch string(bytes.TrimRight(word, "\r\t")) {
	case "if":
		braces := len(r.open) > 0 && r.open[len(r.open)-1] == '{'
		r.groups = append(r.groups, csGroup{
			whole: csEndsWhole(r.last) || r.last == ':', follow: true, list: braces && (r.last == '{' || r.last == ','),
			depth: r.depth, from: end, directives: []span{line},
		})
		r.first, r.last = 0, 0
	case "elif", "else":
		r.branch(start, end, line)
	case "endif":
		r.branch(start, end, line)
		r.endif()
	}
	r.at = end
}

// csEndsWhole reports whether a statement or a declaration may begin behind a byte.
func csEndsWhole(last byte) bool { return last == 0 || last == '}' || last == ';' || last == '{' }

// branch ends a branch of the innermost #if and starts the next one.
func (r *csReader) branch(start, end int, line span) {
	if len(r.groups) == 0 {
		return
	}
	g := &r.groups[len(r.groups)-1]
	g.whole = g.whole && r.depth == g.depth && (csEndsWhole(r.last) && r.last != '{')
	g.follow = g.follow && r.depth == g.depth && (r.first == '[' && r.last == ']' || g.list && r.last == ',')
	if g.branches == 0 {
		g.first = r.depth
	} else {
		g.others = append(g.others, span{uint32(g.from), uint32(start)})
	}
	g.branches++
	g.directives = append(g.directives, line)
	g.from, r.depth, r.first, r.last = end, g.depth, 0, 0
}

// endif hides the innermost #if where its branches are not whole.
func (r *csReader) endif() {
	if len(r.groups) == 0 {
		return
	}
	g := r.groups[len(r.groups)-1]
	r.groups = r.groups[:len(r.groups)-1]
	r.depth = g.first
	if r.last = ';'; g.whole {
		return
	}
	r.last = ','
	r.hidden = append(r.hidden, g.directives...)
	if !g.follow {
		r.hidden = append(r.hidden, g.others...)
	}
}

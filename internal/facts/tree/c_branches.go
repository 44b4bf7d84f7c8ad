package tree

import (
	"bytes"

	"espy/internal/pattern"
)

// cBranches finds what the grammar cannot read of the lines of the preprocessor:
// comments within the text of a macro, which end it; lines within the parentheses or the
// braces of a value; and conditionals whose branches are no whole declarations or
// statements, all but their first branch.
// The directives are in lines, all else in others.
func cBranches(text []byte) (lines, others []span) {
	if bytes.IndexByte(text, '#') < 0 {
		return nil, nil
	}
	r := cReader{lineReader: lineReader{text: text}}
	r.read()
	return r.lines, r.others
}

// maxHiddenBranch bounds the bytes of a branch that is hidden: what is longer is read,
// with the faults that this gives.
const maxHiddenBranch = 4 << 10

// cOpen is a bracket that is open, and those round it.
type cOpen struct {
	mark      byte
	value     bool   // a brace round the elements of a value
	constants bool   // a brace round those of an enumeration
	outer     *cOpen // nil for none
}

// cGroup is a conditional of the preprocessor with its branches.
type cGroup struct {
	open       *cOpen // before it
	first      *cOpen // behind the branch that is kept
	split      bool   // a branch is no whole declaration or statement
	value      bool   // it stands between the elements of a value
	kept       int    // the branch that is read where it is split
	branches   int
	from       int // where the branch starts
	directives []span
	others     []span // branches but the one that is kept
}

// cReader finds the directives of a text outside of literals and comments.
type cReader struct {
	lineReader
	open   *cOpen // the innermost bracket, nil for none
	last   byte   // the last one that is no blank and in no comment; 0 for none, or a directive
	before byte   // the one before last; 0 after a directive
	groups []cGroup
	lines  []span // directives that are hidden
	others []span // other text that is
}

func (r *cReader) read() {
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case r.isDirective():
			r.directive()
			continue
		case r.comment():
			continue
		case c == '"' || c == '\'' && (r.at == 0 || cWordEnd(r.text, r.at-1, r.at) < r.at): // 1'000 in C++
			r.at = r.literal(r.at)
			r.before, r.last = r.last, c
			continue
		case c == '{' || c == '(' || c == '[':
			r.open = &cOpen{c, c == '{' && r.isValue(), c == '{' && r.isEnum(), r.open}
		case r.open != nil && (c == '}' || c == ')' || c == ']'):
			r.open = r.open.outer
		}
		if c > ' ' {
			r.before, r.last = r.last, c
		}
		r.at++
	}
}

// maxDelimiter bounds the bytes from the quote of a raw string to its parenthesis.
const maxDelimiter = 18

// literal returns where the literal ends that starts at a byte: behind its quote, or with
// its line.
func (r *cReader) literal(at int) int {
	quote := r.text[at]
	if quote == '"' && at > 0 && r.text[at-1] == 'R' {
		if n := bytes.IndexByte(r.text[at:min(len(r.text), at+maxDelimiter)], '('); n > 0 {
			end := ")" + string(r.text[at+1:at+n]) + `"`
			return min(len(r.text), r.find(end, at+n)+len(end))
		}
	}
	for at++; at < len(r.text); at++ {
		switch r.text[at] {
		case quote:
			return at + 1
		case '\n':
			return at
		case '\\':
			at++
		}
	}
	return len(r.text)
}

// isValue reports whether a brace here opens the elements of a value.
func (r *cReader) isValue() bool {
	return r.last == '=' || r.inValue() && (r.last == '{' || r.last == ',' || r.last == ')' || r.last == 0)
}

// maxEnumHead bounds the bytes before the brace of an enumeration.
const maxEnumHead = 200

// isEnum reports whether a brace here opens the constants of an enumeration.
func (r *cReader) isEnum() bool {
	head := r.text[max(0, r.at-maxEnumHead):r.at]
	head = head[bytes.LastIndexAny(head, ";{}")+1:]
	return bytes.Contains(head, []byte("enum")) && !bytes.Contains(head, []byte(")"))
}

// inValue reports whether the innermost bracket is a brace round the elements of a value.
func (r *cReader) inValue() bool { return r.open != nil && r.open.value }

// isOpen reports whether what stands before a directive goes on behind it.
func (r *cReader) isOpen() bool {
	return r.open != nil && r.open.mark != '{' || r.last != 0 && bytes.IndexByte([]byte("=|&+?"), r.last) >= 0 || r.last == ':' && r.before == ')' || r.isListed()
}

// isListed reports whether a comma stands before a directive where none separates
// constants: between declarators, or what a constructor begins with.
func (r *cReader) isListed() bool {
	return r.last == ',' && !r.inValue() && (r.open == nil || r.open.mark == '{' && !r.open.constants)
}

// directive reads a line of the preprocessor, with the lines that it goes on in.
func (r *cReader) directive() {
	start := r.at
	end := r.lineEnd()
	line := span{uint32(start), uint32(end)}
	word, rest := cDirectiveWord(r.text[start+1 : end])
	r.at = end
	switch word {
	case "if", "ifdef", "ifndef":
		g := cGroup{open: r.open, first: r.open, split: r.isOpen(), value: r.inValue(), from: end, directives: []span{line}}
		if word == "if" && string(bytes.TrimSpace(rest)) == "0" {
			g.kept = 1
		}
		r.groups = append(r.groups, g)
	case "elif", "else", "elifdef", "elifndef":
		if g := r.branch(line); g != nil {
			r.open, g.from = g.open, end
		}
	case "endif":
		if g := r.branch(line); g != nil {
			r.open = g.first
			r.hide(g)
			r.groups = r.groups[:len(r.groups)-1]
		}
	case "include":
	case "define":
		r.comments(start, end)
		fallthrough
	default:
		if r.inValue() || r.isOpen() {
			r.lines = append(r.lines, line)
		}
	}
	r.before, r.last = 0, 0
}

// lineEnd returns where the line that starts here ends, with those that it goes on in
// and the comments that begin in it.
func (r *cReader) lineEnd() int {
	for at := r.at; at < len(r.text); at++ {
		switch r.text[at] {
		case '\n':
			return at
		case '\\':
			if at++; at < len(r.text) && r.text[at] == '\r' {
				at++
			}
		case '"', '\'':
			at = r.literal(at) - 1
		case '/':
			if bytes.HasPrefix(r.text[at:], []byte("/*")) {
				at = r.find("*/", at+2) + 1
			}
		}
	}
	return len(r.text)
}

// cDirectiveWord cuts a directive behind its mark into its word and the rest.
func cDirectiveWord(line []byte) (word string, rest []byte) {
	line = bytes.TrimLeft(line, " \t")
	end := cWordEnd(line, 0, len(line))
	return string(line[:end]), line[end:]
}

// branch ends a branch of the innermost conditional at a directive; nil outside of all.
func (r *cReader) branch(line span) *cGroup {
	if len(r.groups) == 0 {
		return nil
	}
	g := &r.groups[len(r.groups)-1]
	g.directives = append(g.directives, line)
	if g.branches == g.kept {
		g.first = r.open
	} else {
		g.others = append(g.others, span{uint32(g.from), line.start})
	}
	if g.branches >= g.kept { // what #if 0 holds may be any text
		text := r.text[g.from:line.start]
		g.split = g.split || g.open != r.open || g.value && r.last != ',' && r.last != 0 ||
			(r.last == ')' || r.last == 'e') && cOpensStatement().Match(text[max(0, len(text)-maxStatement):]) || cGoesOnStatement().Match(text[:min(len(text), maxStatement)]) ||
			len(text) < maxStatement && cOnlyAttributes().Match(text)
	}
	g.branches++
	return g
}

// maxStatement bounds the bytes at the ends of a branch that are looked at.
const maxStatement = 400

// cOpensStatement is the end of a branch whose last statement lacks its body,
// cGoesOnStatement the beginning of one that continues the expression before it, and
// cOnlyAttributes a branch of nothing but attributes of what follows.
var (
	cOpensStatement  = pattern.New(`(?:\A|[;{}\n])[ \t]*(?:\}?[ \t]*else[ \t]+)?(?:if|for|while|switch)[ \t]*\([^;{}]*\)\s*\z|\belse\s*\z`)
	cOnlyAttributes  = pattern.New(`\A(?:\s|//[^\n]*\n)*(?:__attribute__[ \t]*\(\([^;{}]*\)\)|\[\[[^;{}]*\]\]|__declspec\([^;{}]*\))\s*\z`)
	cGoesOnStatement = pattern.New(`\A(?:\s|//[^\n]*\n)*(?:\|\||&&|[?,=]|:[^:])`)
)

// hide hides what the grammar cannot read of a conditional.
func (r *cReader) hide(g *cGroup) {
	if !g.split && !g.value {
		return
	}
	if g.split {
		for _, o := range g.others {
			if o.end-o.start > maxHiddenBranch {
				return
			}
		}
		r.others = append(r.others, g.others...)
	}
	r.lines = append(r.lines, g.directives...)
}

// comments hides the comments within the text of a macro, from byte start to end: the
// backslashes stay at which its lines go on.
func (r *cReader) comments(start, end int) {
	text := r.text[start:end]
	text = text[:bytes.LastIndexByte(text, '\\')+1] // what is behind may end the macro
	for at := 0; at < len(text); {
		i := bytes.Index(text[at:], []byte("/*"))
		if i < 0 {
			return
		}
		at += i
		to := at + 2
		if j := bytes.Index(text[to:], []byte("*/")); j >= 0 {
			to += j + 2
		} else {
			return
		}
		for ; at < to; at++ {
			line := at
			for at < to && text[at] != '\\' {
				at++
			}
			r.others = append(r.others, span{uint32(start + line), uint32(start + at)})
		}
		at = to
	}
}

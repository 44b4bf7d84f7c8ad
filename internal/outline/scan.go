package outline

import (
	"bytes"
	"slices"
	"sort"

	"espy/internal/code"
)

// Flags of a line.
const (
	blankLine    = 1 << iota // nothing but blanks
	attachedLine             // a comment, annotation or decorator: belongs to the definition below
	insideLine               // begins inside a literal or comment
	startLine                // a definition starts here
	dataLine                 // holds no text: in no chunk
)

// line is one line of the text. It ends where the next one starts.
type line struct {
	start  uint32
	flags  uint8
	indent uint8 // leading blanks in bytes, at most 255
}

// def is a definition whose name is text[start:end].
type def struct {
	start, end uint32
	line       uint32 // 1-based
	kind       code.Kind
}

// scopeKind says what stands between a pair of braces.
type scopeKind uint8

const (
	noScope   scopeKind = iota // as pending: nothing known; as scope: the file
	namespace                  // like the file itself
	class                      // members of a type
	iface                      // members that need no body
	enum                       // constants of an enumeration, before any member
	function                   // statements
	block                      // anything else
	object                     // a literal of named values
	opaque                     // part of a statement that goes on after it
)

type scope struct {
	kind    scopeKind
	indent  uint8 // of the statement that opened it
	typedef bool  // C: a name follows the closing brace
	paren   int32 // brackets open outside
	resume  int32 // Java: start of the statement that goes on after an anonymous class, plus 1
}

// maxScopes bounds the stack. Deeper braces are only counted.
const maxScopes = 1000

// maxUnclosed bounds how often the end of a literal is looked for in vain. After
// that no literal is followed across lines: the time stays linear.
const maxUnclosed = 64

// scanner holds the state of one scan. Scanners are reused.
type scanner struct {
	text   []byte
	syntax *syntax

	lines []line
	defs  []def
	first int // first byte of the current line that is not blank

	scopes  []scope
	deeper  int       // braces open beyond maxScopes
	paren   int32     // round and square brackets open in the current scope
	pending scopeKind // what the next brace at paren 0 opens

	tentative bool      // a semicolon removes the last definition
	group     code.Kind // of the names in the group or block that is open
	list      bool      // Go: a list of names goes on with this line
	indents   []level   // open definitions in languages of indentation
	heredocs  []heredoc
	unclosed  int

	statement int  // start of the current statement
	typedef   bool // the statement follows the body of a typedef

	conditions conditions // C: the preprocessor conditions that are open
	fence      fence      // Markdown: the fence of the code that is open
	keys       int        // KindKey definitions found
	cell       cell       // of a notebook

	quiet   []Span // for Quiet; nil otherwise
	comment bool   // the current action skips a comment
}

// fence is the line that opens fenced code: a character, and how often it stands there.
type fence struct {
	mark  byte
	width int
}

// cell is what is known of the cell of a notebook that is scanned.
type cell struct {
	markdown bool // its source is prose, not code
	source   bool // the lines are those of its source
}

// level is an open definition whose body ends by indentation.
type level struct {
	indent int
	class  bool // a type or a module
	module bool // its functions are no methods
}

func (s *scanner) reset(text []byte, y *syntax) {
	*s = scanner{text: text, syntax: y,
		lines: s.lines[:0], defs: s.defs[:0], scopes: s.scopes[:0], indents: s.indents[:0], heredocs: s.heredocs[:0],
		conditions: s.conditions.emptied()}
}

// run scans the text up to a byte.
func (s *scanner) run(to int) {
	i := 0
	if begin := s.syntax.begin; begin != nil {
		s.addLine(0, insideLine)
		i = begin(s, 0)
		if s.quiet != nil {
			s.note(0, i)
		}
	} else {
		s.beginLine(0)
	}
	text, act := s.text, s.syntax.act()
	for i < to {
		f := act[text[i]]
		if f == nil {
			i++
			continue
		}
		end := f(s, i)
		if s.quiet != nil {
			s.note(i, end)
		}
		i = end
	}
}

// newline is the action of '\n'.
func newline(s *scanner, i int) int {
	if len(s.heredocs) > 0 {
		return s.passHeredocs(i + 1)
	}
	s.beginLine(i + 1)
	return i + 1
}

// beginLine adds the line that starts at i, in code, and looks at it.
func (s *scanner) beginLine(i int) {
	if !s.addLine(i, 0) {
		s.pending = noScope
		return
	}
	if f := s.syntax.line; f != nil && (s.paren == 0 || s.syntax.everywhere) {
		f(s)
	}
}

// addLine adds the line that starts at i and reports whether it holds more than blanks.
func (s *scanner) addLine(i int, flags uint8) bool {
	if i >= len(s.text) && i > 0 {
		return false
	}
	p := i
	for p < len(s.text) && isBlank(s.text[p]) {
		p++
	}
	s.first = p
	full := p < len(s.text) && s.text[p] != '\n'
	if !full {
		flags |= blankLine
	} else if isAnnotation(s.text[p:]) && flags == 0 {
		flags |= attachedLine
	}
	s.lines = append(s.lines, line{start: uint32(i), flags: flags, indent: uint8(min(p-i, 255))})
	return full
}

// isAnnotation reports whether a line of code that starts with b belongs to the definition below it.
func isAnnotation(b []byte) bool {
	switch b[0] {
	case '@', '[':
		return true
	case '#':
		return len(b) > 1 && (b[1] == '[' || b[1] == ':')
	}
	return false
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\v' || b == '\f' }

// current is the line being scanned.
func (s *scanner) current() *line { return &s.lines[len(s.lines)-1] }

// column is the indentation of the current line in bytes.
func (s *scanner) column() int { return s.first - int(s.current().start) }

// markComment flags the current line when the comment at i is the first thing on it.
func (s *scanner) markComment(i int) {
	s.comment = true
	if i == s.first {
		s.current().flags |= attachedLine
	}
}

// pass goes from i, in a literal or comment, to end, adding the lines between with the flags.
func (s *scanner) pass(i, end int, flags uint8) int {
	for {
		n := bytes.IndexByte(s.text[i:end], '\n')
		if n < 0 {
			return end
		}
		i += n + 1
		s.addLine(i, flags)
	}
}

// lineEnd is the place of the '\n' that ends the line of i, or the end of the text.
func (s *scanner) lineEnd(i int) int {
	if n := bytes.IndexByte(s.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s.text)
}

// lineAt returns the 0-based number of the line, among those added, that holds byte i.
func (s *scanner) lineAt(i int) int {
	n := len(s.lines) - 1
	for k := n; k >= 0 && k > n-8; k-- {
		if int(s.lines[k].start) <= i {
			return k
		}
	}
	return sort.Search(len(s.lines), func(k int) bool { return int(s.lines[k].start) > i }) - 1
}

// scope is the kind of scope around the current place.
func (s *scanner) scope() scopeKind {
	if s.deeper > 0 {
		return block
	}
	if n := len(s.scopes); n > 0 {
		return s.scopes[n-1].kind
	}
	return noScope
}

// outermost reports whether the current place is at the top of the file or of a namespace.
func (s *scanner) outermost() bool {
	k := s.scope()
	return k == noScope || k == namespace
}

// member reports whether the current place is directly within a type.
func (s *scanner) member() bool {
	k := s.scope()
	return k == class || k == iface
}

// push enters a scope opened by a brace of the current line.
func (s *scanner) push(k scopeKind, indent uint8) {
	if len(s.scopes) >= maxScopes {
		s.deeper++
		return
	}
	s.scopes = append(s.scopes, scope{kind: k, indent: indent, paren: s.paren})
	s.paren = 0
}

// pop leaves a scope and returns it. A closing brace at the start of its line
// closes the scope that was opened at the same indentation, and all within it.
// So a brace left open by the preprocessor or a misread literal does little harm.
func (s *scanner) pop(i int) scope {
	if s.deeper > 0 {
		s.deeper--
		return scope{kind: block}
	}
	n := len(s.scopes)
	if n == 0 {
		s.paren = 0
		return scope{}
	}
	if indent := s.current().indent; i == s.first && s.scopes[n-1].indent > indent {
		for k := n - 2; k >= 0 && s.scopes[k].indent >= indent; k-- {
			if s.scopes[k].indent == indent {
				n = k + 1
				break
			}
		}
	}
	top := s.scopes[n-1]
	s.scopes = s.scopes[:n-1]
	s.paren = top.paren
	return top
}

// openBrace is the action of '{' in languages read by line.
func openBrace(s *scanner, i int) int {
	k := block
	if s.paren == 0 && s.pending != noScope {
		k = s.pending
		s.pending = noScope
		s.tentative = false
	}
	s.push(k, s.current().indent)
	return i + 1
}

// closeBrace is the action of '}' in languages read by line.
func closeBrace(s *scanner, i int) int {
	s.pop(i)
	s.pending = noScope
	return i + 1
}

func openParen(s *scanner, i int) int {
	s.paren++
	return i + 1
}

func closeParen(s *scanner, i int) int {
	if s.paren > 0 {
		s.paren--
	}
	return i + 1
}

// semicolon ends a declaration without a body.
func semicolon(s *scanner, i int) int {
	if s.paren == 0 {
		if s.tentative && s.pending != noScope {
			s.defs = s.defs[:len(s.defs)-1]
		}
		s.pending, s.tentative = noScope, false
	}
	return i + 1
}

// define adds the definition of text[start:end] on the current line. A chunk may
// be cut before a type, a function or a heading.
func (s *scanner) define(k code.Kind, start, end int) {
	s.defineAt(k, start, end, len(s.lines)-1, len(s.lines)-1)
}

// defineAt adds a definition whose name is on line at (0-based) and that starts on line from.
func (s *scanner) defineAt(k code.Kind, start, end, at, from int) {
	s.tentative = false
	if k.IsType() || k.IsFunc() || k == code.KindHeading {
		s.lines[from].flags |= startLine
	}
	if end <= start || end-start > maxNameBytes || len(s.defs) >= maxDefinitions {
		return
	}
	s.defs = append(s.defs, def{start: uint32(start), end: uint32(end), line: uint32(at) + 1, kind: k})
}

// again reports whether the last definition has this name and kind, like the
// clauses of one Elixir function.
func (s *scanner) again(k code.Kind, name []byte) bool {
	if len(s.defs) == 0 {
		return false
	}
	d := s.defs[len(s.defs)-1]
	return d.kind == k && bytes.Equal(s.text[d.start:d.end], name)
}

// mark makes the current line a place to cut without a definition.
func (s *scanner) mark() { s.current().flags |= startLine }

// definitions exports the definitions by line. All names share one string.
func (s *scanner) definitions() []code.Definition {
	if len(s.defs) == 0 {
		return nil
	}
	byLine := func(a, b def) int { return int(a.line) - int(b.line) }
	if !slices.IsSortedFunc(s.defs, byLine) {
		slices.SortStableFunc(s.defs, byLine)
	}
	size := 0
	for _, d := range s.defs {
		size += int(d.end - d.start)
	}
	all := make([]byte, 0, size)
	for _, d := range s.defs {
		all = append(all, s.text[d.start:d.end]...)
	}
	names := string(all)
	out := make([]code.Definition, len(s.defs))
	for i, d := range s.defs {
		n := int(d.end - d.start)
		out[i] = code.Definition{Name: names[:n], Kind: d.kind, Line: d.line}
		names = names[n:]
	}
	return out
}

// Span is a comment or a literal: bytes [Start, End) of the text.
type Span struct {
	Start, End int
	Comment    bool
}

// note records the text that an action skipped.
func (s *scanner) note(i, end int) {
	if end > i+1 && s.text[i] != '\n' {
		s.quiet = append(s.quiet, Span{i, end, s.comment})
	}
	s.comment = false
}

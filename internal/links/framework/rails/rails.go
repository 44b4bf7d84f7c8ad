// Package rails reads the routes of Ruby on Rails: the methods that stand in the
// block of routes.draw, as https://guides.rubyonrails.org/routing.html has them. It
// reads the text and runs nothing, so routes that a loop or a gem makes are known
// only as far as they are written.
package rails

import (
	"strings"

	"espy/internal/links/framework/written"
)

// Route is a path that is answered.
type Route struct {
	Verb       string // "GET"; empty for any
	Path       string // "/admin/users/:id"
	Controller string // "admin/users"; empty where none answers
	Action     string
	Other      string // what answers instead: "a redirect", "Sidekiq::Web"
	Filled     bool   // a part of Path is filled in when the program runs
	File       string // the file of config/routes that it stands in, as draw names it; empty for the first one
	At         int    // byte of the method that draws it, in that file
}

// Bounds that keep a file which draws itself, or a concern that holds itself, from
// being read forever.
const (
	maxRoutes     = 50_000
	maxStatements = 200_000
	maxDepth      = 40
)

// Routes reads the routes of the block that begins behind a byte of a text, of an
// engine or of an application. drawn gives the text of a file of config/routes by its
// name, nil where there is none.
func Routes(text []byte, at int, of Engine, drawn func(name string) []byte) []Route {
	r := reader{source: newSource("", text), drawn: drawn, concerns: map[string]piece{}}
	if _, block, _ := r.behind(at); block > 0 {
		r.block(block, scope{path: strings.TrimRight(of.Path, "/"), module: of.Module, filled: of.Path == "" && of.Module != ""})
	}
	return r.routes
}

// reader reads statements one after the other.
type reader struct {
	source
	drawn    func(name string) []byte
	concerns map[string]piece
	routes   []Route
	read     int // statements
	depth    int
}

// source is a text with its comments and regular expressions made blank.
type source struct {
	file string
	text []byte
}

// piece is a block that is read where it is needed.
type piece struct {
	source
	at int
}

// statement is a call of a method with its arguments, and a block behind it.
type statement struct {
	at    int // of the name
	name  string
	list  []written.Argument
	block int // the first byte in its block; 0 for none
}

// scope is what stands round a statement.
type scope struct {
	path       string // before the paths
	module     string // before the controllers: "admin/"
	controller string // for routes that name none
	action     string // for routes that name none
	shallow    bool
	filled     bool
	outer      string   // the path before the first resource, for shallow ones
	in         resource // the innermost; its name is empty for none
}

// resource is what resources and resource draw.
type resource struct {
	collection, member, nested string // paths
	on                         string // "member", "collection": where routes within are drawn; else nested
	single                     bool
}

// block reads statements up to the end that closes a block, and returns the byte
// behind it.
func (r *reader) block(i int, s scope) int {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		return len(r.text)
	}
	for i < len(r.text) && len(r.routes) < maxRoutes && r.read < maxStatements {
		r.read++
		word, at := r.word(i)
		switch {
		case at >= len(r.text):
			return at
		case word == "" && r.text[at] == '}':
			return at + 1
		case word == "end":
			return at + len(word)
		case word == "":
			i = r.unknown(at, s)
		case opens[word]:
			i = r.block(written.LineEnd(r.text, at, len(r.text)), s)
		case passes[word]:
			i = at + len(word)
			if word == "when" || word == "elsif" || word == "rescue" {
				i = written.LineEnd(r.text, at, len(r.text))
			}
		default:
			st, end := r.statement(at, word)
			i = end
			if inner, ok := r.draw(&st, s); st.block > 0 {
				i = r.inside(&st, inner, ok)
			}
		}
	}
	return len(r.text)
}

// Words that open a block with an end of its own, and those that stand within one.
var (
	opens  = map[string]bool{"if": true, "unless": true, "case": true, "begin": true, "while": true, "until": true, "for": true, "def": true, "class": true, "module": true}
	passes = map[string]bool{"else": true, "elsif": true, "when": true, "rescue": true, "ensure": true, "then": true}
)

// inside reads the block of a statement; one whose routes are not drawn here is
// read for its end alone.
func (r *reader) inside(st *statement, s scope, ok bool) int {
	if ok {
		return r.block(st.block, s)
	}
	routes := r.routes
	end := r.block(st.block, s)
	r.routes = routes
	return end
}

// word is the name that the next statement begins with, and its byte.
func (r *reader) word(i int) (string, int) {
	for i < len(r.text) && strings.IndexByte(" \t\r\n;", r.text[i]) >= 0 {
		i++
	}
	n := written.NameEnd(string(r.text[i:min(len(r.text), i+100)]))
	return string(r.text[i : i+n]), i
}

// unknown skips a line that no name begins, such as a list whose each has a block.
func (r *reader) unknown(at int, s scope) int {
	st, end := r.statement(at, "")
	if st.block > 0 {
		return r.block(st.block, s)
	}
	return max(end, at+1)
}

// statement reads the arguments of a call; end is the byte behind them, and behind
// the head of a block.
func (r *reader) statement(at int, name string) (st statement, end int) {
	st = statement{at: at, name: name}
	i := at + len(name)
	list, behind, ok := written.Arguments(r.text, i)
	ok = ok && r.text[i] == '('
	if ok {
		st.list, i = list, behind
	}
	if brace, c := r.next(i); c == '{' && name != "" {
		st.block = brace + 1
		return st, st.block
	}
	stop, block, end := r.behind(i)
	if ok {
		st.block = block
		return st, end
	}
	st.list, st.block = written.Split(r.text, i, max(i, r.modified(i, stop))), block
	return st, end
}

// behind finds where the arguments of a statement stop, and the block that begins
// there, 0 for none. end is the byte to read on from.
func (r *reader) behind(i int) (stop, block, end int) {
	for i < len(r.text) {
		switch c := r.text[i]; {
		case c == '\n' && !r.goesOn(i), c == ';', c == '}', c == 'e' && r.isWord(i, "end"):
			return i, 0, i
		case c == 'd' && r.isWord(i, "do"):
			next, c := r.next(i + len("do"))
			if c == '|' {
				next = written.LineEnd(r.text, next, len(r.text))
			}
			return i, next, next
		}
		i = written.Skip(r.text, i, len(r.text))
	}
	return i, 0, i
}

// next is the next byte in a line that is no blank.
func (r *reader) next(i int) (at int, c byte) {
	for i < len(r.text) && (r.text[i] == ' ' || r.text[i] == '\t') {
		i++
	}
	if i == len(r.text) {
		return i, 0
	}
	return i, r.text[i]
}

// modified cuts if and unless off the end of a statement.
func (r *reader) modified(from, to int) int {
	for i := from; i < to; i = written.Skip(r.text, i, to) {
		if r.isWord(i, "if") || r.isWord(i, "unless") {
			return i
		}
	}
	return to
}

// isWord reports whether a word stands at a byte, with blanks round it.
func (r *reader) isWord(i int, word string) bool {
	end := i + len(word)
	if end > len(r.text) || string(r.text[i:end]) != word {
		return false
	}
	blank := func(i int) bool {
		return i < 0 || i >= len(r.text) || strings.IndexByte(" \t\r\n;|)", r.text[i]) >= 0
	}
	return blank(i-1) && blank(end)
}

// goesOn reports whether the line that ends at a byte goes on in the next.
func (r *reader) goesOn(at int) bool {
	line := strings.TrimRight(string(r.text[written.LineStart(r.text, at):at]), " \t\r")
	for _, end := range []string{",", "\\", "=>", "(", "[", "||", "&&", "+", "."} {
		if strings.HasSuffix(line, end) {
			return true
		}
	}
	next := strings.TrimLeft(string(r.text[at:min(len(r.text), at+200)]), " \t\r\n")
	return strings.HasPrefix(next, ".") && !strings.HasPrefix(next, "..")
}

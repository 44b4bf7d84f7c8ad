// Package golang turns the text of a Go file into its syntax facts with the
// parser of the standard library. Names are bound by the scopes of the
// language as far as the file alone tells: what other files of the package, an
// import or a type from elsewhere decide is left as an expression.
//
// Of the facts the following is particular to Go:
//
//   - A pointer is as its element: *T is T, and so are &x and *x the same as x.
//   - A channel is a list of what it carries.
//   - The type that a declaration writes is an expression that names a type; a
//     slice, a map, a function and an unnamed struct stand for both a type and
//     a value of it.
//   - The variable of a type switch is one symbol. In the clauses that narrow
//     it, expressions are made of the clause's type in its stead.
//   - A package that an import brings without naming it is given the name that
//     the last element of its path suggests.
package golang

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math"
	"regexp"
	"slices"
	"sort"
	"sync"

	"espy/internal/facts"
)

// Parse returns the facts of a Go file. Of a file that does not parse they
// tell what the parser could make of it, and where it could not.
func Parse(text []byte) *facts.File {
	file, err := parse(text)
	w := newWalker(text)
	if err == nil {
		w.file(file)
	} else {
		w.broken = true
		w.faults(err)
		w.pieces(file)
		w.repair()
	}
	w.bindTop()
	w.sortUses()
	w.places()
	return w.end()
}

// recycled holds facts whose tables are filled again: they are two fifths of
// the memory that a file takes otherwise.
var recycled = sync.Pool{New: func() any { return new(facts.File) }}

// Recycle gives back what Parse returned, or other facts, once nothing uses
// them any more. A caller that parses file after file saves memory by it.
func Recycle(f *facts.File) {
	clear(f.Symbols) // names hold on to other memory
	clear(f.Uses)
	clear(f.Imports)
	clear(f.Errors)
	*f = facts.File{Symbols: f.Symbols[:0], Uses: f.Uses[:0], Imports: f.Imports[:0], Exprs: f.Exprs[:0], Errors: f.Errors[:0]}
	recycled.Put(f)
}

func newWalker(text []byte) *walker {
	f := recycled.Get().(*facts.File)
	f.Symbols = slices.Grow(f.Symbols, len(text)/150)
	f.Uses = slices.Grow(f.Uses, len(text)/20)
	f.Exprs = slices.Grow(f.Exprs, len(text)/40)
	w := walkers.Get().(*walker)
	*w = walker{
		facts: f, text: text, scope: w.scope, top: w.top, starts: w.starts[:0],
		parent: facts.None, in: facts.None, holder: facts.None, function: facts.None,
	}
	return w
}

// walkers holds walkers whose maps are filled again.
var walkers = sync.Pool{New: func() any {
	return &walker{scope: scope{names: map[string]meaning{}}, top: map[string]int32{}}
}}

// manyNames is from how many names on a file leaves a map behind that costs
// more to clear than most files cost to make one of.
const manyNames = 1 << 9

// end returns the facts and gives the walker back.
func (w *walker) end() *facts.File {
	f := w.facts
	if len(w.top) > manyNames {
		w.top = map[string]int32{}
	}
	clear(w.top)
	w.scope.forget()
	*w = walker{scope: w.scope, top: w.top, starts: w.starts}
	walkers.Put(w)
	return f
}

func parse(text []byte) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.SkipObjectResolution|parser.AllErrors)
}

// walker collects the facts of one file on one walk over its tree.
type walker struct {
	facts *facts.File
	text  []byte
	shift int // what positions of the tree are before those of the text

	broken bool // the file does not parse: names may be made up

	scope  scope
	top    map[string]int32 // symbols and, below None, imports of the file by name
	keyed  map[string]bool  // types of the file whose literals have keys that are values
	starts []uint32         // of lines

	parent   int32 // the symbol that holds what is declared now
	in       int32 // the symbol that uses stand in
	holder   int32 // the symbol that the fields of an unnamed struct belong to
	function int32 // the function whose branches are counted
	local    bool  // inside a function
}

func (w *walker) faults(err error) {
	list, _ := err.(scanner.ErrorList)
	for _, e := range list[:min(len(list), facts.MaxFaults)] {
		w.facts.Errors = append(w.facts.Errors, facts.Fault{Line: uint32(max(1, e.Pos.Line)), Message: e.Msg})
	}
}

func (w *walker) file(f *ast.File) {
	w.facts.Package = f.Name.Name
	w.keyed = keyedTypes(f)
	for _, d := range f.Decls {
		w.decl(d)
	}
}

// topLevel finds the lines that begin a declaration of the file.
var topLevel = regexp.MustCompile(`(?m)^(?:func|type|var|const|import)\b`)

const header = "package p;"

// pieces walks a file that does not parse by parsing each of its declarations
// alone, so that a mistake costs no more than the one that it is in.
func (w *walker) pieces(whole *ast.File) {
	if whole != nil && whole.Name != nil {
		w.facts.Package = whole.Name.Name
	}
	starts := topLevel.FindAllIndex(w.text, -1)
	for i, at := range starts {
		end := len(w.text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		piece := append([]byte(header), w.text[at[0]:end]...)
		f, _ := parse(piece)
		if f == nil {
			continue
		}
		w.shift = at[0] - len(header)
		for _, d := range f.Decls {
			w.decl(d)
		}
	}
	w.shift = 0
}

// keyedTypes lists the types of the file that are maps, slices or arrays.
func keyedTypes(f *ast.File) map[string]bool {
	keyed := map[string]bool{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, s := range g.Specs {
			if t := s.(*ast.TypeSpec); isKeyed(t.Type) {
				keyed[t.Name.Name] = true
			}
		}
	}
	return keyed
}

func isKeyed(t ast.Expr) bool {
	switch t.(type) {
	case *ast.MapType, *ast.ArrayType:
		return true
	}
	return false
}

// stands reports whether a name is one of the text, not one that the parser
// put where it missed it.
func (w *walker) stands(id *ast.Ident) bool {
	if !w.broken {
		return true
	}
	at := w.at(id.Pos())
	return bytes.HasPrefix(w.text[at:], []byte(id.Name))
}

// repair makes the ranges of a file that does not parse lie in each other.
func (w *walker) repair() {
	for i := range w.facts.Symbols {
		s := &w.facts.Symbols[i]
		s.Start = min(s.Start, s.At)
		s.End = max(s.End, s.At+uint32(len(s.Name)))
		s.SigStart = min(max(s.SigStart, s.Start), s.End)
		s.SigEnd = min(max(s.SigEnd, s.SigStart), s.End)
	}
}

// bindTop binds what no scope inside a function declared to the names of the
// whole file, whatever the order they stand in.
func (w *walker) bindTop() {
	for i := range w.facts.Symbols {
		s := &w.facts.Symbols[i]
		if s.Parent == facts.None && s.Owner == "" && s.Flags&facts.Local == 0 && s.Name != "_" && s.Name != "init" {
			if _, again := w.top[s.Name]; !again {
				w.top[s.Name] = int32(i)
			}
		}
	}
	for i := range w.facts.Imports {
		if m := &w.facts.Imports[i]; m.Local != "" {
			w.top[m.Local] = facts.None - 1 - int32(i)
		}
	}
	for i := range w.facts.Uses {
		u := &w.facts.Uses[i]
		if u.Bind != facts.BindFree {
			continue
		}
		switch t, ok := w.top[u.Name]; {
		case ok && t >= 0:
			u.Bind, u.Target = facts.BindSymbol, t
		case ok:
			u.Bind, u.Target = facts.BindImport, facts.None-1-t
		}
	}
}

// sortUses puts the uses in the order of the text, in which a well-formed
// tree is walked anyway.
func (w *walker) sortUses() {
	uses := w.facts.Uses
	byPlace := func(a, b facts.Use) int { return cmp.Compare(a.At, b.At) }
	if slices.IsSortedFunc(uses, byPlace) {
		return
	}
	order := make([]int32, len(uses))
	for i := range order {
		order[i] = int32(i)
	}
	sort.SliceStable(order, func(i, j int) bool { return uses[order[i]].At < uses[order[j]].At })
	sorted, place := make([]facts.Use, len(uses)), make([]int32, len(uses))
	for to, from := range order {
		sorted[to], place[from] = uses[from], int32(to)
	}
	w.facts.Uses = sorted
	for i := range w.facts.Exprs {
		if e := &w.facts.Exprs[i]; e.Op == facts.OpUse {
			e.X = place[e.X]
		}
	}
}

// places fills in the lines and columns, and puts the symbols of a malformed
// tree in order, too.
func (w *walker) places() {
	l := newLines(w.text, w.starts)
	w.starts = l.start
	for i := range w.facts.Uses {
		l.fill(&w.facts.Uses[i].Place)
	}
	for i := range w.facts.Imports {
		l.fill(&w.facts.Imports[i].Place)
	}
	for i := range w.facts.Symbols {
		s := &w.facts.Symbols[i]
		l.fill(&s.Place)
		s.EndLine = uint32(l.find(max(s.End, 1)-1)) + 1
	}
}

// lines finds the line of an offset, cheaply when offsets come in order.
type lines struct {
	start    []uint32 // of each line, and past the last of them what no offset reaches
	line     int      // of the last answer, from 0
	from, to uint32   // of that line
}

// newLines finds the lines of a text. It may use memory that is done with.
func newLines(text []byte, start []uint32) lines {
	start = append(slices.Grow(start[:0], len(text)/30+2), 0)
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		start = append(start, uint32(at))
	}
	start = append(start, math.MaxUint32)
	return lines{start: start, to: start[1]}
}

// fill fills in the line and the column of a place.
func (l *lines) fill(p *facts.Place) {
	if p.At < l.from || p.At >= l.to {
		l.line = l.find(p.At)
		l.from, l.to = l.start[l.line], l.start[l.line+1]
	}
	p.Line, p.Column = uint32(l.line)+1, p.At-l.from+1
}

// find returns the line of an offset, which is often one of the next.
func (l *lines) find(at uint32) int {
	if at >= l.from {
		for line := l.line; line < min(l.line+8, len(l.start)-1); line++ {
			if at < l.start[line+1] {
				return line
			}
		}
	}
	return sort.Search(len(l.start), func(i int) bool { return l.start[i] > at }) - 1
}

// at is the byte offset of a position.
func (w *walker) at(p token.Pos) uint32 {
	return uint32(min(max(int(p)-1+w.shift, 0), len(w.text)))
}

func (w *walker) expr(op facts.Op, x, y int32) int32 {
	w.facts.Exprs = append(w.facts.Exprs, facts.Expr{Op: op, X: x, Y: y})
	return int32(len(w.facts.Exprs) - 1)
}

// value is a value of a type, none of none.
func (w *walker) value(typ int32) int32 {
	if typ == facts.None {
		return facts.None
	}
	switch w.facts.Exprs[typ].Op {
	case facts.OpLiteral, facts.OpFunc, facts.OpValue:
		return typ
	}
	return w.expr(facts.OpValue, typ, 0)
}

// tuple is several expressions together: None of none, itself of one.
func (w *walker) tuple(all []int32) int32 {
	if len(all) == 0 {
		return facts.None
	}
	if len(all) == 1 {
		return all[0]
	}
	return w.args(all)
}

// args is a tuple even of one.
func (w *walker) args(all []int32) int32 {
	rest := int32(facts.None)
	for _, e := range slices.Backward(all) {
		rest = w.expr(facts.OpTuple, e, rest)
	}
	return rest
}

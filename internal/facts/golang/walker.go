package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"sync"

	"espy/internal/code"
	"espy/internal/facts"
)

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

func newWalker(text []byte) *walker {
	f := facts.New()
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

// at is the byte offset of a position.
func (w *walker) at(p token.Pos) uint32 {
	return uint32(min(max(int(p)-1+w.shift, 0), len(w.text)))
}

// stands reports whether the text has a name, which the parser may have made up.
func (w *walker) stands(id *ast.Ident) bool {
	if !w.broken {
		return true
	}
	at := w.at(id.Pos())
	return bytes.HasPrefix(w.text[at:], []byte(id.Name))
}

// use notes an identifier and returns its index.
func (w *walker) use(id *ast.Ident, role facts.Role, bind facts.Bind, target int32, args int16) int32 {
	w.facts.Uses = append(w.facts.Uses, facts.Use{
		Name: id.Name, Role: role, Bind: bind, Place: facts.Place{At: w.at(id.Pos())}, In: w.in, Target: target, Args: args,
	})
	return int32(len(w.facts.Uses) - 1)
}

func (w *walker) expr(op facts.Op, x, y int32) int32 {
	w.facts.Exprs = append(w.facts.Exprs, facts.Expr{Op: op, X: x, Y: y})
	return int32(len(w.facts.Exprs) - 1)
}

// value is a value of a type, None for None.
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

// tuple is several expressions together: None of no expression, and one alone as
// it is.
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

func (w *walker) elem(e, which int32) int32 {
	if e == facts.None {
		return facts.None
	}
	return w.expr(facts.OpElem, e, which)
}

func (w *walker) branch() {
	if w.function != facts.None {
		if s := &w.facts.Symbols[w.function]; s.Complexity < 1<<16-1 {
			s.Complexity++
		}
	}
}

// declared makes the symbol of a name without a body: a variable, a field, a
// parameter.
func (w *walker) declared(name *ast.Ident, kind code.Kind, start, end token.Pos) facts.Symbol {
	s := facts.Symbol{
		Name: name.Name, Kind: kind, Place: facts.Place{At: w.at(name.Pos())}, Parent: w.parent, Type: facts.None,
		Start: w.at(start), End: w.at(end), SigStart: w.at(start), SigEnd: w.at(end),
	}
	if w.local {
		s.Flags |= facts.Local
	} else if name.IsExported() {
		s.Flags |= facts.Exported
	}
	return s
}

func (w *walker) add(s facts.Symbol) int32 {
	w.facts.Symbols = append(w.facts.Symbols, s)
	return int32(len(w.facts.Symbols) - 1)
}

func (w *walker) document(s *facts.Symbol, doc *ast.CommentGroup) {
	if doc != nil {
		s.DocStart, s.DocEnd = w.at(doc.Pos()), w.at(doc.End())
	}
}

// inside runs a walk whose declarations and uses belong to a symbol.
func (w *walker) inside(symbol int32, walk func()) {
	parent, in, holder := w.parent, w.in, w.holder
	w.parent, w.in, w.holder = symbol, symbol, symbol
	walk()
	w.parent, w.in, w.holder = parent, in, holder
}

// holding runs a walk whose unnamed structs belong to a symbol.
func (w *walker) holding(symbol int32, walk func() int32) int32 {
	if symbol == facts.None {
		return walk()
	}
	holder := w.holder
	w.holder = symbol
	e := walk()
	w.holder = holder
	return e
}

// bind makes names mean their symbols from here on.
func (w *walker) bind(names []*ast.Ident, symbols []int32) {
	for i, s := range symbols {
		if s != facts.None {
			w.scope.declare(names[i].Name, bound(s))
		}
	}
}

// declareAll adds the symbols of several names. The index of a blank one is None.
func (w *walker) declareAll(names []*ast.Ident, symbol func(*ast.Ident) facts.Symbol) []int32 {
	all := make([]int32, len(names))
	for i, name := range names {
		all[i] = facts.None
		if name.Name != "_" && w.stands(name) {
			all[i] = w.add(symbol(name))
		}
	}
	return all
}

func (w *walker) setType(symbols []int32, typ int32) {
	for _, s := range symbols {
		if s != facts.None {
			w.facts.Symbols[s].Type = typ
		}
	}
}

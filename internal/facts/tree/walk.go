package tree

import (
	"slices"
	"sync"

	"espy/internal/facts"
)

// visitor reads a node and all below it. It returns the expression for the value
// of the node, or None.
type visitor func(w *walk, n int32) int32

// rules are the part of the walk that differs between languages.
type rules struct {
	visit    map[string]visitor // by kind of node; a kind without one has its children visited
	branches []string           // kinds that add one to the complexity of a function
	comments []string           // kinds of comments
	start    func(w *walk)      // before the root is visited; may be nil
	finish   func(w *walk)      // after it, before names are bound; may be nil
	state    func() any         // makes walk.state for a file; may be nil
	apart    apart
}

// table is rules with the kinds of one grammar looked up.
type table struct {
	rules  *rules
	visit  []visitor
	traits []uint8
}

// Traits of a kind of node.
const (
	traitBranch = 1 << iota
	traitComment
)

var tables sync.Map // *Grammar to *table

// tableOf makes the table of a grammar when its first file is read.
func tableOf(g *Grammar, of func() *rules) *table {
	if t, ok := tables.Load(g); ok {
		return t.(*table)
	}
	t := &table{rules: of(), visit: make([]visitor, len(g.Kinds)), traits: make([]uint8, len(g.Kinds))}
	for i, kind := range g.Kinds {
		t.visit[i] = t.rules.visit[kind]
		if slices.Contains(t.rules.branches, kind) {
			t.traits[i] |= traitBranch
		}
		if slices.Contains(t.rules.comments, kind) {
			t.traits[i] |= traitComment
		}
	}
	tables.Store(g, t)
	return t
}

// walk is one reading of one tree.
type walk struct {
	t     *Tree
	table *table
	src   string // the whole text
	base  uint32 // where the text of t starts in src
	parse Parser // for text inside of text; may be nil

	builder
	comments  []span // of the whole tree, in order
	branches  int    // met so far
	mostSteps int    // a tree that takes more is a stepsError

	parent int32     // the symbol that holds what is declared here
	in     int32     // the symbol that uses are in
	this   receiver  // the value of this, in languages that have one
	fn     *function // the innermost function
	inType bool      // identifiers name types
	state  any       // what the rules of the language remember of the file (rules.state)
}

// receiver is the meaning of this: OpThis or OpSymbol of a symbol, or OpValue and
// an expression for it instead. The symbol is None where this means nothing.
type receiver struct {
	op     facts.Op
	symbol int32
}

// function is the state of the current function.
type function struct {
	symbol  int32
	self    string // name of the parameter that takes the receiver
	returns int32  // the first value that is returned, or several
	several int    // of how many values returns is
	result  int32  // the type that is written
	yields  bool
	yielded int32 // the first value that is yielded
}

type span struct{ start, end uint32 }

func newWalk(t *Tree, by *table, src string, parse Parser) *walk {
	w := &walk{t: t, table: by, src: src, parse: parse, parent: facts.None, in: facts.None, this: receiver{symbol: facts.None}}
	w.builder.init(src)
	w.mostSteps = stepsFor(len(t.Nodes))
	w.apart = by.rules.apart
	if make := by.rules.state; make != nil {
		w.state = make()
	}
	return w
}

// kind names the kind of a node.
func (w *walk) kind(n int32) string {
	if k := w.t.Nodes[n].Kind; k != kindError {
		return w.t.Grammar.Kinds[k]
	}
	return "ERROR"
}

func (w *walk) is(n int32, kind string) bool { return n >= 0 && w.kind(n) == kind }

// field names the field of its parent that a node is in.
func (w *walk) field(n int32) string { return w.t.Grammar.Fields[w.t.Nodes[n].Field] }

func (w *walk) start(n int32) uint32 { return w.base + w.t.Nodes[n].Start }

func (w *walk) end(n int32) uint32 { return w.base + w.t.Nodes[n].End }

// text is the text of a node. That of None is empty.
func (w *walk) text(n int32) string {
	if n < 0 {
		return ""
	}
	return w.src[w.start(n):w.end(n)]
}

func (w *walk) up(n int32) int32 { return w.t.Nodes[n].Parent }

// kids yields the children of a node without the comments. None has no children.
func (w *walk) kids(n int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		if n < 0 {
			return
		}
		for c, end := n+1, w.t.Nodes[n].Next; c < end; c = w.t.Nodes[c].Next {
			w.steps++
			if k := w.t.Nodes[c].Kind; k != kindError && w.table.traits[k]&traitComment != 0 || w.absent(c) {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// child returns the first child in a field, or None.
func (w *walk) child(n int32, field string) int32 {
	if n < 0 {
		return facts.None
	}
	for c, end := n+1, w.t.Nodes[n].Next; c < end; c = w.t.Nodes[c].Next {
		w.steps++
		if w.field(c) == field && !w.absent(c) {
			return c
		}
	}
	return facts.None
}

// childOf returns the first child of one of the kinds, or None.
func (w *walk) childOf(n int32, kinds ...string) int32 {
	if n < 0 {
		return facts.None
	}
	for c, end := n+1, w.t.Nodes[n].Next; c < end; c = w.t.Nodes[c].Next {
		w.steps++
		kind := w.kind(c)
		for _, k := range kinds {
			if k == kind && !w.absent(c) {
				return c
			}
		}
	}
	return facts.None
}

// absent reports whether the parser assumed a node, which then has no text.
func (w *walk) absent(n int32) bool { return w.t.Nodes[n].Flags&missing != 0 }

func (w *walk) has(n int32, kind string) bool { return w.childOf(n, kind) >= 0 }

// last returns the last child of a node except comments, or None.
func (w *walk) last(n int32) int32 {
	found := int32(facts.None)
	for c := range w.kids(n) {
		found = c
	}
	return found
}

// only returns the first child that is neither a comment nor a token, or None.
func (w *walk) only(n int32) int32 {
	for c := range w.kids(n) {
		if !w.token(c) {
			return c
		}
	}
	return facts.None
}

// token reports whether a node is a word or sign of the grammar itself.
func (w *walk) token(n int32) bool {
	k := w.t.Nodes[n].Kind
	return k != kindError && !w.t.Grammar.Named[k]
}

// visit reads a node and all below it.
func (w *walk) visit(n int32) int32 {
	if n < 0 {
		return facts.None
	}
	if w.steps++; w.steps > w.mostSteps {
		panic(stepsError(w.mostSteps))
	}
	k := w.t.Nodes[n].Kind
	if k == kindError {
		return w.visitAll(n)
	}
	if w.table.traits[k]&traitBranch != 0 {
		w.branches++
	}
	if f := w.table.visit[k]; f != nil {
		return f(w, n)
	}
	return w.visitAll(n)
}

// visitAll reads the children of a node, which has no value.
func (w *walk) visitAll(n int32) int32 {
	for c, end := n+1, w.t.Nodes[n].Next; c < end; c = w.t.Nodes[c].Next {
		w.visit(c)
	}
	return facts.None
}

// visitOther reads the children of a node except those in done.
func (w *walk) visitOther(n int32, done ...int32) {
next:
	for c := range w.kids(n) {
		for _, d := range done {
			if c == d {
				continue next
			}
		}
		w.visit(c)
	}
}

// visitType reads a node whose names are types.
func (w *walk) visitType(n int32) int32 {
	defer func(was bool) { w.inType = was }(w.inType)
	w.inType = true
	return w.visit(n)
}

// visitValue reads a node whose names are values.
func (w *walk) visitValue(n int32) int32 {
	defer func(was bool) { w.inType = was }(w.inType)
	w.inType = false
	return w.visit(n)
}

// within reads a node that belongs to a symbol.
func (w *walk) within(symbol int32, read func()) {
	parent, in := w.parent, w.in
	w.parent, w.in = symbol, symbol
	read()
	w.parent, w.in = parent, in
}

// embedded reads a part of this file, such as a type within quotes, as a tree of
// its own. It does nothing if that cannot be parsed.
func (w *walk) embedded(start, end uint32, read func(root int32)) {
	if end > start {
		w.embeddedAs(start, []byte(w.src[start:end]), read)
	}
}

// embeddedAs is embedded of a text that stands for the part, byte by byte.
func (w *walk) embeddedAs(start uint32, text []byte, read func(root int32)) {
	if w.parse == nil {
		return
	}
	t, err := w.parse(w.t.Grammar.Name, text)
	if err != nil {
		return
	}
	outer, base := w.t, w.base
	w.t, w.base = t, start
	read(0)
	w.t, w.base = outer, base
}

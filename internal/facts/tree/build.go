package tree

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"espy/internal/code"
	"espy/internal/facts"
)

// builder gathers facts in the order they are met. Names are bound when their
// scope closes, so that a use may stand above what it means.
type builder struct {
	src     string
	symbols []facts.Symbol
	uses    []facts.Use
	names   []int32 // of uses: number of the name
	imports []facts.Import
	exprs   []facts.Expr
	errors  []located
	scopes  []scope

	pkg     string
	apart   apart
	numbers map[string]int32 // of names
	bound   []binding        // by number of a name: what the scope that closes gives it
	serial  int32            // of the scope that closes
}

type located struct {
	at      uint32
	message string
}

// apart says which names do not meet.
type apart uint8

const (
	apartNot   apart = iota
	apartTypes       // a type and a value may have the same name
	apartCalls       // and so may a method and a variable
	apartTags        // where a type must stand, variables and functions do not count
)

// scopeKind says what closes over what.
type scopeKind uint8

const (
	scopeModule    scopeKind = iota
	scopeFunction            // names live as long as a call
	scopeBlock               // the same, inside of one
	scopeNamespace           // names that others can mean, inside of a module
	scopeTemplate            // of type parameters
	scopeClass               // names are seen in nested functions
	scopeHidden              // names are not seen in nested functions: a class of Python
)

// scope is a stretch of text with names of its own.
type scope struct {
	kind     scopeKind
	closed   bool // names of the scopes around are not seen
	declared []declared
	pending  []int32          // uses that are not bound yet
	nested   []int32          // those of nested functions, in a scopeHidden
	outer    map[int32]string // names that are declared elsewhere: "global" or "nonlocal"
}

// declared is one declaration of a name in a scope.
type declared struct {
	name   int32
	from   uint32 // the name is seen from here on; 0 in the whole scope
	at     uint32
	bind   facts.Bind
	target int32
}

type binding struct {
	serial int32
	first  int32 // index of declared
	many   bool
}

func (b *builder) init(src string) {
	b.src = src
	b.numbers = make(map[string]int32, 256)
}

// number gives every name of the file a number.
func (b *builder) number(name string) int32 {
	if n, ok := b.numbers[name]; ok {
		return n
	}
	n := int32(len(b.numbers))
	b.numbers[name] = n
	b.bound = append(b.bound, binding{})
	return n
}

// expr adds an expression.
func (b *builder) expr(op facts.Op, x, y int32) int32 {
	b.exprs = append(b.exprs, facts.Expr{Op: op, X: x, Y: y})
	return int32(len(b.exprs) - 1)
}

// of adds an expression that depends on x, which may be None.
func (b *builder) of(op facts.Op, x, y int32) int32 {
	if x < 0 {
		return facts.None
	}
	return b.expr(op, x, y)
}

// value is a value of a type. What is both a type and a value of it stays.
func (b *builder) value(typ int32) int32 {
	if typ >= 0 {
		switch b.exprs[typ].Op {
		case facts.OpLiteral, facts.OpFunc, facts.OpMembers, facts.OpValue, facts.OpThis, facts.OpTuple:
			return typ
		}
	}
	return b.of(facts.OpValue, typ, 0)
}

func (b *builder) literal(kind int32) int32 { return b.expr(facts.OpLiteral, kind, facts.None) }

// union adds x or y, either of which may be None.
func (b *builder) union(x, y int32) int32 {
	if x < 0 {
		return y
	}
	if y < 0 {
		return x
	}
	return b.expr(facts.OpUnion, x, y)
}

// tuple adds the expressions together. Those that are not known are None.
func (b *builder) tuple(list []int32) int32 {
	tail := int32(facts.None)
	for _, x := range slices.Backward(list) {
		tail = b.expr(facts.OpTuple, x, tail)
	}
	return tail
}

// bases tells what a type is based on, where type arguments say more than names.
func (b *builder) bases(symbol int32, list []int32) {
	if slices.ContainsFunc(list, func(e int32) bool { return e >= 0 && b.exprs[e].Op == facts.OpApply }) {
		b.symbols[symbol].Type = b.tuple(list)
	}
}

// open starts a scope.
func (b *builder) open(kind scopeKind) {
	if n := len(b.scopes); n < cap(b.scopes) {
		b.scopes = b.scopes[:n+1]
		s := &b.scopes[n]
		*s = scope{kind: kind, declared: s.declared[:0], pending: s.pending[:0], nested: s.nested[:0]}
		return
	}
	b.scopes = append(b.scopes, scope{kind: kind})
}

// top is the index of the innermost scope.
func (b *builder) top() int { return len(b.scopes) - 1 }

// enclosing is the index of the innermost scope of one of the kinds.
func (b *builder) enclosing(kinds ...scopeKind) int {
	for i := b.top(); i > 0; i-- {
		if slices.Contains(kinds, b.scopes[i].kind) {
			return i
		}
	}
	return 0
}

// declare makes a name known in scope number s: from byte from on, or in all
// of it when from is 0.
func (b *builder) declare(s int, name string, at, from uint32, bind facts.Bind, target int32) {
	if name == "" {
		return
	}
	b.scopes[s].declared = append(b.scopes[s].declared, declared{b.number(name), from, at, bind, target})
}

// declaredIn finds the first declaration of a name in scope number s.
func (b *builder) declaredIn(s int, name string) (declared, bool) {
	n := b.number(name)
	for _, d := range b.scopes[s].declared {
		if d.name == n {
			return d, true
		}
	}
	return declared{}, false
}

// close binds the uses of the innermost scope to its names and hands the rest
// to the scope around it.
func (b *builder) close() {
	last := b.top()
	s := &b.scopes[last]
	if len(s.declared) > 0 {
		b.mark(s)
		s.pending = b.resolve(s, s.pending)
	}
	b.scopes = b.scopes[:last]
	if last == 0 || s.closed {
		return
	}
	up := &b.scopes[last-1]
	switch {
	case up.kind == scopeHidden && (s.kind == scopeFunction || s.kind == scopeHidden):
		up.nested = merge(up.nested, &s.pending)
		up.nested = merge(up.nested, &s.nested)
	case s.kind == scopeHidden:
		up.pending = merge(up.pending, &s.pending)
		up.pending = merge(up.pending, &s.nested)
	default:
		up.pending = merge(up.pending, &s.pending)
	}
}

// merge joins two lists by copying the shorter one, so that deep nesting costs
// no more than its text. The other list is left for its scope to use again.
func merge(a []int32, b *[]int32) []int32 {
	if len(*b) > len(a) {
		a, *b = *b, a
	}
	return append(a, *b...)
}

// mark notes for every name of the scope where it is declared.
func (b *builder) mark(s *scope) {
	b.serial++
	for i, d := range s.declared {
		if m := &b.bound[d.name]; m.serial == b.serial {
			m.many = true
		} else {
			*m = binding{serial: b.serial, first: int32(i)}
		}
	}
	for i := range s.declared {
		if m := b.bound[s.declared[i].name]; m.many {
			slices.SortStableFunc(s.declared, func(x, y declared) int {
				return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.at, y.at))
			})
			for i := len(s.declared) - 1; i >= 0; i-- {
				b.bound[s.declared[i].name].first = int32(i)
			}
			return
		}
	}
}

// resolve binds the uses that the marked scope declares and returns the others.
func (b *builder) resolve(s *scope, pending []int32) []int32 {
	left := pending[:0]
	for _, u := range pending {
		m := b.bound[b.names[u]]
		if m.serial != b.serial {
			left = append(left, u)
			continue
		}
		d, ok := b.choose(s.declared[m.first:], &b.uses[u], m.many)
		if !ok {
			left = append(left, u)
			continue
		}
		b.uses[u].Bind, b.uses[u].Target = d.bind, d.target
	}
	return left
}

// choose returns the last declaration of the first name of list that is seen
// where the use stands, else the first one that is seen in the whole scope.
func (b *builder) choose(list []declared, u *facts.Use, many bool) (declared, bool) {
	first := list[0]
	if !many {
		return first, first.from <= u.At && b.fits(first, u.Role)
	}
	n := sort.Search(len(list), func(i int) bool { return list[i].name != first.name })
	list = list[:n]
	i := sort.Search(n, func(i int) bool { return list[i].at > u.At })
	found := int32(facts.None)
	try := func(i int) bool {
		if !b.fits(list[i], u.Role) {
			return false
		}
		if found < 0 {
			found = int32(i)
		}
		if b.takes(list[i], u) {
			found = int32(i)
			return true
		}
		return false
	}
	for i--; i >= 0; i-- {
		if list[i].from <= u.At && try(i) {
			return list[i], true
		}
	}
	for i, d := range list {
		if d.from == 0 && try(i) {
			return d, true
		}
	}
	if found < 0 {
		return declared{}, false
	}
	return list[found], true
}

// fits reports whether a use can mean a declaration, in languages in which
// several things may have the same name.
func (b *builder) fits(d declared, role facts.Role) bool {
	if b.apart == apartNot || d.bind != facts.BindSymbol {
		return true
	}
	kind := b.symbols[d.target].Kind
	switch role {
	case facts.RoleType, facts.RoleImplement:
		return kind.IsType() || kind == code.KindTypeParam || b.apart == apartTags && (kind == code.KindMacro || kind == code.KindConst)
	case facts.RoleCall:
		if b.apart == apartCalls {
			return kind.IsFunc() || kind.IsType()
		}
	case facts.RoleRead, facts.RoleWrite:
		if b.apart == apartCalls {
			return !kind.IsFunc()
		}
	default:
		return true
	}
	return b.apart == apartTags || kind != code.KindInterface && kind != code.KindType && kind != code.KindTypeParam
}

// takes reports whether a declaration takes the arguments of a use.
func (b *builder) takes(d declared, u *facts.Use) bool {
	if u.Args < 0 || d.bind != facts.BindSymbol {
		return true
	}
	y := &b.symbols[d.target]
	return !y.Kind.IsFunc() || int(y.MinArgs) <= int(u.Args) && (y.MaxArgs == facts.ManyArgs || int(u.Args) <= int(y.MaxArgs))
}

// add adds a use of a name that no scope is asked for.
func (w *walk) add(name string, at uint32, role facts.Role, args int) int32 {
	w.uses = append(w.uses, facts.Use{Name: name, Role: role, Place: facts.Place{At: at}, In: w.in, Target: facts.None, Args: argCount(args)})
	w.names = append(w.names, 0)
	return int32(len(w.uses) - 1)
}

func argCount(n int) int16 { return int16(max(facts.None, min(n, math.MaxInt16))) }

// useIn adds a use of a name that scope number s or one around it declares.
func (w *walk) useIn(s int, name string, at uint32, role facts.Role, args int) int32 {
	if name == "" {
		return facts.None
	}
	u := w.add(name, at, role, args)
	w.names[u] = w.number(name)
	w.scopes[s].pending = append(w.scopes[s].pending, u)
	return w.expr(facts.OpUse, u, 0)
}

// use adds a use of the name that node n holds and returns what it stands for.
func (w *walk) use(n int32, role facts.Role, args int) int32 {
	if n < 0 {
		return facts.None
	}
	return w.useIn(w.top(), w.text(n), w.start(n), role, args)
}

// member adds a use of the name that node n holds as a member of what the
// expression object stands for, None when that is not known.
func (w *walk) member(n, object int32, role facts.Role, args int) int32 {
	name := w.text(n)
	if name == "" {
		return facts.None
	}
	u := w.add(name, w.start(n), role, args)
	w.uses[u].Bind, w.uses[u].Target = facts.BindMember, object
	return w.expr(facts.OpUse, u, 0)
}

// imported adds the use of the name that an import statement takes.
func (w *walk) imported(n int32, target int32) {
	if w.text(n) == "" {
		return
	}
	u := w.add(w.text(n), w.start(n), facts.RoleImport, facts.None)
	w.uses[u].Bind, w.uses[u].Target = facts.BindImport, target
}

// symbol adds the declaration d of the name that node n holds.
func (w *walk) symbol(n, d int32, kind code.Kind, flags facts.Flags) int32 {
	return w.symbolAt(w.text(n), w.start(n), w.start(d), w.end(d), kind, flags)
}

func (w *walk) symbolAt(name string, at, start, end uint32, kind code.Kind, flags facts.Flags) int32 {
	sigEnd := start + uint32(len(strings.TrimRight(w.src[start:end], " \t\r\n;,")))
	w.symbols = append(w.symbols, facts.Symbol{
		Name: name, Kind: kind, Flags: flags, Place: facts.Place{At: at}, Parent: w.parent,
		Start: start, End: end, SigStart: start, SigEnd: sigEnd, Type: facts.None,
	})
	return int32(len(w.symbols) - 1)
}

// bind makes a symbol known in scope number s.
func (w *walk) bind(s int, symbol int32, from uint32) {
	y := &w.symbols[symbol]
	w.declare(s, y.Name, y.At, from, facts.BindSymbol, symbol)
}

// signature sets the signature of a symbol: from start to the body, which may
// be None, blanks and what opens the body left out.
func (w *walk) signature(symbol int32, start uint32, body int32) {
	y := &w.symbols[symbol]
	y.SigStart = start
	if body >= 0 {
		y.SigEnd = max(start, w.start(body))
	}
	y.SigEnd = start + uint32(len(strings.TrimRight(w.src[start:y.SigEnd], " \t\r\n{:;=")))
}

// arguments sets how many arguments calls of a symbol give.
func (w *walk) arguments(symbol int32, least, most int, many bool) {
	y := &w.symbols[symbol]
	y.MinArgs, y.MaxArgs = uint8(min(least, facts.ManyArgs)), uint8(min(most, facts.ManyArgs))
	if many {
		y.MaxArgs = facts.ManyArgs
	}
}

// document gives a symbol the comments that end right above byte at.
func (w *walk) document(symbol int32, at uint32) {
	i := sort.Search(len(w.comments), func(i int) bool { return w.comments[i].end > at }) - 1
	if i < 0 || !w.adjoins(w.comments[i].end, at) || !w.startsLine(w.comments[i].start) {
		return
	}
	y := &w.symbols[symbol]
	y.DocStart, y.DocEnd = w.comments[i].start, w.comments[i].end
	for i--; i >= 0; i-- {
		if c := w.comments[i]; !w.adjoins(c.end, y.DocStart) || !w.startsLine(c.start) || !w.sameStyle(c.start, y.DocStart) {
			return
		}
		y.DocStart = w.comments[i].start
	}
}

// adjoins reports that only blanks without an empty line lie between two bytes.
func (w *walk) adjoins(from, to uint32) bool {
	if from > to {
		return false
	}
	between := w.src[from:to]
	if w.src[max(from, 1)-1] == '\n' {
		between = "\n" + between
	}
	return strings.TrimSpace(between) == "" && strings.Count(between, "\n") <= 1
}

func (w *walk) startsLine(at uint32) bool {
	return strings.TrimSpace(w.src[strings.LastIndexByte(w.src[:at], '\n')+1:at]) == ""
}

// sameStyle reports that both comments are of lines: blocks stand alone.
func (w *walk) sameStyle(a, b uint32) bool {
	return !strings.HasPrefix(w.src[a:], "/*") && !strings.HasPrefix(w.src[b:], "/*")
}

// facts sorts what was gathered and sets lines and columns.
func (w *walk) facts() *facts.File {
	b := &w.builder
	f := &facts.File{Package: b.pkg}
	symbolAt := sorted(b.symbols, func(x, y facts.Symbol) int { return cmp.Compare(x.Start, y.Start) })
	useAt := sorted(b.uses, func(x, y facts.Use) int { return cmp.Compare(x.At, y.At) })
	importAt := sorted(b.imports, func(x, y facts.Import) int { return 0 })
	exprAt, exprs := b.live()
	for i := range b.exprs {
		if exprAt[i] >= 0 {
			e := b.exprs[i]
			e.X, e.Y = rename(e, exprAt, useAt, symbolAt)
			exprs[exprAt[i]] = e
		}
	}
	f.Exprs = exprs
	f.Symbols = place(b.symbols, symbolAt)
	for i := range f.Symbols {
		y := &f.Symbols[i]
		y.Parent, y.Type = at(symbolAt, y.Parent), at(exprAt, y.Type)
	}
	f.Uses = place(b.uses, useAt)
	for i := range f.Uses {
		u := &f.Uses[i]
		u.In = at(symbolAt, u.In)
		switch u.Bind {
		case facts.BindSymbol:
			u.Target = at(symbolAt, u.Target)
		case facts.BindImport:
			u.Target = at(importAt, u.Target)
		case facts.BindMember:
			u.Target = at(exprAt, u.Target)
		}
	}
	f.Imports = b.imports
	for i := range f.Imports {
		f.Imports[i].In = at(symbolAt, f.Imports[i].In)
	}
	locate(b.src, f, b.errors)
	return f
}

// sorted returns where each element goes in a stable sort.
func sorted[T any](list []T, order func(x, y T) int) []int32 {
	byOrder := make([]int32, len(list))
	for i := range byOrder {
		byOrder[i] = int32(i)
	}
	slices.SortStableFunc(byOrder, func(i, j int32) int { return order(list[i], list[j]) })
	to := make([]int32, len(list))
	for n, i := range byOrder {
		to[i] = int32(n)
	}
	return to
}

func place[T any](list []T, to []int32) []T {
	out := make([]T, len(list))
	for i, n := range to {
		out[n] = list[i]
	}
	return out
}

func at(to []int32, i int32) int32 {
	if i < 0 {
		return facts.None
	}
	return to[i]
}

// operands returns which operands of an expression are expressions.
func operands(e facts.Expr) (x, y bool) {
	switch e.Op {
	case facts.OpValue, facts.OpCall, facts.OpElem, facts.OpResult, facts.OpArgument:
		return true, false
	case facts.OpTuple, facts.OpApply, facts.OpUnion, facts.OpFunc:
		return true, true
	case facts.OpLiteral:
		return false, e.X == facts.LiteralList || e.X == facts.LiteralMap
	}
	return false, false
}

// live numbers the expressions that a symbol or a use needs, in order, the
// others being None.
func (b *builder) live() ([]int32, []facts.Expr) {
	to := make([]int32, len(b.exprs))
	need := func(e int32) {
		if e >= 0 {
			to[e] = 1
		}
	}
	for i := range b.symbols {
		need(b.symbols[i].Type)
	}
	for i := range b.uses {
		if b.uses[i].Bind == facts.BindMember {
			need(b.uses[i].Target)
		}
	}
	n := int32(0)
	for i := len(to) - 1; i >= 0; i-- {
		if to[i] == 0 {
			continue
		}
		n++
		e := b.exprs[i]
		x, y := operands(e)
		if x {
			need(e.X)
		}
		if y {
			need(e.Y)
		}
	}
	next := int32(0)
	for i := range to {
		if to[i] == 0 {
			to[i] = facts.None
			continue
		}
		to[i] = next
		next++
	}
	return to, make([]facts.Expr, n)
}

// rename returns the operands of an expression in their sorted tables.
func rename(e facts.Expr, exprs, uses, symbols []int32) (x, y int32) {
	x, y = e.X, e.Y
	switch e.Op {
	case facts.OpUse:
		return at(uses, x), y
	case facts.OpSymbol, facts.OpThis, facts.OpSuper, facts.OpMembers:
		return at(symbols, x), y
	}
	isX, isY := operands(e)
	if isX {
		x = at(exprs, x)
	}
	if isY {
		y = at(exprs, y)
	}
	return x, y
}

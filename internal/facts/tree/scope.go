package tree

import (
	"cmp"
	"slices"
	"sort"

	"espy/internal/code"
	"espy/internal/facts"
)

// builder gathers facts in the order of the walk. Names are bound when their scope
// closes: a use may stand above its declaration.
type builder struct {
	src     string
	steps   int // taken so far: nodes, declarations and uses looked at
	symbols []facts.Symbol
	uses    []facts.Use
	names   []int32              // of uses: number of the name
	types   map[int32]facts.Role // of uses that name a type though they have another role, what a scope takes them for
	imports []facts.Import
	exprs   []facts.Expr
	errors  []located
	scopes  []scope

	pkg     string
	apart   apart
	numbers map[string]int32            // of names
	bound   []binding                   // by number of a name: what the scope that closes gives it
	serial  int32                       // of the scope that closes
	chosen  map[candidateKey]candidates // of the scope that closes
	few     candidates                  // of the use that is bound
}

type located struct {
	at      uint32
	message string
}

// apart says which names do not meet.
type apart uint8

const (
	apartNot     apart = iota
	apartTypes         // a type and a value may have the same name
	apartCalls         // and so may a method and a variable
	apartInvokes       // the same, but what holds a function is called like one
	apartTags          // where a type must stand, variables and functions do not count
	apartObjects       // a type and an object or another value may have the same name
	apartParens        // what is called with parentheses is no variable
)

// scopeKind says which names of a scope are seen from inside others.
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
	first    map[int32]int    // where the first indexed ones of declared have their name first
	indexed  int
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

// isLocal reports whether what scope number s declares is local to a function.
func (b *builder) isLocal(s int) bool {
	k := b.scopes[s].kind
	return k == scopeFunction || k == scopeBlock
}

// enclosing is the index of the innermost scope of one of the kinds.
func (b *builder) enclosing(kinds ...scopeKind) int {
	for i := b.top(); i > 0; i-- {
		if slices.Contains(kinds, b.scopes[i].kind) {
			return i
		}
	}
	return 0
}

// declare makes a name known in scope number s: from byte from on, or in the whole
// scope if from is 0.
func (b *builder) declare(s int, name string, at, from uint32, bind facts.Bind, target int32) {
	if name == "" {
		return
	}
	b.scopes[s].declared = append(b.scopes[s].declared, declared{b.number(name), from, at, bind, target})
}

// declaredIn finds the first declaration of a name in scope number s.
func (b *builder) declaredIn(s int, name string) (declared, bool) {
	in, n := &b.scopes[s], b.number(name)
	if len(in.declared) > fewDeclared {
		i, ok := in.index(n)
		if !ok {
			return declared{}, false
		}
		return in.declared[i], true
	}
	for _, d := range in.declared {
		b.steps++
		if d.name == n {
			return d, true
		}
	}
	return declared{}, false
}

// index finds the first declaration of a name among many.
func (s *scope) index(name int32) (int, bool) {
	if s.first == nil {
		s.first = map[int32]int{}
	}
	for i := s.indexed; i < len(s.declared); i++ {
		if _, again := s.first[s.declared[i].name]; !again {
			s.first[s.declared[i].name] = i
		}
	}
	s.indexed = len(s.declared)
	i, ok := s.first[name]
	return i, ok
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

// merge joins two lists. It copies the shorter one, so that deep nesting costs no
// more than its text. The other list is left for its scope to use again.
func merge(a []int32, b *[]int32) []int32 {
	if len(*b) > len(a) {
		a, *b = *b, a
	}
	return append(a, *b...)
}

// mark notes for every name of the scope where it is declared.
func (b *builder) mark(s *scope) {
	b.steps += len(s.declared)
	b.serial++
	b.chosen = nil
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
	b.steps += len(pending)
	left := pending[:0]
	for _, u := range pending {
		m := b.bound[b.names[u]]
		if m.serial != b.serial {
			left = append(left, u)
			continue
		}
		d, ok := b.choose(s.declared[m.first:], b.asked(u), m.many)
		if !ok {
			left = append(left, u)
			continue
		}
		b.uses[u].Bind, b.uses[u].Target = d.bind, d.target
	}
	return left
}

// rolePattern is what a name is that a value is compared with: a type or a constant.
const rolePattern = facts.RoleImplement + 1

// asked is a use as a scope is asked for it.
func (b *builder) asked(u int32) *facts.Use {
	role, ok := b.types[u]
	if !ok {
		return &b.uses[u]
	}
	asked := b.uses[u]
	asked.Role = role
	return &asked
}

// asType has scopes take a use that is a bare name for the name of a type.
func (b *builder) asType(from int, role facts.Role) {
	if from >= len(b.uses) || b.uses[from].Bind == facts.BindMember {
		return
	}
	if b.types == nil {
		b.types = map[int32]facts.Role{}
	}
	b.types[int32(from)] = role
}

// choose returns the last declaration of the first name in list that is known at
// the use, else the first one known in the whole scope. Those that take its
// arguments come before those that only fit.
func (b *builder) choose(list []declared, u *facts.Use, many bool) (declared, bool) {
	first := list[0]
	if !many {
		return first, first.from <= u.At && b.fits(first, u.Role)
	}
	n := sort.Search(len(list), func(i int) bool { return list[i].name != first.name })
	c := b.candidatesOf(list[:n], u)
	if d, ok := b.known(c.take, u.At); ok {
		return d, true
	}
	return b.known(c.fit, u.At)
}

// candidates are the declarations of one name that uses of one role and with so
// many arguments can mean.
type candidates struct{ fit, take places }

// places are declarations of one name by place.
type places struct {
	list  []declared
	whole int // index of the first that is known in the whole scope; -1 for none
}

func (p *places) add(d declared) {
	if d.from == 0 && p.whole < 0 {
		p.whole = len(p.list)
	}
	p.list = append(p.list, d)
}

// candidateKey tells such uses in a scope apart.
type candidateKey struct {
	name int32
	role facts.Role
	args int16
}

// fewDeclared is the number of declarations of a name that are looked through for
// each of its uses.
const fewDeclared = 16

// candidatesOf finds the candidates of a use among the declarations of its name.
// Those of many are kept for the other uses in the scope.
func (b *builder) candidatesOf(list []declared, u *facts.Use) candidates {
	if len(list) <= fewDeclared {
		b.few = b.selected(list, u, b.few)
		return b.few
	}
	key := candidateKey{list[0].name, u.Role, u.Args}
	c, ok := b.chosen[key]
	if !ok {
		if b.chosen == nil {
			b.chosen = map[candidateKey]candidates{}
		}
		c = b.selected(list, u, candidates{})
		b.chosen[key] = c
	}
	return c
}

// selected finds the candidates of a use. Their memory is that of c.
func (b *builder) selected(list []declared, u *facts.Use, c candidates) candidates {
	b.steps += len(list)
	c.fit, c.take = places{c.fit.list[:0], -1}, places{c.take.list[:0], -1}
	hidden := b.besides(list, u.Role)
	for _, d := range list {
		if !b.fits(d, u.Role) || hidden != nil && hidden(d) {
			continue
		}
		c.fit.add(d)
		if b.takes(d, u) {
			c.take.add(d)
		}
	}
	return c
}

// known returns the last declaration that is known at a byte, else the first one
// that is known in the whole scope.
func (b *builder) known(p places, at uint32) (declared, bool) {
	i := sort.Search(len(p.list), func(i int) bool { return p.list[i].at > at })
	for i--; i >= 0; i-- {
		b.steps++
		if p.list[i].from <= at {
			return p.list[i], true
		}
	}
	if p.whole < 0 {
		return declared{}, false
	}
	return p.list[p.whole], true
}

// fits reports whether a use can mean a declaration, in languages that allow the
// same name for several things.
func (b *builder) fits(d declared, role facts.Role) bool {
	if b.apart == apartNot || d.bind != facts.BindSymbol {
		return true
	}
	kind := b.symbols[d.target].Kind
	switch b.apart {
	case apartParens:
		return role != facts.RoleCall || kind != code.KindVar && kind != code.KindParam
	case apartObjects:
		return b.fitsObject(kind, b.symbols[d.target].Flags&facts.Static != 0, role)
	}
	switch role {
	case rolePattern:
		return kind.IsType() || kind == code.KindTypeParam || kind == code.KindConst
	case facts.RoleType, facts.RoleImplement:
		return kind.IsType() || kind == code.KindTypeParam || b.apart == apartTags && (kind == code.KindMacro || kind == code.KindConst)
	case facts.RoleCall:
		if b.apart == apartCalls || b.apart == apartInvokes {
			return kind.IsFunc() || kind.IsType() || b.apart == apartInvokes && b.symbols[d.target].Flags&facts.Accessor != 0
		}
	case facts.RoleRead, facts.RoleWrite:
		if b.apart == apartCalls || b.apart == apartInvokes {
			return !kind.IsFunc()
		}
	default:
		return true
	}
	return b.apart == apartTags || kind != code.KindInterface && kind != code.KindType && kind != code.KindTypeParam
}

// fitsObject is fits where an object stands beside the class of its name: a type is no
// value, but a class is called by its name.
func (b *builder) fitsObject(kind code.Kind, object bool, role facts.Role) bool {
	switch role {
	case facts.RoleType, facts.RoleInherit, facts.RoleImplement:
		return kind.IsType() || kind == code.KindTypeParam
	case facts.RoleCall:
		return kind != code.KindTypeParam
	}
	return kind != code.KindTrait && kind != code.KindType && kind != code.KindTypeParam
}

// besides returns what a use cannot mean where several declarations of its name stand side by
// side: the object where a type must stand, the class where a value must, and the trait or
// alias where a function is called; nil for none.
func (b *builder) besides(list []declared, role facts.Role) (hides func(declared) bool) {
	if b.apart != apartObjects || role == facts.RoleImport {
		return nil
	}
	object := role == facts.RoleType || role == facts.RoleInherit || role == facts.RoleImplement
	hides = func(d declared) bool {
		y := &b.symbols[max(d.target, 0)]
		if role == facts.RoleCall { // a function of the name is called, not a trait
			return d.bind == facts.BindSymbol && (y.Kind == code.KindTrait || y.Kind == code.KindType)
		}
		return d.bind == facts.BindSymbol && y.Kind.IsType() && (y.Flags&facts.Static != 0) == object
	}
	if !slices.ContainsFunc(list, func(d declared) bool { return d.bind == facts.BindSymbol && b.fits(d, role) && !hides(d) }) {
		return nil
	}
	return hides
}

// takes reports whether a declaration takes the arguments of a use.
func (b *builder) takes(d declared, u *facts.Use) bool {
	if u.Args < 0 || d.bind != facts.BindSymbol {
		return true
	}
	y := &b.symbols[d.target]
	return !y.Kind.IsFunc() || int(y.MinArgs) <= int(u.Args) && (y.MaxArgs == facts.ManyArgs || int(u.Args) <= int(y.MaxArgs))
}

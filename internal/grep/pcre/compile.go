package pcre

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Program is a compiled expression. It is read only.
type Program struct {
	insts         []inst
	groups, slots int // slots of groups, and of loops too
	word          *set
	starts        *[256]bool // the first bytes of matches; nil where one may be empty
}

// code is what an instruction does.
type code int

const (
	codeMatch code = iota // the end of the program, and of what is tried for itself
	codeSet               // a character of a set
	codeRun               // characters of a set, from min to max
	codeSplit             // goes on at out, or else at arg
	codeJump
	codeSave  // the place, in slot arg
	codeGroup // group arg, which began where its slot says, ends
	codeTest  // goes on at arg if nothing was taken since its slot was saved, else at out
	codeAtomic
	codeLook
	codeRef
	codeAssert // op
)

// inst is an instruction.
type inst struct {
	code     code
	out, arg int
	slot     int
	set      *set
	min, max int
	lazy     bool
	fold     bool
	op       op
	not      bool
	behind   []width // the alternatives of a look-behind; nil for a look-ahead
}

// width is an alternative of a look-behind: where it begins, and how many characters it
// has.
type width struct{ start, min, max int }

// Bounds of what is compiled.
const (
	maxInsts  = 50_000
	maxBehind = 255 // characters of a look-behind, as in PCRE2
)

// Sets returns the ranges of the characters that a class stands for, as Rust's regex crate
// writes it: the first and the last of each, in order.
type Sets func(class string, fold bool) ([]rune, error)

// Compile compiles the expression. starts are the bytes that a match may begin with, nil
// for any. The error is a *usage.Error.
func (x *Expression) Compile(sets Sets, starts *[256]bool) (*Program, error) {
	c := &compiler{x: x, sets: sets, known: map[string]*set{}, slots: 2 * len(x.names), prog: &Program{starts: starts}}
	c.prog.word = c.set(`[`+wordSet+`]`, false)
	c.node(x.tree)
	c.emit(inst{code: codeMatch})
	c.prog.groups, c.prog.slots = 2*len(x.names), c.slots
	return c.prog, c.err
}

// compiler writes the program.
type compiler struct {
	x     *Expression
	sets  Sets
	known map[string]*set
	prog  *Program
	slots int
	err   error
}

func (c *compiler) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// emit appends an instruction, which leads to the next one, and returns where it is.
func (c *compiler) emit(i inst) int {
	at := len(c.prog.insts)
	if at >= maxInsts {
		c.fail(c.x.bad("the regular expression is too large"))
		return 0
	}
	if i.out == 0 {
		i.out = at + 1
	}
	c.prog.insts = append(c.prog.insts, i)
	return at
}

// slot returns a slot that is not of a group.
func (c *compiler) slot() int {
	c.slots++
	return c.slots - 1
}

func (c *compiler) next() int { return len(c.prog.insts) }

// set compiles a class.
func (c *compiler) set(class string, fold bool) *set {
	key := class
	if fold {
		key = "i" + class
	}
	if c.known[key] == nil {
		ranges, err := c.sets(class, fold)
		if err != nil {
			c.fail(err)
		}
		c.known[key] = newSet(ranges)
	}
	return c.known[key]
}

// one returns the set of a node that is one character, nil for others.
func (c *compiler) one(n *node) *set {
	switch {
	case n.op == opSet:
		return c.set(n.text, n.flags.fold)
	case n.op == opAny && n.flags.dotAll:
		return c.set(`(?s:.)`, false)
	case n.op == opAny:
		return c.set(`[^\n]`, false)
	}
	return nil
}

func (c *compiler) node(n *node) {
	if c.err != nil {
		return
	}
	switch n.op {
	case opSequence:
		for _, sub := range n.subs {
			c.node(sub)
		}
	case opAlternate:
		c.alternate(n)
	case opSet, opAny:
		c.emit(inst{code: codeSet, set: c.one(n)})
	case opGroup:
		began := c.slot()
		c.emit(inst{code: codeSave, arg: began})
		c.node(n.subs[0])
		c.emit(inst{code: codeGroup, arg: n.n, slot: began})
	case opAtomic:
		c.apart(inst{code: codeAtomic}, n.subs[0])
	case opRepeat:
		c.repeat(n)
	case opLook:
		c.look(n)
	case opRef:
		c.emit(inst{code: codeRef, arg: n.n, fold: n.flags.fold})
	case opKeep:
		c.emit(inst{code: codeSave, arg: 0})
	default:
		c.emit(inst{code: codeAssert, op: n.op})
	}
}

// apart compiles what is tried for itself: behind the instruction, which leads beyond it.
func (c *compiler) apart(i inst, n *node) {
	at := c.emit(i)
	c.prog.insts[at].arg = c.next()
	c.node(n)
	c.emit(inst{code: codeMatch})
	c.prog.insts[at].out = c.next()
}

func (c *compiler) alternate(n *node) {
	var ends []int
	for i, sub := range n.subs {
		if i == len(n.subs)-1 {
			c.node(sub)
			break
		}
		split := c.emit(inst{code: codeSplit})
		c.node(sub)
		ends = append(ends, c.emit(inst{code: codeJump}))
		c.prog.insts[split].arg = c.next()
	}
	for _, at := range ends {
		c.prog.insts[at].out = c.next()
	}
}

func (c *compiler) repeat(n *node) {
	sub := n.subs[0]
	if s := c.one(sub); s != nil {
		c.emit(inst{code: codeRun, set: s, min: n.min, max: n.max, lazy: n.lazy})
		return
	}
	for range n.min {
		c.node(sub)
	}
	if n.max < 0 {
		c.loop(n)
		return
	}
	var splits []int
	for range n.max - n.min {
		splits = append(splits, c.emit(inst{code: codeSplit}))
		c.node(sub)
	}
	for _, at := range splits {
		c.branch(at, at+1, c.next(), n.lazy)
	}
}

// branch has a split go on at more or at less, whichever comes first.
func (c *compiler) branch(at, more, less int, lazy bool) {
	if lazy {
		more, less = less, more
	}
	c.prog.insts[at].out, c.prog.insts[at].arg = more, less
}

// loop repeats a node until it takes nothing.
func (c *compiler) loop(n *node) {
	slot := c.slot()
	split := c.emit(inst{code: codeSplit})
	c.emit(inst{code: codeSave, arg: slot})
	c.node(n.subs[0])
	test := c.emit(inst{code: codeTest, slot: slot})
	c.emit(inst{code: codeJump, out: split})
	if split == 0 { // emit took 0 for the next instruction
		c.prog.insts[len(c.prog.insts)-1].out = 0
	}
	c.prog.insts[test].arg = c.next()
	c.branch(split, split+1, c.next(), n.lazy)
}

func (c *compiler) look(n *node) {
	if !n.behind {
		c.apart(inst{code: codeLook, not: n.not}, n.subs[0])
		return
	}
	at := c.emit(inst{code: codeLook, not: n.not})
	alternatives := n.subs
	if sub := alternatives[0]; sub.op == opAlternate {
		alternatives = sub.subs
	}
	behind := []width{}
	for _, a := range alternatives {
		low, high := a.width()
		if high > maxBehind {
			c.fail(c.x.bad("a look-behind without a limit of 255 characters"))
			return
		}
		behind = append(behind, width{c.next(), low, high})
		c.node(a)
		c.emit(inst{code: codeAssert, op: opBehindEnd})
		c.emit(inst{code: codeMatch})
	}
	c.prog.insts[at].behind, c.prog.insts[at].out = behind, c.next()
}

// opBehindEnd is the place that a look-behind began at.
const opBehindEnd op = -1

// width is how many characters a node takes at least, and at most; more than maxBehind
// stands for any number.
func (n *node) width() (low, high int) {
	switch n.op {
	case opSet, opAny:
		return 1, 1
	case opRef:
		return 0, maxBehind + 1
	case opLook, opKeep:
		return 0, 0
	case opAlternate:
		low = maxBehind + 1
		for _, sub := range n.subs {
			l, h := sub.width()
			low, high = min(low, l), max(high, h)
		}
	case opRepeat:
		l, h := n.subs[0].width()
		low, high = l*min(n.min, maxBehind+1), h*n.max
		if n.max < 0 && h > 0 {
			high = maxBehind + 1
		}
		high = max(high, 0)
	default:
		for _, sub := range n.subs {
			l, h := sub.width()
			low, high = low+l, high+h
		}
	}
	return min(low, maxBehind+1), min(high, maxBehind+1)
}

// set is a set of characters.
type set struct {
	ascii  [utf8.RuneSelf]bool
	ranges []rune // the first character of each range, and the one behind its last
}

func newSet(ranges []rune) *set {
	s := &set{ranges: slices.Clone(ranges)}
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1] && r < utf8.RuneSelf; r++ {
			s.ascii[r] = true
		}
	}
	for i := 1; i < len(s.ranges); i += 2 {
		s.ranges[i]++
	}
	return s
}

func (s *set) holds(r rune) bool {
	if r < utf8.RuneSelf {
		return s.ascii[r]
	}
	i, found := slices.BinarySearch(s.ranges, r)
	if found { // neighbours meet where one range ends and the next begins
		return i%2 == 0 || i+1 < len(s.ranges) && s.ranges[i+1] == r
	}
	return i%2 == 1
}

// takes returns the width of the character at a place if it is of the set, else 0. Bytes
// that are not UTF-8 are of none.
func (s *set) takes(text []byte, pos int) int {
	if pos >= len(text) {
		return 0
	}
	if b := text[pos]; b < utf8.RuneSelf {
		if s.ascii[b] {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeRune(text[pos:])
	if n == 1 || !s.holds(r) {
		return 0
	}
	return n
}

// same reports whether two characters are alike, but for case with fold.
func same(a, b rune, fold bool) bool {
	if a == b || !fold {
		return a == b
	}
	for r := unicode.SimpleFold(a); r != a; r = unicode.SimpleFold(r) {
		if r == b {
			return true
		}
	}
	return false
}

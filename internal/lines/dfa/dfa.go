// Package dfa finds the lines of a text that a regular expression matches, with
// a deterministic automaton that is built while it runs.
package dfa

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// DFA tells which lines of a text have a match of a regular expression: a
// deterministic automaton over the program of regexp/syntax that builds its
// states when it first meets them. It reads every byte once, a table look-up
// for an ASCII byte, and its memory is bounded. See Russ Cox, "Regular
// Expression Matching: the Virtual Machine Approach" and "Regular Expression
// Matching in the Wild", https://swtch.com/~rsc/regexp/regexp3.html.
//
// Matches never span lines: no character class takes '\n' and the start and
// end of the text count as those of the line. A byte that is not valid UTF-8
// is matched by nothing. A dfa serves one goroutine.
type DFA struct {
	prog   *Program
	states []state
	ascii  []int32          // 128 a state: the next one by ASCII character, 0 not known yet
	wide   []int32          // prog.classes a state: the same by class
	index  map[string]int32 // state by its key
	size   int              // about the memory of the states, in bytes
	skip   [3]*[256]uint8   // of the resting states: 0 for the bytes that leave it at rest
	start  int32            // at the start of a line
	set    sparseSet        // scratch
	stack  []uint32         // scratch
	next   []uint32         // scratch
	key    []byte           // scratch

	pause func() bool
	work  int  // since it paused
	ended bool // pause has said so: nothing is found any more
}

// The first three states have no instructions: they are at rest, which is where
// most bytes of most texts leave the automaton.

// state is a set of instructions to go on from, before what lies between
// the last character and the next (a line's end, a word's) is known.
type state struct {
	insts []uint32 // sorted
	last  rune     // '\n' at the start of a line, 'a' after a word character, ' ' after another
}

// The first states.
const (
	unknown  int32 = iota
	accepted       // a match ended before the last character read
	firstState
	firstBusy = firstState + 3
)

// maxBytes bounds the memory of the states kept.
const maxBytes = 8 << 20

// New returns an automaton for a program. It serves one goroutine. Where states
// are many it calls pause, if that is not nil, every millisecond or so: when it
// returns false, nothing more is found.
func New(prog *Program, pause func() bool) *DFA {
	d := &DFA{prog: prog, set: newSparseSet(len(prog.insts)), pause: pause}
	d.clear()
	return d
}

// pauseWork is how many instructions are followed between two pauses.
const pauseWork = 100_000

// spend counts the work of a step, whose instructions are in set.
func (d *DFA) spend() {
	if d.work += 1 + len(d.set.dense); d.work >= pauseWork && d.pause != nil {
		d.work, d.ended = 0, d.ended || !d.pause()
	}
}

func (d *DFA) clear() {
	d.index = make(map[string]int32)
	d.size = 0
	d.states = make([]state, firstState, 64)
	d.ascii = make([]int32, firstState*utf8.RuneSelf, 64*utf8.RuneSelf)
	d.wide = make([]int32, int(firstState)*d.prog.classes, 64*d.prog.classes)
	d.start = d.state(nil, '\n')
	d.state(nil, ' ')
	d.state(nil, 'a')
}

// rests makes the tables to skip bytes with that change nothing. They are worth
// their cost for texts of some length.
func (d *DFA) rests() {
	for i := range d.skip {
		var skip [256]uint8
		for c := range skip {
			if s := firstState + int32(i); c >= utf8.RuneSelf || d.step(s, d.prog.ascii[c]) != s {
				skip[c] = 1
			}
		}
		d.skip[i] = &skip
	}
}

const longText = 2000

// Find returns the offset of a place in, or at the end of, the first line with
// a match, or -1. pos is the start of a line.
func (d *DFA) Find(text []byte, pos int) int {
	if d.skip[0] == nil && len(text) > longText {
		d.rests()
	}
	s, i := d.start, pos
	for i < len(text) {
		if d.ended {
			return -1
		}
		s, i = d.run(s, text, i)
		if i == len(text) {
			break
		}
		n, width := d.slow(s, text[i:])
		if n == accepted {
			return i
		}
		s, i = n, i+width
	}
	if len(text) > pos && text[len(text)-1] != '\n' && d.step(s, newline) == accepted {
		return len(text)
	}
	return -1
}

// run goes on through ASCII characters as long as it knows the states that follow.
func (d *DFA) run(s int32, text []byte, i int) (int32, int) {
	table := d.ascii
	for ; i < len(text); i++ {
		if s < firstBusy && d.skip[s-firstState] != nil {
			if i = pass(text, i, d.skip[s-firstState]); i == len(text) {
				break
			}
		}
		c := text[i]
		if c >= utf8.RuneSelf {
			break
		}
		n := table[int(s)*utf8.RuneSelf+int(c)]
		if n < firstState {
			break
		}
		s = n
	}
	return s, i
}

// pass returns the offset of the first byte from i on that is not to skip.
func pass(text []byte, i int, skip *[256]uint8) int {
	for ; i+8 <= len(text); i += 8 {
		b := text[i : i+8 : i+8]
		if skip[b[0]]|skip[b[1]]|skip[b[2]]|skip[b[3]]|skip[b[4]]|skip[b[5]]|skip[b[6]]|skip[b[7]] != 0 {
			break
		}
	}
	for i < len(text) && skip[text[i]] == 0 {
		i++
	}
	return i
}

// slow returns the state after the first character of text, which run did not
// pass, and the width of that character.
func (d *DFA) slow(s int32, text []byte) (next int32, width int) {
	c, width := d.prog.classOf(text)
	if n := d.wide[int(s)*d.prog.classes+int(c)]; n != unknown {
		return n, width
	}
	return d.step(s, c), width
}

// step computes the state after a character of a class.
func (d *DFA) step(s int32, c class) int32 {
	from := &d.states[s]
	d.close(from.insts, between(from.last, d.prog.between[c]))
	d.spend()
	n := accepted
	if !d.matched() {
		d.take(c)
		if d.size >= maxBytes {
			d.clear()
			return d.state(d.next, d.prog.kinds[c]) // s is gone: nothing to remember
		}
		n = d.state(d.next, d.prog.kinds[c])
	}
	d.wide[int(s)*d.prog.classes+int(c)] = n
	for _, a := range d.prog.plain[c] {
		d.ascii[int(s)*utf8.RuneSelf+int(a)] = n
	}
	return n
}

// take makes next the instructions that follow those of set which take a
// character of a class.
func (d *DFA) take(c class) {
	d.next = d.next[:0]
	for _, pc := range d.set.dense {
		if t := d.prog.takers[pc]; t >= 0 && d.prog.takes[t][c] {
			d.next = append(d.next, d.prog.insts[pc].Out)
		}
	}
	slices.Sort(d.next)
	d.next = slices.Compact(d.next)
}

// close fills set with what can be reached from the instructions, and from the
// start of the program, without reading a character.
func (d *DFA) close(insts []uint32, flags syntax.EmptyOp) {
	d.set.clear()
	d.stack = append(d.stack[:0], insts...)
	d.stack = append(d.stack, d.prog.entry)
	for len(d.stack) > 0 {
		pc := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if !d.set.add(pc) {
			continue
		}
		switch i := &d.prog.insts[pc]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			d.stack = append(d.stack, i.Arg, i.Out)
		case syntax.InstCapture, syntax.InstNop:
			d.stack = append(d.stack, i.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^flags == 0 {
				d.stack = append(d.stack, i.Out)
			}
		}
	}
}

func (d *DFA) matched() bool {
	for _, pc := range d.set.dense {
		if d.prog.insts[pc].Op == syntax.InstMatch {
			return true
		}
	}
	return false
}

// state returns the state of a set of instructions after a character of the kind last.
func (d *DFA) state(insts []uint32, last rune) int32 {
	d.key = d.key[:0]
	for _, pc := range insts {
		d.key = binary.LittleEndian.AppendUint32(d.key, pc)
	}
	d.key = append(d.key, byte(last))
	if n, ok := d.index[string(d.key)]; ok {
		return n
	}
	n := int32(len(d.states))
	d.ascii = append(d.ascii, make([]int32, utf8.RuneSelf)...)
	d.wide = append(d.wide, make([]int32, d.prog.classes)...)
	d.states = append(d.states, state{insts: slices.Clone(insts), last: last})
	d.index[string(d.key)] = n
	d.size += stateBytes + 4*d.prog.classes + 8*len(insts)
	return n
}

// stateBytes is the memory of a state without instructions.
const stateBytes = 640

// between returns the conditions that hold between characters of the kinds last and r.
func between(last, r rune) syntax.EmptyOp {
	var flags syntax.EmptyOp
	if last == '\n' {
		flags |= syntax.EmptyBeginLine | syntax.EmptyBeginText
	}
	if r == '\n' {
		flags |= syntax.EmptyEndLine | syntax.EmptyEndText
	}
	if (last == 'a') != (r == 'a') {
		return flags | syntax.EmptyWordBoundary
	}
	return flags | syntax.EmptyNoWordBoundary
}

// sparseSet is a set of small integers that is cleared in constant time.
type sparseSet struct {
	dense  []uint32
	sparse []uint32
}

func newSparseSet(n int) sparseSet {
	return sparseSet{make([]uint32, 0, n), make([]uint32, n)}
}

func (s *sparseSet) clear() { s.dense = s.dense[:0] }

// add reports whether v was not in the set.
func (s *sparseSet) add(v uint32) bool {
	if i := s.sparse[v]; i < uint32(len(s.dense)) && s.dense[i] == v {
		return false
	}
	s.sparse[v] = uint32(len(s.dense))
	s.dense = append(s.dense, v)
	return true
}

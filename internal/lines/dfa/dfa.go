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
	prog   *syntax.Prog
	states []state
	ascii  []int32          // 128 a state: the next one by ASCII character, 0 not known yet
	index  map[string]int32 // state by its key
	skip   [3]*[256]uint8   // of the resting states: 0 for the bytes that leave it at rest
	start  int32            // at the start of a line
	words  bool             // the program tells characters of words from others
	lines  bool             // it tells starts of lines from other places
	set    sparseSet        // scratch
	stack  []uint32         // scratch
	next   []uint32         // scratch
}

// The first three states have no instructions: they are at rest, which is where
// most bytes of most texts leave the automaton.

// state is a set of instructions to go on from, before what lies between
// the last character and the next (a line's end, a word's) is known.
type state struct {
	wide  map[rune]int32 // the next state by characters beyond ASCII
	insts []uint32       // sorted
	last  rune           // '\n' at the start of a line, 'a' after a word character, ' ' after another
}

// The first states.
const (
	unknown  int32 = iota
	accepted       // a match ended before the last character read
	firstState
	firstBusy = firstState + 3
)

// maxStates bounds the states kept, each of about 600 bytes.
const maxStates = 4000

// bad stands for a byte that is not part of valid UTF-8.
const bad rune = -1

// New returns an automaton for a program. It serves one goroutine.
func New(prog *syntax.Prog) *DFA {
	d := &DFA{prog: prog, set: newSparseSet(len(prog.Inst))}
	for i := range prog.Inst {
		if at := &prog.Inst[i]; at.Op == syntax.InstEmptyWidth {
			d.lines = d.lines || syntax.EmptyOp(at.Arg)&(syntax.EmptyBeginLine|syntax.EmptyBeginText) != 0
			d.words = d.words || syntax.EmptyOp(at.Arg)&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0
		}
	}
	d.clear()
	return d
}

func (d *DFA) clear() {
	d.index = make(map[string]int32)
	d.states = make([]state, firstState, 64)
	d.ascii = make([]int32, firstState*utf8.RuneSelf, 64*utf8.RuneSelf)
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
			if s := firstState + int32(i); c >= utf8.RuneSelf || d.step(s, rune(c)) != s {
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
	if len(text) > pos && text[len(text)-1] != '\n' && d.step(s, '\n') == accepted {
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
	if c := text[0]; c < utf8.RuneSelf {
		if n := d.ascii[int(s)*utf8.RuneSelf+int(c)]; n != unknown {
			return n, 1
		}
		return d.step(s, rune(c)), 1
	}
	r, width := utf8.DecodeRune(text)
	if width == 1 {
		r = bad
	}
	return d.stepWide(s, r), width
}

func (d *DFA) stepWide(s int32, r rune) int32 {
	if n, ok := d.states[s].wide[r]; ok {
		return n
	}
	return d.step(s, r)
}

// step computes the state after r.
func (d *DFA) step(s int32, r rune) int32 {
	from := &d.states[s]
	last := from.last
	d.close(from.insts, between(last, r))
	n := accepted
	if d.next = d.next[:0]; !d.matched() {
		if r != bad && r != '\n' {
			for _, pc := range d.set.dense {
				if i := &d.prog.Inst[pc]; takes(i, r) {
					d.next = append(d.next, i.Out)
				}
			}
		}
		slices.Sort(d.next)
		d.next = slices.Compact(d.next)
		if len(d.states) >= maxStates {
			d.clear()
			return d.state(d.next, d.kindOf(r)) // s is gone: nothing to remember
		}
		n = d.state(d.next, d.kindOf(r))
	}
	d.remember(s, r, n)
	return n
}

func (d *DFA) remember(s int32, r rune, n int32) {
	if 0 <= r && r < utf8.RuneSelf {
		d.ascii[int(s)*utf8.RuneSelf+int(r)] = n
		return
	}
	from := &d.states[s]
	if from.wide == nil || len(from.wide) > 512 {
		from.wide = make(map[rune]int32)
	}
	from.wide[r] = n
}

// close fills set with what can be reached from the instructions, and from the
// start of the program, without reading a character.
func (d *DFA) close(insts []uint32, flags syntax.EmptyOp) {
	d.set.clear()
	d.stack = append(d.stack[:0], insts...)
	d.stack = append(d.stack, uint32(d.prog.Start))
	for len(d.stack) > 0 {
		pc := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if !d.set.add(pc) {
			continue
		}
		switch i := &d.prog.Inst[pc]; i.Op {
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
		if d.prog.Inst[pc].Op == syntax.InstMatch {
			return true
		}
	}
	return false
}

// state returns the state of a set of instructions after a character of the kind last.
func (d *DFA) state(insts []uint32, last rune) int32 {
	key := make([]byte, 0, 4*len(insts)+1)
	for _, pc := range insts {
		key = binary.LittleEndian.AppendUint32(key, pc)
	}
	key = append(key, byte(last))
	if n, ok := d.index[string(key)]; ok {
		return n
	}
	n := int32(len(d.states))
	d.ascii = append(d.ascii, make([]int32, utf8.RuneSelf)...)
	d.states = append(d.states, state{insts: slices.Clone(insts), last: last})
	d.index[string(key)] = n
	return n
}

func takes(i *syntax.Inst, r rune) bool {
	switch i.Op {
	case syntax.InstRune, syntax.InstRune1:
		return i.MatchRune(r)
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

// kindOf reduces a character to what the place after it depends on in this program.
func (d *DFA) kindOf(r rune) rune {
	switch {
	case r == '\n' || !d.lines && !d.words:
		return '\n'
	case d.words && syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

// between returns the conditions that hold between a character of kind last and r.
func between(last, r rune) syntax.EmptyOp {
	var flags syntax.EmptyOp
	if last == '\n' {
		flags |= syntax.EmptyBeginLine | syntax.EmptyBeginText
	}
	if r == '\n' {
		flags |= syntax.EmptyEndLine | syntax.EmptyEndText
	}
	if (last == 'a') != syntax.IsWordChar(r) {
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

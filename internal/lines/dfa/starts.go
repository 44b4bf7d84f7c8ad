package dfa

import (
	"regexp/syntax"
	"slices"
)

// Reverse returns the expression that matches backwards what re matches. It
// must have no text edges but those of lines.
func Reverse(re *syntax.Regexp) *syntax.Regexp {
	out := *re
	out.Sub0[0] = nil
	out.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		out.Sub[i] = Reverse(sub)
	}
	switch re.Op {
	case syntax.OpBeginLine:
		out.Op = syntax.OpEndLine
	case syntax.OpEndLine:
		out.Op = syntax.OpBeginLine
	case syntax.OpConcat:
		slices.Reverse(out.Sub)
	case syntax.OpLiteral:
		out.Rune = slices.Clone(re.Rune)
		slices.Reverse(out.Rune)
	}
	return &out
}

// Starts finds where matches start in one line: it reads the line backwards with
// the automaton of the reversed program. It serves one goroutine.
type Starts struct {
	dfa *DFA
	at  []int // the places, the last one first
}

// NewStarts returns a finder of starts for the program of a reversed expression.
// It pauses as New's automaton does.
func NewStarts(reversed *Program, pause func() bool) *Starts {
	return &Starts{dfa: New(reversed, pause)}
}

// Find looks for the places in a line that a match starts at. They are good
// until the next call.
func (s *Starts) Find(line []byte) {
	d := s.dfa
	s.at = s.at[:0]
	state := d.start
	for end := len(line); end > 0; {
		if d.ended {
			s.at = s.at[:0]
			return
		}
		c, width := d.prog.classBefore(line[:end])
		next, matched := d.past(state, c)
		if matched {
			s.at = append(s.at, end)
		}
		state, end = next, end-width
	}
	if _, matched := d.past(state, newline); matched {
		s.at = append(s.at, 0)
	}
}

// Next returns the first place found at or after pos, -1 where there is none.
func (s *Starts) Next(pos int) int {
	n, ok := slices.BinarySearchFunc(s.at, pos, func(at, pos int) int { return pos - at })
	switch {
	case ok:
		return s.at[n]
	case n == 0:
		return -1
	}
	return s.at[n-1]
}

// past is the state after a character of a class, and whether a match ended
// before it. Unlike step it goes on behind a match.
func (d *DFA) past(s int32, c class) (next int32, matched bool) {
	if n := d.wide[int(s)*d.prog.classes+int(c)]; n != unknown {
		return n &^ afterMatch, n&afterMatch != 0
	}
	from := &d.states[s]
	d.close(from.insts, between(from.last, d.prog.between[c]))
	d.spend()
	matched = d.matched()
	d.take(c)
	if d.size >= maxBytes {
		d.clear()
		return d.state(d.next, d.prog.kinds[c]), matched
	}
	n := d.state(d.next, d.prog.kinds[c])
	known := n
	if matched {
		known |= afterMatch
	}
	d.wide[int(s)*d.prog.classes+int(c)] = known
	return n, matched
}

// afterMatch marks a state that past has found to follow a match.
const afterMatch int32 = 1 << 30

package tree

import (
	"bytes"
	"cmp"
	"slices"

	"espy/internal/facts"
	"espy/internal/pattern"
)

// A fault that a grammar cannot get over may cost all that stands around it: the
// class whose member it is, and all the others in that class. sound reads such a text
// again without the lines that are at fault, which are found by taking in more and
// more of it. What belongs together is told by indentation.
type sound struct {
	grammar string
	text    []byte // as the grammar reads it
	parse   Parser
	room    int // bytes that may still be parsed
	faults  []span
}

const (
	maxSound    = 1 << 19 // bytes of a text that is read again
	soundRounds = 24      // how often all of its bytes may be parsed
)

// soundFacts returns the facts of a text without the lines at fault, nil where that
// takes too much work or too little is left.
func soundFacts(l language, t *Tree, text []byte, parse Parser) *facts.File {
	tooDeep := func(n Node) bool { return n.Flags&cut != 0 }
	if len(text) > maxSound || slices.ContainsFunc(t.Nodes, tooDeep) {
		return nil
	}
	s := &sound{grammar: t.Grammar.Name, parse: parse, room: soundRounds * len(text)}
	s.text = cover(Prepare(t.Grammar.Name, text), directivesOf(text), ' ')
	s.halves(nil, piecesOf(linesOf(s.text)))
	if s.room < 0 {
		return nil
	}
	again, err := parse(s.grammar, cover(s.text, s.faults, ' '))
	if err != nil {
		return nil
	}
	w := read(again, l, text, parse)
	for _, at := range s.faults {
		w.leftOut(at)
	}
	return w.facts()
}

// richer returns which of two readings of a text knows more declarations, and more
// of them within others: the first one where both know as many.
func richer(a, b *facts.File) *facts.File {
	if b == nil || declarations(b) <= declarations(a) {
		return a
	}
	return b
}

func declarations(f *facts.File) (n int) {
	for _, y := range f.Symbols {
		if y.Flags&facts.Local != 0 {
			continue
		}
		if n++; y.Parent != facts.None {
			n++
		}
	}
	return n
}

// textLine is a line of code.
type textLine struct {
	span
	indent int
	goes   bool // on with the line before it
	leads  bool // to the line behind it: a comment, an annotation
}

// csDirective is a line that says what the compiler of C# reads.
var csDirective = sought{pattern.New(`(?m)^[ \t]*(#(?:if|elif|else|endif|region|endregion|pragma|nullable)\b[^\n]*)`), []string{"#"}, 0, 0}

// directivesOf returns such lines, which may stand between parts of a statement.
func directivesOf(text []byte) []span { return csDirective.groups(text) }

// linesOf returns the lines of a text that are not blank.
func linesOf(text []byte) (lines []textLine) {
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		if code := bytes.TrimLeft(text[at:end], " \t\r\n"); len(code) > 0 {
			lines = append(lines, textLine{
				span: span{uint32(at), uint32(end)}, indent: end - at - len(code),
				goes: goesOn(code), leads: startsAny(code, "//", "/*", "@", "["),
			})
		}
		at = end
	}
	return lines
}

// goesOn reports whether a line goes on with what the line before it began.
func goesOn(code []byte) bool {
	return startsAny(code, "}", ")", "]", "{", ".", "?", ":", "*", "&&", "||", "=", "else", "catch", "finally")
}

func startsAny(code []byte, starts ...string) bool {
	for _, start := range starts {
		if bytes.HasPrefix(code, []byte(start)) {
			return true
		}
	}
	return false
}

// piecesOf cuts lines where one stands no deeper than the first.
func piecesOf(lines []textLine) (pieces [][]textLine) {
	for len(lines) > 0 {
		end := headOf(lines)
		for end < len(lines) && (lines[end].indent > lines[0].indent || lines[end].goes) {
			end++
		}
		pieces = append(pieces, lines[:end])
		lines = lines[end:]
	}
	return pieces
}

// headOf counts the lines of a piece up to the first one behind comments and
// annotations.
func headOf(lines []textLine) int {
	n := 0
	for n < len(lines)-1 && (lines[n].leads || n > 0 && lines[n].goes) {
		n++
	}
	return n + 1
}

// halves takes pieces in that stand between the lines round them, those at fault left
// out.
func (s *sound) halves(round []textLine, pieces [][]textLine) {
	switch {
	case len(pieces) == 0 || s.reads(round, pieces):
	case len(pieces) > 1:
		s.halves(round, pieces[:len(pieces)/2])
		s.halves(round, pieces[len(pieces)/2:])
	default:
		s.within(round, pieces[0])
	}
}

// within takes in what stands deeper in a piece that has a fault: its head and the
// lines that end what it began go round that.
func (s *sound) within(round, piece []textLine) {
	head := headOf(piece)
	own, inner := around(piece, head)
	if open := s.opens(piece[head:]); open > 0 && !s.reads(round, [][]textLine{own}) {
		own, inner = around(piece, head+open)
	}
	if len(inner) == 0 || !s.reads(round, [][]textLine{own}) {
		s.faults = append(s.faults, span{piece[0].start, piece[len(piece)-1].end})
		return
	}
	s.halves(append(round[:len(round):len(round)], own...), inner)
}

// around returns the first lines of a piece, with the others that stand no deeper, and
// the pieces between them.
func around(piece []textLine, head int) (own []textLine, inner [][]textLine) {
	own = slices.Clone(piece[:head])
	for rest := piece[head:]; len(rest) > 0; {
		deep := slices.IndexFunc(rest, func(l textLine) bool { return l.indent <= piece[0].indent })
		if deep < 0 {
			deep = len(rest)
		}
		inner = append(inner, piecesOf(rest[:deep])...)
		if rest = rest[deep:]; len(rest) > 0 {
			own = append(own, rest[0])
			rest = rest[1:]
		}
	}
	return own, inner
}

// opens counts lines up to the first one that ends in a brace, which a head may go on
// to.
func (s *sound) opens(lines []textLine) int {
	return 1 + slices.IndexFunc(lines, func(l textLine) bool {
		return bytes.HasSuffix(bytes.TrimSpace(s.text[l.start:l.end]), []byte("{"))
	})
}

// reads reports whether the grammar reads lines without a fault, in the order in which
// they stand.
func (s *sound) reads(round []textLine, pieces [][]textLine) bool {
	lines := slices.Concat(append(pieces[:len(pieces):len(pieces)], round)...)
	slices.SortFunc(lines, func(a, b textLine) int { return cmp.Compare(a.start, b.start) })
	var text []byte
	for _, line := range lines {
		text = append(text, s.text[line.start:line.end]...)
	}
	if s.room -= len(text); s.room < 0 {
		return true
	}
	t, err := s.parse(s.grammar, text)
	if err != nil {
		s.room = -1
		return true
	}
	return !slices.ContainsFunc(t.Nodes, func(n Node) bool { return n.Flags != 0 })
}

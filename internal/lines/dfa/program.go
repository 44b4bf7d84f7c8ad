package dfa

import (
	"regexp/syntax"
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"
)

// Program is a compiled expression and the classes of characters that it tells
// apart: all characters of a class lead from a state to the same next one, so
// that a step is computed once for all of them. It is read only.
type Program struct {
	insts []syntax.Inst
	entry uint32 // the instruction it starts with

	starts  []rune  // the first character of each range of characters, sorted
	ranges  []class // of each range
	classes int     // how many there are
	ascii   [utf8.RuneSelf]class
	plain   [][]byte // the ASCII characters of each class
	kinds   []rune   // of each class, see kindOf
	between []rune   // a character of each class, '\n' for its own, ' ' or 'a' by whether it is of a word

	takers []int32 // by instruction: which of takes; -1 takes nothing
	takes  [][]bool

	words bool // the program tells characters of words from others
	word  Words
	lines bool // it tells starts of lines from other places
}

// class is a number of a class of characters. The first is the line end, the
// second a byte that is not part of valid UTF-8.
type class uint16

const (
	newline class = iota
	bad
)

// Words tells the characters of words. The zero value is those of ASCII.
type Words struct {
	Is    func(rune) bool
	Edges []rune // where Is changes, sorted
}

// Compile finds the classes of a program, whose words are of ASCII characters.
func Compile(prog *syntax.Prog) *Program { return CompileWords(prog, Words{}) }

// CompileWords is Compile with other words.
func CompileWords(prog *syntax.Prog, w Words) *Program {
	if w.Is == nil {
		w = Words{syntax.IsWordChar, []rune{'0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}}
	}
	p := &Program{insts: prog.Inst, entry: uint32(prog.Start), word: w}
	for i := range p.insts {
		if at := &p.insts[i]; at.Op == syntax.InstEmptyWidth {
			p.lines = p.lines || syntax.EmptyOp(at.Arg)&(syntax.EmptyBeginLine|syntax.EmptyBeginText) != 0
			p.words = p.words || syntax.EmptyOp(at.Arg)&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0
		}
	}
	p.classify(p.distinct())
	return p
}

// distinct returns one instruction of each that take the same characters.
func (p *Program) distinct() (sets []*syntax.Inst) {
	type set struct {
		op    syntax.InstOp
		first *rune
		n     int
		fold  bool
	}
	seen := map[set]int32{}
	p.takers = make([]int32, len(p.insts))
	for i := range p.insts {
		p.takers[i] = -1
		at := &p.insts[i]
		key := set{op: at.Op}
		switch at.Op {
		case syntax.InstRune, syntax.InstRune1:
			if len(at.Rune) == 0 {
				continue
			}
			key.first, key.n, key.fold = &at.Rune[0], len(at.Rune), syntax.Flags(at.Arg)&syntax.FoldCase != 0
		case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		default:
			continue
		}
		n, ok := seen[key]
		if !ok {
			n = int32(len(sets))
			seen[key] = n
			sets = append(sets, at)
		}
		p.takers[i] = n
	}
	return sets
}

// classify cuts the characters into ranges at the ends of the sets, and puts
// the ranges that are in the same sets into one class.
func (p *Program) classify(sets []*syntax.Inst) {
	p.starts = p.edges(sets)
	p.takes = make([][]bool, len(sets))
	p.add(sets, '\n', '\n')
	p.add(nil, utf8.RuneError, ' ')
	known := map[string]class{}
	signature := make([]byte, 0, len(sets)+1)
	for _, r := range p.starts {
		if r == '\n' {
			p.ranges = append(p.ranges, newline)
			continue
		}
		signature = signature[:0]
		for _, s := range sets {
			signature = append(signature, bit(takes(s, r)))
		}
		signature = append(signature, bit(p.words && p.word.Is(r)))
		c, ok := known[string(signature)]
		if !ok {
			c = p.add(sets, r, p.kindOf(r))
			known[string(signature)] = c
		}
		p.ranges = append(p.ranges, c)
	}
	p.plain = make([][]byte, p.classes)
	for c := range p.ascii {
		p.ascii[c] = p.search(rune(c))
		p.plain[p.ascii[c]] = append(p.plain[p.ascii[c]], byte(c))
	}
}

// add adds a class by one of its characters. No set takes the line end.
func (p *Program) add(sets []*syntax.Inst, r, kind rune) class {
	for i := range p.takes {
		p.takes[i] = append(p.takes[i], i < len(sets) && r != '\n' && takes(sets[i], r))
	}
	p.between = append(p.between, kind)
	if kind == '\n' || !p.lines && !p.words {
		kind = '\n'
	} else if !p.words {
		kind = ' '
	}
	p.kinds = append(p.kinds, kind)
	p.classes++
	return class(p.classes - 1)
}

func (p *Program) kindOf(r rune) rune {
	if p.word.Is(r) {
		return 'a'
	}
	return ' '
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// edges returns where a range of characters starts that some set may tell from
// the one before it.
func (p *Program) edges(sets []*syntax.Inst) []rune {
	starts := []rune{0, '\n', '\n' + 1}
	if p.words {
		starts = append(starts, p.word.Edges...)
	}
	for _, s := range sets {
		if len(s.Rune) == 1 { // with those that fold to it
			for r := unicode.SimpleFold(s.Rune[0]); ; r = unicode.SimpleFold(r) {
				starts = append(starts, r, r+1)
				if r == s.Rune[0] {
					break
				}
			}
			continue
		}
		for i := 0; i+1 < len(s.Rune); i += 2 {
			starts = append(starts, s.Rune[i], s.Rune[i+1]+1)
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// takes reports whether an instruction takes a character.
func takes(i *syntax.Inst, r rune) bool {
	switch i.Op {
	case syntax.InstRune, syntax.InstRune1:
		return i.MatchRune(r)
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

// classOf returns the class of the character of a text, and its width.
func (p *Program) classOf(text []byte) (c class, width int) {
	if c := text[0]; c < utf8.RuneSelf {
		return p.ascii[c], 1
	}
	r, width := utf8.DecodeRune(text)
	if width == 1 {
		return bad, 1
	}
	return p.search(r), width
}

// classBefore is classOf for the last character of a text.
func (p *Program) classBefore(text []byte) (c class, width int) {
	if c := text[len(text)-1]; c < utf8.RuneSelf {
		return p.ascii[c], 1
	}
	r, width := utf8.DecodeLastRune(text)
	if width == 1 {
		return bad, 1
	}
	return p.search(r), width
}

func (p *Program) search(r rune) class {
	return p.ranges[sort.Search(len(p.starts), func(i int) bool { return p.starts[i] > r })-1]
}

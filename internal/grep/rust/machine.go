package rust

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// machine finds matches: by trying one alternative after the other where that is
// cheap, each place of the text at most once for each instruction, else by all
// alternatives side by side. See Russ Cox, "Regular Expression Matching: the
// Virtual Machine Approach", https://swtch.com/~rsc/regexp/regexp2.html. Both take
// time of the product of text and program. It serves one goroutine.
type machine struct {
	re   *Regexp
	stop func() bool // asked now and then: no match is found after it said so
	work int

	text []byte
	caps []int

	visited []uint64
	jobs    []job

	now, next threads
	stack     []entry
}

// job is an instruction to go on from, or with a slot a capture to put back.
type job struct {
	pc        uint32
	pos       int
	slot, old int // slot -1 for none
}

// triedBits bounds what is remembered of the places that were tried.
const triedBits = 256 << 10

// stopWork is how many steps are made before stop is asked again.
const stopWork = 100_000

// find returns the first match at or after a place: of each group the start and
// the end, -1 where it has none. It is valid until the next call.
func (m *machine) find(text []byte, at int) []int {
	m.text = text
	if n := 2 * (m.re.prog.NumCap/2 + 1); len(m.caps) < n {
		m.caps = make([]int, n)
	}
	if len(m.re.prog.Inst)*(len(text)-at+1) <= triedBits {
		return m.backtrack(at)
	}
	return m.together(at)
}

func (m *machine) over(n int) bool {
	if m.work += n; m.work < stopWork || m.stop == nil {
		return false
	}
	m.work = 0
	return m.stop()
}

// skip returns the next place at which a match may begin, len(text) or beyond
// where there is none.
func (m *machine) skip(at int) int {
	if m.re.starts == nil {
		return at
	}
	for at < len(m.text) && !m.re.starts[m.text[at]] {
		at++
	}
	return at
}

func (m *machine) backtrack(at int) []int {
	n := (len(m.re.prog.Inst)*(len(m.text)-at+1) + 63) / 64
	if cap(m.visited) < n {
		m.visited = make([]uint64, n)
	}
	m.visited = m.visited[:n]
	clear(m.visited)
	base := at
	for at = m.skip(at); at <= len(m.text); at = m.skip(at + 1) {
		if m.re.starts != nil && at == len(m.text) {
			return nil
		}
		if m.from(at, base) {
			m.caps[0] = at
			return m.caps
		}
		if m.over(1) {
			return nil
		}
	}
	return nil
}

// from reports whether a match begins at a place.
func (m *machine) from(at, base int) bool {
	for i := range m.caps {
		m.caps[i] = -1
	}
	width := len(m.text) - base + 1
	m.jobs = append(m.jobs[:0], job{uint32(m.re.prog.Start), at, -1, 0})
	for len(m.jobs) > 0 {
		j := m.jobs[len(m.jobs)-1]
		m.jobs = m.jobs[:len(m.jobs)-1]
		if j.slot >= 0 {
			m.caps[j.slot] = j.old
			continue
		}
		if m.follow(j.pc, j.pos, base, width) {
			return true
		}
	}
	return false
}

// follow goes on from an instruction until it matches or fails.
func (m *machine) follow(pc uint32, pos, base, width int) bool {
	for {
		bit := int(pc)*width + pos - base
		if m.visited[bit/64]&(1<<(bit%64)) != 0 {
			return false
		}
		m.visited[bit/64] |= 1 << (bit % 64)
		m.work++
		switch i := &m.re.prog.Inst[pc]; i.Op {
		case syntax.InstMatch:
			m.caps[1] = pos
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			m.jobs = append(m.jobs, job{i.Arg, pos, -1, 0})
			pc = i.Out
		case syntax.InstCapture:
			m.jobs = append(m.jobs, job{slot: int(i.Arg), old: m.caps[i.Arg]})
			m.caps[i.Arg] = pos
			pc = i.Out
		case syntax.InstNop:
			pc = i.Out
		case syntax.InstEmptyWidth:
			if !m.holds(syntax.EmptyOp(i.Arg), pos) {
				return false
			}
			pc = i.Out
		default:
			n := m.takes(i, pos)
			if n == 0 {
				return false
			}
			pos += n
			pc = i.Out
		}
	}
}

// takes returns the width of the character at a place if an instruction takes it,
// else 0.
func (m *machine) takes(i *syntax.Inst, pos int) int {
	if pos >= len(m.text) || i.Op == syntax.InstFail {
		return 0
	}
	r, n := rune(m.text[pos]), 1
	if r >= utf8.RuneSelf {
		if r, n = utf8.DecodeRune(m.text[pos:]); n == 1 {
			return 0
		}
	}
	switch i.Op {
	case syntax.InstRune, syntax.InstRune1:
		if !i.MatchRune(r) {
			return 0
		}
	case syntax.InstRuneAnyNotNL:
		if r == '\n' {
			return 0
		}
	}
	return n
}

// holds reports whether conditions on a place are met.
func (m *machine) holds(op syntax.EmptyOp, pos int) bool {
	if op&syntax.EmptyBeginLine != 0 && pos > 0 && m.text[pos-1] != '\n' ||
		op&syntax.EmptyEndLine != 0 && pos < len(m.text) && m.text[pos] != '\n' ||
		op&syntax.EmptyBeginText != 0 && pos > 0 || op&syntax.EmptyEndText != 0 && pos < len(m.text) {
		return false
	}
	if op&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) == 0 {
		return true
	}
	between := m.wordBefore(pos) != m.wordAt(pos)
	return (op&syntax.EmptyWordBoundary == 0 || between) && (op&syntax.EmptyNoWordBoundary == 0 || !between)
}

func (m *machine) wordBefore(pos int) bool {
	r, n := utf8.DecodeLastRune(m.text[:pos])
	return m.word(r, n)
}

func (m *machine) wordAt(pos int) bool {
	r, n := utf8.DecodeRune(m.text[pos:])
	return m.word(r, n)
}

func (m *machine) word(r rune, n int) bool {
	switch {
	case n == 0 || r == utf8.RuneError && n == 1:
		return false
	case m.re.ascii:
		return syntax.IsWordChar(r)
	}
	return isWord(r)
}

// threads are alternatives that are followed side by side, the best first.
type threads struct {
	sparse []uint32
	dense  []thread
}

type thread struct {
	pc   uint32
	caps []int // nil for an instruction that only leads to others
}

// entry is a place on the stack of add.
type entry struct {
	pc        uint32
	slot, old int
}

func (t *threads) has(pc uint32) bool {
	i := t.sparse[pc]
	return i < uint32(len(t.dense)) && t.dense[i].pc == pc
}

// together finds a match by all alternatives side by side, character by character.
func (m *machine) together(at int) (found []int) {
	if n := len(m.re.prog.Inst); len(m.now.sparse) < n {
		m.now.sparse, m.next.sparse = make([]uint32, n), make([]uint32, n)
	}
	m.now.dense = m.now.dense[:0]
	scratch := make([]int, len(m.caps))
	for pos := at; ; {
		if len(m.now.dense) == 0 {
			if found != nil {
				return found
			}
			if pos = m.skip(pos); m.re.starts != nil && pos >= len(m.text) {
				return nil
			}
		}
		if found == nil {
			for i := range scratch {
				scratch[i] = -1
			}
			scratch[0] = pos
			m.add(&m.now, uint32(m.re.prog.Start), pos, scratch)
		}
		found = m.step(pos, found)
		if pos >= len(m.text) {
			return found
		}
		if m.over(1 + len(m.now.dense)) {
			return nil
		}
		_, n := utf8.DecodeRune(m.text[pos:])
		pos += n
	}
}

// step lets the threads take the character at a place. The first one that has
// matched ends those behind it.
func (m *machine) step(pos int, found []int) []int {
	m.next.dense = m.next.dense[:0]
	for _, t := range m.now.dense {
		if t.caps == nil {
			continue
		}
		i := &m.re.prog.Inst[t.pc]
		if i.Op == syntax.InstMatch {
			found = t.caps
			found[1] = pos
			break
		}
		if n := m.takes(i, pos); n > 0 {
			m.add(&m.next, i.Out, pos+n, t.caps)
		}
	}
	m.now, m.next = m.next, m.now
	return found
}

// add adds the threads that an instruction leads to without taking a character,
// the best first.
func (m *machine) add(to *threads, pc uint32, pos int, caps []int) {
	m.stack = append(m.stack[:0], entry{pc, -1, 0})
	for len(m.stack) > 0 {
		e := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if e.slot >= 0 {
			caps[e.slot] = e.old
			continue
		}
		if to.has(e.pc) {
			continue
		}
		to.sparse[e.pc] = uint32(len(to.dense))
		to.dense = append(to.dense, thread{pc: e.pc})
		switch i := &m.re.prog.Inst[e.pc]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			m.stack = append(m.stack, entry{i.Arg, -1, 0}, entry{i.Out, -1, 0})
		case syntax.InstNop:
			m.stack = append(m.stack, entry{i.Out, -1, 0})
		case syntax.InstCapture:
			m.stack = append(m.stack, entry{0, int(i.Arg), caps[i.Arg]}, entry{i.Out, -1, 0})
			caps[i.Arg] = pos
		case syntax.InstEmptyWidth:
			if m.holds(syntax.EmptyOp(i.Arg), pos) {
				m.stack = append(m.stack, entry{i.Out, -1, 0})
			}
		default:
			to.dense[len(to.dense)-1].caps = slices.Clone(caps)
		}
	}
}

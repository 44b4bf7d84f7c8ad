package pcre

import "unicode/utf8"

// Matcher looks for an expression in one text after the other. It serves one goroutine.
//
// What is still to be tried is kept on a stack of its own, so that a text of any length is
// matched in bounded memory.
type Matcher struct {
	prog  *Program
	stop  func() bool
	text  []byte
	slots []int // of groups: where they begin and end, -1 for none; then those of loops
	stack []frame
	ends  int // where the look-behind at hand must end

	work    int  // steps in the text at hand
	unasked int  // steps since stop was asked
	stopped bool // stop said so
	limit   bool // a text took more work, or more memory, than one may
}

// Bounds of the work on one text, as those of PCRE2.
const (
	maxWork   = 10_000_000 // steps
	maxFrames = 1 << 20
	stopWork  = 1 << 16 // steps before stop is asked again
)

// frame is what is tried next, or what is put back.
type frame struct {
	kind    frameKind
	pc, pos int
	low     int // of a run: where it may shrink to, or how many characters it may grow by
	slot    int
	old     int
}

type frameKind int8

const (
	tryAt   frameKind = iota // go on at pc and pos
	putBack                  // slot has old
	shrink                   // a run gives one character back
	grow                     // a run takes one more
)

// NewMatcher returns a Matcher. It asks stop now and then, if that is not nil, and finds no
// more after it said so.
func (p *Program) NewMatcher(stop func() bool) *Matcher {
	return &Matcher{prog: p, stop: stop, slots: make([]int, p.slots)}
}

// Find returns the first match at or after a place: the start and the end of the match and
// of each group, -1 for one without. It is valid until the next call.
func (m *Matcher) Find(text []byte, at int) []int {
	m.text, m.work = text, 0
	if m.stopped {
		return nil
	}
	for ; at <= len(text); at++ {
		if at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
			continue
		}
		if first := m.prog.starts; first != nil && (at == len(text) || !first[text[at]]) {
			continue
		}
		for i := range m.slots {
			m.slots[i] = -1
		}
		m.stack, m.slots[0] = m.stack[:0], at
		if end, ok := m.run(0, at); ok {
			m.slots[1] = end
			return m.slots[:m.prog.groups]
		}
		if m.over() {
			return nil
		}
	}
	return nil
}

// Exhausted reports whether a text took more work, or more memory, than one may, since it
// was asked last.
func (m *Matcher) Exhausted() bool {
	limit := m.limit
	m.limit = false
	return limit
}

// over reports whether no more is tried.
func (m *Matcher) over() bool { return m.work >= maxWork }

// run goes on from an instruction to the end of what it belongs to. Where that matches,
// what could be tried else is still on the stack.
func (m *Matcher) run(pc, pos int) (end int, ok bool) {
	base := len(m.stack)
	for {
		m.work++
		if m.unasked++; m.unasked >= stopWork { // a line may take fewer steps, and there are many
			m.unasked, m.stopped = 0, m.stop != nil && m.stop()
		}
		if m.stopped || m.work >= maxWork || len(m.stack) >= maxFrames {
			m.limit = m.limit || !m.stopped && (m.stop == nil || !m.stop())
			m.work = maxWork
			m.undo(base)
			return 0, false
		}
		i := &m.prog.insts[pc]
		if i.code == codeMatch {
			return pos, true
		}
		if pc, pos, ok = m.step(i, pc, pos); ok {
			continue
		}
		if pc, pos, ok = m.back(base); !ok {
			return 0, false
		}
	}
}

// step does an instruction and returns what comes next; ok false where it fails.
func (m *Matcher) step(i *inst, pc, pos int) (int, int, bool) {
	switch i.code {
	case codeSet:
		n := i.set.takes(m.text, pos)
		return i.out, pos + n, n > 0
	case codeRun:
		return m.repeat(i, pc, pos)
	case codeSplit:
		m.stack = append(m.stack, frame{kind: tryAt, pc: i.arg, pos: pos})
	case codeSave:
		m.save(i.arg, pos)
	case codeGroup:
		m.save(2*i.arg, m.slots[i.slot])
		m.save(2*i.arg+1, pos)
	case codeTest:
		if m.slots[i.slot] == pos {
			return i.arg, pos, true
		}
	case codeAtomic:
		base := len(m.stack)
		end, ok := m.run(i.arg, pos)
		m.forget(base)
		return i.out, end, ok
	case codeLook:
		return i.out, pos, m.look(i, pos)
	case codeRef:
		end, ok := m.refer(i, pos)
		return i.out, end, ok
	case codeAssert:
		return i.out, pos, m.holds(i.op, pos)
	}
	return i.out, pos, true
}

// save notes a place in a slot, and what is put back.
func (m *Matcher) save(slot, pos int) {
	m.stack = append(m.stack, frame{kind: putBack, slot: slot, old: m.slots[slot]})
	m.slots[slot] = pos
}

// back returns what is tried next, ok false where nothing is left.
func (m *Matcher) back(base int) (pc, pos int, ok bool) {
	for len(m.stack) > base {
		last := len(m.stack) - 1
		f := &m.stack[last]
		switch f.kind {
		case putBack:
			m.slots[f.slot] = f.old
			m.stack = m.stack[:last]
		case tryAt:
			pc, pos = f.pc, f.pos
			m.stack = m.stack[:last]
			return pc, pos, true
		case shrink:
			if f.pos == f.low {
				m.stack = m.stack[:last]
				continue
			}
			_, n := utf8.DecodeLastRune(m.text[:f.pos])
			f.pos -= n
			return m.prog.insts[f.pc].out, f.pos, true
		case grow:
			i := &m.prog.insts[f.pc]
			n := i.set.takes(m.text, f.pos)
			if n == 0 || f.low == 0 {
				m.stack = m.stack[:last]
				continue
			}
			f.pos += n
			f.low--
			return i.out, f.pos, true
		}
	}
	return 0, 0, false
}

// undo puts back what was changed since the stack had a size.
func (m *Matcher) undo(base int) {
	for len(m.stack) > base {
		last := len(m.stack) - 1
		if f := &m.stack[last]; f.kind == putBack {
			m.slots[f.slot] = f.old
		}
		m.stack = m.stack[:last]
	}
}

// forget drops what could be tried since the stack had a size, but not what is put back.
func (m *Matcher) forget(base int) {
	kept := m.stack[:base]
	for _, f := range m.stack[base:] {
		if f.kind == putBack {
			kept = append(kept, f)
		}
	}
	m.stack = kept
}

// repeat takes characters of a set.
func (m *Matcher) repeat(i *inst, pc, pos int) (int, int, bool) {
	taken := 0
	for ; taken < i.min; taken++ {
		n := i.set.takes(m.text, pos)
		if n == 0 {
			return 0, 0, false
		}
		pos += n
	}
	if i.lazy {
		m.stack = append(m.stack, frame{kind: grow, pc: pc, pos: pos, low: i.max - i.min})
		return i.out, pos, true
	}
	low := pos
	for ; i.max < 0 || taken < i.max; taken++ {
		n := i.set.takes(m.text, pos)
		if n == 0 {
			break
		}
		pos += n
	}
	if pos > low {
		m.work += (pos - low) / 8
		m.stack = append(m.stack, frame{kind: shrink, pc: pc, pos: pos, low: low})
	}
	return i.out, pos, true
}

// look reports whether a look-around holds.
func (m *Matcher) look(i *inst, pos int) bool {
	base := len(m.stack)
	ok := false
	if i.behind == nil {
		_, ok = m.run(i.arg, pos)
	} else {
		ok = m.before(i, pos)
	}
	if i.not {
		m.undo(base)
		return !ok && m.work < maxWork
	}
	m.forget(base)
	return ok
}

// before reports whether an alternative of a look-behind ends at a place.
func (m *Matcher) before(i *inst, pos int) bool {
	ends := m.ends
	defer func() { m.ends = ends }()
	m.ends = pos
	for _, w := range i.behind {
		at, n := pos, 0
		for ; n < w.max; n++ { // the longest first, as PCRE2 has it
			_, width := utf8.DecodeLastRune(m.text[:at])
			if width == 0 || width == 1 && m.text[at-1] >= utf8.RuneSelf {
				break
			}
			at -= width
		}
		for ; n >= w.min; n-- {
			if _, ok := m.run(w.start, at); ok {
				return true
			}
			if at == pos {
				break
			}
			_, width := utf8.DecodeRune(m.text[at:])
			at += width
		}
	}
	return false
}

// refer takes what a group has.
func (m *Matcher) refer(i *inst, pos int) (end int, ok bool) {
	from, to := m.slots[2*i.arg], m.slots[2*i.arg+1]
	if from < 0 || to < 0 {
		return 0, false
	}
	for from < to {
		a, n := utf8.DecodeRune(m.text[from:to])
		b, width := utf8.DecodeRune(m.text[pos:])
		if width == 0 || !same(a, b, i.fold) {
			return 0, false
		}
		from, pos = from+n, pos+width
		m.work++
	}
	return pos, true
}

// holds reports whether a condition on a place is met.
func (m *Matcher) holds(op op, pos int) bool {
	n := len(m.text)
	switch op {
	case opBegin: // not behind a line end that is the last
		return pos == 0 || m.text[pos-1] == '\n' && pos < n
	case opEnd:
		return pos == n || m.text[pos] == '\n'
	case opBeginText:
		return pos == 0
	case opEndText:
		return pos == n
	case opEndLast:
		return pos == n || pos == n-1 && m.text[pos] == '\n'
	case opBehindEnd:
		return pos == m.ends
	}
	before := false
	if r, n := utf8.DecodeLastRune(m.text[:pos]); n > 1 || n == 1 && r < utf8.RuneSelf {
		before = m.prog.word.holds(r)
	}
	edge := before != (m.prog.word.takes(m.text, pos) > 0)
	return edge == (op == opWordEdge)
}

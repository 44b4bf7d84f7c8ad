package rust

import (
	"bytes"

	"espy/internal/grep/pcre"
	"espy/internal/lines/dfa"
	"espy/internal/lines/needle"
)

// Finder looks for an expression in one text after the other. It serves one
// goroutine.
type Finder struct {
	re      *Regexp
	dfa     *dfa.DFA
	perl    *pcre.Matcher // where re.perl is set
	machine machine
	literal needle.Needle // where re.literal is set
	next    []int         // of each needed text where it occurs next; -1 unknown
	need    []needle.Needle
}

// NewFinder returns a Finder. Where a text costs much it asks stop now and then,
// if that is not nil, and finds no more after it said so.
func (r *Regexp) NewFinder(stop func() bool) *Finder {
	f := &Finder{re: r, machine: machine{re: r, stop: stop}}
	if r.lines != nil {
		f.dfa = dfa.New(r.lines, func() bool { return stop == nil || !stop() })
	}
	if r.perl != nil {
		f.perl = r.perl.NewMatcher(stop)
	}
	if !r.fold {
		for _, s := range r.need {
			f.need = append(f.need, needle.New([]byte(s)))
		}
	}
	if r.literal != nil {
		f.literal = needle.New(r.literal)
	}
	f.next = make([]int, len(f.need))
	return f
}

// Reset says that another text comes.
func (f *Finder) Reset() {
	for i := range f.next {
		f.next[i] = -1
	}
}

// Line returns a place in the first line that matches and starts at or after pos,
// which is the start of a line; -1 where there is none. It is for expressions that
// do not span lines.
func (f *Finder) Line(text []byte, pos int) int {
	for {
		at := f.line(text, pos)
		if f.perl == nil || at < 0 {
			return at
		}
		from, to := pos+bytes.LastIndexByte(text[pos:at], '\n')+1, len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			to = at + i
		}
		if f.perl.Find(text[from:to], 0) != nil {
			return from
		}
		if pos = to + 1; pos >= len(text) {
			return -1
		}
	}
}

// line is Line by what is known without the rules of PCRE2.
func (f *Finder) line(text []byte, pos int) int {
	if f.re.literal != nil {
		i := f.literal.Index(text[pos:])
		if i < 0 {
			return -1
		}
		return pos + i
	}
	if len(f.need) == 0 {
		return f.dfa.Find(text, pos)
	}
	for pos < len(text) {
		at := f.candidate(text, pos)
		if at == len(text) {
			break
		}
		from := pos + bytes.LastIndexByte(text[pos:at], '\n') + 1
		to := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			to = at + i
		}
		if f.dfa.Find(text[from:to], 0) >= 0 {
			return from
		}
		pos = to + 1
	}
	return -1
}

// candidate returns the first place at or after pos where a needed text occurs.
func (f *Finder) candidate(text []byte, pos int) int {
	first := len(text)
	for i := range f.need {
		if f.next[i] < pos {
			if n := f.need[i].Index(text[pos:]); n >= 0 {
				f.next[i] = pos + n
			} else {
				f.next[i] = len(text)
			}
		}
		first = min(first, f.next[i])
	}
	return first
}

// Matches reports whether a line has a match.
func (f *Finder) Matches(line []byte) bool {
	if f.dfa == nil || len(line) == 0 { // the automaton looks at lines that have something
		return f.Find(line, 0) != nil
	}
	return f.dfa.Find(line, 0) >= 0 && (f.perl == nil || f.perl.Find(line, 0) != nil)
}

// Exhausted reports whether a text took more work than one may, so that matches were
// missed. It is asked once: then it is forgotten.
func (f *Finder) Exhausted() bool { return f.perl != nil && f.perl.Exhausted() }

// Find returns the first match at or after a place: the start and the end of the
// match and of each group, -1 for one without. It is valid until the next call.
func (f *Finder) Find(text []byte, at int) []int {
	if f.perl != nil {
		return f.perl.Find(text, at)
	}
	if f.re.literal != nil {
		i := f.literal.Index(text[at:])
		if i < 0 {
			return nil
		}
		f.machine.caps = append(f.machine.caps[:0], at+i, at+i+len(f.re.literal))
		return f.machine.caps
	}
	found := f.machine.find(text, at)
	if found == nil {
		return nil
	}
	return found[2*f.re.first:]
}

// All calls yield with each match that begins at or after a place, in order and
// apart from each other, until it returns false. An empty match right behind
// another does not count.
func (f *Finder) All(text []byte, at int, yield func(match []int) bool) {
	for before := -1; at <= len(text); {
		m := f.Find(text, at)
		if m == nil {
			return
		}
		if m[0] != m[1] {
			at = m[1]
		} else {
			at = m[1] + 1
			if m[1] == before {
				continue
			}
		}
		before = m[1]
		if !yield(m) {
			return
		}
	}
}

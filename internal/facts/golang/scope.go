package golang

import "espy/internal/facts"

// meaning is the meaning of a name inside a function.
type meaning struct {
	symbol int32 // None where the function does not declare it
	as     int32 // the expression of its value where a type switch narrows it, else None
	at     int   // where in the log it was declared
}

// scope knows the meaning of every name at the current place. Leaving a block
// undoes its declarations, so that a look-up costs one in a map at any depth.
type scope struct {
	names map[string]meaning
	log   []undo
}

type undo struct {
	name string
	was  meaning
	had  bool
}

// mark begins a block; leave ends it.
func (s *scope) mark() int { return len(s.log) }

func (s *scope) leave(mark int) {
	for i := len(s.log) - 1; i >= mark; i-- {
		if u := &s.log[i]; u.had {
			s.names[u.name] = u.was
		} else {
			delete(s.names, u.name)
		}
	}
	s.log = s.log[:mark]
}

// forget empties the scope at the end of a file: a bug in the walk may have left
// names in it.
func (s *scope) forget() {
	s.leave(0)
	if cap(s.log) > manyNames {
		s.log = nil
	}
	clear(s.log[:cap(s.log)])
}

func (s *scope) declare(name string, m meaning) {
	if name == "_" || name == "" {
		return
	}
	was, had := s.names[name]
	s.log = append(s.log, undo{name, was, had})
	m.at = len(s.log) - 1
	s.names[name] = m
}

// declaredSince reports whether the block that began at mark declared a name.
func (s *scope) declaredSince(mark int, name string) bool {
	m, ok := s.names[name]
	return ok && m.at >= mark
}

func (s *scope) find(name string) (meaning, bool) {
	m, ok := s.names[name]
	return m, ok
}

func bound(symbol int32) meaning { return meaning{symbol: symbol, as: facts.None} }

// manyNames is the number of names from which on clearing a map costs more than
// making one.
const manyNames = 1 << 9

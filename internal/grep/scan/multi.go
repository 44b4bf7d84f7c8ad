package scan

// block is lines with matches that are told together.
type block struct{ start, end int }

// matches tells of matches that may span lines.
func (s *search) matches() {
	var last *block
	ok := true
	for ok && s.pos < len(s.text) {
		if s.o.Invert {
			ok = s.between()
		} else {
			last, ok = s.block(last)
		}
	}
	if ok && last != nil {
		ok = s.sinkBlock(*last)
	}
	switch {
	case !ok:
	case s.o.Passthru:
		ok = s.rest(len(s.text))
	default:
		ok = s.behind(len(s.text))
	}
	s.stopped = !ok
}

// locate returns the lines that a match touches.
func (s *search) locate(from, to int) block {
	b := block{s.start(from), len(s.text)}
	if to > b.start && s.text[to-1] == '\n' {
		b.end = to
		return b
	}
	b.end = s.end(to)
	return b
}

// block takes the next match. It returns the lines that wait for another match that
// touches them.
func (s *search) block(last *block) (*block, bool) {
	m := s.f.Find(s.text, s.pos)
	if m == nil {
		s.pos = len(s.text)
		return last, true
	}
	from, to := m[0], m[1]
	s.advance(from, to)
	next := s.locate(from, to)
	switch {
	case last == nil:
		return &next, true
	case last.end >= next.start:
		last.end = next.end
		return last, true
	}
	return &next, s.sinkBlock(*last)
}

// advance goes behind a match, by one byte where it is empty.
func (s *search) advance(from, to int) {
	s.pos = to
	if from == to {
		s.pos++
	}
}

// sinkBlock tells of the lines of a block, and of those before it.
func (s *search) sinkBlock(b block) bool {
	if s.o.Passthru {
		if !s.rest(b.start) {
			return false
		}
	} else if !s.context(b.start) {
		return false
	}
	return b.start < b.end && s.match(b.start, b.end)
}

// between tells of the lines before the next match.
func (s *search) between() bool {
	from, to := s.pos, len(s.text)
	if m := s.f.Find(s.text, s.pos); m != nil {
		b := s.locate(m[0], m[1])
		to = b.start
		s.advance(b.start, b.end)
	} else {
		s.pos = len(s.text)
	}
	return to <= from || s.others(from, to)
}

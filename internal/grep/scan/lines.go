package scan

import "bytes"

// end returns the end of the line at a place, with its line end.
func (s *search) end(at int) int {
	if i := bytes.IndexByte(s.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s.text)
}

// start returns the start of the line at a place.
func (s *search) start(at int) int { return bytes.LastIndexByte(s.text[:at], '\n') + 1 }

// byLine tells of lines that match by themselves.
func (s *search) byLine() {
	switch {
	case s.o.Passthru || s.o.StopOnGap:
		s.stopped = !s.each()
	case s.o.Invert:
		s.stopped = !s.inverted()
	default:
		s.stopped = !s.matching()
	}
}

// matching goes from one line that matches to the next.
func (s *search) matching() bool {
	for s.pos < len(s.text) {
		start, end := s.next()
		if start < 0 {
			break
		}
		if !s.context(start) {
			return false
		}
		s.pos = end
		if !s.match(start, end) {
			return false
		}
	}
	ok := s.behind(len(s.text))
	s.pos = len(s.text)
	return ok
}

// next returns the next line that matches, start -1 for none.
func (s *search) next() (start, end int) {
	at := s.f.Line(s.text, s.pos)
	if at < 0 {
		return -1, 0
	}
	start = s.pos + bytes.LastIndexByte(s.text[s.pos:at], '\n') + 1
	return start, s.end(at)
}

// inverted tells of the lines between those that match.
func (s *search) inverted() bool {
	for s.pos < len(s.text) {
		from := s.pos
		start, end := s.next()
		if start < 0 {
			start, end = len(s.text), len(s.text)
		}
		s.pos = end
		if start > from && !s.others(from, start) {
			return false
		}
	}
	return s.behind(len(s.text))
}

// others tells of lines that do not match, as matches.
func (s *search) others(from, to int) bool {
	if !s.context(from) {
		return false
	}
	for from < to {
		end := s.end(from)
		if !s.match(from, end) {
			return false
		}
		from = end
	}
	return true
}

// each looks at one line after the other.
func (s *search) each() bool {
	for s.pos < len(s.text) {
		start, end := s.pos, s.end(s.pos)
		s.pos = end
		ok := true
		switch {
		case s.f.Matches(bytes.TrimSuffix(s.text[start:end], newline)) != s.o.Invert:
			ok = s.ahead(start) && s.match(start, end)
		case s.left > 0:
			s.left--
			ok = s.around(start, end, true)
		case s.o.Passthru:
			ok = s.around(start, end, false)
		case s.o.StopOnGap && s.sunk:
			return true
		}
		if !ok {
			return false
		}
	}
	return true
}

var newline = []byte("\n")

// context tells of the lines between the last match and the next, at a place.
func (s *search) context(upTo int) bool { return s.behind(upTo) && s.ahead(upTo) }

// behind tells of the context behind the last match.
func (s *search) behind(upTo int) bool {
	for at := s.visited; s.left > 0 && at < upTo; {
		end := s.end(at)
		s.left--
		if !s.around(at, end, true) {
			return false
		}
		at = end
	}
	return true
}

// ahead tells of the context before a match.
func (s *search) ahead(upTo int) bool {
	if s.o.Before == 0 || s.visited >= upTo {
		return true
	}
	at := upTo
	for range s.o.Before {
		if at <= s.visited {
			break
		}
		at = s.start(at - 1)
	}
	for at = max(at, s.visited); at < upTo; {
		end := s.end(at)
		s.gap(at)
		if !s.around(at, end, false) {
			return false
		}
		at = end
	}
	return true
}

// rest tells of all lines up to a place, as context.
func (s *search) rest(upTo int) bool {
	for at := s.visited; at < upTo; {
		end := s.end(at)
		if !s.around(at, end, false) {
			return false
		}
		at = end
	}
	return true
}

func (s *search) gap(start int) {
	if (s.o.Before > 0 || s.o.After > 0) && s.sunk && s.visited < start {
		s.sink.Gap()
	}
}

// match tells of lines that match.
func (s *search) match(start, end int) bool {
	if !s.clean(start, end) {
		return false
	}
	s.gap(start)
	if !s.sink.Matched(s.at(start, end)) {
		return false
	}
	s.visited, s.left, s.sunk = end, s.o.After, true
	return true
}

// around tells of a line of context.
func (s *search) around(start, end int, after bool) bool {
	if !s.clean(start, end) {
		return false
	}
	l := s.at(start, end)
	l.After = after
	if !s.sink.Context(l) {
		return false
	}
	s.visited, s.sunk = end, true
	return true
}

// clean reports whether lines may be told: where binary data ends the search, they
// have none.
func (s *search) clean(start, end int) bool {
	switch {
	case s.o.Binary == Text:
	case s.o.Mapped || s.nul < 0 && s.from > len(s.text):
		return !s.seeNul(start, end) || s.o.Binary != Quit
	case start >= s.from:
		s.tell()
	}
	return true
}

// at is the lines of a part of the text.
func (s *search) at(start, end int) *Lines {
	if s.counted < start {
		s.number += bytes.Count(s.text[s.counted:start], newline)
		s.counted = start
	}
	s.lines = Lines{Text: s.text, Start: start, End: end, Number: s.number}
	return &s.lines
}

package outline

import (
	"bytes"

	"espy/internal/code"
)

// directive handles a line that starts with #: macros are definitions, and
// what stands in #if 0 is a comment.
func directive(s *scanner, i int) int {
	if i != s.first {
		return i + 1
	}
	c := cursor{s.text, i + 1, s.lookEnd(i)}
	c.skip()
	word := c.word()
	c.skip()
	switch string(word) {
	case "ifndef":
		name := c.word()
		s.guard = [2]int{c.i - len(name), c.i}
		s.enterBranch(i)
	case "define":
		name := c.word()
		if guard := s.text[s.guard[0]:s.guard[1]]; len(name) > 0 && !(c.i == c.end && bytes.Equal(guard, name)) {
			at := len(s.lines) - 1
			s.defineAt(code.KindMacro, c.i-len(name), c.i, at, at)
			s.lines[at].flags &^= startLine // macros come in runs
		}
		s.guard = [2]int{}
	case "if":
		if string(bytes.TrimRight(c.rest(), " \t\r")) == "0" {
			s.enterBranch(i)
			return s.passDisabled(i)
		}
		s.enterBranch(i)
	case "ifdef":
		s.enterBranch(i)
	case "else", "elif":
		s.nextBranch(i)
	case "endif":
		s.leaveBranch()
	}
	return skipDirective(s, i)
}

// skipDirective passes over a line that starts with #.
func skipDirective(s *scanner, i int) int {
	if i != s.first {
		return i + 1
	}
	end := s.lineEnd(i)
	for end > i && s.text[end-1] == '\\' && end < len(s.text) {
		s.addLine(end+1, insideLine)
		end = s.lineEnd(end + 1)
	}
	if s.wordStart(s.statement, i) >= i {
		s.statement = end
	}
	return end
}

// maxBranches bounds nested conditions; deeper ones are read as one text.
const maxBranches = 32

// enterBranch keeps the scopes before a condition.
func (s *scanner) enterBranch(i int) {
	b := branch{at: i, kept: len(s.kept), paren: s.paren, deeper: s.deeper}
	if len(s.branches) < maxBranches {
		s.kept = append(s.kept, s.scopes...)
	}
	s.branches = append(s.branches, b)
}

// nextBranch goes back to the scopes before the condition: only one of its
// parts counts, and both may open or close the same brace.
func (s *scanner) nextBranch(i int) {
	n := len(s.branches)
	if n == 0 || n > maxBranches {
		return
	}
	b := s.branches[n-1]
	s.scopes = append(s.scopes[:0], s.kept[b.kept:]...)
	s.paren, s.deeper = b.paren, b.deeper
	if s.statement > b.at {
		s.statement = i
	}
}

func (s *scanner) leaveBranch() {
	if n := len(s.branches); n > 0 {
		s.kept = s.kept[:s.branches[n-1].kept]
		s.branches = s.branches[:n-1]
	}
}

// passDisabled passes over the code between #if 0 at i and its #else or #endif.
func (s *scanner) passDisabled(i int) int {
	depth := 0
	for p := s.lineEnd(i); p < len(s.text) && s.unclosed < maxUnclosed; p = s.lineEnd(p + 1) {
		c := cursor{s.text, p + 1, len(s.text)}
		if c.skip(); !c.take('#') {
			continue
		}
		c.skip()
		switch string(c.word()) {
		case "if", "ifdef", "ifndef":
			depth++
			continue
		case "endif":
			if depth--; depth >= 0 {
				continue
			}
		case "else", "elif":
			if depth > 0 {
				continue
			}
		default:
			continue
		}
		n := s.pass(i, p, insideLine)
		s.statement = p
		return n
	}
	s.unclosed++
	return s.lineEnd(i)
}

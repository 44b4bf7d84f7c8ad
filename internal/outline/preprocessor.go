package outline

import (
	"bytes"

	"espy/internal/code"
)

// conditions are the preprocessor conditions open at a place, such as #if.
type conditions struct {
	open  []branch
	kept  []scope // of the branches
	guard [2]int  // the name of the last #ifndef, which may guard the file: start and end
}

// branch is where a condition started. Each of its parts goes on from there.
type branch struct {
	at     int // place in the text
	kept   int // where its scopes start in conditions.kept
	paren  int32
	deeper int
}

// emptied returns no conditions, with the memory of these.
func (c conditions) emptied() conditions {
	return conditions{open: c.open[:0], kept: c.kept[:0]}
}

// directive handles a line that starts with #. Macros are definitions, and the
// text of #if 0 is a comment.
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
		s.conditions.guard = [2]int{c.i - len(name), c.i}
		s.enterBranch(i)
	case "define":
		name := c.word()
		if guard := s.text[s.conditions.guard[0]:s.conditions.guard[1]]; len(name) > 0 && !(c.i == c.end && bytes.Equal(guard, name)) {
			at := len(s.lines) - 1
			s.defineAt(code.KindMacro, c.i-len(name), c.i, at, at)
			s.lines[at].flags &^= startLine // macros come in runs
		}
		s.conditions.guard = [2]int{}
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

// skipDirective skips a line that starts with #.
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

// maxBranches bounds nested conditions. The branches of deeper ones are read as one text.
const maxBranches = 32

// enterBranch keeps the scopes before a condition.
func (s *scanner) enterBranch(i int) {
	b := branch{at: i, kept: len(s.conditions.kept), paren: s.paren, deeper: s.deeper}
	if len(s.conditions.open) < maxBranches {
		s.conditions.kept = append(s.conditions.kept, s.scopes...)
	}
	s.conditions.open = append(s.conditions.open, b)
}

// nextBranch restores the scopes before the condition: each branch may open or
// close the same brace.
func (s *scanner) nextBranch(i int) {
	n := len(s.conditions.open)
	if n == 0 || n > maxBranches {
		return
	}
	b := s.conditions.open[n-1]
	s.scopes = append(s.scopes[:0], s.conditions.kept[b.kept:]...)
	s.paren, s.deeper = b.paren, b.deeper
	if s.statement > b.at {
		s.statement = i
	}
}

func (s *scanner) leaveBranch() {
	if n := len(s.conditions.open); n > 0 {
		s.conditions.kept = s.conditions.kept[:s.conditions.open[n-1].kept]
		s.conditions.open = s.conditions.open[:n-1]
	}
}

// passDisabled skips the code between #if 0 at i and its #else or #endif.
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

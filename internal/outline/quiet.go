package outline

import "espy/internal/lang"

// Span is a stretch of text, [Start, End) in bytes, that is a comment or holds
// its blanks for good, as literals do.
type Span struct {
	Start, End int
	Comment    bool
}

// Quiet returns the comments and literals of a text, in order and apart. It is
// as much of a heuristic as the outline. A language without an outline has none.
//
// Quiet may be called from several goroutines at once.
func Quiet(l *lang.Language, text []byte) []Span {
	y := syntaxOf(l)
	if len(text) == 0 || y.whole != nil {
		return nil
	}
	s := scanners.Get().(*scanner)
	s.reset(text, y)
	s.quiet = []Span{}
	s.run()
	spans := s.quiet
	s.text, s.quiet = nil, nil
	if cap(s.lines) <= 1<<18 {
		scanners.Put(s)
	}
	return spans
}

// note keeps what the action at i passed over up to end.
func (s *scanner) note(i, end int) {
	if end > i+1 && s.text[i] != '\n' {
		s.quiet = append(s.quiet, Span{i, end, s.comment})
	}
	s.comment = false
}

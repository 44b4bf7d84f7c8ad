// Package scan goes through a text line by line and tells a Sink of the lines that
// match, of those round them, and of binary data, in the order in which ripgrep's
// printers learn of them.
//
// A line ends with its line end, where it has one. Lines that follow each other and
// hold one match, or several that touch, are told as one where matches may span lines.
package scan

import (
	"bytes"

	"espy/internal/grep/rust"
)

// Binary says what a NUL byte means.
type Binary int

// What a NUL byte means.
const (
	Quit    Binary = iota // the text is not searched on, as one that was found
	Convert               // it ends a line; a match behind it ends the search, as one that was named
	Text                  // nothing
)

// Options say which lines are told.
type Options struct {
	Invert        bool // the lines without a match
	Passthru      bool // all lines, those without a match as context
	Before, After int  // lines round each
	Binary        Binary
	Mapped        bool // the text is looked through as one piece, as ripgrep does with mapped files
	StopOnGap     bool // end at the first line without a match behind one with
}

// Lines is what a sink is told of: text[Start:End].
type Lines struct {
	Text       []byte
	Start, End int
	After      bool // context behind a match

	counter *counter
}

// Number is the number of the first line. Lines are asked in the order in which they are told.
func (l *Lines) Number() int { return l.counter.at(l.Text, l.Start) }

// counter counts lines, up to the last that was asked about.
type counter struct {
	number int // of the line at place
	place  int // byte
}

func (c *counter) at(text []byte, start int) int {
	if c.place < start {
		c.number += bytes.Count(text[c.place:start], newline)
		c.place = start
	}
	return c.number
}

// Bytes are the lines themselves.
func (l *Lines) Bytes() []byte { return l.Text[l.Start:l.End] }

// Sink is told of lines. Where a method returns false, the search ends.
type Sink interface {
	Begin() bool
	Matched(*Lines) bool
	Context(*Lines) bool
	Gap()             // lines are left out between those told
	Binary(at int)    // a NUL byte was seen
	Finish(e *Ending) // called in any case
}

// Ending is how a search ended.
type Ending struct {
	Searched int // bytes
	Binary   int // where the first NUL byte was seen, -1 where none was
}

// pieceBytes is how much text ripgrep looks at at once, where it reads a file piece
// by piece.
const pieceBytes = 64 << 10

// search is a text that is gone through.
type search struct {
	o    *Options
	f    *rust.Finder
	sink Sink
	text []byte

	pos     int // what is to be searched begins here
	counter counter
	visited int // the end of the lines told
	left    int // lines of context to tell behind a match
	sunk    bool
	stopped bool // by the sink

	nul   int // the first NUL byte, -1 for none
	from  int // where a piece with it begins: lines from there on are told after it
	told  bool
	sure  bool // the text has none, or none that counts
	lines Lines
}

// Run searches a text for the matches of an expression. spans says that they may
// span lines. The text may be changed where NUL bytes are converted.
func Run(text []byte, f *rust.Finder, spans bool, o *Options, sink Sink) {
	s := &search{o: o, f: f, sink: sink, text: text, counter: counter{number: 1}, nul: -1, from: len(text) + 1, sure: o.Binary == Text}
	f.Reset()
	if !sink.Begin() {
		sink.Finish(&Ending{Binary: -1})
		return
	}
	whole := o.Mapped || spans
	switch {
	case whole:
		s.wholeText(spans)
	default:
		s.inPieces()
	}
	e := Ending{Searched: len(s.text), Binary: -1}
	if whole {
		e.Searched = s.pos
	}
	if s.stopped && !whole {
		e.Searched = s.pieceOf(max(s.pos-1, 0))
	}
	if s.told {
		e.Binary = s.nul
		if whole {
			e.Searched = min(e.Searched, s.nul)
		}
	}
	sink.Finish(&e)
}

// wholeText searches a text that is looked through as one piece: NUL bytes are
// looked for at its beginning and in the lines that are told.
func (s *search) wholeText(spans bool) {
	if s.o.Binary != Text && s.seeNul(0, min(len(s.text), pieceBytes)) && s.o.Binary == Quit {
		return
	}
	if spans {
		s.matches()
	} else {
		s.byLine()
	}
}

// seeNul looks for the first NUL byte in a part of the text.
func (s *search) seeNul(start, end int) bool {
	if s.told {
		return true
	}
	i := bytes.IndexByte(s.text[start:end], 0)
	if i < 0 {
		return false
	}
	s.nul = start + i
	s.tell()
	return true
}

func (s *search) tell() {
	if !s.told {
		s.told = true
		s.sink.Binary(s.nul)
	}
}

// inPieces searches a text as if it were read piece by piece.
func (s *search) inPieces() {
	if s.o.Binary != Text {
		s.nul = bytes.IndexByte(s.text, 0)
		s.sure = s.nul < 0
		if !s.sure {
			s.from = s.pieceOf(s.nul)
			if s.o.Binary == Quit {
				s.text = s.text[:s.from]
			} else {
				convert(s.text[s.nul:])
			}
		}
	}
	s.byLine()
	if s.nul >= 0 && !s.stopped {
		s.tell()
	}
}

// convert puts line ends in the place of NUL bytes.
func convert(text []byte) {
	for {
		i := bytes.IndexByte(text, 0)
		if i < 0 {
			return
		}
		text[i] = '\n'
		text = text[i+1:]
	}
}

// pieceOf returns where the piece begins in which a byte is read. A first piece
// has the three bytes that tell an encoding, where a line ends in them.
func (s *search) pieceOf(at int) int {
	begin, end, room := 0, 0, pieceBytes
	for {
		for line := false; !line; {
			if end-begin == room {
				room *= 2
			}
			n := min(room-(end-begin), len(s.text)-end)
			if end == 0 {
				n = min(n, 3)
			}
			if n == 0 || at < end+n {
				return begin
			}
			line = bytes.IndexByte(s.text[end:end+n], '\n') >= 0
			end += n
		}
		begin += bytes.LastIndexByte(s.text[begin:end], '\n') + 1
	}
}

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
	case s.sure:
	case s.o.Mapped || s.nul < 0 && s.from > len(s.text):
		return !s.seeNul(start, end) || s.o.Binary != Quit
	case start >= s.from:
		s.tell()
	}
	return true
}

// at is the lines of a part of the text.
func (s *search) at(start, end int) *Lines {
	s.lines = Lines{Text: s.text, Start: start, End: end, counter: &s.counter}
	return &s.lines
}

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

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
	Number     int  // of the first line
	After      bool // context behind a match
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
	number  int // of the line at counted
	counted int
	visited int // the end of the lines told
	left    int // lines of context to tell behind a match
	sunk    bool
	stopped bool // by the sink

	nul    int // the first NUL byte, -1 for none
	from   int // where a piece with it begins: lines from there on are told after it
	told   bool
	pieces []int // where pieces begin
	lines  Lines
}

// Run searches a text for the matches of an expression. spans says that they may
// span lines. The text may be changed where NUL bytes are converted.
func Run(text []byte, f *rust.Finder, spans bool, o *Options, sink Sink) {
	s := &search{o: o, f: f, sink: sink, text: text, number: 1, nul: -1, from: len(text) + 1}
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
		if s.nul = bytes.IndexByte(s.text, 0); s.nul >= 0 {
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

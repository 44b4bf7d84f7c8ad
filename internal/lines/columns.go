package lines

import (
	"io"
	"iter"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"

	"espy/internal/hit"
	"espy/internal/lines/dfa"
	"espy/internal/parallel"
)

// longColumns is the product of bytes of a line and steps of an expression from
// which on columns are found by automaton: package regexp takes time of that product.
const longColumns = 64 << 10

// columns finds the matches in lines that are long for their expression: the
// reversed automaton tells where matches start, and each is then matched from
// there on. It serves one goroutine, and pauses.
type columns struct {
	plain *anchored
	whole *anchored // with word
}

// newColumns makes columns of an expression.
func newColumns(m *regexMatcher, pause parallel.Pause) *columns {
	c := &columns{plain: newAnchored(m.lined, asGroup(m.lined), pause)}
	if m.word {
		c.whole = newAnchored(m.full, m.full, pause)
	}
	return c
}

// ranges returns the matches in one line, apart from each other, as far as a hit
// shows of them: those that start within MaxLineBytes of the first.
func (c *columns) ranges(line []byte) (out [][2]int) {
	for r := range c.plain.all(line) {
		if c.whole != nil && !isolated(line, r[0], r[1]) {
			continue
		}
		if len(out) > 0 && r[0] > out[0][0]+hit.MaxLineBytes {
			break
		}
		out = append(out, r)
	}
	if c.whole != nil && len(out) == 0 { // the leftmost match is not the one between the words
		if r, ok := c.whole.leftmost(line); ok {
			out = append(out, r)
		}
	}
	return out
}

// anchored matches an expression at places that are known to start a match.
type anchored struct {
	starts *dfa.Starts
	first  *regexp.Regexp // the expression at the start of a text; group 1 is what counts
	inner  *regexp.Regexp // the same behind one character
	pause  parallel.Pause
}

// newAnchored makes both of an expression that compiles, and of the same with group 1.
func newAnchored(re, group *syntax.Regexp, pause parallel.Pause) *anchored {
	start, char := &syntax.Regexp{Op: syntax.OpBeginText}, &syntax.Regexp{Op: syntax.OpAnyChar}
	reversed, err := syntax.Compile(dfa.Reverse(re).Simplify())
	if err != nil {
		panic(err) // forwards it was compiled
	}
	return &anchored{
		starts: dfa.NewStarts(dfa.Compile(reversed), pause),
		first:  inRow(start, group),
		inner:  inRow(start, char, group),
		pause:  pause,
	}
}

func inRow(parts ...*syntax.Regexp) *regexp.Regexp {
	return regexp.MustCompile((&syntax.Regexp{Op: syntax.OpConcat, Sub: parts}).String())
}

// asGroup makes the whole expression its only group.
func asGroup(re *syntax.Regexp) *syntax.Regexp {
	return &syntax.Regexp{Op: syntax.OpCapture, Cap: 1, Sub: []*syntax.Regexp{ungrouped(rewrite(re, func(*syntax.Regexp) {}))}}
}

// all yields the matches in a line as Regexp.FindAllIndex lists them.
func (a *anchored) all(line []byte) iter.Seq[[2]int] {
	return func(yield func([2]int) bool) {
		a.starts.Find(line)
		for pos, before := 0, -1; pos <= len(line); {
			at := a.starts.Next(pos)
			if at < 0 {
				return
			}
			r := a.match(line, at)
			again := r[1] == pos && r[0] == before // an empty match where the one before ended
			if r[1] > pos {
				pos = r[1]
			} else {
				_, n := utf8.DecodeRune(line[pos:])
				pos += max(n, 1)
			}
			before = r[1]
			if !again && !yield(r) {
				return
			}
		}
	}
}

// leftmost returns the first match in a line.
func (a *anchored) leftmost(line []byte) (r [2]int, ok bool) {
	a.starts.Find(line)
	at := a.starts.Next(0)
	if at < 0 {
		return r, false
	}
	return a.match(line, at), true
}

// match returns the match that starts at a place. A character before it tells
// starts of lines and words.
func (a *anchored) match(line []byte, at int) [2]int {
	re, from := a.first, at
	if at > 0 {
		_, n := utf8.DecodeLastRune(line[:at])
		re, from = a.inner, at-n
	}
	var r []int
	if rest := line[from:]; len(rest) <= pauseRunes {
		r = re.FindSubmatchIndex(rest)
	} else if r = re.FindReaderSubmatchIndex(&pausing{text: rest, pause: a.pause}); r == nil {
		return [2]int{at, at} // it was told to end
	}
	return [2]int{from + r[2], from + r[3]}
}

// pausing reads a text. It pauses now and then, and ends where that says so.
type pausing struct {
	text  []byte
	pause parallel.Pause
	read  int // characters, since it paused
}

// pauseRunes is how many characters are read between two pauses.
const pauseRunes = 2_000

// ReadRune returns the next character of the text.
func (p *pausing) ReadRune() (r rune, size int, err error) {
	if p.read++; p.read > pauseRunes && p.pause != nil {
		if p.read = 0; !p.pause() {
			p.text = nil
		}
	}
	if len(p.text) == 0 {
		return 0, 0, io.EOF
	}
	r, size = utf8.DecodeRune(p.text)
	p.text = p.text[size:]
	return r, size, nil
}

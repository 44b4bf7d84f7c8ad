// Package message tells how well a text that a program printed agrees with code:
// the words of a message stand in a literal as they are printed, but for the
// values that were filled in, for what a logger wrote before them and for the
// causes behind them.
package message

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"espy/internal/ascii"
	"espy/internal/pattern"
	"espy/internal/rank"
	"espy/internal/token"
)

// Bounds of a message.
const (
	MinWords = 4  // fewer words say nothing,
	FewWords = 3  // unless they fill in a format: fewer never do
	maxWords = 64 // of the text
)

// Text is a line that a program may have printed.
type Text struct {
	line  string         // bare
	words []int          // numbers of the words, equal where they are
	solid []bool         // it is no stop word
	known map[string]int // numbers of the words
}

// tail is what a runtime writes behind a message: where Perl and PHP were, and the class of
// an exception of Ruby.
var tail = pattern.New(`(?: at \S+ line \d+(?:, <[^<>]*> (?:line|chunk) \d+)?| in \S+\.\w+(?: on line |:)\d+| \([A-Z]\w*(?:::\w+)*Error\))\.?$`)

// WithoutTail returns a line without what a runtime writes behind its message.
func WithoutTail(line string) string {
	line = strings.TrimSpace(line)
	return strings.TrimSuffix(line, tail().FindString(line))
}

// New returns the text of a line.
func New(line string) *Text {
	line = WithoutTail(line)
	t := &Text{line: strings.TrimSpace(bare(line)), known: map[string]int{}}
	b := []byte(line)
	for start, end := token.NextWord(b, 0); start < end && len(t.words) < maxWords; start, end = token.NextWord(b, end) {
		word := strings.ToLower(line[start:end])
		if _, ok := t.known[word]; !ok {
			t.known[word] = len(t.known) + 1
		}
		t.words = append(t.words, t.known[word])
		t.solid = append(t.solid, !rank.IsStopword(word))
	}
	return t
}

// Words is how many words the text has.
func (t *Text) Words() int { return len(t.words) }

// Fit is how a text agrees with a place of some code.
type Fit struct {
	Line    int     // of the first word that agrees, in a literal where enough do, from 0
	Words   int     // of the text that agree, in order
	Quoted  int     // of these in literals
	Share   float64 // of the words of the text
	Literal float64 // of the words of the literals that the place is in; 0 outside of literals
	Value   float64 // higher is better: the words that agree less what stands between them
	Format  bool    // it is a format, of whose words and marks the text has all
	Exact   stretch // the longest run of its words
}

// The least that makes a message.
const (
	textShare    = 0.75 // of the words of the text, in a literal
	literalShare = 0.75 // or of the words of the literal,
	longMessage  = 7    // or so many words of both
	proseShare   = 0.95 // of the words of the text, outside of literals
	proseLeast   = 6    // words
)

// IsMessage reports whether a fit is the message itself. Documentation has no
// literals: what looks like one there is the name of something.
func (f *Fit) IsMessage(docs bool) bool {
	switch {
	case f.Format:
		return !docs
	case docs || f.Quoted < MinWords:
		return f.Share >= proseShare && f.Words >= proseLeast
	}
	return f.Share >= textShare || f.Literal >= literalShare || f.Quoted >= longMessage || f.Exact.Sure()
}

// mayFit reports whether some words may hold the message: what a fit counts is no
// more than stands there in any order.
func (t *Text) mayFit(words []codeWord) bool {
	quoted, present := 0, 0
	in := make([]bool, len(t.known)+1)
	for _, w := range words {
		in[w.number] = true
		if w.number > 0 && w.literal > 0 {
			quoted++
		}
	}
	for _, n := range t.words {
		if in[n] {
			present++
		}
	}
	return quoted >= MinWords || float64(present)/float64(len(t.words)) >= proseShare && present >= proseLeast
}

// The worth of words in an alignment.
const (
	agrees    = 1.0
	stopWord  = 0.7
	textGap   = 0.25 // a word of the text that the code lacks: a value
	codeGap   = 0.35 // a word of a literal that the text lacks
	outerGap  = 0.15 // a word of the code between literals
	leastSum  = 2.5
	outerFit  = 0.8 // what a comment counts, of a literal
	solidLeft = 2
)

// cell is the best alignment that ends at a word of the text and one of the code.
type cell struct {
	sum          float64
	words, solid int
	quoted       int
	from         int // word of the code where it begins,
	quote        int // and where it does in a literal
}

// Best returns the place of some code of a language that agrees best with the text, none
// where that cannot be a message.
func (t *Text) Best(code []byte, language string) Fit {
	d := dialectOf(language)
	best := t.aligned(code, d)
	if best.Quoted >= MinWords && (best.Share == 1 || best.Exact.Sure()) {
		return best
	}
	if f := t.format(code, d); f.Format && (best.Quoted < MinWords || f.Value > best.Value) {
		return f
	}
	return best
}

// aligned returns the place that has most words of the text in order.
func (t *Text) aligned(code []byte, d *dialect) (best Fit) {
	words := t.wordsOf(code, d)
	if !t.mayFit(words) {
		return Fit{}
	}
	above, row := make([]cell, len(t.words)+1), make([]cell, len(t.words)+1)
	var end cell
	last, open := -1, false
	for k := range words {
		w := &words[k]
		if !open && w.number == 0 {
			continue // no alignment begins here, and none goes on
		}
		open = false
		for i := range t.words {
			row[i+1] = t.step(i, k, w, above, row)
			sum := row[i+1].sum
			if open = open || sum > 0; sum > end.sum {
				end, last = row[i+1], k
			}
		}
		above, row = row, above
	}
	if last < 0 || end.solid < solidLeft || end.sum < leastSum {
		return Fit{}
	}
	best = Fit{Line: words[end.from].line, Words: end.words, Quoted: end.quoted, Value: end.sum, Share: float64(end.words) / float64(len(t.words))}
	if n := literalWords(words, end.from, last); n > 0 {
		best.Literal = min(1, float64(end.quoted)/float64(n))
	}
	if best.Quoted >= MinWords {
		best.Line = words[end.quote].line
	} else {
		best.Value *= outerFit
	}
	best.Exact = t.exact(words)
	return best
}

// step returns the best alignment that ends at word i of the text and word k of
// the code.
func (t *Text) step(i, k int, w *codeWord, above, row []cell) cell {
	gap := codeGap
	if w.literal == 0 {
		gap = outerGap
	}
	best := above[i+1]
	best.sum -= gap
	if left := row[i]; left.sum-textGap > best.sum {
		best = left
		best.sum -= textGap
	}
	if w.number == t.words[i] {
		c := above[i]
		if c.sum <= 0 {
			c = cell{from: k}
		}
		c.words++
		if w.literal > 0 {
			if c.quoted++; c.quoted == 1 {
				c.quote = k
			}
		}
		worth := stopWord
		if t.solid[i] {
			c.solid++
			worth = agrees
		}
		c.sum += worth
		if c.sum >= best.sum {
			return c
		}
	}
	if best.sum <= 0 {
		return cell{}
	}
	return best
}

// codeWord is a word of some code.
type codeWord struct {
	number  int // that of the text, 0 where it is not in it
	line    int
	literal int  // which one it stands in, 0 for none
	at      int  // which word of the code it is
	verb    bool // a value is filled in before it
}

// literalWords returns how many words the literals have that words [from, to] are in.
func literalWords(words []codeWord, from, to int) int {
	in := map[int]bool{}
	for _, w := range words[from : to+1] {
		if w.literal > 0 {
			in[w.literal] = true
		}
	}
	n := 0
	for _, w := range words {
		if in[w.literal] {
			n++
		}
	}
	return n
}

// wordsOf returns the words of some code but for what it fills in: %d, ${...}, {}, $name.
func (t *Text) wordsOf(code []byte, d *dialect) []codeWord {
	var words []codeWord
	var lower []byte
	literals, number := 0, 0
	for line := range bytes.Lines(code) {
		for _, p := range d.pieces(line) {
			literal := 0
			if p.literal {
				literals++
				literal = literals
			}
			text, last := p.text, 0
			for start, end := token.NextWord(text, 0); start < end; start, end = token.NextWord(text, end) {
				lower = appendLower(lower[:0], text[start:end])
				words = append(words, codeWord{t.known[string(lower)], number, literal, len(words), p.fills(last, start)})
				last = end
			}
		}
		number++
	}
	return words
}

// appendLower appends a word in lower case.
func appendLower(dst, word []byte) []byte {
	if bytes.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return append(dst, bytes.ToLower(word)...)
	}
	return ascii.AppendLower(dst, word)
}

package lines

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"espy/internal/ascii"
	"espy/internal/hit"
	"espy/internal/lines/needle"
	"espy/internal/lines/trigram"
	"espy/internal/parallel"
	"espy/internal/usage"
)

// NewLiteral makes a query for every line that contains the text of a request. A
// text with line ends in it counts for the line it starts on.
func NewLiteral(req hit.Request) (*Query, error) {
	if req.Query == "" {
		return nil, &usage.Error{Arg: "query", Msg: "empty", Hint: "give the text to look for"}
	}
	m := &literalMatcher{text: []byte(req.Query), fold: req.IgnoreCase, word: req.Word}
	return &Query{req, lookup{matcher: m, grams: m.grams(), fold: m.fold, whole: bytes.IndexByte(m.text, '\n') >= 0}}, nil
}

// literalMatcher matches one text, byte for byte or, with fold, by the simple
// case folding of Unicode.
type literalMatcher struct {
	text []byte
	fold bool
	word bool // only between characters that are not of a word
}

// grams is the condition on the trigrams of a text with a match.
func (m *literalMatcher) grams() trigram.Query {
	if !m.fold {
		return trigram.Of(string(m.text))
	}
	var g trigram.Query
	for _, s := range trigram.Pieces(string(m.text)) {
		g = trigram.And(g, trigram.Of(s))
	}
	return g
}

func (m *literalMatcher) finder(parallel.Pause) finder { return newLiteralFinder(m) }

func newLiteralFinder(m *literalMatcher) *literalFinder {
	f := &literalFinder{m: m, needle: m.text}
	if m.fold {
		f.needle = ascii.AppendLower(nil, m.text)
		f.simple = true
		for i := 0; i < len(m.text); {
			r, n := utf8.DecodeRune(m.text[i:])
			f.simple = f.simple && (r < utf8.RuneSelf || unicode.SimpleFold(r) == r)
			f.wide = f.wide || r|0x20 == 'k' || r|0x20 == 's'
			i += n
		}
		f.folded = foldText(nil, m.text)
	}
	f.find = needle.New(f.needle)
	return f
}

// literalFinder looks for the literal in one text after the other. With fold
// it looks in a folded copy of the text: of equal length where folding ASCII
// letters is enough, else one whose offsets are mapped back.
type literalFinder struct {
	m      *literalMatcher
	needle []byte
	find   needle.Needle // looks for needle
	simple bool          // fold: only the case of ASCII letters matters
	wide   bool          // fold: has k or s, which letters beyond ASCII fold to
	folded []byte        // fold: the literal as foldText makes it

	text   []byte
	hay    []byte // what is searched
	mapped bool   // hay is foldText of text, else it has the offsets of text
	at, in int    // mapped: hay[at] stands for text[in]
	buf    []byte
}

var (
	kelvin = []byte("\u212a")
	longS  = []byte("\u017f")
)

func (f *literalFinder) open(p piece) { f.reset(p.text) }

func (f *literalFinder) reset(text []byte) {
	f.text, f.hay, f.mapped, f.at, f.in = text, text, false, 0, 0
	switch {
	case !f.m.fold:
		return
	case f.simple && !(f.wide && (bytes.Contains(text, kelvin) || bytes.Contains(text, longS))):
		f.buf = ascii.AppendLower(f.buf[:0], text)
	default:
		f.buf, f.mapped = foldText(f.buf[:0], text), true
	}
	f.hay = f.buf
}

// share makes f look in the text of another finder that folds in the same way.
func (f *literalFinder) share(g *literalFinder) {
	f.text, f.hay, f.mapped, f.at, f.in = g.text, g.hay, g.mapped, 0, 0
}

func (f *literalFinder) line(pos int) int {
	start, _, ok := f.match(pos)
	if !ok {
		return -1
	}
	return start
}

func (f *literalFinder) matches(dst [][2]int, start, end int) [][2]int {
	for pos := start; pos < end; {
		s, e, ok := f.match(pos)
		if !ok || s >= end {
			break
		}
		dst = append(dst, [2]int{s, e})
		pos = e
	}
	return dst
}

// match returns the first occurrence at or after pos that counts.
func (f *literalFinder) match(pos int) (start, end int, ok bool) {
	for {
		start, end = f.occurrence(pos)
		if start < 0 {
			return 0, 0, false
		}
		if !f.m.word || isolated(f.text, start, end) {
			return start, end, true
		}
		pos = start + 1
	}
}

// occurrence returns the first one at or after pos, start -1 where there is none.
func (f *literalFinder) occurrence(pos int) (start, end int) {
	if !f.mapped {
		i := f.find.Index(f.hay[min(pos, len(f.hay)):])
		if i < 0 {
			return -1, -1
		}
		return pos + i, pos + i + len(f.needle)
	}
	at := f.toHay(pos)
	i := bytes.Index(f.hay[at:], f.folded)
	if i < 0 {
		return -1, -1
	}
	return f.toText(at + i), f.toText(at + i + len(f.folded))
}

// toHay and toText map offsets between text and its folded copy. The pair
// (at, in) is where the last mapping ended: offsets mostly grow.
func (f *literalFinder) toHay(pos int) int {
	if pos < f.in {
		f.at, f.in = 0, 0
	}
	for f.in < pos {
		f.advance()
	}
	return f.at
}

func (f *literalFinder) toText(at int) int {
	if at < f.at {
		f.at, f.in = 0, 0
	}
	for f.at < at {
		f.advance()
	}
	return f.in
}

func (f *literalFinder) advance() {
	_, n := utf8.DecodeRune(f.hay[f.at:])
	_, m := utf8.DecodeRune(f.text[f.in:])
	f.at += n
	f.in += m
}

// foldText appends text with each character replaced by the least of those it
// folds to. Bytes that are not UTF-8 stay as they are.
func foldText(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			dst = append(dst, foldedASCII[c])
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if n == 1 {
			dst = append(dst, text[i])
		} else {
			dst = utf8.AppendRune(dst, leastFold(r))
		}
		i += n
	}
	return dst
}

var foldedASCII = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		t[c] = byte(leastFold(rune(c)))
	}
	return t
}()

// leastFold returns the least of the characters that are equal by simple case folding.
func leastFold(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// isolated reports whether what stands before and after text[start:end] on the
// line is no character of a word: the line's start or end, or a character that
// is valid UTF-8 and not of a word, as `rg -w` has it.
func isolated(text []byte, start, end int) bool {
	if start > 0 && text[start-1] != '\n' {
		if r, n := utf8.DecodeLastRune(text[:start]); isWord(r) || r == utf8.RuneError && n == 1 {
			return false
		}
	}
	if end < len(text) && text[end] != '\n' {
		if r, n := utf8.DecodeRune(text[end:]); isWord(r) || r == utf8.RuneError && n == 1 {
			return false
		}
	}
	return true
}

// isWord reports whether a character belongs to a word: the class \w of UTS 18,
// annex C, "Compatibility Properties".
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.In(r, wordTables...)
}

var wordTables = []*unicode.RangeTable{
	unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control,
}

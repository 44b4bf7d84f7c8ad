// Package shingle compares code by runs of its tokens: where two texts are
// equal but for spacing and comments, and where they are but for the names in them.
//
// Code is cut into tokens, of which comments and spaces are none. A shingle is a
// run of a fixed number of tokens, known by its hash. Tiles of two texts are
// found from the shingles that they share and made as long as they go, as in
// "greedy string tiling" (Wise 1993; Prechelt, Malpohl, Philippsen: Finding
// Plagiarisms among a Set of Programs with JPlag, 2002). All shingles are
// compared, not a selection of them as in winnowing (Schleimer, Wilkerson, Aiken
// 2003), which saves memory where they are stored: here they are not.
//
// Everything here is a pure function of its arguments.
package shingle

import (
	"bytes"
	"unicode/utf8"

	"espy/internal/lang"
	"espy/internal/outline"
	"espy/internal/token"

	"github.com/zeebo/xxh3"
)

// Kind says what a token is.
type Kind uint8

// The kinds.
const (
	Mark    Kind = iota // one character of punctuation
	Keyword             // a word that is no name in most languages
	Name
	Number
	Literal // text in quotes
)

// Token is the smallest part of code. Two tokens are equal if Exact is, and alike
// if Shape is: names are alike to each other, as are numbers and literals.
type Token struct {
	Start, End int32 // bytes of the text
	Line       int32 // where it starts, from 1
	LastLine   int32 // where it ends
	Exact      uint64
	Shape      uint64
	Kind       Kind
}

// IsWord reports whether a token says something: it is no punctuation.
func (t *Token) IsWord() bool { return t.Kind != Mark }

// shapes are the shapes of the kinds whose tokens are alike to each other.
var shapes = [...]uint64{Name: 1, Number: 2, Literal: 3}

// Tokens cuts a text, whose first line has a number, into tokens. The language, which may be nil, tells comments
// and literals. Like an outline it is a heuristic: text that begins within a
// comment or a literal is read as code.
func Tokens(l *lang.Language, text []byte, line int) []Token {
	c := cutter{text: text, line: int32(line), tokens: make([]Token, 0, len(text)/4)}
	quiet := quietOf(l, text)
	for at := 0; at < len(text); {
		end := len(text)
		if len(quiet) > 0 {
			end = quiet[0].Start
		}
		c.code(at, end)
		if len(quiet) == 0 {
			break
		}
		c.quiet(quiet[0])
		at, quiet = quiet[0].End, quiet[1:]
	}
	return c.tokens
}

// Hide takes the tokens of some lines out of what can be shared. A first line of 0
// hides nothing.
func Hide(tokens []Token, first, last int) {
	for i := range tokens {
		if t := &tokens[i]; first > 0 && int(t.LastLine) >= first && int(t.Line) <= last {
			t.Exact, t.Shape = 0, 0
		}
	}
}

// quietOf returns the comments and literals of a text, in order. In prose, where
// code may stand anywhere, there are only literals.
func quietOf(l *lang.Language, text []byte) []outline.Span {
	switch {
	case l == nil || !lang.IsCode(l.Name):
		return scanQuiet(nil, text)
	case l.Outline:
		return outline.Quiet(l, text)
	}
	return scanQuiet(l, text)
}

// cutter cuts tokens, from the front of a text to its end.
type cutter struct {
	text   []byte
	line   int32 // of byte at
	at     int
	tokens []Token
}

// code cuts text[at:end], which has no comments or literals.
func (c *cutter) code(at, end int) {
	text := c.text[:end]
	for at < end {
		b := text[at]
		switch {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			at++
		case b < utf8.RuneSelf && !wordByte[b]:
			c.mark(at)
			at++
		default:
			at = c.word(text, at)
		}
	}
}

func (c *cutter) mark(at int) {
	h := uint64(c.text[at]) + 1<<32
	c.add(Token{Start: int32(at), End: int32(at + 1), Exact: h, Shape: h, Kind: Mark})
}

// word cuts the word at a byte, or the character where none begins there.
func (c *cutter) word(text []byte, at int) (end int) {
	start, end := token.NextWord(text[:wordEnd(text, at)], at)
	if start != at || end == start {
		_, size := utf8.DecodeRune(text[at:])
		return at + size
	}
	t := Token{Start: int32(start), End: int32(end), Exact: xxh3.Hash(text[start:end])}
	switch {
	case text[start] >= '0' && text[start] <= '9':
		t.Kind = Number
	case len(text[start:end]) <= longestKeyword && keywords[string(text[start:end])]:
		t.Kind, t.Shape = Keyword, t.Exact
	default:
		t.Kind = Name
	}
	if t.Shape == 0 {
		t.Shape = shapes[t.Kind]
	}
	c.add(t)
	return end
}

// quiet adds a literal as one token, a comment not at all.
func (c *cutter) quiet(s outline.Span) {
	if s.Comment {
		return
	}
	text := bytes.TrimSpace(c.text[s.Start:s.End])
	c.add(Token{Start: int32(s.Start), End: int32(s.End), Exact: xxh3.Hash(text), Shape: shapes[Literal], Kind: Literal})
}

// add appends a token and counts the lines up to it.
func (c *cutter) add(t Token) {
	c.count(int(t.Start))
	t.Line = c.line
	if t.Kind == Literal {
		c.count(int(t.End))
	}
	t.LastLine = c.line
	c.tokens = append(c.tokens, t)
}

func (c *cutter) count(to int) {
	c.line += int32(bytes.Count(c.text[c.at:to], []byte{'\n'}))
	c.at = to
}

// maxWord bounds the bytes of a word, so that a line without an end is cut.
const maxWord = 4096

func wordEnd(text []byte, at int) int { return min(len(text), at+maxWord) }

// wordByte are the ASCII characters of words.
var wordByte = func() (w [utf8.RuneSelf]bool) {
	for b := range w {
		w[b] = 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
	}
	return w
}()

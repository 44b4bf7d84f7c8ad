package redact

import "bytes"

// bare writes names and values in the way of settings, where code writes more, so
// that one expression finds what is given to a name: cfg["password"] = b"x" and
// 'password'   => 'x' as password = "x". It also takes the backslashes from quotes,
// which notebooks and other texts in strings have. The length stays.
func bare(text []byte) {
	for i := 0; i+1 < len(text); i++ {
		switch {
		case text[i] == '\\' && isQuote(text[i+1]), isPrefix(text, i), bytes.HasPrefix(text[i:], []byte("??=")):
			clear(text[i : i+1])
		case isWord(text[i]):
			clear(text[i+1 : nameEnd(text, i+1)])
		}
	}
}

// clear writes blanks over a text.
func clear(text []byte) {
	for i := range text {
		text[i] = ' '
	}
}

// nameEnd returns where the quote and the bracket end that close a name at a place of
// a text, if a mark follows by which the name is given a value; else that place.
func nameEnd(text []byte, at int) int {
	end := at
	if text[end] == '\\' && end+1 < len(text) {
		end++
	}
	quoted := isQuote(text[end])
	if quoted {
		end = blanksEnd(text, end+1)
	}
	if end < len(text) && isClosing(text[end]) && (quoted || isConstant(text, at, text[end])) {
		end++
	} else if !quoted {
		return at
	}
	if mark := text[blanksEnd(text, end):]; len(mark) == 0 || bytes.IndexByte([]byte("=:?-|"), mark[0]) < 0 {
		return at
	}
	return end
}

// isConstant reports whether the word that ends at a place of a text, before a closing
// bracket, is a text by its language: a symbol of Ruby, the key of a hash of Perl, or
// one of a shell.
func isConstant(text []byte, at int, closing byte) bool {
	begin := at
	for begin > 0 && isWord(text[begin-1]) {
		begin--
	}
	before := text[max(0, begin-2):begin]
	switch {
	case len(before) < 2:
		return false
	case closing == ']' && string(before) == "[:":
		return true
	case closing == ']':
		return before[1] == '[' && isWord(before[0]) && bytes.HasPrefix(text[at:], []byte("]="))
	}
	return before[1] == '{' && (isWord(before[0]) || before[0] == '>')
}

// isPrefix reports whether one byte at a place of a text stands before a quote to say
// of what kind the text in quotes is, as in b"x", L"x" and @"x".
func isPrefix(text []byte, at int) bool {
	return at+1 < len(text) && isQuote(text[at+1]) && bytes.IndexByte([]byte("bBrRuULN@$"), text[at]) >= 0 &&
		at > 0 && bytes.IndexByte([]byte(" \t=(,:>"), text[at-1]) >= 0
}

func blanksEnd(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func isClosing(c byte) bool { return c == ']' || c == '}' }

func isWord(c byte) bool { return classes[c]&(isDigit|isLetter) != 0 || c == '_' }

package locate

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/redact"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

// noName says that no name that is known stands at a place of a file, what stands there,
// and which question helps.
func (a *Ask) noName(f corpus.FileID, t Target) error {
	e := &usage.Error{Arg: "line", Value: t.Path + ":" + strconv.Itoa(t.Line), Msg: "no known name there", Hint: "give the column of a name, or the name itself"}
	line := a.lineAt(f, t.Line)
	if t.Column == 0 {
		if word := firstName(line); word != "" {
			e.Hint += ", as " + word
		}
		return e
	}
	e.Value += ":" + strconv.Itoa(t.Column)
	if name, column := a.nameNear(f, t); name != "" {
		e.Hint += fmt.Sprintf(", as %s at column %d", name, column)
	}
	text := quotedAt(line, t.Column-1)
	word := strings.Trim(text, "\"'`")
	if text == "" {
		word = wordAt(line, t.Column-1)
	}
	if word == "" || len(word) > longestText || !utf8.ValidString(word) {
		return e
	}
	e.Msg += ", but the word " + word
	if text != "" {
		e.Msg = "no known name there, but the text " + text
	}
	e.Hint = "espy grep -F or mode literal of search finds where " + strconv.Quote(word) + " stands; else " + e.Hint
	return e
}

// longestText bounds the bytes of a text that an error repeats.
const longestText = 80

// lineAt is the beginning of a line; empty where it cannot be read or holds a secret.
func (a *Ask) lineAt(f corpus.FileID, line int) []byte {
	from, to, err := a.offset(f, line, 0)
	if err != nil {
		return nil
	}
	text, err := a.Corpus.TextRange(f, int(from), min(int(to), int(from)+maxLine), nil)
	if err != nil || !redact.IsClear(a.Corpus.Path(f), text) {
		return nil
	}
	return text
}

// nameNear is the name that is used on the line of a place, nearest to it, and its column.
func (a *Ask) nameNear(f corpus.FileID, t Target) (name string, column int) {
	from, to, err := a.offset(f, t.Line, 0)
	if err != nil {
		return "", 0
	}
	file, near := a.File(f), 0
	for i := file.UsesFrom(from); i < file.NumUses(); i++ {
		u := file.BareUse(i)
		if u.At >= to {
			break
		}
		c := int(u.At-from) + 1
		if away := max(c-t.Column, t.Column-c); u.Name != "" && (name == "" || away < near) {
			name, column, near = u.Name, c, away
		}
	}
	return name, column
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// firstName is the first word of a line that is written like a name, as in a text or a
// comment; empty where there is none.
func firstName(line []byte) string {
	for _, word := range strings.FieldsFunc(string(line), func(r rune) bool { return !isWord(r) }) {
		if !unicode.IsDigit(rune(word[0])) && utf8.ValidString(word) {
			return word
		}
	}
	return ""
}

// wordAt is the word that a byte of a line is of; empty where it is of none.
func wordAt(line []byte, at int) string {
	if at >= len(line) {
		return ""
	}
	for at > 0 && !utf8.RuneStart(line[at]) {
		at--
	}
	from := bytes.LastIndexFunc(line[:at], func(r rune) bool { return !isWord(r) })
	if from >= 0 {
		_, size := utf8.DecodeRune(line[from:])
		from += size
	}
	word := line[max(from, 0):]
	if end := bytes.IndexFunc(word, func(r rune) bool { return !isWord(r) }); end >= 0 {
		word = word[:end]
	}
	if max(from, 0)+len(word) <= at {
		return ""
	}
	return string(word)
}

// quotedAt is the text with its quotes that a byte of a line is in, as a reader sees it:
// a quote behind a word is an apostrophe. Empty where it is in none.
func quotedAt(line []byte, at int) string {
	for i := 0; i <= at && i < len(line); i++ {
		q := line[i]
		if q != '"' && q != '\'' && q != '`' || i > 0 && q == '\'' && isApostrophe(line[:i]) {
			continue
		}
		end := closing(line, i)
		switch {
		case end < 0:
			continue
		case end >= at:
			return string(line[i : end+1])
		}
		i = end
	}
	return ""
}

// isApostrophe reports whether a quote behind a text ends or joins a word there, and is
// not behind the letters that a language puts before a text.
func isApostrophe(before []byte) bool {
	word := before[bytes.LastIndexFunc(before, func(r rune) bool { return !isWord(r) })+1:]
	return len(word) > 2 || len(bytes.Trim(word, "bBfFrRuUL")) > 0
}

// closing is where the text that a quote opens ends on its line, -1 for nowhere.
func closing(line []byte, open int) int {
	for i := open + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case line[open]:
			return i
		}
	}
	return -1
}

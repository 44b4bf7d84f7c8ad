package message

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"espy/internal/rank"
	"espy/internal/token"
)

// What makes a format of few words one that a line fills in.
const (
	fewSolid = 2        // words of it that are no stop words, or one of MinWords,
	fewFixed = FewWords // and of all words, or a mark beside them

	valueWord = 0.5 // what a word of the values counts, of which there are maxValue at most
)

// format returns how the text agrees with a format of some code that it fills in, as
// "error connecting to %s (%s)" in "error connecting to /tmp/x (No such file)": all
// that stands beside the values stands in the text as it is, in order, behind no more
// than a logger writes and up to its end. Few words are enough, since none is missing.
// Of several formats it is the one with most words. A literal without values is one too.
func (t *Text) format(code []byte, d *dialect) (best Fit) {
	number := 0
	for line := range bytes.Lines(code) {
		for _, source := range d.formats(line) {
			fixed := d.fixedParts(source)
			words, solid, marked := said(fixed)
			whole := len(fixed) == 1
			if words <= best.Words || whole && words < fewFixed || solid < fewSolid && (solid == 0 || words < MinWords) || words < fewFixed && !marked || !whole && !fills(t.line, fixed) || whole && !ends(t.line, fixed[0]) {
				continue
			}
			words = min(words, len(t.words))
			best = Fit{Line: number, Words: words, Quoted: words, Share: float64(words) / float64(len(t.words)), Literal: 1, Format: true}
			if whole {
				best.Exact = stretch{Words: words, Solid: solid, Line: number, Quoted: true, Whole: true}
			}
			best.Value = float64(agrees*float64(solid)) + float64(stopWord*float64(max(0, words-solid)))
			if !whole {
				best.Value += valueWord * float64(min(maxValue, len(t.words)-words))
			}
		}
		number++
	}
	return best
}

// bare returns a text with one blank for each run of them, and without the quotes and
// parentheses, which queries and translations change.
func bare(text string) string {
	var b strings.Builder
	blank := false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			blank = true
			continue
		case strings.ContainsRune("()\"'`“”‘’«»", r):
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
	}
	if blank {
		b.WriteByte(' ')
	}
	return b.String()
}

// said returns how many words the parts of a format have, how many of these are no stop
// words, and whether a mark stands beside them.
func said(parts []string) (words, solid int, marked bool) {
	for _, p := range parts {
		b := []byte(p)
		for start, end := token.NextWord(b, 0); start < end; start, end = token.NextWord(b, end) {
			words++
			if !rank.IsStopword(strings.ToLower(p[start:end])) {
				solid++
			}
		}
		marked = marked || strings.ContainsFunc(p, unicode.IsPunct)
	}
	return words, solid, marked
}

// fills reports whether a line is a format with values filled in.
func fills(line string, parts []string) bool {
	first := parts[0]
	for at := 0; ; {
		i := strings.Index(line[at:], first)
		if i < 0 {
			return false
		}
		if at += i; begins(line[:at]) && follow(line[at+len(first):], parts[1:]) {
			return true
		}
		if first == "" || at == len(line) {
			return false
		}
		_, n := utf8.DecodeRuneInString(line[at:])
		at += n
	}
}

// ends reports whether a line ends in a message.
func ends(line, message string) bool {
	before, ok := strings.CutSuffix(line, message)
	return ok && begins(before)
}

// follow reports whether a line goes on with a value and each part, to its end or to a
// mark that a cause stands behind.
func follow(line string, parts []string) bool {
	for i, p := range parts {
		if line == "" {
			return false
		}
		if p == "" {
			if i == len(parts)-1 {
				return true
			}
			continue
		}
		_, n := utf8.DecodeRuneInString(line)
		at := strings.Index(line[n:], p)
		if i == len(parts)-1 && strings.HasSuffix(line[n:], p) {
			return true
		}
		if at < 0 {
			return false
		}
		line = line[n+at+len(p):]
	}
	return strings.HasPrefix(line, ": ") || strings.HasPrefix(line, ", ")
}

// begins reports whether a message may begin behind some text: a mark, a number or a
// level ends what a logger writes before it.
func begins(before string) bool {
	before = strings.TrimRight(before, " ")
	if before == "" {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	if !unicode.IsLetter(last) {
		return true
	}
	word := before[strings.LastIndexByte(before, ' ')+1:]
	return len(word) > 1 && strings.ToUpper(word) == word
}

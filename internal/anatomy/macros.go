package anatomy

import (
	"bytes"

	"espy/internal/lang"
	"espy/internal/outline"
)

// span is bytes of a text.
type span struct{ start, end int }

// macrosOf finds the arguments of the macros that a text of Rust calls, the outermost
// ones, in order.
func macrosOf(text []byte) (all []span) {
	l, _ := lang.ByName("rust")
	masked := bytes.Clone(text)
	for _, q := range outline.Quiet(l, text) {
		for i := q.Start; i < q.End; i++ {
			masked[i] = ' '
		}
	}
	for at := 0; at < len(masked); at++ {
		if masked[at] != '!' || lastWord(masked[:at]) == "" {
			continue
		}
		rest := bytes.TrimLeft(masked[at+1:], " \t\r\n")
		open := len(masked) - len(rest)
		if len(rest) == 0 || !bytes.ContainsAny(rest[:1], "([{") {
			continue
		}
		end := closing(masked, open)
		all = append(all, span{open, end})
		at = end
	}
	return all
}

// closing is the end of the brackets that open at a byte.
func closing(text []byte, open int) int {
	depth := 0
	for i, b := range text[open:] {
		switch b {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return open + i
			}
		}
	}
	return len(text)
}

// within reports whether a byte is in one of the spans, which are in order.
func within(spans []span, at int) bool {
	for _, s := range spans {
		if s.start <= at && at < s.end {
			return true
		}
	}
	return false
}

//go:build cgo && !race

package treesitter

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// bomb makes a text of about so many bytes that is dear to parse.
type bomb func(size int) string

func repeated(unit string) bomb {
	return func(size int) string { return strings.Repeat(unit, size/len(unit)+1) }
}

func within(before string, b bomb, after string) bomb {
	return func(size int) string { return before + b(size) + after }
}

func nest(open, middle, end string) bomb {
	return func(size int) string {
		n := size/(len(open)+len(end)) + 1
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
}

// indented nests blocks by their indentation.
func indented(line string) bomb {
	return func(size int) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(strings.Repeat(" ", i) + line + "\n")
		}
		return b.String()
	}
}

// numbered counts in its lines.
func numbered(format string) bomb {
	return func(size int) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
}

// bombs were dear to one grammar or another: what they open is never closed, or
// is no part of any program.
var bombs = map[string]bomb{
	"ats":                     repeated("@a "),
	"apostrophe lines":        repeated("a'\n"),
	"attributes":              repeated("[[a]] "),
	"triple quote lines":      repeated("'''\n"),
	"lambdas":                 repeated("a => "),
	"comments open and lines": repeated("/* \n"),
	"templates open":          repeated("`${"),
	"template with holes":     within("`", repeated("${a}"), "`"),
	"less a":                  repeated("a<"),
	"tags nested":             nest("<a>", "", "</a>"),
	"quotes":                  repeated("\""),
	"macro calls":             repeated("a!("),
	"regex open":              repeated("= /["),
	"preprocessor ifs":        repeated("#if A\n"),
	"indented ifs":            indented("if a:"),
	"f strings open":          repeated("f'{"),
	"jsx":                     repeated("<A b={"),
	"table":                   within("int x[] = {", repeated("0x12, 3,\n"), "};"),
	"parens":                  repeated("("),
	"heredocs of their own":   numbered("<<<A%d\n"),
}

// TestBombs holds that a text which is dear to parse gives facts or a limit that
// says what it had too much of, within the work of its size: what recovers from
// errors may copy all that was read at each step, and a scanner may look for an
// end to the end of the text at each token.
func TestBombs(t *testing.T) {
	forEach(t, func(t *testing.T, grammar string, _ hostile) {
		for name, b := range bombs {
			t.Run(name, func(t *testing.T) {
				text := []byte(b(3_000))
				if grammar == "php" {
					text = append([]byte("<?php\n"), text...)
				}
				limited(t, grammar, text)
			})
		}
	})
}

// TestBombsEnd holds that bombs which take the square of their size reach a bound.
func TestBombsEnd(t *testing.T) {
	for _, c := range []struct{ grammar, name, what string }{
		{"c", "apostrophe lines", "bytes copied by the parser"},
		{"java", "less a", "bytes copied by the parser"},
		{"javascript", "comments open and lines", "pieces of text to read"},
	} {
		t.Run(c.grammar+" "+c.name, func(t *testing.T) {
			_, err := Parse(c.grammar, []byte(bombs[c.name](30_000)))
			var limit *limitError
			if !errors.As(err, &limit) || limit.what != c.what {
				t.Errorf("error %v, want a limit of %s", err, c.what)
			}
		})
	}
}

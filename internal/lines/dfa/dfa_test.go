package dfa

import (
	"regexp/syntax"
	"strings"
	"testing"
)

// varied returns a line of n characters of many kinds.
func varied(n int) []byte {
	var b strings.Builder
	for i := range n {
		switch i % 3 {
		case 0:
			b.WriteRune(rune('!' + i%90))
		case 1:
			b.WriteRune(rune(0x4e00 + i*7%20_000))
		default:
			b.WriteRune(rune('a' + i%26))
		}
	}
	return []byte(b.String())
}

// TestSteps holds that a step is computed once for all characters that an
// expression does not tell apart: the work that is not a look-up in a table
// depends on the expression alone, not on how many kinds of characters a text has.
func TestSteps(t *testing.T) {
	text := varied(200_000)
	for _, c := range []struct {
		pattern string
		most    int // steps of the whole text
	}{
		{".{1000}!!!", 2_200},
		{"[^,]{300},{9}", 1_300},
		{"(?:.{100}){9}$", 2_000},
		{`[\x{4e00}-\x{9fff}]{400}`, 100},
		{`\bzzz\b`, 40},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			re, err := syntax.Parse(c.pattern, syntax.Perl&^syntax.OneLine)
			if err != nil {
				t.Fatal(err)
			}
			prog, err := syntax.Compile(re.Simplify())
			if err != nil {
				t.Fatal(err)
			}
			d := New(Compile(prog), nil)
			d.Find(text, 0)
			steps := 0
			for _, n := range d.wide {
				if n != unknown {
					steps++
				}
			}
			if steps == 0 || steps > c.most {
				t.Errorf("%d steps, at most %d", steps, c.most)
			}
		})
	}
}

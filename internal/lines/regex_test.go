package lines

import (
	"errors"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"espy/internal/hit"
	"espy/internal/proof"
	"espy/internal/usage"
)

func TestRegexErrors(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{"a(b", "bad regex: missing closing ) at byte 0: a(b"},
		{"ab[c", "bad regex: missing closing ] at byte 2: [c"},
		{"*a", "bad regex: missing argument to repetition operator at byte 0: *"},
		{`a\`, "bad regex: trailing backslash"},
		{"x{1001}", "bad regex: invalid repeat count at byte 1: {1001}"},
		{"(?<x>a)(?=b)", "bad regex: invalid or unsupported Perl syntax at byte 7: (?="},
		{"a\xff", "bad regex: invalid UTF-8"},
		{"a\nb", "matched within one line"},
		{`foo|\n`, "matched within one line"},
		{strings.Repeat("a", maxRegexBytes+1), "the limit is 1000"},
		{"(abcdefghij){1000}(abcdefghij){1000}", "too large"},
	} {
		t.Run(fmt.Sprintf("%.40q", c.pattern), func(t *testing.T) {
			_, err := newRegexMatcher(c.pattern, false, false)
			var use *usage.Error
			if !errors.As(err, &use) || !strings.Contains(err.Error(), c.want) || use.Hint == "" {
				t.Errorf("regex %.40q: %v, want a usage error with %q and a hint", c.pattern, err, c.want)
			}
		})
	}
}

// lineNumbers runs a finder over a text.
func lineNumbers(m matcher, text string) []int {
	f := m.finder(nil)
	f.open(piece{text: []byte(text)})
	var lines []int
	for pos := 0; pos < len(text); {
		at := f.line(pos)
		if at < 0 {
			break
		}
		lines = append(lines, strings.Count(text[:at], "\n")+1)
		pos = lineEnd([]byte(text), at) + 1
	}
	return lines
}

// splitText returns the lines of a text as rg counts them.
func splitText(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// slowLines finds lines with package regexp, one at a time. It gives no verdict
// (nil, false) on texts that are not UTF-8, where that package differs.
func slowLines(pattern string, text string) []int {
	re := regexp.MustCompile("(?m:" + pattern + ")")
	var lines []int
	for i, line := range splitText(text) {
		if re.MatchString(line) {
			lines = append(lines, i+1)
		}
	}
	return lines
}

func TestRegexLines(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		fold, word    bool
		want          string
	}{
		{pattern: "a", text: "a\nb\na", want: "[1 3]"},
		{pattern: "^$", text: "a\n\nb\n\n", want: "[2 4]"},
		{pattern: "^$", text: "a\n", want: "[]"},
		{pattern: "$", text: "a\nb", want: "[1 2]"},
		{pattern: "", text: "\n\n", want: "[1 2]"},
		{pattern: `\s`, text: "a\nb c\n", want: "[2]"},
		{pattern: `a\sb`, text: "a\nb\na b\n", want: "[3]"},
		{pattern: `[^x]b`, text: "a\nb\nab\n", want: "[3]"},
		{pattern: `(?s)a.b`, text: "a\nb\na.b\n", want: "[3]"},
		{pattern: `\Aab\z`, text: "x\nab\nabc\n", want: "[2]"},
		{pattern: `(?-m)^ab$`, text: "x\nab\nabc\n", want: "[2]"},
		{pattern: `b$`, text: "ab\r\nab\n", want: "[2]"},
		{pattern: `b\r$`, text: "ab\r\nab\n", want: "[1]"},
		{pattern: `a.b`, text: "a\xffb\naéb\na\xe2\x84b\n", want: "[2]"},
		{pattern: `a[^x]b`, text: "a\xffb\naéb\na\ufffdb", want: "[2 3]"},
		{pattern: `\bfoo\b`, text: "foo\nfood\na foo.\nfoo\xff", want: "[1 3 4]"},
		{pattern: `k`, fold: true, text: "K\n\u212a\nx\n", want: "[1 2]"},
		{pattern: `straSSe`, fold: true, text: "STRA\u017fse\nstrasse\nstraße\n", want: "[1 2]"},
		{pattern: `ÉTÉ`, fold: true, text: "été\nete\n", want: "[1]"},
		{pattern: `foo`, word: true, text: "foo\nfoo_\n-foo-\néfoo\nfoo\xff\nfoofoo\n", want: "[1 3]"},
		{pattern: `fo|foo`, word: true, text: "foo\nfo\nfooo\n", want: "[1 2]"},
		{pattern: `\w+`, word: true, text: "a\n-\n", want: "[1]"},
		{pattern: `(foo)|(bar)`, text: "xfoo\nbarx\nba\n", want: "[1 2]"},
		{pattern: `foo|bar|baz|qux`, text: "a\nqux\nbar foo\n", want: "[2 3]"},
	} {
		t.Run(fmt.Sprintf("%q in %q", c.pattern, c.text), func(t *testing.T) {
			m, err := newRegexMatcher(c.pattern, c.fold, c.word)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(lineNumbers(m, c.text)); got != c.want {
				t.Errorf("regex %q (fold %v, word %v) in %q: lines %s, want %s", c.pattern, c.fold, c.word, c.text, got, c.want)
			}
		})
	}
}

var regexAtoms = []string{"a", "b", "ab", "k", "é", ".", "[^a]", `\w`, `\s`, `\W`, "^", "$", `\b`, `\B`, "[a-c]", "(?i:k)", "", "bab", "\u212a"}

// randomRegex returns a pattern over a small alphabet.
func randomRegex(rng *rand.Rand, depth int) string {
	if depth == 0 {
		return regexAtoms[rng.Intn(len(regexAtoms))]
	}
	sub := func() string { return randomRegex(rng, depth-1) }
	switch rng.Intn(8) {
	case 0:
		return "(?:" + sub() + ")*"
	case 1:
		return "(?:" + sub() + ")?"
	case 2:
		return "(?:" + sub() + ")+"
	case 3:
		return "(?:" + sub() + "|" + sub() + ")"
	case 4:
		return "(?:" + sub() + "){2,3}"
	}
	return sub() + sub()
}

func randomText(rng *rand.Rand, alphabet []string, n int) string {
	var b strings.Builder
	for range rng.Intn(n) {
		b.WriteString(alphabet[rng.Intn(len(alphabet))])
	}
	return b.String()
}

// TestRegexAgainstSlow compares the automaton, its prefilter and its trigrams
// with package regexp line by line.
func TestRegexAgainstSlow(t *testing.T) {
	const seed = 1
	rng := rand.New(rand.NewSource(seed))
	alphabet := []string{"a", "b", "c", "k", "K", " ", "\n", "é", "\u212a", "_", "ab", "bab"}
	for i := range proof.Rounds(5000) {
		pattern, fold := randomRegex(rng, rng.Intn(5)), rng.Intn(4) == 0
		m, err := newRegexMatcher(pattern, fold, false)
		if err != nil {
			t.Fatalf("seed %d, case %d: %q: %v", seed, i, pattern, err)
		}
		flags := "(?:"
		if fold {
			flags = "(?i:"
		}
		for range 10 {
			text := randomText(rng, alphabet, 40)
			got, want := fmt.Sprint(lineNumbers(m, text)), fmt.Sprint(slowLines(flags+pattern+")", text))
			if got != want {
				t.Fatalf("seed %d, case %d: %q (fold %v) in %q: lines %s, want %s", seed, i, pattern, fold, text, got, want)
			}
			if want != "[]" && !m.grams.Fits(text, m.fold) {
				t.Fatalf("seed %d, case %d: %q (fold %v) matches in %q, its trigrams %s do not", seed, i, pattern, fold, text, m.grams.String())
			}
		}
		if i%8 != 0 {
			continue
		}
		long := strings.Repeat(randomText(rng, alphabet, 40)+"x", 1+skippedText/10) + randomText(rng, alphabet, 100)
		if got, want := fmt.Sprint(lineNumbers(m, long)), fmt.Sprint(slowLines(flags+pattern+")", long)); got != want {
			t.Fatalf("seed %d, case %d: %q (fold %v) in %q: lines %.100s, want %.100s", seed, i, pattern, fold, long, got, want)
		}
	}
}

// skippedText is the length of a text, in bytes, from which on the automaton skips.
const skippedText = 2000

// TestAutomatonForgets runs a pattern with more states than are kept.
func TestAutomatonForgets(t *testing.T) {
	m, err := newRegexMatcher("[ab]*a[ab]{13}c", false, false)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewSource(2))
	text := make([]byte, proof.Rounds(1<<19))
	for i := range text {
		text[i] = "ab"[rng.Intn(2)]
		if rng.Intn(2000) == 0 {
			text[i] = "\nc"[rng.Intn(2)]
		}
	}
	if got, want := fmt.Sprint(lineNumbers(m, string(text))), fmt.Sprint(slowLines("[ab]*a[ab]{13}c", string(text))); got != want {
		t.Fatalf("lines %s, want %s", got, want)
	}
}

func FuzzRegex(f *testing.F) {
	f.Add("a.b|^c$", "a\nb\nacb\nc\n", false, false)
	f.Add(`(?i)k\b`, "K\n\u212a\xff", true, true)
	f.Fuzz(func(t *testing.T, pattern, text string, fold, word bool) {
		m, err := newRegexMatcher(pattern, fold, word)
		if err != nil {
			var use *usage.Error
			if !errors.As(err, &use) {
				t.Fatalf("%q: %v", pattern, err)
			}
			return
		}
		got := lineNumbers(m, text)
		if len(got) > 0 && !m.grams.Fits(text, m.fold) {
			t.Fatalf("%q matches in %q, its trigrams %s do not", pattern, text, m.grams.String())
		}
		const before = skippedText // lines of one more byte, so that bytes are skipped
		var behind []int
		for _, n := range lineNumbers(m, strings.Repeat("x\n", before)+text) {
			if n > before {
				behind = append(behind, n-before)
			}
		}
		if fmt.Sprint(behind) != fmt.Sprint(got) {
			t.Fatalf("%q in %q: lines %v behind other lines, %v alone", pattern, text, behind, got)
		}
		if word || fold || len(m.prog.Inst) > 200 || !utf8.ValidString(text) {
			return
		}
		for line := range strings.SplitSeq(text, "\n") {
			columnsAs(t, m, line)
		}
		if want := slowLines(m.plain.String(), text); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q in %q: lines %v, want %v", pattern, text, got, want)
		}
	})
}

// TestWholeWords holds that a match between the ends of words is found where the
// leftmost match of the expression is another one.
func TestWholeWords(t *testing.T) {
	for _, tt := range []struct{ pattern, line, want string }{
		{"foo|foobar", "x foobar y", "[[2 8]]"},
		{"foo|foobar", "foo foobar", "[[0 3]]"},
		{"foo|foobar", "foobarx", "[]"},
	} {
		t.Run(tt.pattern+" in "+tt.line, func(t *testing.T) {
			m, err := newRegexMatcher(tt.pattern, false, true)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(m.ranges([]byte(tt.line))); got != tt.want {
				t.Errorf("ranges %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMultiline(t *testing.T) {
	text := "func a(\n\tx int,\n) {\n}\nfunc b() {}\n\n\nfunc c(y,\n) {}\n"
	for _, c := range []struct {
		pattern string
		want    []int
	}{
		{`func \w+\([^)]*\n`, []int{1, 8}},
		{`(?s)func.*\{\}`, []int{1}},
		{`func.*?\{\}`, []int{5}},
		{`\n\n`, []int{5}},
		{`\{\}\n\z`, []int{9}},
		{`^\}$`, []int{4}},
		{`\z`, nil}, // behind the last line
		{`nothing\n`, nil},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			q, err := NewRegex(hit.Request{Query: c.pattern, Multiline: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := lineNumbers(q.lookup.matcher, text); !slices.Equal(got, c.want) {
				t.Errorf("%s matches in the lines %v, want %v", c.pattern, got, c.want)
			}
		})
	}
}

// TestMultilineEnds: a pause that says no ends a search in the middle of a text.
func TestMultilineEnds(t *testing.T) {
	q, err := NewRegex(hit.Request{Query: `(?s)(a|b|c)*d.*x`, Multiline: true})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	f := q.lookup.matcher.finder(func() bool { asked++; return false })
	f.open(piece{text: []byte(strings.Repeat("abc\n", 1<<18))})
	if f.line(0) >= 0 || asked == 0 || asked > 2 {
		t.Errorf("the search went on: asked %d times", asked)
	}
}

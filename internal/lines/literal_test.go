package lines

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"espy/internal/ascii"
	"espy/internal/proof"
)

func TestLiteralLines(t *testing.T) {
	for _, c := range []struct {
		literal, text string
		fold, word    bool
		want          string
	}{
		{literal: "a", text: "a\nb\naa", want: "[1 3]"},
		{literal: "b\r", text: "ab\r\nab\n", want: "[1]"},
		{literal: "a\nb", text: "a\nb\na\na\nb", want: "[1 4]"},
		{literal: "a\na", text: "a\na\na\n", want: "[1 2]"},
		{literal: "\n", text: "a\n\nb", want: "[1 2]"},
		{literal: "x", text: "", want: "[]"},
		{literal: "\xff", text: "a\xff\nb", want: "[1]"},
		{literal: "FOO", fold: true, text: "foo\nfOo\nfo\n", want: "[1 2]"},
		{literal: "task", fold: true, text: "TASK\nta\u017f\u212a\n\u017fk\ntask", want: "[1 2 4]"},
		{literal: "ta\u017fk", fold: true, text: "TASK\nta\u017f\u212a\n", want: "[1 2]"},
		{literal: "Été", fold: true, text: "ÉTÉ\nete\nété", want: "[1 3]"},
		{literal: "ß", fold: true, text: "ẞ\nss\nß", want: "[1 3]"},
		{literal: "\xffA", fold: true, text: "\xffa\n\xfea\n", want: "[1]"},
		{literal: "@[`{", fold: true, text: "@[`{\n`[@{\n", want: "[1]"},
		{literal: "foo", word: true, text: "foo\nfood\n(foo)\nxfoo foo\néfoo\nfooé\n\xfffoo\nfoo\xff\n", want: "[1 3 4]"},
		{literal: "a-a", word: true, text: "xa-a-a\nxa-a\n", want: "[1]"},
		{literal: "-x", word: true, text: "a-x\n -x\n-x\n", want: "[2 3]"},
		{literal: "été", word: true, text: "été\nétés\n", want: "[1]"},
		{literal: "Été", word: true, fold: true, text: "xÉTÉ ÉTÉ\nÉTÉs\n", want: "[1]"},
	} {
		t.Run(fmt.Sprintf("%q in %q", c.literal, c.text), func(t *testing.T) {
			m := &literalMatcher{text: []byte(c.literal), fold: c.fold, word: c.word}
			if got := fmt.Sprint(lineNumbers(m, c.text)); got != c.want {
				t.Errorf("literal %q (fold %v, word %v) in %q: lines %s, want %s", c.literal, c.fold, c.word, c.text, got, c.want)
			}
		})
	}
}

func TestLiteralMatches(t *testing.T) {
	for _, c := range []struct {
		literal, text string
		fold, word    bool
		want          string
	}{
		{literal: "aa", text: "aaaa aa", want: "[[0 2] [2 4] [5 7]]"},
		{literal: "a", word: true, text: "a aa a", want: "[[0 1] [5 6]]"},
		{literal: "k", fold: true, text: "K\u212ak", want: "[[0 1] [1 4] [4 5]]"},
		{literal: "\u212a", fold: true, text: "éK\u212ak", want: "[[2 3] [3 6] [6 7]]"},
		{literal: "b\nc", text: "ab\nc", want: "[[1 4]]"},
	} {
		t.Run(fmt.Sprintf("%q in %q", c.literal, c.text), func(t *testing.T) {
			f := (&literalMatcher{text: []byte(c.literal), fold: c.fold, word: c.word}).finder(nil)
			f.open(piece{text: []byte(c.text)})
			if got := fmt.Sprint(f.matches(nil, 0, lineEnd([]byte(c.text), 0))); got != c.want {
				t.Errorf("matches of %q in %q = %s, want %s", c.literal, c.text, got, c.want)
			}
		})
	}
}

// TestLiteralAgainstSlow compares literal search with package regexp, whose
// case folding is the same.
func TestLiteralAgainstSlow(t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewSource(seed))
	alphabet := []string{"a", "A", "k", "K", "\u212a", "s", "S", "\u017f", "é", "É", "\n", "-", "_", "日", "aa", "ka"}
	for i := range proof.Rounds(20_000) {
		literal := strings.ReplaceAll(randomText(rng, alphabet, 5), "\n", "")
		if literal == "" {
			continue
		}
		text := randomText(rng, alphabet, 60)
		m := &literalMatcher{text: []byte(literal), fold: i%2 == 0, word: i%3 == 0}
		pattern := regexp.QuoteMeta(literal)
		if m.word {
			pattern = `(?:^|[^\pL\pM\pN_])` + pattern + `(?:$|[^\pL\pM\pN_])`
		}
		if m.fold {
			pattern = "(?i:" + pattern + ")"
		}
		got, want := fmt.Sprint(lineNumbers(m, text)), fmt.Sprint(slowLines(pattern, text))
		if got != want {
			t.Fatalf("seed %d, case %d: %q (fold %v, word %v) in %q: lines %s, want %s", seed, i, literal, m.fold, m.word, text, got, want)
		}
		if g := m.grams(); want != "[]" && !g.Fits(text, m.fold) {
			t.Fatalf("seed %d, case %d: %q matches in %q, its trigrams %s do not", seed, i, literal, text, g.String())
		}
	}
}

func TestFoldASCII(t *testing.T) {
	text := make([]byte, 1000)
	for i := range text {
		text[i] = byte(i)
	}
	for n := range 20 {
		got := ascii.AppendLower(nil, text[n:900])
		for i, c := range text[n:900] {
			if got[i] != ascii.Lower(c) {
				t.Fatalf("foldASCII: byte %#x became %#x", c, got[i])
			}
		}
	}
}

// TestIsWord compares the ranges that regular expressions use with the predicate.
func TestIsWord(t *testing.T) {
	ranges := notWord()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for len(ranges) > 0 && r > ranges[1] {
			ranges = ranges[2:]
		}
		in := len(ranges) > 0 && ranges[0] <= r
		if in == (isWord(r) || r == '\n') {
			t.Fatalf("%U: isWord %v, in the class of other characters %v", r, isWord(r), in)
		}
	}
}

func FuzzLiteral(f *testing.F) {
	f.Add("task", "TASK ta\u017f\u212a", true, true)
	f.Add("\xe2\x84", "\u212a\xe2\x84", true, false)
	f.Fuzz(func(t *testing.T, literal, text string, fold, word bool) {
		if literal == "" {
			return
		}
		m := &literalMatcher{text: []byte(literal), fold: fold, word: word}
		got := lineNumbers(m, text)
		finder := m.finder(nil)
		finder.open(piece{text: []byte(text)})
		finder.matches(nil, 0, lineEnd([]byte(text), 0))
		if g := m.grams(); len(got) > 0 && !g.Fits(text, fold) {
			t.Fatalf("%q matches in %q, its trigrams do not", literal, text)
		}
		if fold && (!utf8.ValidString(literal) || !utf8.ValidString(text)) || word {
			return
		}
		pattern := "(?m:" + regexp.QuoteMeta(literal) + ")"
		if fold {
			pattern = "(?i)" + pattern
		}
		found := strings.Contains(text, literal)
		if fold {
			found = regexp.MustCompile(pattern).MatchString(text)
		}
		if found != (len(got) > 0) {
			t.Fatalf("%q (fold %v) in %q: lines %v", literal, fold, text, got)
		}
	})
}

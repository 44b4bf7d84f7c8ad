package rust

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// found lists the matches of an expression in a text.
func found(t *testing.T, pattern, text string, o Options) (list []string) {
	t.Helper()
	re, err := Compile([]string{pattern}, o)
	if err != nil {
		t.Fatalf("%q: %v", pattern, err)
	}
	f := re.NewFinder(nil)
	f.Reset()
	f.All([]byte(text), 0, func(m []int) bool { list = append(list, text[m[0]:m[1]]); return true })
	if lined := !re.Spans() && f.Matches([]byte(text)); !re.Spans() && lined != (len(list) > 0) {
		t.Errorf("%q in %q: the automaton says %v, matches are %q", pattern, text, lined, list)
	}
	return list
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		o             Options
		want          []string
	}{
		{"fo+", "foo f fo", Options{}, []string{"foo", "fo"}},
		{"a|ab", "ab", Options{}, []string{"a"}},
		{"(?:ab|a)(?:c|bcd)", "abcd", Options{}, []string{"abc"}},
		{`\w+`, "été 日本_1-x", Options{}, []string{"été", "日本_1", "x"}},
		{`(?-u:\w)+`, "été", Options{}, []string{"t"}},
		{`\bfoo\b`, "foo éfoo foo", Options{}, []string{"foo", "foo"}},
		{`(?-u:\b)foo`, "éfoo", Options{}, []string{"foo"}},
		{`\d+`, "1٣", Options{}, []string{"1٣"}},
		{"ÉTÉ", "été", Options{IgnoreCase: true}, []string{"été"}},
		{"foo", "FOO foo", Options{SmartCase: true}, []string{"FOO", "foo"}},
		{"Foo", "FOO Foo", Options{SmartCase: true}, []string{"Foo"}},
		{`\w[^o]`, "foa OO", Options{SmartCase: true}, []string{"oa"}},
		{"[a-z&&[^aeiou]]+", "banana", Options{}, []string{"b", "n", "n"}},
		{"[a-d--b]+", "abcd", Options{}, []string{"a", "cd"}},
		{"[[:alpha:]--x]+", "axb", Options{}, []string{"a", "b"}},
		{"[]a]+", "x]a", Options{}, []string{"]a"}},
		{`[\]\-a]+`, "a-]", Options{}, []string{"a-]"}},
		{"(?x) f o # c\n o", "foo", Options{}, []string{"foo"}},
		{`\pL+`, "aé1", Options{}, []string{"aé"}},
		{`\p{Greek}+`, "aΣσ", Options{}, []string{"Σσ"}},
		{`\P{Greek}+`, "aΣb", Options{}, []string{"a", "b"}},
		{`\x{e9}|\u0061`, "aé", Options{}, []string{"a", "é"}},
		{"a**", "aa", Options{}, []string{"aa"}},
		{"x*", "ab", Options{}, []string{"", "", ""}},
		{".", "a\xffb", Options{}, []string{"a", "b"}},
		{"[^a]", "a\xffb", Options{}, []string{"b"}},
		{"a.c", "a.c abc", Options{Fixed: true}, []string{"a.c"}},
		{"foo", "foo foo_ (foo)", Options{Word: true}, []string{"foo", "foo"}},
		{"foo", "foo", Options{Line: true}, []string{"foo"}},
		{"foo", "foo x", Options{Line: true}, nil},
		{`a\nb`, "a\nb", Options{Multiline: true}, []string{"a\nb"}},
		{"a.b", "a\nb", Options{Multiline: true}, nil},
		{"a.b", "a\nb", Options{Multiline: true, DotAll: true}, []string{"a\nb"}},
		{"^b$", "a\nb\nc", Options{Multiline: true}, []string{"b"}},
		{`a\/b\"`, `a/b"`, Options{}, []string{`a/b"`}},
	} {
		t.Run(fmt.Sprintf("%s in %s", tt.pattern, tt.text), func(t *testing.T) {
			if got := found(t, tt.pattern, tt.text, tt.o); !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestLongLines holds that matches are the same whichever way they are found.
func TestLongLines(t *testing.T) {
	line := strings.Repeat("lorem ipsum été 日本 ", 3000)
	for _, pattern := range []string{`\w+ \w+`, "(?:ip|do)s(u)m", `(\w)(\w)\b`, "日[^ ]+", "e+?t|é"} {
		t.Run(pattern, func(t *testing.T) {
			long := found(t, pattern, line, Options{})
			short := found(t, pattern, line[:len(line)/3000*2], Options{})
			if len(long) < 2000 || !slices.Equal(long[:len(short)-1], short[:len(short)-1]) {
				t.Errorf("%d matches %.40q, in a short line %q", len(long), long, short)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for pattern, hint := range map[string]string{
		"(": "-F", ")": "-F", "*a": "-F", "[a": "-F", "a{": "-F", "a{2,1}": "-F", `\`: "-F", "(?": "-F", "[b-a]": "-F", `\p{Nope}`: "scripts", "(?=a)": "-P does", `(a)\1`: "-P does",
		`a\nb`: "-U", "a{1001}": "1,000", `(?-u:\xff)`: "UTF-8", `\<a`: `\b`, "(?z)": "flags", `\bx(?-u:\b)`: "all of them", "\xff": `\x{`, "(?P<a": "-F", "(?i": "-F", `\x{110000}`: "-F",
	} {
		t.Run(pattern, func(t *testing.T) {
			_, err := Compile([]string{pattern}, Options{})
			if err == nil || !strings.Contains(err.Error(), hint) {
				t.Errorf("error %v, want one with %s", err, hint)
			}
		})
	}
}

func TestStops(t *testing.T) {
	re, err := Compile([]string{`(x+x+)+y`}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	f := re.NewFinder(func() bool { asked++; return true })
	if m := f.Find([]byte(strings.Repeat("x", 1<<20)), 0); m != nil || asked != 1 {
		t.Errorf("%v, asked %d times", m, asked)
	}
}

func FuzzCompile(f *testing.F) {
	for _, p := range []string{"a", "[a-z&&[^b]]", `\p{L}`, "(?x) a # b", "a{2,3}?", `[\w--\d]`, "(?P<n>a)|b"} {
		f.Add(p, "text")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := Compile([]string{pattern}, Options{})
		if err != nil {
			return
		}
		finder := re.NewFinder(nil)
		finder.All([]byte(text), 0, func(m []int) bool { return m[0] <= m[1] && m[1] <= len(text) })
	})
}

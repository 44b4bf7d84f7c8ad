package rust

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestPerl holds the matches of expressions that PCRE2 alone has, as PCRE2 10.45 finds them
// with the options of ripgrep.
func TestPerl(t *testing.T) {
	for _, tt := range []struct{ pattern, text, want string }{
		{`foo(?=bar)`, "foobar foobaz", "0-3"},
		{`foo(?!bar)`, "foobar foobaz", "7-10"},
		{`(?<=a|bc)x`, "ax bcx cx", "1-2 5-6"},
		{`(?<!a)x`, "ax bx", "4-5"},
		{`(?<=\w{1,3})-`, "-a-", "2-3"},
		{`(\w)\1`, "aabbc", "0-2 2-4"},
		{`(?i)(\w)\1`, "aA", "0-2"},
		{`(?<q>["']).*?\k<q>`, `'a"b' "c"`, "0-5 6-9"},
		{`(?P<q>a)(?P=q)\g{1}\g{-1}`, "aaaa", "0-4"},
		{`foo\Kbar`, "foobar", "3-6"},
		{`(?>a+)b`, "aaab", "0-4"},
		{`(?>a+)ab`, "aaab", ""},
		{`a++b`, "aab", "0-3"},
		{`a*+a`, "aaa", ""},
		{`(a|ab)(c|bcd)(?=e)`, "abcde", "0-4"},
		{`(?:(a|b\1))+(?!x)`, "aba", "0-3"},
		{`(a*)*(?!x)b`, "aab", "0-3"},
		{`(?!a)(?:)`, "ab", "1-1 2-2"},
		{`\bif\b(?!.*else)`, "if a\nif b else\nif", "0-2 15-17"},
		{`^(?!.*x)\w+$`, "ab\nax\ncd", "0-2 6-8"},
		{`\w+(?<!s)\b`, "cats dog", "5-8"},
		{`(?=é)\w`, "aé", "1-3"},
		{`(?<=é)x`, "éx", "2-3"},
		{`(?s)a.+?(?=c)`, "abc", "0-2"},
		{`a\Z(?!b)`, "a", "0-1"},
		{"(?!x)\\w", "\xffa", "1-2"},
		{`(?=a)\Qa.b\E`, "a.b axb", "0-3"},
	} {
		t.Run(tt.pattern, func(t *testing.T) {
			re, err := CompilePerl([]string{tt.pattern}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			f, at := re.NewFinder(nil), 0
			var got []string
			for line := range strings.Lines(tt.text) {
				line = strings.TrimSuffix(line, "\n")
				some := false
				f.All([]byte(line), 0, func(m []int) bool {
					got, some = append(got, fmt.Sprintf("%d-%d", at+m[0], at+m[1])), true
					return true
				})
				if f.Reset(); f.Matches([]byte(line)) != some || (f.Line([]byte(line), 0) >= 0) != some && line != "" {
					t.Errorf("a match in %q: want %v", line, some)
				}
				at += len(line) + 1
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("matches of %q: %v; want %s", tt.text, got, tt.want)
			}
		})
	}
}

// TestPerlOptions holds what flags of a command line do to expressions of PCRE2.
func TestPerlOptions(t *testing.T) {
	for _, tt := range []struct {
		patterns []string
		o        Options
		text     string
		want     []int // of the first match; nil for none
	}{
		{[]string{`foo(?=\W)`}, Options{Word: true}, "foo. xfoo.", []int{0, 3}},
		{[]string{`(a)\1`}, Options{Line: true}, "aaa", nil},
		{[]string{`(a)\1`, `b(?!c)`}, Options{}, "bcb", []int{2, 3, -1, -1}},
		{[]string{`(a)\1`}, Options{SmartCase: true}, "AA", []int{0, 2, 0, 1}},
		{[]string{`(a)\1\W`}, Options{SmartCase: true}, "AA ", []int{0, 3, 0, 1}},
		{[]string{`(A)\1`}, Options{SmartCase: true}, "aa", nil},
		{[]string{`a\n(?=b)`}, Options{Multiline: true}, "a\nb", []int{0, 2}},
		{[]string{`a.(?=b)`}, Options{Multiline: true, DotAll: true}, "a\nb", []int{0, 2}},
		{[]string{`a\R(?=b)`}, Options{Multiline: true}, "a\r\nb", []int{0, 3}},
		{[]string{`a$\n^(?=b)`}, Options{Multiline: true}, "a\nb", []int{0, 2}},
	} {
		t.Run(strings.Join(tt.patterns, " "), func(t *testing.T) {
			re, err := CompilePerl(tt.patterns, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := re.NewFinder(nil).Find([]byte(tt.text), 0); !slices.Equal(got, tt.want) {
				t.Errorf("%v; want %v", got, tt.want)
			}
		})
	}
}

// TestPerlEnds holds that what could be matched in too many ways is given up, and said.
func TestPerlEnds(t *testing.T) {
	re, err := CompilePerl([]string{`(?=a)(a|aa)+$`}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := re.NewFinder(nil)
	if m := f.Find([]byte(strings.Repeat("a", 100)+"b"), 0); m != nil || !f.Exhausted() || f.Exhausted() {
		t.Errorf("%v, and what was given up is said otherwise than once", m)
	}
	if m := f.Find([]byte("aaa"), 0); m == nil || f.Exhausted() {
		t.Error("the next text is not matched")
	}
	long := []byte(strings.Repeat("ab", 1<<20))
	if m := f.Find(long, 0); m != nil {
		t.Errorf("%v", m)
	}
}

// FuzzPerl holds that whatever is given is compiled or refused, and that a match of it is
// one where the wider expression has one too.
func FuzzPerl(f *testing.F) {
	for _, s := range []string{`a{2}[\]&]\Qx`, `(?<n>\h)+\k<n>`, `[`, `\`, `(?<=a|\w{2})b++(?!c)`, `(?>a*)*\1(x)`} {
		f.Add(s, "aab bc")
	}
	f.Fuzz(func(t *testing.T, pattern, line string) {
		re, err := CompilePerl([]string{pattern}, Options{})
		if err != nil || strings.Contains(line, "\n") {
			return
		}
		finder := re.NewFinder(nil)
		found := finder.Find([]byte(line), 0) != nil
		if finder.Reset(); !finder.Exhausted() && line != "" && finder.Matches([]byte(line)) != found {
			t.Errorf("%q in %q: a match %v, a line that matches %v", pattern, line, found, !found)
		}
	})
}

// TestPerlStop holds that a search of many lines, each of which takes few steps, is ended,
// and that this is no limit of the work.
func TestPerlStop(t *testing.T) {
	re, err := CompilePerl([]string{`(?=a)(a|b)+?c`}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	over := false
	f := re.NewFinder(func() bool { return over })
	line := []byte(strings.Repeat("ab", 500) + " c")
	for range 1000 {
		f.perl.Find(line, 0)
		over = true
	}
	if f.perl.Find([]byte("abc"), 0) != nil || f.perl.Exhausted() {
		t.Error("a search goes on that was ended")
	}
}

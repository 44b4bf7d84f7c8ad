package lines

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/proof"
)

// columnsAs compares the columns by automaton with those of package regexp.
func columnsAs(t *testing.T, m *regexMatcher, line string) {
	t.Helper()
	want := m.ranges([]byte(line))
	if len(want) > 0 {
		want = slices.DeleteFunc(want, func(r [2]int) bool { return r[0] > want[0][0]+hit.MaxLineBytes })
	}
	if got := newColumns(m, nil).ranges([]byte(line)); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%q in %.80q: columns %v, want %v", m.plain, line, got, want)
	}
}

// TestColumns holds that the automaton finds the columns that package regexp does.
func TestColumns(t *testing.T) {
	lines := []string{
		"", "a", "abcabcab", "foo bar, foobar", "x=1; yy=22; zzz=333", "  \tindent(foo)", "été noir, été", "日本語 text 日本", "aaaaaaaaaaaaaaaa", "\x00\U0010ffffé",
		strings.Repeat("ab, c", 400),
	}
	patterns := []string{
		"a", "a*", "a*?", "(a|ab)(c|bcd)?", "b|abc", "a.*b|c", "^a", "b$", "^", "$", `\b`, `\B`, `\w+`, `\bfoo\b`, "(?i)FOO", `.{3}`, `.{2,4}?`, `(a|b)*c`, `\s*(\w+)=(\d+)`, "é", "[^a]+", "日本|語",
		`(?U)a+b`, `x*|b`, `(foo)?bar`, `.`, "",
	}
	for _, pattern := range patterns[:proof.Rounds(len(patterns))] {
		t.Run(pattern, func(t *testing.T) {
			for _, word := range []bool{false, true} {
				m, err := newRegexMatcher(pattern, false, word)
				if err != nil {
					t.Fatal(err)
				}
				for _, line := range lines {
					columnsAs(t, m, line)
				}
			}
		})
	}
}

// TestColumnsEnd holds that the columns of a line of a megabyte come from the
// automaton, whatever is repeated, and are no more than a hit shows.
func TestColumnsEnd(t *testing.T) {
	line := []byte(strings.Repeat("some text, no end ", 1<<20/18))
	for _, c := range []struct {
		pattern string
		most    int
	}{{".{1000}", 1}, {"(.{100}){9}end", 1}, {`(\w+\W+){200}`, 1}, {".{1000}x|end", 29}, {".", hit.MaxLineBytes + 1}} {
		t.Run(c.pattern, func(t *testing.T) {
			m, err := newRegexMatcher(c.pattern, false, false)
			if err != nil {
				t.Fatal(err)
			}
			f := m.finder(nil).(*regexFinder)
			f.open(piece{text: line})
			if n := len(f.matches(nil, 0, len(line))); f.long[m] == nil || n == 0 || n > c.most {
				t.Errorf("%d matches, at most %d are shown; by automaton: %v", n, c.most, f.long[m] != nil)
			}
		})
	}
}

// TestPauses holds that what takes long in one line, to find it or its columns,
// pauses all the time, and ends where the pause says so.
func TestPauses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(' ' + r.IntN(90))
	}
	line := string(noise)
	for _, c := range []struct {
		name, pattern string
		find          func(f *regexFinder)
	}{
		{"find", "[a-m].{200}[0-9].{300}[a-c]{9}", func(f *regexFinder) { f.line(0) }},
		{"starts", "[a-m].{200}[0-9].{300}[a-z]", func(f *regexFinder) { f.matches(nil, 0, len(line)) }},
		{"one match", ".*[ab].*", func(f *regexFinder) { f.matches(nil, 0, len(line)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := newRegexMatcher(c.pattern, false, false)
			if err != nil {
				t.Fatal(err)
			}
			count := func(most int) (pauses int) {
				f := m.finder(func() bool { pauses++; return pauses < most }).(*regexFinder)
				f.open(piece{text: []byte(line)})
				c.find(f)
				return pauses
			}
			if n := count(1_000_000); n < 20 {
				t.Errorf("%d pauses, want at least 20", n)
			}
			if n := count(3); n > 5 {
				t.Errorf("%d pauses after it was told to end", n-3)
			}
		})
	}
}

// TestColumnsBegin holds from which length on the columns of a line come from the automaton.
func TestColumnsBegin(t *testing.T) {
	m, err := newRegexMatcher("ab", false, false)
	if err != nil {
		t.Fatal(err)
	}
	enough := (64<<10 + len(m.prog.Inst) - 1) / len(m.prog.Inst)
	for length, want := range map[int]bool{2: false, enough - 1: false, enough: true, 2 * enough: true} {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			f := m.finder(nil).(*regexFinder)
			line := []byte("ab" + strings.Repeat("x", length-2))
			f.open(piece{text: line})
			if got := f.matches(nil, 0, len(line)); f.long[m] != nil != want || len(got) != 1 {
				t.Errorf("%d matches; by automaton: %v, want %v", len(got), f.long[m] != nil, want)
			}
		})
	}
}

// TestColumnsOfBadText holds that bytes that are not UTF-8 do not move the columns
// behind them, and that the other characters stay what they are.
func TestColumnsOfBadText(t *testing.T) {
	for _, c := range []struct{ pattern, line, want string }{
		{"ab", "\xffab\xfe\xfdab", "[[1 3] [5 7]]"},
		{"é", "é\xffé", "[[0 2] [3 5]]"},
		{"\ufffd", "\ufffd\xff\ufffd", "[[0 3] [4 7]]"},
		{"b$", "é\xe2\x84b", "[[4 5]]"},
		{".", "\xff", "[]"},
	} {
		t.Run(fmt.Sprintf("%q in %q", c.pattern, c.line), func(t *testing.T) {
			m, err := newRegexMatcher(c.pattern, false, false)
			if err != nil {
				t.Fatal(err)
			}
			f := m.finder(nil).(*regexFinder)
			f.open(piece{text: []byte(c.line)})
			if got := fmt.Sprint(f.matches(nil, 0, len(c.line))); got != c.want {
				t.Errorf("columns %s, want %s", got, c.want)
			}
		})
	}
}

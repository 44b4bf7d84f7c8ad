package show

import (
	"bytes"
	"testing"

	"espy/internal/grep/rust"
	"espy/internal/grep/scan"
)

// page takes what is printed of one file.
type page struct{ bytes.Buffer }

func (p *page) Separate() {}

func TestPrinter(t *testing.T) {
	const text = "one\n  foo bar foo\ntwo\n"
	replace := "<$1>"
	for _, tt := range []struct {
		name    string
		o       Options
		pattern string
		want    string
	}{
		{"line", Options{}, "foo", "  foo bar foo\n"},
		{"name and number", Options{Path: true, LineNumber: true, MatchField: ":"}, "foo", "f.txt:2:  foo bar foo\n"},
		{"column and offset", Options{Column: true, ByteOffset: true, LineNumber: true, MatchField: ":"}, "bar", "2:7:4:  foo bar foo\n"},
		{"matches alone", Options{OnlyMatching: true}, "fo+", "foo\nfoo\n"},
		{"a line for each match", Options{PerMatch: true, Column: true, LineNumber: true, MatchField: ":"}, "fo+", "2:3:  foo bar foo\n2:11:  foo bar foo\n"},
		{"replaced", Options{Replace: &replace}, "(ba)r", "  foo <ba> foo\n"},
		{"trimmed", Options{Trim: true}, "foo", "foo bar foo\n"},
		{"long line", Options{MaxColumns: 5}, "foo", "[Omitted long matching line]\n"},
		{"lines counted", Options{Kind: Count}, "foo|two", "2\n"},
		{"matches counted", Options{Kind: CountMatches}, "foo|two", "3\n"},
		{"name where found", Options{Kind: With}, "foo", "f.txt\n"},
		{"name where not", Options{Kind: Without}, "nope", "f.txt\n"},
		{"name with a NUL byte", Options{Kind: With, Null: true}, "foo", "f.txt\x00"},
		{"nothing", Options{Kind: Quiet}, "foo", ""},
		{"at most one", Options{MaxCount: 1}, "o", "one\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.o.MaxCount == 0 {
				tt.o.MaxCount = -1
			}
			re, err := rust.Compile([]string{tt.pattern}, rust.Options{})
			if err != nil {
				t.Fatal(err)
			}
			f := re.NewFinder(func() bool { return false })
			p, out := New(&tt.o, re, f), &page{}
			p.File("f.txt", out, nil)
			scan.Run([]byte(text), f, false, &scan.Options{}, p)
			if out.String() != tt.want {
				t.Errorf("printed %q, want %q", out.String(), tt.want)
			}
		})
	}
}

// TestGraphemes holds that what people see as one character is not cut, and that bytes
// which are no characters are counted as ripgrep does.
func TestGraphemes(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"abc", 2, "ab"},
		{"abc", 5, "abc"},
		{"e\u0301te", 1, "e\u0301"},
		{"\U0001F1E9\U0001F1EAx", 1, "\U0001F1E9\U0001F1EA"},
		{"a\r\nb", 2, "a\r\n"},
		{"\xef\xbf\xff", 1, "\xef\xbf"},
		{"\xef\xef\x9c!", 2, "\xef\xef\x9c"},
		{"\xed\x85!", 1, "\xed\x85"},
		{"\xed\xb4\xd0", 2, "\xed\xb4"},
		{"\xe0\x80", 1, "\xe0"},
		{"\xf0\x9f\x98", 1, "\xf0\x9f\x98"},
		{"\xf4\x90", 1, "\xf4"},
		{"\xc0\x80", 1, "\xc0"},
		{"\xff\u0301", 1, "\xff"},
		{"a\xffb", 2, "a\xff"},
	} {
		if got := tt.text[:graphemes([]byte(tt.text), tt.n)]; got != tt.want {
			t.Errorf("the first %d characters of %q are %q, want %q", tt.n, tt.text, got, tt.want)
		}
	}
}

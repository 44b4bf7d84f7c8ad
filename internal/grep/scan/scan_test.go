package scan

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/grep/rust"
)

// teller writes down what it is told: m a line that matches, c context, - a gap, b where
// a NUL byte was seen, and how many bytes were searched.
type teller struct {
	told []string
	most int // matches, after which it wants no more; 0 for all
}

func (t *teller) Begin() bool { return true }

func (t *teller) Matched(l *Lines) bool {
	t.told = append(t.told, fmt.Sprintf("m%d:%s", l.Number(), strings.TrimSpace(string(l.Bytes()))))
	t.most--
	return t.most != 0
}

func (t *teller) Context(l *Lines) bool {
	t.told = append(t.told, fmt.Sprintf("c%d:%s", l.Number(), strings.TrimSpace(string(l.Bytes()))))
	return true
}

func (t *teller) Gap()             { t.told = append(t.told, "-") }
func (t *teller) Binary(at int)    { t.told = append(t.told, fmt.Sprintf("b%d", at)) }
func (t *teller) Finish(e *Ending) { t.told = append(t.told, fmt.Sprintf("end %d", e.Searched)) }

func TestRun(t *testing.T) {
	const text = "one\nfoo\ntwo\nthree\nfoo foo\nfour\n"
	for _, tt := range []struct {
		name, text, pattern string
		o                   Options
		most                int
		spans               bool
		want                string
	}{
		{"lines", text, "foo", Options{}, 0, false, "m2:foo m5:foo foo end 31"},
		{"none", text, "bar", Options{}, 0, false, "end 31"},
		{"empty text", "", "", Options{}, 0, false, "end 0"},
		{"no end of line", "a\nfoo", "foo", Options{}, 0, false, "m2:foo end 5"},
		{"inverted", text, "foo|t", Options{Invert: true}, 0, false, "m1:one m6:four end 31"},
		{"context", text, "two", Options{Before: 1, After: 1}, 0, false, "c2:foo m3:two c4:three end 31"},
		{"context with a gap", text, "foo", Options{After: 1}, 0, false, "m2:foo c3:two - m5:foo foo c6:four end 31"},
		{"context that touches", text, "foo", Options{Before: 1, After: 1}, 0, false, "c1:one m2:foo c3:two c4:three m5:foo foo c6:four end 31"},
		{"passthru", "a\nfoo\n", "foo", Options{Passthru: true}, 0, false, "c1:a m2:foo end 6"},
		{"stop behind matches", text, "foo", Options{StopOnGap: true}, 0, false, "m2:foo end 31"},
		{"one is enough", text, "foo", Options{}, 1, false, "m2:foo end 0"},
		{"across lines", "a {\n}\nb\n", `\{\n\}`, Options{}, 0, true, "m1:a {\n} end 8"},
		{"binary that was found", "foo\n\x00\nfoo\n", "foo", Options{}, 0, false, "b4 end 0"},
		{"binary that was named", "foo\n\x00\nfoo\n", "foo", Options{Binary: Convert}, 0, false, "b4 m1:foo m4:foo end 10"},
		{"binary as text", "foo\n\x00\nfoo\n", "foo", Options{Binary: Text}, 0, false, "m1:foo m3:foo end 10"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			re, err := rust.Compile([]string{tt.pattern}, rust.Options{Multiline: tt.spans})
			if err != nil {
				t.Fatal(err)
			}
			told := &teller{most: tt.most}
			Run([]byte(tt.text), re.NewFinder(func() bool { return false }), tt.spans, &tt.o, told)
			if got := strings.Join(told.told, " "); got != tt.want {
				t.Errorf("told %q, want %q", got, tt.want)
			}
		})
	}
}

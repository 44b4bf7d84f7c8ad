package seen

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"espy/internal/usage"
)

// files are texts by "repo path".
type files map[string][]string

func (f files) text(repo, path string) []string { return f[repo+" "+path] }

func numbered(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i+1)
	}
	return lines
}

func parse(t *testing.T, token string, f files) *Lines {
	t.Helper()
	l, err := Parse(token, f.text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func tokenOf(t *testing.T, f files, shown ...File) string {
	t.Helper()
	token, lost := parse(t, "", f).Token(shown...)
	if lost || len(token) > MaxToken {
		t.Fatalf("token of %d bytes, lost %v", len(token), lost)
	}
	return token
}

func TestHas(t *testing.T) {
	f := files{"r a": numbered(50), "r b": numbered(50), "q a": numbered(50)}
	token := tokenOf(t, f, File{"r", "a", []Run{{3, 5}, {10, 12}}}, File{"r", "b", []Run{{1, 1}}}, File{"r", "a", []Run{{6, 6}}})
	changed := files{"r a": numbered(50), "r b": numbered(50)}
	changed["r a"][11] = "another line"
	shorter := files{"r a": numbered(11), "r b": numbered(50)}
	for _, tt := range []struct {
		name, repo, path string
		line             int
		files            files
		want             bool
	}{
		{"first of a run", "r", "a", 3, f, true},
		{"last of a run", "r", "a", 12, f, true},
		{"joined to a run", "r", "a", 6, f, true},
		{"before", "r", "a", 2, f, false},
		{"between", "r", "a", 8, f, false},
		{"another file", "r", "b", 1, f, true},
		{"another repository", "q", "a", 3, f, false},
		{"a file with a changed line", "r", "a", 3, changed, false},
		{"a file beside it", "r", "b", 1, changed, true},
		{"a file that has become shorter", "r", "a", 3, shorter, false},
		{"a file that is gone", "r", "a", 3, files{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := parse(t, token, tt.files).Has(tt.repo, tt.path, tt.line); got != tt.want {
				t.Errorf("Has(%s %s:%d) = %v", tt.repo, tt.path, tt.line, got)
			}
		})
	}
	t.Run("nil", func(t *testing.T) {
		if (*Lines)(nil).Has("r", "a", 1) {
			t.Error("nothing is held")
		}
	})
}

// TestToken holds that tokens add up, that equal ones are equal bytes, and that the
// oldest files fall off one that is full.
func TestToken(t *testing.T) {
	f := files{}
	for i := range 60 {
		f[fmt.Sprintf("r f%d", i)] = numbered(20)
	}
	t.Run("adds up", func(t *testing.T) {
		first := tokenOf(t, f, File{"r", "f1", []Run{{1, 2}}})
		l := parse(t, first, f)
		second, _ := l.Token(File{"r", "f1", []Run{{3, 4}}}, File{"r", "f2", []Run{{9, 9}}})
		if second != tokenOf(t, f, File{"r", "f1", []Run{{1, 4}}}, File{"r", "f2", []Run{{9, 9}}}) {
			t.Error("the same lines, another token")
		}
		if again, _ := parse(t, second, f).Token(); again != second {
			t.Error("a token does not survive an answer that shows nothing")
		}
	})
	t.Run("is kept for those after it", func(t *testing.T) {
		l := parse(t, "", f)
		l.Keep([]File{{"r", "f1", []Run{{1, 2}}}})
		if !l.Has("r", "f1", 2) || l.Has("r", "f1", 3) {
			t.Error("kept lines are held, no others")
		}
	})
	t.Run("full", func(t *testing.T) {
		l := parse(t, "", f)
		var shown []File
		for i := range 60 {
			shown = append(shown, File{"r", fmt.Sprintf("f%d", i), []Run{{1, 20}}})
		}
		token, lost := l.Token(shown...)
		if !lost || len(token) > MaxToken {
			t.Fatalf("token of %d bytes, lost %v", len(token), lost)
		}
		l = parse(t, token, f)
		if l.Has("r", "f0", 1) || !l.Has("r", "f59", 1) {
			t.Error("the oldest file must fall off, the newest stay")
		}
	})
	t.Run("many runs of a file", func(t *testing.T) {
		f["r long"] = numbered(500)
		var runs []Run
		for n := 1; n < 400; n += 4 {
			runs = append(runs, Run{n, n + n%3})
		}
		l := parse(t, tokenOf(t, f, File{"r", "long", runs}), f)
		held := 0
		for n := range 500 {
			if l.Has("r", "long", n) {
				held++
			}
		}
		if held < maxRuns {
			t.Errorf("%d lines are held", held)
		}
	})
}

// TestRefused holds that no wrong token is taken, and that the error says what to do.
func TestRefused(t *testing.T) {
	f := files{"r a": numbered(9)}
	good := tokenOf(t, f, File{"r", "a", []Run{{1, 9}}})
	other := []byte{2, 0}
	sum := checkOf(other)
	for name, token := range map[string]string{
		"text": "hello", "of a cursor": "AAAAAAAAAAAAAAAA", "cut": good[:len(good)-4], "padded": good + "=",
		"changed": strings.Map(func(r rune) rune {
			if r == 'A' {
				return 'B'
			}
			return r
		}, good),
		"too long":           strings.Repeat("A", MaxToken+4),
		"of another version": base64.RawURLEncoding.EncodeToString(append(other, sum[:]...)),
	} {
		t.Run(name, func(t *testing.T) {
			l, err := Parse(token, f.text)
			var refused *usage.Error
			if l != nil || !errors.As(err, &refused) || refused.Arg != "seen" || refused.Hint == "" {
				t.Errorf("Parse(%q) = %v, %v", token, l, err)
			}
		})
	}
}

// FuzzParse holds that any token is refused or holds what its text has.
func FuzzParse(f *testing.F) {
	all := files{"r a": numbered(9)}
	l, err := Parse("", all.text)
	if err != nil {
		f.Fatal(err)
	}
	good, _ := l.Token(File{"r", "a", []Run{{1, 3}, {5, 6}}})
	f.Add(good, []byte{1, 0})
	f.Add("", []byte{1, 1, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, token string, body []byte) {
		sum := checkOf(body)
		for _, text := range []string{token, base64.RawURLEncoding.EncodeToString(append(body, sum[:]...))} {
			l, err := Parse(text, all.text)
			if err != nil {
				continue
			}
			for n := -1; n < 12; n++ {
				if l.Has("r", "a", n) && (n < 1 || n > 9) {
					t.Fatalf("%q holds line %d", text, n)
				}
			}
			if again, _ := l.Token(); len(again) > MaxToken {
				t.Fatalf("%q becomes %q", text, again)
			}
		}
	})
}

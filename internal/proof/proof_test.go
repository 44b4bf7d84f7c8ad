package proof

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

const text = `
# one
a | x | does a
b | - | does b | or c

# two
c | y | does c
`

func TestSheet(t *testing.T) {
	s := New("Intro.\n", text)
	t.Run("first", func(t *testing.T) { s.Proves(t, "a b") })
	t.Run("again", func(t *testing.T) { s.Proves(t, "a") })
	if !s.Has("one", "x") || s.Has("two", "x") {
		t.Errorf("the subjects of the sections are not told apart")
	}
	if got := strings.Join(s.unproven(), " "); got != "c" {
		t.Errorf("unproven %q, want c", got)
	}
	file := filepath.Join(t.TempDir(), "table.md")
	if err := s.check(file, true); err == nil || err.Error() != "no test proves c" {
		t.Errorf("a row without a test: %v", err)
	}
	const want = `Intro.

## one

| | behaviour | proven by | passes |
|---|---|---|---|
| x | does a | TestSheet | yes |
| - | does b \| or c | TestSheet | yes |

## two

| | behaviour | proven by | passes |
|---|---|---|---|
| y | does c |  | NO |
`
	if got := s.markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCheck(t *testing.T) {
	s := New("", text)
	t.Run("all", func(t *testing.T) { s.Proves(t, "a b c") })
	file := filepath.Join(t.TempDir(), "table.md")
	if err := s.check(file, false); err == nil {
		t.Error("a table that is not there passes")
	}
	if err := errors.Join(s.check(file, true), s.check(file, false)); err != nil {
		t.Error(err)
	}
	s.rows[0].behaviour = "does more"
	if err := s.check(file, false); err == nil || !strings.Contains(err.Error(), "out of date") {
		t.Errorf("a table that is out of date: %v", err)
	}
}

// failing is a test that has failed.
type failing struct {
	*testing.T
	errors   int
	cleanups []func()
}

func (f *failing) Errorf(string, ...any) { f.errors++ }
func (f *failing) Failed() bool          { return true }
func (f *failing) Cleanup(c func())      { f.cleanups = append(f.cleanups, c) }

func TestFailingTest(t *testing.T) {
	s := New("", text)
	f := &failing{T: t}
	s.Proves(f, "a nothing")
	for _, c := range f.cleanups {
		c()
	}
	if f.errors != 1 || !strings.Contains(s.markdown(), "| x | does a | TestFailingTest | NO |") {
		t.Errorf("%d errors\n%s", f.errors, s.markdown())
	}
}

func TestNoSheet(t *testing.T) {
	for _, bad := range []string{"a | b | c", "# s\na | b", "# s\na | b | c\na | d | e"} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("New takes %q", bad)
				}
			}()
			New("", bad)
		})
	}
}

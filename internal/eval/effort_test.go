package eval

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/code"

	"github.com/google/go-cmp/cmp"
)

func TestCountLines(t *testing.T) {
	for _, test := range []struct {
		text, word string
		want       uint32
	}{
		{"", "a", 0},
		{"a", "a", 1},
		{"a a a\n", "a", 1},
		{"a\nb\na", "a", 2},
		{"xay\n\nxay\n", "a", 2},
		{"aa\naa\n", "aa", 2},
	} {
		t.Run(fmt.Sprintf("%q in %q", test.word, test.text), func(t *testing.T) {
			if got := countLines([]byte(test.text), []byte(test.word)); got != test.want {
				t.Errorf("countLines(%q, %q) = %d, want %d", test.text, test.word, got, test.want)
			}
		})
	}
}

func TestGrepWords(t *testing.T) {
	got := grepWords("Where is the HTTPServer of an id closed? HTTPServer!")
	if diff := cmp.Diff([]string{"httpserver", "closed"}, got); diff != "" {
		t.Fatalf("grepWords differs (-want +got):\n%s", diff)
	}
}

// TestEfforts follows one question by hand: both files hold a word, the wrong
// one on more lines, so grep reads it first and whole.
func TestEfforts(t *testing.T) {
	corpora := t.TempDir()
	wrong := "package src\n\n" + strings.Repeat("// ripen\n", 400)
	right := "package src\n\nfunc Ripen() {}\n"
	write(t, corpora, "mice", map[string]string{"wrong.go": wrong, "right.go": right, "other.go": "package src\n"})
	questions := []Question{
		{ID: "1", Repo: "mice", Query: "Ripen", Targets: []Target{{Path: "right.go"}}},
		{ID: "2", Repo: "mice", Query: "Ripen", Targets: []Target{{Path: "other.go"}}},
	}
	run := evaluateIn(t, Options{Questions: questions, Corpora: corpora, Compared: true})
	read := code.Tokens(len("wrong.go:400\n")) + code.Tokens(len(wrong)) + code.Tokens(len("right.go:1\n")) + code.Tokens(len(right))
	hit := "right.go:1-3 func Ripen\n1: package src\n2: \n3: func Ripen() {}\n"
	if got, want := run.Efforts[0], (Effort{Found: true, Search: code.Tokens(len(hit)), Grep: true, Read: read}); got != want {
		t.Errorf("effort %+v, want %+v", got, want)
	}
	if got := run.Efforts[1]; got.Found || got.Grep || got.Read != read || got.Search <= run.Efforts[0].Search {
		t.Errorf("effort of a question without an answer: %+v", got)
	}
	tokens := run.Tokens()
	want := &Tokens{
		Questions: 2, Both: 1,
		SearchMedian: run.Efforts[0].Search, SearchMean: float64(run.Efforts[0].Search), ReadMedian: read, ReadMean: float64(read),
		Fallback: float64(run.Efforts[0].Search+run.Efforts[1].Search+read) / 2, ReadAll: float64(read),
	}
	if diff := cmp.Diff(want, tokens); diff != "" {
		t.Errorf("Tokens() differs (-want +got):\n%s", diff)
	}
}

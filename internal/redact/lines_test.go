package redact

import (
	"bytes"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// linesOf are where the lines of a text begin and end.
func linesOf(text []byte) (list [][2]int) {
	at := 0
	for line := range bytes.Lines(text) {
		list = append(list, [2]int{at, at + len(line)})
		at += len(line)
	}
	return list
}

// TestLinesTogether holds that lines are told the secrets that they are told alone,
// whichever are asked about.
func TestLinesTogether(t *testing.T) {
	var b strings.Builder
	b.WriteString("# keys\n" + begin + "\n" + firstLine + "\n" + secondLine + "\n" + lastLine + "\n" + finish + "\n")
	rng := rand.New(rand.NewSource(1))
	for kind, key := range kinds {
		b.WriteString(strings.Repeat("func f1234567890() { return x }\n", rng.Intn(60)) + "token: \"" + key + "\"\n" + setting(kind, key) + "\n")
	}
	text := []byte(b.String() + strings.Repeat("x", 3*maxBlock) + "\nlast line")
	lines := linesOf(text)
	for _, every := range []int{1, 2, 3, 7, 40} {
		p, l := Part{Path: "a.yaml", Text: text}, Lines{Part: Part{Path: "a.yaml", Text: text}}
		secrets := 0
		for i, line := range lines {
			if rng.Intn(every) > 0 {
				continue
			}
			want := p.Spans(line[0], line[1])
			if got := l.Spans(line[0], line[1]); !slices.Equal(got, want) {
				t.Errorf("every %d, line %d, %.80q: %v, want %v", every, i+1, text[line[0]:line[1]], got, want)
			}
			secrets += len(want)
		}
		if every == 1 && secrets < len(kinds) {
			t.Errorf("%d secrets of %d kinds", secrets, len(kinds))
		}
	}
}

// TestLinesAtOnce holds that lines which follow each other are looked at together, and that
// a line alone is not looked beyond.
func TestLinesAtOnce(t *testing.T) {
	text := bytes.Repeat([]byte("a line of text\n"), 10_000)
	lines := linesOf(text)
	l := Lines{Part: Part{Text: text}}
	looked := 0
	for _, line := range lines {
		to := l.to
		if l.Spans(line[0], line[1]); l.to != to {
			looked++
		}
	}
	if most := len(text)/maxBlock + 8; looked == 0 || looked > most {
		t.Errorf("looked %d times at %d bytes, want at most %d times", looked, len(text), most)
	}
	for _, every := range []int{2, 10, 100} {
		l = Lines{Part: Part{Text: text}}
		for i := 0; i < len(lines); i += every {
			if l.Spans(lines[i][0], lines[i][1]); l.to != 0 {
				t.Fatalf("every %d lines, line %d: looked at text[%d:%d]", every, i+1, l.from, l.to)
			}
		}
	}
}

package content

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestLines reads made texts in parts of odd sizes: the pieces are whole lines, and together
// the text.
func TestLines(t *testing.T) {
	var l Lines
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		for b.Len() < 3*pieceBytes {
			b.WriteString(strings.Repeat("x", r.IntN(1+r.IntN(20_000))) + "\n")
		}
		text := b.String()[:b.Len()-r.IntN(2)]
		rest := text
		read := func(p []byte) (int, error) {
			n := copy(p[:min(len(p), 1+r.IntN(100_000))], rest)
			rest = rest[n:]
			return n, nil
		}
		var pieces []string
		if !l.All(read, func(lines []byte) bool { pieces = append(pieces, string(lines)); return true }) {
			t.Fatalf("seed %d: not all", seed)
		}
		if strings.Join(pieces, "") != text {
			t.Fatalf("seed %d: the pieces are not the text", seed)
		}
		if slices.ContainsFunc(pieces[:len(pieces)-1], func(p string) bool { return !strings.HasSuffix(p, "\n") }) {
			t.Fatalf("seed %d: a piece ends within a line", seed)
		}
	}
}

// TestLinesThatAreNot shows what keeps a text from being gone through.
func TestLinesThatAreNot(t *testing.T) {
	long := strings.Repeat("x", pieceBytes)
	for name, tt := range map[string]struct {
		text string
		err  error
		want bool
	}{
		"nothing":               {"", nil, true},
		"one line":              {"a", nil, true},
		"a line of a piece":     {"a\n" + long[1:] + "\nb", nil, true},
		"a longer line":         {"a\n" + long + "\nb", nil, false},
		"a long last line":      {"a\n" + long, nil, false},
		"an error":              {"a\n", errors.New("no disk"), false},
		"what is not":           {"a\n!\n", nil, false},
		"what is not, at last":  {"a\n!", nil, false},
		"an error on the first": {"", errors.New("no disk"), false},
	} {
		t.Run(name, func(t *testing.T) {
			var l Lines
			got := l.All(func(p []byte) (n int, err error) {
				if n = copy(p, tt.text); n == 0 {
					err = tt.err
				}
				tt.text = tt.text[n:]
				return n, err
			}, func(lines []byte) bool { return !strings.Contains(string(lines), "!") })
			if got != tt.want {
				t.Errorf("All = %v, want %v", got, tt.want)
			}
		})
	}
}

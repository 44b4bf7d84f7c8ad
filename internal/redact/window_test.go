package redact

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/filetest"
)

// oneByOne is what candidates yields, found byte by byte.
func oneByOne(text []byte, start, end int) (all [][2]int) {
	for start > 0 && classes[text[start-1]]&inRun != 0 && end-start < maxRun {
		start--
	}
	for i := start; i < end; i++ {
		if bytes.HasPrefix(text[i:end], schemeEnd) && isAddress(text, i) {
			all = append(all, [2]int{i, i + 1})
		}
		from, seen := i, byte(0)
		for ; i < len(text) && classes[text[i]]&inRun != 0; i++ {
			seen |= classes[text[i]]
		}
		if mayBeSecret(i-from, seen) {
			all = append(all, [2]int{from, i})
		}
		if i > from {
			i--
		}
	}
	return all
}

// TestCandidates holds that looking at many bytes at once finds what looking at one after
// the other does, wherever runs and the part begin and end.
func TestCandidates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{" ", ".", "\n", "://", "u:p@", "https://u:p@h/", "a", "7", "_", "-", "abc", "abcdefgh1", "abcdefghi1", "abcdefghij", strings.Repeat("x", 29), strings.Repeat("x", 30), strings.Repeat("9", 55), strings.Repeat("z9", 40), "\xff"}
	for range 20_000 {
		var text []byte
		for range rng.IntN(30) {
			text = append(text, pieces[rng.IntN(len(pieces))]...)
		}
		start := rng.IntN(len(text) + 1)
		end := start + rng.IntN(len(text)-start+1)
		var got [][2]int
		for from, to := range candidates(text, start, end) {
			got = append(got, [2]int{from, to})
		}
		if want := oneByOne(text, start, end); !slices.Equal(got, want) {
			t.Fatalf("%q[%d:%d]: %v, want %v", text, start, end, got, want)
		}
	}
}

func TestMayBegin(t *testing.T) {
	for _, c := range []struct {
		before, regex string
		want          bool
	}{
		{"", `\bey`, true}, {"a ", `\bey`, true}, {"a/", `\bey`, true}, {"a", `\bey`, false}, {"7", `\bey`, false}, {"_", `\bey`, false}, {"a", `SK`, true},
	} {
		if got := mayBegin([]byte(c.before), &rule{regex: c.regex}); got != c.want {
			t.Errorf("mayBegin(%q, %q) = %v, want %v", c.before, c.regex, got, c.want)
		}
	}
}

// BenchmarkPicture looks through a picture in a text, as drawings and notebooks have them.
func BenchmarkPicture(b *testing.B) {
	picture := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(picture) //nolint:errcheck // never fails
	text := []byte(`<image href="data:image/png;base64,` + base64.StdEncoding.EncodeToString(picture) + `"/>`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		IsClear("a.svg", text)
	}
}

// BenchmarkLines looks through the lines of a program.
func BenchmarkLines(b *testing.B) {
	files, err := filepath.Glob(filepath.Join(filetest.GoSource(b), "net", "http", "*.go"))
	if err != nil || len(files) == 0 {
		b.Fatal(err, files)
	}
	texts, size := map[string][]byte{}, 0
	for _, name := range files {
		if texts[name], err = os.ReadFile(name); err != nil {
			b.Fatal(err)
		}
		size += len(texts[name])
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, name := range files {
			p := Part{Path: name, Text: texts[name]}
			for at := 0; at < len(p.Text); {
				end := at + bytes.IndexByte(p.Text[at:], '\n') + 1
				if end == at {
					end = len(p.Text)
				}
				p.Spans(at, end)
				at = end
			}
		}
	}
}

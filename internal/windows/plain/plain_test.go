package plain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/token"
)

func TestPieces(t *testing.T) {
	for text, want := range map[string]string{
		"":               "",
		"getHTTPServer2": "get HTTP Server 2",
		"foo_bar.Baz":    "foo|bar|Baz",
		"FOOBar XMLa":    "FOO Bar|XM La",
		"v2x ½ a\xffb":   "v 2 x|½|a|b",
		"世界x Straße":     "世 界 x|Straße",
		"ÜBERAll":        "ÜBER All",
	} {
		t.Run(text, func(t *testing.T) {
			var words []string
			for start, end := Next([]byte(text), 0); start < end; start, end = Next([]byte(text), end) {
				var pieces []string
				for _, p := range Pieces(nil, []byte(text[start:end])) {
					pieces = append(pieces, text[start+p.Start:start+p.End])
				}
				words = append(words, strings.Join(pieces, " "))
			}
			if got := strings.Join(words, "|"); got != want {
				t.Errorf("pieces of %q: %q, want %q", text, got, want)
			}
		})
	}
}

func TestCount(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 1, "a b": 2, "my_func(x)": 3, "  ": 0, "é è": 2, "x" + strings.Repeat("y", 38): 1,
		strings.Repeat("y", 40): 0, strings.Repeat("y", 40) + " b": 1, "a\xffb": 2, "foo…bar": 2,
	} {
		t.Run(fmt.Sprintf("%.40q", text), func(t *testing.T) {
			if got := Count([]byte(text)); got != want {
				t.Errorf("Count(%q) = %d, want %d", text, got, want)
			}
		})
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{"FooBAR": "foobar", "ÜBER": "über", "\u212aelvin": "\u212aelvin", "\u0130": "\u0130"} {
		t.Run(text, func(t *testing.T) {
			if got := string(Fold(nil, []byte(text))); got != want {
				t.Errorf("Fold(%q) = %q, want %q", text, got, want)
			}
		})
	}
}

// FuzzPieces holds that pieces are cut at each boundary and nowhere else.
func FuzzPieces(f *testing.F) {
	f.Add("getHTTPServer2 世界 ÜBERAll x\xffy")
	f.Fuzz(func(t *testing.T, s string) {
		text := []byte(s)
		var got, want []int
		for start, end := Next(text, 0); start < end; start, end = Next(text, end) {
			for _, p := range Pieces(nil, text[start:end]) {
				got = append(got, start+p.Start, start+p.End)
			}
		}
		for i := 0; i < len(text); {
			kind, size := KindAt(text, i)
			if kind != token.KindNone && IsBoundary(text, i) {
				want = append(want, i)
			}
			i += size
			if kind != token.KindNone && IsBoundary(text, i) {
				want = append(want, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is cut at %v, want %v", s, got, want)
		}
	})
}

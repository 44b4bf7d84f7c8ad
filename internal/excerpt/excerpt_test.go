package excerpt

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/token"
)

func TestSnippet(t *testing.T) {
	text := strings.Join([]string{
		"// header",            // 10
		"",                     // 11
		"func open() {",        // 12
		"\ta := 1",             // 13
		"\tb := 2",             // 14
		"\tc := 3",             // 15
		"",                     // 16
		"\tredirect(location)", // 17
		"\td := 4",             // 18
		"\tfollow(location)",   // 19
		"\te := 5",             // 20
		"\tf := 6",             // 21
		"}",                    // 22
	}, "\r\n")
	h := NewHighlighter([]Term{{"redirect", 5}, {"loc", 3}, {"follow", 2}})
	for _, c := range []struct {
		name  string
		lines int
		bytes int
		worth map[int]float64
		want  string
		cut   bool
	}{
		{"all", 20, 10_000, nil, "10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 redirect,location | 18 | 19 follow,location | 20 | 21 | 22", false},
		{"one", 1, 10_000, nil, "17 redirect,location", true},
		{"gap closed", 3, 10_000, nil, "17 redirect,location | 18 | 19 follow,location", true},
		{"with the definition", 4, 10_000, map[int]float64{12: 1}, "12 | 17 redirect,location | 18 | 19 follow,location", true},
		{"no room", 4, 0, nil, "17 redirect,location", true},
		{"room for two", 4, 55, nil, "17 redirect,location | 19 follow,location", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewChunk(Source{Text: []byte(text)}, 10, h).Ranked(c.worth)
			s.Keep(c.lines)
			lines, cut := s.show(c.bytes)
			if got := sample.Shown(lines); got != c.want || cut != c.cut {
				t.Errorf("%s (cut %v), want\n%s (cut %v)", got, cut, c.want, c.cut)
			}
			for _, line := range lines {
				if strings.HasSuffix(string(line.Text), "\r") {
					t.Errorf("line %d keeps its line end", line.Number)
				}
			}
		})
	}
}

func TestBlankEdges(t *testing.T) {
	h := NewHighlighter([]Term{{"a", 1}})
	for _, c := range []struct{ text, want string }{
		{"a\n\n", "1 a"},
		{"\na\n", "2 a"},
		{"a\n\na\n", "1 a | 2 | 3 a"},
		{"a\n\n\na\n", "1 a | 3 | 4 a"},
		{"\n\n", ""},
	} {
		t.Run(fmt.Sprintf("%q", c.text), func(t *testing.T) {
			lines, cut := NewChunk(Source{Text: []byte(c.text)}, 1, h).Ranked(nil).show(1000)
			if got := sample.Shown(lines); got != c.want || cut {
				t.Errorf("%s (cut %v), want %s", got, cut, c.want)
			}
		})
	}
}

// TestLongLine holds that a long line is cut round its first match, between
// characters.
func TestLongLine(t *testing.T) {
	dots, wide := strings.Repeat(".", 2*hit.MaxLineBytes), strings.Repeat("é", 2*hit.MaxLineBytes)
	for _, c := range []struct {
		name, before, after string
		from                int // of what is shown, in bytes of the line
	}{
		{"fits", strings.Repeat(".", hit.MaxLineBytes-5), "", 0},
		{"at the start", "", dots, 0},
		{"in the middle", dots, dots, len(dots) - (hit.MaxLineBytes-5)/4},
		{"at the end", dots, "", len(dots) + 5 - hit.MaxLineBytes},
		{"between wide characters", wide, wide, len(wide) - (hit.MaxLineBytes-5)/4 + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := []byte(c.before + "match" + c.after)
			at := [][2]int{{len(c.before), len(c.before) + 5}}
			got := Source{Text: text}.Line(7, 0, len(text), at)
			want := [][2]int{{len(c.before) - c.from, len(c.before) + 5 - c.from}}
			if got.Number != 7 || cmp.Diff(want, got.Matches) != "" || !strings.HasPrefix(string(text[c.from:]), string(got.Text)) {
				t.Errorf("shown %q with matches %v, want it from byte %d with %v", got.Text, got.Matches, c.from, want)
			}
			if len(got.Text) > hit.MaxLineBytes || len(got.Text) < min(len(text), hit.MaxLineBytes-3) || !utf8.Valid(got.Text) {
				t.Errorf("%d bytes shown of %d, valid %v", len(got.Text), len(text), utf8.Valid(got.Text))
			}
		})
	}
}

func TestShares(t *testing.T) {
	for _, c := range []struct {
		needs []int
		total int
		want  []int
	}{
		{[]int{10, 10, 10}, 100, []int{10, 10, 10}},
		{[]int{100, 100}, 100, []int{55, 45}},
		{[]int{10, 100}, 100, []int{10, 90}},
		{[]int{100, 10}, 100, []int{90, 10}},
		{nil, 100, []int{}},
		{[]int{10}, 0, []int{0}},
	} {
		t.Run(fmt.Sprintf("%v of %d", c.needs, c.total), func(t *testing.T) {
			if diff := cmp.Diff(c.want, shares(c.needs, c.total)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestQuickLook holds that the quick look at a word never hides a term.
func TestQuickLook(t *testing.T) {
	for _, path := range []string{"net/http/server.go", "encoding/json/decode_test.go"} {
		t.Run(path, func(t *testing.T) {
			text := sample.GoSources(t)[path]
			h := NewHighlighter([]Term{{Text: "redirect"}, {Text: "servemux"}, {Text: "=servemux"}, {Text: "http"}, {Text: "err"}, {Text: "cooki"}, {Text: "copi"}, {Text: "cach"}, {Text: "bodi"}})
			for start, end := token.NextWord([]byte(text), 0); start < end; start, end = token.NextWord([]byte(text), end) {
				a := token.Analyze(text[start:end])
				_, has := h.terms[a.Compound]
				for _, term := range a.Terms {
					_, ok := h.terms[term]
					has = has || ok
				}
				if got := h.word([]byte(text[start:end])) != 0; got != has {
					t.Fatalf("%q: found %v, want %v", text[start:end], got, has)
				}
			}
		})
	}
}

package excerpt

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/hit"
	"espy/internal/sample"
)

func TestPortions(t *testing.T) {
	for _, c := range []struct {
		name    string
		chances []float64
		needs   []int
		room    int
		want    []int
	}{
		{"the likely one has nearly all", []float64{0.9, 0.02, 0.02}, []int{900, 900, 900}, 1000, []int{900, 0, 0}},
		{"alike", []float64{0.5, 0.5}, []int{900, 900}, 1000, []int{555, 445}},
		{"what one leaves", []float64{0.5, 0.5}, []int{100, 900}, 1000, []int{100, 900}},
		{"no room", []float64{0.5, 0.5}, []int{900, 900}, -5, []int{leastLines, 0}},
		{"no chance", []float64{0, 0}, []int{900, 900}, 1000, []int{leastLines, 0}},
		{"no text", []float64{0.5, 0.5}, []int{0, 200}, 1000, []int{0, 200}},
		{"none", nil, nil, 1000, []int{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, portions(c.chances, c.needs, c.room)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestDefine(t *testing.T) {
	text := "}\n// One does.\n// It is first.\nfunc one() {\n\tif x {\n\t}\n}\n\n// Two follows.\nfunc two() {\n\tone()\n}\n"
	h := NewHighlighter([]Term{{"on", 1}})
	for _, c := range []struct {
		name   string
		line   int
		others []int
		bytes  int
		want   string
	}{
		{"up to the next", 13, []int{13, 19}, 1000, "11 | 12 | 13 | 14 | 15 | 16"},
		{"to the end", 19, []int{13, 19}, 1000, "18 | 19 | 20 | 21"},
		{"little room", 13, []int{13, 19}, 1, "13"},
		{"elsewhere", 99, nil, 1, "10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewChunk(Source{Text: []byte(text)}, 10, h).Ranked(nil)
			s.Define(c.line, c.others)
			lines, _ := s.show(c.bytes)
			if got := sample.Shown(lines); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestBrief(t *testing.T) {
	h := NewHighlighter([]Term{{"match", 1}})
	text := []byte(strings.Repeat("a line of code that is long enough to count\n", 40))
	for _, tokens := range []int{0, 1, 300, 1000} {
		t.Run(fmt.Sprint(tokens), func(t *testing.T) {
			hits := []hit.Hit{{Score: 0.9}, {Score: 0.05}, {Score: 0.001}, {Score: 0.001}}
			var snippets []*Snippet
			for range 3 {
				snippets = append(snippets, NewChunk(Source{Text: text}, 1, h).Ranked(nil))
			}
			Brief(hits, append(snippets, nil), nil, tokens)
			size := 0
			for _, h := range hits {
				for _, l := range h.Lines {
					size += len(l.Text) + lineOverhead
				}
			}
			bound := 4 * tokens
			if tokens == 0 {
				bound = 4 * briefTokens
			}
			if size > max(bound, leastLines) || len(hits[0].Lines) == 0 || len(hits[2].Lines)+len(hits[3].Lines) > 0 {
				t.Errorf("%d bytes in %d tokens; lines of the hits %d, %d, %d", size, tokens, len(hits[0].Lines), len(hits[1].Lines), len(hits[2].Lines))
			}
		})
	}
}

package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/store"
	"espy/internal/token"
)

// shown prints lines as numbers, with the matched words of each.
func shown(lines []Line) string {
	var out []string
	for _, l := range lines {
		var words []string
		for _, m := range l.Matches {
			words = append(words, string(l.Text[m[0]:m[1]]))
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%d %s", l.Number, strings.Join(words, ","))))
	}
	return strings.Join(out, " | ")
}

func TestPassage(t *testing.T) {
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
	l := newLens([]string{"redirect", "loc", "follow"}, []float64{5, 3, 2})
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
		p := newPassage([]byte(text), 10, l, c.worth)
		p.keep(c.lines)
		lines, cut := p.show(p.fit(c.bytes), l)
		if got := shown(lines); got != c.want || cut != c.cut {
			t.Errorf("%s:\n%s (cut %v), want\n%s (cut %v)", c.name, got, cut, c.want, c.cut)
		}
		for _, line := range lines {
			if strings.HasSuffix(string(line.Text), "\r") {
				t.Errorf("%s: line %d keeps its line end", c.name, line.Number)
			}
		}
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
		if diff := cmp.Diff(c.want, shares(c.needs, c.total)); diff != "" {
			t.Errorf("shares(%v, %d) (-want +got)\n%s", c.needs, c.total, diff)
		}
	}
}

func TestDetailsAndBudget(t *testing.T) {
	snaps := goSnapshot(t)
	size := func(res *Result) (bytes int) {
		for _, h := range res.Hits {
			for _, l := range h.Lines {
				bytes += len(l.Text)
			}
		}
		return bytes
	}
	full := mustSearch(t, snaps, Request{Query: "redirect cookies", Detail: DetailFull})
	lines := mustSearch(t, snaps, Request{Query: "redirect cookies"})
	locate := mustSearch(t, snaps, Request{Query: "redirect cookies", Detail: DetailLocate})
	if size(locate) != 0 || size(lines) == 0 || size(full) <= size(lines) {
		t.Errorf("bytes shown: locate %d, lines %d, full %d", size(locate), size(lines), size(full))
	}
	for i, h := range full.Hits {
		if h.Cut || h.Lines[0].Number < h.StartLine || h.Lines[len(h.Lines)-1].Number > h.EndLine {
			t.Errorf("full: hit %d shows lines %d-%d of %d-%d, cut %v", i, h.Lines[0].Number, h.Lines[len(h.Lines)-1].Number, h.StartLine, h.EndLine, h.Cut)
		}
		if n := len(lines.Hits[i].Lines); n == 0 || n > excerptLines {
			t.Errorf("lines: hit %d shows %d lines", i, n)
		}
	}
	for _, tokens := range []int{50, 300, 2000} {
		for _, detail := range []Detail{DetailLines, DetailFull} {
			res := mustSearch(t, snaps, Request{Query: "redirect cookies", Detail: detail, MaxTokens: tokens})
			if len(res.Hits) != len(full.Hits) {
				t.Errorf("%s in %d tokens: %d hits, want all %d", detail, tokens, len(res.Hits), len(full.Hits))
			}
			if used := size(res) / 4; used > tokens+50*len(res.Hits) { // a line for each hit is the least
				t.Errorf("%s in %d tokens: %d used", detail, tokens, used)
			}
		}
	}
}

func TestExcerptShowsTheDefinition(t *testing.T) {
	filler := strings.Repeat("\tcall(redirect)\n", 30)
	snap := repository(t, "demo", map[string]string{
		"a.go": "package a\n\n// Redirect sends away.\nfunc Redirect() {\n" + filler + "}\n",
	})
	res := mustSearch(t, []*store.Snapshot{snap}, Request{Query: "Redirect"})
	if len(res.Hits) != 1 || res.Hits[0].Symbol != "Redirect" || res.Hits[0].Kind != "func" {
		t.Fatalf("hits %+v", res.Hits)
	}
	has := slices.ContainsFunc(res.Hits[0].Lines, func(l Line) bool { return l.Number == 4 })
	if !has || !res.Hits[0].Cut {
		t.Errorf("shown %s (cut %v), want the definition on line 4 among them", shown(res.Hits[0].Lines), res.Hits[0].Cut)
	}
}

// TestLensFilter holds that the quick look at a word never hides a term.
func TestLensFilter(t *testing.T) {
	for _, text := range []string{mustGoSources(t)["net/http/server.go"], mustGoSources(t)["encoding/json/decode_test.go"]} {
		l := newLens([]string{"redirect", "servemux", "=servemux", "http", "err", "cooki", "copi", "cach", "bodi"}, make([]float64, 9))
		for start, end := token.NextWord([]byte(text), 0); start < end; start, end = token.NextWord([]byte(text), end) {
			a := token.Analyze(text[start:end])
			_, has := l.terms[a.Compound]
			for _, term := range a.Terms {
				_, ok := l.terms[term]
				has = has || ok
			}
			if got := l.word([]byte(text[start:end])) != 0; got != has {
				t.Fatalf("%q: found %v, want %v", text[start:end], got, has)
			}
		}
	}
}

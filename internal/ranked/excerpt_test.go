package ranked_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

func TestDetailsAndBudget(t *testing.T) {
	snaps := sample.GoSnapshot(t)
	size := func(res *hit.Result) (bytes int) {
		for _, h := range res.Hits {
			for _, l := range h.Lines {
				bytes += len(l.Text)
			}
		}
		return bytes
	}
	full := searchtest.Must(t, snaps, hit.Request{Query: "redirect cookies", Detail: hit.DetailFull})
	lines := searchtest.Must(t, snaps, hit.Request{Query: "redirect cookies"})
	locate := searchtest.Must(t, snaps, hit.Request{Query: "redirect cookies", Detail: hit.DetailLocate})
	if size(locate) != 0 || size(lines) == 0 || size(full) <= size(lines) {
		t.Errorf("bytes shown: locate %d, lines %d, full %d", size(locate), size(lines), size(full))
	}
	for i, h := range full.Hits {
		if h.Cut || h.Lines[0].Number < h.StartLine || h.Lines[len(h.Lines)-1].Number > h.EndLine {
			t.Errorf("full: hit %d shows lines %d-%d of %d-%d, cut %v", i, h.Lines[0].Number, h.Lines[len(h.Lines)-1].Number, h.StartLine, h.EndLine, h.Cut)
		}
		if n := len(lines.Hits[i].Lines); n == 0 || n > 12 {
			t.Errorf("lines: hit %d shows %d lines", i, n)
		}
	}
	for _, tokens := range []int{50, 300, 2000} {
		t.Run(fmt.Sprintf("%d tokens", tokens), func(t *testing.T) {
			for _, detail := range []hit.Detail{hit.DetailLines, hit.DetailFull} {
				res := searchtest.Must(t, snaps, hit.Request{Query: "redirect cookies", Detail: detail, MaxTokens: tokens})
				if len(res.Hits) != len(full.Hits) {
					t.Errorf("%s in %d tokens: %d hits, want all %d", detail, tokens, len(res.Hits), len(full.Hits))
				}
				if used := size(res) / 4; used > tokens+50*len(res.Hits) { // a line for each hit is the least
					t.Errorf("%s in %d tokens: %d used", detail, tokens, used)
				}
			}
		})
	}
}

func TestExcerptShowsTheDefinition(t *testing.T) {
	filler := strings.Repeat("\tcall(redirect)\n", 30)
	snap := sample.Repository(t, "demo", map[string]string{
		"a.go": "package a\n\n// Redirect sends away.\nfunc Redirect() {\n" + filler + "}\n",
	})
	res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "Redirect"})
	if len(res.Hits) != 1 || res.Hits[0].Symbol != "Redirect" || res.Hits[0].Kind != "func" {
		t.Fatalf("hits %+v", res.Hits)
	}
	has := slices.ContainsFunc(res.Hits[0].Lines, func(l hit.Line) bool { return l.Number == 4 })
	if !has || !res.Hits[0].Cut {
		t.Errorf("shown %s (cut %v), want the definition on line 4 among them", sample.Shown(res.Hits[0].Lines), res.Hits[0].Cut)
	}
}

// TestNamesStandOut holds that the line of a definition whose name answers the
// query is shown rather than others with its words.
func TestNamesStandOut(t *testing.T) {
	filler := strings.Repeat("// redirect cookie\n", 20)
	snap := sample.Repository(t, "demo", map[string]string{
		"a.go": "package a\n\n" + filler + "var redirectAll = 1\n" + filler,
	})
	res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "how to redirect cookie", MaxTokens: 1})
	if len(res.Hits) != 1 || len(res.Hits[0].Lines) != 1 || res.Hits[0].Lines[0].Number != 23 {
		t.Fatalf("hits %+v, want line 23 of one", res.Hits)
	}
}

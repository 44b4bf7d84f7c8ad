package semantic_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"espy/internal/embedding"
	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/store"
)

// farm has one file of several chunks about the same, and one about something else.
func farm(t *testing.T) []*store.Snapshot {
	t.Helper()
	long := "package farm\n"
	for i := range 12 {
		long += fmt.Sprintf("\n// Feed%d feeds the zebra at noon.\nfunc Feed%[1]d(hay int) int {\n%s\treturn hay\n}\n", i, strings.Repeat("\thay += 1 // feed the zebra\n", 40))
	}
	return []*store.Snapshot{sample.WithVectors(t, sample.Repository(t, "farm", map[string]string{
		"feed.go": long, "crlf.md": "one\r\n\r\nfeed the zebra\r\n", "paint.go": "package farm\n\nfunc paint(wall string) {}\n",
	}), model)}
}

// TestPassages holds that every near chunk is a hit, the nearest first, and that a
// page is a part of all of them.
func TestPassages(t *testing.T) {
	snaps := farm(t)
	req := hit.Request{Query: "feed the zebra", Passages: true, Limit: 100, Before: 2, After: 2}
	all := ask(t, snaps, req)
	if all.Total != len(all.Hits) || all.Total < 5 || all.Files != 2 || strings.Contains(paths(all), "paint.go") {
		t.Fatalf("%d of %d hits in %d files: %s", len(all.Hits), all.Total, all.Files, paths(all))
	}
	for i, h := range all.Hits {
		t.Run(fmt.Sprintf("%s:%d", h.Path, h.StartLine), func(t *testing.T) {
			p := h.Passage
			if p == nil || p.Cosine <= 0 || p.Cosine > 1 || i > 0 && p.Cosine > all.Hits[i-1].Passage.Cosine {
				t.Fatalf("%+v", p)
			}
			if got := strings.Count(p.Text, "\n") + 1; got != h.EndLine-h.StartLine+1 {
				t.Errorf("%d lines of text for lines %d-%d", got, h.StartLine, h.EndLine)
			}
			if n := strings.Count(p.Before, "\n"); n != min(2, h.StartLine-1) {
				t.Errorf("%d lines before line %d", n, h.StartLine)
			}
			if p.After != "" && !strings.HasPrefix(p.After, "\n") && !strings.HasPrefix(p.After, "\r\n") || strings.Count(p.After, "\n") > 2 {
				t.Errorf("after: %q", p.After)
			}
		})
	}
	req.Detail = hit.DetailLocate
	for i, h := range ask(t, snaps, req).Hits {
		if want := all.Hits[i]; h.Path != want.Path || h.StartLine != want.StartLine || *h.Passage != (hit.Passage{Cosine: want.Passage.Cosine}) {
			t.Errorf("place %d is %s:%d %+v, want %s:%d", i, h.Path, h.StartLine, h.Passage, want.Path, want.StartLine)
		}
	}
	req.Offset, req.Limit, req.Detail = 2, 3, ""
	page := ask(t, snaps, req)
	for i, h := range page.Hits {
		if want := all.Hits[i+2]; h.Path != want.Path || h.StartLine != want.StartLine {
			t.Errorf("hit %d of the page is %s:%d, want %s:%d", i, h.Path, h.StartLine, want.Path, want.StartLine)
		}
	}
	if page.Total != all.Total || len(page.Hits) != 3 {
		t.Errorf("a page of %d of %d, want 3 of %d", len(page.Hits), page.Total, all.Total)
	}
}

// TestPassagesOfModels holds whose cosines an answer has.
func TestPassagesOfModels(t *testing.T) {
	snaps := farm(t)
	for _, tt := range []struct {
		name, query string
		models      embedding.Models
		note        string
		hits        bool
	}{
		{"own", "feed the zebra", embedding.Models{Local: model}, "", true},
		{"unknown words", "zzz", embedding.Models{Local: model}, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := try(t.Context(), snaps, hit.Request{Query: tt.query, Passages: true}, tt.models)
			if err != nil || (len(res.Hits) > 0) != tt.hits || tt.hits && res.Model != model.Identity() || !strings.Contains(strings.Join(res.Notes, ";"), tt.note) {
				t.Errorf("%+v, %v", res, err)
			}
			for _, h := range res.Hits {
				if math.IsNaN(h.Score) || h.Score < 0 || h.Score > 1 {
					t.Errorf("score %v", h.Score)
				}
			}
		})
	}
}

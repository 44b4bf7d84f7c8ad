package lines_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

var update = flag.Bool("update", false, "rewrite testdata/answers.golden")

// goldenRequests are literals and expressions with what may be asked for beside.
var goldenRequests = []hit.Request{
	{Query: "needle7"},
	{Query: "needle7", Detail: hit.DetailLocate, Offset: 50, Limit: 30},
	{Query: "needle7", Before: 2, After: 3, Offset: 100, Limit: 5},
	{Query: "Traverse bool", Detail: hit.DetailFull, Limit: 1},
	{Query: "needle1", Word: true, Limit: 40, Detail: hit.DetailLocate, MaxTokens: 300},
	{Query: "NEEDLE1", IgnoreCase: true, Word: true, Limit: 3},
	{Query: "{\n\tcall0", Limit: 9},
	{Query: "long(needle7", Before: 1, After: 1},
	{Query: "}\n\nfunc Func4", After: 1},
	{Query: "1, 1, 1"},
	{Query: "call", Offset: 5390, Limit: 20, Detail: hit.DetailLocate},
	{Query: "call", Offset: 5405, Limit: 20},
	{Query: "Execute(", Limit: 12},
	{Query: "Execute(", Limit: 12, Scope: code.ScopeTest},
	{Query: "Execute(", Limit: 12, MaxTokens: 60},
	{Query: "execute", IgnoreCase: true, Word: true, Limit: 12, Paths: []string{"*.md"}},
	{Query: "ValidArgsFunction", Limit: 8, Before: 1},
	{Query: "ValidArgsFunction", Limit: 8, Before: 200, Offset: 3},
	{Query: "return nil\n}", Limit: 10},
	{Query: "package cobra", Limit: 3, After: 20},
	{Query: "Copyright 2013", Limit: 2, Detail: hit.DetailFull},
	{Query: "no such text at all"},
	{Query: "é"},
	{Query: "\t\t\t\t\t\t", Limit: 4},
	{Query: `func \(c \*Command\) (\w+)\(`, Mode: hit.ModeRegex, Limit: 15},
	{Query: `^type \w+ (struct|func)`, Mode: hit.ModeRegex, Limit: 20, Detail: hit.DetailLocate},
	{Query: `func (init|main)\(\) {`, Mode: hit.ModeRegex, Limit: 5, After: 2},
	{Query: `err(or)?s?\.`, Mode: hit.ModeRegex, IgnoreCase: true, Limit: 10, After: 1},
	{Query: `\bcmd\b.*\bargs\b`, Mode: hit.ModeRegex, Limit: 10},
	{Query: `needle(1|2)\d*\)$`, Mode: hit.ModeRegex, Limit: 10, Offset: 60},
	{Query: `^$`, Mode: hit.ModeRegex, Limit: 3},
	{Query: `x*`, Mode: hit.ModeRegex, Limit: 3},
	{Query: `flag(s)?`, Mode: hit.ModeRegex, Word: true, Limit: 10, Offset: 20},
	{Query: `[^\x00-\x7f]+`, Mode: hit.ModeRegex, Limit: 8},
	{Query: `call(8\d\d)\(.*needle4[0-9]`, Mode: hit.ModeRegex, Limit: 8},
	{Query: `"[^"]+: %[sv]"`, Mode: hit.ModeRegex, Limit: 10},
}

// goldenTree is a dependency whose content go.sum fixes, in one segment with
// syntax facts and one without, and files of many regions beside it.
func goldenTree(t *testing.T) []*store.Snapshot {
	files := sample.Module(t, "github.com/spf13/cobra")
	files["zz/big.go"], _ = sample.BigFile()
	files["zz/crlf.txt"] = "needle7\r\ncall\r\n\r\nneedle7"
	files["zz/empty.txt"] = ""
	parts := []map[string]string{{}, {}}
	for i, p := range slices.Sorted(maps.Keys(files)) {
		parts[i%2][p] = files[p]
	}
	return []*store.Snapshot{
		sample.Parsed(t, sample.Repository(t, "first", parts[0])),
		sample.Repository(t, "second", parts[1]),
	}
}

// TestAnswersStay compares the whole of answers with those that were written
// down (make golden).
func TestAnswersStay(t *testing.T) {
	const name = "testdata/answers.golden"
	golden, err := os.ReadFile(name)
	if err != nil && !*update {
		t.Fatal(err)
	}
	snaps := goldenTree(t)
	want, all := strings.Split(string(golden), "\n\n"), []string{}
	for i, req := range goldenRequests {
		req.Mode = cmp.Or(req.Mode, hit.ModeLiteral)
		t.Run(fmt.Sprintf("%d %q", i+1, req.Query), func(t *testing.T) {
			got := wholeAnswer(searchtest.Must(t, snaps, req))
			all = append(all, got)
			if i >= len(want) {
				want = append(want, "")
			}
			if !*update && got != want[i] {
				t.Errorf("%+v (-want +got):\n%s", req, gocmp.Diff(want[i], got))
			}
		})
	}
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(all, "\n\n")+"\n\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func wholeAnswer(res *hit.Result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%q: %d hits of %d in %d files, partial %v, notes %q", res.Query, len(res.Hits), res.Total, res.Files, res.Partial, res.Notes)
	for _, h := range res.Hits {
		fmt.Fprintf(&out, "\n%s/%s:%d-%d:%d %s %s <%s> %d, %d calls, %s %v", h.Repo, h.Path, h.StartLine, h.EndLine, h.Column, h.Kind, h.Symbol, h.SymbolID, h.SymbolLine, h.Calls.N, h.Language, h.Class)
		for _, l := range h.Lines {
			fmt.Fprintf(&out, "\n\t%d %v %.60q %d bytes", l.Number, l.Matches, l.Text, len(l.Text))
		}
	}
	return out.String()
}

// TestWindows holds that a window is the part of all hits that it asks for,
// whatever is shown of them.
func TestWindows(t *testing.T) {
	snaps := goldenTree(t)
	for _, req := range []hit.Request{
		{Query: "needle7", Mode: hit.ModeLiteral, Detail: hit.DetailLocate},
		{Query: "needle7", Mode: hit.ModeLiteral, Before: 1},
		{Query: "Command\n", Mode: hit.ModeLiteral},
		{Query: `needle7\)?$`, Mode: hit.ModeRegex},
	} {
		t.Run(fmt.Sprintf("%s, %d before", req.Query, req.Before), func(t *testing.T) {
			req.Limit = hit.MaxLimit
			all := searchtest.Must(t, snaps, req)
			if all.Total != len(all.Hits) || all.Total < 20 {
				t.Fatalf("%d hits of %d", len(all.Hits), all.Total)
			}
			for _, window := range [][2]int{{0, 1}, {1, 1}, {0, 7}, {7, 9}, {17, 1}, {18, 1}, {19, 2}, {all.Total - 1, 1}, {all.Total - 1, 5}, {all.Total, 5}, {all.Total + 1, 5}} {
				req.Offset, req.Limit = window[0], window[1]
				got := searchtest.Must(t, snaps, req)
				want := all.Hits[min(window[0], all.Total):min(window[0]+window[1], all.Total)]
				if diff := gocmp.Diff(want, got.Hits); diff != "" && len(want)+len(got.Hits) > 0 || got.Total != all.Total {
					t.Errorf("from %d on %d: %d hits of %d, want %d of %d\n%s", window[0], window[1], len(got.Hits), got.Total, len(want), all.Total, diff)
				}
			}
		})
	}
}

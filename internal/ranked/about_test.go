package ranked_test

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestForeign holds that an answer says where nothing is about a question, and only there.
func TestForeign(t *testing.T) {
	snaps := sample.GoSnapshot(t)
	for _, c := range []struct {
		req  hit.Request
		want string
	}{
		{hit.Request{Query: "how xmonad tiles windows on several monitors"}, "xmonad"},
		{hit.Request{Query: "rebalancing of kafka consumer groups", Brief: true}, "kafka"},
		{hit.Request{Query: "rebalancing of kafka consumer groups lang:go"}, ""},
		{hit.Request{Query: "rebalancing of kafka consumer groups", Paths: []string{"**/*.go"}}, ""},
		{hit.Request{Query: "how are redirects of a request followed"}, ""},
		{hit.Request{Query: "redirect cookies"}, ""},
		{hit.Request{Query: "rebalancing of kafka consumer groups in Node.js"}, "kafka"}, // no file is meant
		{hit.Request{Query: "rebalancing of kafka consumer groups in app/node.js"}, ""},
		{hit.Request{Query: "ZebraQuotaPlanner"}, "ZebraQuotaPlanner"}, // a name that nothing has
		{hit.Request{Query: "serve_http"}, ""},                         // ServeHTTP is here
	} {
		t.Run(c.req.Query, func(t *testing.T) {
			res := searchtest.Must(t, snaps, c.req)
			if !strings.Contains(res.Foreign, c.want) || c.want == "" && res.Foreign != "" {
				t.Errorf("nothing is about %q, want %q", res.Foreign, c.want)
			}
			if c.req.Brief && (len(res.Hits) == 0 || len(res.Hits) > 10 || len(res.Hits[0].Lines) > 0) {
				t.Errorf("%d hits are near", len(res.Hits))
			}
		})
	}
}

// TestForeignShort holds that a word written as a type, and two words, are about what is called
// by them alone, and that a word in small letters is about the text that has it.
func TestForeignShort(t *testing.T) {
	files := map[string]string{
		"harbour/crane.go":      "package harbour\n\n// Lift lifts a crate on command.\nfunc Lift() {}\n",
		"harbour/crane_test.go": "package harbour\n\ntype fakeSession struct{}\n",
		"harbour/anchor.go":     "package harbour\n\n// Holds a ship for a session.\ntype anchorChain struct{}\n",
		"ferry.toml":            "[timetable]\nferry = 1\n",
	}
	for i := range 30 {
		files[fmt.Sprintf("harbour/berth%d.go", i)] = fmt.Sprintf("package harbour\n\n// Berth%d is where a ship of the harbour lies.\ntype Berth%d struct{}\n", i, i)
	}
	snaps := []*store.Snapshot{sample.Repository(t, "harbour", files)}
	for question, foreign := range map[string]bool{
		"Command": true, "command": false, "Session": true, "Anchor": false, "Ferry": false, "Timetable": false,
		"command session": true, "session anchor": false,
	} {
		t.Run(question, func(t *testing.T) {
			if res := searchtest.Must(t, snaps, hit.Request{Query: question}); len(res.Hits) == 0 || (res.Foreign != "") != foreign {
				t.Errorf("%d hits, nothing is about %q", len(res.Hits), res.Foreign)
			}
		})
	}
}

// TestForeignFewJudged holds that a question is about nothing where fewer files than ten are
// judged by all signals, for all of the best chunks are theirs.
func TestForeignFewJudged(t *testing.T) {
	var list strings.Builder
	for i := range 260 {
		fmt.Fprintf(&list, "// The url of source %d.\nfunc url%d() {\n%s}\n\n", i, i, strings.Repeat("\tkeep(url)\n", 30))
	}
	files := map[string]string{"list.go": "package a\n\n" + list.String()}
	for i := range 40 {
		files[fmt.Sprintf("f%d.go", i)] = "package a\n\n" + strings.Repeat("// Something else is kept here, and nothing of it is told.\n", 30) + "// See the url.\nvar x = 1\n"
	}
	res := searchtest.Must(t, []*store.Snapshot{sample.Repository(t, "demo", files)}, hit.Request{Query: "how are routes registered"})
	if len(res.Hits) < 10 || res.Foreign == "" {
		t.Errorf("%d hits, nothing is about %q", len(res.Hits), res.Foreign)
	}
}

// TestBriefName holds that a name shows its definition alone and the lines that use it.
func TestBriefName(t *testing.T) {
	snap := sample.Repository(t, "demo", map[string]string{
		"a.go": "package a\n\nfunc Before() {}\n\n// Send sends a parcel.\nfunc SendParcel() {\n\tpack()\n}\n\nfunc After() { parcel() }\n",
		"b.go": "package a\n\nfunc useParcel() {\n\tparcel := send()\n\tSendParcel()\n}\n",
	})
	res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "SendParcel", Brief: true})
	if len(res.Hits) != 2 || sample.Shown(res.Hits[0].Lines) != "5 Send,sends,parcel | 6 SendParcel | 7 | 8" || sample.Shown(res.Hits[1].Lines) != "5 SendParcel" {
		for _, h := range res.Hits {
			t.Errorf("%s: %s", h.Path, sample.Shown(h.Lines))
		}
	}
}

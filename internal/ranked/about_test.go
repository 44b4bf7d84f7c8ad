package ranked_test

import (
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

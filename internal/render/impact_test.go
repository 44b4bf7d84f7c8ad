package render

import (
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/impact"
)

// TestImpactNotFollowed holds that the users of a change that was not followed are not
// counted as none.
func TestImpactNotFollowed(t *testing.T) {
	t.Parallel()
	get := impact.Changed{What: impact.Asked, Path: "p.go", ID: "p.go#Get", Name: "Get", Kind: code.KindFunc, Line: 3}
	a := &Impact{Request: &impact.Request{What: "Get"}, Impact: &impact.Impact{
		About: "Get", Changed: []impact.Changed{get}, NotFollowed: []impact.NotFollowed{{Changed: get, Why: "it is common"}},
	}}
	text := a.Text(Options{})
	for _, want := range []string{"impact of Get: affected symbols not known, 1 change not followed, ", "not followed:\n  p.go:3 func Get: it is common\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	if got, want := string(a.JSON(Options{})), `"not_followed":[{"path":"p.go","id":"p.go#Get","why":"it is common"}]`; !strings.Contains(strings.NewReplacer("\n", "", " ", "").Replace(got), strings.ReplaceAll(want, " ", "")) {
		t.Errorf("%s lacks %s", got, want)
	}
	a.Total, a.Nearest = 2, []int{2}
	if got := a.head(0); !strings.HasPrefix(got, "impact of Get: at least 2 affected symbols, 1 change not followed, ") {
		t.Errorf("head %q", got)
	}
	a.Impact = &impact.Impact{About: "a diff of 1 file", NotFollowed: []impact.NotFollowed{{Changed: impact.Changed{Path: "q.go"}, Why: "the diff does not apply to it"}}}
	if got := a.Text(Options{}); !strings.HasPrefix(got, "impact of a diff of 1 file: affected symbols not known, ") || !strings.Contains(got, "  q.go: the diff does not apply to it\n") {
		t.Errorf("text %q", got)
	}
}

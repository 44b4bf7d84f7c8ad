package render

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/impact"
	"espy/internal/impact/suite"
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

// TestImpactWithinTokens holds that an answer of few tokens names tests and how to run
// them, and never leads to the page that it is.
func TestImpactWithinTokens(t *testing.T) {
	t.Parallel()
	a := &Impact{Request: &impact.Request{What: "p.go"}, Impact: &impact.Impact{About: "p.go", Total: 40, Nearest: []int{40}, Suites: 50}}
	for i := range 40 {
		name := fmt.Sprintf("F%02d", i)
		a.Changed = append(a.Changed, impact.Changed{What: impact.Asked, Path: "p.go", ID: "p.go#" + name, Name: name, Kind: code.KindFunc, Line: i + 1})
		a.Tests = append(a.Tests, impact.Test{Path: fmt.Sprintf("p%02d_test.go", i), Reasons: []string{strings.Repeat("calls "+name+"; ", 12)}, Confidence: facts.Likely})
		a.Symbols = append(a.Symbols, impact.Symbol{Path: "q.go", ID: "q.go#" + name, Kind: code.KindFunc, Line: i + 1, Distance: 1, Reason: "calls it"})
	}
	a.Commands = []impact.Command{{Command: suite.Command{Args: []string{"go", "test", "./p"}}}}
	for _, bound := range []int{200, 400, 800, 1600, 0} {
		text := a.Text(Options{MaxTokens: bound})
		if bound > 0 && len(text) > bound*4 {
			t.Errorf("%d tokens: %d bytes", bound, len(text))
		}
		for _, want := range []string{"changed:\n", "tests to run:\n", "run them, as the repository suggests:\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d tokens: %q lacks %q", bound, text, want)
			}
		}
		if strings.Contains(text, "--offset 0") {
			t.Errorf("%d tokens: %q leads to itself", bound, text)
		}
	}
}

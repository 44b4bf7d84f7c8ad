package ranked

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/sample"
)

func TestTermsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "server handles client%d request\n", i)
	}
	p := planned(t, sample.GoSnapshot(t), b.String())
	k := &keywords{plan: p, res: &hit.Result{}, collection: newCollection(p.filter)}
	defer k.release()
	if err := k.ask(b.String(), nil); err != nil {
		t.Fatal(err)
	}
	if n := len(k.collection.query.Terms); n == 0 || n > maxTerms {
		t.Errorf("%d terms, want 1 to %d", n, maxTerms)
	}
}

// FuzzParseText holds that a text that is read as prose keeps no phrase and no
// choice, and that what is said of it has a reason.
func FuzzParseText(f *testing.F) {
	for _, s := range []string{"", `the sum of "all the prices" is NOT in the cart -test`, "a OR (b AND the of in to) symbol:x path:y the of", "to be OR NOT to be that is the question"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, note, err := parseText(text)
		if err != nil || note == "" {
			return
		}
		nodes := []query.Node{q.Root}
		if and, ok := q.Root.(query.And); ok {
			nodes = and.Nodes
		}
		for _, n := range nodes {
			switch n.(type) {
			case query.Phrase, query.Or:
				t.Errorf("%q is read with the condition %#v", text, n)
			}
		}
	})
}

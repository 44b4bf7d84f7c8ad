package ranked_test

import (
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

func TestNearestOfSeveralWords(t *testing.T) {
	text := "package a\n\n"
	for _, n := range []string{"zebraOne", "zebraTwo", "zebraSix", "giraffeOne", "giraffeTwo", "giraffeSix"} {
		text += "func " + n + "() {}\n"
	}
	snap := sample.Repository(t, "zoo", map[string]string{"a.go": text})
	res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "symbol:zebraO symbol:zebra symbol:giraffe kind:type"})
	seen := map[string]bool{}
	for _, n := range res.Nearest {
		if seen[n] {
			t.Errorf("%s is there twice", n)
		}
		seen[n] = true
	}
	if len(res.Nearest) != 5 || res.Nearest[0] != "zebraOne" {
		t.Errorf("near are %q, want zebraOne and four more", res.Nearest)
	}
}

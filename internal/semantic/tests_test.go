package semantic_test

import (
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/store"
)

// TestTestsInCode holds that of a file of Rust that is found by the tests in it the code is
// shown, where that is nearly as near, and the tests where the question asks for them.
func TestTestsInCode(t *testing.T) {
	lines := func(text string) string { return strings.Repeat("    // "+text+"\n", 40) }
	rest := "\n" + lines("counts what stands in the text so far, one by one")
	book := "pub fn step(cart: Cart) -> Cart {\n" + lines("remove each item of the cart") + lines("note it")[:140] + "}\n"
	tests := "\n#[cfg(test)]\nmod tests {\n    use super::*;\n" + lines("remove each item of the cart") + "\n    #[test]\n    fn removed() {}\n}\n"
	snap := sample.WithVectors(t, sample.Repository(t, "demo", map[string]string{
		"src/book.rs":  book + tests,
		"src/price.rs": "pub fn price(of: &Item) -> u64 {" + rest + "    of.cents\n}\n" + tests,
	}), model)
	for _, c := range []struct {
		query, path string
		tests       bool // are shown
	}{
		{"remove each item of the cart", "src/book.rs", false},
		{"tests that remove each item of the cart", "src/book.rs", true},
		{"remove each item of the cart path:price.rs", "src/price.rs", true},
	} {
		t.Run(c.query, func(t *testing.T) {
			res := ask(t, []*store.Snapshot{snap}, hit.Request{Query: c.query, Explain: true})
			if len(res.Hits) == 0 {
				t.Fatal("nothing found")
			}
			if h := res.Hits[0]; h.Path != c.path || h.StartLine > 40 != c.tests || !c.tests && h.Explain[0].Value < 0.999 {
				t.Errorf("%s:%d-%d, explained by %v", h.Path, h.StartLine, h.EndLine, h.Explain)
			}
		})
	}
}

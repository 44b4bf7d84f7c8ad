package ranked_test

import (
	"slices"
	"strings"
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestPassedOn holds that a name which nothing declares is found where it is passed on, by
// itself and among words, and that a declaration comes before what passes it on.
func TestPassedOn(t *testing.T) {
	uses := strings.Repeat("        Lantern lantern = pick(Lantern);\n", 3)
	snap := sample.Repository(t, "r", map[string]string{
		"src/light/mod.rs": "//! Lights.\n\nuse other::Unsaid;\n\npub use lamps::bright::{\n    Dim, Lantern,\n};\n\npub fn pick() {}\n",
		"src/user.rs":      "use crate::light::Lantern;\n\n/// Turns a Lantern on, so that the lantern is a Lantern.\npub fn lantern(l: Lantern) -> Lantern { l }\n",
		"web/Lamp.java":    "class Lamp {\n    void turn() {\n" + uses + "    }\n}\n",
		"web/index.ts":     "export { Torch as Flare } from 'torches'\n",
		"web/flare.ts":     "import { Flare } from './index'\nconst flare = new Flare(Flare.flare)\n",
		"py/__init__.py":   "from ext import Candle\nfrom .wax import Wax\n",
		"py/wax.py":        "from ext import Candle\n\nclass Wax(Candle):\n    candle = Candle(Candle.candle)\n",
	})
	for _, c := range []struct{ query, path, line, from string }{
		{"Lantern", "src/light/mod.rs", "Dim, Lantern,", "lamps::bright"},
		{"how do I pick a Lantern", "src/light/mod.rs", "Dim, Lantern,", "lamps::bright"},
		{"Flare", "web/index.ts", "export { Torch as Flare } from 'torches'", "torches"},
		{"Candle", "py/__init__.py", "from ext import Candle", "ext"},
		{"Wax", "py/wax.py", "class Wax(Candle):", ""},
		{"Unsaid", "src/light/mod.rs", "use other::Unsaid;", ""},
	} {
		t.Run(c.query, func(t *testing.T) {
			res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: c.query, Mode: hit.ModeKeyword, Detail: hit.DetailLines, Brief: true, MaxTokens: 600})
			first := res.Hits[0]
			if first.Path != c.path || !slices.ContainsFunc(first.Lines, func(l hit.Line) bool { return strings.TrimSpace(string(l.Text)) == c.line }) {
				t.Errorf("first is %s with %v, want %s with %q", first.Path, first.Lines, c.path, c.line)
			}
			name := c.query[strings.LastIndex(c.query, " ")+1:]
			passes := slices.ContainsFunc(first.Why, func(why string) bool { return strings.HasPrefix(why, "passes ") })
			if got := slices.Contains(first.Why, "passes on "+name+" from "+c.from); got != (c.from != "") || passes != got {
				t.Errorf("why is %q, want that it is passed on from %q", first.Why, c.from)
			}
			if alone := c.from != "" && !strings.Contains(c.query, " "); alone && (len(first.Lines) > 2 || first.Symbol != "") {
				t.Errorf("the hit is called %q and shows %v: more than what is passed on", first.Symbol, first.Lines)
			}
		})
	}
}

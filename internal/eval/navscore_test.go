package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNavigationReport grades answers of which each measure was counted by hand.
func TestNavigationReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "set.json")
	truth := `{"meta": {"repo": "r", "Scope": "src", "server": "s", "scope_re": "^(src|lib)/", "scope_not": "^src/gen/"}, "symbols": [
		{"id": "a", "lang": "go", "kind": "method", "ambiguous": true, "definition": {"path": "src/a.go", "line": 1},
		 "references": [{"path": "src/a.go", "line": 1}, {"path": "src/b.go", "line": 2}, {"path": "src/b.go", "line": 3}, {"path": "src/b.go", "line": 9, "via": "interface"}],
		 "unresolved": [{"path": "src/c.go", "line": 7}],
		 "name_union": {"definitions": [{"path": "src/a.go", "line": 1}], "references": [{"path": "src/b.go", "line": 2}, {"path": "src/b.go", "line": 6}, {"path": "src/b.go", "line": 7}]},
		 "definition_probes": [{"to": [{"path": "src/a.go", "line": 1}]}, {"to": [{"path": "<outside>", "line": 1}]}, {"to": [{"path": "src/a.go", "line": 5}]}]},
		{"id": "b", "lang": "go", "kind": "type", "ambiguous": false, "definition": {"path": "src/a.go", "line": 4},
		 "references": [{"path": "src/d.go", "line": 1}], "definition_probes": [{"to": [{"path": "src/a.go", "line": 4}]}]},
		{"id": "z", "lang": "go", "kind": "type", "zero_refs": true, "definition": {"path": "src/a.go", "line": 8}, "references": []}]}`
	if err := os.WriteFile(file, []byte(truth), 0o600); err != nil {
		t.Fatal(err)
	}
	n := newNavigation()
	n.Refs["a"] = []Line{
		{"src/a.go", 1},                  // its own declaration
		{"src/b.go", 2}, {"src/b.go", 5}, // one right, one wrong; src/b.go:3 is missed
		{"src/b.go", 9}, {"src/c.go", 7}, // neutral
		{"lib/b.go", 2}, {"src/b.py", 2}, {"src/gen/b.go", 2}, // not in the scope
	}
	n.NameRefs["a"] = []Line{{"src/b.go", 2}, {"src/b.go", 3}, {"src/b.go", 4}, {"src/b.go", 5}}
	n.NameMay["a"] = []Line{{"src/b.go", 6}}
	n.Refs["b"] = []Line{{"src/d.go", 1}}
	n.Refs["z"] = []Line{{"src/d.go", 1}}
	n.Defs["a#0"], n.Defs["a#1"], n.Defs["a#2"] = []Line{{"src/a.go", 1}}, []Line{{"x", 1}}, []Line{{"src/a.go", 1}, {"src/a.go", 5}}
	n.Defs["b#0"] = []Line{{"src/a.go", 4}}
	page, err := n.NavigationReport([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n| all | 2 | 0.750 | 0.750 | 0.667 | 0.667 |\n",
		"\n| ambiguous names | 1 | 0.500 | 0.500 | 0.500 | 0.500 |\n",
		"\n| unique names | 1 | 1.000 | 1.000 | 1.000 | 1.000 |\n",
		"\n| symbols without references | 1 | 0.000 | 1.000 | 0.000 | - |\n",
		"\n| method | 1 | 0.250 | 0.333 | 0.250 | 0.333 |\n",
		"Of 3 lines with these names that a server attributes, 1 are in no part of the answer",
		"Of 3 uses the right definition came first for 0.667; of the 2 of ambiguous names, for 0.500.",
		"r (s, 3 symbols)",
	} {
		t.Run(strings.TrimSpace(want), func(t *testing.T) {
			if !strings.Contains(string(page), want) {
				t.Errorf("the page lacks %q:\n%s", want, page)
			}
		})
	}
}

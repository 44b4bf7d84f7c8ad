package structure

import (
	"strings"
	"testing"
	"time"
)

// TestMayMatch holds which texts are not worth a syntax tree: those in which the names of
// a pattern do not stand with the signs between them.
func TestMayMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"path.node", "path . node", true},
		{"path.node", "path\n\t.node", true},
		{"path.node", "path, node", false},
		{"path.node", "mypath.node", false},
		{"path.node", "path.nodes; path.node", true},
		{"path.node", "path /* of it */ .node", true},
		{"path.node", "path // it\n.node", true},
		{"path.node", "path. # it\nnode", true},
		{"path.node", "path?.node", false},
		{"$A.scope.rename($B)", "x.scope.rename(y)", true},
		{"$A.scope.rename($B)", "scope; function rename() {}", false},
		{"$A.scope.rename($B)", "x.scope.template rename(y)", true},
		{"$A.rename($B)", "function rename() {}", false},
		{"$A.rename($B)", "rename(y)", false},
		{"$P->next", "p -> next", true},
		{"$P->next", "p.next", false},
		{"std::move($X)", "std :: move(a)", true},
		{"std::move($X)", "std.move(a)", false},
		{"a?.b", "a?.b", true},
		{"f(...rest)", "f(... rest)", true},
		{"f(...rest)", "f(rest)", false},
		{"get$NAME.value", "getIt.value", true},
		{"größe.x", "größe.x", true},
		{"a.$B.c", "a.b.c", true},
		{"a.$B.c", "a.b; d.c", true},
		{"kind:call_expression", "f()", true},
	} {
		p, err := Parse(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.MayMatch([]byte(tt.text)); got != tt.want {
			t.Errorf("MayMatch of %s in %q = %v", tt.pattern, tt.text, got)
		}
	}
}

// TestMayMatchEnds holds that long texts take no more than time in proportion.
func TestMayMatchEnds(t *testing.T) {
	p, err := Parse("path.node")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"one line": strings.Repeat("node,path;", 500_000), "blanks": strings.Repeat("path"+strings.Repeat(" ", 1000)+"node\n", 5_000),
		"one word": strings.Repeat("nodex", 1_000_000), "words": strings.Repeat("node ", 1_000_000),
	} {
		began := time.Now()
		if p.MayMatch([]byte(text)) {
			t.Errorf("%s: may match", name)
		}
		if d := time.Since(began); d > 20*time.Second { // minutes where it grows with the square
			t.Errorf("%s takes %v", name, d)
		}
	}
}

//go:build cgo && !race

package treesitter

import (
	"strings"
	"testing"

	"espy/internal/facts/tree"
)

// nested writes the nodes of a tree as nested lists, with fields and flags.
func nested(t *tree.Tree, n int32) string {
	node := t.Nodes[n]
	var b strings.Builder
	if f := t.Grammar.Fields[node.Field]; f != "" {
		b.WriteString(f + ":")
	}
	if node.Kind == 0xffff {
		b.WriteString("ERROR")
	} else {
		b.WriteString(t.Grammar.Kinds[node.Kind])
	}
	if node.Flags&1 != 0 { // missing
		b.WriteString("?")
	}
	for c := n + 1; c < node.Next; c = t.Nodes[c].Next {
		if c == n+1 {
			b.WriteString("(")
		} else {
			b.WriteString(" ")
		}
		b.WriteString(nested(t, c))
	}
	if node.Next > n+1 {
		b.WriteString(")")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ grammar, text, want string }{
		{"python", "x = f(1)", "module(expression_statement(assignment(left:identifier = right:call(function:identifier arguments:argument_list(integer)))))"},
		{"c", "int x", "translation_unit(declaration(type:primitive_type declarator:identifier ;?))"},
		{"rust", "", "source_file"},
	} {
		t.Run(tt.grammar, func(t *testing.T) {
			parsed, err := Parse(tt.grammar, []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := nested(parsed, 0); got != tt.want {
				t.Errorf("Parse(%q) = %s, want %s", tt.text, got, tt.want)
			}
		})
	}
	if _, err := Parse("cobol", nil); err == nil {
		t.Error("Parse of a language without a grammar gave no error")
	}
}

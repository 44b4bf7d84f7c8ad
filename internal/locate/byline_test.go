package locate

import (
	"strings"
	"testing"

	"espy/internal/code"
)

// TestBodyEnd holds that the end of a definition that was found line by line is told by
// its indentation and by what closes it, whatever closes it in the language.
func TestBodyEnd(t *testing.T) {
	for text, want := range map[string]int{
		"f = 1\nnext\n": 1,
		"function f(x)\n    x\n\n    y\nend\n\ng\n":                                            5,
		"void f()\n{\n\treturn;\n}\nvoid g();\n":                                               4,
		"int f(int x,\n      int y) {\n}\n":                                                    3,
		"f(\n  int x\n) {\n  y();\n}\nz\n":                                                     5,
		"(defn f [x]\n  (+ x\n     1))\n(f 2)\n":                                               3,
		"f :: Int\nf 0 = 1\nf n = n\n\ng = 2\n":                                                3,
		"  def f:\n    pass\n  def g:\n":                                                       2,
		"sub f {\n  1;\n}\n\nsub g {}\n":                                                       3,
		"Sub f()\n  x\nEnd Sub\nSub g()\n":                                                     3,
		"procedure f;\nvar\n  x: T;\nbegin\n  x;\nend;\nprocedure g;\n":                        6,
		"f() {\n  if x; then\n    y\n  fi\n}\n\n\n":                                            5,
		"(defun f ()\n  \"Does it.\nAnd more.\"\n  (g ?\\\"))\n(h)\n":                          4,
		"def f():\n    \"\"\"Does it.\n\nMore.\n\"\"\"\n    pass\nx\n":                         6,
		"- (void)f:(int)x\nwithAll:(int)y\n    more:(int)z\n{\n    g();\n}\n- (int)g {\n":      6,
		"module f #(\n  x\n) (\n  y\n);\n`ifdef A\n  z\n`endif\nendmodule : f\nmodule g;\n":    9,
		"function f(\n  x\n);\nconst g = 1;\n":                                                 3,
		"void f() {\n  x();\n#if A\n  y();\n#endif\n}\nz\n":                                    6,
		"int f(R)(R r)\nif (isRange!R &&\n    is(R : int))\n{\n    g();\n}\nint g()\n":         6,
		"int f(R)(R r,\n    int n)\nif (isRange!R)\nout (r; r > 0)\n{\n    g();\n}\nint g()\n": 7,
		"def f(x):\n    g()\nif (x):\n    f(1)\n":                                              2,
		"f": 1,
	} {
		lines := LinesOf([]byte(text))
		all := []code.Definition{{Name: "f", Kind: code.KindFunc, Line: 1}}
		if got := lines.End(all, 0); got != want {
			t.Errorf("%q ends at line %d, want %d", strings.Split(text, "\n"), got, want)
		}
	}
}

// TestHolds holds that a definition stands in one that is indented less and has not ended
// before it: a function ends where indentation does, a type where something closes it or
// something else opens in its column.
func TestHolds(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		outer, inner code.Definition
		want         bool
	}{
		{"a function has ended", "(defn f [x]\n  x)\n\n#?(:clj\n   (defn g [x]\n     x))\n",
			code.Definition{Kind: code.KindFunc, Line: 1}, code.Definition{Kind: code.KindFunc, Line: 5}, false},
		{"conditions in the first column", "class A\n{\n#if X\n  int f;\n#endif\n  int g;\n}\n",
			code.Definition{Kind: code.KindClass, Line: 1}, code.Definition{Kind: code.KindField, Line: 6}, true},
		{"a type has ended", "trait A {\n  fn f();\n}\nimpl X<\n  T,\n> of Y {\n  fn g() {}\n}\n",
			code.Definition{Kind: code.KindTrait, Line: 1}, code.Definition{Kind: code.KindFunc, Line: 7}, false},
		{"something else opens", "type A = B\nextend X {\n  fun g() {}\n}\n",
			code.Definition{Kind: code.KindType, Line: 1}, code.Definition{Kind: code.KindFunc, Line: 3}, false},
		{"tabs beside blanks", "  class A\n  {\n    f() {\n    }\n\tg() {\n\t}\n  }\n",
			code.Definition{Kind: code.KindClass, Line: 1}, code.Definition{Kind: code.KindMethod, Line: 5}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.outer.Name, c.inner.Name = "A", "g"
			if got := LinesOf([]byte(c.text)).Nesting([]code.Definition{c.outer, c.inner}).Holds(0, 1); got != c.want {
				t.Errorf("%q: Holds = %t, want %t", c.text, got, c.want)
			}
		})
	}
}

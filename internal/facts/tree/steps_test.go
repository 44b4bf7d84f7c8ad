//go:build cgo && !race

package tree_test

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/facts/tree"
	"espy/internal/facts/treesitter"
)

// shape makes a text of about so many bytes.
type shape func(size int) string

func repeated(unit string) shape {
	return func(size int) string { return strings.Repeat(unit, size/len(unit)+1) }
}

func within(before string, b shape, after string) shape {
	return func(size int) string { return before + b(size) + after }
}

// numbered counts in its lines.
func numbered(format string) shape {
	return func(size int) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
}

// shapes repeat one thing many times: side by side, in a chain, not closed. What is
// nested is bounded by the depth of the tree.
var shapes = map[string]shape{
	"tab a":               repeated("\ta\n"),
	"a":                   repeated("a\n"),
	"A_B":                 repeated("A_B\n"),
	"A_B,":                repeated("A_B, "),
	"comments":            repeated("// a\n"),
	"comment decl":        repeated("// a\nint a;\n"),
	"block comments decl": repeated("/* a */ int a;"),
	"dots":                within("x = a", repeated(".b"), ";"),
	"arrows":              within("x = a", repeated("->b"), ";"),
	"calls in":            within("x = a", repeated(".b(c)"), ";\n"),
	"plus":                within("x = a", repeated(" + a"), ";\n"),
	"plus s":              within("x = 'a'", repeated(" + 'a'"), ";\n"),
	"and":                 within("x = a", repeated(" && a"), ";\n"),
	"and py":              within("x = a", repeated(" and a"), "\n"),
	"else if f":           within("void f() { if (a) {}", repeated(" else if (a) {}"), "}\n"),
	"elif":                within("if a:\n  b\n", repeated("elif a:\n  b\n"), "\n"),
	"elif rust":           within("fn f() { if a {}", repeated(" else if a {}"), "}\n"),
	"ternary":             within("x = ", repeated("a ? b : "), "c;\n"),
	"params":              func(n int) string { return "void f(" + numbered("int a%d, ")(n) + "int z) { }" },
	"params js":           func(n int) string { return "function f(" + numbered("a%d, ")(n) + "z) { return a1 }" },
	"params ts":           func(n int) string { return "function f(" + numbered("a%d: A, ")(n) + "z) { return a1 }" },
	"params py":           func(n int) string { return "def f(" + numbered("a%d, ")(n) + "z): return a1\n" },
	"params rs":           func(n int) string { return "fn f(" + numbered("a%d: u8, ")(n) + "z: u8) { a1 }" },
	"params php":          func(n int) string { return "function f(" + numbered("$a%d, ")(n) + "$z) { return $a1; }" },
	"args":                within("x = f(", repeated("a, "), "a);\n"),
	"table":               within("int x[] = {", repeated("0x12, 3,\n"), "};"),
	"table rs":            within("static X: [u8; 9] = [", repeated("0x12, 3,\n"), "];\n"),
	"table java":          within("class A { int[] x = {", repeated("0x12, 3,\n"), "}; }\n"),
	"structs":             within("struct a x[] = {", repeated("{ .a = 1, .b = f },\n"), "};"),
	"objects":             within("x = [", repeated("{ a: 1, b: f },\n"), "];"),
	"keys":                func(n int) string { return "x = {" + numbered("a%d: 1, b%[1]d: f,\n")(n) + "};" },
	"string":              within("x = \"", repeated("abc "), "\";\n"),
	"string open":         within("x = \"", repeated("abc "), "\n"),
	"comment open":        within("/* ", repeated("abc "), ""),
	"string lines":        within("x = `", repeated("abc\n"), "`;\n"),
	"labels f":            func(n int) string { return "void f() {" + numbered("l%d: x; goto l%[1]d;\n")(n) + "}" },
	"cases":               func(n int) string { return "void f() { switch (a) {" + numbered("case %d: x;\n")(n) + "}}" },
	"match":               func(n int) string { return "fn f() { match a {" + numbered("%d => x,\n")(n) + "}}" },
	"parens":              repeated("("),
	"brackets":            repeated("["),
	"braces close":        repeated("}"),
	"lambdas":             repeated("a => "),
	"defines":             repeated("#define A a\n"),
	"define long":         within("#define A ", repeated("a b "), "\n"),
	"includes":            repeated("#include <a.h>\n"),
	"imports":             numbered("import a%d from 'b';\n"),
	"imports py":          numbered("from a import b%d\n"),
	"use rs":              numbered("use a::b%d;\n"),
	"same names":          repeated("int a;\n"),
	"same funcs":          repeated("void f() { f(); }\n"),
	"same js":             repeated("var a = a;\n"),
	"same let rs":         within("fn f() {", repeated("let a = a;\n"), "}"),
	"assign":              repeated("a = a;\n"),
	"assign n":            numbered("a%d = a%[1]d\n"),
	"assign prop":         repeated("a.b = a.b;\n"),
	"assign self n":       within("class A:\n  def f(self):\n", numbered("    self.a%d = self.a%[1]d\n"), ""),
	"assign fn2":          within("def f(a):\n", repeated("    a = g(a)\n    if a: a = b\n"), ""),
	"exports":             numbered("exports.a%d = 1;\n"),
	"methods java":        within("class A {", repeated("void f(int a) { f(1); }\n"), "}"),
	"methods js":          within("class A {", repeated("f(a) { this.f(1); }\n"), "}"),
	"methods py":          within("class A:\n", repeated("  def f(self): self.f()\n"), ""),
	"methods php":         within("class A {", repeated("function f($a) { $this->f(1); }\n"), "}"),
	"methods rs":          repeated("impl A { fn f(&self) { self.f() } }\n"),
	"methods cpp":         repeated("void A::f() { f(); }\n"),
	"fields":              func(n int) string { return "class A {" + numbered("int f%d;\n")(n) + "};\n" },
	"enum":                func(n int) string { return "enum A {" + numbered("f%d,\n")(n) + "};\n" },
	"overloads":           repeated("function f(a: string): void;\n"),
	"unions":              within("type A = a", repeated(" | a"), ";"),
	"tpl":                 within("x = `", repeated("${a}"), "`;"),
	"fstr":                within("x = f'", repeated("{a}"), "'\n"),
	"decorators fn":       within("", repeated("@a\n"), "def f(): pass\n"),
	"attrs rs":            within("", repeated("#[a]\n"), "fn f() {}\n"),
	"docs rs":             within("", repeated("/// a\n"), "fn f() {}\n"),
	"macro rs":            within("a!{", repeated("a b c; "), "}\n"),
	"annotations":         within("class A {", repeated("@A "), "int x; }"),
	"jsx":                 within("x = <a>", repeated("<b c={d}/>"), "</a>;"),
	"blank lines":         repeated(" \n"),
	"templates":           repeated("template <A_B(a)>\n"),
	"static caps":         repeated("static int A_B f(int a);\n"),
	"php varsn":           numbered("$a%d = $a%[1]d;\n"),
	"php chain":           within("$x = $a", repeated("->b()"), ";"),
	"declist":             within("int x", repeated(", x"), ";"),
	"declist js":          within("var x", repeated(", x = 1"), ";"),
	"declist java":        within("class A { int x", repeated(", x = 1"), "; }"),
	"catch":               within("void f() { try { }", repeated(" catch (A a) { }"), "}"),
	"isinst":              within("def f(x):\n  if isinstance(x, A)", repeated(" and isinstance(x, A)"), ": pass\n"),
	"isinsts elif":        within("def f(x):\n  if a: pass\n", repeated("  elif isinstance(x, A): x.a\n"), ""),
	"all":                 within("__all__ = [", repeated("'a', "), "]\n"),
	"mod exports big":     within("module.exports = {", repeated("a, b, "), "};\n"),
	"destruct":            within("const {", repeated("a, "), "} = b;\n"),
	"jsdoc one":           within("/**\n", repeated(" * @param {A} a\n"), " */\nfunction f(a) {}\n"),
	"extends list":        within("interface A extends B", repeated(", B"), " {}\n"),
	"where":               within("fn f<A>() where A: B", repeated(", A: B"), " {}\n"),
	"switch java":         within("class A { void f() { switch (a) {", repeated("case B: x();\n"), "}}}"),
	"casts":               within("void f() { x = ", repeated("(a)"), "b; }"),
	"comma expr":          within("void f() { a", repeated(", a"), "; }"),
	"init cpp":            within("A::A() : a(1)", repeated(", a(1)"), " {}"),
	"access":              within("class A {", repeated("public: int a;\n"), "};"),
	"bases":               within("class A : B", repeated(", B"), " {};"),
}

// TestSteps holds that a text of twice the size takes twice the steps, whatever it
// repeats and whatever the grammar.
func TestSteps(t *testing.T) {
	for _, grammar := range []string{"c", "cpp", "java", "javascript", "php", "python", "rust", "tsx", "typescript"} {
		t.Run(grammar, func(t *testing.T) {
			for name, s := range shapes {
				t.Run(name, func(t *testing.T) { doubles(t, grammar, s) })
			}
		})
	}
}

func doubles(t *testing.T, grammar string, s shape) {
	one, ok := steps(t, grammar, s(size))
	if !ok {
		return // beyond a bound of the parser
	}
	two, ok := steps(t, grammar, s(2*size))
	if ok && 10*two > 23*one+10_000 {
		t.Errorf("%d steps for %d bytes, %d for twice as many", one, size, two)
	}
}

// size is that of the smaller text in bytes.
const size = 1500

func steps(t *testing.T, grammar, text string) (int, bool) {
	t.Helper()
	if grammar == "php" {
		text = "<?php\n" + text
	}
	parsed, err := treesitter.Parse(grammar, tree.Prepare(grammar, []byte(text)))
	if err != nil {
		return 0, false
	}
	return tree.Steps(parsed, []byte(text), treesitter.Parse), true
}

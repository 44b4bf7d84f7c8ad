//go:build cgo && !race

package treesitter

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/facts/tree"
	"espy/internal/lang"
)

// allGrammars are the names of the grammars that facts are read by. Those of Go come
// from its own parser.
var allGrammars = slices.DeleteFunc(slices.Sorted(maps.Keys(grammars)), func(name string) bool { return !tree.HasGrammar(name) })

// grammarOf names the grammar of a file by its path, "" for a file without one.
func grammarOf(path string) string {
	if l := lang.Detect(path, nil); l != nil {
		return tree.GrammarOf(l.Name, path, nil)
	}
	return ""
}

// samples lists the files below testdata that have a grammar.
func samples(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(path string) bool { return grammarOf(path) == "" })
}

// hostile holds texts of one grammar that tests blow up.
type hostile struct {
	nested    []nesting
	longest   int    // bytes of a literal; 0 for 5 MB, less where the grammar makes a token of each word
	literal   string // declares before, whose value is the literal %s, and after on the next line
	header    string // before many functions
	functions string // one of many functions: number %[1]d, which calls number %[2]d
	foreign   string // declares größe, which returns its parameter 名前
}

// nesting is a text that opens one thing within another.
type nesting struct{ before, open, middle, end, after string }

func (n nesting) text(depth int) string {
	return n.before + strings.Repeat(n.open, depth) + n.middle + strings.Repeat(n.end, depth) + n.after
}

var hostileTexts = map[string]hostile{
	"bash": {
		nested: []nesting{{"x=", "$(", "y", ")", ""}, {"", "{ ", "a;", " }", ""}, {"", "if a; then ", "b", "; fi", ""}, {"", "f() { ", "a", "; }", ""},
			{"echo ", "${a:-", "b", "}", ""}, {"", "\"$(", "a", ")\"", ""}, {"", "(", "a", ")", ""}},
		literal:   "before=%s\nafter=$before\n",
		functions: "f%[1]d() { f%[2]d; }\n",
		foreign:   "größe() { 名前; }\n名前() { größe; }\n",
	},
	"c": {
		nested:    []nesting{{"int f() { ", "{", "", "}", " }"}, {"int x = ", "(", "y", ")", ";"}, {"", "#if A\n", "", "#endif\n", ""}},
		literal:   "char *before = %s;\nchar *after = before;\n",
		functions: "void f%[1]d(void) { f%[2]d(); }\n",
		foreign:   "int größe(int 名前) { return 名前; }\n",
	},
	"cpp": {
		nested:    []nesting{{"", "namespace n {", "", "}", ""}, {"int x = ", "f(", "y", ")", ";"}},
		literal:   "char *before = %s;\nchar *after = before;\n",
		functions: "void f%[1]d() { f%[2]d(); }\n",
		foreign:   "int größe(int 名前) { return 名前; }\n",
	},
	"csharp": {
		nested: []nesting{{"class A { int x = ", "(", "y", ")", "; }"}, {"", "class A {", "", "}", ""}, {"", "namespace N {", "", "}", ""},
			{"var x = a", ".B()", "", "", ";"}, {"var x = a", "?.b", "", "", ";"}, {"A", "<A", "", ">", " x;"}},
		literal:   "class A { string before = %s;\nstring after = before; }\n",
		header:    "class A {\n",
		functions: "static void f%[1]d() { f%[2]d(); }\n",
		foreign:   "class A { int größe(int 名前) { return 名前; } }\n",
	},
	"elixir": {
		nested: []nesting{{"x = ", "(", "y", ")", ""}, {"x = ", "[", "", "]", ""}, {"", "defmodule A do ", "", " end", ""}, {"x = a", ".b()", "", "", ""},
			{"a ", "|> b() ", "", "", ""}, {"", "fn -> ", "", " end", ""}, {"x = ", "%{a: ", "1", "}", ""}},
		literal:   "defmodule A do defstruct before: %s,\nafter: 1\nend",
		header:    "defmodule A do\n",
		functions: "def f%[1]d(), do: f%[2]d()\n",
		foreign:   "defmodule A do def größe(名前), do: 名前\nend",
	},
	"java": {
		nested:    []nesting{{"class A { int x = ", "(", "y", ")", "; }"}, {"", "class A {", "", "}", ""}},
		literal:   "class A { String before = %s;\nString after = before; }\n",
		header:    "class A {\n",
		functions: "static void f%[1]d() { f%[2]d(); }\n",
		foreign:   "class A { int größe(int 名前) { return 名前; } }\n",
	},
	"javascript": {
		nested: []nesting{{"x = ", "(", "y", ")", ""}, {"", "{", "", "}", ""}, {"", "function f() {", "", "}", ""},
			{"x = a", ".b()", "", "", ""}, {"", "x => ", "y", "", ""}, {"", "[", "", "", ""}},
		literal:   "const before = %s;\nconst after = before;\n",
		functions: "function f%[1]d() { return f%[2]d(); }\n",
		foreign:   "function größe(名前) { return 名前 }\n",
	},
	"jupyter": {
		nested:    []nesting{{`{"cell_type": "code", "source": ["x = `, "(", "y", ")", `"]}`}, {`{"source":`, "[", "", "]", "}"}, {`{"cell_type": "code", "source": `, `["a\n", `, "", "]", "}"}},
		literal:   "{\"cell_type\": \"code\", \"source\": [\"before = '%.5242881s'\\n\",\n\"after = before\"]}",
		header:    `{"cell_type": "code", "source": ["",`,
		functions: "\"def f%[1]d(): return f%[2]d()\\n\",\n",
		foreign:   `{"cell_type": "code", "source": "def größe(名前): return 名前\n"}`,
	},
	"lua": {
		nested: []nesting{{"x = ", "(", "y", ")", ""}, {"x = ", "{", "", "}", ""}, {"", "do ", "", " end", ""}, {"", "function f() ", "", " end", ""},
			{"x = a", ":b()", "", "", ""}, {"local t = ", "{a = ", "1", "}", ""}},
		literal:   "local before = %s\nlocal after = before\n",
		functions: "function f%[1]d() return f%[2]d() end\n",
		foreign:   "function größe(名前) return 名前 end\n",
	},
	"zig": {
		nested: []nesting{{"const x = ", "(", "y", ")", ";"}, {"const x = ", "struct { a: ", "u8", "}", ";"}, {"fn f() void ", "{", "", "}", ""}, {"const x: ", "?*", "T", "", " = y;"},
			{"const x = a", ".b()", "", "", ";"}, {"const x = a", " + a", "", "", ";"}, {"const x = ", ".{ .a = ", "1", "}", ";"}},
		literal:   "const before = %s;\nconst after = before;\n",
		functions: "fn x%[1]d() void { x%[2]d(); }\n",
		foreign:   "fn @\"größe\"(@\"名前\": u8) u8 { return @\"名前\"; }\n",
	},
	"kotlin": {
		nested: []nesting{{"val x = ", "(", "y", ")", ""}, {"", "class A {\n", "", "}\n", ""}, {"fun f() { ", "{ ", "", " }", " }"}, {"val x: ", "A<", "B", ">", ""},
			{"val x = a", ".b()", "", "", ""}, {"val x = ", "f { ", "it", " }", ""}, {"val x = a", " ?: b", "", "", ""}},
		literal:   "val before = %s\nval after = before\n",
		functions: "fun f%[1]d() { f%[2]d() }\n",
		foreign:   "fun größe(名前: Int): Int = 名前\n",
	},
	"php": {
		nested: []nesting{{"<?php $x = ", "(", "$y", ")", ";"}, {"<?php ", "{", "", "}", ""}, {"<?php ", "function f() {", "", "}", ""},
			{"<?php $x = $a", "->b()", "", "", ";"}, {"<?php $x = ", "[", "", "]", ";"}},
		literal:   "<?php const before = %s;\nconst after = before;\n",
		header:    "<?php\n",
		functions: "function f%[1]d() { f%[2]d(); }\n",
		foreign:   "<?php function größe($名前) { return $名前; }\n",
	},
	"python": {
		nested: []nesting{{"x = ", "(", "y", ")", ""}, {"x = ", "[", "", "]", ""}, {"x = ", "f(", "", "", ""}, {"x = ", "not ", "y", "", ""},
			{"x = a", ".b", "", "", ""}, {"x = a", " + a", "", "", ""}},
		literal:   "before = %s\nafter = before\n",
		functions: "def f%[1]d(): return f%[2]d()\n",
		foreign:   "def größe(名前): return 名前\n",
	},
	"ruby": {
		nested: []nesting{{"x = ", "(", "y", ")", ""}, {"x = ", "[", "", "]", ""}, {"", "module A\n", "", "end\n", ""}, {"", "def f\n", "", "end\n", ""},
			{"x = a", ".b()", "", "", ""}, {"", "f { ", "", "}", ""}, {"x = ", "-> { ", "1", " }", ""}},
		literal:   "before = %s\nafter = before\n",
		functions: "def f%[1]d() = f%[2]d()\n",
		foreign:   "def größe(名前) = 名前\n",
	},
	"rust": {
		nested:    []nesting{{"fn f() { ", "(", "y", ")", " }"}, {"", "mod m {", "", "}", ""}, {"type T = ", "A<", "B", ">", ";"}},
		literal:   "const before: &str = %s;\nconst after: &str = before;\n",
		functions: "fn f%[1]d() { f%[2]d() }\n",
		foreign:   "fn größe(名前: u8) -> u8 { 名前 }\n",
	},
	"scala": {
		nested: []nesting{{"object A { val x = ", "(", "y", ")", " }"}, {"", "class A {\n", "", "}\n", ""}, {"def f = { ", "{ ", "", " }", " }"}, {"val x: ", "A[", "B", "]", " = y"},
			{"val x = a", ".b()", "", "", ""}, {"val x = ", "f { ", "_", " }", ""}, {"val x = a", " op b", "", "", ""}, {"val x = ", "a => ", "b", "", ""}, {"val x = ", "s\"${", "a", "}\"", ""}},
		literal:   "val before = %s\nval after = before\n",
		functions: "def f%[1]d = f%[2]d\n",
		foreign:   "def größe(名前: Int): Int = 名前\n",
	},
	"svelte": {
		nested: []nesting{{"<script>x = ", "(", "y", ")", "</script>"}, {"", "<A>", "", "</A>", ""}, {"", "{#if a}", "", "{/if}", ""}, {"", "{#each a as b}", "{b}", "{/each}", ""},
			{"", "{", "", "}", ""}, {"<p ", "a={", "", "}", ">"}, {"<p a=\"", "{", "", "", "\">"}, {"", "{a", "", "", ""}},
		literal:   "<script>const before = %s;\nconst after = before;\n</script>",
		header:    "<script>\n",
		functions: "function f%[1]d() { return f%[2]d(); }\n",
		foreign:   "<script>function größe(名前) { return 名前 }</script>",
	},
	"terraform": {
		nested: []nesting{{"x = ", "(", "y", ")", ""}, {"x = ", "[", "", "]", ""}, {"", "a {\n", "", "}\n", ""}, {"x = ", "{ a = ", "1", " }", ""}, {"x = ", "f(", "y", ")", ""},
			{"x = ", "\"${", "a", "}\"", ""}, {"x = a", ".b", "", "", ""}},
		longest:   64 << 10,
		literal:   "output \"before\" { value = %s }\noutput \"after\" { value = var.before }\n",
		functions: "variable \"f%[1]d\" { default = local.f%[2]d }\n",
		foreign:   "locals {\n größe = 1\n 名前 = local.名前\n}\n",
	},
	"tsx": {
		nested:    []nesting{{"", "<A>", "", "</A>", ""}},
		literal:   "const before = %s;\nconst after = before;\n",
		functions: "export function f%[1]d(): void { f%[2]d() }\n",
		foreign:   "function größe(名前: any) { return 名前 }\n",
	},
	"typescript": {
		nested:    []nesting{{"let x: ", "A<", "B", ">", ""}, {"type T = ", "{ a: ", "B", "}", ""}, {"", "namespace N {", "", "}", ""}},
		literal:   "const before = %s;\nconst after = before;\n",
		functions: "export function f%[1]d(): void { f%[2]d() }\n",
		foreign:   "function größe(名前: any) { return 名前 }\n",
	},
	"vue": {
		nested: []nesting{{"<script>x = ", "(", "y", ")", "</script>"}, {"<template>", "<A>", "", "</A>", "</template>"}, {"<template>", "<p v-for='a in b'>", "", "</p>", "</template>"},
			{"<template>", "{{a}}", "", "", "</template>"}, {"<template>", "{{a", "", "", ""}, {"<template><p ", ":a='b' ", "", "", "></template>"}, {"<template>", "<p #a='{b}'>", "{{b}}", "", "</template>"}},
		literal:   "<script>const before = %s;\nconst after = before;\n</script>",
		header:    "<script>\n",
		functions: "function f%[1]d() { return f%[2]d(); }\n",
		foreign:   "<script>function größe(名前) { return 名前 }</script>",
	},
}

// TestEveryGrammarIsTested holds that every grammar has rules, a sample and hostile texts.
func TestEveryGrammarIsTested(t *testing.T) {
	sampled := map[string]bool{"tsx": true} // its rules are those of typescript
	for _, path := range samples(t) {
		sampled[grammarOf(path)] = true
	}
	for _, grammar := range allGrammars {
		t.Run(grammar, func(t *testing.T) {
			if !tree.HasGrammar(grammar) {
				t.Error("no rules in tree/languages.go")
			}
			if !sampled[grammar] {
				t.Error("no sample below testdata")
			}
			if h := hostileTexts[grammar]; len(h.nested) == 0 || h.literal == "" || h.functions == "" || h.foreign == "" {
				t.Error("no hostile texts")
			}
		})
	}
}

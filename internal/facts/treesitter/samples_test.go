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

// allGrammars are the names of all grammars.
var allGrammars = slices.Sorted(maps.Keys(grammars))

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

package nav_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/sample"
)

// TestOutlineByLine holds that files which no grammar read are outlined by what was
// found line by line: code always, prose and data where they are asked for alone.
func TestOutlineByLine(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"a.kt":       "package a\n\nclass Shop(val name: String) {\n    fun total(): Int {\n        return 1\n    }\n}\n\nfun main() {}\n",
		"b.go":       "package b\n\nfunc F() {}\n",
		"c.md":       "# Guide\n\ntext\n\n## Use\n",
		"empty.kt":   "// nothing\n",
		"empty.odin": "// nothing\n",
		"later.txt":  "text\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		request nav.OutlineRequest
		want    string
	}{
		{nav.OutlineRequest{Path: "a.kt"}, "a.kt by line: 3 class class Shop(val name: String); >4 method fun total(): Int; 9 func fun main() {}"},
		{nav.OutlineRequest{Path: "c.md"}, "c.md by line: 1 heading # Guide; >5 heading ## Use"},
		{nav.OutlineRequest{}, "a.kt by line: 3 class class Shop(val name: String); >4 method fun total(): Int; 9 func fun main() {} | b.go: 3 func func F() | c.md: | empty.kt: | empty.odin by line: | later.txt:"},
		{nav.OutlineRequest{Limit: 2, Offset: 1}, "a.kt by line: >4 method fun total(): Int; 9 func fun main() {}"},
		{nav.OutlineRequest{Limit: 2, Offset: 2}, "a.kt by line: 9 func fun main() {} | b.go: 3 func func F()"},
	} {
		t.Run(fmt.Sprintf("%+v", c.request), func(t *testing.T) {
			res, err := x.Outline(c.request)
			if err != nil {
				t.Fatal(err)
			}
			var files []string
			for _, f := range res.Files {
				var symbols []string
				for _, s := range f.Symbols {
					symbols = append(symbols, fmt.Sprintf("%s%d %s %s", strings.Repeat(">", s.Depth), s.Line, s.Kind, s.Signature))
				}
				by := ""
				if f.ByLine {
					by = " by line"
				}
				files = append(files, strings.TrimSpace(f.Path+by+": "+strings.Join(symbols, "; ")))
			}
			if got := strings.Join(files, " | "); got != c.want {
				t.Errorf("outline\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestSymbolByLine holds that a name which no grammar knows is found among what
// was found line by line, marked so: headings with their section.
func TestSymbolByLine(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"a.swift":       "class Shop {\n    func total() -> Int {\n        return 1\n    }\n}\n\nclass SHOP {}\n",
		"b.go":          "package b\n\nfunc Parsed() {}\n",
		"c.md":          "# Guide\n\ntext\n\n## Install & Use\n\nRun it.\n\n### Linux\n\nyes\n\nLast\n----\n",
		"d.swift":       "func total() {}\nfunc parsed() {}\n",
		"Tests/a.swift": "func sorted() {}\n", "docs.md": "# sorted\n", "z.swift": "func sorted() {}\n",
		"core/strings/builder.odin": "make_one :: proc() -> int {\n}\n", "core/bytes/builder.odin": "make_one :: proc() -> int {\n}\n",
		"f.go": "package b\n\ntype Both int\n", "f.swift": "class Both {\n    var x = 1\n}\n", "f.md": "# Both\n",
		"e.vue": "<script setup>\nconst a = 1\n</script>\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	const line = " (likely: found line by line: no grammar read its file)"
	for _, c := range []struct {
		request nav.SymbolRequest
		want    string
	}{
		{nav.SymbolRequest{Target: locate.Target{Name: "install use"}}, "1: c.md:5-11 heading Install & Use" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "Linux"}, Body: true}, "1: c.md:9-11 heading Linux" + line + " \"### Linux\\n\\nyes\\n\""},
		{nav.SymbolRequest{Target: locate.Target{Name: "Last"}}, "1: c.md:13-14 heading Last" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "total"}}, "2: a.swift:2-4 method total" + line + "; d.swift:1-1 func total" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "total"}, Offset: 1}, "2: d.swift:1-1 func total" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "SHOP"}}, "1: a.swift:7-7 class SHOP" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "func.total"}, Limit: 1}, "2: a.swift:2-4 method total" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "Shop.total"}}, "1: a.swift:2-4 method total" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "d.swift#total"}, Body: true}, "1: d.swift:1-1 func total" + line + " \"func total() {}\\n\""},
		{nav.SymbolRequest{Target: locate.Target{Name: "a.swift#Shop.total"}}, "1: a.swift:2-4 method total" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "sorted"}}, "3: z.swift:1-1 func sorted" + line + "; Tests/a.swift:1-1 func sorted" + line + "; docs.md:1-1 heading sorted" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "D.total"}}, "1: d.swift:1-1 func total" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "strings.make_one"}}, "1: core/strings/builder.odin:1-2 func make_one" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "core.bytes.builder.make_one"}}, "1: core/bytes/builder.odin:1-2 func make_one" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "Other.total"}}, "0:"},
		{nav.SymbolRequest{Target: locate.Target{Name: "Parsed"}}, "1: b.go:3-3 func Parsed"},
		{nav.SymbolRequest{Target: locate.Target{Name: "Both"}}, "2: f.go:3-3 type Both; f.swift:1-3 class Both" + line},
		{nav.SymbolRequest{Target: locate.Target{Name: "Both"}, Offset: 1}, "2: f.swift:1-3 class Both" + line},
	} {
		t.Run(fmt.Sprintf("%+v", c.request), func(t *testing.T) {
			res, err := x.Symbol(c.request)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, d := range res.Definitions {
				one := fmt.Sprintf("%s:%d-%d %s %s", d.Path, d.Line, d.EndLine, d.Kind, d.Name)
				if d.Reason != "" {
					one += fmt.Sprintf(" (%s: %s)", d.Confidence, d.Reason)
				}
				if d.Body != "" {
					one += fmt.Sprintf(" %q", d.Body)
				}
				found = append(found, one)
			}
			if got := strings.TrimSpace(fmt.Sprintf("%d: %s", res.Total, strings.Join(found, "; "))); got != c.want {
				t.Errorf("symbol\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestBeside holds that the uses of what a grammar found come with a word about code
// without a grammar that declares the name too.
func TestBeside(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"a.go": "package a\n\ntype Both int\n\ntype One Both\n", "f.swift": "class Both {\n    var x = 1\n}\n", "f.md": "# One\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Both": "f.swift:1, in swift", "One": "", "a.go#Both": ""} {
		res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: name}})
		if err != nil || len(res.Symbols) != 1 || res.Beside != want {
			t.Errorf("%s: beside %q, %d symbols, error %v; want beside %q", name, res.Beside, len(res.Symbols), err, want)
		}
	}
}

// TestFilesNamed holds that a name which no grammar declares leads to the files that are
// called so, tests last, but not to those whose definitions are listed.
func TestFilesNamed(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"app/schedules.py":        "class Due:\n    pass\n",
		"app/beat/__init__.py":    "x = 1\n",
		"tests/schedules.py":      "def test_due(): pass\n",
		"docs/schedules.md":       "text\n",
		"src/build_system.ml":     "let run () = ()\n",
		"src/import.ml":           "module Build_system = Build_system\nmodule Import = Import\n",
		"lib/été.py":              "a = 1\n",
		"app/schedules_helper.py": "b = 1\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"schedules":       "app/schedules.py tests/schedules.py",
		"app.schedules":   "app/schedules.py",
		"app.beat":        "app/beat/__init__.py",
		"other.schedules": "",
		"Build_system":    "src/build_system.ml",
		"Import":          "",
		"Été":             "lib/été.py",
		"Due":             "",
	} {
		res, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: name}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(res.Named, " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestReferencesByLine holds that the uses of what only lines tell of are the same words
// in code of its language, neither comments, strings nor other languages.
func TestReferencesByLine(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"Fixer.hs":  "module Fixer where\n\n-- `applyFix` fixes\napplyFix :: Int -> Int\napplyFix x = x\n",
		"Main.hs":   "main = print (applyFix 1) >> putStrLn \"applyFix\"\n",
		"a.sql":     "select applyFix;\n",
		"b.md":      "# applyFix\n",
		"c.html":    "<h1>applyFix</h1>\n",
		"d.go":      "package d\n\nfunc f() { applyFix() }\n",
		"e.swift":   "class Shop {\n    func total() -> Int { return total() }\n}\n",
		"notes.txt": "total\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	const word = " possible: the same word, in code that is read line by line"
	for _, tt := range []struct {
		request  nav.ReferencesRequest
		want     []string
		mentions int
	}{
		{nav.ReferencesRequest{Target: locate.Target{Name: "applyFix"}}, []string{"Main.hs:1" + word, "d.go:3 possible: no declaration of it is in sight"}, 5},
		{nav.ReferencesRequest{Target: locate.Target{Name: "applyFix"}, Kind: nav.KindCalls}, []string{"Main.hs:1" + word, "d.go:3 possible: no declaration of it is in sight"}, 5},
		{nav.ReferencesRequest{Target: locate.Target{Name: "Shop.total"}, Kind: nav.KindCalls}, []string{"e.swift:2" + word}, 1},
		{nav.ReferencesRequest{Target: locate.Target{Name: "Shop.total"}, Kind: nav.KindTypes}, nil, 1},
	} {
		res, err := x.References(tt.request)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, listed(res)); diff != "" || res.Mentions != tt.mentions || res.Outlined == "" {
			t.Errorf("%+v: %d mentions, declared at %q (-want +got):\n%s", tt.request, res.Mentions, res.Outlined, diff)
		}
	}
}

// TestKin holds that code that is read line by line may use what a language of its
// platform declares, with a grammar or without, and no other code.
func TestKin(t *testing.T) {
	x := parsed(t, map[string][]byte{
		"A.java":    []byte("class A {\n  int total(int x) { return x; }\n}\n"),
		"B.groovy":  []byte("new A().total(1) // total\n"),
		"c.swift":   []byte("total()\n"),
		"d.c":       []byte("int sum(void) { return 0; }\n"),
		"e.m":       []byte("#import \"d.h\"\n\nvoid f(void) {\n    sum();\n}\n"),
		"F.groovy":  []byte("sum()\n"),
		"notes.txt": []byte("sum total\n"),
	})
	const word = " possible: the same word, in code that is read line by line"
	for name, want := range map[string][]string{"total": {"B.groovy:1" + word}, "sum": {"e.m:4" + word}} {
		res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: name}, Union: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, listed(res)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for kind, want := range map[nav.Kind]int{nav.KindAll: 1, nav.KindCalls: 1, nav.KindTypes: 0} {
		res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: "A.java#A.total"}, Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		if res.Total != 0 || res.Others != want {
			t.Errorf("%s of the method: %d and %d others, want none and %d", kind, res.Total, res.Others, want)
		}
	}
}

// TestWithinByLine holds that a use in what is read line by line stands in the innermost
// definition round it.
func TestWithinByLine(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"a.sol": "contract Bank is Owned {\n    function pay() public {\n        check();\n    }\n\n    function check() internal {\n    }\n}\n\ncheck;\n",
		"b.md":  "# A\n\ncheck\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: "check"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range res.Maybe {
		for _, r := range f.References {
			got = append(got, fmt.Sprintf("%s:%d in %q", f.Path, r.Line, r.In))
		}
	}
	if diff := cmp.Diff([]string{`a.sol:3 in "a.sol#Bank.pay"`, `a.sol:10 in ""`}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestReferencesWithSigns holds that a name of a language whose names have signs is found
// whole, is not found in a longer one, and is called where the language calls.
func TestReferencesWithSigns(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"a.clj": "(ns a)\n(defn cookies [x] x)\n(defn wrap-cookies [x] (cookies x))\n(def y (map cookies (:cookies z)))\n(wrap-cookies 1) ; cookies\n",
		"b.jl":  "push(x) = x\npush!(x) = push(x) != x\n",
		"c.hs":  "f :: Int\nf = 1\nf' = f\n",
		"d.ps1": "function Get-Cart { }\nGet-Cart-Item\nGet-Cart\n",
		"e.erl": "-module(e).\n-export([send/1]).\n-spec send(any()) -> ok.\nsend(a) -> ok;\nsend(_) -> route:send(1).\n",
		"f.erl": "-module(f).\ngo() -> e:send(a).\n",
		"g.sql": "CREATE TABLE send (a int);\nCREATE INDEX i ON send(a);\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	const module = " likely: its module is named or is this file, in code that is read line by line"
	const word = " possible: the same word, in code that is read line by line"
	for _, tt := range []struct {
		name string
		kind nav.Kind
		want []string
	}{
		{"cookies", "", []string{"a.clj:3" + word, "a.clj:4" + word}},
		{"cookies", nav.KindCalls, []string{"a.clj:3" + word}},
		{"wrap-cookies", nav.KindCalls, []string{"a.clj:5" + word}},
		{"push", "", []string{"b.jl:2" + word}},
		{"f", "", []string{"c.hs:3" + word}},
		{"Get-Cart", "", []string{"d.ps1:3" + word}},
		{"send", nav.KindCalls, []string{"f.erl:2" + module, "e.erl:5" + word, "g.sql:2" + word}},
		{"e:send", nav.KindCalls, []string{"f.erl:2" + module, "e.erl:5" + word}},
		{"e:send", "", []string{"f.erl:2" + module, "e.erl:2" + word, "e.erl:5" + word}},
	} {
		res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: tt.name}, Kind: tt.kind})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, listed(res)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.kind, tt.name, diff)
		}
	}
}

// TestSymbolOfComponent holds that a component is known by the name of its file.
func TestSymbolOfComponent(t *testing.T) {
	x := parsed(t, map[string][]byte{
		"a/Setup.vue":   []byte("<script setup>\nimport Options from '../Options.vue'\n</script>\n<template><Options /></template>\n"),
		"Options.vue":   []byte("<script>\nexport default { data() { return {} } }\n</script>\n"),
		"x/Card.svelte": []byte("<script>\nlet open\n</script>\n"),
		"Text.vue":      []byte("<template>text</template>\n"),
	})
	for name, want := range map[string]string{
		"Setup": "a/Setup.vue#setup", "Options": "Options.vue#default", "Card": "x/Card.svelte#script", "Car": "", "Text": "", "a.Setup": "",
	} {
		t.Run(name, func(t *testing.T) {
			res, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: name}})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, d := range res.Definitions {
				got += d.ID
			}
			if got != want {
				t.Errorf("symbol %s is %q, want %q", name, got, want)
			}
		})
	}
	res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: "Options"}})
	if err != nil || res.Total != 2 {
		t.Errorf("references of a component: %+v, %v, want the import and the tag", res, err)
	}
}

// TestModulesByLine holds that in Erlang, whose modules are files, a name behind that of the
// module which declares it is a likely use, and so is a call in that module: not a type, a
// macro, a record, nor the function of another module or of a variable.
func TestModulesByLine(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "r", map[string]string{
		"src/till.erl": "-module(till).\n-export([pay/1]).\n-spec pay(any()) -> till:pay().\n\npay(X) ->\n    pay(X),\n    ?MODULE:pay(X),\n    ?pay(X), #pay{}.\n",
		"src/bank.erl": "-module(bank).\n\npay(X) ->\n    till:pay(X).\n",
		"src/shop.erl": "-module(shop).\n\nsell(T, Mod) ->\n    pay(T), Mod:pay(T),\n    F = fun till:pay/1,\n    bank:pay(T), Atill:pay(T),\n    <<1:pay>>.\n",
	}))
	x, err := nav.Open(snap)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"src/till.erl#pay": "src/bank.erl:4 src/shop.erl:5 src/till.erl:6 src/till.erl:7",
		"bank.pay":         "src/shop.erl:6",
		"pay":              "src/bank.erl:4 src/shop.erl:5 src/shop.erl:6 src/till.erl:6 src/till.erl:7",
	} {
		res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: name}, Union: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range res.Files {
			for _, r := range f.References {
				got = append(got, fmt.Sprintf("%s:%d", f.Path, r.Line))
			}
		}
		if strings.Join(got, " ") != want || res.Total != len(got) || res.Certain != 0 || res.Possible == 0 {
			t.Errorf("%s: %s, %d and %d possible, want %s", name, got, res.Total, res.Possible, want)
		}
	}
}

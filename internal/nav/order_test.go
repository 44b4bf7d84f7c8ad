package nav_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/locate"
	"espy/internal/nav"
)

// TestProgramBeforeTheRest asks for names that files of several classes declare: the program's
// come first, and who uses the name is asked of the only one that the program has.
func TestProgramBeforeTheRest(t *testing.T) {
	for _, tt := range []struct {
		name, asked string
		files       map[string]string
		want        []string
		namesakes   int
	}{
		{"a member of the program before a function of a test", "retry", map[string]string{
			"app/task.py": "class Task:\n    def retry(self):\n        pass\n",
			"t/tasks.py":  "def retry():\n    pass\n",
		}, []string{"app/task.py#Task.retry", "t/tasks.py#retry"}, 1},
		{"a private one of the program before an exported one of a test", "load", map[string]string{
			"a/a_test.go": "package a\n\nfunc Load() {}\n\nfunc load() {}\n", "b/b.go": "package b\n\nfunc load() {}\n",
		}, []string{"b/b.go#load", "a/a_test.go#load"}, 1},
		{"tests before what is generated or vendored", "run", map[string]string{
			"dist/a.js": "export function run() {}\n", "node_modules/a/a.js": "export function run() {}\n",
			"src/a.js": "export function run() {}\n", "test/a.js": "export function run() {}\n", "scripts/a.js": "export function run() {}\n",
		}, []string{"src/a.js#run", "scripts/a.js#run", "test/a.js#run", "dist/a.js#run", "node_modules/a/a.js#run"}, 0},
		{"a body before prototypes", "kfree", map[string]string{
			"arch/um/um_malloc.h": "extern void kfree(const void *p);\n", "include/slab.h": "void kfree(const void *p);\n",
			"mm/slub.c": "void kfree(const void *p)\n{\n}\n",
		}, []string{"mm/slub.c#kfree", "arch/um/um_malloc.h#kfree", "include/slab.h#kfree"}, 0},
		{"a type before its constructor", "Box", map[string]string{
			"a.cc": "namespace {\nclass Box {\n public:\n  Box() {}\n};\n}\n",
		}, []string{"a.cc#Box", "a.cc#Box.Box"}, 0},
		{"a function before the module of its file", "parse", map[string]string{
			"Cargo.toml": "[package]\nname = \"m\"\n", "src/lib.rs": "mod parse;\npub use parse::parse;\n", "src/parse.rs": "pub fn parse() {}\n",
		}, []string{"src/parse.rs#parse", "src/lib.rs#parse"}, 1},
		{"a function of another file than the module's", "parse", map[string]string{
			"Cargo.toml": "[package]\nname = \"m\"\n", "src/lib.rs": "mod parse;\nmod other;\n", "src/parse.rs": "pub fn run() {}\n", "src/other.rs": "pub fn parse() {}\n",
		}, []string{"src/other.rs#parse", "src/lib.rs#parse"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			texts := map[string][]byte{}
			for p, text := range tt.files {
				texts[p] = []byte(text)
			}
			x := parsed(t, texts)
			res, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: tt.asked}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range res.Definitions {
				got = append(got, d.ID)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			used, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: tt.asked}})
			if err != nil {
				t.Fatal(err)
			}
			if used.Namesakes != tt.namesakes || tt.namesakes > 0 && used.Symbols[0].ID != tt.want[0] {
				t.Errorf("references of %v, %d namesakes passed over, want %d", used.Symbols, used.Namesakes, tt.namesakes)
			}
		})
	}
}

// TestCodeOfOthers holds that a use in vendored code, whose receiver is not known, is no more
// than possibly one of the program's.
func TestCodeOfOthers(t *testing.T) {
	for path, certain := range map[string]bool{"src/b.js": true, "node_modules/b/b.js": false} {
		t.Run(path, func(t *testing.T) {
			x := parsed(t, map[string][]byte{"src/a.js": []byte("export class A { paint() {} }\n"), path: []byte("exports.show = function (x) { x.paint() }\n")})
			res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: "A.paint"}})
			if err != nil {
				t.Fatal(err)
			}
			if total := res.Total == 1; total != certain || res.Total+res.Possible != 1 {
				t.Errorf("%d references and %d possible, want one, likely: %t", res.Total, res.Possible, certain)
			}
		})
	}
}

// TestAskedDeclarationLeads holds that an answer about one declaration of several
// names that one, and an answer about the name the body.
func TestAskedDeclarationLeads(t *testing.T) {
	files := map[string]string{
		"include/slab.h": "void kfree(const void *p);\n",
		"mm/slub.c":      "#include \"../include/slab.h\"\nvoid kfree(const void *p)\n{\n}\n",
		"mm/use.c":       "#include \"../include/slab.h\"\nvoid f(void *p) { kfree(p); }\n",
	}
	for _, asked := range []locate.Target{
		{Name: "mm/slub.c#kfree"}, {Name: "include/slab.h#kfree"}, {Path: "mm/slub.c", Line: 2}, {Path: "include/slab.h", Line: 1}, {Name: "kfree"},
	} {
		t.Run(ask(asked), func(t *testing.T) {
			want := "mm/slub.c#kfree"
			if asked.Path == "include/slab.h" || asked.Name == "include/slab.h#kfree" {
				want = "include/slab.h#kfree"
			}
			res := references(t, files, nav.ReferencesRequest{Target: asked})
			if len(res.Symbols) != 2 || res.Symbols[0].ID != want {
				t.Errorf("the answer is about %+v, want %s first", res.Symbols, want)
			}
		})
	}
}

// TestImplementationsOfWhatCanHaveThem asks for implementations of names that
// other things bear too, and for those that stand apart from their type.
func TestImplementationsOfWhatCanHaveThem(t *testing.T) {
	for _, tt := range []struct {
		name, asked string
		files       map[string]string
		want        []string
	}{
		{"an interface, not a field", "handler", map[string]string{
			"a.ts": "export interface handler { run(): void }\nexport class Box { handler: number = 1 }\n",
			"b.ts": "import { handler } from './a';\nexport class One implements handler { run() {} }\n",
		}, []string{"b.ts:2 certain: names handler"}},
		{"an interface, not a struct", "Runner", map[string]string{
			"a/a.go": "package a\n\ntype Runner interface{ Run() }\n\ntype Fast struct{}\n\nfunc (Fast) Run() {}\n",
			"b/b.go": "package b\n\ntype Runner struct{}\n", "go.mod": "module m\n",
		}, []string{"a/a.go:5 certain: has the methods of Runner"}},
		{"the header of an impl", "Sink", map[string]string{
			"src/lib.rs":  "pub mod far;\npub trait Sink {}\npub struct Near;\n\nimpl Sink for Near {}\n",
			"src/far.rs":  "use crate::{Near, Sink};\n\npub struct Far;\nimpl Sink for Far {}\n",
			"src/vec.rs":  "use crate::Sink;\nimpl<T> Sink for Vec<T> {}\n",
			"Cargo.toml":  "[package]\nname = \"m\"\n",
			"src/none.rs": "pub struct None;\n",
		}, []string{"src/far.rs:4 certain: names Sink", "src/lib.rs:5 certain: names Sink", "src/vec.rs:2 certain: named by its path"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := references(t, tt.files, nav.ReferencesRequest{Target: locate.Target{Name: tt.asked}, Kind: nav.KindImplementations})
			if diff := cmp.Diff(tt.want, listed(res)); diff != "" || len(res.Candidates) > 0 {
				t.Errorf("candidates %v (-want +got):\n%s", res.Candidates, diff)
			}
		})
	}
}

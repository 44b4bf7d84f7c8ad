package nav_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/locate"
	"espy/internal/nav"
)

// TestUnionHoldsEveryWord asks for the union of names that stand where no fact
// records them, or where their receiver is not known.
func TestUnionHoldsEveryWord(t *testing.T) {
	for _, tt := range []struct {
		name, asked string
		files       map[string]string
		want        []string // path:line confidence: reason
		mentions    int
	}{
		{"a macro's body", "build", map[string]string{
			"a.rs": "pub struct B;\nimpl B { pub fn build(&self) {} }\nmacro_rules! make {\n    ($x:expr) => { $x.build() };\n}\n",
		}, []string{"a.rs:4 likely: receiver is not known; the only member of that name"}, 0},
		{"a receiver that several types may be", "run", map[string]string{
			"a.py": "class A:\n    def run(self): ...\n\nclass B:\n    def run(self): ...\n\ndef f(x):\n    x.run()\n",
		}, []string{"a.py:8 likely: receiver is not known; no other member has that name"}, 0},
		{"a macro's body in C", "grow", map[string]string{
			"a.c": "int grow(int n) { return n; }\n#define TWICE(x) /* grow */ \\\n\tgrow(x, \"grow\")\n",
		}, []string{"a.c:3 certain: declared in this file"}, 2},
		{"comments that are code", "Task", map[string]string{
			"a.py": "class Task:\n    pass\n\ndef f(x):\n    # type: (int) -> Task\n    # a Task is made\n    return [x]\n\ny = 'Task'\n",
		}, []string{"a.py:5 possible: in a comment, written like code"}, 2},
		{"links of documentation", "escape", map[string]string{
			"a.rs": "//! See [`escape`] and [escape], crate::escape, escape() and the escape.\npub fn escape() {}\n",
		}, []string{
			"a.rs:1 possible: in a comment, written like code", "a.rs:1 possible: in a comment, written like code",
			"a.rs:1 possible: in a comment, written like code", "a.rs:1 possible: in a comment, written like code",
		}, 1},
		{"receivers from elsewhere", "freeze", map[string]string{
			"a.py": "class Sig:\n    def freeze(self):\n        pass\n",
			"b.py": "import os\n\nos.environ.freeze()\n",
		}, []string{"b.py:3 possible: receiver seems to be from elsewhere"}, 0},
		{"receivers without the member", "freeze", map[string]string{
			"a.py": "class Sig:\n    def freeze(self):\n        pass\n\nclass Other:\n    pass\n\nOther().freeze()\n",
		}, []string{"a.py:8 possible: receiver seems to have no such member"}, 0},
		{"names inside functions", "size", map[string]string{
			"a.go": "package a\n\nvar size int\n\nfunc f(n int) int {\n\tsize := n\n\treturn size\n}\n",
		}, []string{"a.go:7 possible: a name inside a function"}, 0},
		{"shorthands of what a type argument in a function declares", "size", map[string]string{
			"a.ts": "declare function make<T>(): T\ndeclare function run(f: () => void): void\nrun(() => {\n  const value = make<{ size: string }>()\n  const { size } = value\n})\nfunction f() {\n  const { size = '' } = make<{ size?: string }>()\n  return size\n}\n",
		}, []string{
			"a.ts:8 certain: member of an unnamed type", "a.ts:5 possible: known as another symbol", "a.ts:9 possible: a name inside a function",
		}, 0},
		{"other languages", "open_store", map[string]string{
			"a.py": "def open_store():\n    pass\n", "b.js": "open_store();\n",
		}, []string{"b.js:1 possible: no declaration of it is in sight"}, 0},
		{"names of imports", "loads", map[string]string{
			"a.py": "def loads():\n    pass\n", "b.py": "from json import dump as loads\n",
		}, []string{"b.py:1 possible: named by an import or an export"}, 0},
		{"broken text", "parse", map[string]string{
			"a.go": "package a\n\nfunc parse() {}\n\nfunc f( {\n\tparse(\n",
		}, []string{"a.go:6 possible: in code that the grammar does not show"}, 0},
		{"a name that nothing declares", "println", map[string]string{
			"a.go": "package a\n\nfunc f() { println(\"println\") }\n",
		}, []string{"a.go:3 possible: no declaration of it is in sight"}, 1},
		{"keywords", "default", map[string]string{
			"a.js": "switch (x) { default: y.default(); }\n",
		}, []string{"a.js:1 possible: receiver seems to be from elsewhere"}, 0},
		{"identifiers with signs", "item", map[string]string{
			"a.js": "function item() {}\n$item(item$);\n",
		}, nil, 0},
		{"identifiers that end in a sign", "put", map[string]string{
			"a.ex": "defmodule A do\n  def put(x), do: put!(x)\n  def put!(x), do: x != put?\nend\n",
			"b.rb": "def put\n  a = put!=put?\nend\n",
		}, []string{"b.rb:2 certain: declared in this file"}, 0},
		{"constructors", "Box", map[string]string{
			"a.java": "class Box {\n  Box() {}\n}\n",
		}, []string{"a.java:2 possible: another declaration of the name"}, 0},
		{"templates", "size", map[string]string{
			"a.py": "size = 1\nFORM = \"\"\"a {state.size} of {size} and the size\"\"\"\n",
			"b.js": "ast`let a = ${this.size(1)}, size`;\n",
		}, []string{
			"a.py:2 possible: in a string, where code may stand", "a.py:2 possible: in a string, where code may stand",
			"b.js:1 possible: receiver is not known",
		}, 2},
		{"constructors that are uses", "Box", map[string]string{
			"a.cc": "struct Box {\n  Box() {}\n  ~Box() {}\n};\n",
		}, []string{"a.cc:2 certain: declared in this file", "a.cc:3 certain: declared in this file"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := references(t, tt.files, nav.ReferencesRequest{Target: locate.Target{Name: tt.asked}, Union: true})
			if diff := cmp.Diff(tt.want, listed(res)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if res.Mentions != tt.mentions {
				t.Errorf("%d mentions are not listed, want %d", res.Mentions, tt.mentions)
			}
		})
	}
}

// TestUnparsedFilesAreTold holds that a union lists the words of files without
// facts, and names them.
func TestUnparsedFilesAreTold(t *testing.T) {
	x := index(t, "testdata/unparsed.txtar")
	res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: "Start"}, Union: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.go:5 certain: declared in this file", "b.py:3 possible: its file could not be parsed"}, listed(res)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b.py"}, res.Unparsed); diff != "" {
		t.Errorf("unparsed (-want +got):\n%s", diff)
	}
	if none, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: "Nowhere"}}); err != nil || none.Failed != 1 {
		t.Errorf("where nothing is found, %d files are said to be unparsed, %v; want 1", none.Failed, err)
	}
}

// TestUnknownNamesOfOtherLanguages holds that a name which no symbol has is told
// to stand in files whose definitions are not known, where it does.
func TestUnknownNamesOfOtherLanguages(t *testing.T) {
	x := parsed(t, map[string][]byte{
		"a.go":      []byte("package a\n\nfunc Known() { OnlyUsed() }\n"),
		"call.dart": []byte("class RealCall {\n  void cleanup() {}\n}\nvar k = Known();\n"),
		"notes.md":  []byte("Written of and nowhere defined.\n"),
		"a.cob":     []byte("       PROGRAM-ID. Greet.\n       PERFORM RealCall.\n"),
	})
	for name, want := range map[string]string{
		"Greet":    "cobol", // which is not even read line by line
		"RealCall": "dart", "RealCall.cleanup": "dart", "Written": "", "OnlyUsed": "", "Absent": "", "Known": "",
	} {
		t.Run(name, func(t *testing.T) {
			res, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: name}})
			if err != nil || res.Unread != want {
				t.Errorf("stands in files of language %q, %v; want %q", res.Unread, err, want)
			}
		})
	}
}

func references(t *testing.T, files map[string]string, r nav.ReferencesRequest) *nav.References {
	t.Helper()
	texts := map[string][]byte{}
	for p, text := range files {
		texts[p] = []byte(text)
	}
	res, err := parsed(t, texts).References(r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// listed are the references of an answer.
func listed(res *nav.References) []string {
	var all []string
	for _, f := range slices.Concat(res.Files, res.Maybe) {
		for _, r := range f.References {
			all = append(all, fmt.Sprintf("%s:%d %s: %s", f.Path, r.Line, r.Confidence, r.Reason))
		}
	}
	return all
}

// TestNarrowQuestionsCountTheRest holds that an answer which is not the union
// lists or counts every use of the name.
func TestNarrowQuestionsCountTheRest(t *testing.T) {
	files := map[string]string{
		"a.py": "class Sig:\n    def freeze(self):\n        pass\n\nSig().freeze()\n",
		"b.py": "import os\n\nos.environ.freeze()\n\ndef f(freeze):\n    return freeze\n",
	}
	for _, tt := range []struct {
		name            string
		request         nav.ReferencesRequest
		total, possible int
		others          int
		update, check   []string
	}{
		{"a name", nav.ReferencesRequest{Target: locate.Target{Name: "freeze"}}, 1, 1, 1, []string{"a.py"}, []string{"b.py"}},
		{"a member", nav.ReferencesRequest{Target: locate.Target{Name: "Sig.freeze"}}, 1, 0, 2, []string{"a.py"}, nil},
		{"an id", nav.ReferencesRequest{Target: locate.Target{Name: "a.py#Sig.freeze"}}, 1, 0, 2, []string{"a.py"}, nil},
		{"a place", nav.ReferencesRequest{Target: locate.Target{Path: "a.py", Line: 2}}, 1, 0, 2, []string{"a.py"}, nil},
		{"calls of an id", nav.ReferencesRequest{Target: locate.Target{Name: "a.py#Sig.freeze"}, Kind: nav.KindCalls}, 1, 0, 1, []string{"a.py"}, nil},
		{"a name inside a function", nav.ReferencesRequest{Target: locate.Target{Path: "b.py", Line: 5, Column: 7}}, 1, 0, 0, []string{"b.py"}, nil},
		{"the union", nav.ReferencesRequest{Target: locate.Target{Name: "freeze"}, Union: true}, 1, 2, 0, []string{"a.py"}, []string{"b.py"}},
		{"calls of the union", nav.ReferencesRequest{Target: locate.Target{Name: "freeze"}, Union: true, Kind: nav.KindCalls}, 1, 1, 0, []string{"a.py"}, []string{"b.py"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := references(t, files, tt.request)
			if res.Total != tt.total || res.Possible != tt.possible || res.Others != tt.others {
				t.Errorf("%d references, %d possible, %d others; want %d, %d, %d", res.Total, res.Possible, res.Others, tt.total, tt.possible, tt.others)
			}
			if diff := cmp.Diff([][]string{tt.update, tt.check}, [][]string{res.Update, res.Check}, cmp.Transformer("some", func(s []string) string { return strings.Join(s, " ") })); diff != "" {
				t.Errorf("files to update and to check (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAliasIsNoOtherName holds that a name under which a module passes a symbol
// on brings only its own uses.
func TestAliasIsNoOtherName(t *testing.T) {
	res := references(t, map[string]string{
		"a.js":     "export function ensureBlock() {}\n",
		"c.js":     "x.default(); y.default = 1;\n",
		"index.js": "export { ensureBlock as default } from './a.js';\n",
	}, nav.ReferencesRequest{Target: locate.Target{Name: "ensureBlock"}, Union: true})
	want := []string{"index.js:1 certain: imported from a.js"}
	if diff := cmp.Diff(want, listed(res)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUntil stops questions at moments of their time: what they have is
// answered, and what was not looked at is counted.
func TestUntil(t *testing.T) {
	files := map[string][]byte{"a.go": []byte("package a\n\nfunc F() {}\n")}
	for i := range 20 {
		files[fmt.Sprintf("f%02d.go", i)] = fmt.Appendf(nil, "package a\n\n// F is called.\nfunc f%d() { F(); F() }\n", i)
	}
	whole := parsed(t, files)
	for _, kind := range []nav.Kind{nav.KindAll, nav.KindCalls, nav.KindMentions} {
		for _, moments := range []int{0, 7, 1 << 30} {
			t.Run(fmt.Sprintf("%s after %d moments", kind, moments), func(t *testing.T) {
				left := moments
				x := whole.Until(func() bool { left--; return left < 0 })
				res, err := x.References(nav.ReferencesRequest{Target: locate.Target{Name: "F"}, Kind: kind})
				if err != nil {
					t.Fatal(err)
				}
				found := res.Total + res.Possible
				if bounded := moments < 1<<30; bounded != (res.Left > 0) || kind != nav.KindMentions && found+res.Left < 40 {
					t.Errorf("%d found and %d left", found, res.Left)
				}
			})
		}
	}
	t.Run("outline", func(t *testing.T) {
		left := 5
		o, err := whole.Until(func() bool { left--; return left < 0 }).Outline(nav.OutlineRequest{})
		if err != nil || len(o.Files) != 5 || o.Left != len(files)-5 {
			t.Errorf("%d files and %d left, %v", len(o.Files), o.Left, err)
		}
	})
}

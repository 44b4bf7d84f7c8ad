package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/facts"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/infer"
	"espy/internal/resolve/meaning"
	"espy/internal/resolve/rules"
	"espy/internal/segment"
)

// TestMeaning holds what the use behind ⟦?use⟧ means: the state of the answer,
// how sure it is, and the places of the symbols.
func TestMeaning(t *testing.T) {
	tests := []struct {
		name  string
		files string
		want  string
	}{
		{"a member of the one type of a receiver",
			"-- a.ts --\nclass A { size = 1 }\nfunction f(a: A) { a.⟦?use⟧size }\n",
			"found certain a.ts:1"},
		{"of two types that both have it",
			"-- a.ts --\nclass A { size = 1 }\nclass B { size = 1 }\nfunction f(a: A | B) { a.⟦?use⟧size }\n",
			"found likely a.ts:1 a.ts:2"},
		{"of two types, the second from elsewhere",
			"-- a.ts --\nimport { B } from 'elsewhere'\nclass A { size = 1 }\nfunction f(a: A | B) { a.⟦?use⟧size }\n",
			"found likely a.ts:2"},
		{"of two types, the first from elsewhere",
			"-- a.ts --\nimport { B } from 'elsewhere'\nclass A { size = 1 }\nfunction f(a: B | A) { a.⟦?use⟧size }\n",
			"found likely a.ts:2"},
		{"of a type that lacks it",
			"-- a.ts --\nclass A {}\nclass B { size = 1 }\nfunction f(a: A) { a.⟦?use⟧size }\n",
			"absent"},
		{"of two types that both lack it",
			"-- a.ts --\nclass A {}\nclass B {}\nfunction f(a: A | B) { a.⟦?use⟧size }\n",
			"absent"},
		{"of two types from elsewhere",
			"-- a.ts --\nimport { A, B } from 'elsewhere'\nfunction f(a: A | B) { a.⟦?use⟧size }\n",
			"outside through A"},
		{"of a type that lacks it and one from elsewhere",
			"-- a.ts --\nimport { B } from 'elsewhere'\nclass A {}\nfunction f(a: A | B) { a.⟦?use⟧size }\n",
			"outside through B"},
		{"of a type from elsewhere",
			"-- a.go --\npackage a\nimport \"bytes\"\nfunc f(b bytes.Buffer) { b.⟦?use⟧Len() }\n",
			"outside through Buffer"},
		{"of a member of a generic type from elsewhere",
			"-- a.ts --\nimport { G } from 'elsewhere'\nfunction f(g: G<string>) { g.part.⟦?use⟧size }\n",
			"unknown"},
		{"of a member of a generic type from elsewhere or of another type from there",
			"-- a.ts --\nimport { G, B } from 'elsewhere'\nfunction f(g: G<string>, b: B) { const x = g ? g.part : b; x.⟦?use⟧size }\n",
			"unknown"},
		{"of a member of a generic type from elsewhere or of a type that lacks it",
			"-- a.ts --\nimport { G } from 'elsewhere'\nclass A {}\nfunction f(g: G<string>, a: A) { const x = g ? g.part : a; x.⟦?use⟧size }\n",
			"unknown"},
		{"of a type whose base from elsewhere may have it",
			"-- a.ts --\nimport { B } from 'elsewhere'\nclass A extends B {}\nfunction f(a: A) { a.⟦?use⟧size }\n",
			"outside through B"},
		{"of something unknown",
			"-- a.ts --\nfunction f(a) { a.⟦?use⟧size }\n",
			"unknown"},
		{"of what the only member of a name gives, which lacks it",
			"-- a.ts --\nclass A { only(): A { return this } }\nfunction f(a) { a.only().⟦?use⟧size }\n",
			"unknown"},
		{"of a member of what the only member of a name gives, which lacks it",
			"-- a.ts --\nclass A { only(): B { return null } }\nclass B { part: A; size = 1 }\nfunction f(a) { a.only().part.⟦?use⟧size }\n",
			"unknown"},
		{"of an unnamed object that lacks it, by this",
			"-- a.js --\nconst a = { go() { this.⟦?use⟧size } }\n",
			"unknown"},
		{"of a type that lacks it, beside a free name",
			"-- a.go --\npackage a\ntype A struct{}\nfunc f(a A) { a.⟦?use⟧size = 1 }\n-- b.go --\npackage a\nvar size int\n",
			"absent"},
		{"a key of a map that is a free name",
			"-- a.go --\npackage a\nvar all = map[string]int{⟦?use⟧size: 1}\n-- b.go --\npackage a\nconst size = \"\"\n",
			"found certain b.go:2"},
		{"a key of a named map that is a free name",
			"-- a.go --\npackage a\ntype table map[string]int\nvar all = table{⟦?use⟧size: 1}\n-- b.go --\npackage a\nconst size = \"\"\n",
			"found certain b.go:2"},
		{"a key of a map that another file names, which is a free name",
			"-- a.go --\npackage a\nvar all = table{⟦?use⟧size: 1}\n-- b.go --\npackage a\ntype table map[string]int\nconst size = \"\"\n",
			"found certain b.go:3"},
		{"a key of a map of a name for a named map, which is a free name",
			"-- a.go --\npackage a\nvar all = second{⟦?use⟧size: 1}\n-- b.go --\npackage a\ntype first map[string]int\ntype second first\nconst size = \"\"\n",
			"found certain b.go:4"},
		{"a key of a list that another file names, which is a free name",
			"-- a.go --\npackage a\nvar all = list{⟦?use⟧size: 1}\n-- b.go --\npackage a\ntype list []int\nconst size = 3\n",
			"found certain b.go:3"},
		{"a key of a struct that is a field too",
			"-- a.go --\npackage a\ntype A struct{ size int }\nvar all = A{⟦?use⟧size: 1}\n-- b.go --\npackage a\nconst size = 1\n",
			"found certain a.go:2"},
		{"a key of a struct without that field",
			"-- a.go --\npackage a\ntype A struct{}\nvar all = A{⟦?use⟧size: 1}\n-- b.go --\npackage a\nconst size = 1\n",
			"absent"},
		{"a member of a type that is announced more often than there may be alternatives",
			announced(9) + "-- z.h --\nclass Tree { public: int depth; };\n-- z.cpp --\nvoid f(Tree *t) { t->⟦?use⟧depth; }\n",
			"found certain z.h:1"},
		{"a key of an argument where the parameter is the member of its first value",
			"-- a.ts --\nclass Item { size = 1 }\nclass Box { item: Item; size = 2 }\nconst box: Box = null\nfunction f(a = box.item) {}\nf({ ⟦?use⟧size: 1 })\n",
			"found certain a.ts:1"},
		{"a key of an argument where the parameter is a pattern",
			"-- a.ts --\nclass Item { size = 1 }\nclass Box { item: Item; size = 2 }\nfunction f({ item }: Box) {}\nf({ ⟦?use⟧size: 1 })\n",
			"found certain a.ts:2"},
		{"a key of an argument where the parameter is a pattern with another name",
			"-- a.ts --\nclass Item { size = 1 }\nclass Box { item: Item; size = 2 }\nfunction f({ item: i }: Box) {}\nf({ ⟦?use⟧size: 1 })\n",
			"found certain a.ts:2"},
		{"the one symbol of a namespace, imported",
			"-- a.php --\n<?php\nnamespace A;\nclass User {}\n-- b.php --\n<?php\nnamespace B;\nuse A\\⟦?use⟧User;\n",
			"found certain a.php:3"},
		{"the one symbol of a namespace, named in full",
			"-- a.php --\n<?php\nnamespace A;\nclass User {}\n-- b.php --\n<?php\nnamespace B;\nnew \\A\\⟦?use⟧User;\n",
			"found certain a.php:3"},
		{"the one symbol of a namespace within an imported one",
			"-- a.php --\n<?php\nnamespace A\\C;\nclass User {}\n-- b.php --\n<?php\nnamespace B;\nuse A\\C;\nnew C\\⟦?use⟧User;\n",
			"found certain a.php:3"},
		{"the one symbol of the same namespace",
			"-- a.php --\n<?php\nnamespace A;\nclass User {}\n-- b.php --\n<?php\nnamespace A;\nnew ⟦?use⟧User;\n",
			"found certain a.php:3"},
		{"a function of the same namespace and one outside of namespaces",
			"-- a.php --\n<?php\nfunction run() {}\n-- b.php --\n<?php\nnamespace A;\nfunction run() {}\n-- c.php --\n<?php\nnamespace A;\n⟦?use⟧run();\n",
			"found certain b.php:3"},
		{"a function outside of namespaces",
			"-- a.php --\n<?php\nfunction run() {}\n-- c.php --\n<?php\nnamespace A;\n⟦?use⟧run();\n",
			"found certain a.php:2"},
		{"a type that only stands outside of namespaces",
			"-- a.php --\n<?php\nclass User {}\n-- c.php --\n<?php\nnamespace A;\nfunction f(⟦?use⟧User $u) {}\n",
			"outside through User"},
		{"what an instance has, made of the type of a value",
			"-- a.py --\nclass Other:\n    size = 2\nclass Part:\n    size = 1\n    def __call__(self) -> Other: ...\npart = Part()\ndef f(made: type[part]):\n    made().⟦?use⟧size\n",
			"found likely a.py:4"},
		{"what a namespace lacks",
			"-- b.php --\n<?php\nnamespace B;\nuse A\\⟦?use⟧User;\n",
			"outside through User"},
		{"a name that a macro is given behind a value that has a member of it",
			"-- a.c --\nstruct job { int next; };\nstruct other { int next; };\nvoid f(struct job *j) { LIST_REMOVE(j, ⟦?use⟧next); }\n",
			"found likely a.c:1"},
		{"a name that a macro is given behind values that have no member of it",
			"-- a.c --\nstruct job { int last; };\nvoid f(struct job *j) { LIST_REMOVE(j, ⟦?use⟧next); }\nint next;\n",
			"found certain a.c:3"},
		{"a field of an element of an array in braces",
			"-- a.c --\nstruct a { int text; };\nstruct b { int text; };\nstruct a all[] = { { .⟦?use⟧text = 1 } };\n",
			"found certain a.c:1"},
		{"a field of an array of arrays",
			"-- a.c --\nstruct a { int text; };\nstruct b { int text; };\nstruct a all[][2] = { { { 0 }, { .⟦?use⟧text = 1 } } };\n",
			"found certain a.c:1"},
		{"a field of a value in a value in braces",
			"-- a.c --\nstruct a { struct b { int text; } b; int text; };\nstruct a all[] = { { { .⟦?use⟧text = 1 } } };\n",
			"unknown"},
		{"a member of what a condition declares",
			"-- a.cc --\nstruct A { int size; };\nstruct B { int size; };\nA *g(int);\nvoid f() { if (auto p = g(1)) p->⟦?use⟧size = 1; }\n",
			"found certain a.cc:1"},
		{"a call in the value of what a condition declares",
			"-- a.cc --\nint g(int);\nint h(int);\nvoid f() { while (auto p = g(⟦?use⟧h(1))) p = 0; }\n",
			"found certain a.cc:2"},
		{"the class of a pointer to a method",
			"-- a.cc --\nstruct A {};\nvoid f(void (⟦?use⟧A::*p)());\n",
			"found certain a.cc:1"},
		{"the class of a pointer to a method that is a field",
			"-- a.cc --\nstruct A {};\nstruct B { void (⟦?use⟧A::*p)(); };\n",
			"found certain a.cc:1"},
		{"the type that an operator converts to",
			"-- a.cc --\ntemplate <class T> struct A {};\nstruct B { operator ⟦?use⟧A<int>() const; };\n",
			"found certain a.cc:1"},
		{"a field that a constructor gives the parameter of its name",
			"-- a.cc --\nstruct A { A(int v) : ⟦?use⟧v{v} {}\nint v; };\n",
			"found certain a.cc:2"},
		{"a bare name of a constant of an enum class",
			"-- a.cc --\nenum class E { text };\nint f() { return ⟦?use⟧text(); }\n",
			"outside through text"},
		{"a call with type arguments",
			"-- a.cc --\ntemplate <int N> int f(int a);\nint f(int a);\nint g() { return ⟦?use⟧f<4>(1); }\n",
			"found certain a.cc:1"},
		{"a call with a value that is made there",
			"-- a.cc --\nstruct V { V(int); };\nvoid f(const V &v);\nvoid f(V &&v);\nvoid g() { ⟦?use⟧f(1); }\n",
			"found certain a.cc:3"},
		{"a call with a value that has a name",
			"-- a.cc --\nstruct V { V(int); };\nvoid f(const V &v);\nvoid f(V &&v);\nvoid g(V v) { ⟦?use⟧f(v); }\n",
			"found certain a.cc:2"},
		{"a function whose definition is written as its declaration",
			"-- a.h --\nusing Text = Other;\nvoid f(const char *s);\nvoid f(Text s);\n-- b.cc --\n#include \"a.h\"\nvoid f(const char *s) {}\nvoid f(Text const s) {}\nvoid g(Text t) { ⟦?use⟧f(t); }\n",
			"found certain a.h:3 b.cc:3"},
		{"a method of a field in a method of what does not change",
			"-- a.hpp --\nstruct L { int *at() const;\nint *at(); };\nstruct H { void g() const; void h(); L all; };\n-- b.cc --\n#include \"a.hpp\"\nvoid H::g() const { all.⟦?use⟧at(); }\n",
			"found certain a.hpp:1"},
		{"a method of a field in a method of what may change",
			"-- a.hpp --\nstruct L { int *at() const;\nint *at(); };\nstruct H { void g() const; void h(); L all; };\n-- b.cc --\n#include \"a.hpp\"\nvoid H::h() { all.⟦?use⟧at(); }\n",
			"found certain a.hpp:2"},
		{"an element of a list of the library that the repository specializes",
			"-- a.cc --\nstruct A { int size; };\nstruct B { int size; };\nnamespace std { template <class T> class vector<T, B> {}; }\nint f(std::vector<A> v) { return v[0].⟦?use⟧size; }\n",
			"found certain a.cc:1"},
		{"a template of the library that the repository specializes for the arguments",
			"-- a.cc --\nstruct A {};\nnamespace std { template <> struct hash<A> {}; }\nstd::⟦?use⟧hash<A> h;\n",
			"found certain a.cc:2"},
		{"a template of the library that the repository specializes for others",
			"-- a.cc --\nstruct A {};\nnamespace std { template <> struct hash<A> {}; }\nstd::⟦?use⟧hash<int> h;\n",
			"outside through "},
		{"a member of a namespace that another one holds, too",
			"-- a.cc --\n#define A_OPEN namespace b {\nA_OPEN\nint x;\n}\nnamespace a { namespace b { int y; } }\nint f() { return b::⟦?use⟧x; }\n",
			"found certain a.cc:3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := readMarks(txtar.Parse([]byte(tt.files)))
			c := index(t, m.files)
			got := ""
			if err := segment.Guard(func() error { got = meaningAt(c, m.uses["use"][0]); return nil }); err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("it means %q, want %q", got, tt.want)
			}
		})
	}
}

// announced is n headers with a prototype of one class.
func announced(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf("-- a%d.h --\nclass Tree;\n", i)
	}
	return text
}

// meaningAt says what the use at a place, path:line:column, means.
func meaningAt(c *corpus.Corpus, where string) string {
	read := c.Reader()
	project := rules.Read(c)
	e := meaning.New(read, func(e *meaning.Evaluator) []infer.Languages { return []infer.Languages{project.Languages(read, e)} })
	path, _, _ := strings.Cut(where, ":")
	id, _ := c.Find(path)
	f := read.File(id).Facts
	for i := range f.NumUses() {
		if u := f.Use(i); fmt.Sprintf("%s:%d:%d", path, u.Line, u.Column) == where {
			a := e.Meaning(corpus.Ref{File: id, Index: int32(i)}, infer.Full())
			return describeAnswer(c, read, a)
		}
	}
	return "no use at " + where
}

func describeAnswer(c *corpus.Corpus, read *corpus.Reader, a infer.Answer) string {
	switch a.State {
	case infer.Unknown:
		return "unknown"
	case infer.Absent:
		return "absent"
	case infer.Outside:
		return "outside through " + a.Via
	}
	text := "found certain"
	if a.Confidence == facts.Likely {
		text = "found likely"
	}
	for _, r := range a.Refs {
		text += fmt.Sprintf(" %s:%d", c.Path(r.File), read.File(r.File).Facts.Symbol(int(r.Index)).Line)
	}
	return text
}

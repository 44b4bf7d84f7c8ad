package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// TestCyclesEnd asks for the meaning of every use, the users of every symbol
// and the types above and below it, in files whose types, imports and values
// depend on themselves.
func TestCyclesEnd(t *testing.T) {
	var chain strings.Builder
	chain.WriteString("package p\n\nfunc f() {\n\ta0 := 1\n")
	for i := range 3000 {
		fmt.Fprintf(&chain, "\ta%d := a%d.x().y[a%d]\n", i+1, i, i)
	}
	chain.WriteString("\ta3000.z()\n}\n")
	var diamonds strings.Builder // 2^60 ways from the last interface to the first
	diamonds.WriteString("interface A0 { m(): void }\ninterface B0 { m(): void }\n")
	for i := range 60 {
		fmt.Fprintf(&diamonds, "interface A%d extends A%d, B%d { m(): void }\n", i+1, i, i)
		fmt.Fprintf(&diamonds, "interface B%d extends A%d, B%d { m(): void }\n", i+1, i, i)
	}
	var layers strings.Builder // 6^14 ways from the class to the first modules
	for i := range 15 {
		for k := range 6 {
			fmt.Fprintf(&layers, "module M%d_%d\n", i, k)
			for o := range 6 * min(i, 1) {
				fmt.Fprintf(&layers, "  include M%d_%d\n", i-1, o)
			}
			layers.WriteString("  module ClassMethods\n    def of; super; end\n  end\n  def m; super; end\nend\n")
		}
	}
	layers.WriteString("class K\n  include M14_0, M14_1\n  def m; super; end\n  def self.of; super; end\nend\n")
	tests := map[string]map[string]string{
		"diamonds of TypeScript": {"a.ts": diamonds.String()},
		"layers of Ruby":         {"a.rb": layers.String()},
		"types of Go": {"a.go": `package p
type A B
type B A
type C struct{ *D }
type D struct{ *C; E }
type E interface{ E; F }
type F interface{ E }
type G[T any] G[G[T]]
var v = w()
func w() (x A) { return v }
var q = q.r
var s, u = u, s
func (c C) m() { c.m().n(); v.o(); q.x(); s.y(); var g G[int]; g.z() }
`},
		"a long chain": {"a.go": chain.String()},
		"modules of Go": {
			"go.mod":   "module m\nreplace m => ./x\nreplace (\n\tm/y => ../..\n)\n",
			"a/a.go":   "package a\nimport . \"m/b\"\nfunc F() { G() }\n",
			"b/b.go":   "package b\nimport . \"m/a\"\nfunc G() { F(); H() }\n",
			"x/go.mod": "module m\n",
		},
		"modules of Python": {
			"a/__init__.py": "from .b import *\nfrom . import b\nfrom .c import x as y\n",
			"a/b.py":        "from .c import *\nfrom a import *\nclass K(L): pass\nclass L(K):\n  z = K().z\n  def m(self): return self.m().n\n",
			"a/c.py":        "from .b import *\nfrom a.c import x\nfrom .... import w\nx.y = x\nprint(y, L().z)\n",
		},
		"modules of TypeScript": {
			"a.ts":          "export * from './b'\nexport { x as y } from './b'\nexport { default } from './a'\nimport z from './a'\nz.q()\n",
			"b.ts":          "export * from './a'\nexport { y as x } from './a'\nimport { x, y } from './b'\nx.y(y)\ninterface A extends B { m(): void }\ninterface B extends A { m(): void }\nclass C extends C { m() { super.m() } }\n",
			"package.json":  "{\"name\": \"n\", \"exports\": {\".\": {\".\": {}}, \"./*\": \"./*\"}, \"imports\": 1}",
			"tsconfig.json": "{\"compilerOptions\": {\"baseUrl\": \"..\", \"paths\": {\"*\": [\"*\"]}}, // x\n}",
		},
		"modules of Rust": {
			"Cargo.toml": "[package]\nname = \"c\"\n",
			"src/lib.rs": "mod a; pub use self::a::*; pub use crate::*; use c::c::c; type T = U; type U = T; impl T { fn m(self) -> Self { self.m().n() } }\n",
			"src/a.rs":   "pub use super::*; pub use super::a::x as x; fn f() { x(); super::super::g() }\n",
		},
		"headers": {
			"a.h":   "#include \"b.h\"\n#include \"a.h\"\nstruct a { struct b *b; };\nint f(void);\n",
			"b.h":   "#include \"a.h\"\nstruct b { struct a *a; };\nint f(void);\nint f(void);\n",
			"c.cpp": "#include \"a.h\"\nnamespace n { using namespace n; class A : public A { int m() { return m(); } }; }\nint n::A::m() { return f() + n::n::f(); }\n",
		},
	}
	for name, files := range tests {
		t.Run(name, func(t *testing.T) {
			c := index(t, files)
			if err := segment.Guard(func() error { askAll(c); return nil }); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func askAll(c *corpus.Corpus) {
	q := resolve.New(c).Ask()
	for f := range c.Files() {
		file := q.File(f)
		for i := range file.NumUses() {
			q.Define(f, i)
		}
		for i := range min(file.NumSymbols(), 200) {
			r := corpus.Ref{File: f, Index: int32(i)}
			q.References(q.Together(r))
			q.Subtypes(r)
			q.Supertypes(r)
			q.Overriding(r)
		}
	}
}

// TestCorpus holds what a corpus says of its files and names.
func TestCorpus(t *testing.T) {
	c := index(t, map[string]string{"a/a.go": "package a\n\nfunc Config() {}\n\nfunc ConfigFile() {}\n", "b.go": "package b\n", "README": "x"})
	if n := c.NumFiles(); n != 3 {
		t.Errorf("NumFiles() = %d, want 3", n)
	}
	if n := c.Pending(); n != 0 {
		t.Errorf("Pending() = %d, want 0", n)
	}
	if got := c.Near("Confg", 1); len(got) != 1 || got[0] != "Config" {
		t.Errorf("Near(Confg) = %q, want Config", got)
	}
	f, ok := c.Find("a/a.go")
	if !ok || c.Folder(f) != "a" || c.Family(f) != corpus.Go || len(c.In("a")) != 1 {
		t.Errorf("a/a.go is %d, %v in %q of family %d beside %v", f, ok, c.Folder(f), c.Family(f), c.In("a"))
	}
	mentioned := 0
	if err := c.Mentions("Config", func(corpus.FileID, uint32) bool { mentioned++; return true }); err != nil || mentioned != 1 {
		t.Errorf("Config is mentioned %d times, %v, want once", mentioned, err)
	}
	if err := c.Mentions("Absent", func(corpus.FileID, uint32) bool { mentioned++; return true }); err != nil || mentioned != 1 {
		t.Errorf("Absent is mentioned, %v", err)
	}
	if text, err := c.Text(f); err != nil || string(text[:9]) != "package a" {
		t.Errorf("Text = %q, %v", text, err)
	}
}

// TestNothingIndexed asks about files whose syntax is not known.
func TestNothingIndexed(t *testing.T) {
	c := index(t, map[string]string{"README": "x"})
	if err := segment.Guard(func() error {
		q := resolve.New(c).Ask()
		if got := q.Named("x"); len(got) != 0 {
			t.Errorf("symbols %v", got)
		}
		if f, ok := c.Find("README"); !ok || q.File(f).NumUses() != 0 {
			t.Errorf("file %v %v", f, ok)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

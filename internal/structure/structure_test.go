//go:build cgo && !race

package structure_test

import (
	"strings"
	"testing"

	"espy/internal/facts/treesitter"
	"espy/internal/structure"
)

// TestFind holds what patterns match: each text between « and » is a match, in the
// order of the starts.
func TestFind(t *testing.T) {
	for _, tt := range []struct{ name, grammar, pattern, text string }{
		{"call", "go", `fmt.Errorf($MSG, $ERR)`, "package p\nfunc f() error { x(); return «fmt.Errorf(\"a: %w\", err)» }\nfunc g() { fmt.Errorf(\"b\"); fmt.Errorf(a, b, c) }\n"},
		{"any arguments", "go", `fmt.Errorf($$$)`, "package p\nfunc f() { «fmt.Errorf(a)»; «fmt.Errorf()»; «fmt.Errorf(a,\n\tb,\n)» }\n"},
		{"same twice", "go", `$A == $A`, "package p\nvar a = «x == x» && x == y && «f(1) == f( 1 )»\n"},
		{"statements", "go", "if err != nil { return err }", "package p\nfunc f() error {\n\t«if err != nil {\n\t\treturn err\n\t}»\n\tif err != nil { return nil }\n\treturn nil\n}\n"},
		{"body", "go", "if $C { $$$BODY }", "package p\nfunc f() {\n\t«if a() {\n\t\tb()\n\t\tc()\n\t}»\n\t«if x {}»\n\t«if y { } else { }»\n}\n"},
		{"declaration", "go", "func $NAME() error { $$$ }", "package p\n«func f() error { return nil }»\nfunc g() {}\n"},
		{"row", "go", "$M.Lock()\ndefer $M.Unlock()", "package p\nfunc f() {\n\t«mu.Lock()\n\tdefer mu.Unlock()»\n\ta.Lock()\n\tdefer b.Unlock()\n}\n"},
		{"composite", "go", `http.Server{$$$}`, "package p\nvar s = &«http.Server{Addr: a}»\n"},
		{"several at once", "go", `$A := $B`, "package p\nfunc f() { «a := 1»; «b, c := g(1, 2)»; d = 1; if «e, ok := m[1]»; ok { } }\n"},
		{"two and any", "go", `$A, $B := $C`, "package p\nfunc f() { a := 1; «b, c := 1, 2»; «d, e := g()» }\n"},
		{"result", "go", `return $X`, "package p\nfunc f() { if a { «return 1, nil» }; «return b»; return }\n"},
		{"with a condition", "go", "if $A := $B; $C { $$$ }", "package p\nfunc f() { «if v, ok := m[1]; ok { g() }»; if x { } }\n"},
		{"assignment", "go", `$A = $B`, "package p\nvar a int = 3\nfunc f() { «a = 4»; «a, b = b, a» }\n"},
		{"type", "go", `map[string]$T`, "package p\nvar a «map[string]int»\n"},
		{"several at once", "lua", `local $A = $B`, "«local a = 1»\n«local b, c = f()»\nd = 1\n"},
		{"call", "python", `print($X)`, "«print(1)»\nprint(1, 2)\nx = «print( f(2) )»\n"},
		{"block", "python", "if $C:\n    $$$B", "«if a:\n    b()\n    c()»\n"},
		{"with words", "javascript", `function $F($$$P) { $$$B }`, "«async function f(a, b) { return 1 }»\n«function g() {}»\n"},
		{"what may follow", "python", "assert $A == $B", "«assert a == b, \"c\"»\nassert a\n"},
		{"macro", "rust", "println!($$$)", "fn f() { «println!(\"{}\", a.b(1))»; }\n"},
		{"quotes", "javascript", `require('a')`, "x = «require(\"a\")»; require('b')\n"},
		{"await", "typescript", `await $X`, "async function f() { «await g()»; h() }\n"},
		{"method", "java", `$O.equals($A)`, "class A { boolean m() { return «a.equals(b)» && equals(c); } }\n"},
		{"statement", "java", `if ($C) { $$$B }`, "class A { void m() { «if (a) { b(); }» if (c) d(); } }\n"},
		{"new", "java", `new $T()`, "class A { Object o = «new B()»; Object p = new C(1); }\n"},
		{"arrow", "c", `$P->next`, "int f(struct a *p, struct a q) { return «p->next» + q.next; }\n"},
		{"parameters", "c", `int $F($$$P) { $$$B }`, "«int f(int a, char *b) { return 1; }»\nvoid g(void) {}\n"},
		{"macro", "cpp", `std::move($X)`, "void f() { g(«std::move(a)»); }\n"},
		{"unwrap", "rust", `$X.unwrap()`, "fn f() { let a = «g().h().unwrap()»; a.unwrap_or(1); }\n"},
		{"match", "rust", `impl $T for $S { $$$ }`, "«impl A for B { fn f() {} }»\nimpl C {}\n"},
		{"class", "java", `class $A { $$$ }`, "«class A { int b; void m() { } }»\n«class C {}»\n"},
		{"typed parameters", "java", `void $F($$$P) { $$$ }`, "class A { «void f(int a, B b) { g(); }» int g() { return 1; } }\n"},
		{"paths", "rust", `impl $T for $S { $$$ }`, "«impl A for B {\n    /// Of a type.\n    fn a() {}\n}»\n«impl std::error::Error for Error {\n    fn description(&self) -> &str {\n        self.kind.description()\n    }\n}»\n\n«impl std::fmt::Display for Error {\n    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {\n        match self.glob {\n            None => self.kind.fmt(f),\n        }\n    }\n}»\n"},
		{"call", "csharp", `Console.WriteLine($X)`, "class A { void M() { «Console.WriteLine(\"a\")»; Console.WriteLine(); } }\n"},
		{"modifiers and annotations", "csharp", `class $C { $$$ }`, "«[Serializable]\npublic static class A { }»\n«class B { int b; }»\nclass C : B { }\n"},
		{"a method with them", "csharp", `async Task $F($$$) { $$$ }`, "class A { «[Fact] public static async Task F(int a) { await g(a); }» public Task G() { } }\n"},
		{"some of them", "csharp", `private $T $F;`, "class A { «private static readonly int a;» public int b; }\n"},
		{"visibility", "rust", `fn $F($$$) { $$$ }`, "«pub fn f(a: u8) { g() }»\n«pub(crate) async fn h() {}»\nfn i() -> u8 { 1 }\n"},
		{"an annotation", "java", `public void $F() { $$$ }`, "class A { «@Test public void f() { g(); }» void h() {} }\n"},
		{"visibility", "php", `function $F($$$) { $$$ }`, "<?php class A { «public static function f($a) { g(); }» }\n"},
		{"modifiers", "kotlin", `fun $F($$$) { $$$ }`, "class A {\n  «@Test override fun f(a: Int) { g() }»\n}\n"},
		{"decorator", "typescript", `class $C { $$$ }`, "«@Component({a: 1})\nclass A { b() { } }»\n"},
		{"storage", "c", `int $F($$$P) { $$$B }`, "«static int f(int a) { return 1; }»\nstatic long g(void) {}\n"},
		{"call", "php", `isset($X)`, "<?php if («isset($a)») { }\n"},
		{"call", "ruby", `puts $X`, "«puts \"a\"»\n«puts 1, 2»\nputs\n"},
		{"call in brackets", "ruby", `puts($X)`, "puts \"a\"\n«puts(1)»\nputs(1, 2)\n"},
		{"head of a method", "ruby", `def $F($$$)`, "«def f(a, b)»\n  x\nend\ndef g\nend\nclass A\n  «def h()» 1 end\nend\n"},
		{"head of a class", "ruby", `class $C < $B`, "«class A < B»\n  def f\n  end\nend\nclass C\nend\n"},
		{"method", "ruby", "def $F\n  $$$\nend", "«def f(a, b)\n  x\nend»\n«def g\nend»\n"},
		{"a block that is begun", "ruby", "$A.each do |$X|", "«a.each do |b|\n  c\n  d\nend»\n«a.each do |b|\nend»\na.each do |b, c|\nend\na.map do |b|\nend\n"},
		{"call with a block", "ruby", "get $P do\n  $$$\nend", "«get a do |b|\n  b\nend»\n«get a do\nend»\nget a\n"},
		{"module", "ruby", `module $M`, "«module A»\n  x\nend\n"},
		{"head of a function", "lua", `function $F($$$)`, "«function f(a)»\n  return 1\nend\n"},
		{"call with more", "elixir", `import $M`, "«import A»\n«import A, only: [f: 1]»\nalias A\n"},
		{"head of a function", "elixir", `def $F($$$)`, "«def f(a), do: 1»\n«def f(a) do\n  2\nend»\n"},
		{"brackets that the pattern leaves out", "ruby", `raise $E, $M`, "«raise A, \"a\"»\n«raise(A, \"a\")»\n«raise (a), (b)»\nraise(A)\n"},
		{"brackets of the pattern", "ruby", `raise($E)`, "raise A\n«raise(A)»\n"},
		{"brackets that the pattern leaves out", "elixir", `raise $E`, "«raise \"a\"»\n«raise(\"a\")»\n"},
		{"holes alone", "go", `$F($G($X))`, "package p\nvar _ = «f(g(x))» + f(x)\n"},
		{"element", "tsx", `<$C />`, "let a = <p>«<B />»<C d={1} /></p>\n"},
		{"call", "kotlin", `println($X)`, "fun f() { «println(1)» }\n"},
		{"class", "kotlin", `class $C : $B { $$$ }`, "«class A : B {\n  fun f() {}\n}»\n«class C : D() {\n  val x = 1\n}»\nclass E : F()\n"},
		{"function", "kotlin", `fun $F() { $$$ }`, "«fun f() { g(); h() }»\n«fun g() {}»\nfun h(a: Int) {}\n"},
		{"typed parameters", "kotlin", `fun $F($$$): $T = $X`, "«fun f(a: Int, b: B): C = a + b»\n«fun g(): C = x»\nfun h(a: Int) = a\n"},
		{"lambda", "kotlin", `$A.use { $$$ }`, "val x = «f().use { it.g(); it.h() }»\nval y = «f.use { a -> a.g() }»\nval z = f.use(g)\n"},
		{"call", "lua", `require($X)`, "local a = «require(\"a\")»\n"},
		{"kind", "python", `kind:lambda`, "f = «lambda x: x»\n"},
		{"import", "go", `import $X`, "package p\n«import \"fmt\"»\n«import (\n\t\"os\"\n\tx \"y\"\n)»\n"},
		{"imports in brackets", "go", `import ($$$)`, "package p\nimport \"fmt\"\n«import (\n\t\"os\"\n\tx \"y\"\n)»\n"},
		{"constants in brackets", "go", `const ( $$$ )`, "package p\nconst a = 1\n«const (\n\tb = 2\n\tc\n)»\n"},
		{"a type and no value", "go", `var $X $T`, "package p\n«var a int»\nvar b = 1\n«var c int = 2»\n"},
		{"a word alone", "go", `return`, "package p\nfunc f() { «return» }\nfunc g() int { «return 1» }\n"},
		{"case", "go", `case $X: $$$`, "package p\nfunc f() { switch a { «case 1: g(); h()\n»default: } }\n"},
		{"a type of a package", "go", `$A.$B`, "package p\nvar a «b.C» = «d.e»\n"},
		{"import", "javascript", `import { $$$ } from $M`, "«import { a, b } from \"m\";»\nimport c from 'n'\n"},
		{"import of any form", "typescript", `import $X from $Y`, "«import { a } from 'm'»\n«import b from 'n'»\nimport 'o'\n"},
		{"export", "typescript", `export * from $M`, "«export * from './a'»\nexport { b } from './b'\n"},
		{"switch", "javascript", `switch ($X) { $$$ }`, "«switch (a) { case 1: b() }»\nclass A { switch(x) { } }\n"},
		{"clause", "javascript", `catch ($E) { $$$ }`, "try { } «catch (e) { f() }»\na.catch(e => { })\n"},
		{"a type that must be there", "typescript", `let $X: $T`, "let a = 1\n«let b: string = 'c'»\n«let d: number»\n"},
		{"nothing behind a semicolon", "typescript", `let $X: $T;`, "let b: string = 'c'\n«let d: number»\n"},
		{"member", "typescript", `readonly $X: $T`, "interface A { «readonly b: string» }\nclass C { «readonly d: number»; e: F }\n"},
		{"statements are no members", "javascript", `$A = $B`, "«a = 1»\nclass B { c = 2 }\n"},
		{"decorator", "python", `@$D`, "«@a»\ndef f(): pass\n«@b(1)»\nclass C: pass\n"},
		{"clause", "python", `except $E as $N: $$$`, "try:\n    a()\n«except E as e:\n    b()»\nexcept F:\n    c()\n"},
		{"annotation", "java", `@Override`, "class A { «@Override» void m() { } @Test void n() { } }\n"},
		{"switch", "java", `switch ($X) { $$$ }`, "class A { void m() { «switch (x) { case 1: f(); }» } }\n"},
		{"a statement alone", "java", `return;`, "class A { void m() { if (a) «return;» } int n() { return 1; } }\n"},
		{"a statement within one", "java", `if ($C) return $V;`, "class A { int m() { «if (a) return 1; else f();» return 2; } }\n"},
		{"item without a body", "rust", `mod $M;`, "«mod a;»\nmod b { }\n"},
		{"path of a type", "rust", `a::$B`, "fn f(x: «a::C») { «a::d»(x); }\n"},
		{"type", "rust", `Vec<$T>`, "fn f(x: «Vec<u8>») { }\n"},
		{"arm", "rust", `$A => $B`, "fn f() { match x { «1 => a(),» «_ => b» } }\n"},
		{"condition", "cpp", `if ($C) { $$$ }`, "void f() { «if (a) { b(); }» }\n"},
		{"function", "cpp", `void $F($$$) { $$$ }`, "«void f(int a) { g(); }»\n«void A::h() { }»\nclass B { «void m() { x = 1; }» void n(); };\n"},
		{"method", "cpp", `$T $F($$$) const { $$$ }`, "class B { «int n() const { return 1; }» int m() { return 2; } };\n"},
		{"members", "cpp", `class $C { $$$ };`, "«class B { int n; void m(); }»;\n"},
		{"elements", "cpp", `enum class $E { $$$ };`, "«enum class A { B, C }»;\n"},
		{"namespace", "cpp", `namespace $N { $$$ }`, "«namespace a { int b; }»\n"},
		{"type of a template", "cpp", `std::vector<$T>`, "«std::vector<int>» a;\nvoid f() { g(«std::vector<B>»()); }\n"},
		{"directive", "c", `#ifdef $X`, "«#ifdef A\nint b;\n#endif»\n#ifndef C\n#endif\n"},
		{"directive with blanks", "c", `#define $N $V`, "«#define A 1\n»«#  define B 2\n»#define C\n"},
		{"header", "c", `#include <$X>`, "«#include <a.h>\n»#include \"b.h\"\n"},
		{"condition", "php", `if ($C) { $$$ }`, "<?php «if ($a) { b(); }»\n"},
		{"function", "php", `function $F($$$) { $$$ }`, "<?php «function f(int $a, $b = null) { return 1; }»\n"},
		{"clause", "php", `try { $$$ } catch ($E $V) { $$$ }`, "<?php «try { a(); } catch (B $c) { }»\n"},
		{"comments", "go", `f($A, $B)`, "package p\nvar _ = «f(a, /* b */ c)»\n"},
		{"bad bytes", "go", `f($A)`, "package p\nvar _ = «f(a)»\nfunc \xff\xfe( { \n"},
	} {
		t.Run(tt.grammar+" "+tt.name, func(t *testing.T) {
			p, err := structure.Parse(tt.pattern)
			if err != nil {
				t.Fatal(err)
			}
			m, err := structure.New(p, tt.grammar, treesitter.Parse)
			if err != nil {
				t.Fatal(err)
			}
			src := strings.NewReplacer("«", "", "»", "").Replace(tt.text)
			tree, err := treesitter.Parse(tt.grammar, []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			found, all := m.Find(tree, src)
			if got := marked(src, found); got != tt.text || !all {
				t.Errorf("%v\n%s\nwant\n%s", all, got, tt.text)
			}
			if len(found) > 0 && !p.MayMatch([]byte(src)) {
				t.Error("MayMatch = false of a text that matches")
			}
		})
	}
}

// marked puts marks round matches, which do not overlap.
func marked(src string, found []structure.Match) string {
	var b strings.Builder
	at := 0
	for _, m := range found {
		if int(m.Start) < at {
			continue
		}
		b.WriteString(src[at:m.Start] + "«" + src[m.Start:m.End] + "»")
		at = int(m.End)
	}
	return b.String() + src[at:]
}

// TestRefused holds what is no pattern.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ pattern, want string }{
		{" ", "empty"},
		{"$A", "nothing but holes"},
		{"$$$; $_", "nothing but holes"},
		{strings.Repeat("a", 2_001), "2001 bytes"},
		{"f(" + strings.Repeat("$A, ", 21) + ")", "21 holes"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			if _, err := structure.Parse(tt.pattern); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestNoCode holds that a pattern which a language does not have is told, and the work
// on a text is bounded.
func TestNoCode(t *testing.T) {
	for _, tt := range []struct{ grammar, pattern, want string }{
		{"go", "class $A { $$$ }", "no code of go"},
		{"python", "kind:lamda", "near are lambda"},
		{"rust", "} a {", "no code of rust"},
	} {
		t.Run(tt.grammar, func(t *testing.T) {
			p, err := structure.Parse(tt.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := structure.New(p, tt.grammar, treesitter.Parse); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v", err)
			}
		})
	}
	p, err := structure.Parse("f($$$, $A, $$$, $A, $$$, $A, $$$, zzz)")
	if err != nil {
		t.Fatal(err)
	}
	m, err := structure.New(p, "python", treesitter.Parse)
	if err != nil {
		t.Fatal(err)
	}
	src := "f(" + strings.Repeat("a, b, ", 2_000) + ")"
	tree, err := treesitter.Parse("python", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if found, all := m.Find(tree, src); all || len(found) > 0 {
		t.Errorf("%d matches, all %v", len(found), all)
	}
}

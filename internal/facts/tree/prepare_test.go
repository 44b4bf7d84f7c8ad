package tree

import "testing"

func TestPrepareTypeScript(t *testing.T) {
	tests := []struct{ text, want string }{
		{"interface A {\n  <T>(a: T): B<\n    T\n  >\n  <U>(a: U): void\n}\n", "interface A {\n  <T>(a: T): B<\n    T\n  >;  <U>(a: U): void\n}\n"},
		{"A: B\n// C\n\n<T>(): D\n", "A: B;// C\n\n<T>(): D\n"},
		{"A: B // C\n<T>(): D\n", "A: B // C\n<T>(): D\n"},
		{"// C\n<T>(): D\n", "// C\n<T>(): D\n"},
		{"A: B\n/** C */\n<T>(): D\n", "A: B;/** C */\n<T>(): D\n"},
		{"): B\n\n/**\n * C\n */ \n// D\n<\n  T\n>(): E\n", "): B;\n/**\n * C\n */ \n// D\n<\n  T\n>(): E\n"},
		{"A: B /* C */\n<T>(): D\n", "A: B /* C */\n<T>(): D\n"},
		{"/* C */\n<T>(): D\n*/\n<T>(): D\n", "/* C */\n<T>(): D\n*/\n<T>(): D\n"},
		{"const a = b +\n  <T>c\n", "const a = b +\n  <T>c\n"},
		{"if (a\n  < b) {}\n", "if (a\n  < b) {}\n"},
		{"A: B\n<\n  T\n>(): D\n", "A: B;<\n  T\n>(): D\n"},
		{"export type * from 'a'\n", "export      * from 'a'\n"},
		{"  export type * as b from 'a'\n", "  export      * as b from 'a'\n"},
		{"export type A = B\n", "export type A = B\n"},
		{"type A<in T> = B\ntype C<\n  in out T,\n  out U extends T, in V\n> = D\n", "type A<   T> = B\ntype C<\n         T,\n      U extends T,    V\n> = D\n"},
		{"type A<\n  const in out T,\n  // B\n  const in out U extends T = C\n> = D\n", "type A<\n  const        T,\n  // B\n  const        U extends T = C\n> = D\n"},
		{"interface A {\n  abstract?: B\n  readonly abstract: B\n}\n", "interface A {\n  xbstract?: B\n  readonly xbstract: B\n}\n"},
		{"abstract class A {\n  abstract b(): void\n}\n", "abstract class A {\n  abstract b(): void\n}\n"},
		{"if (a in b) c(out, in)\nlet d = e < out\n", "if (a in b) c(out, in)\nlet d = e < out\n"},
		{"  await using a = b()\n", "  const       a = b()\n"},
		{"using a: A = b\n", "const a: A = b\n"},
		{"using(a)\nusing = b\nx.using a == b\nusing a => b\n", "using(a)\nusing = b\nx.using a == b\nusing a => b\n"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if got := string(Prepare("typescript", []byte(tt.text))); got != tt.want {
				t.Errorf("Prepare(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestPrepareJSX(t *testing.T) {
	tests := []struct{ text, want string }{
		{"interface A {\n  (): B\n  <T extends C>(a: T): B\n}\n", "interface A {\n  (): B;  <T extends C>(a: T): B\n}\n"},
		{"interface A {\n  (): B\n  <\n    T, U>(a: T): B\n}\n", "interface A {\n  (): B;  <\n    T, U>(a: T): B\n}\n"},
		{"const a = b\n  <T b={c}>(d)</T>\n", "const a = b\n  <T b={c}>(d)</T>\n"},
		{"type A<in out T> = B\n", "type A<       T> = B\n"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if got := string(Prepare("tsx", []byte(tt.text))); got != tt.want {
				t.Errorf("Prepare(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestPrepareOthers(t *testing.T) {
	tests := []struct{ grammar, text, want string }{
		{"csharp", "#if A\npublic\n#else\ninternal\n#endif\nclass A { }\n", "     \npublic\n     \n        \n      \nclass A { }\n"},
		{"csharp", "class A {\n#if A\n  int a;\n#else\n  int b;\n#endif\n}\n", "class A {\n#if A\n  int a;\n#else\n  int b;\n#endif\n}\n"},
		{"csharp", "x = new[] { a,\n#if A\n  b,\n#endif\n};\n", "x = new[] { a,\n     \n  b,\n      \n};\n"},
		{"csharp", "f(\"\\n#if\", '\"',\n#if A // \"\n  b,\n#elif B\n  @\"c\"\"\",\n#endif\n d); /* #if */\n", "f(\"\\n#if\", '\"',\n          \n  b,\n       \n         \n      \n d); /* #if */\n"},
		{"csharp", "#if A\n#if B\n[C]\n#endif\nclass A { }\n#endif\n", "#if A\n     \n[C]\n      \nclass A { }\n#endif\n"},
		{"csharp", "#endif\n#else\n#if", "#endif\n#else\n#if"},
		{"csharp", "\uFEFF#region A\n#if A\nusing B;\n#else\nusing C;\n#endif\n", "\uFEFF#region A\n#if A\nusing B;\n#else\nusing C;\n#endif\n"},
		{"csharp", "#if A\n[B]\n#else\n[C(1)]\n[D]\n#endif\nclass A { }\n", "     \n[B]\n     \n[C(1)]\n[D]\n      \nclass A { }\n"},
		{"csharp", "x = new[] { a,\n#if A\n  b,\n#else\n  c(1),\n#endif\n};\n", "x = new[] { a,\n     \n  b,\n     \n  c(1),\n      \n};\n"},
		{"csharp", "f(a,\n#if A\n  b,\n#else\n  c,\n#endif\n  d);\n", "f(a,\n     \n  b,\n     \n    \n      \n  d);\n"},
		{"csharp", "x = *(int*)(p + 0); y = (byte **)q; *z++ = 1; z++ == 1;\n", "x =        (p + 0); y =          q; *z   = 1; z++ == 1;\n"},
		{"csharp", "ref partial struct A { }\n", "    partial struct A { }\n"},
		{"csharp", "s = $@\"a \"\"b\"\"\"; t = @\"a \"\"b\"\"\";\n", "s = $@\"a   b  \"; t = @\"a \"\"b\"\"\";\n"},
		{"csharp", "public class A(int a) : B(a);\nstruct C;\r\nvoid f() where T : class;\nclass", "public class A(int a) : B(a){}struct C{}\nvoid f() where T : class;\nclass"},
		{"php", "<?php enum A { public const B = 1; const C = 2; }\nclass D { public const E = 1; }\n", "<?php enum A {        case  B = 1; case  C = 2; }\nclass D { public const E = 1; }\n"},
		{"cpp", "class A {\n  int a();\n  DEPRECATED_BY(\"use b() or (c\")\n  int d();\n};\n", "class A {\n  int a();\n                                \n  int d();\n};\n"},
		{"cpp", "class A {\n  int a();\n  WHERE_IT(is(B),\n    c)\n  int d();\n};\n", "class A {\n  int a();\n                 \n      \n  int d();\n};\n"},
		{"c", "void f(void) {\n  a->b = (c)MOST_OF;\n}\n", "void f(void) {\n  a->b = (c)MOST_OF;\n}\n"},
		{"c", "void PRINTF_LIKE(1, 2) f(char const *a, ...);\n", "void                   f(char const *a, ...);\n"},
		{"c", "int f(FILE *a)\n{\n}\n", "int f(FILE *a)\n{\n}\n"},
		{"c", "typedef BOOL (WINAPI *f)\n  (int);\n", "typedef BOOL (       *f)\n  (int);\n"},
		{"cpp", "template <class T>\na<T>::a(FILE *f)\n    : b(f) {}\n", "template <class T>\na<T>::a(FILE *f)\n    : b(f) {}\n"},
		{"c", "static __always_inline __alloc_size(1) void *f(int a)\n{\n}\n", "static                                 void *f(int a)\n{\n}\n"},
		{"c", "static inline __printf(3, 4)\nvoid f(const char *a)\n{}\n", "static inline               \nvoid f(const char *a)\n{}\n"},
		{"c", "__printf(3, 0) __cold\nint f(int a);\n", "                     \nint f(int a);\n"},
		{"c", "int g(void)\n{\n\t__for_each(a) f(b);\n\t__call(x);\n}\n", "int g(void)\n{\n\t__for_each(a) f(b);\n\t__call(x);\n}\n"},
		{"c", "__typeof__(a) b = 1;\n", "__typeof__(a) b = 1;\n"},
		{"c", "int f(const char __user *a, void __iomem *b);\n", "int f(const char        *a, void         *b);\n"},
		{"c", "\treturn (__force u32)a;\n", "\treturn (        u32)a;\n"},
		{"c", "#define __user\n * a __user pointer\n// __rcu\nx = \"__user\";\nx__user = 1; __iomem(a);\n", "#define __user\n * a __user pointer\n// __rcu\nx = \"__user\";\nx__user = 1; __iomem(a);\n"},
		{"c", "#if A\n  if (x) {\n#else\n  if (y) {\n#endif\n  }\n", "     \n  if (x) {\n     \n          \n      \n  }\n"},
		{"c", "#ifdef A\n  if (x)\n#else\n  if (y)\n#endif\n  { }\n", "        \n  if (x)\n     \n        \n      \n  { }\n"},
		{"c", "#ifdef A\n  if (x) f();\n  else\n#endif\n  g();\n", "        \n  if (x) f();\n  else\n      \n  g();\n"},
		{"c", "return a\n#ifdef B\n  || b\n#endif\n  ;\n", "return a\n        \n  || b\n      \n  ;\n"},
		{"c", "int a =\n#ifdef B\n  1\n#else\n  2\n#endif\n  ;\n", "int a =\n        \n  1\n     \n   \n      \n  ;\n"},
		{"c", "f(a,\n#ifdef B\n  b\n#else\n  c\n#endif\n);\n", "f(a,\n        \n  b\n     \n   \n      \n);\n"},
		{"c", "int a[] = {\n#ifdef B\n  1,\n#else\n  2,\n#endif\n#define C 1\n  C };\n", "int a[] = {\n        \n  1,\n     \n  2,\n      \n           \n  C };\n"},
		{"c", "#if A\nint f(void) { return 1; }\n#else\nint f(void);\n#endif\n", "#if A\nint f(void) { return 1; }\n#else\nint f(void);\n#endif\n"},
		{"c", "#if 0\n don't { (\n#else\nint a;\n#endif\nint b;\n", "#if 0\n don't { (\n#else\nint a;\n#endif\nint b;\n"},
		{"c", "#define A(x) do { \\\n  x = 1; /* \"one */ \\\n  /* two \\\n  2 */ \\\n  } while (0) /* end */\nint a;\n", "#define A(x) do { \\\n  x = 1;            \\\n         \\\n       \\\n  } while (0) /* end */\nint a;\n"},
		{"c", "#ifdef __cplusplus\nextern \"C++\" {\ninline int f(int a) {\n  return a;\n}\n}\n#endif\n", "#ifdef __cplusplus\n              \ninline int f(int a) {\n  return a;\n}\n \n#endif\n"},
		{"c", "struct a {\n  atomic_ int b;\n  atomic_ size_t *c;\n  thread_local int d;\n};\n", "struct a {\n          int b;\n          size_t *c;\n  thread_local int d;\n};\n"},
		{"c", "static DWORD WINAPI f(void *a);\ntypedef BOOL (WINAPI *g)(int);\nT *A_B c = d;\nA b(C);\n", "static DWORD        f(void *a);\ntypedef BOOL (       *g)(int);\nT *    c = d;\nA b(C);\n"},
		{"cpp", "class A\n#if B\n  // as C\n  : public C\n#endif\n{\n};\n", "class A\n     \n  // as C\n  : public C\n      \n{\n};\n"},
		{"cpp", "A::A(int b)\n    :\n#if !C\n      b_(b),\n#endif\n      c_(1) {}\n", "A::A(int b)\n    :\n      \n      b_(b),\n      \n      c_(1) {}\n"},
		{"cpp", "A::A()\n  : a_(1),\n#ifdef B\n    b_(2)\n#else\n    b_(3)\n#endif\n{}\n", "A::A()\n  : a_(1),\n        \n    b_(2)\n     \n         \n      \n{}\n"},
		{"c", "enum a {\n  B,\n#if C\n  D,\n#endif\n  E };\n", "enum a {\n  B,\n#if C\n  D,\n#endif\n  E };\n"},
		{"cpp", "class A_API_ [[nodiscard]] B {\n};\nclass [[nodiscard]] A_API C : D {\n};\n", "class        [[nodiscard]] B {\n};\nclass [[nodiscard]]       C : D {\n};\n"},
		{"cpp", "A_PUSH_(1 \\\n/* of class A */)\n\nnamespace a {\n", "           \n                 \n\nnamespace a {\n"},
		{"cpp", "f(A_B(1,\n  2)\n  + 3);\n", "f(A_B(1,\n  2)\n  + 3);\n"},
		{"cpp", "int A::f() const\n    A_LOCKS(b) {\n}\nint g() const A_LOCKS(b);\n  && c) A_CALL(1);\nif (d)\n  A_CALL(2);\n", "int A::f() const\n               {\n}\nint g() const           ;\n  && c) A_CALL(1);\nif (d)\n  A_CALL(2);\n"},
		{"cpp", "void f() {\n  A_TRY {\n    g();\n  }\n  x = A_B {\n  };\n}\n", "void f() {\n        {\n    g();\n  }\n  x = A_B {\n  };\n}\n"},
		{"cpp", "void A_INLINE b::c(int d) {\nstd::future<void> INLINE b::e() A_NOEXCEPT {\nif (f) A_RETURN {\n", "void          b::c(int d) {\nstd::future<void>        b::e() A_NOEXCEPT {\nif (f) A_RETURN {\n"},
		{"c", "A_API int (f) (B *b);\nA_API void (*g)(B *b) A_B A_C(1);\n", "      int (f) (B *b);\n      void (*g)(B *b)           ;\n"},
		{"c", "/* say\n  The WINAPI call (x)\n*/\nif (a) return_it(b);\nif (a) A_B(1);\n", "/* say\n  The WINAPI call (x)\n*/\nif (a) return_it(b);\nif (a) A_B(1);\n"},
		{"c", "void f(void) {\n  A_EACH(b, &c->d, e)\n    g(b);\n  A_EACH(b, c, e)\n    g(b);\n  if (x)\n    A_EACH(b, &c->d, e)\n      g(b);\n}\n", "void f(void) {\n  A_EACH(b, &c->d, e);    g(b);\n                 \n    g(b);\n  if (x)\n                       \n      g(b);\n}\n"},
		{"c", "static void like_printf(3, 4)\nf(char *a, ...)\n{\n}\nint like_printf(1, 2) g(const char *, ...);\nint h = one(3) + i(4);\nreturn one(3);\n", "static void                  \nf(char *a, ...)\n{\n}\nint                   g(const char *, ...);\nint h = one(3) + i(4);\nreturn one(3);\n"},
		{"cpp", "void f() {\n  A_TRY { g(); }\n  A_CATCH(h)\n  a = A_B { 1 };\n}\n", "void f() {\n        { g(); }\n            \n  a = A_B { 1 };\n}\n"},
		{"cpp", "void A::f(int b) A_LOCKS(c) {\n}\nA &A::g()\n    A_LOCKS(c) {\n}\nif (a)\n  A_EACH(b) {\n}\n", "void A::f(int b)            {\n}\nA &A::g()\n               {\n}\nif (a)\n  A_EACH(b) {\n}\n"},
		{"cpp", "if (unsigned(a) < unsigned(b)) return long(c);\nf(unsigned(*)(int)); unsigned (*g)(int); unsigned(h);\n", "if (xxxxxxxx(a) < xxxxxxxx(b)) return xxxx(c);\nf(unsigned(*)(int)); unsigned (*g)(int); unsigned(h);\n"},
		{"cpp", "template <class A>\n#if B\n__attribute__((c(\"d\")))\n#endif\ninline int e();\n", "template <class A>\n     \n__attribute__((c(\"d\")))\n      \ninline int e();\n"},
		{"cpp", "template A_API auto f<int>(B) -> C;\ntemplate <class D> A_API auto g();\n", "template       auto f<int>(B) -> C;\ntemplate <class D> A_API auto g();\n"},
		{"cpp", "#if A\n#elif B && HAS(<c.h>)\nint d;\n#endif\n", "#if A\n#elif B && HAS       \nint d;\n#endif\n"},
		{"php", "<?php const A = 1;\n", "<?php const A = 1;\n"},
		{"kotlin", "when (x) {\n  is A if x.b -> c\n  !in d if e -> f\n}\n", "when (x) {\n  is A ,  x.b -> c\n  !in d ,  e -> f\n}\n"},
		{"kotlin", "class A<B>\n@Inject\nprivate constructor(val c: D)\n", "class A<B> @Inject\nprivate constructor(val c: D)\n"},
		{"kotlin", "@Value($$\"${a.b}\") val c = \"$d\"\n", "@Value(  \" {a.b}\") val c = \"$d\"\n"},
		{"kotlin", "val a\n  @B(C::class)\n  get() = d\n@B val e = get(1)\n", "val a\n              \n  get() = d\n@B val e = get(1)\n"},
		{"kotlin", "class A(@B value: C, @D(1) val open: E)\n", "class A(@B xalue: C, @D(1) val open: E)\n"},
		{"kotlin", "suspend fun a(b: suspend () -> C) {\n  var suspend = 1\n  d(e, suspend)\n}\n", "suspend fun a(b: suspend () -> C) {\n  var xuspend = 1\n  d(e, xuspend)\n}\n"},
		{"kotlin", "val ä = 'Ä' + \"Ä\"\n", "val xx = 'Ä' + \"xx\"\n"},
		{"kotlin", "class A\n  @B // c\n  constructor(d: E)\n", "class A   @B     \n  constructor(d: E)\n"},
		{"kotlin", "val a: B\n  @C(\"d\") // e\n  get() = f\n", "val a: B\n              \n  get() = f\n"},
		{"kotlin", "class A {\n  private val b: C<D>\n    field = E(1)\n  fun f() {\n    field = 1\n  }\n}\n", "class A {\n  private val b: C<D>\n          = E(1)\n  fun f() {\n    field = 1\n  }\n}\n"},
		{"kotlin", "context(a: B)\nprivate fun c() {\n  context(d)\n  e()\n}\n", "             \nprivate fun c() {\n  context(d)\n  e()\n}\n"},
		{"kotlin", "  where?.let { }\n", "  xhere?.let { }\n"},
	}
	for _, tt := range tests {
		t.Run(tt.grammar+" "+tt.text, func(t *testing.T) {
			text := []byte(tt.text)
			if got := string(Prepare(tt.grammar, text)); got != tt.want {
				t.Errorf("Prepare(%q) =\n%q, want\n%q", tt.text, got, tt.want)
			}
			if string(text) != tt.text {
				t.Errorf("Prepare(%q) changed its text", tt.text)
			}
		})
	}
}

func TestPrepare(t *testing.T) {
	tests := []struct{ text, want string }{
		{"class BASE_EXPORT A;\n", "class             A;\n"},
		{"struct BASE_EXPORT a;\n", "struct BASE_EXPORT a;\n"},
		{"class BASE_EXPORT A : public B {\n", "class             A : public B {\n"},
		{"struct PACKED_X(1) A final {\n", "struct             A final {\n"},
		{"struct FOO_T value;\n", "struct FOO_T value;\n"},
		{"class A {\n", "class A {\n"},
		{"namespace a {\nBASE_BEGIN\nclass B;\n", "namespace a {\n          \nclass B;\n"},
		{"}  // namespace b\nBASE_END\n}\n", "}  // namespace b\n        \n}\n"},
		{"x = A +\nMAX_SIZE\n- b;\n", "x = A +\nMAX_SIZE\n- b;\n"},
		{"enum { A_B,\nC_D\n};\n", "enum { A_B,\nC_D\n};\n"},
		{"UV_EXTERN int uv_run(void);\n", "          int uv_run(void);\n"},
		{"BASE_API std::string f();\n", "         std::string f();\n"},
		{"DWORD_PTR p;\n", "DWORD_PTR p;\n"},
		{"SIZE_T f(int a);\n", "SIZE_T f(int a);\n"},
		{"FOO_BAR(x);\n", "FOO_BAR(x);\n"},
		{"MAX_A", "MAX_A"},
		{"int b;\n/// a\n/// b: //c\nWARN_A\nstatic int a();\n", "int b;\n/// a\n/// b: //c\n      \nstatic int a();\n"},
		{"class A {\n  PRIVATE_BUT:\n  int a;\n", "class A {\n              \n  int a;\n"},
		{"x = y ? A_B\n  : z ?\nC_D :\ne;\n", "x = y ? A_B\n  : z ?\nC_D :\ne;\n"},
		{"struct a {\n  A_FIELDS\n  B_FIELDS\n};\n", "struct a {\n          \n          \n};\n"},
		{"DEFINE_IT(a, B)\nint c;\n", "               \nint c;\n"},
		{"DEFINE_IT(a)\n{\n}\n", "DEFINE_IT(a)\n{\n}\n"},
		{"typedef enum {\n#define X(a) a,\n  A_MAP(X)\n#undef X\n  B = 1\n} e;\n#define Y\n", "typedef enum {\n               \n          \n        \n  B = 1\n} e;\n#define Y\n"},
		{"#define E enum a {\n#define F\n", "#define E enum a {\n#define F\n"},
		{"#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n#if defined(__cplusplus)\n}  // C\n#endif\n", "#ifdef __cplusplus\n            \n#endif\nint a;\n#if defined(__cplusplus)\n   // C\n#endif\n"},
		{"#ifndef __cplusplus\nstruct a {\n}\n#endif\n", "#ifndef __cplusplus\nstruct a {\n}\n#endif\n"},
		{"extern \"C\" {\n}\n", "extern \"C\" {\n}\n"},
		{"class", "class"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			text := []byte(tt.text)
			if got := string(Prepare("cpp", text)); got != tt.want {
				t.Errorf("Prepare(%q) = %q, want %q", tt.text, got, tt.want)
			}
			if string(text) != tt.text || string(Prepare("java", text)) != tt.text {
				t.Errorf("Prepare(%q) changed its text", tt.text)
			}
		})
	}
}

func TestPrepareKotlin(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"fun interface A {\n", "    interface A {\n"},
		{"private fun interface A\nfun interface B\n", "private     interface A\n    interface B\n"},
		{"refun interface A\n", "refun interface A\n"},
		{"fun interfaces() {}\n", "fun interfaces() {}\n"},
		{"val größe = \"“ü”\"\n", "val grxxxxe = \"“xx”\"\n"},
		{"class A : B { override fun f() = 1 }\n", "class A : B { override fun f() = 1;}\n"},
		{"enum class E { A { @Foo(1) fun f() = 1 }, B { val x: Int }; abstract val x: Int }\n", "enum class E { A { @Foo(1) fun f() = 1;}, B { val x: Int;}; abstract val x: Int;}\n"},
		{"object A { fun f() = g { it + 1 } }\n", "object A { fun f() = g { it + 1 };}\n"},
		{"fun f() = run { g() }\nclass A { }\n", "fun f() = run { g() }\nclass A { }\n"},
		{"val a = \"{ fun b } ${ c }\" // { fun d }\n", "val a = \"{ fun b } ${ c }\" // { fun d }\n"},
		{"class A {\n  val q = '\"'; val b = 1 }\n", "class A {\n  val q = '\"'; val b = 1;}\n"},
		{"} } { fun a() }\n{ val \"", "} } { fun a();}\n{ val \""},
		{"  in1.skip()\n  set = 0\n  open.x()\n  open(a)\n", "  xn1.skip()\n  xet = 0\n  xpen.x()\n  xpen(a)\n"},
		{"  set(v) { field = v }\n  get() = 1\n  open fun a() {}\n  in 1..2 -> a\n  set == 1\n", "  set(v) { field = v }\n  get() = 1\n  open fun a() {}\n  in 1..2 -> a\n  set == 1\n"},
		{"fun f(a: dynamic) = dynamically\n", "fun f(a: xynamic) = dynamically\n"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			if got := string(Prepare("kotlin", []byte(tt.text))); got != tt.want {
				t.Errorf("Prepare(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestGrammarOf(t *testing.T) {
	for _, tt := range []struct{ language, path, text, want string }{
		{"python", "a.py", "", "python"},
		{"c", "a.c", "class A {\n", "c"},
		{"c", "a.h", "int f(void);\n", "c"},
		{"c", "a.h", "  namespace a {\n", "cpp"},
		{"c", "a.h", "// class A\n", "c"},
		{"cpp", "a.hpp", "", "cpp"},
		{"typescript", "a.ts", "", "typescript"},
		{"typescript", "a.tsx", "", "tsx"},
		{"tsx", "a.tsx", "", "tsx"},
		{"php", "a.php", "", "php"},
		{"csharp", "a.cs", "", "csharp"},
		{"ruby", "a.rb", "", "ruby"},
		{"kotlin", "a.kt", "", "kotlin"},
		{"go", "a.go", "", ""}, // has an extractor of its own
		{"cobol", "a.cob", "", ""},
		{"", "a", "", ""},
	} {
		t.Run(tt.path+" of "+tt.language, func(t *testing.T) {
			if got := GrammarOf(tt.language, tt.path, []byte(tt.text)); got != tt.want {
				t.Errorf("GrammarOf(%q, %q, %q) = %q, want %q", tt.language, tt.path, tt.text, got, tt.want)
			}
			if HasGrammar(tt.language) != (tt.want != "") {
				t.Errorf("HasGrammar(%q) disagrees", tt.language)
			}
		})
	}
}

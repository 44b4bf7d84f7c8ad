package outline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/lang"
)

// defined lists the definitions of a text as "line kind name".
func defined(language, text string) string {
	l, _ := lang.ByName(language)
	var list []string
	for _, d := range Parse(l, []byte(text)).Definitions {
		list = append(list, fmt.Sprintf("%d %s %s", d.Line, d.Kind, d.Name))
	}
	return strings.Join(list, ", ")
}

// TestStatements shows what statements define in the languages whose functions
// have no keyword.
func TestStatements(t *testing.T) {
	for _, tt := range []struct{ name, language, text, want string }{
		{"prototypes define nothing", "c", "int f(int a);\nstatic int g(void) { return f(1); }\n", "2 func g"},
		{"a typedef of a function pointer", "c", "typedef int (*handler)(int, char *);\ntypedef void plain(void);\n", "1 type handler, 2 type plain"},
		{"a typedef of a struct with a tag", "c", "typedef struct node { int a; } node;\ntypedef struct { int b; } leaf, *leafs;\ntypedef union tag2 { int c; } __attribute__((packed)) both;\n", "1 struct node, 2 struct leaf, 2 struct leafs, 3 struct tag2, 3 struct both"},
		{"a typedef of a name alone", "c", "typedef unsigned long size;\ntypedef x;\ntypedef enum color color;\n", "1 type size, 3 type color"},
		{"variables of a file", "c", "int count = 1, other;\nextern int away;\nstatic const char *names[] = { \"a\" };\nstruct point origin;\n", "1 var count, 3 const names, 4 var origin"},
		{"a macro with arguments defines what they name", "cpp", "TEST(Suite, Name) {\n}\nTEST_F(Suite, Other) { }\nDEFINE_THING(thing) {\n}\n", "1 func Name, 3 func Other, 4 func thing"},
		{"a function of C without a result", "c", "main() {\n}\n", "1 func main"},
		{"constructors, destructors and operators", "cpp", "struct A {\n  A() {}\n  ~A() {}\n  bool operator==(const A &a) const { return true; }\n  int operator()(int b) { return b; }\n  virtual int pure() = 0;\n  int none();\n};\nA::A(int x) : y(x) {}\nbool A::operator<(const A &b) const { return false; }\n", "1 struct A, 2 method A, 3 method ~A, 4 method operator==, 5 method operator(), 6 method pure, 9 method A, 10 method operator<"},
		{"labels of access", "cpp", "class A {\npublic:\n  int f() { return 1; }\nsignals:\n  void g() {}\nprivate slots:\n  void h() {}\n};\n", "1 class A, 3 method f, 5 method g, 7 method h"},
		{"an export macro before the name", "cpp", "class BASE_EXPORT A : public B {\n};\nstruct D;\n", "1 class A"},
		{"a result with template arguments", "cpp", "std::map<int, std::vector<int>> f() { return {}; }\ntemplate <typename T> T g(T a) { return a; }\nbool less = 1 < 2;\n", "1 func f, 2 func g, 3 var less"},
		{"namespaces and linkage", "cpp", "namespace a::b {\nint f() { return 1; }\n}\nextern \"C\" {\nint g() { return 1; }\n}\nnamespace {\nint h() { return 1; }\n}\nusing name = int;\nusing namespace std;\n", "1 module b, 2 func f, 5 func g, 8 func h, 10 type name"},
		{"both branches of a condition open one brace", "c", "#if A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n  return 1;\n}\nint g(void) { return 1; }\n", "2 func f, 4 func f, 8 func g"},
		{"branches within a class", "cpp", "namespace a {\nclass B {\n#if X\n  void f() {\n#else\n  void f(int b) {\n#endif\n  }\n  void g() {}\n};\n}\nint h() { return 1; }\n", "1 module a, 2 class B, 4 method f, 6 method f, 9 method g, 12 func h"},
		{"conditions within conditions", "cpp", "class A {\n#if X\n#if Y\n  void f() {\n#else\n  void f(int b) {\n#endif\n#else\n  void f(long c) {\n#endif\n  }\n  void g() {}\n};\nint h() { return 1; }\n", "1 class A, 4 method f, 6 method f, 9 method f, 12 method g, 14 func h"},
		{"a directive that goes on", "c", "#pragma a \\\n  int f(void) { \\\n  {\nint g(void) { return 1; }\n", "4 func g"},
		{"a variable that points to a function", "c", "unsigned int (*hook)(int);\n", "1 var hook"},
		{"disabled code is a comment", "c", "#if 0\nint f(void) {\n#if 1\n}\n#endif\n#else\nint g(void) { return 1; }\n#endif\nint h(void) { return 1; }\n", "7 func g, 9 func h"},
		{"an else within disabled code", "c", "#if 0\n#if 1\n#else\nint f(void) { return 1; }\n#endif\nint g(void) { return 1; }\n#endif\nint h(void) { return 1; }\n", "8 func h"},
		{"an operator outside of its class", "cpp", "bool operator!=(const A &a, const A &b) { return true; }\nA::operator bool() const { return true; }\n", "1 func operator!=, 2 method operator bool"},
		{"a guard is no macro", "c", "#ifndef A_H\n#define A_H\n#define B 1\n#define F(x) \\\n  x\n#endif\n", "3 macro B, 4 macro F"},
		{"calls and control flow define nothing", "c", "void f(void) {\n  if (a) { b(); }\n  for (;;) { g(c) ; }\n  int local = 1;\n  while (x) { }\n}\n", "1 func f"},
		{"values of arrays and blocks", "c", "int a[] = { 1, 2 };\nstruct s b = { .f = 1 };\nint after(void) { return 1; }\n", "1 var a, 2 var b, 3 func after"},

		{"members", "java", "class A {\n  private int field = 1;\n  static final int MAX = 1;\n  final int once;\n  A() {}\n  abstract void f();\n  native void g();\n  int[] h(int a) throws E { return null; }\n  static { f(); }\n}\n", "1 class A, 3 const MAX, 5 method A, 6 method f, 7 method g, 8 method h"},
		{"members without a body", "java", "class A {\n  int f();\n  abstract int g();\n}\n", "1 class A, 3 method g"},
		{"members of an interface", "java", "interface I {\n  int MAX = 1;\n  void f();\n  default void g() {}\n  static int h() { return 1; }\n}\n", "1 interface I, 3 method f, 4 method g, 5 method h"},
		{"an enumeration", "java", "enum E {\n  A(1) { void f() {} },\n  B { };\n  private final int x;\n  E(int x) { this.x = x; }\n  void g() {}\n}\n", "1 enum E, 2 method f, 5 method E, 6 method g"},
		{"a record", "java", "record Point(int x, int y) implements I {\n  Point { }\n  static Point of() { return null; }\n}\n", "1 class Point, 3 method of"},
		{"an anonymous class within a field", "java", "class A {\n  Runnable r = new Runnable() {\n    public void run() {}\n  };\n  int after() { return 1; }\n  Object list = make(new I<A, B>() { void inner() {} }, 1);\n  void last() {}\n}\n", "1 class A, 3 method run, 5 method after, 6 method inner, 7 method last"},
		{"annotations", "java", "@Table(name = \"a\")\npublic class A {\n  @Get(\"/x\") @B public void f() {}\n  @interface C { int value() default 1; }\n}\n", "2 class A, 3 method f, 4 interface C, 4 method value"},

		{"properties and bodies of expressions", "csharp", "class A {\n  public int X { get; set; }\n  int Y => 1;\n  int Twice(int a) => a * 2;\n  const int Max = 1;\n  static readonly int Min = 1;\n  readonly int only = 1;\n  event Handler Changed;\n  public A() : base(1) { }\n  int this[int i] { get { return 1; } }\n  public static A operator +(A a, A b) { return a; }\n}\n", "1 class A, 2 field X, 3 field Y, 4 method Twice, 5 const Max, 6 const Min, 9 method A, 10 field this, 11 method operator +"},
		{"types and delegates", "csharp", "namespace N;\nrecord R(int X);\nrecord struct S { }\ndelegate void D(int a);\ninterface I { void F(); int P { get; } }\nenum E { A, B }\nint Top(int a) => a;\nCall(x => 1);\n", "1 module N, 2 class R, 3 class S, 4 type D, 5 interface I, 5 method F, 5 field P, 6 enum E, 7 func Top"},
		{"words that are modifiers or names", "csharp", "class A {\n  internal async Task f() { }\n  required int required1 { get; set; }\n  int file() { return 1; }\n  new void g() { }\n  partial void h();\n}\n", "1 class A, 2 method f, 3 field required1, 4 method file, 5 method g, 6 method h"},
		{"conditions of the preprocessor", "csharp", "#if DEBUG\nclass A {\n#endif\n}\n", "2 class A"},

		{"functions and members", "dart", "int top(int a) => a;\nclass A extends B with C {\n  A.named() : a = 1;\n  late final int c;\n  void f() async { }\n  int g() => 1;\n  abstract void h();\n}\nmixin M on A { }\nextension E on A { }\nmain() { }\n", "1 func top, 2 class A, 3 method named, 5 method f, 6 method g, 7 method h, 9 class M, 10 class E, 11 func main"},
		{"lines end statements", "groovy", "class A {\n  def f() { 1 }\n  int g(int a)\n  {\n    a\n  }\n  String s = 'x'\n  void h() {}\n}\ndef top(a) { a }\n", "1 class A, 2 method f, 3 method g, 8 method h, 10 func top"},
		{"a blank line ends a declaration without a body", "kotlin", "class A\n\n{\n  val x = 1\n}\nclass B\n{\n  val y = 1\n}\n", "1 class A, 6 class B, 8 field y"},
		{"a brace at the start of a line closes what was opened there", "go", "func f() {\n\tif a {\n\tb := \"{\"\n}\nfunc g() {}\n", "1 func f, 5 func g"},
		{"Objective-C", "objective-c", "@interface A : B\n@property int x;\n- (void)f;\n@end\n@protocol P <Q>\n@end\n@protocol Q;\n@implementation A\n- (void)f { }\n+ (id)make:(int)a with:(int)b { }\n@end\nint g(void) { return 1; }\n", "1 class A, 5 interface P, 9 method f, 10 method make, 12 func g"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, defined(tt.language, tt.text)); diff != "" {
				t.Errorf("definitions (-want +got):\n%s", diff)
			}
		})
	}
}

// TestQuiet marks the comments of a text with #, its literals with " and the
// rest with a dot.
func TestQuiet(t *testing.T) {
	for _, tt := range []struct{ name, language, text, want string }{
		{"Go", "go", "a := `b` // c\n/* d */ e('f')\n", `.....""".####.#######..."""..`},
		{"a literal over lines", "python", "x = \"\"\"a\nb\"\"\" # c\n", `....""""""""".###.`},
		{"Ruby", "ruby", "x = %w[a b] # c\n", `....""""""".###.`},
		{"no outline", "text", "a \"b\" // c\n", `...........`},
		{"no text", "go", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, _ := lang.ByName(tt.language)
			got := []byte(strings.Repeat(".", len(tt.text)))
			last := 0
			for _, q := range Quiet(l, []byte(tt.text)) {
				if q.Start < last || q.End <= q.Start || q.End > len(tt.text) {
					t.Fatalf("span %+v after byte %d", q, last)
				}
				last = q.End
				for i := q.Start; i < q.End; i++ {
					got[i] = '"'
					if q.Comment {
						got[i] = '#'
					}
				}
			}
			if tt.want != string(got) {
				t.Errorf("spans of %q: %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

package resolve_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/resolve/kin"
	"espy/internal/segment"
)

const goTypes = `package p

type Reader interface{ Read(b []byte) (int, error) }
type Closer interface{ Close() error }
type Both interface { Reader; Closer }
type Loose interface { Close() error; elsewhere.Any }
type Empty interface{}

type File struct{ *base }
type base struct{}
func (f *File) Read(b []byte) (int, error) { return 0, nil }
func (f *base) Close() error { return nil }

type Pipe struct{}
func (p Pipe) Read(b []byte, n int) (int, error) { return 0, nil }
func (p Pipe) Close() error { return nil }

type Deep struct{ Pipe }

type Quiet struct{}
func (q Quiet) Close() {}
`

const javaTypes = `package p;
interface Shape { double area(); }
abstract class Base implements Shape, Comparable { void draw() {} }
class Circle extends Base { public double area() { return 1; } void draw() {} }
class Ring extends Circle { void draw() {} }
class Other { void draw() {} }
`

// TestRelated holds the types above and below a type, the members that override
// a member, and the members of values of a type.
func TestRelated(t *testing.T) {
	tests := []struct {
		name   string
		path   string
		text   string
		ask    func(q *resolve.Question, r corpus.Ref) []kin.Related
		symbol string
		want   []string
	}{
		{"Go supertypes", "p.go", goTypes, (*resolve.Question).Supertypes, "File",
			[]string{"base certain: named by File", "Both certain: has the methods of Both", "Closer certain: has the methods of Closer", "Loose possible: has the methods of Loose that are known here", "Reader certain: has the methods of Reader"}},
		{"Go supertypes of a method set", "p.go", goTypes, (*resolve.Question).Supertypes, "Pipe",
			[]string{"Closer certain: has the methods of Closer", "Loose possible: has the methods of Loose that are known here"}},
		{"Go supertypes without fitting methods", "p.go", goTypes, (*resolve.Question).Supertypes, "Quiet", nil},
		{"Go embedded interfaces", "p.go", goTypes, (*resolve.Question).Supertypes, "Both",
			[]string{"Closer certain: named by Both", "Loose possible: has the methods of Loose that are known here", "Reader certain: named by Both"}},
		{"Go subtypes", "p.go", goTypes, (*resolve.Question).Subtypes, "Closer",
			[]string{"Both certain: names Closer", "Deep certain: has the methods of Closer", "File certain: has the methods of Closer", "Loose certain: has the methods of Closer", "Pipe certain: has the methods of Closer", "base certain: has the methods of Closer"}},
		{"Go supertypes of what embeds", "p.go", goTypes, (*resolve.Question).Supertypes, "Deep",
			[]string{"Closer certain: has the methods of Closer", "Loose possible: has the methods of Loose that are known here", "Pipe certain: named by Deep"}},
		{"Go subtypes of two interfaces", "p.go", goTypes, (*resolve.Question).Subtypes, "Both", []string{"File certain: has the methods of Both"}},
		{"Go subtypes of an empty interface", "p.go", goTypes, (*resolve.Question).Subtypes, "Empty", nil},
		{"Go overriding", "p.go", goTypes, (*resolve.Question).Overriding, "Reader.Read", []string{"File.Read certain: File has the methods of Reader"}},
		{"Go overriding no interface", "p.go", goTypes, (*resolve.Question).Overriding, "File.Read", nil},
		{"Java supertypes", "p.java", javaTypes, (*resolve.Question).Supertypes, "Ring",
			[]string{"Base certain: named by Circle", "Circle certain: named by Ring", "Shape certain: named by Base"}},
		{"Java subtypes", "p.java", javaTypes, (*resolve.Question).Subtypes, "Base", []string{"Circle certain: names Base", "Ring certain: names Circle"}},
		{"Java overriding", "p.java", javaTypes, (*resolve.Question).Overriding, "Base.draw",
			[]string{"Circle.draw certain: Circle is below Base", "Ring.draw certain: Ring is below Base"}},
		{"Java overriding nothing", "p.java", javaTypes, (*resolve.Question).Overriding, "Other.draw", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q, r := symbolOf(t, tt.path, tt.text, tt.symbol)
			var got []string
			err := segment.Guard(func() error {
				for _, o := range tt.ask(q, r) {
					id := q.File(o.File).ID("", int(o.Index))
					got = append(got, strings.TrimPrefix(id, "#")+" "+o.Confidence.String()+": "+o.Reason)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// symbolOf finds a symbol of a file by its id.
func symbolOf(t *testing.T, path, text, id string) (*resolve.Question, corpus.Ref) {
	t.Helper()
	q := resolve.New(index(t, map[string]string{path: text})).Ask()
	i := q.File(0).ByID(id)
	if i == facts.None {
		t.Fatalf("no symbol %s", id)
	}
	return q, corpus.Ref{Index: int32(i)}
}

func TestMembers(t *testing.T) {
	tests := []struct {
		name, owner, member string
		want                []string
	}{
		{"its own", "Circle", "area", []string{"#Circle.area"}},
		{"of a type above", "Circle", "draw", []string{"#Circle.draw"}},
		{"of a type far above", "Ring", "area", []string{"#Circle.area"}},
		{"of an interface", "Base", "area", []string{"#Shape.area"}},
		{"none", "Circle", "paint", nil},
		{"of another type", "Shape", "draw", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q, r := symbolOf(t, "p.java", javaTypes, tt.owner)
			var got []string
			for _, m := range q.Members(r, tt.member) {
				got = append(got, q.File(m.File).ID("", int(m.Index)))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("Members(%s, %s) = %q, want %q", tt.owner, tt.member, got, tt.want)
			}
		})
	}
}

// manyParts declares interfaces P0, P1 and so on in a line, and uses a member of the last one
// in a value that is all of them.
func manyParts(n int, member string) string {
	var types, parts strings.Builder
	for i := range n {
		fmt.Fprintf(&types, "interface P%d { p%d: 1; ", i, i)
		if i == n-1 {
			types.WriteString(member + ": 1 ")
		}
		types.WriteString("}; ")
		fmt.Fprintf(&parts, " & P%d", i)
	}
	return types.String() + "\nfunction f(all: Partial<" + strings.TrimPrefix(parts.String(), " & ") + ">) { all.⟦" + member + " }\n"
}

// TestDefine holds the order, confidence and reason of what a use may mean: the
// use of the name behind ⟦.
func TestDefine(t *testing.T) {
	tests := []struct {
		name, path, text string
		want             []string
	}{
		{"definition before prototype", "a.c", "int f(int a);\nint g(void) { return ⟦f(1); }\nint f(int a) { return a; }\n",
			[]string{"3 certain: declared in this file", "1 certain: declared in this file"}},
		{"constructor before type", "A.java", "class A { A() {} A(int n) {} void m() { new ⟦A(1); } }\n",
			[]string{"1 certain: declared in this file", "1 certain: declared in this file"}},
		{"receiver is known", "a.go", "package a\ntype T struct{}\nfunc (T) M() {}\nfunc f(t T) { t.⟦M() }\n", []string{"3 certain: receiver is T"}},
		{"receiver is inferred", "a.py", "class T:\n    def m(self): ...\nt = T()\nt.⟦m()\n", []string{"2 likely: receiver is inferred to be T"}},
		{"the only member", "a.py", "class T:\n    def m(self): ...\ndef f(x):\n    x.⟦m()\n", []string{"2 likely: receiver is not known; the only member of that name"}},
		{"one of two members", "a.py", "class T:\n    def m(self): ...\nclass U:\n    def m(self): ...\ndef f(x):\n    x.⟦m()\n",
			[]string{"2 possible: receiver is not known; one of 2 members of that name", "4 possible: receiver is not known; one of 2 members of that name"}},
		{"named like its type", "a.py", "class Other:\n    def m(self): ...\nclass DevEnvironment:\n    def m(self): ...\ndef f(environment):\n    environment.⟦m()\n",
			[]string{"4 likely: receiver is named like its type", "2 possible: receiver is not known; one of 2 members of that name"}},
		{"too short to be named like its type", "a.py", "class Pa:\n    def m(self): ...\nclass Ub:\n    def m(self): ...\ndef f(ub):\n    ub.⟦m()\n",
			[]string{"2 possible: receiver is not known; one of 2 members of that name", "4 possible: receiver is not known; one of 2 members of that name"}},
		{"read but not called", "a.py", "class T:\n    def m(self): ...\ndef f(x):\n    x.⟦m\n", []string{"2 possible: receiver is not known, and it is not called"}},
		{"too many arguments", "a.py", "class T:\n    def m(self): ...\ndef f(x):\n    x.⟦m(1)\n", nil},
		{"free and declared nowhere", "a.go", "package a\nfunc f() { ⟦g() }\n", nil},
		{"member of an unnamed type", "a.go", "package a\nvar v struct{ n int }\nfunc f() { v.⟦n = 1 }\n", []string{"2 certain: member of an unnamed type"}},
		{"member of an unnamed type in a function without a name", "a.ts", "it(() => {\n  use((e: { n: number }) => e.⟦n)\n  use((e: { n: string }) => e)\n})\n", []string{"2 certain: member of an unnamed type"}},
		{"method of one", "a.ts", "it(() => {\n  use((e: { n(a: { b: number }): void }) => e.⟦n({ b: 1 }))\n})\n", []string{"2 certain: member of an unnamed type"}},
		{"key of what a method of one takes", "a.ts", "it(() => {\n  use((e: { n(a: { b: number }): void }) => e.n({ ⟦b: 1 }))\n})\n", []string{"2 certain: member of an unnamed type"}},
		{"type that is asserted in one", "a.ts", "it(() => {\n  take({} as { n: number }).⟦n\n})\nfunction take<T>(t: T): T { return t }\n", []string{"2 certain: member of an unnamed type"}},
		{"key of a literal without a type", "a.ts", "interface T { size: number }\nfunction f(a: boolean) { return a ? { ⟦size: 1 } : null }\n", []string{"1 possible: key of a literal whose type is not known"}},
		{"key of what a type parameter stands for", "a.ts", "it(() => {\n  take({ as: {} as { kind: 'a'; n: number } | { kind: 'b' },\n    does: give({ kind: 'a', ⟦n: 1 }) })\n})\nfunction take(t: unknown) {}\nfunction give<T extends { kind: string }>(t: T) {}\n", []string{"2 likely: the type above that has these keys and constants"}},
		{"key of the type that has just these", "a.ts", "type E = { kind: 'a'; n: number }\n | { kind: 'a'; m: number; n: number }\n | { kind: 'b'; n: number }\ngive({ kind: 'a', ⟦n: 1 })\nfunction give<T extends { kind: string }>(t: T) {}\n", []string{"1 likely: the type above that has these keys and constants"}},
		{"key of what a function beside it takes", "a.ts", "it(() => {\n  const s = make({ on: (e: { kind: 'a'; n: number } | { kind: 'b' }) => e })\n  s.give({ kind: 'a', ⟦n: 1 })\n})\nfunction make<T>(t: T): { [K in keyof T]: T[K] } { return t }\n", []string{"2 likely: the type above that has these keys and constants"}},
		{"key of a type in another function", "a.ts", "it(() => {\n  take({} as { kind: 'a'; n: number })\n})\nit(() => {\n  give({ kind: 'a', ⟦n: 1 })\n})\nfunction take(t: unknown) {}\nfunction give<T extends { kind: string }>(t: T) {}\n", nil},
		{"key of what is given to something from elsewhere", "a.ts", "import { give } from 'elsewhere'\nit(() => {\n  take({} as { kind: 'a'; n: number })\n  give({ kind: 'a', ⟦n: 1 })\n})\n", nil},
		{"member that the types of a page have", "a.js", "class Link {\n  preventDefault() {}\n}\nfunction f(e) { e.⟦preventDefault() }\n", []string{"2 possible: receiver is not known; types of the language have a member of that name"}},
		{"last of many types that a value is at once", "a.ts", manyParts(12, "n"), []string{"1 certain: receiver is P11"}},
		{"one of too many", "a.ts", manyParts(60, "n"), []string{"1 likely: receiver is not known; the only member of that name"}},
		{"argument", "a.py", "def f(size): ...\nf(⟦size=1)\n", []string{"1 certain: argument of f"}},
		{"function of a package from elsewhere that gives back what it is given", "a.go", "package a\nimport \"maps\"\ntype T struct{}\nfunc (T) Clone(m any) {}\nvar m = maps.⟦Clone(map[int]T{})\n", nil},
		{"value of a type of such a package", "a.go", "package a\nimport \"sync\"\ntype T struct{ mu sync.Mutex }\nfunc (T) Lock() {}\nfunc (t *T) f() { t.mu.⟦Lock() }\n", nil},
		{"literal of such a type", "a.go", "package a\nimport \"sync\"\ntype T struct{}\nfunc (T) Lock() {}\nvar mu = &sync.Mutex{}\nfunc f() { mu.⟦Lock() }\n", nil},
		{"what such a function gives", "a.go", "package a\nimport \"slices\"\ntype T struct{}\nfunc (T) Run() {}\nfunc f(all ...T) { slices.Some(all).⟦Run() }\n", []string{"4 likely: receiver is not known; the only member of that name"}},
		{"shadowed", "a.go", "package a\nvar v int\nfunc f(v int) { _ = ⟦v }\n", []string{"3 certain: declared in this file"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.text, "⟦")
			q := resolve.New(index(t, map[string]string{tt.path: before + after})).Ask()
			use := q.File(0).UseAt(uint32(len(before)))
			if use == facts.None {
				t.Fatal("no use at the mark")
			}
			var got []string
			for _, m := range q.Define(0, use) {
				got = append(got, string(rune('0'+q.Symbol(m.Ref).Line))+" "+m.Confidence.String()+": "+m.Reason)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

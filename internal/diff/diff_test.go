package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/facts/golang"
	"espy/internal/lang"
	"espy/internal/outline"
)

func goVersion(path, text string) *Version {
	l, _ := lang.ByName("go")
	return Parsed(NewSource(path, l, []byte(text)), golang.Parse([]byte(text)).Symbols)
}

func outlined(path, language, text string) *Version {
	l, _ := lang.ByName(language)
	return Outlined(NewSource(path, l, []byte(text)), outline.Parse(l, []byte(text)).Definitions)
}

func describe(changes []Change) string {
	var list []string
	for _, c := range changes {
		s := c.Kind.String() + " " + c.Symbol.ID
		if c.Kind == Moved {
			s += "<" + c.OldPath + "#" + c.Old.ID
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

const before = `package p

import "fmt"

// T is a type.
type T struct {
	A int
	B string // of it
}

// Close closes.
func (t *T) Close() error {
	// nothing to do
	return nil
}

func open(name string) (*T, error) { return &T{B: name}, fmt.Errorf("%s  x", name) }

var limit = 10
`

func TestCompare(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"body", "return nil", "return errNo", "body T.Close"},
		{"signature", "Close() error", "Close(now bool) error", "signature T.Close"},
		{"doc", "// Close closes.", "// Close ends it.", "doc T.Close"},
		{"comment in the body", "// nothing to do", "// what to do?", "doc T.Close"},
		{"comment beside a field", "// of it", "// its name", "doc T"},
		{"field", "A int", "A int64", "signature T.A"},
		{"new field", "A int", "A int\n\tC bool", "added T.C"},
		{"layout", "\treturn nil", "\n\n\t\treturn   nil", ""},
		{"layout of fields", "A int\n", "A      int\n", ""},
		{"blanks in a literal", `"%s  x"`, `"%s x"`, "body open"},
		{"value", "limit = 10", "limit = 20", "body limit"},
		{"type of a value", "limit = 10", "limit uint = 10", "signature limit"},
		{"kind", "var limit", "const limit", "signature limit"},
		{"import", `import "fmt"`, `import ("fmt"; "os")`, "body "},
		{"moved down", "// T is a type.", "var before = 1\n\n// T is a type.", "added before"},
		{"renamed", "func (t *T) Close() error {", "func (t *T) Stop() error {", "moved T.Stop<a.go#T.Close"},
		{"into a group", "var limit = 10\n", "var (\n\tlimit = 10\n)\n", "body "},
		{"removed", "var limit = 10\n", "", "removed limit"},
		{"line ends", "\n", "\r\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			new := strings.ReplaceAll(before, tt.old, tt.new)
			if tt.old == "" {
				new = before
			} else if new == before {
				t.Fatalf("%s: nothing is replaced", tt.name)
			}
			if got := describe(Compare(goVersion("a.go", before), goVersion("a.go", new))); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		})
	}
	none := &Version{}
	if got, want := describe(Compare(none, goVersion("a.go", before))), "added T, added T.A, added T.B, added T.Close, added open, added limit"; got != want {
		t.Errorf("a new file: %s, want %s", got, want)
	}
	if got, want := describe(Compare(goVersion("a.go", before), none)), "removed T, removed T.A, removed T.B, removed T.Close, removed open, removed limit"; got != want {
		t.Errorf("a file less: %s, want %s", got, want)
	}
}

func TestCompareEqualNames(t *testing.T) {
	two := "package p\n\nfunc init() { one() }\n\nfunc init() { two() }\n"
	three := "package p\n\nfunc init() { zero() }\n\nfunc init() { one() }\n\nfunc init() { two() }\n"
	if got, want := describe(Compare(goVersion("a.go", two), goVersion("a.go", three))), "added init"; got != want {
		t.Errorf("a third init before two: %s, want %s", got, want)
	}
	if got, want := describe(Compare(goVersion("a.go", three), goVersion("a.go", two))), "removed init"; got != want {
		t.Errorf("the first of three gone: %s, want %s", got, want)
	}
}

// TestIDs holds that symbols have the ids that the index gives them, counted and
// qualified by all that hold them, listed or not.
func TestIDs(t *testing.T) {
	text := "function plugin ( class Mixin { run } class Mixin { run } ) run"
	symbol := func(start, end uint32, name string, kind code.Kind, flags facts.Flags, parent int32, owner string) facts.Symbol {
		return facts.Symbol{Name: name, Kind: kind, Flags: flags, Place: facts.Place{At: start, Line: 1}, Parent: parent, Owner: owner, Start: start, End: end, SigStart: start, SigEnd: end, Type: facts.None}
	}
	v := Parsed(NewSource("a.ts", nil, []byte(text)), []facts.Symbol{
		symbol(0, 58, "plugin", code.KindFunc, 0, facts.None, ""),
		symbol(18, 37, "Mixin", code.KindClass, facts.Local, 0, ""),
		symbol(32, 35, "run", code.KindMethod, 0, 1, ""),
		symbol(38, 57, "Mixin", code.KindClass, facts.Local, 0, ""),
		symbol(52, 55, "run", code.KindMethod, 0, 3, ""),
		symbol(60, 63, "run", code.KindMethod, 0, facts.None, "ns::Mixin"),
	})
	var got []string
	for i := range v.Symbols {
		got = append(got, v.Symbols[i].ID)
	}
	if want := []string{"plugin", "plugin.Mixin.run", "plugin.Mixin.run~2", "ns.Mixin.run", Outside}; !slices.Equal(got, want) {
		t.Errorf("ids %q, want %q", got, want)
	}
}

func TestPairFiles(t *testing.T) {
	rest := "package p\n\nvar x = 1\n"
	moved := "package p\n\nvar x = 1\n\nfunc longEnough(a, b int) int { return a*b + a }\n"
	all := append(Compare(goVersion("old.go", moved), goVersion("old.go", rest)), Compare(&Version{}, goVersion("new.go", moved))...)
	if got, want := describe(Pair(all)), "added x, moved longEnough<old.go#longEnough"; got != want {
		t.Errorf("moved to another file: %s, want %s", got, want)
	}
}

func TestOutlined(t *testing.T) {
	old := "class A:\n    def one(self):\n        if x:\n            y()\n        z()\n\n    def two(self):\n        pass\n\n# end\n"
	for _, tt := range []struct{ name, old, new, want string }{
		{"indentation", "        z()", "            z()", "body one"},
		{"deeper as a whole", old, strings.ReplaceAll(old, "    ", "  "), "body one"},
		{"comment", "# end", "# the end", "doc two"},
		{"blank lines", "        z()\n", "\n\n        z()\n\n", ""},
		{"comment behind the signature", "two(self):\n", "two(self):\n        # why\n", "doc two"},
		{"signature", "two(self)", "two(self, x)", "signature two"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			new := strings.ReplaceAll(old, tt.old, tt.new)
			if got := describe(Compare(outlined("a.py", "python", old), outlined("a.py", "python", new))); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		})
	}
	markdown := outlined("a.md", "markdown", "# One\n\ntext\n\n## Two\n\nmore\n")
	if s := markdown.Symbols; len(s) != 2 || s[0].Line != 1 || s[0].EndLine != 4 || s[1].EndLine != 7 {
		t.Errorf("sections: %+v", s)
	}
}

func FuzzCompare(f *testing.F) {
	f.Add(before, strings.Replace(before, "nil", "err", 1))
	f.Add("package p\nfunc (", "\xff{}")
	f.Fuzz(func(t *testing.T, old, new string) {
		for _, v := range []func(path, text string) *Version{
			goVersion,
			func(path, text string) *Version { return outlined(path, "python", text) },
			func(path, text string) *Version { return outlined(path, "cpp", text) },
		} {
			a, b := v("a", old), v("a", new)
			Compare(a, b)
			if c := Compare(a, v("a", old)); len(c) > 0 {
				t.Fatalf("a text differs from itself: %v", describe(c))
			}
		}
		Lines([]byte(old), []byte(new))
	})
}

// BenchmarkCompare compares a version of 100 functions with itself.
func BenchmarkCompare(b *testing.B) {
	var text strings.Builder
	text.WriteString("package p\n")
	for i := range 100 {
		fmt.Fprintf(&text, "\n// F%d does it.\nfunc F%d(a int) int {\n\tif a > %d {\n\t\treturn \"x\" // why\n\t}\n\treturn a * %d\n}\n", i, i, i, i)
	}
	b.SetBytes(int64(2 * text.Len()))
	for b.Loop() {
		Compare(goVersion("a.go", text.String()), goVersion("a.go", text.String()))
	}
}

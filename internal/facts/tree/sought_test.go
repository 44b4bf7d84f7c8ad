package tree

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestSought compares the matches near the texts that each has with those in all of the
// text, for every sample.
func TestSought(t *testing.T) {
	all := map[string]*sought{
		"directive": &csDirective, "class of C++": &cClassName,
		"dynamic": &kotlinDynamic, "suspend": &kotlinSuspend, "annotated": &kotlinAnnotated, "apart": &kotlinApart, "guard": &kotlinGuard, "context": &kotlinContextType,
		"types only": &tsTypesOnly, "variance": &tsVariance, "later variance": &tsLaterVariance, "abstract": &tsAbstract, "using": &jsUsing,
		"head of a type": &csHead, "cast": &csMisread[0], "step": &csMisread[1], "ref": &csMisread[2], "accessor": &kotlinMisread[0], "contexts": &kotlinMisread[1],
		"comment of a constructor": &kotlinMisread[2], "field": &kotlinMisread[3],
	}
	found := map[string]int{}
	compare := func(name, text string) {
		for what, s := range all {
			near, whole := s.matches([]byte(text)), s.expr().FindAllSubmatchIndex([]byte(text), -1)
			if found[what] += len(near); !reflect.DeepEqual(near, whole) {
				t.Errorf("%s in %s: %v, want %v", what, name, near, whole)
			}
		}
	}
	compare("TypeScript", "export type * from 'a'\n\ninterface A<\n  // one\n  out T,\n  in U\n> {\n  abstract?: T\n}\n")
	compare("Kotlin", "class J(@K\n  value: L) {\n  var suspend = 1\n}\nclass A\n  @B // c\n  private constructor(d: E) {\n  val f: G<H>\n    field = I(1)\n}\n")
	compare("C#", "public ref\n  partial struct A\n{\n  void F() { G(*\n    (int*) p); *p++\n = 1; }\n}\n")
	err := filepath.WalkDir("../treesitter/testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".golden" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		compare(path, string(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if found[name] == 0 {
			t.Errorf("no sample has %s", name)
		}
	}
}

// TestSoughtLines looks at the lines that are searched.
func TestSoughtLines(t *testing.T) {
	s := sought{texts: []string{"a", "b"}, above: 1, below: 1}
	for _, c := range []struct {
		text string
		want []span
	}{
		{"", nil},
		{"a", []span{{0, 1}}},
		{"x\na\nx\n", []span{{0, 6}}},
		{"x\nx\na b\nx\nx\n", []span{{2, 10}}},
		{"a\nx\nx\nx\nx\nb", []span{{0, 4}, {8, 11}}},
		{"a\nx\nb\n", []span{{0, 6}}},
		{strings.Repeat("a", 1<<20), []span{{0, 1 << 20}}},
	} {
		if got := s.lines([]byte(c.text)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%.20q: %v, want %v", c.text, got, c.want)
		}
	}
}

// TestTypesWithoutEnd has 250,000 heads of types before one semicolon. Where each were read
// up to it, the test would take hours.
func TestTypesWithoutEnd(t *testing.T) {
	heads := strings.Repeat("class A\n", 250_000)
	got := string(Prepare("csharp", []byte(heads+";\n")))
	if want := heads + "{}"; got != want {
		t.Errorf("the end is %q", got[len(got)-10:])
	}
}

package excerpt

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestImports holds which lines of a text are imports, in whatever language.
func TestImports(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"use a::b;\npub(crate) use c::{\n    d,\n    e,\n};\nmod f;\nfn g() {}", "1 2 3 4 5 6"},
		{"import (\n\t\"fmt\"\n)\n\nfunc f() {\n}", "1 2 3"},
		{"from a import (\n    b,\n)\nimport c\n\ndef d():\n    import e", "1 2 3 4 7"},
		{"import {\n  a,\n} from 'b';\nexport * from './c';\nexport { d } from './e'\nconst f = require('f')\nimport('g').then(h)\nexport const i = 1", "1 2 3 4 5 6"},
		{"using A;\nnamespace B {\n  class C {\n    void D() {\n      using (var e = F()) {\n      using var g = new H();", "1 2"},
		{"package a;\nimport static b.C;\nclass D {}", "1 2"},
		{"#include <a.h>\n#  include \"b.h\"\n#define C\nusing namespace std;", "1 2 4"},
		{"module A\n  ( b\n  , c\n  ) where\nimport D (e,\n  f)\ng = h", "1 2 3 4 5 6"},
		{"module A\n  class B\n  end", ""},
		{"require \"a\"\nrequire_relative 'b'\nrequire(c > 0)\nalias D.E\nalias f g", "1 2 4"},
		{"use the right words for it\nimport is what it says it is\nfrom here on", ""},
	} {
		var lines [][]byte
		for line := range strings.SplitSeq(c.text, "\n") {
			lines = append(lines, []byte(line))
		}
		var got []string
		for i, is := range imports(lines) {
			if is {
				got = append(got, strconv.Itoa(i+1))
			}
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s\nhas imports on %s, want %s", c.text, got, c.want)
		}
	}
}

// TestStatements holds that a statement over several lines is one, and that what a file is of
// is none.
func TestStatements(t *testing.T) {
	text := "package a\n\nimport (\n\t\"b\"\n\n\t\"c\"\n)\nimport \"d\"\n\nfunc e() {}\n"
	want := []string{"import ( \"b\" \"c\" )", "import \"d\""}
	if got := Imports([]byte(text)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	long := "use a::{\n" + strings.Repeat("b,\n", 20_000)
	if got := Imports([]byte(long)); len(got) != 1 || len(got[0]) > maxStatement+10 {
		t.Errorf("%d statements", len(got))
	}
}

func TestBeside(t *testing.T) {
	h := NewHighlighter([]Term{{"pipelin", 3}, {"pars", 1}})
	for text, want := range map[string]float64{
		"use a::Pipeline;\nfn parse() {}":                    0.25,
		"use a::Pipeline;\nfn parse(p: Pipeline) {}":         1,
		"// Copyright of parse\n\nfn b(p: Pipeline) {}":      0.75,
		"// Copyright of Pipeline\n\nfn pars() {}":           1,
		"use a::{\n    Pipeline,\n    parse,\n};\nfn b() {}": 0,
		"fn c() {}": 1,
	} {
		if got := NewChunk(Source{Text: []byte(text)}, 1, h).Beside(); got != want {
			t.Errorf("%q says %v beside its imports, want %v", text, got, want)
		}
	}
}

package label

import (
	"slices"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/sample"
	"espy/internal/segment"
)

// TestSymbolOfLine asks for every line, and for some of them, of a text in
// pages of so many lines.
func TestSymbolOfLine(t *testing.T) {
	text := "class A:\n  def f(self):\n    x = 1\n    if x:\n\n      y()\n  z = 2\ntop()\ndef g(\n  a,\n):\n  pass\n"
	definitions := []code.Definition{{Name: "A", Kind: code.KindClass, Line: 1}, {Name: "f", Kind: code.KindMethod, Line: 2}, {Name: "g", Kind: code.KindFunc, Line: 9}}
	want := []string{"A", "f", "f", "f", "", "f", "A", "", "g", "g", "g", "g"}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	for size := 1; size <= len(lines); size++ {
		var pages []string
		for page := range slices.Chunk(lines, size) {
			pages = append(pages, strings.Join(page, ""))
		}
		for asked := range 1 << len(lines) {
			if asked >= 1<<6 && asked != 1<<len(lines)-1 && asked%37 != 0 {
				continue
			}
			o := &Outline{definitions: definitions, number: 1}
			o.above = func(region int) ([]byte, int, error) { return []byte(pages[region]), 1 + region*size, nil }
			for i, line := range lines {
				if i%size == 0 {
					o.Turn([]byte(pages[i/size]), i/size)
				}
				if asked>>i&1 == 0 {
					continue
				}
				start := len(strings.Join(lines[i/size*size:i], ""))
				d, err := o.At(i+1, start, start+len(strings.TrimSuffix(line, "\n")), 0)
				got := ""
				if d != nil {
					got = d.Name
				}
				if got != want[i] || err != nil {
					t.Fatalf("pages of %d lines, lines %b: line %d %q is in %q, %v, want %q", size, asked, i+1, line, got, err, want[i])
				}
			}
		}
	}
}

// TestRoundLine asks for lines of files by themselves, of which only what is near is read,
// and for all of them one after the other.
func TestRoundLine(t *testing.T) {
	files := sample.GoSources(t)
	var far strings.Builder // whose lines are far below what is round them
	far.WriteString("class Far:\n    def near(self):\n        pass\n\n    def far(self):\n")
	for range 3000 {
		far.WriteString("        self.call_something_that_is_long()\n\n")
	}
	files["far.py"] = far.String() + "    end = 1\nafter()\n"
	asked := 0
	for _, s := range sample.Repository(t, "lines", files).Segments {
		for file := range s.NumFiles() {
			text, err := s.Text(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			o := NewOutline(s.Reader, file, new(segment.TextCache))
			region, end := s.RegionsOf(file)
			start, turned := 0, -1
			for i, line := range strings.SplitAfter(string(text), "\n") {
				for region+1 < end && s.Region(region+1).Line <= i+1 {
					region++
				}
				first := s.Region(region).Start
				if region != turned {
					page, err := s.RegionText(region, nil)
					if err != nil {
						t.Fatal(err)
					}
					o.Turn(page, region)
					turned = region
				}
				stop := start + len(strings.TrimSuffix(line, "\n"))
				if start += len(line); i%9 != 0 {
					continue
				}
				want, err := o.At(i+1, start-len(line)-first, stop-first, 0)
				if err != nil {
					t.Fatal(err)
				}
				got, err := roundLine(s.Reader, file, i+1, start-len(line), stop, 0, nil)
				if err != nil || (got == nil) != (want == nil) || got != nil && *got != *want {
					t.Fatalf("%s:%d is in %v, %v, want %v", s.Path(file), i+1, got, err, want)
				}
				asked++
			}
		}
	}
	if asked < 3000 {
		t.Errorf("%d lines were asked for", asked)
	}
}

// TestLiteralOfSeveralLines holds that the end of a literal, which is not indented, ends no
// definition.
func TestLiteralOfSeveralLines(t *testing.T) {
	for _, text := range []string{
		"sub f {\n  print <<END;\n  a lid\nEND\n  return 1;\n}\nsub g {\n  return END\n}\n",
		"function f {\n  $a = @\"\n  a lid\n\"@\n  return 1\n}\nfunction g {\n  return 2\n}\n",
	} {
		o := &Outline{definitions: []code.Definition{{Name: "f", Kind: code.KindFunc, Line: 1}, {Name: "g", Kind: code.KindFunc, Line: 7}}, number: 1}
		o.Turn([]byte(text), 0)
		start := 0
		for i, line := range strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n") {
			d, err := o.At(i+1, start, start+len(strings.TrimSuffix(line, "\n")), 0)
			want := map[int]string{4: "f", 7: "g"}[i]
			if err != nil || want != "" && (d == nil || d.Name != want) {
				t.Errorf("line %d %q is in %+v, %v, want %q", i+1, line, d, err, want)
			}
			start += len(line)
		}
	}
}

// TestLeadsTo holds which lines document the declaration below them.
func TestLeadsTo(t *testing.T) {
	for _, c := range []struct {
		text  string
		lines int // to the declaration
		want  bool
	}{
		{"more of it.\n*/\nint f()\n", 2, true},
		{"Returns: x\n\n+/\n@safe\nSorted!(R, less)\nf(R)(R r)\n", 5, true},
		{"!> More of it\n!> and more\nsubroutine f()\n", 2, true},
		{"!> Of a constant\ninteger :: n = 3; m = 4\nsubroutine f()\n", 2, false},
		{"*/ int g; /* more\n*/\nint f()\n", 2, false},
		{"g();\nint f()\n", 1, false},
		{"g();\n}\n\n/** Of f */\nint f()\n", 4, false},
		{"g();\n}\n/**\n * Of f\n */\nint f()\n", 5, false},
		{"/** Of f,\n * and more\n */\nint f()\n", 3, true},
		{"// of g\nint g() { return 1; }\nint f()\n", 2, false},
		{"// of a file\n\nint f()\n", 2, false},
	} {
		if got := leadsTo([]byte(c.text), c.lines); got != c.want {
			t.Errorf("%q documents what stands below it: %v, want %v", c.text, got, c.want)
		}
	}
}

// TestMargin holds what of a language may stand at the margin within a definition.
func TestMargin(t *testing.T) {
	for _, c := range []struct {
		language, text string
		definitions    []code.Definition
		want           string // for each line its definition
	}{
		{"lisp", "(defun a (b)\n  \"Do it.\nAnd more of it.\"\n  (if b\n      (c)))\n\n; note\n(setq d\n  1)\n", []code.Definition{{Name: "a", Kind: code.KindFunc, Line: 1}}, "a a a a a - - - -"},
		{"haskell", "a, b :: Int -> Int\na 0 = 1\na n =\n  n\nb n\n  | n > 1 = 2\nab = 1\n  + 2\n", []code.Definition{{Name: "a", Kind: code.KindFunc, Line: 1}, {Name: "b", Kind: code.KindFunc, Line: 1}}, "a a a a b b - -"},
		{"verilog", "module a (\n  b\n);\n`ifdef C\n  assign d = 1;\n`endif\n  assign e = 1;\nendmodule\n  f\n", []code.Definition{{Name: "a", Kind: code.KindClass, Line: 1}}, "a a a a a a a a -"},
		{"fortran", "function a(b)\n  c = b\nend function a\n\ninteger :: endless\n", []code.Definition{{Name: "a", Kind: code.KindFunc, Line: 1}}, "a a a - -"},
		{"d", "int a(R)(R r)\nif (isRange!R)\n{\n  return b;\n}\nc d;\n", []code.Definition{{Name: "a", Kind: code.KindFunc, Line: 1}}, "a a a a a -"},
		{"cuda", "void a() {\n  b();\n#if C\n  c();\n#endif\n  d();\n}\nint e[] = {\n  1};\n", []code.Definition{{Name: "a", Kind: code.KindFunc, Line: 1}}, "a a a a a a a - -"},
		{"python", "def a():\n  b()\na ()\n", []code.Definition{{Name: "a", Kind: code.KindFunc, Line: 1}}, "a a -"},
	} {
		t.Run(c.language, func(t *testing.T) {
			o := &Outline{definitions: c.definitions, habits: habitsOf(c.language), number: 1}
			o.Turn([]byte(c.text), 0)
			var got []string
			start := 0
			for i, line := range strings.SplitAfter(strings.TrimSuffix(c.text, "\n"), "\n") {
				stop := start + len(strings.TrimSuffix(line, "\n"))
				d, err := o.At(i+1, start, stop, 0)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, "-")
				if d != nil {
					got[i] = d.Name
				}
				start += len(line)
			}
			if all := strings.Join(got, " "); all != c.want {
				t.Errorf("lines are in %s, want %s", all, c.want)
			}
		})
	}
}

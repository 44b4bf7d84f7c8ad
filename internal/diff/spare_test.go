package diff_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/diff"
	"espy/internal/facts"
	"espy/internal/facts/tree"
	"espy/internal/facts/treesitter"
	"espy/internal/lang"
)

// symbols parses a text as a whole.
func symbols(t *testing.T, src *diff.Source) *facts.File {
	grammar := tree.GrammarOf(src.Language.Name, src.Path, src.Text)
	parsed, err := treesitter.Parse(grammar, tree.Prepare(grammar, src.Text))
	if err != nil {
		t.Skip(err)
	}
	return tree.Facts(parsed, src.Text, treesitter.Parse)
}

func source(t *testing.T, path, text string) *diff.Source {
	l := lang.Detect(path, []byte(text))
	if l == nil {
		t.Fatalf("%s is of no language", path)
	}
	return diff.NewSource(path, l, []byte(text))
}

// spare parses of a source what another version does not have, and holds that it declares
// what it does by itself, unless it has faults: what these hide depends on all of it. It
// returns the bytes that were parsed.
func spare(t *testing.T, version, src *diff.Source) int {
	whole := symbols(t, src)
	spared := diff.Spare(version, symbols(t, version).Symbols, src)
	if spared == nil {
		return len(src.Text)
	}
	found, ok := spared.Symbols(symbols(t, diff.NewSource(src.Path, src.Language, spared.Rest)))
	if !ok {
		return len(src.Text)
	}
	got, want := diff.Parsed(src, found), diff.Parsed(src, whole.Symbols)
	if len(whole.Errors) == 0 && !reflect.DeepEqual(got, want) {
		at := 0
		for at < min(len(got.Symbols), len(want.Symbols)) && got.Symbols[at] == want.Symbols[at] {
			at++
		}
		t.Errorf("%s: %d symbols, want %d; from number %d on\n%+v\nwant\n%+v\nin\n%s", src.Path, len(got.Symbols), len(want.Symbols), at,
			got.Symbols[min(at, len(got.Symbols)):], want.Symbols[min(at, len(want.Symbols)):], src.Text)
	}
	return len(spared.Rest)
}

// TestSpareEdits edits the samples of each grammar at random and holds that a part of the
// text tells what the whole does.
func TestSpareEdits(t *testing.T) {
	for name, pattern := range map[string]string{
		"javascript": "javascript/*.js", "php": "php/*.php", "python": "python/*.py", "ruby": "ruby/*.rb", "rust": "rust/*.rs", "typescript": "typescript/*.ts",
	} {
		t.Run(name, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join("../facts/treesitter/testdata", pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("no samples in %s: %v", pattern, err)
			}
			size, parsed := 0, 0
			for i, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				l, ok := lang.ByName(name)
				if !ok {
					t.Fatal("no language")
				}
				draw := rand.New(rand.NewPCG(1, uint64(i)))
				for range 40 {
					old := diff.NewSource(f, l, text)
					edited := diff.NewSource(f, l, edit(draw, text))
					for _, pair := range [][2]*diff.Source{{old, edited}, {edited, old}} {
						size += len(pair[1].Text)
						parsed += spare(t, pair[0], pair[1])
					}
				}
			}
			if parsed == size {
				t.Error("nothing was spared")
			}
		})
	}
}

// edit changes some lines of a text.
func edit(draw *rand.Rand, text []byte) []byte {
	lines := slices.Collect(bytes.Lines(text))
	for range 1 + draw.IntN(3) {
		if len(lines) == 0 {
			break
		}
		at := draw.IntN(len(lines))
		n := min(1+draw.IntN(4), len(lines)-at)
		run := slices.Clone(lines[at : at+n])
		switch draw.IntN(5) {
		case 0:
			lines = slices.Delete(lines, at, at+n)
		case 1:
			lines = slices.Insert(lines, at, run...)
		case 2:
			lines = slices.Insert(slices.Delete(lines, at, at+n), draw.IntN(len(lines)-n+1), run...)
		case 3:
			lines[at] = bytes.ReplaceAll(lines[at], []byte("e"), []byte("ee"))
		case 4:
			odd := []string{"\n", "/*\n", "*/\n", "}\n", "{\n", "`\n", "\"\"\"\n", "// a\n", "# b\n", "class C {\n"}
			lines = slices.Insert(lines, at, []byte(odd[draw.IntN(len(odd))]))
		}
	}
	return bytes.Join(lines, nil)
}

// TestSpareParses holds how little is parsed, and what is parsed as a whole.
func TestSpareParses(t *testing.T) {
	method := func(name, body string) string {
		return "  /** Says " + name + ". */\n  " + name + "(a: number, b: number) {\n    const sum = a + b;\n    return " + body + ";\n  }\n\n"
	}
	var class strings.Builder
	for i := range 20 {
		class.WriteString(method(fmt.Sprintf("method%d", i), "sum"))
	}
	base := "class Base {\n" + class.String() + "}\n"
	for _, tt := range []struct {
		name, path, old, new string
		little               bool
	}{
		{"one method", "a.ts", base, strings.Replace(base, "return sum", "return 2 * sum", 1), true},
		{"a method more", "a.ts", base, strings.Replace(base, "  /** Says method7", method("more", "1")+"  /** Says method7", 1), true},
		{"a method less", "a.ts", base, strings.Replace(base, method("method4", "sum"), "", 1), true},
		{"another class around", "a.ts", base, strings.Replace(base, "class Base {", "class Other {", 1), false},
		{"into a comment", "a.ts", base, "/*\n" + strings.ReplaceAll(strings.ReplaceAll(base, "/**", "//"), "*/", "") + "*/\n", false},
		{"into a function", "a.ts", base, "function f() {\n" + base + "}\n", false},
		{"a fault", "a.ts", base, strings.Replace(base, "class Base {", "class Base {{", 1), false},
		{"a field by the constructor", "a.js", "class A {\n  constructor() {\n    this.x = 1;\n  }\n\n" + class.String() + "}\n", "class A {\n  constructor() {\n    this.y = 1;\n  }\n\n" + class.String() + "}\n", false},
		{"more of a class behind blank lines", "a.py", "class Fault(ValueError):\n    \"\"\"Raised when all attempts to parse the source have failed.\"\"\"\n\n\ndef parse(text):\n    return text\n", "class Fault(ValueError):\n    \"\"\"Raised when all attempts to parse the source have failed.\"\"\"\n\n    line: int\n\n\ndef parse(text):\n    return text\n", false},
		{"another language", "a.c", "int f(int a) {\n  return a + a + a + a + a + a + a + a + a + a + a + a + a;\n}\n", "int f(int a) {\n  return a + a + a + a + a + a + a + a + a + a + a + a + a;\n}\n\nint x;\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parsed := spare(t, source(t, tt.path, tt.old), source(t, tt.path, tt.new))
			if little := parsed < len(tt.new)/2; little != tt.little {
				t.Errorf("%d of %d bytes were parsed", parsed, len(tt.new))
			}
		})
	}
}

// TestSpareEnds holds that texts which are made to be slow are not.
func TestSpareEnds(t *testing.T) {
	l, _ := lang.ByName("typescript")
	const n = 20_000
	same := "function f() {\n" + strings.Repeat("  a();\n", 60*n) + "}\n\n"
	for name, text := range map[string]string{
		"one line":          strings.Repeat("var a=1;", n),
		"behind blank ones": same + strings.Repeat("\n", 50*n) + "x(" + strings.Repeat("var a=1;", n) + ")",
		"nested":            same + strings.Repeat("class A{\n", n) + strings.Repeat("}\n", n),
	} {
		all := []facts.Symbol{{Name: "f", End: uint32(len(same) - 2), Parent: facts.None}}
		from := strings.Index(text, "var a")
		for i := range n {
			s := facts.Symbol{Name: "a", Start: uint32(from + 8*i), End: uint32(from + 8*i + 8), Parent: facts.None}
			if name == "nested" {
				s = facts.Symbol{Name: "A", Start: uint32(len(same) + 9*i), End: uint32(len(text) - 2*i), Parent: int32(i)}
			}
			all = append(all, s)
		}
		if name == "one line" {
			all = all[1:]
		} else if name == "nested" {
			all[1].Parent = facts.None
		}
		began := time.Now()
		spared := diff.Spare(diff.NewSource("a.ts", l, []byte(text)), all, diff.NewSource("a.ts", l, []byte(text+"\nx\n")))
		if took := time.Since(began); took > 10*time.Second || (spared == nil) != (name == "one line") {
			t.Errorf("%s: %s, spared %t", name, took, spared != nil)
		}
	}
}

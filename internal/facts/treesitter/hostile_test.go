//go:build cgo && !race

package treesitter

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/facts"
	"espy/internal/facts/tree"
)

var allGrammars = []string{"python", "javascript", "typescript", "tsx", "java", "rust", "c", "cpp"}

// limited parses a text that may be beyond a bound, and gives no facts then.
func limited(t *testing.T, grammar string, text []byte) *facts.File {
	t.Helper()
	parsed, err := Parse(grammar, tree.Prepare(grammar, text))
	var limit *LimitError
	if errors.As(err, &limit) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	f := tree.Facts(parsed, text, Parse)
	checkFacts(t, f, text)
	return f
}

// TestDeep holds that nesting of any depth costs no more than its text.
func TestDeep(t *testing.T) {
	depth := 100_000
	if testing.Short() {
		depth = 10_000
	}
	nest := func(open, middle, end string) string {
		return strings.Repeat(open, depth) + middle + strings.Repeat(end, depth)
	}
	bodies := map[string][]string{
		"python":     {"x = " + nest("(", "y", ")"), "x = " + nest("[", "", "]"), "x = " + strings.Repeat("f(", depth), "x = " + strings.Repeat("not ", depth) + "y", "x = a" + strings.Repeat(".b", depth), "x = a" + strings.Repeat(" + a", depth)},
		"javascript": {"x = " + nest("(", "y", ")"), nest("{", "", "}"), nest("function f() {", "", "}"), "x = a" + strings.Repeat(".b()", depth), strings.Repeat("x => ", depth) + "y", strings.Repeat("[", depth)},
		"typescript": {"let x: " + nest("A<", "B", ">"), "type T = " + nest("{ a: ", "B", "}"), nest("namespace N {", "", "}")},
		"tsx":        {nest("<A>", "", "</A>")},
		"java":       {"class A { int x = " + nest("(", "y", ")") + "; }", nest("class A {", "", "}")},
		"rust":       {"fn f() { " + nest("(", "y", ")") + " }", nest("mod m {", "", "}"), "type T = " + nest("A<", "B", ">") + ";"},
		"c":          {"int f() { " + nest("{", "", "}") + " }", "int x = " + nest("(", "y", ")") + ";", nest("#if A\n", "", "#endif\n")},
		"cpp":        {nest("namespace n {", "", "}"), "int x = " + nest("f(", "y", ")") + ";"},
	}
	for grammar, texts := range bodies {
		t.Run(grammar, func(t *testing.T) {
			for _, text := range texts {
				start := cpu(t)
				f := limited(t, grammar, []byte(text))
				t.Logf("%s %.20s: %.1f s, given %v", grammar, text, cpu(t)-start, f != nil)
			}
		})
	}
}

// TestLongLiteral holds that a literal is one token, however long.
func TestLongLiteral(t *testing.T) {
	literal := `"` + strings.Repeat("abcdefg ", 5<<20/8) + `"`
	for grammar, text := range map[string]string{
		"python": "before = " + literal + "\nafter = before\n", "javascript": "const before = " + literal + ";\nconst after = before;\n",
		"typescript": "const before = " + literal + ";\nconst after = before;\n", "java": "class A { String before = " + literal + ";\nString after = before; }\n",
		"rust": "const before: &str = " + literal + ";\nconst after: &str = before;\n", "c": "char *before = " + literal + ";\nchar *after = before;\n",
		"cpp": "char *before = " + literal + ";\nchar *after = before;\n",
	} {
		t.Run(grammar, func(t *testing.T) {
			f := factsOf(t, grammar, []byte(text))
			if n := len(f.Symbols); n < 2 || f.Symbols[n-1].Name != "after" || f.Symbols[n-1].Line != 2 {
				t.Errorf("%s: %d symbols of a long literal", grammar, n)
			}
		})
	}
}

// TestManyFunctions holds that a file of 200,000 functions is read whole.
func TestManyFunctions(t *testing.T) {
	many := 200_000
	if testing.Short() {
		many = 20_000
	}
	for grammar, format := range map[string]string{
		"python": "def f%d(): return f%d()\n", "javascript": "function f%d() { return f%d(); }\n", "typescript": "export function f%d(): void { f%d() }\n",
		"java": "static void f%d() { f%d(); }\n", "rust": "fn f%d() { f%d() }\n", "c": "void f%d(void) { f%d(); }\n", "cpp": "void f%d() { f%d(); }\n",
	} {
		t.Run(grammar, func(t *testing.T) {
			var b bytes.Buffer
			if grammar == "java" {
				b.WriteString("class A {\n")
			}
			for i := range many {
				fmt.Fprintf(&b, format, i, (i+1)%many)
			}
			start := cpu(t)
			parsed, err := Parse(grammar, b.Bytes())
			if err != nil {
				t.Fatal(grammar, err)
			}
			f := tree.Facts(parsed, b.Bytes(), Parse)
			functions, bound := 0, 0
			for i := range f.Symbols {
				if f.Symbols[i].Kind.IsFunc() {
					functions++
				}
			}
			for i := range f.Uses {
				if u := &f.Uses[i]; u.Bind == facts.BindSymbol && f.Symbols[u.Target].Name == u.Name {
					bound++
				}
			}
			if functions != many || bound < many {
				t.Errorf("%s: %d functions, %d uses bound, want %d of each", grammar, functions, bound, many)
			}
			t.Logf("%s: %.1f MB in %.1f s", grammar, float64(b.Len())/1e6, cpu(t)-start)
		})
	}
}

func TestForeignNames(t *testing.T) {
	for grammar, text := range map[string]string{
		"python": "def größe(名前): return 名前\n", "javascript": "function größe(名前) { return 名前 }\n", "typescript": "function größe(名前: any) { return 名前 }\n",
		"java": "class A { int größe(int 名前) { return 名前; } }\n", "rust": "fn größe(名前: u8) -> u8 { 名前 }\n", "c": "int größe(int 名前) { return 名前; }\n",
		"cpp": "int größe(int 名前) { return 名前; }\n",
	} {
		t.Run(grammar, func(t *testing.T) {
			f := factsOf(t, grammar, []byte(text))
			var names []string
			for _, y := range f.Symbols {
				names = append(names, y.Name)
			}
			use := slices.IndexFunc(f.Uses, func(u facts.Use) bool { return u.Name == "名前" && u.Bind == facts.BindSymbol })
			if !slices.Contains(names, "größe") || !slices.Contains(names, "名前") || use < 0 {
				t.Errorf("%s: symbols %q, uses %+v", grammar, names, f.Uses)
			}
		})
	}
}

// TestBroken reads every sample with bytes lost, doubled and made up: the
// facts must hold together whatever the text.
func TestBroken(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	for _, path := range files {
		if grammarOf(path) == "" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, uint64(len(text))))
		for range rounds {
			damaged := damage(random, text)
			for _, grammar := range []string{grammarOf(path), allGrammars[random.IntN(len(allGrammars))]} {
				if limited(t, grammar, damaged); t.Failed() {
					t.Fatalf("%s as %s: %q", path, grammar, damaged)
				}
			}
		}
	}
}

// damage changes a few stretches of a text.
func damage(random *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	for range 1 + random.IntN(6) {
		if len(text) == 0 {
			break
		}
		at := random.IntN(len(text))
		end := min(len(text), at+random.IntN(60))
		switch random.IntN(4) {
		case 0:
			text = slices.Delete(text, at, end)
		case 1:
			text = slices.Insert(text, at, text[at:end]...)
		case 2:
			text[at] = byte(random.IntN(256))
		case 3:
			text = text[:at]
		}
	}
	return text
}

// TestNoSense holds that what is no program of the language gives facts or a
// limit, never a crash.
func TestNoSense(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 20_000)
	for i := range noise {
		noise[i] = byte(random.IntN(256))
	}
	for _, grammar := range allGrammars {
		t.Run(grammar, func(t *testing.T) {
			for name, text := range map[string][]byte{
				"empty": {}, "zero": {0}, "noise": noise, "zeros": make([]byte, 100_000), "blanks": bytes.Repeat([]byte(" \n"), 100_000),
				"braces": bytes.Repeat([]byte("}"), 20_000), "quotes": bytes.Repeat([]byte(`"'`), 5_000), "mark": []byte("\xef\xbb\xbfx = 1\n"), "returns": []byte("x = 1\r\ny = x\r\n"),
			} {
				start := cpu(t)
				f := limited(t, grammar, text)
				if used := cpu(t) - start; used > 1 {
					t.Logf("%s %s: %.1f s, given %v", grammar, name, used, f != nil)
				}
			}
		})
	}
}

// TestLimit holds that the bound on steps ends a parse and leaves the parser
// fit for the next one.
func TestLimit(t *testing.T) {
	g := grammars["python"]
	if _, err := Parse("python", []byte("x")); err != nil {
		t.Fatal(err)
	}
	g.mu.Lock()
	_, err := g.parseWithin([]byte(strings.Repeat("x = 1\n", 10_000)), 5)
	g.mu.Unlock()
	// At any step, also while the tree is put together at the end.
	for max := uint64(1); err != nil && max < 2000; max += 7 {
		if err := g.open("python"); err != nil {
			t.Fatal(err)
		}
		if _, e := g.parseWithin([]byte(strings.Repeat("x = [1]\n", 3000)), max); e == nil {
			break
		}
	}
	var limit *LimitError
	if !errors.As(err, &limit) || limit.What != "parser steps" {
		t.Fatalf("parse = %v, want a limit", err)
	}
	if f := factsOf(t, "python", []byte("x = 1\n")); len(f.Symbols) != 1 {
		t.Fatalf("symbols after a limit: %+v", f.Symbols)
	}
}

//go:build cgo && !race

package treesitter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"espy/internal/facts"
	"espy/internal/facts/tree"
)

// limited parses a text that may be beyond a bound, and gives no facts then.
func limited(t *testing.T, grammar string, text []byte) *facts.File {
	t.Helper()
	parsed, err := Parse(grammar, tree.Prepare(grammar, text))
	var limit *limitError
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

// forEach runs a test for every grammar.
func forEach(t *testing.T, test func(t *testing.T, grammar string, h hostile)) {
	for _, grammar := range allGrammars {
		t.Run(grammar, func(t *testing.T) { test(t, grammar, hostileTexts[grammar]) })
	}
}

// TestDeep holds that nesting of any depth costs no more than its text.
func TestDeep(t *testing.T) {
	const depth = 15_000
	forEach(t, func(t *testing.T, grammar string, h hostile) {
		for _, n := range h.nested {
			start := cpu(t)
			f := limited(t, grammar, []byte(n.text(depth)))
			used := cpu(t) - start
			t.Logf("%s%s: %.1f s, given %v", n.before, n.open, used, f != nil)
			if used > 5 { // half of that; more where it grows with the square
				t.Errorf("%s%s: %.1f s of CPU, of 10 that a file may take", n.before, n.open, used)
			}
		}
	})
}

// TestLongLiteral holds that a literal is one token, however long.
func TestLongLiteral(t *testing.T) {
	forEach(t, func(t *testing.T, grammar string, h hostile) {
		literal := `"` + strings.Repeat("abcdefg ", cmp.Or(h.longest, 5<<20)/8) + `"`
		f := factsOf(t, grammar, fmt.Appendf(nil, h.literal, literal))
		if n := len(f.Symbols); n < 2 || f.Symbols[n-1].Name != "after" || f.Symbols[n-1].Line != 2 {
			t.Errorf("%d symbols of a long literal", n)
		}
	})
}

// TestManyFunctions holds that a file of 20,000 functions is read whole.
func TestManyFunctions(t *testing.T) {
	const many = 20_000
	forEach(t, func(t *testing.T, grammar string, h hostile) {
		text := []byte(h.header)
		for i := range many {
			text = fmt.Appendf(text, h.functions, i, (i+1)%many)
		}
		start := cpu(t)
		parsed, err := Parse(grammar, tree.Prepare(grammar, text))
		if err != nil {
			t.Fatal(err)
		}
		f := tree.Facts(parsed, text, Parse)
		functions, bound := 0, 0
		for i := range f.Symbols {
			if y := &f.Symbols[i]; y.Kind.IsFunc() || y.Owner == "var" {
				functions++
			}
		}
		for i := range f.Uses {
			if u := &f.Uses[i]; u.Bind == facts.BindSymbol && f.Symbols[u.Target].Name == u.Name || u.Bind == facts.BindImport && f.Imports[u.Target].Name == u.Name {
				bound++
			}
		}
		if functions != many || bound < many {
			t.Errorf("%d functions, %d uses bound, want %d of each", functions, bound, many)
		}
		t.Logf("%.1f MB in %.1f s", float64(len(text))/1e6, cpu(t)-start)
	})
}

func TestForeignNames(t *testing.T) {
	forEach(t, func(t *testing.T, grammar string, h hostile) {
		f := factsOf(t, grammar, []byte(h.foreign))
		var names []string
		for _, y := range f.Symbols {
			names = append(names, strings.TrimPrefix(y.Name, "$"))
		}
		use := slices.IndexFunc(f.Uses, func(u facts.Use) bool {
			return strings.TrimPrefix(u.Name, "$") == "名前" && (u.Bind == facts.BindSymbol || u.Bind == facts.BindImport)
		})
		if !slices.Contains(names, "größe") || !slices.Contains(names, "名前") || use < 0 {
			t.Errorf("symbols %q, uses %+v", names, f.Uses)
		}
	})
}

// TestBroken reads every sample with bytes lost, doubled and made up: the
// facts must hold together whatever the text.
func TestBroken(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	for _, path := range samples(t) {
		t.Run(path, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, uint64(len(text))))
			for range rounds {
				damaged := damage(random, text)
				for _, grammar := range []string{grammarOf(path), allGrammars[random.IntN(len(allGrammars))]} {
					if limited(t, grammar, damaged); t.Failed() {
						t.Fatalf("as %s: %q", grammar, damaged)
					}
				}
			}
		})
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
	texts := map[string][]byte{
		"empty": {}, "zero": {0}, "noise": noise, "zeros": make([]byte, 100_000), "blanks": bytes.Repeat([]byte(" \n"), 100_000),
		"braces": bytes.Repeat([]byte("}"), 20_000), "quotes": bytes.Repeat([]byte(`"'`), 5_000), "mark": []byte("\xef\xbb\xbfx = 1\n"), "returns": []byte("x = 1\r\ny = x\r\n"),
	}
	forEach(t, func(t *testing.T, grammar string, _ hostile) {
		for name, text := range texts {
			start := cpu(t)
			f := limited(t, grammar, text)
			if used := cpu(t) - start; used > 1 {
				t.Logf("%s: %.1f s, given %v", name, used, f != nil)
			}
		}
	})
}

// TestLimit holds that the bound on steps ends a parse and leaves the parser
// fit for the next one.
func TestLimit(t *testing.T) {
	g := grammars["python"]
	if _, err := Parse("python", []byte("x")); err != nil {
		t.Fatal(err)
	}
	g.mu.Lock()
	_, err := g.parseWithin([]byte(strings.Repeat("x = 1\n", 10_000)), few(5))
	g.mu.Unlock()
	// At any step, also while the tree is put together at the end.
	for max := uint64(1); err != nil && max < 2000; max += 7 {
		if err := g.open("python"); err != nil {
			t.Fatal(err)
		}
		if _, e := g.parseWithin([]byte(strings.Repeat("x = [1]\n", 3000)), few(max)); e == nil {
			break
		}
	}
	var limit *limitError
	if !errors.As(err, &limit) || limit.what != "parser steps" {
		t.Fatalf("parse = %v, want a limit", err)
	}
	if f := factsOf(t, "python", []byte("x = 1\n")); len(f.Symbols) != 1 {
		t.Fatalf("symbols after a limit: %+v", f.Symbols)
	}
}

// few is the work of a few steps.
func few(steps uint64) work {
	w := mostWork(0)
	w.steps = steps
	return w
}

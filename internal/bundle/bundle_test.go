package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/code"
	"espy/internal/filetest"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/workspacetest"
)

// shop is a small repository.
var shop = map[string]string{
	"price/price.go": `package price

// Sum adds the prices of items up.
func Sum(items []Item) Amount {
	total := Amount(0)
	for _, i := range items {
		total += i.cost()
	}
	return total
}

// Amount is an amount of money in cents.
type Amount int

// Item is something that is sold.
type Item struct {
	Name string
}

func (i Item) cost() Amount { return 5 }
`,
	"price/price_test.go": `package price

import "testing"

func TestSum(t *testing.T) {
	if Sum(nil) != 0 {
		t.Fatal("nothing costs nothing")
	}
}
`,
	"cart/cart.go": `package cart

import "shop/price"

// Total is what a cart costs.
func Total(items []price.Item) price.Amount {
	return price.Sum(items)
}
`,
	"go.mod":       "module shop\n",
	"docs/shop.md": "# Shop\n\nprice.Sum adds prices up, Total calls it. See TotalSum.\n",
	"limits.go":    "package shop\n\n// MaxItems bounds a cart.\nconst MaxItems = 10\n\nvar a = MaxItems\n",
}

// pieces are those of an answer, each as "path:first-last reason".
func pieces(a *Answer) (all []string) {
	for _, p := range a.pieces {
		all = append(all, fmt.Sprintf("%s:%d-%d %s", p.Path, p.First, p.Last, p.Reason))
	}
	return all
}

func TestGather(t *testing.T) {
	r := workspacetest.Open(t, shop)
	for name, tt := range map[string]struct {
		req   Request
		kind  Kind
		has   []string
		lacks []string
	}{
		"a symbol with its users, what it uses, its tests": {
			Request{Text: "price.Sum"}, KindSymbol,
			[]string{
				"price/price.go:3-10 definition of Sum", "price/price_test.go:5-9 test of Sum", "cart/cart.go:5-8 calls Sum",
				"price/price.go:12-13 type in the signature of Sum", "price/price.go:15-18 type in the signature of Sum",
				"price/price.go:20-20 called by Sum",
			}, nil,
		},
		"a path limits what goes with it": {Request{Text: "price.Sum", Paths: []string{"cart"}}, KindSymbol, []string{"price/price.go:3-10 definition of Sum", "cart/cart.go:5-8 calls Sum"}, []string{"price_test.go"}},
		"a scope does too":                {Request{Text: "price.Sum", Scope: code.ScopeCode}, KindSymbol, []string{"cart/cart.go:5-8 calls Sum"}, []string{"price_test.go"}},
		"a place":                         {Request{Text: "cart/cart.go:7"}, KindPlace, []string{"cart/cart.go:5-8 holds the place: Total", "price/price.go:3-10 called by Total"}, nil},
		"a place outside of all":          {Request{Text: "docs/shop.md:3"}, KindPlace, []string{"docs/shop.md:1-3 holds the place"}, nil},
		"a diff": {
			Request{Text: "--- a/price/price.go\n+++ b/price/price.go\n@@ -6,1 +6,2 @@\n a\n+b\n"}, KindDiff,
			[]string{"price/price.go:3-10 changed: Sum", "cart/cart.go:5-8 calls Sum"}, nil,
		},
		"a trace": {
			Request{Text: "panic: boom\n\ngoroutine 1 [running]:\nshop/cart.Total(...)\n\t/src/shop/cart/cart.go:7 +0x1d\n"}, KindReport,
			[]string{"cart/cart.go:5-8 "}, nil,
		},
		"words":                     {Request{Text: "how are prices of items added up"}, KindQuestion, []string{"price/price.go:", "matches the question"}, nil},
		"a name within words":       {Request{Text: "who uses MaxItems"}, KindQuestion, []string{"limits.go:3-4 ", "limits.go:6-6 uses MaxItems"}, nil},
		"words that mean operators": {Request{Text: "(prices AND \"unclosed"}, KindQuestion, []string{"matches the question"}, nil},
		"a name that nothing bears": {Request{Text: "Nothingness"}, KindSymbol, nil, []string{"definition"}},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := Gather(t.Context(), r, tt.req, workspace.Wait{})
			if err != nil {
				t.Fatal(err)
			}
			all := strings.Join(pieces(a), "\n")
			for _, want := range tt.has {
				if !strings.Contains(all, want) {
					t.Errorf("no %q in\n%s", want, all)
				}
			}
			for _, not := range tt.lacks {
				if strings.Contains(all, not) {
					t.Errorf("%q in\n%s", not, all)
				}
			}
			if a.Kind != tt.kind || a.Partial {
				t.Errorf("kind %s, want %s; partial %v", a.Kind, tt.kind, a.Partial)
			}
			again, err := Gather(t.Context(), r, tt.req, workspace.Wait{})
			if err != nil || !slices.Equal(pieces(again), pieces(a)) {
				t.Errorf("the same question, other pieces (%v)", err)
			}
		})
	}
}

func TestGatherChanges(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("package a\n\nfunc F() int { return 1 }\n\nfunc G() int { return F() }\n\nfunc Gone() {}\n")
	filetest.Commit(t, dir, "first")
	write("package a\n\nfunc F() int { return 2 }\n\nfunc G() int { return F() }\n")
	r := workspacetest.Attach(t, dir)
	t.Run("work tree", func(t *testing.T) {
		a, err := Gather(t.Context(), r, Request{Changes: "HEAD"}, workspace.Wait{})
		if err != nil {
			t.Fatal(err)
		}
		all, notes := strings.Join(pieces(a), "\n"), strings.Join(a.Notes, "\n")
		if !strings.Contains(all, "a.go:3-3 changed: F") || !strings.Contains(all, "a.go:5-5 calls F") || !strings.Contains(notes, "a.go#Gone") {
			t.Errorf("%s\nnotes %s", all, notes)
		}
	})
	t.Run("a commit that is not there", func(t *testing.T) {
		if _, err := Gather(t.Context(), r, Request{Changes: "HEAD..nope"}, workspace.Wait{}); err == nil {
			t.Error("no error")
		}
	})
	t.Run("no difference", func(t *testing.T) {
		a, err := Gather(t.Context(), r, Request{Changes: "HEAD..HEAD"}, workspace.Wait{})
		if err != nil || !a.Empty() || len(a.Notes) == 0 {
			t.Errorf("%v, %v", a, err)
		}
	})
}

// TestCompanions holds that a file which commits changed with a hit is named, and why.
func TestCompanions(t *testing.T) {
	dir := t.TempDir()
	write := func(path, format string, n int) {
		if err := os.WriteFile(filepath.Join(dir, path), fmt.Appendf(nil, format, n), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 5 {
		write("refund.go", "package shop\n\n// Refund gives money back, version %d.\nfunc Refund() {}\n", n)
		write("ledger.go", "package shop\n\nvar entries = %d\n", n)
		filetest.Commit(t, dir, "change")
	}
	r := workspacetest.Attach(t, dir)
	for name, text := range map[string]string{
		"question": "how is money given back by a refund",
		"report":   "Refund is wrong\n\nmoney is given back twice\nby Refund()\n",
	} {
		t.Run(name, func(t *testing.T) {
			a, err := Gather(t.Context(), r, Request{Text: text}, workspace.Wait{})
			if err != nil {
				t.Fatal(err)
			}
			if all := strings.Join(pieces(a), "\n"); !strings.Contains(all, "ledger.go:1-3 changes with refund.go: 4 of 4 commits") {
				t.Errorf("no companion in\n%s", all)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	r := workspacetest.Open(t, shop)
	for name, req := range map[string]Request{
		"nothing":                {},
		"both":                   {Text: "a", Changes: "HEAD"},
		"too small a bound":      {Text: "a", MaxTokens: MinTokens - 1},
		"too large a bound":      {Text: "a", MaxTokens: MaxTokens + 1},
		"negative":               {Text: "a", MaxTokens: -1},
		"too long":               {Text: strings.Repeat("a ", MaxText)},
		"a line that is not":     {Text: "cart/cart.go:900"},
		"a language that is not": {Text: "a", Languages: []string{"klingon"}},
		"a glob that is none":    {Text: "a", Paths: []string{"[a"}},
		"an id that is not":      {Text: "cart/cart.go#Nope"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Gather(t.Context(), r, req, workspace.Wait{})
			var refused *usage.Error
			if name == "an id that is not" {
				if err != nil {
					t.Errorf("a name that is not there is looked for as words: %v", err)
				}
				return
			}
			if !errors.As(err, &refused) || refused.Hint == "" {
				t.Errorf("Gather = %v", err)
			}
		})
	}
}

// TestGatherInTime holds that a question whose time is nearly over is answered
// with what was found.
func TestGatherInTime(t *testing.T) {
	r := workspacetest.Open(t, shop)
	if _, err := Gather(t.Context(), r, Request{Text: "Sum"}, workspace.Wait{}); err != nil {
		t.Fatal(err)
	}
	late := 0
	for _, d := range []time.Duration{time.Microsecond, 2 * time.Millisecond, 20 * time.Millisecond} {
		t.Run(d.String(), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			defer cancel()
			a, err := Gather(ctx, r, Request{Text: "how are prices of items added up"}, workspace.Wait{})
			switch {
			case err != nil && !errors.Is(err, context.DeadlineExceeded):
				t.Error(err)
			case err != nil || a.Partial:
				late++
			}
		})
	}
	if late == 0 {
		t.Error("a microsecond was enough")
	}
}

package dependencies

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/workspacetest"
)

// shop is a small repository: cart and price import each other, and web them.
var shop = map[string]string{
	"go.mod":             "module shop\n\nrequire lib.org/x v1.4.0\n",
	"web/web.go":         "package web\n\nimport (\n\t\"fmt\"\n\t\"shop/cart\"\n\n\t\"lib.org/x\"\n)\n\nfunc Serve() { fmt.Println(cart.Total, x.Y) }\n",
	"cart/cart.go":       "package cart\n\nimport \"shop/price\"\n\nvar Total = price.Sum\n",
	"cart/deep/deep.go":  "package deep\n\nimport \"shop/price\"\n\nvar Deep = price.Sum\n",
	"price/price.go":     "package price\n\nimport \"shop/cart\"\n\nvar Sum = cart.Total\n",
	"price/unit_test.go": "package price\n\nimport \"shop/money\"\n\nvar m = money.M\n",
	"money/money.go":     "package money\n\nvar M int\n",
	"notes/notes.md":     "# Notes\n",
}

// lines writes the rows of an answer.
func lines(a *Answer) (all []string) {
	for i := range a.Rows {
		r := &a.Rows[i]
		line := fmt.Sprintf("%s %d: %s -> %s at %s:%d", r.Kind, r.Depth, r.From, r.To, r.Path, r.Line)
		if r.Cycle {
			line += " cycle"
		}
		if r.Test {
			line += " tests"
		}
		if r.Origin != nil {
			line += " " + string(r.Origin.Kind) + " " + r.Origin.Version
		}
		all = append(all, line)
	}
	return all
}

// TestPassed holds that what a package of the repository passes on is told from a third party.
func TestPassed(t *testing.T) {
	r := workspacetest.Open(t, map[string]string{
		"core/go.mod": "module m.org/core\n", "core/own/own.go": "package own\n",
		"app/go.mod": "module m.org/app\n\nrequire (\n\tm.org/core v1.0.0\n\tlib.org/x v1.4.0\n)\n",
		"app/app.go": "package app\n\nimport (\n\t_ \"lib.org/x\"\n\t_ \"m.org/core/made\"\n\t_ \"m.org/core/own\"\n)\n",
	})
	a, _, err := Ask(t.Context(), r, Request{Path: "app/app.go"}, workspace.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"imports 1: app/ -> core/own/ at app/app.go:6",
		"elsewhere 1: app/ -> lib.org/x at app/app.go:4 third party v1.4.0", "elsewhere 1: app/ -> m.org/core at app/app.go:5 passed on v1.0.0",
	}
	if got := lines(a); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAsk(t *testing.T) {
	r := workspacetest.Open(t, shop)
	for name, tt := range map[string]struct {
		req  Request
		want []string
	}{
		"a file": {Request{Path: "web/web.go"}, []string{
			"imports 1: web/ -> cart/ at web/web.go:5", "elsewhere 1: web/ -> lib.org/x at web/web.go:7 third party v1.4.0", "elsewhere 1: web/ -> fmt at web/web.go:4 standard library ",
		}},
		"a folder with its subfolders": {Request{Path: "cart"}, []string{
			"imports 1: cart/ -> price/ at cart/cart.go:3 cycle", "imports 1: cart/deep/ -> price/ at cart/deep/deep.go:3",
			"imported by 1: price/ -> cart/ at price/price.go:3 cycle", "imported by 1: web/ -> cart/ at web/web.go:5",
		}},
		"what tests import, behind the rest": {Request{Path: "price", Direction: Imports}, []string{
			"imports 1: price/ -> cart/ at price/price.go:3 cycle", "imports 1: price/ -> money/ at price/unit_test.go:3 tests",
		}},
		"further": {Request{Path: "web", Direction: Imports, Depth: 3, Limit: 3}, []string{
			"imports 1: web/ -> cart/ at web/web.go:5", "imports 2: cart/ -> price/ at cart/cart.go:3 cycle", "imports 3: price/ -> cart/ at price/price.go:3 cycle",
		}},
		"importers, further": {Request{Path: "money", Direction: Importer, Depth: 2}, []string{
			"imported by 1: price/ -> money/ at price/unit_test.go:3 tests",
			"imported by 2: cart/ -> price/ at cart/cart.go:3 cycle", "imported by 2: cart/deep/ -> price/ at cart/deep/deep.go:3",
		}},
		"the repository": {Request{Limit: 2, Offset: 1}, []string{
			"imports 1: cart/deep/ -> price/ at cart/deep/deep.go:3", "imports 1: price/ -> cart/ at price/price.go:3 cycle",
		}},
		"a page behind the end":         {Request{Path: "web", Offset: 100}, nil},
		"a folder without imports":      {Request{Path: "notes"}, nil},
		"by file, tests on their own":   {Request{Path: "price", Level: LevelFile, Direction: Imports}, []string{"imports 1: price/ -> cart/ at price/price.go:3 cycle", "imports 1: price/(tests) -> money/ at price/unit_test.go:3 tests"}},
		"the name of a package":         {Request{Path: "deep", Direction: Imports}, []string{"imports 1: cart/deep/ -> price/ at cart/deep/deep.go:3"}},
		"the root, written with a dot.": {Request{Path: "./money/", Direction: Imports}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a, in, err := Ask(t.Context(), r, tt.req, workspace.Wait{})
			if err != nil {
				t.Fatal(err)
			}
			if got := lines(a); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
			if in.Files != len(shop) || a.Left != 0 {
				t.Errorf("%d files, %d left", in.Files, a.Left)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	r := workspacetest.Open(t, shop)
	for name, tt := range map[string]struct {
		req        Request
		what, hint string
	}{
		"a path that is not there": {Request{Path: "cort"}, "not in the index", "cart"},
		"a depth out of range":     {Request{Depth: 51}, "out of range", "1 to 50"},
		"a limit below zero":       {Request{Limit: -1}, "out of range", "0 to"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Ask(t.Context(), r, tt.req, workspace.Wait{})
			var e *usage.Error
			if !errors.As(err, &e) || !strings.Contains(e.Msg, tt.what) || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("error %v, want %q with %q", err, tt.what, tt.hint)
			}
		})
	}
}

// TestNothingToSay holds that a repository without code is answered, with nothing.
func TestNothingToSay(t *testing.T) {
	many := map[string]string{}
	for i := range 10_000 {
		many[fmt.Sprintf("f/%d/p.go", i%100)+fmt.Sprint(i)] = "package p\n"
	}
	for name, files := range map[string]map[string]string{
		"an empty folder":              {},
		"text alone":                   {"a.txt": "words\n"},
		"binary files alone":           {"a.bin": "\x00\x01\x02"},
		"10,000 files without imports": many,
	} {
		t.Run(name, func(t *testing.T) {
			a, _, err := Ask(t.Context(), workspacetest.Open(t, files), Request{}, workspace.Wait{})
			if err != nil || a.Total() != 0 {
				t.Errorf("%v, error %v, want nothing", a, err)
			}
		})
	}
}

package impact

import (
	stdcmp "cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/deps"
	"espy/internal/facts"
	"espy/internal/filetest"
	"espy/internal/impact/mention"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/workspacetest"
)

// shop is a small repository.
var shop = map[string]string{
	"go.mod": "module shop\n\ngo 1.24\n",
	"price/price.go": `package price

// Sum adds prices up.
func Sum(all []int) int {
	total := 0
	for _, p := range all {
		total += tax(p)
	}
	return total
}

func tax(p int) int { return p + p/5 }

// Unused is called by nobody.
func Unused() {}
`,
	"price/price_test.go": `package price

import "testing"

func TestSum(t *testing.T) {
	if Sum(nil) != 0 {
		t.Fatal("not nothing")
	}
}

func TestOther(t *testing.T) {}
`,
	"price/round_test.go": "package price\n\nimport \"testing\"\n\nfunc TestRound(t *testing.T) {}\n",
	"cart/cart.go": `package cart

import "shop/price"

// Total is what a cart costs.
func Total(all []int) int { return price.Sum(all) }
`,
	"cart/cart_test.go": `package cart

import "testing"

func TestTotal(t *testing.T) {
	if Total(nil) != 0 {
		t.Fatal("not nothing")
	}
}
`,
	"cmd/shop/main.go": `package main

import "shop/cart"

func main() { println(cart.Total(nil)) }
`,
	"etc/shop.yaml":       "currency: EUR\n",
	"docs/install.txt":    "Copy etc/shop.yaml to your home.\n",
	"other/other.go":      "package other\n\nfunc Alone() {}\n",
	"other/other_test.go": "package other\n\nimport \"testing\"\n\nfunc TestAlone(t *testing.T) { Alone() }\n",
}

// attach writes and commits files, and returns their repository.
func attach(t testing.TB, files map[string]string) (*workspace.Repo, string) {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	filetest.Commit(t, dir, "first")
	return workspacetest.Attach(t, dir), dir
}

// listed writes an answer, a line for each thing.
func listed(a *Impact) (all []string) {
	for _, c := range a.Changed {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s: %s %s", c.What, c.Path, strings.TrimPrefix(c.ID, c.Path))))
	}
	for _, s := range a.Symbols {
		all = append(all, fmt.Sprintf("%d %s %s: %s", s.Distance, s.Confidence, s.ID, s.Reason))
	}
	for _, e := range a.Endpoints {
		all = append(all, fmt.Sprintf("%s %s", e.Kind, e.ID))
	}
	for _, t := range a.Tests {
		all = append(all, strings.TrimSpace(fmt.Sprintf("run %s %s", t.Path, strings.Join(t.Functions, " "))))
	}
	return all
}

func find(t *testing.T, r *workspace.Repo, req Request) *Impact {
	t.Helper()
	a, err := Find(t.Context(), deps.Question{Repos: []*workspace.Repo{r}}, req)
	if err != nil {
		t.Fatalf("Find(%+v): %v", req, err)
	}
	return a
}

var (
	users = []string{
		"1 certain cart/cart.go#Total: calls Sum", "1 certain price/price_test.go#TestSum: calls Sum",
		"2 likely cart/cart_test.go#TestTotal: calls Total", "2 likely cmd/shop/main.go#main: calls Total",
	}
	ways = []string{"main cmd/shop/main.go#main", "exported price/price.go#Sum", "exported cart/cart.go#Total"}
	runs = []string{"run price/price_test.go TestSum", "run cart/cart_test.go TestTotal", "run price/round_test.go"}
)

func TestWhat(t *testing.T) {
	t.Parallel()
	r, _ := attach(t, shop)
	all := func(lists ...[]string) []string { return slices.Concat(lists...) }
	for _, tt := range []struct {
		name string
		req  Request
		want []string
	}{
		{"a symbol", Request{What: "Sum"}, all([]string{"asked: price/price.go #Sum"}, users, ways, runs)},
		{"an id", Request{What: "price/price.go#Sum", Depth: 1}, all([]string{"asked: price/price.go #Sum"}, users[:2], ways[1:], runs[:1], runs[2:])},
		{"lines", Request{What: "price/price.go:6-7"}, all([]string{"asked: price/price.go #Sum"}, users, ways, runs)},
		{"a file without symbols that one mentions", Request{What: "docs/install.txt"}, []string{"contents changed: docs/install.txt"}},
		{"configuration", Request{What: "etc/shop.yaml"}, []string{"contents changed: etc/shop.yaml", "1 likely : mentions shop.yaml"}},
		{"who has no users", Request{What: "Unused"}, []string{
			"asked: price/price.go #Unused", "exported price/price.go#Unused", "run price/price_test.go", "run price/round_test.go",
		}},
		{"a page", Request{What: "Sum", Offset: 3, Limit: 1}, all([]string{"asked: price/price.go #Sum"}, users[3:], ways, runs)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, listed(find(t, r, tt.req))); diff != "" {
				t.Errorf("Find(%+v) (-want +got):\n%s", tt.req, diff)
			}
		})
	}
	if a := find(t, r, Request{What: "Sim"}); !slices.Contains(a.Near, "Sum") || len(a.Changed) > 0 {
		t.Errorf("near = %q", a.Near)
	}
	a := find(t, r, Request{What: "Sum"})
	if len(a.Commands) != 1 || strings.Join(a.Commands[0].Args, " ") != "go test ./cart ./price -run ^(TestSum|TestTotal)$" || a.Commands[0].Why != "go.mod" {
		t.Errorf("commands = %+v", a.Commands)
	}
	for _, req := range []Request{
		{What: "nope/x.go"}, {What: "price/nope.go:3-4"}, {What: "price/price.go:900-901"}, {What: "Sum", Since: "HEAD"}, {Diff: "no diff"},
		{What: "Sum", Depth: 99}, {What: "Sum", Limit: -1}, {Diff: strings.Repeat("x", MaxDiff+1)},
	} {
		t.Run(fmt.Sprintf("%.60v", req), func(t *testing.T) {
			var refused *usage.Error
			if _, err := Find(t.Context(), deps.Question{Repos: []*workspace.Repo{r}}, req); !errors.As(err, &refused) {
				t.Errorf("err = %v, want a usage.Error", err)
			}
		})
	}
}

// TestDiffers asks of a work tree that differs, and of the same difference as text
// before it is applied and after.
func TestDiffers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		edit  func(files map[string]string)
		want  []string // what changes, and the symbols
		tests []string
	}{
		{"a body", func(f map[string]string) { f["price/price.go"] = strings.Replace(f["price/price.go"], "p/5", "p/4", 1) },
			[]string{"body changed: price/price.go #tax", "1 likely price/price.go#Sum: calls tax", "2 likely cart/cart.go#Total: calls Sum", "2 likely price/price_test.go#TestSum: calls Sum",
				"3 likely cart/cart_test.go#TestTotal: calls Total", "3 likely cmd/shop/main.go#main: calls Total"},
			[]string{"price/price_test.go", "price/round_test.go", "cart/cart_test.go"}},
		{"a signature", func(f map[string]string) {
			f["price/price.go"] = strings.Replace(f["price/price.go"], "Sum(all []int)", "Sum(all ...int)", 1)
		}, append([]string{"signature changed: price/price.go #Sum"}, users...), []string{"price/price_test.go", "cart/cart_test.go", "price/round_test.go"}},
		{"removed", func(f map[string]string) {
			f["price/price.go"] = strings.Split(f["price/price.go"], "// Sum adds")[0] + "func tax(p int) int { return p + p/5 }\n\n// Unused is called by nobody.\nfunc Unused() {}\n"
		}, nil, []string{"price/price_test.go", "cart/cart_test.go", "price/round_test.go"}},
		{"added", func(f map[string]string) { f["price/price.go"] += "\nfunc More() {}\n" }, []string{"added: price/price.go #More"}, []string{"price/price_test.go", "price/round_test.go"}},
		{"documentation", func(f map[string]string) {
			f["price/price.go"] = strings.Replace(f["price/price.go"], "adds prices up", "sums prices up", 1)
		}, []string{"documentation changed: price/price.go #Sum"}, nil},
		{"a renamed file", func(f map[string]string) { f["price/sum.go"] = f["price/price.go"]; delete(f, "price/price.go") }, []string{"moved: price/price.go"}, nil},
		{"a file added", func(f map[string]string) { f["price/new.go"] = "package price\n\nfunc New() int { return Sum(nil) }\n" },
			[]string{"added: price/new.go #New"}, nil},
		{"a binary file", func(f map[string]string) { f["logo.png"] = "\x00\x01\x02" }, []string{"contents changed: logo.png"}, nil},
		{"nothing", func(map[string]string) {}, nil, nil},
		{"configuration", func(f map[string]string) { f["etc/shop.yaml"] = "currency: USD\n" }, []string{"signature changed: etc/shop.yaml #currency", "1 likely : mentions shop.yaml"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := workspacetest.Attach(t, commit(t, shop))
			dir := commit(t, shop)
			after := maps.Clone(shop)
			tt.edit(after)
			for name := range shop {
				if _, ok := after[name]; !ok {
					filetest.Remove(t, dir, name)
				}
			}
			filetest.Write(t, dir, after)
			r := workspacetest.Attach(t, dir)
			got := find(t, r, Request{})
			if tt.want != nil && !cmp.Equal(tt.want, symbolsOf(got)) {
				t.Errorf("the work tree (-want +got):\n%s", cmp.Diff(tt.want, symbolsOf(got)))
			}
			var tests []string
			for _, one := range got.Tests {
				tests = append(tests, one.Path)
			}
			if tt.tests != nil && !cmp.Equal(tt.tests, tests) {
				t.Errorf("tests (-want +got):\n%s", cmp.Diff(tt.tests, tests))
			}
			filetest.Git(t, dir, "add", "-A")
			diff := filetest.Git(t, dir, "diff", "--cached", "HEAD")
			if diff == "" {
				if len(got.Changed)+len(got.Tests) > 0 {
					t.Errorf("nothing differs: %q", listed(got))
				}
				return
			}
			for name, r := range map[string]*workspace.Repo{"applied": r, "not applied": before} {
				a := find(t, r, Request{Diff: diff})
				if got, want := kindsOf(a), kindsOf(got); !cmp.Equal(want, got) || len(a.Notes) > 0 && tt.name != "a binary file" {
					t.Errorf("%s: notes %q, changes (-work tree +diff):\n%s", name, a.Notes, cmp.Diff(want, got))
				}
			}
		})
	}
}

func commit(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	filetest.Commit(t, dir, "first")
	return dir
}

func symbolsOf(a *Impact) []string { return listed(&Impact{Changed: a.Changed, Symbols: a.Symbols}) }

// kindsOf are the kinds of changes, without where.
func kindsOf(a *Impact) []string {
	var all []string
	for _, c := range a.Changed {
		all = append(all, string(c.What)+" "+c.Name)
	}
	slices.Sort(all)
	return all
}

// TestEntrances holds that a change shows at the routes whose handlers it reaches,
// also those that are written in place.
func TestEntrances(t *testing.T) {
	t.Parallel()
	r, _ := attach(t, map[string]string{
		"go.mod": "module web\n",
		"web.go": "package web\n\nimport \"net/http\"\n\nfunc routes(m *http.ServeMux) {\n\tm.HandleFunc(\"GET /price\", show)\n\tm.HandleFunc(\"/tax\", func(w http.ResponseWriter, r *http.Request) { tax() })\n}\n\n" +
			"func show(w http.ResponseWriter, r *http.Request) { tax() }\n\nfunc tax() {}\n\ntype till struct{}\n\nfunc (till) Sum() { tax() }\n",
	})
	a := find(t, r, Request{What: "tax"})
	var got []string
	for _, e := range a.Endpoints {
		got = append(got, fmt.Sprintf("%s %s: %s %d", e.Kind, e.Name, e.ID, e.Distance))
	}
	if diff := cmp.Diff([]string{"route /tax: web.go#routes 1", "route GET /price: web.go#show 1", "exported till.Sum: web.go#till.Sum 1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRemoved holds that users of what is gone are found by its name.
func TestRemoved(t *testing.T) {
	t.Parallel()
	r, dir := attach(t, shop)
	text := strings.Replace(shop["price/price.go"], "func Sum(all []int) int {\n\ttotal := 0\n\tfor _, p := range all {\n\t\ttotal += tax(p)\n\t}\n\treturn total\n}\n", "", 1)
	filetest.Write(t, dir, map[string]string{"price/price.go": text})
	a := find(t, r, Request{Depth: 1})
	want := []string{
		"1 likely cart/cart.go#Total: calls Sum, which is gone",
		"1 likely price/price_test.go#TestSum: calls Sum, which is gone",
	}
	if diff := cmp.Diff(want, listed(&Impact{Symbols: a.Symbols})); diff != "" {
		t.Errorf("(-want +got):\n%s\n%q", diff, listed(a))
	}
}

// TestLines holds that lines ask about what they hold alone, and about what is round
// that where some of its own code is among them.
func TestLines(t *testing.T) {
	t.Parallel()
	r, _ := attach(t, map[string]string{"a/a.go": "package a\n\ntype A struct {\n\tb int\n\tc int\n\n\td int\n}\n"})
	for what, want := range map[string][]string{
		"a/a.go:4":   {"asked: a/a.go #A.b"},
		"a/a.go:4-7": {"asked: a/a.go #A.b", "asked: a/a.go #A.c", "asked: a/a.go #A.d"},
		"a/a.go:7-8": {"asked: a/a.go #A", "asked: a/a.go #A.d"},
	} {
		if diff := cmp.Diff(want, listed(&Impact{Changed: find(t, r, Request{What: what}).Changed})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
}

// TestTogether holds that what earlier commits changed together speaks for a test, each
// changed file for itself.
func TestTogether(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files["e2e/flow_test.go"] = "package e2e\n\nimport \"testing\"\n\nfunc TestFlow(t *testing.T) {}\n"
	dir := commit(t, files)
	for i := range 3 {
		more := map[string]string{}
		for _, p := range []string{"price/price.go", "cart/cart.go", "e2e/flow_test.go"} {
			more[p] = fmt.Sprintf("%s\n// %d\n", files[p], i)
		}
		filetest.Write(t, dir, more)
		filetest.Commit(t, dir, "more")
	}
	const both = "--- a/price/price.go\n+++ b/price/price.go\n@@ -12 +12 @@\n-func tax(p int) int { return p + p/5 }\n+func tax(p int) int { return p + p/4 }\n" +
		"--- a/cart/cart.go\n+++ b/cart/cart.go\n@@ -6 +6 @@\n-func Total(all []int) int { return price.Sum(all) }\n+func Total(all []int) int { return price.Sum(all[:]) }\n"
	r := workspacetest.Attach(t, dir)
	for n, req := range []Request{{What: "Sum"}, {Diff: both}} {
		a := find(t, r, req)
		i := slices.IndexFunc(a.Tests, func(t Test) bool { return t.Path == "e2e/flow_test.go" })
		for k, p := range []string{"price/price.go", "cart/cart.go"} {
			if i < 0 || slices.Contains(a.Tests[i].Reasons, "changed together with "+p+" in 3 of its 3 commits") != (k <= n) {
				t.Errorf("%d: tests = %+v", n, a.Tests)
			}
		}
	}
}

// TestTogetherWithFolder holds a test that commits changed with other files of the folder.
func TestTogetherWithFolder(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files["e2e/flow_test.go"] = "package e2e\n\nimport \"testing\"\n\nfunc TestFlow(t *testing.T) {}\n"
	files["price/coupon.go"] = "package price\n"
	dir := commit(t, files)
	for i := range 3 {
		filetest.Write(t, dir, map[string]string{
			"price/coupon.go":  fmt.Sprintf("package price\n\n// %d\n", i),
			"e2e/flow_test.go": fmt.Sprintf("%s\n// %d\n", files["e2e/flow_test.go"], i),
		})
		filetest.Commit(t, dir, "more")
	}
	a := find(t, workspacetest.Attach(t, dir), Request{What: "Sum"})
	i := slices.IndexFunc(a.Tests, func(t Test) bool { return t.Path == "e2e/flow_test.go" })
	if i < 0 || !slices.Contains(a.Tests[i].Reasons, "changed together with price/ in 3 of its 3 commits") {
		t.Errorf("tests = %+v", a.Tests)
	}
}

// TestLately holds that a test which a commit changed not long ago is surer for a difference
// where something else speaks for it, and that this tells nothing of a symbol.
func TestLately(t *testing.T) {
	t.Parallel()
	dir := commit(t, shop)
	filetest.Write(t, dir, map[string]string{"apart/apart_test.go": "package apart\n"})
	filetest.Commit(t, dir, "apart")
	filetest.Write(t, dir, map[string]string{"cart/cart_test.go": shop["cart/cart_test.go"] + "\n// More to come.\n"})
	filetest.Commit(t, dir, "cart")
	r := workspacetest.Attach(t, dir)
	diff := "--- a/price/price.go\n+++ b/price/price.go\n@@ -12 +12 @@\n-func tax(p int) int { return p + p/5 }\n+func tax(p int) int { return p + p/4 }\n"
	for want, req := range map[string]Request{"cart/cart_test.go": {Diff: diff}, "": {What: "tax"}} {
		lately := ""
		a := find(t, r, req)
		for _, one := range a.Tests {
			if slices.Contains(one.Reasons, "changed lately, 1 commit ago") {
				lately += one.Path
			}
		}
		if lately != want || slices.ContainsFunc(a.Tests, func(o Test) bool { return o.Path == "apart/apart_test.go" }) {
			t.Errorf("%+v: changed lately: %q, tests %+v", req, lately, a.Tests)
		}
	}
}

// TestNamesake holds that a test which bears the name of a changed file is possible where
// another one of that name stands nearer.
func TestNamesake(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files["stock/price_test.go"] = "package stock\n\nimport \"testing\"\n\nfunc TestStock(t *testing.T) {}\n"
	r, _ := attach(t, files)
	confidence := map[string]facts.Confidence{}
	for _, test := range find(t, r, Request{What: "Sum"}).Tests {
		if slices.Contains(test.Reasons, "bears the name of price/price.go") {
			confidence[test.Path] = test.Confidence
		}
	}
	if diff := cmp.Diff(map[string]facts.Confidence{"price/price_test.go": facts.Certain, "stock/price_test.go": facts.Possible}, confidence); diff != "" {
		t.Errorf("tests that bear the name (-want +got):\n%s", diff)
	}
}

// TestWords holds a test that has words of the changed lines and nothing else to do with
// them, by a difference and by the work tree.
func TestWords(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files["price/price.go"] += "\nfunc label() string { return \"all\" }\n"
	files["e2e/page_test.py"] = "def test_page():\n    assert 'wholesale_only' in fetch('/price')\n"
	for i := range 40 { // so that a tenth is not all
		files[fmt.Sprintf("e2e/more%d_test.py", i)] = "def test_more():\n    pass\n"
	}
	dir := commit(t, files)
	after := strings.Replace(files["price/price.go"], `"all"`, `"wholesale_only"`, 1)
	diff := "--- a/price/price.go\n+++ b/price/price.go\n@@ -14,1 +14,1 @@\n-func label() string { return \"all\" }\n+func label() string { return \"wholesale_only\" }\n"
	r := workspacetest.Attach(t, dir)
	byDiff := find(t, r, Request{Diff: diff})
	filetest.Write(t, dir, map[string]string{"price/price.go": after})
	for name, a := range map[string]*Impact{"a difference": byDiff, "the work tree": find(t, r, Request{})} {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(a.Tests, func(t Test) bool { return t.Path == "e2e/page_test.py" })
			if i < 0 || !slices.Contains(a.Tests[i].Reasons, "has words of the changed lines: wholesale_only") {
				t.Errorf("tests = %+v, notes %q", a.Tests, a.Notes)
			}
		})
	}
}

// TestBadDiffs gives differences that do not fit the files, or fit no tree.
func TestBadDiffs(t *testing.T) {
	t.Parallel()
	r, _ := attach(t, shop)
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, "--- a/x/f%d.go\n+++ b/x/f%d.go\n@@ -1 +1 @@\n-package y\n+package x\n", i, i)
	}
	good := "--- a/price/price.go\n+++ b/price/price.go\n@@ -12 +12 @@\n-func tax(p int) int { return p + p/5 }\n+func tax(p int) int { return p + p/4 }\n"
	for _, tt := range []struct {
		name, diff string
		changed    int
		note       string
	}{
		{"a part", good + "@@ -20,1 +20,1 @@\n-no such line\n+nor this\n", 1, "1 run of the diff does not apply, in price/price.go; the rest is used"},
		{"moved lines", strings.Replace(good, "@@ -12 +12 @@", "@@ -3 +3 @@", 1), 1, ""},
		{"5,000 files", many.String() + good, 0, "files of the diff were not looked at"},
		{"a binary file", "diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n" + good, 2, "1 changed file is binary"},
		{"cut short", good[:len(good)-20], 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := find(t, r, Request{Diff: tt.diff})
			notes := strings.Join(a.Notes, "\n")
			if len(a.Changed) != tt.changed || !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
				t.Errorf("%d changed, notes %q; want %d and %q", len(a.Changed), notes, tt.changed, tt.note)
			}
		})
	}
}

// TestRefs asks of refs that do not exist, and of a folder without git.
func TestRefs(t *testing.T) {
	t.Parallel()
	r, _ := attach(t, shop)
	if _, err := Find(t.Context(), deps.Question{Repos: []*workspace.Repo{r}}, Request{Since: "nope"}); err == nil || !strings.Contains(err.Error(), "nope") {
		t.Errorf("since nope: %v", err)
	}
	dir := t.TempDir()
	filetest.Write(t, dir, shop)
	plain := workspacetest.Attach(t, dir)
	if a := find(t, plain, Request{What: "Sum"}); a.Total != len(users) || len(a.Tests) != 3 {
		t.Errorf("without git: %q", listed(a))
	}
}

// TestRecursion walks round circles and ends.
func TestRecursion(t *testing.T) {
	t.Parallel()
	text := "package p\n\nfunc A() { A(); B() }\n\nfunc B() { A() }\n"
	for i := range 300 {
		text += fmt.Sprintf("\nfunc f%d() { f%d(); A() }\n", i, (i+1)%300)
	}
	r, _ := attach(t, map[string]string{"p.go": text})
	a := find(t, r, Request{What: "A", Depth: MaxDepth})
	if a.Total != 301 || len(a.Nearest) != 1 {
		t.Errorf("total %d, nearest %v", a.Total, a.Nearest)
	}
	if a := find(t, r, Request{What: "f7", Depth: MaxDepth}); a.Total != MaxDepth {
		t.Errorf("f7: total %d, want %d", a.Total, MaxDepth)
	}
}

// TestNotFollowed says which changes were not followed, for that none is found says
// nothing then.
func TestNotFollowed(t *testing.T) {
	t.Parallel()
	var doubtful strings.Builder // what uses the name of a method of values of which little is known
	for i := range maxDoubt + 1 {
		fmt.Fprintf(&doubtful, "\nfunc f%d(all []A) { slices.Some(all).Lone() }\n", i)
	}
	dir := commit(t, map[string]string{
		"p.go":            "package p\n\nfunc Get() {}\n\nfunc used() { Put() }\n\nfunc Put() {}\n\nfunc all() {\n" + strings.Repeat("\tGet()\n", maxWork) + "}\n\nfunc Run() {}\n\nfunc often() {\n" + strings.Repeat("\tRun()\n", maxUses+1) + "}\n\nfunc above() { often() }\n",
		"side/side.go":    "package side; import _ \"fmt\"\n",
		"a/fixtures/x.go": "package x\n\nfunc X() {}\n",
		"kept.go":         "package p\n\nfunc kept() {}\n\nfunc other() {}\n\nfunc keeps() {\n" + strings.Repeat("\tkept()\n", maxUses+1) + "}\n",
		"doubt/doubt.go":  "package doubt\n\nimport \"slices\"\n\ntype A struct{}\n\nfunc (A) Lone() {}\n\ntype B struct{}\n\nfunc (B) Lone() {}\n" + doubtful.String(),
		"say.txt":         strings.Repeat("read some.conf\n", mention.Most+1),
		"some.conf":       "a = 1\n",
	})
	r := workspacetest.Attach(t, dir)
	changed := func(p, old, new string) Request {
		return Request{Diff: fmt.Sprintf("--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-%s\n+%s\n", p, p, old, new)}
	}
	for _, tt := range []struct {
		name  string
		req   Request
		total int
		want  string // of the first that was not followed
	}{
		{"a name that is common", Request{What: "Get"}, 0, "p.go#Get: its name is used more than 1500 times"},
		{"a name that is not", Request{What: "Put"}, 1, ""},
		{"what changes may be common", Request{What: "Run"}, 2, ""},
		{"what a file keeps to itself may not be", Request{What: "kept.go"}, 0, "kept.go#kept: its name is used more than 1500 times"},
		{"alone it may", Request{What: "kept"}, 1, ""},
		{"many of whom nothing is known", Request{What: "A.Lone"}, 0, "doubt/doubt.go#A.Lone: 41 more use its name, and nothing tells whether they mean it"},
		{"a fixture", Request{What: "a/fixtures/x.go#X"}, 0, "a/fixtures/x.go#X: it is in a fixture, and who reads these is not known"},
		{"code that nothing names", changed("side/side.go", `package side; import _ "fmt"`, `package side; import _ "os"`), 0, "side/side.go: it declares no name by which others take it in"},
		{"a text with many mentions", changed("some.conf", "a = 1", "a = 2"), 1, "some.conf#a: more than 200 places mention some.conf, of which the first were looked at"},
		{"another text", changed("p.go", "package q", "package r"), 0, "p.go: the diff does not apply to it"},
		{"an unknown file", changed("q.go", "package q", "package r"), 0, "q.go: the diff does not apply to it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, got := find(t, r, tt.req), ""
			if len(a.NotFollowed) > 0 {
				n := a.NotFollowed[0]
				got = stdcmp.Or(n.ID, n.Path) + ": " + n.Why
			}
			if got != tt.want || a.Total != tt.total {
				t.Errorf("total %d, not followed %q; want %d and %q; notes %q, %q", a.Total, got, tt.total, tt.want, a.Notes, listed(a))
			}
		})
	}
}

// TestByLine holds that what is declared in a language without a grammar affects the code
// of its kin that has the name, where one file alone declares it or the code imports the file.
func TestByLine(t *testing.T) {
	t.Parallel()
	r := workspacetest.Attach(t, commit(t, map[string]string{
		"src/fixer.ml":   "let apply_fix x =\n  x + 1\n\nlet merge a b =\n  a\n",
		"src/fixer.mli":  "val apply_fix : int -> int\n",
		"src/other.ml":   "let merge a b = b\n",
		"bin/main.ml":    "let () = print_int (Fixer.apply_fix 1)\n",
		"bin/joined.ml":  "let x = merge 1 2\n",
		"bin/opened.ml":  "open Fixer\n\nlet x = merge 1 2\n",
		"docs/fixing.md": "Call apply_fix twice.\n",
		"run.py":         "apply_fix = 1\n",
	}))
	for _, tt := range []struct {
		what string
		want []string
	}{
		{"apply_fix", []string{"asked: src/fixer.ml #apply_fix", "asked: src/fixer.mli #apply_fix", "1 likely : mentions apply_fix", "1 possible : mentions apply_fix", "1 possible : mentions apply_fix"}}, // in the other one too
		{"src/fixer.ml", []string{
			"contents changed: src/fixer.ml", "asked: src/fixer.ml #Fixer", "asked: src/fixer.ml #apply_fix", "asked: src/fixer.ml #merge",
			"1 likely : imports fixer.ml", "1 likely : imports fixer.ml", "1 possible : mentions apply_fix",
		}},
		{"src/fixer.ml:5", []string{"asked: src/fixer.ml #merge", "1 possible : mentions merge"}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			a := find(t, r, Request{What: tt.what})
			if !strings.Contains(a.Outlined, "in ocaml") {
				t.Errorf("does not say that it is read line by line: %q", a.Outlined)
			}
			if diff := cmp.Diff(tt.want, listed(a)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if one := strings.Contains(tt.what, "src"); one != (len(a.NotFollowed) == 1 && strings.Contains(a.NotFollowed[0].Why, "other files declare its name")) {
				t.Errorf("not followed: %+v", a.NotFollowed)
			}
		})
	}
}

// TestWithin holds that tests which stand beside the code that they test are to be run: those
// of the file that changes, and of files that use it.
func TestWithin(t *testing.T) {
	t.Parallel()
	r := workspacetest.Attach(t, commit(t, map[string]string{
		"dub.sdl":       "name \"x\"\n",
		"source/calc.d": "module calc;\n\nint compute() { return 1; }\n\nunittest { assert(compute() == 1); }\n",
		"source/user.d": "module user;\n\nimport calc;\n\nint twice() { return 2 * compute(); }\n\nunittest\n{\n}\n",
		"source/none.d": "module none;\n\nint unit() { return 1; } // unittest\n",
	}))
	a := find(t, r, Request{What: "source/calc.d"})
	var got []string
	for _, test := range a.Tests {
		got = append(got, test.Path+": "+test.Reasons[0])
	}
	want := []string{"source/calc.d: its own tests stand in it", "source/user.d: imports calc.d"}
	if diff := cmp.Diff(want, got); diff != "" || a.Suites != 2 {
		t.Errorf("%d files of tests (-want +got):\n%s", a.Suites, diff)
	}
	if len(a.Commands) != 1 || strings.Join(a.Commands[0].Args, " ") != "dub test" {
		t.Errorf("commands %v", a.Commands)
	}
}

// TestGenerated holds that generated code is no way into a program.
func TestGenerated(t *testing.T) {
	t.Parallel()
	r, _ := attach(t, map[string]string{
		"p.go": "package p\n\nfunc core() {}\n", "p_generated.go": "// Code generated by x. DO NOT EDIT.\n\npackage p\n\nfunc Made() { core() }\n",
	})
	want := []string{"asked: p.go #core", "1 certain p_generated.go#Made: calls core"}
	if diff := cmp.Diff(want, listed(find(t, r, Request{What: "core"}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTime answers with what it has when the time is over.
func TestTime(t *testing.T) {
	t.Parallel()
	r, _ := attach(t, shop)
	find(t, r, Request{What: "Sum"}) // the index is there
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if a, err := Find(ctx, deps.Question{Repos: []*workspace.Repo{r}}, Request{What: "Sum"}); err != nil || a.Left > 0 {
		t.Errorf("with time: %v, %+v", err, a)
	}
	cancel()
	if _, err := Find(ctx, deps.Question{Repos: []*workspace.Repo{r}}, Request{What: "Sum"}); !errors.Is(err, context.Canceled) {
		t.Errorf("without time: %v, want Canceled", err)
	}
}

// TestSame holds that the same question has the same answer.
func TestSame(t *testing.T) {
	t.Parallel()
	r, dir := attach(t, shop)
	filetest.Write(t, dir, map[string]string{"price/price.go": strings.ReplaceAll(shop["price/price.go"], "int", "int64")})
	first := find(t, r, Request{})
	for i := range 5 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if diff := cmp.Diff(listed(first), listed(find(t, r, Request{}))); diff != "" {
				t.Errorf("(-first +now):\n%s", diff)
			}
		})
	}
}

package overview

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/facts/factstest"
	"espy/internal/filetest"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/workspacetest"
)

// shop is a small repository.
var shop = map[string]string{
	"README.md":          "# Shop\n\n[![badge](x.svg)](y)\n\nShop sells **things** to [people](z). It is small.\n",
	"go.mod":             "module shop\n",
	"Makefile":           "build:\n\tgo build\n",
	"cmd/shop/main.go":   "package main\n\nimport \"shop/cart\"\n\nfunc main() { cart.Total() }\n",
	"cart/cart.go":       "package cart\n\nimport \"shop/price\"\n\nfunc Total() int {\n\tif price.Sum() > 0 {\n\t\treturn 1\n\t}\n\treturn price.Sum()\n}\n",
	"cart/more.go":       "package cart\n\nimport \"shop/price\"\n\nvar More = price.Sum()\n",
	"price/price.go":     "package price\n\nfunc Sum() int { return 1 }\n",
	"price/unit_test.go": "package price\n\nfunc TestSum() {}\n",
	"vendor/x/x.go":      "package x\n\nfunc main() {}\n",
}

// open attaches a folder with files, with its commits where there are messages.
func open(t *testing.T, files map[string]string, commits ...string) *workspace.Repo {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	for i, message := range commits {
		filetest.Write(t, dir, map[string]string{"cart/cart.go": files["cart/cart.go"] + strings.Repeat("\n", i)})
		filetest.Commit(t, dir, message)
	}
	return workspacetest.Attach(t, dir)
}

// uncommitted attaches a folder with files that is a repository without commits.
func uncommitted(t *testing.T, files map[string]string) *workspace.Repo {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, files)
	filetest.Git(t, dir, "init", "-q")
	return workspacetest.Attach(t, dir)
}

func asked(t *testing.T, r *workspace.Repo, req Request) *Answer {
	t.Helper()
	a, _, err := Ask(t.Context(), r, req, workspace.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// told writes an answer, a line for each item.
func told(a *Answer) (all []string) {
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if a.Quote != nil {
		add("says %s:%d %s", a.Quote.Path, a.Quote.Line, a.Quote.Text)
	}
	for _, l := range a.Languages.Items {
		add("language %s %d files %d lines", l.Name, l.Files, l.Lines)
	}
	for _, b := range a.Builds.Items {
		add("build %s %s %s", b.Tool, b.Path, b.Name)
	}
	for _, e := range a.Entries.Items {
		add("entry %s %s %s:%d", e.Kind, e.Name, e.Path, e.Line)
	}
	for _, e := range a.Areas.Items {
		line := fmt.Sprintf("area %s %d layer %d", e.Path, e.Files, e.Layer)
		for _, u := range e.Uses.Items {
			line += fmt.Sprintf(" -> %s %s:%d", u.To, u.Path, u.Line)
		}
		add("%s by %d", line, e.UsedBy)
	}
	for _, u := range a.Used.Items {
		add("used %s %d", u.Name, u.By)
	}
	for _, s := range a.Symbols.Items {
		add("symbol %s %d", s.ID, s.By)
	}
	for _, h := range a.Hot.Items {
		add("hot %s %dx%d", h.Path, h.Commits, h.Complexity)
	}
	for _, p := range a.Authors.Items {
		add("author %d", p.Commits)
	}
	for _, f := range a.Tests.Items {
		add("tests %s %d", f.Path, f.Files)
	}
	return all
}

func TestAsk(t *testing.T) {
	whole := []string{
		"says README.md:5 Shop sells things to people.", "language go 6 files 29 lines", "language makefile 1 files 2 lines", "build Go modules go.mod shop", "build make Makefile ",
		"entry main shop cmd/shop/main.go:5", "entry target build Makefile:1",
		"area cmd/shop/ 1 layer 2 -> cart/ cmd/shop/main.go:3 by 0", "area cart/ 2 layer 1 -> price/ cart/cart.go:3 by 1", "area price/ 1 layer 0 by 1", "area / 1 layer 0 by 0",
		"used price/ 2", "used cart/ 1", "symbol price/price.go#Sum 2",
	}
	for name, tt := range map[string]struct {
		repo *workspace.Repo
		req  Request
		want []string
		none string
	}{
		"a folder outside git":  {open(t, shop), Request{}, append(slices.Clone(whole), "tests price 1"), "not in a git repository"},
		"a repository":          {open(t, shop, "one", "two", "three"), Request{}, append(append([]string{whole[0], "language go 6 files 31 lines"}, whole[2:]...), "hot cart/cart.go 3x2", "author 3", "tests price 1"), ""},
		"nothing committed":     {uncommitted(t, shop), Request{}, append(slices.Clone(whole), "tests price 1"), "has no history: nothing is committed yet"},
		"a folder":              {open(t, shop), Request{Path: "price"}, []string{"language go 2 files 6 lines", "area price/ 1 layer 0 by 0", "used price/ 2", "symbol price/price.go#Sum 2", "tests price 1"}, "not in a git repository"},
		"one item of each list": {open(t, shop), Request{Limit: 1}, []string{whole[0], whole[1], whole[3], whole[5], whole[8], whole[11], whole[13], "tests price 1"}, "not in a git repository"},
	} {
		t.Run(name, func(t *testing.T) {
			a := asked(t, tt.repo, tt.req)
			if got := told(a); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
			if !strings.Contains(a.NoHistory, tt.none) || tt.none == "" && a.NoHistory != "" {
				t.Errorf("no history %q, want %q", a.NoHistory, tt.none)
			}
			if again := asked(t, tt.repo, tt.req); !slices.Equal(told(again), told(a)) {
				t.Error("the same question, another answer")
			}
		})
	}
}

// TestFewCode holds that a repository of settings is laid out by all of its files, with
// the tools that build it, and that the answer counts whose imports it knows.
func TestFewCode(t *testing.T) {
	a := asked(t, open(t, map[string]string{
		"charts/api/Chart.yaml": "name: api\n", "charts/api/values.yaml": "replicas: 1\n", "charts/web/Chart.yaml": "name: web\n",
		"docs/guide.md": "# Guide\n", "docs/notes": "words\n", "bin/run.lisp": "(defun run ())\n",
	}), Request{})
	var other []string
	for _, l := range a.Other.Items {
		other = append(other, fmt.Sprintf("%s %d", l.Name, l.Files))
	}
	var areas []string
	for _, e := range a.Areas.Items {
		areas = append(areas, fmt.Sprintf("%s %d", e.Path, e.Files))
	}
	slices.Sort(areas)
	if got, want := strings.Join(other, ", "), "yaml 3,  1, markdown 1"; got != want {
		t.Errorf("other files %q, want %q", got, want)
	}
	if got, want := strings.Join(areas, ", "), "bin/ 1, charts/api/ 2, charts/web/ 1, docs/ 2"; got != want {
		t.Errorf("areas %q, want %q", got, want)
	}
	if !a.FewCode() || !a.FewParsed() || a.Code != 1 || a.Parsed != 0 || len(a.Builds.Items) != 1 || a.Builds.Items[0].Tool != "Helm" || a.Builds.Items[0].Files != 2 {
		t.Errorf("%d files of code, %d parsed, built with %+v", a.Code, a.Parsed, a.Builds.Items)
	}
}

// TestStartsByName holds what starts programs of PHP, which no manifest names.
func TestStartsByName(t *testing.T) {
	a := asked(t, open(t, map[string]string{
		"artisan": "#!/usr/bin/env php\n<?php\nboot();\n", "bin/console": "#!/usr/bin/env php\n<?php\nboot();\n",
		"public/index.php": "<?php\nboot();\n", "lib/index.php": "<?php\nboot();\n",
	}), Request{})
	var got []string
	for _, e := range a.Entries.Items {
		got = append(got, fmt.Sprintf("%s %s %s", e.Kind, e.Name, e.Path))
	}
	if got, want := strings.Join(got, ", "), "command artisan artisan, command console bin/console, main index public/index.php"; got != want {
		t.Errorf("starts at %q, want %q", got, want)
	}
}

// TestHeadersStartNothing holds that a header starts no program: main there shows how to use it.
func TestHeadersStartNothing(t *testing.T) {
	const text = "int main(void) { return 0; }\n"
	x, err := locate.New([]corpus.Part{factstest.Part(t, map[string][]byte{"a.h": []byte(text), "b.c": []byte(text), "c.hpp": []byte("#include <vector>\n" + text)})})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = x.Run(func(a *locate.Ask) error {
		s := &surveyor{ask: a}
		for f := range corpus.FileID(a.Corpus.NumFiles()) {
			if e, ok := s.main(f); ok {
				got = append(got, e.Path)
			}
		}
		return nil
	})
	if want := []string{"b.c"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q start programs, want %q; error %v", got, want, err)
	}
}

// TestSymbolsBesideFiles holds that a symbol is listed where it says more than its file.
func TestSymbolsBesideFiles(t *testing.T) {
	got := told(asked(t, open(t, map[string]string{
		"go.mod": "module shop\n", "tax/Tax.go": "package tax\n\nfunc Tax() {}\n\nfunc Due() {}\n",
		"a/a.go": "package a\n\nimport \"shop/tax\"\n\nfunc A() { tax.Tax(); tax.Due() }\n",
		"b/b.go": "package b\n\nimport \"shop/tax\"\n\nfunc B() { tax.Tax(); tax.Due() }\n",
	}), Request{}))
	for line, want := range map[string]bool{"used tax/ 2": true, "symbol tax/Tax.go#Due 2": true, "symbol tax/Tax.go#Tax 2": false} {
		if slices.Contains(got, line) != want {
			t.Errorf("%q is told: %t, want %t\n%s", line, !want, want, strings.Join(got, "\n"))
		}
	}
}

// TestHotByLines holds that hot spots are told by their lines where no grammar reads most
// of the code.
func TestHotByLines(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		filetest.Write(t, dir, map[string]string{"a.lisp": strings.Repeat("(a)\n", 4+i), "b.lisp": "(b)\n" + strings.Repeat(";\n", 10*i), "notes.md": strings.Repeat("x\n", i)})
		filetest.Commit(t, dir, "change")
	}
	a := asked(t, workspacetest.Attach(t, dir), Request{})
	if diff := cmp.Diff([]Hot{{Path: "b.lisp", Commits: 3, Lines: 21}, {Path: "a.lisp", Commits: 3, Lines: 6}}, a.Hot.Items); diff != "" {
		t.Errorf("hot spots (-want +got):\n%s", diff)
	}
}

// TestNothingToSay holds that a repository without code is answered, with what there is.
func TestNothingToSay(t *testing.T) {
	many := map[string]string{}
	for i := range 10_000 {
		many[fmt.Sprintf("f%d/p%d.go", i%100, i)] = "package p\n"
	}
	for name, tt := range map[string]struct {
		files           map[string]string
		languages, area int
	}{
		"an empty folder":              {map[string]string{}, 0, 0},
		"text alone":                   {map[string]string{"a.txt": "words\n"}, 0, 1},
		"binary files alone":           {map[string]string{"a.bin": "\x00\x01"}, 0, 0},
		"no language with facts":       {map[string]string{"a.lisp": "(defun a ())\n"}, 1, 1},
		"languages that are not known": {map[string]string{"a.pony": "actor A\n", "b.ha": "export fn f() void = {\n};\n", "c.pony": "actor C\n"}, 2, 1},
		"10,000 files without imports": {many, 1, 100},
	} {
		t.Run(name, func(t *testing.T) {
			a := asked(t, open(t, tt.files), Request{})
			if a.Languages.Total != tt.languages || a.Areas.Total != tt.area || a.Used.Total != 0 || a.Cycles.Total != 0 {
				t.Errorf("%d languages, %d areas, %d used, %d cycles", a.Languages.Total, a.Areas.Total, a.Used.Total, a.Cycles.Total)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	r := open(t, shop)
	for name, tt := range map[string]struct {
		req        Request
		what, hint string
	}{
		"a folder that is not there": {Request{Path: "crat"}, "not in the index", "cart"},
		"a file":                     {Request{Path: "cart/cart.go"}, "is a file", "outline"},
		"a limit below zero":         {Request{Limit: -2}, "out of range", "0 to"},
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

func TestDescription(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		line int
		want string
	}{
		"after a heading and badges": {"# X\n[![a](b)](c) ![d](e)\n\nThings do all of this. And that.\n", 4, "Things do all of this."},
		"over two lines":             {"X is a tool\nthat works. More.\n", 1, "X is a tool that works."},
		"a heading underlined":       {"The X Project\n=============\n\nX is a tool.\n", 4, "X is a tool."},
		"reStructuredText":           {".. image:: x\n\nThe X\n=====\n\n`X <http://x>`_ is a tool.\n", 6, "X is a tool."},
		"HTML and a comment":         {"<p align=\"center\">\n  <img src=\"x\">\n</p>\n<!-- no\nprose here at all -->\n\n<b>X</b> is a tool for all.\n", 7, "X is a tool for all."},
		"front matter and code":      {"---\ntitle: this is it\n---\n```\nnot this line here.\n```\nX is a tool, e.g. for y.\n", 7, "X is a tool, e.g. for y."},
		"a quoted line":              {"> Next generation of tools\n\n- fast and small\n", 1, "Next generation of tools"},
		"behind addresses of links":  {"[a]: https://a.org/x and more\n[b]: b\n\nX is a tool.\n", 4, "X is a tool."},
		"after dates and requests":   {"# Acme Net\n\nAs of Jan. 17, 2023, there is no news.\n\nSee this presentation here:\n\nAcme Net is a library for e.g. Linux. It works.\n", 7, "Acme Net is a library for e.g. Linux."},
		"behind badges of AsciiDoc":  {":v: 2\nhttps://a.org/b[image:https://c.org/d.svg?x=y[GitHub\nWorkflow]]\n\nimage::docs/logo.png[width=100]\n\n== Acme Framework\n\nAcme is a framework for\nJava and https://b.org/[Groovy] code.\n", 9, "Acme is a framework for Java and Groovy code."},
		"what is stated of a part":   {"# Acme\n\nWelcome to this place.\n\nA cache is cleared by hand.\n\nAcme is the program of choice for many.\n", 7, "Acme is the program of choice for many."},
		"a title that is no name":    {"![Acme][logo]\n\n# A Builder for Ada\n\nAcme is a builder of things.\n\nAda is all you need to use it.\n", 5, "Acme is a builder of things."},
		"what a list goes on with":   {"# Acme\n\nAcme is a language with these goals:\n\n- speed\n\nThe Acme repository is hosted at a place.\n", 3, "Acme is a language with these goals:"},
		"a title that tells":         {"![a](b)\n\n# Open platform for data collection and device management\n\nGet it here or read on.\n\nAcme helps you to create many more rule chains.\n", 7, "Acme helps you to create many more rule chains."},
		"a title that alone tells":   {"# Open platform for data collection and device management\n\nAcme allows you to create rule chains here.\n", 1, "Open platform for data collection and device management"},
		"what it needs":              {"# Acme\n\nScala 2.13 is the only supported version in Acme.\n\nNode requires version 3 or higher.\n", 0, ""},
		"nothing that tells":         {"# Acme\n\nPlease read the documentation here.\n\nThanks to all the people, too.\n", 0, ""},
		"nothing but headings":       {"# X\n\n## Y\n", 0, ""},
		"an empty file":              {"", 0, ""},
		"a sentence without an end":  {"W" + strings.Repeat("ord w", 100), 1, "W" + strings.Repeat("ord w", 47) + "ord …"},
	} {
		t.Run(name, func(t *testing.T) {
			if line, got := description(tt.text, "acme"); line != tt.line || got != tt.want {
				t.Errorf("line %d %q, want %d %q", line, got, tt.line, tt.want)
			}
		})
	}
}

// TestInTime ends the time at each look at it: the answer says what it lacks, and
// what it has is that of the whole answer.
func TestInTime(t *testing.T) {
	r := open(t, shop)
	survey := func(looks int) (a *Answer, left int) {
		_, err := r.Explore(t.Context(), workspace.Wait{}, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error {
			over := func() bool { looks--; return looks < 0 }
			return x.Until(over).Run(func(ask *locate.Ask) error {
				a = &Answer{}
				return (&surveyor{Answer: a, ask: ask, files: ask.Corpus.Under(""), past: func() *past { return &past{} }}).survey()
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		return a, looks
	}
	last := 0
	for looks := 0; ; looks++ {
		a, left := survey(looks)
		if left >= 0 { // it was never over
			if a.IsPartial() || looks < 5 {
				t.Errorf("%d looks: %v, %d files left, which nothing ended", looks, a.Missing, a.Left)
			}
			break
		}
		if a.Total.Files != len(shop) || len(a.Languages.Items) == 0 {
			t.Errorf("%d looks: %+v, want the counts of all files", looks, a.Total)
		}
		for part, has := range map[Part]bool{
			PartBuilds: a.Builds.Total > 0, PartEntries: a.Entries.Total > 0, PartAreas: a.Areas.Total > 0 && len(a.Areas.Items[0].Uses.Items) > 0,
			PartUsed: a.Used.Total > 0, PartSymbols: a.Symbols.Total > 0,
		} {
			if !has && !slices.Contains(a.Missing, part) {
				t.Errorf("%d looks: %q is missing, and the answer does not say so: %v", looks, part, a.Missing)
			}
		}
		last = looks
	}
	if last == 0 {
		t.Error("the time was never over")
	}
}

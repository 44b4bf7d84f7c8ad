package audit

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

// asked makes a report, each finding as a line.
func asked(t *testing.T, r *workspace.Repo, req Request) (all []string) {
	t.Helper()
	a, _, err := Ask(t.Context(), r, req, workspace.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Findings {
		f := &a.Findings[i]
		line := fmt.Sprintf("%s:%d %s", f.Path, f.Line, f.Reason)
		if f.Report == Unused {
			line = fmt.Sprintf("%s:%d %s %s, %s", f.Path, f.Line, f.ID[strings.LastIndexByte(f.ID, '#')+1:], f.Reason, f.Confidence)
		}
		for _, p := range f.Places {
			line += fmt.Sprintf("; %s:%d %s", p.Path, p.Line, p.Text)
		}
		all = append(all, line)
	}
	return all
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestUnused holds what is listed as unused, and what is kept although nothing
// in the code names it.
func TestUnused(t *testing.T) {
	const head = "package a\n\n"
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a function that nothing calls": {map[string]string{"a/a.go": head + "func lost() {}\n"}, []string{"a/a.go:3 lost no use in the repository, certain"}},
		"one that calls itself":         {map[string]string{"a/a.go": head + "func lost() { lost() }\n"}, []string{"a/a.go:3 lost no use in the repository, certain"}},
		"what only it calls":            {map[string]string{"a/a.go": head + "func lost() { below() }\n\nfunc below() {}\n"}, []string{"a/a.go:3 lost no use in the repository, certain", "a/a.go:5 below used only by what is unused itself, certain"}},
		"two that call each other":      {map[string]string{"a/a.go": head + "func Api() { one() }\n\nfunc one() { two() }\n\nfunc two() { one() }\n"}, nil},
		"called of an interface without a name": {map[string]string{
			"a/a.go": head + "type box struct{}\n\nfunc (b *box) open() {}\n", "a/b.go": head + "func Use(v any) {\n\tif o, ok := v.(interface{ open() }); ok {\n\t\to.open()\n\t}\n}\n\nvar _ = box{}\n",
			"b/b.go": "package b\n\ntype lid struct{}\n\nfunc (l *lid) open() {}\n\nvar _ = lid{}\n",
		}, []string{"b/b.go:5 lid.open no use in the repository, certain"}},
		"two that only call each other":        {map[string]string{"a/a.go": head + "func one() { two() }\n\nfunc two() { one() }\n"}, []string{"a/a.go:3 one used only by what is unused itself, certain", "a/a.go:5 two used only by what is unused itself, certain"}},
		"a type with its methods":              {map[string]string{"a/a.go": head + "type lost struct{}\n\nfunc (l lost) Close() {}\n"}, []string{"a/a.go:3 lost no use in the repository, certain"}},
		"what gives a variable its value":      {map[string]string{"a/a.go": head + "var started = start()\n\nfunc start() bool { return true }\n"}, []string{"a/a.go:3 started no use in the repository, certain"}},
		"used by what may be used":             {map[string]string{"a/a.go": head + "func handle() { help() }\n\nfunc help() {}\n\nvar Names = []string{\"handle\"}\n"}, []string{"a/a.go:3 handle no use in the repository; its name stands in a string of a/a.go, possible", "a/a.go:5 help used only by what is unused itself, possible"}},
		"a method that nothing calls":          {map[string]string{"a/a.go": head + "type T struct{}\n\nfunc (t T) lost() {}\n"}, []string{"a/a.go:5 T.lost no use in the repository, certain"}},
		"a method that an interface asks for":  {map[string]string{"a/a.go": head + "type T struct{}\n\nfunc (t T) seal() {}\n\ntype I interface{ seal() }\n"}, nil},
		"what a package exports":               {map[string]string{"a/a.go": head + "func Api() {}\n"}, nil},
		"what an internal package exports":     {map[string]string{"internal/a/a.go": head + "func Api() {}\n"}, []string{"internal/a/a.go:3 Api no use in the repository, likely"}},
		"a use in a test":                      {map[string]string{"a/a.go": head + "func used() {}\n", "a/a_test.go": head + "func TestX() { used() }\n"}, nil},
		"a use in another file of the package": {map[string]string{"a/a.go": head + "func used() {}\n", "a/b.go": head + "var x = used\n\nfunc Api() { _ = x }\n"}, nil},
		"main and init":                        {map[string]string{"main.go": "package main\n\nfunc main() {}\n\nfunc init() {}\n"}, nil},
		"what a scene may name":                {map[string]string{"a/a.go": head + "func onHit() {}\n", "a/main.tscn": "[connection signal=\"Hit\" to=\".\" method=\"onHit\"]\n"}, []string{"a/a.go:3 onHit no use in the repository; its name stands in a/main.tscn, which is of no known language, possible"}},
		"what assembly may call":               {map[string]string{"a/a.go": head + "func addVec() {}\n", "a/a.s": "TEXT ·addVec(SB)\n"}, []string{"a/a.go:3 addVec no use in the repository; its name stands in a/a.s, which has no grammar here, possible"}},
		"a name in a string":                   {map[string]string{"a/a.go": head + "func handle() {}\n\nvar Names = []string{\"handle\"}\n"}, []string{"a/a.go:3 handle no use in the repository; its name stands in a string of a/a.go, possible"}},
		"a name in a comment":                  {map[string]string{"a/a.go": head + "// lost is told of.\nfunc lost() {}\n\n// Api calls lost no more.\nfunc Api() {}\n"}, []string{"a/a.go:4 lost no use in the repository, certain"}},
		"what C calls":                         {map[string]string{"a/a.go": head + "//export goCallback\nfunc goCallback() {}\n"}, nil},
		"what the linker gives away":           {map[string]string{"a/a.go": head + "//go:linkname runtime_now\nfunc runtime_now() {}\n"}, nil},
		"constants in a list":                  {map[string]string{"a/a.go": head + "const (\n\tfirst = iota\n\tsecond\n)\n\nfunc Api() int { return second }\n"}, nil},
		"a constant of its own":                {map[string]string{"a/a.go": head + "const first = 1\n"}, []string{"a/a.go:3 first no use in the repository, certain"}},
		"generated code":                       {map[string]string{"a/a.pb.go": "// Code generated by protoc. DO NOT EDIT.\n\npackage a\n\nfunc lost() {}\n"}, nil},
		"tests and third parties":              {map[string]string{"a/a_test.go": head + "func lost() {}\n", "vendor/b/b.go": "package b\n\nfunc lost() {}\n"}, nil},
		"another function of the same name":    {map[string]string{"a/a.go": head + "func twice() {}\n", "b/b.go": "package b\n\nfunc twice() {}\n\nfunc Api() { twice() }\n"}, []string{"a/a.go:3 twice no use in the repository, certain"}},
	} {
		t.Run(name, func(t *testing.T) {
			tt.files["go.mod"] = "module m\n"
			same(t, asked(t, workspacetest.Open(t, tt.files), Request{Report: Unused}), tt.want...)
		})
	}
}

// layered is a repository in which store imports cli, and both each other.
var layered = map[string]string{
	"go.mod":         "module m\n\nrequire lib.org/x v1.0.0\n",
	"cli/cli.go":     "package cli\n\nimport \"m/store\"\n\nvar A = store.B\n",
	"store/store.go": "package store\n\nimport (\n\t\"lib.org/x\"\n\t\"m/cli\"\n)\n\nvar B = cli.A + x.C\n",
}

func TestRules(t *testing.T) {
	r := workspacetest.Open(t, layered)
	for name, tt := range map[string]struct {
		rules []string
		want  []string
	}{
		"an import that is forbidden": {[]string{"store -> cli"}, []string{"store/store.go:5 breaks store -> cli; store/store.go:5 cli/"}},
		"layers":                      {[]string{"cli > store"}, []string{"store/store.go:5 breaks store -> cli; store/store.go:5 cli/"}},
		"a third party":               {[]string{"store -> lib.org/x"}, []string{"store/store.go:4 breaks store -> lib.org/x; store/store.go:4 lib.org/x"}},
		"a rule that is kept":         {[]string{"cli -> lib.org/x"}, nil},
		"two rules":                   {[]string{"cli/** -> store", "store/*.go -> cli"}, []string{"cli/cli.go:3 breaks cli/** -> store; cli/cli.go:3 store/", "store/store.go:5 breaks store/*.go -> cli; store/store.go:5 cli/"}},
	} {
		t.Run(name, func(t *testing.T) { same(t, asked(t, r, Request{Report: Forbidden, Rules: tt.rules}), tt.want...) })
	}
}

func TestErrors(t *testing.T) {
	r := workspacetest.Open(t, layered)
	for name, tt := range map[string]struct {
		req        Request
		what, hint string
	}{
		"an unknown report":                 {Request{Report: "complexty"}, "not a report", "did you mean complexity?"},
		"a rule that names nothing":         {Request{Rules: []string{"stoer -> cli"}}, "stoer matches no file and no import", "store"},
		"a rule that leads nowhere":         {Request{Rules: []string{"store -> clj"}}, "clj matches no file and no import", "cli"},
		"no arrow":                          {Request{Rules: []string{"store"}}, "no arrow", "internal/store -> internal/cli"},
		"two arrows":                        {Request{Rules: []string{"a -> b -> c"}}, "more than one arrow", "layers"},
		"an empty side":                     {Request{Rules: []string{"-> cli"}}, "not a folder, a file or a glob", "->"},
		"the report of rules without one":   {Request{Report: Forbidden}, "no rule is given", "->"},
		"a path that is not in the index":   {Request{Path: "stor"}, "not in the index", "store"},
		"more rules than anybody can check": {Request{Rules: slices.Repeat([]string{"store -> cli"}, maxRules+1)}, "more than the limit", "globs"},
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

func TestCycles(t *testing.T) {
	ring := map[string]string{"go.mod": "module m\n"}
	for i := range 300 {
		ring[fmt.Sprintf("p%03d/p.go", i)] = fmt.Sprintf("package p\n\nimport \"m/p%03d\"\n", (i+1)%300)
	}
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
		ways  int
	}{
		"two packages":    {layered, "cli/cli.go:3 2 files or packages import each other", 2},
		"one long circle": {ring, "p000/p.go:3 300 files or packages import each other", 300},
	} {
		t.Run(name, func(t *testing.T) {
			got := asked(t, workspacetest.Open(t, tt.files), Request{Report: Cycles})
			if len(got) != 1 || !strings.HasPrefix(got[0], tt.want) || strings.Count(got[0], ";") != tt.ways {
				t.Errorf("%q, want %q in %d steps", got, tt.want, tt.ways)
			}
		})
	}
}

// branches is a function with so many of them.
func branches(name string, n int) string {
	return "func " + name + "(x int) {\n" + strings.Repeat("\tif x > 1 {\n\t\tx++\n\t}\n", n) + "}\n"
}

func TestComplexity(t *testing.T) {
	r := workspacetest.Open(t, map[string]string{
		"a.go":      "package a\n\n" + branches("Plain", 3) + "\n" + branches("Twisted", 20) + "\n" + branches("Worse", 30),
		"long.go":   "package a\n\nfunc Long() {\n" + strings.Repeat("\tuse(1)\n", 120) + "}\n\nfunc use(int) {}\n",
		"a_test.go": "package a\n\n" + branches("TestMuch", 40),
	})
	t.Run("the worst first", func(t *testing.T) {
		same(t, asked(t, r, Request{Report: Complexity}), "a.go:78 complexity 31, 92 lines", "a.go:15 complexity 21, 62 lines", "long.go:3 complexity 1, 122 lines")
	})
	t.Run("with other thresholds", func(t *testing.T) {
		same(t, asked(t, r, Request{Report: Complexity, Complexity: 25, Lines: 500}), "a.go:78 complexity 31, 92 lines")
	})
	t.Run("a page", func(t *testing.T) {
		same(t, asked(t, r, Request{Report: Complexity, Limit: 1, Offset: 1}), "a.go:15 complexity 21, 62 lines")
	})
}

func TestDuplicates(t *testing.T) {
	var body strings.Builder
	for i := range 30 {
		fmt.Fprintf(&body, "\tx%d := call%d(%d)\n", i, i, i)
	}
	copied := "func Copied() {\n" + body.String() + "}\n"
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a function in two files":      {map[string]string{"a.go": "package a\n\n" + copied, "b/b.go": "package b\n\n// with a comment\n" + copied}, []string{"a.go:3 32 lines, 216 equal tokens; b/b.go:4 "}},
		"three places, listed once":    {map[string]string{"a.go": "package a\n" + copied, "b.go": "package b\n" + copied, "c.go": "package c\n" + copied}, []string{"a.go:2 32 lines, 216 equal tokens; b.go:2 ; c.go:2 "}},
		"too short":                    {map[string]string{"a.go": "package a\n\nfunc A() { use(1, 2, 3) }\n", "b/b.go": "package b\n\nfunc A() { use(1, 2, 3) }\n"}, nil},
		"a table of numbers":           {map[string]string{"a.go": "package a\n\nvar a = []int{\n" + strings.Repeat("\t0, 0, 0,\n", 100) + "}\n", "b/b.go": "package b\n\nvar b = []int{\n" + strings.Repeat("\t0, 0, 0,\n", 100) + "}\n"}, nil},
		"a test":                       {map[string]string{"a.go": "package a\n\n" + copied, "a_test.go": "package a\n\n" + copied}, nil},
		"a language without a grammar": {map[string]string{"a.lisp": lisp(), "b.lisp": lisp()}, []string{"a.lisp:1 30 lines, 360 equal tokens; b.lisp:1 "}},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, asked(t, workspacetest.Open(t, tt.files), Request{Report: Duplicates}), tt.want...)
		})
	}
}

// lisp is a text in a language without a grammar.
func lisp() string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "(defun f%d (x) (+ x %d))\n", i, i)
	}
	return b.String()
}

// TestNothingKnown holds that a report that cannot be made says so.
func TestNothingKnown(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"an empty folder":        {},
		"text alone":             {"a.txt": "words\n"},
		"binary files alone":     {"a.bin": "\x00\x01"},
		"no language with facts": {"a.prolog": "a.\n"},
		"only generated code":    {"a.pro": "a.\n", "a.go": "// Code generated by gen. DO NOT EDIT.\n\npackage a\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a, _, err := Ask(t.Context(), workspacetest.Open(t, files), Request{}, workspace.Wait{})
			if err != nil {
				t.Fatal(err)
			}
			for _, total := range a.Totals {
				if total.Report != Duplicates && total.None == "" || total.Count > 0 {
					t.Errorf("%+v", total)
				}
			}
		})
	}
}

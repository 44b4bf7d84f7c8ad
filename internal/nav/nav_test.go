package nav_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/facts/factstest"
	"espy/internal/facts/golang"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/segment/syn"
	"espy/internal/usage"
)

var update = flag.Bool("update", false, "rewrite testdata/answers.golden")

// TestAnswers asks about testdata/repo.txtar and compares with testdata/answers.golden.
func TestAnswers(t *testing.T) {
	x := index(t, "testdata/repo.txtar")
	g := openGolden(t, "testdata/answers.golden")
	for _, target := range []locate.Target{
		{Name: "helper"}, {Name: "a.Fast.Run"}, {Name: "Fast::Run"}, {Name: "Fast#Run"}, {Name: "a/a.go#Fast.Run"},
		{Name: "Fast"}, {Name: "b.Fast"}, {Name: "helpr"}, {Name: "x.helper"}, {Name: ""},
		{Name: "b/b.go#helper"}, {Name: "a/a.go#Fats.Run"}, {Name: "a/a.go#helpr"}, {Name: "a/b.go#helper"}, {Name: "a/a.go#Run"}, {Name: "a/a.go#"}, {Name: "a/a.go#.."},
		{Path: "b/b.go", Line: 11, Column: 11}, {Path: "b/b.go", Line: 8, Column: 9}, {Path: "a/a.go", Line: 21},
		{Path: "b/b.go", Line: 9}, {Path: "b/b.go", Line: 99}, {Path: "b/c.go", Line: 1}, {Path: "a/a.go", Line: 3},
		{Path: "a/a.go", Line: 0}, {Path: "a/a.go", Name: "x"},
	} {
		g.check(t, "symbol "+ask(target), func(w *strings.Builder) {
			res, err := x.Symbol(nav.SymbolRequest{Target: target, Body: target.Name == "helper"})
			printSymbols(w, res, err)
		})
	}
	for _, r := range []nav.ReferencesRequest{
		{Target: locate.Target{Name: "Fast"}},
		{Target: locate.Target{Name: "Fast"}, Union: true},
		{Target: locate.Target{Name: "a.Fast.Run"}},
		{Target: locate.Target{Name: "Run"}, Union: true},
		{Target: locate.Target{Name: "Run"}, Union: true, Kind: nav.KindCalls},
		{Target: locate.Target{Name: "println"}},
		{Target: locate.Target{Name: "Runner.Run"}},
		{Target: locate.Target{Name: "Runner.Run"}, Kind: nav.KindMentions},
		{Target: locate.Target{Name: "Runner.Run"}, Kind: nav.KindImplementations},
		{Target: locate.Target{Name: "Runner.Run"}, Kind: nav.KindOverrides},
		{Target: locate.Target{Name: "Runner"}, Kind: nav.KindImplementations},
		{Target: locate.Target{Name: "Runner"}, Kind: nav.KindSubtypes},
		{Target: locate.Target{Name: "a.Fast"}, Kind: nav.KindSupertypes},
		{Target: locate.Target{Name: "count"}, Kind: nav.KindWrites},
		{Target: locate.Target{Name: "count"}, Kind: nav.KindReads},
		{Target: locate.Target{Name: "Runner"}, Kind: nav.KindTypes},
		{Target: locate.Target{Name: "Start"}},
		{Target: locate.Target{Name: "Strt"}},
		{Target: locate.Target{Name: "Start"}, Kind: "call"},
		{Target: locate.Target{Name: "Start"}, Limit: -1},
		{Target: locate.Target{Path: "b/b.go", Line: 8, Column: 2}},
	} {
		g.check(t, fmt.Sprintf("references %s %s", ask(r.Target), r.Kind), func(w *strings.Builder) {
			res, err := x.References(r)
			printReferences(w, res, err)
		})
	}
	for _, r := range []nav.OutlineRequest{
		{Path: "a/a.go", Metrics: true}, {Path: "b", Locals: true}, {Path: "b", Limit: 1, Offset: 1}, {Path: "a"}, {Path: "c"},
	} {
		g.check(t, fmt.Sprintf("outline %+v", r), func(w *strings.Builder) {
			res, err := x.Outline(r)
			printOutline(w, res, err)
		})
	}
	g.end(t)
}

// golden is a file of answers, each below the line of its question, in order.
type golden struct {
	path string
	want []string // of each question, with its line
	got  []string // of the questions that were run
	next int      // question
}

func openGolden(t *testing.T, path string) *golden {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	g := &golden{path: path}
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, " ") {
			g.want = append(g.want, "")
		}
		g.want[len(g.want)-1] += line
	}
	return g
}

// check compares the answer to the next question.
func (g *golden) check(t *testing.T, question string, answer func(*strings.Builder)) {
	n := g.next
	g.next++
	t.Run(question, func(t *testing.T) {
		var got strings.Builder
		got.WriteString(question + "\n")
		answer(&got)
		g.got = append(g.got, got.String())
		if *update {
			return
		}
		want := ""
		if n < len(g.want) {
			want = g.want[n]
		}
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("answer (-want +got):\n%s", diff)
		}
	})
}

// end holds that no answer is left, or rewrites the file.
func (g *golden) end(t *testing.T) {
	t.Helper()
	if *update {
		if err := os.WriteFile(g.path, []byte(strings.Join(g.got, "")), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if g.next < len(g.want) {
		t.Errorf("%s has %d answers more than were asked for", g.path, len(g.want)-g.next)
	}
}

func ask(t locate.Target) string {
	if t.Path != "" {
		return fmt.Sprintf("%s:%d:%d %s", t.Path, t.Line, t.Column, t.Name)
	}
	return t.Name
}

func printSymbols(w *strings.Builder, res *nav.Symbols, err error) {
	if err != nil {
		fmt.Fprintf(w, "  error: %v\n", err)
		return
	}
	if res.Use != nil {
		fmt.Fprintf(w, "  use %d:%d %s in %s\n", res.Use.Line, res.Use.Column, res.Use.Role, res.Use.In)
	}
	for _, d := range res.Definitions {
		printDefinition(w, "definition", d)
	}
	if res.Near != nil {
		fmt.Fprintf(w, "  near %s\n", strings.Join(res.Near, " "))
	}
}

func printDefinition(w *strings.Builder, word string, d locate.Definition) {
	fmt.Fprintf(w, "  %s %s %s:%d:%d-%d %s %s exported=%v uses=%d", word, d.ID, d.Path, d.Line, d.Column, d.EndLine, d.Kind, d.QualifiedName, d.Exported, d.Uses)
	if d.Reason != "" {
		fmt.Fprintf(w, " %s: %s", d.Confidence, d.Reason)
	}
	fmt.Fprintf(w, "\n    %s\n", d.Signature)
	for _, s := range []string{d.Doc, d.Body} {
		if s != "" {
			fmt.Fprintf(w, "    %q\n", s)
		}
	}
}

func printReferences(w *strings.Builder, res *nav.References, err error) {
	if err != nil {
		fmt.Fprintf(w, "  error: %v\n", err)
		return
	}
	for _, d := range res.Candidates {
		printDefinition(w, "candidate", d)
	}
	if res.Near != nil {
		fmt.Fprintf(w, "  near %s\n", strings.Join(res.Near, " "))
	}
	fmt.Fprintf(w, "  total %d certain %d possible %d update %s\n", res.Total, res.Certain, res.Possible, strings.Join(res.Update, " "))
	if res.Others+res.Mentions+len(res.Check)+len(res.Unparsed) > 0 {
		fmt.Fprintf(w, "  others %d mentions %d check %s unparsed %s\n", res.Others, res.Mentions, strings.Join(res.Check, " "), strings.Join(res.Unparsed, " "))
	}
	for i, files := range [][]nav.FileReferences{res.Files, res.Maybe} {
		for _, f := range files {
			for _, r := range f.References {
				fmt.Fprintf(w, "  %s %s:%d:%d %s %s, %s: %s | in %s | %s\n", []string{"yes", "maybe"}[i], f.Path, r.Line, r.Column, r.Role, r.Name, r.Confidence, r.Reason, r.In, r.Text)
			}
		}
	}
}

func printOutline(w *strings.Builder, res *nav.Outline, err error) {
	if err != nil {
		fmt.Fprintf(w, "  error: %v\n", err)
		return
	}
	fmt.Fprintf(w, "  total %d\n", res.Total)
	for _, f := range res.Files {
		fmt.Fprintf(w, "  %s package %s %s faults=%d lines=%d\n", f.Path, f.Package, f.State, len(f.Faults), f.Lines)
		for _, s := range f.Symbols {
			fmt.Fprintf(w, "  %s%d-%d %s %s complexity=%d exported=%v | %s\n", strings.Repeat("  ", s.Depth+1), s.Line, s.EndLine, s.Kind, s.ID, s.Complexity, s.Exported, s.Signature)
		}
	}
}

// TestPagesAddUp holds that pages of any size make up the whole answer.
func TestPagesAddUp(t *testing.T) {
	x := index(t, "testdata/repo.txtar")
	target := locate.Target{Name: "a.Fast"}
	whole, err := x.References(nav.ReferencesRequest{Target: target})
	if err != nil {
		t.Fatal(err)
	}
	for limit := 1; limit < 4; limit++ {
		t.Run(fmt.Sprint("pages of ", limit), func(t *testing.T) {
			var pages []string
			for offset := 0; offset < whole.Total+whole.Possible; offset += limit {
				res, err := x.References(nav.ReferencesRequest{Target: target, Limit: limit, Offset: offset})
				if err != nil {
					t.Fatal(err)
				}
				if res.Total != whole.Total {
					t.Errorf("total %d at offset %d, want %d", res.Total, offset, whole.Total)
				}
				pages = append(pages, places(res)...)
			}
			if diff := cmp.Diff(places(whole), pages); diff != "" {
				t.Errorf("(-whole +pages):\n%s", diff)
			}
		})
	}
}

func places(res *nav.References) []string {
	var all []string
	for _, f := range slices.Concat(res.Files, res.Maybe) {
		for _, r := range f.References {
			all = append(all, fmt.Sprintf("%s:%d:%d", f.Path, r.Line, r.Column))
		}
	}
	return all
}

// TestEveryIDFindsItsSymbol asks for every symbol of an outline by its id.
func TestEveryIDFindsItsSymbol(t *testing.T) {
	x := index(t, "testdata/repo.txtar")
	res, err := x.Outline(nav.OutlineRequest{Locals: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Files {
		for _, s := range f.Symbols {
			t.Run(s.ID, func(t *testing.T) {
				found, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: s.ID}})
				if err != nil {
					t.Fatal(err)
				}
				if len(found.Definitions) != 1 || found.Definitions[0].ID != s.ID || found.Definitions[0].Line != s.Line {
					t.Errorf("finds %+v", found.Definitions)
				}
			})
		}
	}
}

// TestUsageErrorsAreTyped holds that a caller can tell a wrong question from a failure.
func TestUsageErrorsAreTyped(t *testing.T) {
	x := index(t, "testdata/repo.txtar")
	_, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Path: "nowhere.go", Line: 1}})
	if refused := (*usage.Error)(nil); !errors.As(err, &refused) || refused.Arg != "path" {
		t.Errorf("error %v", err)
	}
}

// index indexes the files of an archive in memory.
func index(t testing.TB, archive string) *nav.Index {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range a.Files {
		files[f.Name] = f.Data
	}
	return opened(t, factstest.PartOf(t, files, goOnly))
}

// goOnly gives the facts of files in Go. One in Python is said to have failed.
func goOnly(t testing.TB, language, _ string, text []byte) *syn.Record {
	t.Helper()
	switch language {
	case "python":
		return syn.Failure("it is not parsed here")
	case "go":
		r, err := syn.Encode(golang.Parse(text))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	return syn.Unsupported()
}

// TestLikeliestFirst asks for names that several symbols bear, and for a
// member that a type has from another.
func TestLikeliestFirst(t *testing.T) {
	x := index(t, "testdata/likely.txtar")
	for name, want := range map[string][]string{
		"Close":         {"b.go#Close", "b.go#closer.Close", "examples/a.go#Close"},
		"Derived.Start": {"b.go#Base.Start"},
		"Derived.Name":  {"b.go#Base.Name"},
		"Start":         {"b.go#Base.Start", "a_test.go#Start"},
		"Derived.Stop":  nil,
	} {
		t.Run(name, func(t *testing.T) {
			res, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: name}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range res.Definitions {
				got = append(got, d.ID)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

// TestUnionCountsDispatch holds that a call through an interface from elsewhere
// is possible for one method, and counts where all of its name are asked about.
func TestUnionCountsDispatch(t *testing.T) {
	x := index(t, "testdata/likely.txtar")
	for _, tt := range []struct {
		target          locate.Target
		union           bool
		total, possible int
	}{
		{locate.Target{Name: "one.Read"}, false, 0, 1},
		{locate.Target{Name: "Read"}, true, 1, 0},
	} {
		t.Run(fmt.Sprintf("%s, union %v", tt.target.Name, tt.union), func(t *testing.T) {
			res, err := x.References(nav.ReferencesRequest{Target: tt.target, Union: tt.union})
			if err != nil {
				t.Fatal(err)
			}
			if res.Total != tt.total || res.Possible != tt.possible {
				t.Errorf("%s: %d references and %d possible, want %d and %d", tt.target.Name, res.Total, res.Possible, tt.total, tt.possible)
			}
		})
	}
}

package hierarchy

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/facts"
	"espy/internal/facts/factstest"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

var update = flag.Bool("update", false, "rewrite testdata/hierarchy.golden")

// TestHierarchy asks about testdata/repo.txtar and compares with
// testdata/hierarchy.golden.
func TestHierarchy(t *testing.T) {
	x := index(t, archive(t, "testdata/repo.txtar"))
	want := golden(t)
	var all strings.Builder
	for _, name := range []string{
		"Store", "ReadStore", "Both", "Strange", "Empty", "io.go#Item", "Made", "Files", "Wrong", "Logged", "Twice", "Box", "IntBox", "hidden", "Store.Load", "Files.Load", "cache.Close", "Info", "diskInfo", "Info.Mode", "Info.Owner",
		"Shape", "Ring", "Shape.area", "Ring.area", "Circle.draw", "Shape.java#Circle.move", "Base.move", "Circle.make", "Odd", "Odd.toString", "Loop", "Self",
		"Root", "Diamond", "Diamond.run", "Root.run", "Root.size", "Late", "Left",
		"Named", "Dog", "Animal.name", "Animal",
		"Draw", "Sketch", "Dot", "Line", "Draw.draw", "src/e.rs#Line.twice",
		"Walks", "Bird", "Creature.eat", "Bird.walk",
		"Logs", "Mail", "Job.handle", "Index.rules", "Index.title",
		"IRepo", "Sql", "Sql.Load", "IRepo.Save", "IPut", "Puts",
		"Source", "Source.read", "Check.look", "Widget", "Widget.paint", "Widget.plain", "Toggle.paint", "Maker", "Ints", "FloatMade",
		"made", "Shpe",
	} {
		t.Run(name, func(t *testing.T) {
			got := answered(x, Request{Target: locate.Target{Name: name}, Depth: 5})
			fmt.Fprintf(&all, "## %s\n%s", name, got)
			if diff := cmp.Diff(want[name], got); diff != "" && !*update {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile("testdata/hierarchy.golden", []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// golden are the answers that are wanted, by the name that is asked about.
func golden(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/hierarchy.golden")
	if err != nil && !*update {
		t.Fatal(err)
	}
	all := map[string]string{}
	for part := range strings.SplitSeq(string(text), "## ") {
		name, answer, _ := strings.Cut(part, "\n")
		all[name] = answer
	}
	return all
}

func index(t *testing.T, files map[string][]byte) *locate.Index {
	t.Helper()
	x, err := locate.New([]corpus.Part{factstest.Part(t, files)})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func archive(t *testing.T, file string) map[string][]byte {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range a.Files {
		files[f.Name] = f.Data
	}
	return files
}

// answered writes an answer as text.
func answered(x *locate.Index, r Request) string {
	a, err := find(x, r)
	if u := (*usage.Error)(nil); errors.As(err, &u) {
		return fmt.Sprintf("refused: %v\n", u)
	}
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d up, %d down, %d lines, %d possible", a.Up, a.Down, a.Total, a.Possible)
	for _, c := range a.Candidates {
		fmt.Fprintf(&b, ", candidate %s", c.ID)
	}
	if a.Unclear != "" {
		fmt.Fprintf(&b, ", unclear %s, near %v, unfit %v", a.Unclear, a.Near, a.Unfit)
	}
	if a.Everything {
		b.WriteString(", every type")
	}
	b.WriteByte('\n')
	for _, l := range a.Lines {
		name := l.ID
		if name == "" {
			name = fmt.Sprintf("<%s>", l.Name)
		}
		fmt.Fprintf(&b, "%s%s %s (%s) %s:%d", strings.Repeat("  ", l.Depth-1), l.Direction, name, l.Relation, l.At.Path, l.At.Line)
		if l.Confidence != facts.Certain {
			fmt.Fprintf(&b, " %s: %s", l.Confidence, l.Reason)
		}
		if l.Again {
			b.WriteString(" again")
		}
		if l.Cycle {
			b.WriteString(" cycle")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestRefused holds what a request may not ask.
func TestRefused(t *testing.T) {
	x := index(t, map[string][]byte{"a.go": []byte("package a\n\ntype T struct{}\n")})
	for _, tt := range []struct {
		name    string
		request Request
		want    string
	}{
		{"nothing", Request{}, "give a name"},
		{"a direction", Request{Target: locate.Target{Name: "T"}, Direction: "upp"}, "did you mean up?"},
		{"a word that is no direction", Request{Target: locate.Target{Name: "T"}, Direction: "sideways"}, "up, down or both"},
		{"depth", Request{Target: locate.Target{Name: "T"}, Depth: 51}, "1 to 50"},
		{"a place without a name", Request{Target: locate.Target{Path: "a.go", Line: 2}}, "give the column"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := find(x, tt.request)
			var u *usage.Error
			if !errors.As(err, &u) || !strings.Contains(u.Hint, tt.want) {
				t.Errorf("find(%+v) = %v, want a hint with %q", tt.request, err, tt.want)
			}
		})
	}
}

// TestMany asks about types with very many below them.
func TestMany(t *testing.T) {
	const fans, chain = 10_000, 300
	files := map[string][]byte{"Top.java": []byte("class Top { void run() {} }\n")}
	for i := range fans / 100 {
		java, golang := "// Code generated by a test. DO NOT EDIT.\n", "package p\n"
		for k := range 100 {
			java += fmt.Sprintf("class C%d extends Top { void run() {} }\n", 100*i+k)
			golang += fmt.Sprintf("\ntype T%d struct{}\n\nfunc (T%d) Run(n int) {}\n", 100*i+k, 100*i+k)
		}
		files[fmt.Sprintf("C%02d.java", i)] = []byte(java)
		if i < 30 {
			files[fmt.Sprintf("t%02d.go", i)] = []byte(golang)
		}
	}
	var deep strings.Builder
	deep.WriteString("class D0:\n    def run(self): pass\n")
	for i := range chain {
		fmt.Fprintf(&deep, "class D%d(D%d):\n    def run(self): pass\n", i+1, i)
	}
	files["deep.py"], files["p.go"] = []byte(deep.String()), []byte("package p\n\ntype Runner interface{ Run(n int) }\n")
	x := index(t, files)
	for _, tt := range []struct {
		name    string
		request Request
		want    Answer // what is counted
	}{
		{"10,000 subtypes", Request{Target: locate.Target{Name: "Top"}}, Answer{Total: fans, Down: fans, Left: fans - maxFollowed + 1}},
		{"one level of them", Request{Target: locate.Target{Name: "Top"}, Depth: 1, Offset: fans - 1}, Answer{Total: fans, Down: fans}},
		{"10,000 overriding methods", Request{Target: locate.Target{Name: "Top.run"}, Depth: 1}, Answer{Total: fans, Down: fans}},
		{"a chain", Request{Target: locate.Target{Name: "D0"}, Depth: MaxDepth}, Answer{Total: MaxDepth, Down: 1}},
		{"a chain from below", Request{Target: locate.Target{Name: "D300"}, Depth: MaxDepth}, Answer{Total: MaxDepth, Up: 1}},
		{"a chain of methods", Request{Target: locate.Target{Name: "D300.run"}, Depth: 2}, Answer{Total: 2, Up: 1}},
		{"3,000 implementations", Request{Target: locate.Target{Name: "Runner"}, Depth: 2}, Answer{Total: 3_000, Down: 3_000}},
		{"3,000 implementations of a method", Request{Target: locate.Target{Name: "Runner.Run"}, Depth: 2}, Answer{Total: 3_000, Down: 3_000}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := find(x, tt.request)
			if err != nil {
				t.Fatal(err)
			}
			got := [4]int{a.Total, a.Up, a.Down, a.Left}
			if want := [4]int{tt.want.Total, tt.want.Up, tt.want.Down, tt.want.Left}; got != want {
				t.Errorf("lines, up, down, left = %v, want %v", got, want)
			}
			if shown := min(a.Total-a.Offset, defaultLimit); len(a.Lines) != shown {
				t.Errorf("%d lines are shown, want %d", len(a.Lines), shown)
			}
		})
	}
}

// TestLate asks when the time is over.
func TestLate(t *testing.T) {
	x := index(t, archive(t, "testdata/repo.txtar"))
	for _, name := range []string{"Shape", "Store", "Draw"} {
		t.Run(name, func(t *testing.T) {
			a, err := find(x.Until(func() bool { return true }), Request{Target: locate.Target{Name: name}, Depth: 3})
			if err != nil {
				t.Fatal(err)
			}
			if !a.Late || a.Left == 0 {
				t.Errorf("late %v, %d symbols left: the answer says nothing of it", a.Late, a.Left)
			}
		})
	}
}

// TestSameAnswer holds that the same question has the same answer.
func TestSameAnswer(t *testing.T) {
	files := archive(t, "testdata/repo.txtar")
	x, y := index(t, files), index(t, files)
	for _, name := range []string{"Store", "Shape", "Root.run", "Draw"} {
		t.Run(name, func(t *testing.T) {
			r := Request{Target: locate.Target{Name: name}, Depth: MaxDepth}
			if a, b := answered(x, r), answered(y, r); a != b {
				t.Errorf("two answers:\n%s\n%s", a, b)
			}
		})
	}
}

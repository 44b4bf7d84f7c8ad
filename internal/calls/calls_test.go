package calls

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/facts/factstest"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
	"espy/internal/usage"
)

var update = flag.Bool("update", false, "rewrite testdata/calls.golden")

// TestCalls asks about testdata/repo.txtar and compares with testdata/calls.golden.
func TestCalls(t *testing.T) {
	x := index(t, archive(t, "testdata/repo.txtar"))
	all := func(d Direction, depth int, names ...string) (list []Request) {
		for _, n := range names {
			list = append(list, Request{Target: locate.Target{Name: n}, Direction: d, Depth: depth})
		}
		return list
	}
	var requests []Request
	requests = append(requests, all(Callers, 3, "a.py#grow", "Base.area", "Base.step", "Child.step", "Plain", "Base.__init__", "deco", "build",
		"b.ts#check", "b.ts#add", "Square.double", "Shape.area", "Circle.area",
		"Print.work", "Print.helper", "C.java#Task", "C.java#Main.count", "Job.run",
		"A.go", "B.go", "d.cc#A.A", "A.setup", "e.rs#put", "Dot.draw",
		"f.go#work", "Runner.Run", "Fast.Run", "f.go#Fast", "f.go#size", "f.go#ping",
		"held.ts#open", "held.ts#close", "slice",
		"match", "words.py#match", "words.py#type", "keywords.js#match", "keywords.js#Set")...)
	requests = append(requests, all(Callees, 3, "a.py#use", "a.py#Child", "a.py", "b.ts#main", "b.ts#Square", "C.java#Main.main", "d.cc#main", "e.rs#main",
		"f.go#start", "f.go#pong", "f.go#made", "words.py#call", "keywords.js#o.delete", "held.ts#user", "slice.ts#first")...)
	requests = append(requests,
		Request{Target: locate.Target{Name: "f.go#work"}, Direction: Both, Scope: code.ScopeCode},
		Request{Target: locate.Target{Name: "f.go#work"}, Scope: code.ScopeTest},
		Request{Target: locate.Target{Path: "f.go", Line: 24, Column: 4}},
		Request{Target: locate.Target{Name: "words.py#call"}, Direction: Callees, Possible: true},
		Request{Target: locate.Target{Name: "a.py#grow"}, Depth: 3, Limit: 2, Offset: 2},
		Request{Target: locate.Target{Name: "a.py"}, To: "a.py#measure"},
		Request{Target: locate.Target{Name: "a.py#measure"}, To: "a.py#use"},
		Request{Target: locate.Target{Name: "f.go#start"}, To: "Slow.Run"},
		Request{Target: locate.Target{Name: "f.go#ping"}, To: "f.go#work"},
		Request{Target: locate.Target{Name: "f.go#ping"}, To: "nothing"},
		Request{Target: locate.Target{Name: "main"}, To: "b.ts#add"},
		Request{Target: locate.Target{Name: "main"}, To: "a.py#measure"},
		Request{Target: locate.Target{Name: "main"}, To: "nothing"},
		Request{Target: locate.Target{Name: "wrok"}},
		Request{Target: locate.Target{Name: "f.go#wrok"}},
		Request{Target: locate.Target{Name: "x"}, Direction: "caller"},
		Request{Target: locate.Target{Name: "x"}, Depth: 6},
		Request{Target: locate.Target{Name: "x"}, To: "y", Depth: 2},
		Request{},
	)
	var b strings.Builder
	for i := range requests {
		fmt.Fprintf(&b, "## %s\n%s", asked(&requests[i]), answered(x, requests[i]))
	}
	compare(t, "testdata/calls.golden", b.String())
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), got); diff != "" {
		t.Errorf("answers differ (-want +got):\n%s", diff)
	}
}

func archive(t testing.TB, file string) map[string][]byte {
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

func index(t testing.TB, files map[string][]byte) *locate.Index {
	t.Helper()
	x, err := locate.New([]corpus.Part{factstest.Part(t, files)})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// asked writes a request as a line.
func asked(r *Request) string {
	words := []string{cmp.Or(r.Name, fmt.Sprintf("%s:%d:%d", r.Path, r.Line, r.Column)), string(r.Direction)}
	for _, w := range []struct {
		name  string
		value any
		unset any
	}{{"depth", r.Depth, 0}, {"to", r.To, ""}, {"possible", r.Possible, false}, {"scope", r.Scope, code.Scope("")}, {"limit", r.Limit, 0}, {"offset", r.Offset, 0}} {
		if w.value != w.unset {
			words = append(words, fmt.Sprintf("%s=%v", w.name, w.value))
		}
	}
	return strings.Join(words, " ")
}

// answered writes an answer, a line a step.
func answered(x *locate.Index, r Request) string {
	a, err := find(x, r)
	if err != nil {
		var refused *usage.Error
		if !errors.As(err, &refused) {
			return fmt.Sprintf("error: %v\n", err)
		}
		return fmt.Sprintf("refused: %s %q: %s; %s\n", refused.Arg, refused.Value, refused.Msg, refused.Hint)
	}
	var b strings.Builder
	for i := range a.Steps {
		b.WriteString(written(&a.Steps[i]))
	}
	for _, c := range a.Candidates {
		fmt.Fprintf(&b, "which %s: %s\n", a.Unclear, c.ID)
	}
	if a.Namesakes > 0 {
		fmt.Fprintf(&b, "%d namesakes\n", a.Namesakes)
	}
	if len(a.Through) > 0 {
		fmt.Fprintf(&b, "below %s\n", strings.Join(a.Through, ", "))
	}
	fmt.Fprintf(&b, "%d steps, %d direct, %d symbols", a.Total, a.Direct, a.Symbol)
	for _, n := range []struct {
		name string
		n    int
	}{{"possible", a.Possible}, {"unknown", a.Unknown}, {"members", a.Members}, {"left", a.Left}} {
		if n.n > 0 {
			fmt.Fprintf(&b, ", %d %s", n.n, n.name)
		}
	}
	if a.Reverse {
		b.WriteString(", the other way round")
	}
	if len(a.Near) > 0 {
		fmt.Fprintf(&b, ", near %s", a.Near)
	}
	return b.String() + "\n"
}

func written(s *Step) string {
	line := fmt.Sprintf("%s%s %s at %s:%d", strings.Repeat("  ", s.Depth), s.Relation, s.ID, s.At.Path, s.At.Line)
	if s.Confidence != facts.Certain {
		line += fmt.Sprintf(" %s: %s", s.Confidence, s.Reason)
	}
	if s.Among > 1 {
		line += fmt.Sprintf(", 1 of %d", s.Among)
	}
	if s.Times > 1 {
		line += fmt.Sprintf(", %d times", s.Times)
	}
	if s.Again {
		line += ", again"
	}
	if s.Cycle {
		line += ", cycle"
	}
	return line + "\n"
}

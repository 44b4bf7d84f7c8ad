package similar

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"espy/internal/filter"
	"espy/internal/lang"
	"espy/internal/proof"
	"espy/internal/sample"
	"espy/internal/segment"
	"espy/internal/similar/shingle"
	"espy/internal/store"
)

// function is a function of a real tree.
type function struct {
	path        string
	first, last int // lines
	text        string
}

// functions returns functions of Go's own source, of 10 to 80 lines, in an order
// that a seed makes.
func functions(t *testing.T, files map[string]string) (all []function) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, files[path], 0)
		if err != nil || !strings.HasSuffix(path, ".go") {
			continue
		}
		for _, d := range file.Decls {
			if _, ok := d.(*ast.FuncDecl); ok {
				from, to := set.Position(d.Pos()), set.Position(d.End())
				if n := to.Line - from.Line; n >= 10 && n < 80 {
					all = append(all, function{path, from.Line, to.Line, files[path][from.Offset:to.Offset]})
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(7, 1))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// edits are ways to change a function, with lines of another.
var edits = []struct {
	name  string
	least float64 // share of the functions that are found first
	edit  func(f, other function, r *rand.Rand) string
}{
	{"reformatted", 1, func(f, _ function, r *rand.Rand) string {
		return rewrite(f, func(_ shingle.Token, word string) string { return word + []string{" ", "\n", " \n\t"}[r.IntN(3)] }, "")
	}},
	{"a half", 0.97, func(f, _ function, r *rand.Rand) string {
		lines := strings.SplitAfter(f.text, "\n")
		return strings.Join(lines[len(lines)/4:3*len(lines)/4], "")
	}},
	{"lines left out", 0.9, func(f, _ function, r *rand.Rand) string {
		return eachLine(f, func(i int, line string) string {
			if i > 0 && r.IntN(4) == 0 {
				return ""
			}
			return line
		})
	}},
	{"lines put in", 0.9, func(f, other function, r *rand.Rand) string {
		more := strings.SplitAfter(other.text, "\n")
		return eachLine(f, func(_ int, line string) string {
			if r.IntN(4) == 0 {
				return line + more[r.IntN(len(more))]
			}
			return line
		})
	}},
	{"lines moved", 0.9, func(f, _ function, r *rand.Rand) string {
		lines := strings.SplitAfter(f.text, "\n")
		for i := 1; i+2 < len(lines); i += 2 {
			if r.IntN(3) == 0 {
				lines[i], lines[i+1] = lines[i+1], lines[i]
			}
		}
		return strings.Join(lines, "")
	}},
	{"half of the names changed", 0.9, func(f, _ function, r *rand.Rand) string { return renamed(f, 2, r) }},
	{"every name changed", 0.7, func(f, _ function, r *rand.Rand) string { return renamed(f, 1, r) }},
}

func eachLine(f function, edit func(i int, line string) string) string {
	var b strings.Builder
	for i, line := range strings.SplitAfter(f.text, "\n") {
		b.WriteString(edit(i, line))
	}
	return b.String()
}

// rewrite writes the tokens of a function as edit gives them.
func rewrite(f function, edit func(t shingle.Token, word string) string, sep string) string {
	golang, _ := lang.ByName("go")
	var b strings.Builder
	for _, t := range shingle.Tokens(golang, []byte(f.text), 1) {
		b.WriteString(edit(t, f.text[t.Start:t.End]) + sep)
	}
	return b.String()
}

// renamed changes one in n names of a function throughout.
func renamed(f function, n int, r *rand.Rand) string {
	names := map[string]string{}
	return rewrite(f, func(t shingle.Token, word string) string {
		if t.Kind != shingle.Name {
			return word
		}
		if names[word] == "" {
			names[word] = word
			if r.IntN(n) == 0 {
				names[word] = fmt.Sprintf("zq%dx", len(names))
			}
		}
		return names[word]
	}, " ")
}

// answered returns what is found in the chunks that choose returns.
func answered(t *testing.T, s *store.Snapshot, req Request, choose func(*filter.Filter, *asked) (chosen, error)) (places []found) {
	t.Helper()
	q, err := Compile(req)
	if err != nil {
		t.Fatal(err)
	}
	f, err := q.rules.Over([]*store.Snapshot{s})
	if err != nil {
		t.Fatal(err)
	}
	err = segment.Guard(func() error {
		a, err := codeOf(&q.Request, s)
		if err != nil {
			return err
		}
		in, err := choose(f, a)
		if err != nil {
			return err
		}
		res, err := compare(t.Context(), f, a, in)
		places = res.places
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return places
}

// byWords chooses the chunks that are likeliest by their words.
func byWords(f *filter.Filter, a *asked) (chosen, error) {
	w, err := weigh(f, a.text)
	if err != nil {
		return chosen{}, err
	}
	list, err := w.likeliest(context.Background(), f, nil)
	return chosen{list: list}, err
}

// every chooses all chunks.
func every(f *filter.Filter, _ *asked) (chosen, error) {
	var list []candidate
	for i, s := range f.Segments {
		for c := range s.NumChunks() {
			list = append(list, candidate{seg: i, chunk: c})
		}
	}
	return chosen{list: list, all: true}, nil
}

// TestEdits holds that functions of a real tree are found first by edited copies
// of them.
func TestEdits(t *testing.T) {
	t.Parallel()
	files := sample.GoSources(t)
	snap := sample.GoSnapshot(t)[0]
	all := functions(t, files)
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 9))
			first := 0
			n := proof.Rounds(24)
			for i, f := range all[:n] {
				places := answered(t, snap, Request{Snippet: e.edit(f, all[n+i], r)}, byWords)
				at := slices.IndexFunc(places, func(p found) bool { return p.path == f.path && p.first <= f.last && p.last >= f.first })
				if at >= 0 && places[at].score == places[0].score {
					first++
				} else if testing.Verbose() {
					t.Logf("%s:%d-%d is place %d of %d", f.path, f.first, f.last, at+1, len(places))
				}
			}
			if share := float64(first) / float64(n); share < e.least && !proof.Race {
				t.Errorf("%.3f of the functions are found first, want %.3f", share, e.least)
			}
		})
	}
}

// TestMissed holds that choosing chunks by their words loses little of what a
// comparison with every chunk finds.
func TestMissed(t *testing.T) {
	t.Parallel()
	snap := sample.GoSnapshot(t)[0]
	sum, lost := 0, 0
	for _, f := range functions(t, sample.GoSources(t))[:proof.Rounds(12)] {
		t.Run(fmt.Sprintf("%s:%d", f.path, f.first), func(t *testing.T) {
			req := Request{Place: &Place{Path: f.path, First: f.first, Last: f.last}}
			some, all := answered(t, snap, req, byWords), answered(t, snap, req, every)
			for _, p := range all {
				same := func(q found) bool { return q.path == p.path && q.first <= p.last && q.last >= p.first }
				if p.score < 0.5 || slices.ContainsFunc(some, same) {
					continue
				}
				if lost++; p.grade == Same || p.score > 0.6 {
					t.Errorf("missed %s:%d-%d, %s, score %.2f", p.path, p.first, p.last, p.grade, p.score)
				}
			}
			sum += len(all)
		})
	}
	if sum == 0 || 20*lost > sum {
		t.Errorf("%d of %d places were missed", lost, sum)
	}
}

package include

import (
	"slices"
	"sync/atomic"
	"testing"

	"espy/internal/resolve/corpus"
)

// TestIncludes holds that headers in a circle are all reached, and that the lines
// of each file are looked up once, however many files include it.
func TestIncludes(t *testing.T) {
	const headers, sources = 300, 1000
	looked := 0
	i := New(&Lines{files: make([]atomic.Pointer[[]corpus.FileID], headers+sources)}, func(id corpus.FileID) []corpus.FileID {
		looked++
		if id < headers { // each includes the next, and the last one the first
			return []corpus.FileID{(id + 1) % headers, id}
		}
		return []corpus.FileID{id % headers}
	})
	for id := range corpus.FileID(headers + sources) {
		got := i.reachable(id)
		want := headers
		if id >= headers {
			want++
		}
		if len(got) != want || !slices.IsSorted(got) || !contains(got, id) || contains(got, headers+sources) {
			t.Fatalf("file %d reaches %d files, want %d", id, len(got), want)
		}
	}
	if looked != headers+sources {
		t.Errorf("the lines of %d files were looked up for %d files", looked, headers+sources)
	}
}

// TestReach holds that what a name's declarations are reached from does not depend on
// whether few files ask or many, in circles that lead into one another.
func TestReach(t *testing.T) {
	const files = 200
	lines := func(id corpus.FileID) []corpus.FileID {
		all := []corpus.FileID{(id*7 + 3) % files, id / 2}
		if id%5 == 0 {
			all = append(all, id+4, (id+101)%files)
		}
		if id%3 == 0 {
			return all[1:]
		}
		return all
	}
	include := func() *Graph {
		return New(&Lines{files: make([]atomic.Pointer[[]corpus.FileID], files+8)}, func(id corpus.FileID) []corpus.FileID {
			if id >= files {
				return nil
			}
			return lines(id)
		})
	}
	few := []corpus.Ref{{File: 3}, {File: 3, Index: 1}, {File: 17}, {File: 90}, {File: 131}, {File: 199}, {File: 203}}
	var most []corpus.Ref
	for id := range corpus.FileID(files) {
		if id%8 != 3 {
			most = append(most, corpus.Ref{File: id})
		}
	}
	for _, declared := range [][]corpus.Ref{few, most} {
		many := include()
		for id := range corpus.FileID(files) {
			got, want := many.Sight(id, "name", declared), include().Sight(id, "name", declared)
			for _, d := range declared {
				if got.Has(d.File) != want.Has(d.File) {
					t.Errorf("file %d reaches %d: %v after others, %v first", id, d.File, got.Has(d.File), want.Has(d.File))
				}
			}
		}
		if many.named["name"] == nil {
			t.Errorf("every file was gone through by itself for %d declarations", len(declared))
		}
	}
}

// TestOnce finds what a file sees of a name once for all uses in it, and widens it once.
func TestOnce(t *testing.T) {
	g, found, widened := New(&Lines{}, nil), 0, 0
	find := func() []corpus.Ref { found++; return []corpus.Ref{{File: 1}, {File: 2}} }
	widen := func(refs []corpus.Ref) []corpus.Ref { widened++; return append(slices.Clip(refs), corpus.Ref{File: 9}) }
	for _, use := range []struct {
		file           corpus.FileID
		name           string
		found, widened int
	}{{7, "a", 1, 1}, {7, "a", 1, 1}, {7, "b", 2, 2}, {8, "b", 3, 3}, {8, "b", 3, 3}} {
		s := g.Once(use.file, use.name, find)
		if got := s.Widened(s.Refs, widen); len(got) != 3 || found != use.found || widened != use.widened {
			t.Errorf("%s in file %d: %v, found %d times, widened %d times; want %d and %d", use.name, use.file, got, found, widened, use.found, use.widened)
		}
	}
	s := g.Once(8, "b", find)
	if got := s.Widened(s.Refs[:1], widen); len(got) != 2 {
		t.Errorf("one of two widened: %v", got)
	}
}

// TestUnion holds that groups are joined in their order, and that the same ones are
// joined once.
func TestUnion(t *testing.T) {
	g := New(&Lines{}, nil)
	a := []corpus.Ref{{File: 1}, {File: 3}, {File: 3, Index: 2}}
	b := []corpus.Ref{{File: 0}, {File: 3}, {File: 4}}
	for _, tt := range []struct {
		groups [][]corpus.Ref
		want   []corpus.Ref
	}{
		{nil, nil},
		{[][]corpus.Ref{a}, a},
		{[][]corpus.Ref{a, b}, []corpus.Ref{{File: 1}, {File: 3}, {File: 3, Index: 2}, {File: 0}, {File: 4}}},
		{[][]corpus.Ref{b, a}, []corpus.Ref{{File: 0}, {File: 3}, {File: 4}, {File: 1}, {File: 3, Index: 2}}},
	} {
		got := g.Union(tt.groups)
		if !slices.Equal(got, tt.want) || !isSame(got, g.Union(tt.groups)) {
			t.Errorf("union of %v is %v, want %v, once", tt.groups, got, tt.want)
		}
	}
	for i := range corpus.FileID(2 * maxUnions) {
		g.Union([][]corpus.Ref{a, {{File: i + 5}}})
	}
	if len(g.unions) > maxUnions {
		t.Errorf("%d unions are kept", len(g.unions))
	}
}

package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/sample"
	"espy/internal/segment"
	"espy/internal/store"
)

// of returns the corpus of all files of snapshots.
func of(t *testing.T, snaps ...*store.Snapshot) *Corpus {
	t.Helper()
	r, err := filter.Compile(&hit.Request{}, query.Filters{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Over(snaps)
	if err != nil {
		t.Fatal(err)
	}
	return New(f)
}

// bury takes the files of the paths out of a snapshot.
func bury(t *testing.T, s *store.Snapshot, paths ...string) {
	t.Helper()
	for i := range s.Segments {
		l := &s.Segments[i]
		for _, p := range paths {
			if f, ok := l.FindPath(p); ok {
				if l.Live.Live == nil {
					l.Live.Live = segment.NewBitmap(l.NumFiles())
				}
				l.Live.Live.Clear(f)
			}
		}
	}
}

func shopFiles() (map[string]string, map[string]string) {
	return map[string]string{
			"cart/cart.go":   "package cart\n\n// Cart holds items.\ntype Cart struct{ size int }\n\nfunc (c *Cart) Add() {}\n\nfunc add() {}\n",
			"cart/dead.go":   "package cart\n\nfunc Add() {}\n\nfunc Gone() {}\n",
			"order/order.go": "package order\n\ntype Order struct{}\n\nfunc (o *Order) Add() {}\n",
		}, map[string]string{
			"text/a.txt": "the quick brown fox\nquick fox, brown fox: the quick brown fox\n",
			"text/b.txt": "brown quick\nfox\n",
			"text/c.txt": strings.Repeat("filler\n", 2000) + "quick\n\nBrown  Fox\n",
		}
}

func shop(t *testing.T) *store.Snapshot {
	a, b := shopFiles()
	s := sample.Repository(t, "shop", a, b)
	bury(t, s, "cart/dead.go")
	return s
}

func TestPhrase(t *testing.T) {
	in := of(t, shop(t))
	for _, c := range []struct{ terms, want string }{
		{"quick brown fox", "text/a.txt@1 text/a.txt@9 text/c.txt@2000"},
		{"quick", "text/a.txt@1 text/a.txt@4 text/a.txt@9 text/b.txt@1 text/c.txt@2000"},
		{"brown quick", "text/b.txt@0"},
		{"quick fox", "text/a.txt@4 text/b.txt@1"},
		{"fox quick", "text/a.txt@3"}, // across lines
		{"quick zebra", ""},
	} {
		t.Run(c.terms, func(t *testing.T) {
			var got []string
			for _, s := range in.Segments {
				found, err := s.Phrase(strings.Fields(c.terms))
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range found {
					got = append(got, fmt.Sprintf("%s@%d", s.Path(int(o.File)), o.Position))
					if of := s.FileOf(int(o.Chunk)); of != int(o.File) {
						t.Errorf("chunk %d is of file %d, not %d", o.Chunk, of, o.File)
					}
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

func TestDefinitions(t *testing.T) {
	in := of(t, shop(t))
	for _, c := range []struct {
		name, want string
		folded     bool
	}{
		{"Add", "cart/cart.go:6 order/order.go:5", false},
		{"add", "cart/cart.go:8", false},
		{"ADD", "cart/cart.go:6 cart/cart.go:8 order/order.go:5", true},
		{"Gone", "", true}, // in a dead file alone
		{"zebra", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, folded, err := in.Definitions(c.name)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, s := range in.Segments {
				for _, d := range found[i] {
					info := s.Definition(d)
					got = append(got, fmt.Sprintf("%s:%d", s.Path(info.File), info.Line))
				}
			}
			if strings.Join(got, " ") != c.want || folded != c.folded {
				t.Errorf("found %q, folded %v, want %q, %v", got, folded, c.want, c.folded)
			}
		})
	}
}

func TestKnows(t *testing.T) {
	in := of(t, shop(t))
	for name, want := range map[string]bool{"Cart": true, "cart": true, "ORDER": true, "Gone": false, "fox": true, "zebra": false} {
		t.Run(name, func(t *testing.T) {
			if got, err := in.Knows(name); got != want || err != nil {
				t.Errorf("known %v, error %v, want %v", got, err, want)
			}
		})
	}
}

func TestDeclarations(t *testing.T) {
	a, _ := shopFiles()
	bare, parsed := shop(t), sample.Parsed(t, sample.Repository(t, "shop", a))
	bury(t, parsed, "cart/dead.go")
	for _, c := range []struct {
		name             string
		outlined, parsed string
	}{
		{"Add", "cart/cart.go:6 order/order.go:5", "cart/cart.go:6 order/order.go:5"},
		{"Cart.Add", "cart/cart.go:6", "cart/cart.go:6"},
		{"cart.Add", "cart/cart.go:6", ""}, // a method is not of its package
		{"Order::Add", "order/order.go:5", "order/order.go:5"},
		{"cart/cart.go#Cart.Add", "cart/cart.go:6", "cart/cart.go:6"},
		{"order/order.go#Cart.Add", "cart/cart.go:6", ""}, // the outline has names alone
		{"cart/cart.go#Cart.Add~2", "cart/cart.go:6", ""},
		{"Cart.size", "", "cart/cart.go:4"},
		{"CART", "cart/cart.go:4 folded", "cart/cart.go:4 folded"},
		{"Gone", "", ""},
		{"", "", ""},
	} {
		for _, s := range []struct {
			by   string
			snap *store.Snapshot
			want string
		}{{"outline", bare, c.outlined}, {"syntax", parsed, c.parsed}} {
			t.Run(fmt.Sprintf("%s by %s", c.name, s.by), func(t *testing.T) {
				found, folded, err := of(t, s.snap).Declarations(c.name)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, d := range found {
					got = append(got, fmt.Sprintf("%s:%d", d.Segment.Path(d.File), d.Line))
				}
				slices.Sort(got)
				if folded && len(got) > 0 {
					got = append(got, "folded")
				}
				if strings.Join(got, " ") != s.want {
					t.Errorf("found %q, want %q", got, s.want)
				}
			})
		}
	}
}

func TestChunks(t *testing.T) {
	in := of(t, shop(t))
	if n, err := in.ChunksWith("add"); n != 2 || err != nil {
		t.Errorf("%d chunks with add, error %v, want those of the 2 live files", n, err)
	}
	if in.Files != 5 {
		t.Errorf("%d files, want 5 live ones", in.Files)
	}
	s := in.Segments[1]
	file, _ := s.FindPath("text/c.txt")
	first, end := s.ChunksOf(file)
	if end-first < 2 {
		t.Fatalf("%d chunks: the test needs several", end-first)
	}
	for line, want := range map[int]int{1: first, 2003: end - 1, 2004: -1, 0: -1} {
		t.Run(fmt.Sprintf("line %d", line), func(t *testing.T) {
			if got := s.ChunkAt(file, line); got != want {
				t.Errorf("in chunk %d, want %d", got, want)
			}
		})
	}
}

func TestPlacesInOrder(t *testing.T) {
	a, b := shopFiles()
	in := of(t, sample.Repository(t, "b", b), sample.Repository(t, "a", a, b))
	type place struct {
		s    *Segment
		file int
	}
	var all []place
	for _, s := range in.Segments {
		for f := range s.NumFiles() {
			all = append(all, place{s, f})
		}
	}
	slices.SortFunc(all, func(p, q place) int { return ComparePlaces(p.s, p.file, q.s, q.file) })
	var got []string
	for _, p := range all {
		got = append(got, p.s.Repo+":"+p.s.Path(p.file))
	}
	if !slices.IsSorted(got) {
		t.Errorf("order %q", got)
	}
}

// TestJoined holds that two words make up a name where code writes them as one, and that
// a word which is mostly written in one piece is one.
func TestJoined(t *testing.T) {
	files := map[string]string{"a.go": "package p\n\nvar slabAlloc, rw_lock, comMand int\n"}
	for i := range 10 {
		files[fmt.Sprintf("b%d.go", i)] = "package p\n\n// command\n"
	}
	in := of(t, sample.Repository(t, "joined", files))
	for words, want := range map[string]bool{"slab alloc": true, "rw lock": true, "com mand": false, "slab lock": false} {
		first, second, _ := strings.Cut(words, " ")
		if got := in.Joined(first, second); got != want {
			t.Errorf("%s are joined: %v, want %v", words, got, want)
		}
	}
}

package ranked

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/rank"
	"espy/internal/ranked/clue"
	"espy/internal/ranked/corpus"
	"espy/internal/ranked/score"
	"espy/internal/sample"
	"espy/internal/store"
)

// shop is a repository with a file for every finder.
func shop(t *testing.T) *store.Snapshot {
	long := strings.Repeat("// one more line about shelves\n", 200)
	return sample.Repository(t, "shop", map[string]string{
		"cart/cart.go":  "package cart\n\ntype Cart struct{ size int }\n\nfunc (c *Cart) Add() {}\n\nvar cartSize = 1\n",
		"order/cart.go": "package order\n\nfunc cart() {}\n\n" + long + "func Last() {}\n",
		"stock/room.go": "package stock\n\n" + long + "var errTake = \"cannot take items from shelf now\"\n",
	}, map[string]string{
		"old/cart/cart.go": "package cart\n\nfunc Cart() {}\n",
		"main.go":          "package main\n\nfunc main() { Add() }\n",
	})
}

// foundIn runs the finders for a text and prints the clues to each file: signal
// and value, how much it wants its chunk shown and the line of it.
func foundIn(t *testing.T, snap *store.Snapshot, text string) string {
	t.Helper()
	asked, in := asked(t, snap, text)
	all, _, err := find(asked, in)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, s := range in.Segments {
		for file := range s.NumFiles() {
			for c := range all[i].Of(file) {
				line := c.Line
				if c.Chunk >= 0 {
					line = int(s.Chunk(c.Chunk).StartLine)
				}
				signal := "-"
				if c.Signal != clue.NoSignal {
					signal = c.Signal.String()
				}
				if !c.Strong {
					t.Errorf("%s: a clue of a finder that is not strong", s.Path(file))
				}
				out = append(out, fmt.Sprintf("%s %s %.2f %d:%d", s.Path(file), signal, c.Value, c.Shows, line))
			}
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func asked(t *testing.T, snap *store.Snapshot, text string) (*question, *corpus.Corpus) {
	t.Helper()
	q, err := New(hit.Request{Query: text})
	if err != nil {
		t.Fatal(err)
	}
	r, err := filter.Compile(&q.req, q.Filters())
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Over([]*store.Snapshot{snap})
	if err != nil {
		t.Fatal(err)
	}
	in := corpus.New(f)
	asked, _, err := understand(q.query, in, f.Snaps)
	if err != nil {
		t.Fatal(err)
	}
	return asked, in
}

func TestFinders(t *testing.T) {
	snap := shop(t)
	for _, c := range []struct{ name, query, want string }{
		{"nothing", "shelves of items", ""},
		{"a name", "where is Cart", "cart/cart.go exact name 0.50 0:1; old/cart/cart.go exact name 0.40 0:1"},
		{"a place of two files", "see cart.go", "cart/cart.go mentioned 0.40 0:0; old/cart/cart.go mentioned 0.40 0:0; order/cart.go exact name 0.80 2:1; order/cart.go mentioned 0.40 0:0"},
		{"a folder and a name", "see cart/cart.go:5", "cart/cart.go mentioned 1.00 6:5; old/cart/cart.go mentioned 1.00 6:5; order/cart.go exact name 0.80 2:1"},
		{"a folder of another machine", "/home/me/cart/cart.go:5", "cart/cart.go - 1.00 6:5; cart/cart.go mentioned 1.00 6:5; old/cart/cart.go - 1.00 6:5; old/cart/cart.go mentioned 0.70 6:5; order/cart.go exact name 0.80 2:1"},
		{"the function of a frame", "at Last (/home/me/order/cart.go:3)", "order/cart.go - 1.00 6:205; order/cart.go exact name 0.80 2:1; order/cart.go mentioned 1.00 6:3"},
		{"half a path", "lib/cart/cart.go", "cart/cart.go mentioned 1.00 0:0; old/cart/cart.go mentioned 0.70 0:0; order/cart.go exact name 0.80 2:1"},
		{"a name in another folder", "tools/main.go", "main.go exact name 0.80 2:1; main.go mentioned 1.00 0:0"},
		{"a name alone", "tools/room.go", "stock/room.go mentioned 0.40 0:0"},
		{"name and folder", "a/stock/room.go", "stock/room.go mentioned 1.00 0:0"},
		{"name and folder of a longer path", "new/cart/cart.go", "cart/cart.go mentioned 1.00 0:0; old/cart/cart.go mentioned 0.70 0:0; order/cart.go exact name 0.80 2:1"},
		{"places in order", "main.go:3 and room.go:1", "main.go exact name 0.80 2:1; main.go mentioned 1.00 6:3; stock/room.go mentioned 0.95 6:1"},
		{"places of a traceback", "most recent call last: main.go:3 and room.go:1", "main.go exact name 0.80 2:1; main.go mentioned 0.95 6:3; stock/room.go mentioned 1.00 6:1"},
		{"a message", "error: cannot take items from shelf 7", "stock/room.go - 4.70 5:203; stock/room.go quoted 0.75 4:194"},
		{"half a message", "error: cannot take items", "stock/room.go quoted 0.25 0:194"},
		{"a message without a prefix", "cannot take items from shelf 7", "stock/room.go - 4.70 5:203"},
		{"no message", "cannot take these items off a shelf", ""},
		{"a declaration", "Last", "order/cart.go - 0.50 3:205; order/cart.go exact name 0.80 2:197"},
		{"a declaration in another case", "last", "order/cart.go exact name 0.48 2:197"},
		{"a variable in small letters", "cartsize", "cart/cart.go exact name 0.27 0:1"},
		{"a variable", "cartSize", "cart/cart.go - 0.25 3:7; cart/cart.go exact name 0.45 0:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := foundIn(t, snap, c.query); got != c.want {
				t.Errorf("found %s\nwant  %s", got, c.want)
			}
		})
	}
}

func TestRespell(t *testing.T) {
	snap := sample.Repository(t, "shop", map[string]string{
		"a.go": "package a\n\nfunc sumPrices() {}\n\nfunc sumPrizes() {}\n\nfunc sumPrides() {}\n\nfunc addItem() {}\n\nfunc open() {}\n\nfunc showCart() {}\n",
	})
	for _, c := range []struct{ query, want string }{
		{"sumPrices", "sumPrices 1"},
		{"sumPribes", "sumPribes 1, sumPrices 0.8, sumPrides 0.8"}, // two of three
		{"oPn", "oPn 1"},                       // short
		{"Addltem in the list", "Addltem 0.3"}, // not sure to be a name
		{"addItm sumPribes shwCart", "addItm 1, sumPribes 1, shwCart 1, addItem 0.8, sumPrices 0.8, sumPrides 0.8"}, // two of three names
	} {
		t.Run(c.query, func(t *testing.T) {
			q, _ := asked(t, snap, c.query)
			var got []string
			for _, n := range q.words.Names {
				got = append(got, fmt.Sprint(n.Text, " ", n.Weight))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("names %s, want %s", strings.Join(got, ", "), c.want)
			}
		})
	}
}

// TestStrong holds that a clue makes its file a candidate, whatever its words
// score.
func TestStrong(t *testing.T) {
	asked, in := asked(t, shop(t), "error: cannot take items from shelf 7")
	found, _, err := find(asked, in)
	if err != nil {
		t.Fatal(err)
	}
	scores, _, err := score.Run(t.Context(), in, asked.words.Terms, score.Ways{Early: asked.isPlain(), Whole: score.WholeLong})
	if err != nil {
		t.Fatal(err)
	}
	defer scores.Release()
	chosen, _, err := choose(asked.root, scores, found)
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(findings{asked: asked, scores: scores, clues: found, chosen: chosen}, rank.Default())
	defer j.release()
	var got []string
	for i := range j.parts {
		for file := range j.strongOf(&j.parts[i], nil, nil).All() {
			got = append(got, j.parts[i].seg.Path(file))
		}
	}
	if strings.Join(got, " ") != "stock/room.go" {
		t.Errorf("strong are %q, want the file with the quote", got)
	}
}

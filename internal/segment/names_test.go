package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/nearest"
	"espy/internal/token"
)

// namesFile is a file that defines names, one on each line.
func namesFile(path string, names ...string) *File {
	text := strings.Join(names, "\n") + "\n"
	f := &File{
		Path: path, Size: int64(len(text)), Text: []byte(text),
		Chunks: []code.Chunk{{End: uint32(len(text)), StartLine: 1, EndLine: uint32(len(names))}},
	}
	for i, n := range names {
		f.Definitions = append(f.Definitions, code.Definition{Name: n, Kind: code.KindFunc, Line: uint32(i + 1)})
	}
	return f
}

// randomNames returns some names, many of them near to each other, and the terms
// of them and of the compounds in them, in order.
func randomNames(r *rand.Rand, n int) (names, terms []string) {
	for range n {
		b := []byte([]string{"a", "ab", "open", "Open_", "é", "x", "longer_and_longer_still_", "of two "}[r.IntN(8)])
		for range r.IntN(12) {
			b = append(b, "abyzXY_09"[r.IntN(9)])
		}
		names = append(names, string(b))
		terms = append(terms, token.Name(string(b)))
		for _, w := range token.Words(string(b)) {
			if w.Compound != "" {
				terms = append(terms, w.Compound)
			}
		}
	}
	slices.Sort(terms)
	return names, slices.Compact(terms)
}

// TestNearNames holds that no near name is missing, and that most others are.
func TestNearNames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	names, terms := randomNames(rnd, 3000)
	r := open(t, build(t, []*File{namesFile("a", names...)}))
	all, visited, wanted := 0, 0, 0
	for range 300 {
		word := strings.ToLower(names[rnd.IntN(len(names))])
		if i := rnd.IntN(len(word)); i > 0 {
			word = word[:i] + []string{"", "b", "q", "0y"}[rnd.IntN(4)] + word[min(len(word), i+rnd.IntN(3)):]
		}
		edits := rnd.IntN(5)
		var got []string
		if err := r.NearNames(word, edits, func(term []byte) { got = append(got, string(term)) }); err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		for _, term := range terms {
			_, found := slices.BinarySearch(got, term)
			near := term[1] == word[0] && nearest.Distance(term[1:], word) <= edits
			if near && !found || found && term[1] != word[0] {
				t.Fatalf("NearNames(%q, %d) visits %q: %v", word, edits, term, found)
			}
			if near {
				wanted++
			}
		}
		all, visited = all+len(terms), visited+len(got)
	}
	if wanted < 300 || visited > all/10 {
		t.Errorf("%d names near, %d visited of %d: want many near and few others", wanted, visited, all)
	}
	if err := r.NearNames("", 3, func(term []byte) { t.Errorf("%q is near to nothing", term) }); err != nil {
		t.Error(err)
	}
}

func TestLongerNames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	names, terms := randomNames(rnd, 3000)
	r := open(t, build(t, []*File{namesFile("a", names...)}))
	for _, word := range []string{"a", "ab", "open", "open_x", "é", "longer_and_longer", "of two", "b", "zz", "\xff", "", strings.Repeat("z", 1000)} {
		t.Run(fmt.Sprintf("%.40q", word), func(t *testing.T) {
			for _, least := range []int{0, len(word) + 1, 9, 500} {
				want := slices.DeleteFunc(slices.Clone(terms), func(term string) bool {
					return word == "" || !strings.HasPrefix(term[1:], word) || len(term)-1 < least
				})
				slices.SortStableFunc(want, func(a, b string) int { return len(a) - len(b) })
				for _, few := range []int{1, 7, len(terms)} {
					var got []string
					err := r.LongerNames(word, least, func(term []byte) bool {
						got = append(got, string(term))
						return len(got) < few
					})
					if few := want[:min(few, len(want))]; err != nil || !slices.Equal(got, few) {
						t.Fatalf("LongerNames(%q, %d) = %.200q, %v, want %.200q", word, least, got, err, few)
					}
				}
			}
		})
	}
}

func TestSpellings(t *testing.T) {
	r := open(t, build(t, []*File{
		namesFile("a", "openFile", "read", "openFile"),
		namesFile("b", "OpenFile", "openFile", "opening", "_read_"),
		namesFile("c", "How OpenFile works", "!!"),
	}))
	for _, c := range []struct {
		term string
		live Bitmap
		want []string
	}{
		{"=openfile", nil, []string{"openFile", "OpenFile"}},
		{"=openfile", Bitmap{1 << 1}, []string{"OpenFile", "openFile"}},
		{"=openfile", Bitmap{1 << 2}, nil}, // it only stands in another name
		{"=read", nil, []string{"read", "_read_"}},
		{"=read", Bitmap{1 << 0}, []string{"read"}},
		{"=opening", nil, []string{"opening"}},
		{"=opening", Bitmap{1 << 0}, nil},
		{"=how openfile works", nil, []string{"How OpenFile works"}},
		{"=!!", nil, []string{"!!"}},
		{"=works", nil, nil},
		{"open", nil, nil}, // of names, but none by itself
		{"", nil, nil},
	} {
		t.Run(fmt.Sprintf("%q, live %v", c.term, c.live), func(t *testing.T) {
			l := Live{Reader: r, Live: c.live}
			if got, err := l.Spellings(c.term); !slices.Equal(got, c.want) || err != nil {
				t.Errorf("Spellings(%q) with the files %b = %q, %v, want %q", c.term, c.live, got, err, c.want)
			}
		})
	}
}

// BenchmarkNearNames looks for names near to one in a part of a million, most of
// which begin alike.
func BenchmarkNearNames(b *testing.B) {
	var names []string
	rnd := rand.New(rand.NewPCG(9, 10))
	parts := []string{"server", "client", "handler", "request", "context", "buffer", "config", "value", "table", "index"}
	for i := range 1_000_000 {
		first := []string{"new", "get", "set", "is", "on"}[min(rnd.IntN(5), rnd.IntN(5))]
		names = append(names, fmt.Sprintf("%s_%s_%s%d", first, parts[rnd.IntN(10)], parts[rnd.IntN(10)], i))
	}
	builder := NewBuilder()
	for n := range slices.Chunk(names, 1000) {
		if err := builder.Add(namesFile(fmt.Sprintf("%07d", len(builder.files)), n...)); err != nil {
			b.Fatal(err)
		}
	}
	r := open(b, write(b, builder))
	for _, word := range []string{"new_servr_index", "new_sever_index1234", "on_value_table77"} {
		b.Run(word, func(b *testing.B) {
			visited := 0
			for b.Loop() {
				visited = 0
				r.NearNames(word, 1+len(word)/8, func([]byte) { visited++ })
			}
			b.ReportMetric(float64(visited), "names")
		})
	}
	b.Run("first asked", func(b *testing.B) {
		for b.Loop() {
			r.names['n'].Store(nil)
			r.namesFrom('n')
		}
	})
}

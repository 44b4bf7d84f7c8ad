package within

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/query"
	"espy/internal/ranked/corpus"
	"espy/internal/sample"
	"espy/internal/store"
)

// TestPlaces holds how a file is cut before its functions, with what stands above
// them, and which of its places speaks most of a text.
func TestPlaces(t *testing.T) {
	in := over(t, sample.Repository(t, "shop", map[string]string{
		"cart.py": "import shelf\n\n# lift lifts items off a shelf\n@counted\ndef lift_items(n):\n    return shelf.pop(n)\n\ndef put(n):\n    return shelf.push(n)\n",
	}))
	s := in.Segments[0]
	ranker := New([]Term{{"lift", 2, 2}, {"item", 1, 0}, {"shelf", 1, 0}, {"push", 3, 0}})
	places, err := ranker.Places(s, 0, chunksOf(s), func(int) float64 { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	byName := map[string]Place{}
	for _, p := range places {
		got = append(got, fmt.Sprintf("%s %d-%d %.1f", p.Name, p.Lines.StartLine, p.Lines.EndLine, p.Said))
		byName[p.Name] = p
	}
	if want := " 1-2 0.0; lift_items 3-7 1.0; put 8-9 0.0"; strings.Join(got, "; ") != want {
		t.Errorf("places %q, want %q", strings.Join(got, "; "), want)
	}
	lift, put := byName["lift_items"], byName["put"]
	t.Run("the text", func(t *testing.T) {
		if lift.Body <= byName[""].Body || put.Body <= byName[""].Body {
			t.Errorf("bodies %v, %v, want more than the import's %v", lift.Body, put.Body, byName[""].Body)
		}
	})
	t.Run("the title", func(t *testing.T) {
		if lift.Title <= 0 || put.Title != 0 {
			t.Errorf("titles %v and %v, want the first alone", lift.Title, put.Title)
		}
	})
}

// over returns a repository as what a query looks at.
func over(t *testing.T, snap *store.Snapshot) *corpus.Corpus {
	t.Helper()
	r, err := filter.Compile(&hit.Request{}, query.Filters{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Over([]*store.Snapshot{snap})
	if err != nil {
		t.Fatal(err)
	}
	return corpus.New(f)
}

func chunksOf(s *corpus.Segment) (all []int) {
	for c := range s.NumChunks() {
		all = append(all, c)
	}
	return all
}

// TestPlacesOfLongFunctions holds that a function is judged as a whole where several chunks
// have a part of it, that it stands for the chunk that is worth most, and that a method
// knows its type.
func TestPlacesOfLongFunctions(t *testing.T) {
	body := strings.Repeat("        self.shelf.count(self.items, 'and a long line of what is counted there')\n", 40)
	snap := sample.Repository(t, "shop", map[string]string{
		"shelf.py": "class Shelf:\n    def fill(self):\n" + body + "        self.lift()\n\n    def lift(self):\n        pass\n\nprint('done')\n",
	})
	s := over(t, snap).Segments[0]
	if s.NumChunks() < 3 {
		t.Fatalf("%d chunks", s.NumChunks())
	}
	places := func(shown int) map[string]Place {
		all, err := New([]Term{{"lift", 2, 0}, {"shelf", 1, 0}, {"shop", 1, 0}}).Places(s, 0, chunksOf(s), func(chunk int) float64 {
			if chunk == shown {
				return 2
			}
			return 1
		})
		if err != nil {
			t.Fatal(err)
		}
		byName := map[string]Place{}
		for _, p := range all {
			if _, ok := byName[p.Name]; ok {
				t.Errorf("two places of %q", p.Name)
			}
			byName[p.Name] = p
		}
		return byName
	}
	first, second := places(1)["fill"], places(2)["fill"]
	t.Run("place", func(t *testing.T) {
		if first.Chunk != 1 || second.Chunk != 2 {
			t.Errorf("chunks %d and %d", first.Chunk, second.Chunk)
		}
	})
	t.Run("whole", func(t *testing.T) {
		if first.First != 2 || first.Last < 43 || second.First != 2 || first.Words != second.Words || first.Body != second.Body || first.Words < 400 {
			t.Errorf("%+v and %+v", first, second)
		}
	})
	t.Run("type", func(t *testing.T) {
		if first.Type != "Shelf" || !first.Function || places(0)["Shelf"].Function {
			t.Errorf("%+v", first)
		}
	})
}

// TestTypes holds that a method is of the type that it is in, also behind a type that is
// nested in it, and that one which stands beside its type is of the last.
func TestTypes(t *testing.T) {
	pass := strings.Repeat("        self.shelf.count(self.items, 'and a long line of what is counted there')\n", 40)
	for _, c := range []struct{ path, text, want string }{
		{"a.py", "class Shelf:\n    class Meta:\n        def name(self):\n            return 1\n\n    def lift(self):\n        return 2\n\nclass Cart:\n    def put(self):\n        return 3\n",
			"Meta.name Shelf.lift Cart.put"},
		{"b.py", "class Shelf:\n    class Meta:\n        weight = 1\n\n    class Size:\n        def name(self):\n            return 1\n\n    def lift(self):\n" + pass + "\n    def put(self):\n        return 3\n",
			"Size.name Shelf.lift Shelf.put"},
		{"a.java", "class Shelf {\n  static class Meta {\n    int name() { return 1; }\n  }\n\n  int lift() { return 2; }\n}\n", "Meta.name Shelf.lift"},
		{"a.go", "package a\n\ntype Shelf struct {\n\tn int\n}\n\nfunc (s *Shelf) Lift() {\n\ttype local struct{ n int }\n}\n\nfunc (s *Shelf) Put() {}\n", "Shelf.Lift Shelf.Put"},
	} {
		t.Run(c.path, func(t *testing.T) {
			s := over(t, sample.Repository(t, "shop", map[string]string{c.path: c.text})).Segments[0]
			places, err := New(nil).Places(s, 0, chunksOf(s), func(int) float64 { return 0 })
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range places {
				if p.Function {
					got = append(got, p.Type+"."+p.Name)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestConstructors holds that a constructor is named by its type, half as much as by its
// own name, and no other method is.
func TestConstructors(t *testing.T) {
	for _, c := range []struct {
		p               Place
		name, typ, want float64
	}{
		{Place{Name: "__init__", Type: "Shelf"}, 0, 1, 0.5},
		{Place{Name: "constructor", Type: "Shelf"}, 0.5, 1, 0.75},
		{Place{Name: "__init__", Type: "Shelf"}, 1, 0.5, 1},
		{Place{Name: "init"}, 0.25, 1, 0.25},
		{Place{Name: "lift", Type: "Shelf"}, 0, 1, 0},
	} {
		t.Run(c.p.Type+"."+c.p.Name, func(t *testing.T) {
			if got := c.p.OfName(c.name, c.typ); got != c.want {
				t.Errorf("OfName(%v, %v) = %v, want %v", c.name, c.typ, got, c.want)
			}
		})
	}
	t.Run("of a file", func(t *testing.T) {
		s := over(t, sample.Repository(t, "shop", map[string]string{
			"cart.py": "class Shelf:\n    def __init__(self, n):\n        self.n = n\n\n    def lift(self):\n        return self.n\n",
		})).Segments[0]
		places, err := New([]Term{{"shelf", 1, 1}}).Places(s, 0, chunksOf(s), func(int) float64 { return 0 })
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			if want := map[string]float64{"Shelf": 1, "__init__": 0.5}[p.Name]; p.Said != want {
				t.Errorf("of %q the text says %v, want %v", p.Name, p.Said, want)
			}
		}
	})
}

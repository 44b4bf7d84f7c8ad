package segment

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestFrequency holds that the counts of chunks and files that hold a term are
// those of the live files alone, whichever these are.
func TestFrequency(t *testing.T) {
	files := randomFiles(11, 120)
	r := open(t, build(t, files))
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, dead := range []int{0, 1, 5, 60, 119, 120} {
		t.Run(fmt.Sprintf("%d dead", dead), func(t *testing.T) {
			live := NewBitmap(len(files))
			for _, i := range rnd.Perm(len(files))[:dead] {
				live.Clear(i)
			}
			l := Live{r, live}
			if dead == 0 {
				l.Live = nil
			}
			for term, want := range holders(recount(files), live) {
				found, ok, err := r.Lookup(term)
				if err != nil || !ok {
					t.Fatalf("Lookup(%q) = %t, %v", term, ok, err)
				}
				if chunks, n := l.Frequency(found); chunks != len(want.chunks) || n != len(want.files) {
					t.Errorf("%q is in %d chunks of %d files with %d files dead, want %d of %d", term, chunks, n, dead, len(want.chunks), len(want.files))
				}
			}
		})
	}
}

// held is where a term is among live files.
type held struct{ chunks, files map[int]bool }

// holders returns for each term of some files, live or not, where it is.
func holders(c content, live Bitmap) map[string]held {
	all := map[string]held{}
	add := func(term string, file int, chunks ...int) {
		h, ok := all[term]
		if !ok {
			h = held{map[int]bool{}, map[int]bool{}}
			all[term] = h
		}
		if !live.Has(file) {
			return
		}
		h.files[file] = true
		for _, chunk := range chunks {
			h.chunks[chunk] = true
		}
	}
	for term, places := range c.Body {
		for _, p := range places {
			add(term, c.Chunks[p.Number].File, int(p.Number))
		}
	}
	for term, places := range c.Symbols {
		for _, p := range places {
			d := c.Definitions[p.Number]
			add(term, d.File, d.Chunk)
		}
	}
	for term, places := range c.Paths {
		for _, p := range places {
			f := c.Files[p.Number]
			var chunks []int
			for i := range f.NumChunks {
				chunks = append(chunks, f.FirstChunk+i)
			}
			add(term, int(p.Number), chunks...)
		}
	}
	return all
}

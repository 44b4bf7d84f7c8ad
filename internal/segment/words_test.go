package segment

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"espy/internal/segment/dict"
	"espy/internal/token"
)

func TestWordTable(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "w%d %s%d %s%d ", i, strings.Repeat("x", i%20), i%500, strings.Repeat("y", 13+i%4), i%7)
	}
	text.WriteString("sixteen_letters_ sixteen_letters_x end")
	b := []byte(text.String())
	var table wordTable
	for range 2 {
		want := map[string]uint32{}
		for start, end := token.NextWord(b, 0); start < end; start, end = token.NextWord(b, end) {
			word := string(b[start:end])
			n, known := want[word]
			if !known {
				n = uint32(len(want))
				want[word] = n
			}
			if slot, fresh := table.find(wordKeyOf(b, start, end)); slot.number() != n || fresh == known {
				t.Fatalf("find(%q) = %d, new %v, want %d, %v", word, slot.number(), fresh, n, !known)
			}
		}
		table.reset()
	}
}

func TestTermTable(t *testing.T) {
	terms := []string{"", "\x00", "\x00\x00", "a", "a\x00", strings.Repeat("b", 14), strings.Repeat("b", 15), strings.Repeat("b", 16), strings.Repeat("c", dict.MaxTerm)}
	var table termTable
	for range 2 {
		for i, term := range terms {
			if id := table.id(term); id != uint32(i) || string(table.names.At(id)) != term {
				t.Errorf("id(%q) = %d of %q, want %d", term, id, table.names.At(id), i)
			}
		}
	}
}

func TestWordLog(t *testing.T) {
	var log wordLog
	var want, got []uint32
	for i := range uint32(200_000) {
		id := i * 7 % 90_000
		want = append(want, id)
		log.add(id)
	}
	log.each(func(id uint32) { got = append(got, id) })
	if !slices.Equal(got, want) {
		t.Errorf("the log reads back as %d numbers that differ from the %d added", len(got), len(want))
	}
}

// TestSortBounds holds that a part does not depend on how much is sorted at
// once, nor on what its builder held before.
func TestSortBounds(t *testing.T) {
	files := randomFiles(7, 100)
	want := build(t, files)
	b := NewBuilder()
	for _, n := range []int{500, 20_000} {
		t.Run(fmt.Sprintf("sorting %d at once", n), func(t *testing.T) {
			b.trigrams.logged, b.sorted = n, uint32(n)
			for _, f := range files {
				if err := b.Add(f); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(write(t, b), want) {
				t.Errorf("sorting %d at once gives another part", n)
			}
		})
	}
}

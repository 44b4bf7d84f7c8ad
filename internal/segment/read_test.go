package segment

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"espy/internal/code"
	"espy/internal/segment/pack"
)

func TestLookup(t *testing.T) {
	files := randomFiles(7, 80)
	want := recount(files)
	r := open(t, build(t, files))
	all := map[string]bool{}
	for _, m := range []map[string][]place{want.Body, want.Paths, want.Symbols} {
		for term := range m {
			all[term] = true
		}
	}
	for term := range all {
		got, ok, err := r.Lookup(term)
		if err != nil || !ok {
			t.Fatalf("Lookup(%q) = %t, %v", term, ok, err)
		}
		if got.BodyDF != len(want.Body[term]) || got.PathDF != len(want.Paths[term]) || got.SymbolDF != len(want.Symbols[term]) {
			t.Errorf("Lookup(%q) = %d %d %d postings, want %d %d %d", term,
				got.BodyDF, got.PathDF, got.SymbolDF, len(want.Body[term]), len(want.Paths[term]), len(want.Symbols[term]))
		}
		for _, absent := range []string{term + "\x00", term + "zz", term[:len(term)-1] + "\xff"} {
			if _, ok, err := r.Lookup(absent); ok != all[absent] || err != nil {
				t.Errorf("Lookup(%q) = %t, %v", absent, ok, err)
			}
		}
	}
	for _, absent := range []string{"", "!", "=", "\xff\xff", strings.Repeat("z", 1000)} {
		t.Run(fmt.Sprintf("%.40q", absent), func(t *testing.T) {
			if _, ok, err := r.Lookup(absent); ok || err != nil {
				t.Errorf("Lookup(%q) = %t, %v, want nothing", absent, ok, err)
			}
		})
	}
}

// TestSeek holds that after Seek the next block holds the first posting at or
// after the chunk, and that its positions are right in any order of asking.
func TestSeek(t *testing.T) {
	files := randomFiles(9, 150)
	want := recount(files)
	r := open(t, build(t, files))
	rnd := rand.New(rand.NewPCG(3, 4))
	var chunks, tfs [128]uint32
	long := 0
	for name, places := range want.Body {
		if len(places) >= pack.BlockLen {
			long++
		}
		term, _, _ := r.Lookup(name)
		for range 4 {
			it := term.Body()
			for at := uint32(0); int(at) <= r.NumChunks(); at += 1 + rnd.Uint32N(uint32(r.NumChunks())/3) {
				it.Seek(at)
				first, _ := slices.BinarySearchFunc(places, at, func(p place, at uint32) int { return int(p.Number) - int(at) })
				n := it.NextBlock(chunks[:], tfs[:])
				k, _ := slices.BinarySearch(chunks[:n], at)
				if first == len(places) {
					break // nothing follows: the block may hold earlier postings only
				}
				if k == n {
					if n == 0 || chunks[n-1] < places[first].Number {
						t.Fatalf("%q: Seek(%d) lost chunk %d", name, at, places[first].Number)
					}
				}
				if chunks[k] != places[first].Number || tfs[k] != places[first].Count {
					t.Fatalf("%q: Seek(%d) finds chunk %d, want %d", name, at, chunks[k], places[first].Number)
				}
				for range 3 {
					k := rnd.IntN(n)
					p := places[slices.IndexFunc(places, func(p place) bool { return p.Number == chunks[k] })]
					if got := it.Positions(k, nil); !slices.Equal(got, p.Positions) {
						t.Fatalf("%q: positions in chunk %d = %v, want %v", name, chunks[k], got, p.Positions)
					}
				}
				at = chunks[n-1]
			}
		}
	}
	if long < 5 {
		t.Errorf("only %d terms have packed blocks: the test is too small", long)
	}
}

func TestFindPath(t *testing.T) {
	files := randomFiles(5, 60)
	r := open(t, build(t, files))
	for i, f := range files {
		if got, ok := r.FindPath(f.Path); !ok || got != i {
			t.Errorf("FindPath(%q) = %d, %t, want %d", f.Path, got, ok, i)
		}
		if got := r.IsClear(i); got != f.Clear {
			t.Errorf("%q is clear: %t, want %t", f.Path, got, f.Clear)
		}
		if _, ok := r.FindPath(f.Path + "x"); ok {
			t.Errorf("FindPath(%q) finds a file", f.Path+"x")
		}
	}
	if _, ok := r.FindPath(""); ok {
		t.Error("FindPath of the empty path finds a file")
	}
}

func TestTextRange(t *testing.T) {
	files := []*File{newFile("a", "short\n"), newFile("b", strings.Repeat("0123456789abcdef", 5000)), newFile("c", ""), newFile("d", "end")}
	r := open(t, build(t, files))
	rnd := rand.New(rand.NewPCG(1, 1))
	var cache TextCache
	for range 500 {
		i := rnd.IntN(len(files))
		text := files[i].Text
		from, to := rnd.IntN(len(text)+2)-1, rnd.IntN(len(text)+3)
		lo := max(min(from, len(text)), 0)
		want := text[lo:max(min(to, len(text)), lo)]
		got, err := r.TextRange(i, from, to, &cache)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("TextRange(%d, %d, %d) = %d bytes, %v, want %d", i, from, to, len(got), err, len(want))
		}
	}
}

func TestTrigram(t *testing.T) {
	r := open(t, build(t, []*File{
		newFile("a", "Hello\nWorld"), newFile("b", "hel"), newFile("c", "he"), newFile("d", "n\u00e4h HEL \u212a"), newFile("e", "\x00\xff\x00"), newFile("f", "\u017f"),
	}))
	for trigram, want := range map[string][]uint32{
		"hel": {0, 1, 3}, "HeL": {0, 1, 3}, "o\nw": {0}, "n\xc3\xa4": {3}, "\xa4h ": {3}, "\x00\xff\x00": {4}, "xyz": nil, "\xff\xff\xff": nil,
	} {
		t.Run(fmt.Sprintf("%q", trigram), func(t *testing.T) {
			got, err := r.Trigram([3]byte([]byte(trigram)))
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("Trigram(%q) = %v, %v, want %v", trigram, got, err, want)
			}
			if n, err := r.TrigramCount([3]byte([]byte(trigram))); n != len(want) || err != nil {
				t.Errorf("TrigramCount(%q) = %d, %v, want %d", trigram, n, err, len(want))
			}
		})
	}
	if got := r.FoldRegions(); !slices.Equal(got, []uint32{3, 5}) {
		t.Errorf("FoldRegions() = %v, want 3 and 5", got)
	}
}

func TestPathTexts(t *testing.T) {
	for path, want := range map[string][2]string{
		"server.go":                           {"serv", ""},
		"net/http/httptest/server_test.go":    {"=server_test serv test", "net http httptest"},
		"a1/pkg/http-server/conf.d/main.go":   {"main =conf_d conf", "a1 pkg =http_server http serv =conf_d conf"},
		"one/two/three/four/five/Makefile":    {"makefil", "two thre four fiv"},
		"x/.gitignore":                        {"gitignor", "x"},
		"index.d.ts":                          {"=index_d index", ""},
		"lib/__init__.py":                     {"init lib", "lib"},
		"\xff/caf\u00e9.md":                   {"caf\u00e9", ""},
		"Dockerfile.prod":                     {"dockerfil", ""},
		strings.Repeat("long", 50) + "/a.tar": {"a", ""},
	} {
		t.Run(fmt.Sprintf("%.40q", path), func(t *testing.T) {
			stem, dir := pathTerms(path)
			if got := [2]string{strings.Join(stem, " "), strings.Join(dir, " ")}; got != want {
				t.Errorf("pathTexts(%q) = %q, want %q", path, got, want)
			}
		})
	}
}

func TestAddRefuses(t *testing.T) {
	ok := func() *File { return newFile("m", "func a\nfunc b\n") }
	tests := []struct {
		name string
		edit func(f *File)
	}{
		{"empty path", func(f *File) { f.Path = "" }},
		{"same path", func(f *File) { f.Path = "k" }},
		{"earlier path", func(f *File) { f.Path = "a" }},
		{"negative size", func(f *File) { f.Size = -1 }},
		{"chunk beyond the text", func(f *File) { f.Chunks[0].End = 100 }},
		{"chunk before its start", func(f *File) { f.Chunks[0].End, f.Chunks[0].Start = 1, 2 }},
		{"chunk of line 0", func(f *File) { f.Chunks[0].StartLine = 0 }},
		{"overlapping chunks", func(f *File) { f.Chunks = append(f.Chunks, f.Chunks[0]) }},
		{"definitions without a chunk", func(f *File) { f.Chunks = nil }},
		{"definitions out of order", func(f *File) { slices.Reverse(f.Definitions) }},
	}
	b := NewBuilder()
	if err := b.Add(newFile("k", "text")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := ok()
			tt.edit(f)
			if err := b.Add(f); err == nil {
				t.Errorf("Add of %s: no error", tt.name)
			}
		})
	}
	if err := b.Add(ok()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(write(t, b), build(t, []*File{newFile("k", "text"), ok()})) {
		t.Error("refused files left something in the builder")
	}
}

// TestReuse holds that a builder which has written a part writes the next one
// as a new builder does, and that it gives the memory back.
func TestReuse(t *testing.T) {
	b := NewBuilder()
	empty := b.Memory()
	for seed := range uint64(3) {
		files := randomFiles(seed, 50)
		for _, f := range files {
			if err := b.Add(f); err != nil {
				t.Fatal(err)
			}
		}
		if b.Len() != len(files) || b.TextBytes() == 0 || b.Memory() < b.TextBytes() {
			t.Errorf("builder of %d files says %d files, %d bytes, %d of memory", len(files), b.Len(), b.TextBytes(), b.Memory())
		}
		if !bytes.Equal(write(t, b), build(t, files)) {
			t.Errorf("part %d of a builder differs from that of a new one", seed)
		}
		if fixed := int64(asciiTrigrams * 8); b.Memory() > empty+fixed+1<<10 || b.Len() != 0 {
			t.Errorf("empty builder holds %d files and %d bytes", b.Len(), b.Memory())
		}
	}
}

func TestLiveStats(t *testing.T) {
	files := randomFiles(11, 40)
	r := open(t, build(t, files))
	l := Live{Reader: r, Live: NewBitmap(len(files))}
	var live []*File
	for i, f := range files {
		if i%3 == 0 {
			l.Live.Clear(i)
		} else {
			live = append(live, f)
		}
	}
	if err := l.Valid(); err != nil {
		t.Error(err)
	}
	if got, want := l.LiveStats(), recount(live).Stats; got != want {
		t.Errorf("LiveStats() = %+v, want %+v", got, want)
	}
	if l.Count() != len(live) || l.Alive(0) || !l.Alive(1) {
		t.Errorf("Count() = %d, Alive(0) = %t, want %d, false", l.Count(), l.Alive(0), len(live))
	}
	if all := (Live{Reader: r}); all.LiveStats() != r.Stats() || all.Count() != len(files) || !all.Alive(0) {
		t.Error("without a bitmap not all files are live")
	}
	for _, bad := range []Bitmap{{}, make(Bitmap, 2), {^uint64(0)}} {
		t.Run(fmt.Sprintf("bitmap %x", bad), func(t *testing.T) {
			if err := (Live{r, bad}).Valid(); err == nil {
				t.Errorf("bitmap %x fits %d files", bad, len(files))
			}
		})
	}
}

func TestBitmap(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 200} {
		t.Run(fmt.Sprintf("%d files", n), func(t *testing.T) {
			b := NewBitmap(n)
			if b.Count() != n || b.Has(n) || n > 0 && !b.Has(n-1) {
				t.Errorf("NewBitmap(%d) holds %d", n, b.Count())
			}
			if n > 0 {
				b.Clear(n / 2)
				if b.Has(n/2) || b.Count() != n-1 {
					t.Errorf("Clear(%d) left %d", n/2, b.Count())
				}
			}
			for _, want := range []Bitmap{b, nil} {
				data, _ := want.MarshalBinary()
				got := Bitmap{7}
				if err := got.UnmarshalBinary(data); err != nil || !slices.Equal(got, want) || (got == nil) != (want == nil) {
					t.Errorf("bitmap %x reads back as %x, %v", want, got, err)
				}
			}
		})
	}
	for _, bad := range [][]byte{nil, {2}, {0, 0}, {1, 2, 3}} {
		if err := new(Bitmap).UnmarshalBinary(bad); err == nil {
			t.Errorf("UnmarshalBinary(%x): no error", bad)
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	r := open(t, build(t, []*File{newFile("a", "x"), newFile("b", "y")}))
	if _, err := Merge(&bytes.Buffer{}, []Live{{Reader: r}, {Reader: r}}); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("merge of a path that is live twice: %v", err)
	}
	if _, err := Merge(&bytes.Buffer{}, []Live{{r, make(Bitmap, 9)}}); err == nil {
		t.Error("merge with a bitmap of another part: no error")
	}
	if _, err := Merge(failingWriter{}, []Live{{Reader: r}}); err != errFull {
		t.Errorf("merge to a full disk: %v", err)
	}
	b := NewBuilder()
	b.Add(newFile("a", "x"))
	if _, err := b.WriteTo(failingWriter{}); err != errFull {
		t.Errorf("write to a full disk: %v", err)
	}
}

var errFull = fmt.Errorf("disk full")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

// TestConcurrentReaders is for the race detector.
func TestConcurrentReaders(t *testing.T) {
	files := randomFiles(3, 30)
	r := open(t, build(t, files))
	want := recount(files)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var got content
			err := Guard(func() (err error) { got, err = dump(r); return err })
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("one of four readers at the same time sees other content: %v", err)
			}
		})
	}
	wg.Wait()
}

// TestLongLines holds that one line of 10 MB, of words, of one word and of
// bytes that are no text, is indexed like any other.
func TestLongLines(t *testing.T) {
	words := strings.Repeat("fmt.Errorf(wordOne) ", 10<<20/20)
	blob := strings.Repeat("QUJD", 10<<18)
	junk := strings.Repeat("\xff\x00\xfe", 1<<20)
	var files []*File
	for i, text := range []string{words, blob, junk} {
		files = append(files, &File{Path: fmt.Sprint(i), Text: []byte(text), Chunks: []code.Chunk{{End: uint32(len(text)), StartLine: 1, EndLine: 1}}})
	}
	r := open(t, build(t, files))
	if err := r.Check(nil); err != nil {
		t.Fatal(err)
	}
	if n := r.Chunk(0).Tokens; int(n) != 5*len(words)/20 {
		t.Errorf("%d terms in the line of words, want %d", n, 5*len(words)/20)
	}
	if r.Chunk(1).Tokens != 0 || r.Chunk(2).Tokens != 0 {
		t.Errorf("lines without words have %d and %d terms", r.Chunk(1).Tokens, r.Chunk(2).Tokens)
	}
	for i, f := range files {
		if text, err := r.Text(i, nil); err != nil || !bytes.Equal(text, f.Text) {
			t.Errorf("text of line %d differs: %v", i, err)
		}
	}
	if files, _ := r.Trigram([3]byte([]byte("quj"))); !slices.Equal(files, []uint32{1}) {
		t.Errorf("the long word is in files %v by its trigrams, want 1", files)
	}
}

// TestManyEmptyFiles holds that what a file without text costs does not grow
// with their number.
func TestManyEmptyFiles(t *testing.T) {
	const n = 50_000
	b := NewBuilder()
	for i := range n {
		if err := b.Add(&File{Path: fmt.Sprintf("dir%03d/file%06d.go", i/500, i)}); err != nil {
			t.Fatal(err)
		}
	}
	if per := (b.Memory() - asciiTrigrams*8) / n; per > 600 {
		t.Errorf("an empty file takes %d bytes of the builder", per)
	}
	r := open(t, write(t, b))
	if err := r.Check(nil); err != nil {
		t.Fatal(err)
	}
	if per := r.Size() / n; per > 200 {
		t.Errorf("an empty file takes %d bytes of the part", per)
	}
	if i, ok := r.FindPath("dir099/file049999.go"); !ok || i != n-1 {
		t.Errorf("FindPath of the last file = %d, %t", i, ok)
	}
}

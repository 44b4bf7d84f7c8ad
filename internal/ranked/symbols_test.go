package ranked_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

var symbolFiles = map[string]string{
	"store/store.go": `package store

// Store keeps values.
type Store struct {
	limit int
}

// Open opens a store.
func Open(path string) *Store {
	buffer := make([]byte, 64)
	_ = buffer
	return &Store{limit: 9}
}

// Close closes the store.
func (s *Store) Close() error {
	return func() error { return nil }()
}
`,
	"main.go": `package main

import "example.com/store"

func main() {
	s := store.Open("x")
	defer s.Close()
	s.Close()
}
`,
	"file/file.go": "package file\n\ntype File struct{}\n\nfunc (f *File) Close() error { return nil }\n\nfunc use(f *File) { f.Close() }\n",
	"tool.py":      "class Tool:\n    def close(self):\n        return Open()\n",
}

// named prints how the hits of an answer are named.
func named(res *hit.Result) string {
	var out []string
	for _, h := range res.Hits {
		out = append(out, fmt.Sprintf("%s:%d %s %s <%s> %d", h.Path, h.StartLine, h.Kind, h.Symbol, h.SymbolID, h.Calls.N))
	}
	return strings.Join(out, "\n")
}

func TestHitsAreNamed(t *testing.T) {
	snap := sample.Parsed(t, sample.Repository(t, "demo", symbolFiles))
	for _, c := range []struct {
		req  hit.Request
		want string
	}{
		{hit.Request{Query: "Store.Close", Limit: 1}, "store/store.go:1 method Close <store/store.go#Store.Close> 3"},
		{hit.Request{Query: "store limit", Limit: 1}, "store/store.go:1 struct Store <store/store.go#Store> 1"},
		{hit.Request{Query: "tool", Limit: 1}, "tool.py:1 class Tool <> 0"},
		{hit.Request{Query: "buffer :=", Mode: hit.ModeLiteral}, "store/store.go:10 func Open <store/store.go#Open> 1"},
		{hit.Request{Query: "limit int", Mode: hit.ModeLiteral}, "store/store.go:5 field limit <store/store.go#Store.limit> 0"},
		{hit.Request{Query: `return (nil|Open)`, Mode: hit.ModeRegex, Limit: 2}, "file/file.go:5 method Close <file/file.go#File.Close> 3\nstore/store.go:17 method Close <store/store.go#Store.Close> 3"},
		{hit.Request{Query: "package store", Mode: hit.ModeLiteral}, "store/store.go:1   <> 0"},
		{hit.Request{Query: "return Open", Mode: hit.ModeLiteral}, "tool.py:3 method close <> 0"},
	} {
		t.Run(string(c.req.Mode)+" "+c.req.Query, func(t *testing.T) {
			if got := named(searchtest.Must(t, []*store.Snapshot{snap}, c.req)); got != c.want {
				t.Errorf("%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestSyntaxOfSegmentsDoesNotShow holds that it does not matter how files with
// their syntax are spread over segments.
func TestSyntaxOfSegmentsDoesNotShow(t *testing.T) {
	files := sample.GoSources(t)
	want := answers(t, sample.GoParsed(t))
	got := answers(t, sample.Parsed(t, searchtest.Spread(t, files, 3, true)))
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

// TestHiddenDefinitions holds that what the outline sees of a parsed file, and
// its syntax does not, is named and found where the grammar could not read the
// file, and taken for something else where it could.
func TestHiddenDefinitions(t *testing.T) {
	snap := sample.Repository(t, "demo", map[string]string{"spawn.go": "package a\n\nfunc spawn() {\n\tgo task()\n}\n", "use.go": "package a\n\nfunc use() { spawn() }\n"})
	for text, want := range map[string]string{"package a\n\nfunc {{ (\n": "spawn", "package a\n": ""} {
		bare := sample.Parsed(t, sample.Repository(t, "demo", map[string]string{"spawn.go": text, "use.go": "package a\n\nfunc use() { spawn() }\n"}))
		snap.Segments[0].Syntax = bare.Segments[0].Syntax
		for _, req := range []hit.Request{{Query: "spawn"}, {Query: "symbol:spawn"}, {Query: "spawn kind:func path:spawn.go"}, {Query: "go task", Mode: hit.ModeLiteral}} {
			t.Run(fmt.Sprintf("%q in %q", req.Query, text), func(t *testing.T) {
				got := ""
				for _, h := range searchtest.Must(t, []*store.Snapshot{snap}, req).Hits {
					if h.Path == "spawn.go" && h.SymbolID == "" {
						got += h.Symbol
					}
				}
				if got != want {
					t.Errorf("spawn.go is named %q, want %q", got, want)
				}
			})
		}
	}
}

// TestDamagedSyntax holds that search goes on by the outline where the syntax
// of a segment is damaged, and says so.
func TestDamagedSyntax(t *testing.T) {
	snap := sample.Repository(t, "demo", symbolFiles)
	want := named(searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "Close"}))
	data := sample.SyntaxBytes(t, snap.Segments[0].Live)
	for i := 0; i < len(data)/2; i++ {
		data[i] ^= 0x55
	}
	copy(data, sample.SyntaxBytes(t, snap.Segments[0].Live)[:64])
	snap.Segments[0].Syntax = sample.OpenSyntax(t, data)
	for _, mode := range []hit.Mode{hit.ModeKeyword, hit.ModeLiteral} {
		res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: "Close", Mode: mode})
		if mode == hit.ModeKeyword && named(res) != want {
			t.Errorf("hits\n%s\nwant\n%s", named(res), want)
		}
		if len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "symbols of some files are not known") {
			t.Errorf("mode %s: notes %q", mode, res.Notes)
		}
	}
}

// TestSymbolFirst holds that a query which is nothing but the name of a symbol
// has its likeliest definition first, however much else speaks of it.
func TestSymbolFirst(t *testing.T) {
	files := map[string]string{
		"conn/link.go":      "package conn\n\ntype Link struct{ Depth int }\n\nfunc (l *Link) Dispatch() {}\n",
		"conn/other.go":     "package conn\n\nfunc dispatch() {}\n\nvar loud = 1\n\nfunc init() {}\n\nfunc init() { loud = 2 }\n",
		"conn/link_test.go": "package conn\n\nfunc Dispatch() {}\n\nfunc Dispatching() { Dispatch() }\n",
		"bus/dispatch.go":   "package bus\n\ntype Bus struct{}\n\n// Dispatch, dispatch!\nfunc (b *Bus) DispatchAll() { dispatch(); loud() }\n",
		"bus/loud.go":       "package bus\n\n// loud is loud.\nfunc speak() { depth := 1; Depth(depth) }\n",
	}
	for i := range 20 {
		files[fmt.Sprintf("use/dispatch%02d.go", i)] = strings.Repeat("// Dispatch dispatch Link.Dispatch loud Depth\n", 30) + "package use\n"
	}
	snap := sample.Parsed(t, sample.Repository(t, "demo", files))
	for _, c := range []struct{ query, want string }{
		{"Dispatch", "conn/link.go#Link.Dispatch"},
		{"Dispatch()", "conn/link.go#Link.Dispatch"},
		{"Link.Dispatch", "conn/link.go#Link.Dispatch"},
		{"Link::Dispatch", "conn/link.go#Link.Dispatch"},
		{"conn.Link#Dispatch", "conn/link.go#Link.Dispatch"},
		{"conn/link_test.go#Dispatch", "conn/link_test.go#Dispatch"},
		{"dispatch", "conn/other.go#dispatch"},
		{"conn/other.go#init~2", "conn/other.go#init~2"},
		{"Dispatch scope:test", "conn/link_test.go#Dispatch"},
		{"Link.Depth", "conn/link.go#Link.Depth"},
	} {
		t.Run(c.query, func(t *testing.T) {
			for _, explain := range []bool{false, true} {
				res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: c.query, Limit: 30, Explain: explain})
				if len(res.Hits) == 0 || res.Hits[0].SymbolID != c.want {
					t.Errorf("%s: hits %.300s, want %s first", c.query, named(res), c.want)
					return
				}
				if !slices.IsSortedFunc(res.Hits, func(a, b hit.Hit) int { return cmp.Compare(b.Score, a.Score) }) {
					t.Errorf("%s: scores out of order", c.query)
				}
			}
		})
	}
	for _, query := range []string{"loud", "Depth", "Dispatch Link", "symbol:Dispatch loud"} {
		t.Run(query, func(t *testing.T) { // a variable, a field, words
			for _, h := range searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: query, Explain: true}).Hits {
				for _, e := range h.Explain {
					if strings.Contains(e.Signal, "asked for") {
						t.Errorf("%s: %s stands first as its definition", query, h.SymbolID)
					}
				}
			}
		})
	}
}

func BenchmarkNamed(b *testing.B) {
	snap := sample.Parsed(b, sample.Repository(b, "go", sample.GoSources(b)))
	bare := &store.Snapshot{Name: "go", Segments: snap.Segments}
	for name, s := range map[string]*store.Snapshot{"facts": snap, "outline": bare} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, q := range []string{"ServeMux", "how are redirects followed by the client", "Close", "String", "Read write error"} {
					if _, err := search.Search(b.Context(), []*store.Snapshot{s}, hit.Request{Query: q}, search.Means{}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// Package sample makes small indexes for tests: snapshots of a few files, of some
// of Go's own source and of texts that are hard to cut into lines.
package sample

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"espy/internal/code"
	"espy/internal/discover/content"
	"espy/internal/lang"
	outliner "espy/internal/outline"
	"espy/internal/segment"
	"espy/internal/store"
)

// part builds a segment of files, by path, and reads it back.
func part(t testing.TB, files map[string]string) *segment.Reader {
	t.Helper()
	b := segment.NewBuilder()
	for _, p := range slices.Sorted(maps.Keys(files)) {
		text := []byte(files[p])
		f := segment.File{Path: p, Hash: xxh3.Hash128(text).Bytes(), Size: int64(len(text)), Class: lang.Classify(p) | content.Class(p, text), Text: text}
		l := lang.Detect(p, text)
		if l != nil {
			f.Language = l.Name
		}
		outline := outliner.Parse(l, text)
		f.Definitions, f.Chunks = outline.Definitions, outline.Chunks
		if err := b.Add(&f); err != nil {
			t.Fatal(err)
		}
	}
	return ReadBack(t, b)
}

// ReadBack writes what a builder holds and opens it.
func ReadBack(t testing.TB, b *segment.Builder) *segment.Reader {
	t.Helper()
	var out bytes.Buffer
	if _, err := b.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	r, err := segment.Open(out.Bytes(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Repository makes a snapshot of one segment per map of files.
func Repository(t testing.TB, name string, parts ...map[string]string) *store.Snapshot {
	t.Helper()
	s := &store.Snapshot{Repo: code.RepoID(name), Name: name}
	for _, files := range parts {
		s.Segments = append(s.Segments, store.Segment{Live: segment.Live{Reader: part(t, files)}})
	}
	return s
}

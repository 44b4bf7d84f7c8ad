package sample

import (
	"bytes"
	"testing"

	"espy/internal/facts/golang"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// Parsed adds the syntax of the Go files of a snapshot, one part for each
// segment, and returns it.
func Parsed(t testing.TB, s *store.Snapshot) *store.Snapshot {
	t.Helper()
	for i := range s.Segments {
		l := &s.Segments[i]
		l.Syntax = OpenSyntax(t, SyntaxBytes(t, l.Live))
	}
	return s
}

func OpenSyntax(t testing.TB, data []byte) *syn.Reader {
	t.Helper()
	r, err := syn.Open(data, "syntax")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func SyntaxBytes(t testing.TB, l segment.Live) []byte {
	t.Helper()
	var out bytes.Buffer
	b := syn.NewBuilder(&out, l.Identity())
	for i := range l.NumFiles() {
		r := syn.Unsupported()
		if l.Language(i) == "go" {
			text, err := l.Text(i, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r, err = syn.Encode(golang.Parse(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.AddRecord(r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Finish(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

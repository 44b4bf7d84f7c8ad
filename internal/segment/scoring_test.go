package segment

import (
	"fmt"
	"strings"
	"testing"

	"espy/internal/code"
)

// TestScoring holds that the tables say of chunks and definitions what the part
// says, and that the batches hold all files in order, each of few chunks unless
// one file has more.
func TestScoring(t *testing.T) {
	b := NewBuilder()
	for i, n := range []int{0, 3000, 1096, 1, 0, 9000, 2, 4094, 0} {
		f := &File{Path: fmt.Sprintf("f%02d", i), Text: []byte(strings.Repeat("word\n", n))}
		if n == 2 {
			f.Text = []byte("word\n" + strings.Repeat("word ", 1<<TokenBits) + "\n")
		}
		for c := range n {
			end := 5 * (c + 1)
			if n == 2 && c == 1 {
				end = len(f.Text)
			}
			f.Chunks = append(f.Chunks, code.Chunk{Start: uint32(5 * c), End: uint32(end), StartLine: uint32(c + 1), EndLine: uint32(c + 1)})
		}
		if n > 0 {
			f.Definitions = []code.Definition{{Name: "aType", Kind: code.KindType, Line: 1}, {Name: "word", Kind: code.KindFunc, Line: uint32(n)}}
		}
		f.Size = int64(len(f.Text))
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	r := open(t, write(t, b))
	s := r.Scoring()
	at := Batch{}
	for _, b := range s.Batches {
		if b.File != at.FileEnd || b.Chunk != at.ChunkEnd || b.Definition != at.DefinitionEnd || b.FileEnd == b.File {
			t.Errorf("batch %+v after %+v", b, at)
		}
		if b.FileEnd-b.File > 1 && b.ChunkEnd-b.Chunk > batchChunks {
			t.Errorf("batch %+v has %d chunks", b, b.ChunkEnd-b.Chunk)
		}
		for c := b.Chunk; c < b.ChunkEnd; c++ {
			file, tokens, _, _ := r.Lengths(c)
			if tokens >= 1<<TokenBits {
				tokens = ManyTokens
			}
			if b.File+int(s.Files[c]) != file || uint32(s.Tokens[c]) != tokens {
				t.Fatalf("chunk %d: file %d + %d, %d tokens; want file %d, %d tokens", c, b.File, s.Files[c], s.Tokens[c], file, tokens)
			}
		}
		at = b
	}
	if at.FileEnd != r.NumFiles() || at.ChunkEnd != r.NumChunks() || at.DefinitionEnd != r.NumDefinitions() || len(s.Batches) != 4 {
		t.Errorf("%d batches end with %+v", len(s.Batches), at)
	}
	for d, n := range s.Names {
		info := r.Definition(d)
		_, _, length, others := r.Lengths(info.Chunk)
		if !info.Kind.IsType() {
			length = others
		}
		if want := (DefinedName{uint32(info.Chunk), uint16(length), info.Kind, uint8(info.Terms)}); n != want {
			t.Errorf("definition %d: %+v, want %+v", d, n, want)
		}
	}
}

// Package factstest parses files for tests with every grammar, and indexes them
// in memory.
package factstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/facts/golang"
	"espy/internal/facts/tree"
	"espy/internal/facts/treesitter"
	"espy/internal/lang"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// Part indexes files, by path, with their facts. It skips the test where a file
// needs a grammar and there are none.
func Part(t testing.TB, files map[string][]byte) corpus.Part {
	t.Helper()
	return PartOf(t, files, record)
}

// PartOf indexes files, by path, with the facts that a function gives for a file of
// a language.
func PartOf(t testing.TB, files map[string][]byte, factsOf func(t testing.TB, language, path string, text []byte) *syn.Record) corpus.Part {
	t.Helper()
	lex := segment.NewBuilder()
	var parsed bytes.Buffer
	b := syn.NewBuilder(&parsed, code.Hash{})
	for _, p := range slices.Sorted(maps.Keys(files)) {
		language := ""
		if l := lang.Detect(p, files[p]); l != nil {
			language = l.Name
		}
		if err := lex.Add(&segment.File{Path: p, Language: language, Text: files[p]}); err != nil {
			t.Fatal(err)
		}
		if err := b.AddRecord(factsOf(t, language, p, files[p])); err != nil {
			t.Fatal(err)
		}
	}
	var text bytes.Buffer
	if _, err := lex.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Finish(); err != nil {
		t.Fatal(err)
	}
	l, err := segment.Open(text.Bytes(), "lex")
	if err != nil {
		t.Fatal(err)
	}
	s, err := syn.Open(parsed.Bytes(), "syn")
	if err != nil {
		t.Fatal(err)
	}
	return corpus.Part{Live: segment.Live{Reader: l, Live: segment.NewBitmap(l.NumFiles())}, Syntax: s}
}

// record returns the facts of a file as a record of the syntax part.
func record(t testing.TB, language, path string, text []byte) *syn.Record {
	t.Helper()
	f := factsOf(t, language, path, text)
	if f == nil {
		return syn.Unsupported()
	}
	r, err := syn.Encode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}

// factsOf returns the facts of a file, nil where its language has none or its
// grammar gives up on it.
func factsOf(t testing.TB, language, path string, text []byte) *facts.File {
	t.Helper()
	if language == "go" {
		return golang.Parse(text)
	}
	grammar := tree.GrammarOf(language, path, text)
	if grammar == "" {
		return nil
	}
	nodes, err := treesitter.Parse(grammar, tree.Prepare(grammar, text))
	if errors.Is(err, tree.ErrNoGrammars) {
		t.Skip(err)
	}
	if err != nil {
		return nil
	}
	return tree.Facts(nodes, text, treesitter.Parse)
}

// Parser parses in the process, for workspaces of tests.
type Parser struct{}

// Parse returns the facts of a file. The error is tree.ErrNoGrammars where there are
// none.
func (Parser) Parse(_ context.Context, language, path string, text []byte) (*facts.File, error) {
	grammar := tree.GrammarOf(language, path, text)
	if grammar == "" {
		return nil, fmt.Errorf("there is no grammar for %s", language)
	}
	t, err := treesitter.Parse(grammar, tree.Prepare(grammar, text))
	if err != nil {
		return nil, err
	}
	return tree.Facts(t, text, treesitter.Parse), nil
}

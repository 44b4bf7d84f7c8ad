package nav_test

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"testing"

	"espy/internal/code"
	"espy/internal/facts"
	"espy/internal/facts/golang"
	"espy/internal/facts/tree"
	"espy/internal/facts/treesitter"
	"espy/internal/lang"
	"espy/internal/nav"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
	"espy/internal/segment/syn"
)

// parsed indexes files with their facts.
func parsed(t *testing.T, files map[string][]byte) *nav.Index {
	t.Helper()
	lex := segment.NewBuilder()
	var out bytes.Buffer
	b := syn.NewBuilder(&out, code.Hash{})
	for _, p := range slices.Sorted(maps.Keys(files)) {
		l := lang.Detect(p, files[p])
		language := ""
		if l != nil {
			language = l.Name
		}
		if err := lex.Add(&segment.File{Path: p, Language: language, Text: files[p]}); err != nil {
			t.Fatal(err)
		}
		if err := b.AddRecord(syntaxOf(t, language, p, files[p])); err != nil {
			t.Fatal(err)
		}
	}
	return opened(t, lex, b, &out)
}

func syntaxOf(t *testing.T, language, path string, text []byte) *syn.Record {
	t.Helper()
	var f *facts.File
	if grammar := tree.GrammarOf(language, path, text); grammar != "" {
		nodes, err := treesitter.Parse(grammar, tree.Prepare(grammar, text))
		if errors.Is(err, tree.ErrNoGrammars) {
			t.Skip(err)
		}
		if err != nil {
			return syn.Unsupported()
		}
		f = tree.Facts(nodes, text, treesitter.Parse)
	} else if language == "go" {
		f = golang.Parse(text)
	} else {
		return syn.Unsupported()
	}
	r, err := syn.Encode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}

// opened is the index of the files that two builders were given.
func opened(t testing.TB, lex *segment.Builder, b *syn.Builder, facts *bytes.Buffer) *nav.Index {
	t.Helper()
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
	s, err := syn.Open(facts.Bytes(), "syn")
	if err != nil {
		t.Fatal(err)
	}
	x, err := nav.New([]corpus.Part{{Live: segment.Live{Reader: l, Live: segment.NewBitmap(l.NumFiles())}, Syntax: s}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

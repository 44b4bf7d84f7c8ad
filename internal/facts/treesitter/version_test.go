//go:build cgo && !race

package treesitter

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"espy/internal/code"
	"espy/internal/proof"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// TestVersion holds that what is told of the files in testdata changes with the
// version of the syntax parts only.
func TestVersion(t *testing.T) {
	made := map[string]proof.Made{}
	for _, path := range samples(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var part bytes.Buffer
		b := syn.NewBuilder(&part, code.Hash{})
		r, err := syn.Encode(factsOf(t, grammarOf(path), text))
		if err == nil {
			err = b.AddRecord(r)
		}
		if err == nil {
			_, err = b.Finish()
		}
		if err != nil {
			t.Fatal(err)
		}
		made[filepath.ToSlash(path)] = proof.Made{From: text, To: part.Bytes()}
	}
	proof.Version{File: "testdata/version.txt", Of: store.Syntax, Raise: "store.Syntax in internal/store/syntax.go"}.Check(t, made, *update)
}

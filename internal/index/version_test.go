package index

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/proof"
	"espy/internal/segment"
	"espy/internal/store/manifest"
)

var update = flag.Bool("update", false, "rewrite the expected hashes")

// TestVersion holds that the segments of the samples of package outline change
// with the version of the analysis only.
func TestVersion(t *testing.T) {
	samples, err := filepath.Glob("../outline/testdata/*/*")
	if err != nil || len(samples) == 0 {
		t.Fatal("no samples", err)
	}
	made := map[string]proof.Made{}
	for _, path := range samples {
		if info, err := os.Stat(path); err != nil || info.IsDir() || strings.HasSuffix(path, ".golden") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../outline/testdata/")
		f, err := analyse(name, discover.Content{Entry: discover.Entry{Path: name, Size: int64(len(text))}, Hash: code.Hash{1}, Raw: text, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		b := segment.NewBuilder()
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
		var part bytes.Buffer
		if _, err := b.WriteTo(&part); err != nil {
			t.Fatal(err)
		}
		made[name] = proof.Made{From: text, To: part.Bytes()}
	}
	proof.Version{File: "testdata/version.txt", Of: manifest.Analysis, Raise: "manifest.Analysis in internal/store/manifest/manifest.go"}.Check(t, made, *update)
}

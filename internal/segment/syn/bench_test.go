package syn

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"espy/internal/facts"
	"espy/internal/facts/golang"
	"espy/internal/nearest"
)

// corpus parses the Go files of a folder: SYN_BENCH, or this program.
func corpus(b *testing.B) (files []*facts.File, text int64) {
	b.Helper()
	root := os.Getenv("SYN_BENCH")
	if root == "" {
		root = "../.."
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		src, err := os.ReadFile(path)
		files = append(files, golang.Parse(src))
		text += int64(len(src))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files, text
}

func records(b *testing.B, files []*facts.File) (records []*Record) {
	for _, f := range files {
		r, err := Encode(f)
		if err != nil {
			b.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

func buildRecords(b *testing.B, records []*Record) []byte {
	var buf bytes.Buffer
	w := NewBuilder(&buf, lexID)
	for _, r := range records {
		if err := w.AddRecord(r); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := w.Finish(); err != nil {
		b.Fatal(err)
	}
	return buf.Bytes()
}

func BenchmarkEncode(b *testing.B) {
	files, text := corpus(b)
	b.SetBytes(text)
	b.ReportAllocs()
	for b.Loop() {
		records(b, files)
	}
}

// BenchmarkBuild tells the size of a part for a byte of text too.
func BenchmarkBuild(b *testing.B) {
	files, text := corpus(b)
	encoded := records(b, files)
	b.SetBytes(text)
	size := 0
	for b.Loop() {
		size = len(buildRecords(b, encoded))
	}
	b.ReportMetric(float64(size)/float64(text), "part/text")
}

func BenchmarkLookups(b *testing.B) {
	files, _ := corpus(b)
	r := open(b, buildRecords(b, records(b, files)))
	for _, name := range []string{"NewReader", "Open", "name", "err", "nobody"} {
		b.Run("symbols/"+name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = 0
				for f, i := range r.Globals(name) {
					f.Symbol(i)
					n++
				}
			}
			b.ReportMetric(float64(n), "symbols")
		})
		b.Run("uses/"+name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = 0
				for f, i := range r.Uses(name) {
					f.Use(i)
					n++
				}
			}
			b.ReportMetric(float64(n), "uses")
		})
	}
}

func BenchmarkNear(b *testing.B) {
	files, _ := corpus(b)
	r := open(b, buildRecords(b, records(b, files)))
	for b.Loop() {
		nearest.Of("NewRaeder", r.Near("NewRaeder"), 5)
	}
}

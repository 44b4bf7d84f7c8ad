package index

import (
	"testing"

	"espy/internal/embedding/static"
	"espy/internal/filetest"
	"espy/internal/sample"
	"espy/internal/segment"
)

// BenchmarkVectors reports what it takes to embed the chunks of some hundred Go
// files by the built-in model, by one goroutine.
func BenchmarkVectors(b *testing.B) {
	lex := sample.Repository(b, "go", sample.GoSources(b)).Segments[0].Reader
	e := embedder{model: static.BuiltIn()}
	began := filetest.CPU()
	for b.Loop() {
		err := segment.Guard(func() error { _, err := e.part(b.Context(), lex); return err })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((filetest.CPU()-began).Microseconds())/float64(b.N)/float64(lex.NumChunks()), "cpu-us/chunk")
}

package outline

import (
	"testing"

	"espy/internal/lang"
)

func BenchmarkParse(b *testing.B) {
	golang, _ := lang.ByName("go")
	var files [][]byte
	size := 0
	goFiles(b, "", func(_ string, text []byte) {
		files = append(files, text)
		size += len(text)
	})
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range files {
			Parse(golang, text)
		}
	}
}

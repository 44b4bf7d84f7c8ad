package locate

import (
	"testing"

	"espy/internal/resolve/corpus"
)

// TestTextsAreBounded holds that a question does not keep more bytes of texts than it
// may, but always the last one.
func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	kept := texts{of: map[corpus.FileID][]byte{}}
	for f := range corpus.FileID(20) {
		kept.keep(f, make([]byte, 3), 10)
		total := 0
		for _, text := range kept.of {
			total += len(text)
		}
		if total != kept.size || total > 10 || kept.of[f] == nil {
			t.Fatalf("after file %d: %d bytes kept, counted as %d", f, total, kept.size)
		}
	}
	if kept.keep(99, make([]byte, 50), 10); len(kept.of) != 1 || kept.size != 50 {
		t.Errorf("a text beyond the bound: %d kept, %d bytes", len(kept.of), kept.size)
	}
}

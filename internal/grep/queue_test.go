package grep

import (
	"strings"
	"testing"
)

// TestOver holds that a file whose output is long is printed as far as there is time, and
// that this is no error of the output.
func TestOver(t *testing.T) {
	var out strings.Builder
	q, writes := newQueue(&out, nil), 0
	q.over = func() bool { writes++; return writes == 3 }
	s, piece := q.slot(0, nil), []byte(strings.Repeat("x", smallOutput))
	for _, want := range []error{nil, nil, errOver} {
		if _, err := s.Write(piece); err != want {
			t.Fatalf("Write = %v, want %v", err, want)
		}
	}
	s.done()
	if n := 3 * len(piece); out.Len() != n || q.failed() != nil {
		t.Errorf("%d bytes were printed, want %d: %v", out.Len(), n, q.failed())
	}
}

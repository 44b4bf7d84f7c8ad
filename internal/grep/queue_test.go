package grep

import (
	"slices"
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

// TestOrder holds that what jobs print comes in their order, however they end: none is
// written over where its room is used again.
func TestOrder(t *testing.T) {
	const jobs = 3 * maxSpare
	var out, want strings.Builder
	q := newQueue(&out, nil)
	text := func(job int) string {
		return strings.Repeat(string(rune('a'+job%26)), 1+job%4*smallOutput)
	}
	var room []byte
	for i := range jobs {
		job := jobs - 1 - i
		if i >= maxSpare { // the last come last, so that all room is in use, then in turn
			job = i - maxSpare
		}
		s := q.slot(job, room)
		for piece := range slices.Chunk([]byte(text(job)), 1000) {
			s.Write(piece) //nolint:errcheck // a Builder takes all
		}
		room = s.done()
	}
	for job := range jobs {
		want.WriteString(text(job))
	}
	if out.String() != want.String() {
		t.Errorf("%d bytes were printed, want %d, in another order", out.Len(), want.Len())
	}
}

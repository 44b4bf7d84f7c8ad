package worker

import (
	"io"
	"strings"
	"testing"
)

// TestHeadIsBounded copies as the os/exec package does, which asks for ReadFrom.
func TestHeadIsBounded(t *testing.T) {
	t.Parallel()
	var h head
	if n, err := io.Copy(&h, io.MultiReader(strings.NewReader("first\n"), strings.NewReader(strings.Repeat("x", 1<<20)))); n != 6+1<<20 || err != nil {
		t.Fatalf("Copy = %d, %v", n, err)
	}
	if n := h.text.Len(); n != maxHead || h.first() != "first" {
		t.Errorf("%d bytes are kept, the first line is %q", n, h.first())
	}
}

package learn

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"espy/internal/embedding/static"
)

// small are options for a corpus of some hundred pairs.
func small() Options {
	o := Defaults
	o.Dims, o.Batch, o.Group, o.Epochs, o.Least = 16, 64, 8, 8, 2
	return o
}

func table(t *testing.T, dir string) *Result {
	t.Helper()
	r, err := Table(t.Context(), dir, small(), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTable learns twice: the bytes are the same, and words that stand for the
// same thing on both sides are near each other.
func TestTable(t *testing.T) {
	t.Parallel()
	dir := corpus(t)
	first, second := table(t, dir), table(t, dir)
	t.Run("same bytes", func(t *testing.T) {
		t.Parallel()
		if !bytes.Equal(first.Table, second.Table) || first.Report != second.Report {
			t.Error("the same sources give another table or report")
		}
	})
	t.Run("report", func(t *testing.T) {
		t.Parallel()
		for _, want := range []string{"| go | 720 |", "| local/s1 | of this machine | 240 |", "Checksum of the pairs"} {
			if !strings.Contains(first.Report, want) {
				t.Errorf("the report lacks %q:\n%s", want, first.Report)
			}
		}
	})
	read, err := static.Read(first.Table)
	if err != nil {
		t.Fatal(err)
	}
	m := static.New(read)
	for _, tt := range []struct{ said, near, far string }{
		{"delete", "unlink", "canvas"}, {"paint", "pixel", "sort"}, {"dial", "socket", "purge"}, {"arrange", "compare", "port"},
	} {
		t.Run(tt.said, func(t *testing.T) {
			t.Parallel()
			vector := func(text string) []float32 {
				v, err := m.Query(t.Context(), text)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			said := vector(tt.said)
			if near, far := dot(said, vector(tt.near)), dot(said, vector(tt.far)); near < far+0.3 {
				t.Errorf("%s is %.2f like %s and %.2f like %s", tt.said, near, tt.near, far, tt.far)
			}
		})
	}
}

func TestTableOfTooLittle(t *testing.T) {
	t.Parallel()
	t.Run("no folder", func(t *testing.T) {
		t.Parallel()
		if _, err := Table(t.Context(), t.TempDir(), small(), func(string) {}); err == nil {
			t.Error("no error")
		}
	})
	t.Run("few pairs", func(t *testing.T) {
		t.Parallel()
		o := small()
		o.Batch = 1000
		if _, err := Table(t.Context(), corpus(t), o, func(string) {}); err == nil || !strings.Contains(err.Error(), "say enough, want 1000 or more") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Table(ctx, corpus(t), small(), func(string) {}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

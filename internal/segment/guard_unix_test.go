//go:build unix

package segment

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestTruncatedMapping holds that a mapped part which somebody truncates ends
// in an error, before and after its pages were checked.
func TestTruncatedMapping(t *testing.T) {
	data := build(t, randomFiles(3, 200))
	for _, checked := range []bool{false, true} {
		t.Run(fmt.Sprintf("checked %v", checked), func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "part")
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			mapped, err := syscall.Mmap(int(f.Fd()), 0, len(data), syscall.PROT_READ, syscall.MAP_SHARED)
			if err != nil {
				t.Fatal(err)
			}
			defer syscall.Munmap(mapped)
			r := open(t, mapped)
			if checked {
				if err := r.Check(nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Truncate(name, 0); err != nil {
				t.Fatal(err)
			}
			for what, read := range map[string]func() error{
				"check":  func() error { return r.Check(nil) },
				"text":   func() error { _, err := r.Text(r.NumFiles()-1, nil); return err },
				"lookup": func() error { _, _, err := r.Lookup("func"); return err },
				"path":   func() error { r.Path(3); return nil },
			} {
				if err := Guard(read); !errors.Is(err, ErrTruncated) {
					t.Errorf("%s of a truncated part (checked before: %t): %v, want ErrTruncated", what, checked, err)
				}
			}
		})
	}
}

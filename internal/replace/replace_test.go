package replace

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		name, path, data string
		fails            bool
	}{
		{"new", "a", "one", false},
		{"in the place of another", "a", "two", false},
		{"a folder is in its place", "d", "three", true},
		{"no folder to be in", "absent/a", "four", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.MkdirAll(filepath.Join(dir, "d", "full"), 0o700); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, tt.path)
			err := File(path, []byte(tt.data))
			if (err != nil) != tt.fails {
				t.Fatalf("error %v", err)
			}
			if got, err := os.ReadFile(path); !tt.fails && (err != nil || string(got) != tt.data) {
				t.Errorf("%q, error %v", got, err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, Leftover)); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

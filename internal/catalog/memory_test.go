package catalog

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRecall holds that a record is read again when its file is another, or another
// size or time, and that one written just now is not remembered.
func TestRecall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write := func(path, text string, at time.Time) os.FileInfo {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	old := time.Unix(1000, 0)
	var m memory
	first := write(path, "one", old)
	if _, ok := m.recall("a", first); ok {
		t.Error("known before it was read")
	}
	m.keep("a", first, old.Add(settled/2), Repo{Name: "one"})
	if _, ok := m.recall("a", first); ok {
		t.Error("remembered though it was written just now")
	}
	m.keep("a", first, old.Add(settled), Repo{Name: "one"})
	if r, ok := m.recall("a", first); !ok || r.Name != "one" {
		t.Errorf("recalled %q, %t", r.Name, ok)
	}
	if _, ok := m.recall("a", write(path, "one", old.Add(1))); ok {
		t.Error("known by another time")
	}
	if _, ok := m.recall("a", write(path, "four", old)); ok {
		t.Error("known by another size")
	}
	if _, ok := m.recall("a", write(path+"2", "one", old)); ok {
		t.Error("known by another file")
	}
	if _, ok := m.recall("b", write(path, "one", old)); ok {
		t.Error("known by another name")
	}
}

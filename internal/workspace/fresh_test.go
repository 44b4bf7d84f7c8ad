package workspace

import (
	"testing"

	"espy/internal/filetest"
)

// TestDirtyUnknown holds that an answer says why it does not know how many files
// differ from the commit.
func TestDirtyUnknown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	filetest.Commit(t, dir, "first")
	r := attach(t, open(t, t.TempDir()), dir)
	reindex(t, r, IndexOptions{})
	filetest.Write(t, dir, map[string]string{".git/index": "no index of git"})
	s, err := r.Snapshot(t.Context(), Wait{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if f := s.Freshness; f.Head == "" || f.Dirty != nil || f.DirtyUnknown == "" {
		t.Errorf("freshness = %+v, want a commit, no count, and the reason", f)
	}
}

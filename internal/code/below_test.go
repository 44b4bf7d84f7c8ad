package code

import "testing"

func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		name       string
		root, path string
		rel        string // empty: not below
	}{
		{"the root itself", "/a/b", "/a/b", "."},
		{"a file", "/a/b", "/a/b/c/d.go", "c/d.go"},
		{"a longer name", "/a/b", "/a/bc", ""},
		{"the folder above", "/a/b", "/a", ""},
		{"a folder beside", "/a/b", "/a/c", ""},
		{"below the top", "/", "/proc", "proc"},
		{"the top below a folder", "/a", "/", ""},
		{"a name that begins with dots", "/a", "/a/..b", "..b"},
		{"not clean, below", "/a/", "/a/x/../b", "b"},
		{"not clean, out", "/a/b", "/a/b/../../c", ""},
		{"both relative", "a", "a/b", "b"},
		{"relative, a longer name", "a/b", "a/bc", ""},
		{"one relative", "/a", "a/b", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if rel, ok := Below(tt.root, tt.path); rel != tt.rel || ok != (tt.rel != "") {
				t.Errorf("Below(%q, %q) = %q, %v, want %q", tt.root, tt.path, rel, ok, tt.rel)
			}
		})
	}
}

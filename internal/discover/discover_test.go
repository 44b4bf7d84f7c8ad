package discover

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plant writes files into a fresh folder and returns it. A path that ends in a
// slash is an empty folder.
func plant(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		full := filepath.Join(dir, path)
		if path[len(path)-1] == '/' {
			if err := os.MkdirAll(full, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// walkBoth walks dir on the kernel's tree and on the portable one, demands the
// same listing, and returns it.
func walkBoth(t testing.TB, dir string, p Policy, o Options) *Listing {
	t.Helper()
	root, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	fast, err := Walk(context.Background(), root, p, o)
	if err != nil {
		t.Fatal(err)
	}
	o.portable = true
	slow, err := Walk(context.Background(), root, p, o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fast, slow); diff != "" {
		t.Fatalf("kernel and portable tree differ (-kernel +portable):\n%s", diff)
	}
	return fast
}

func paths(l *Listing) []string {
	var out []string
	for _, e := range l.Entries {
		out = append(out, e.Path)
	}
	return out
}

// reasons renders exclusions as "path reason", folders with a slash.
func reasons(l *Listing) []string {
	var out []string
	for _, x := range l.Excluded {
		path := x.Path
		if x.Dir {
			path += "/"
		}
		out = append(out, path+" "+string(x.Reason))
	}
	return out
}

func TestWalk(t *testing.T) {
	tests := []struct {
		name     string
		files    map[string]string
		policy   Policy
		want     []string
		excluded []string
	}{
		{name: "empty tree"},
		{
			name:  "order is that of path bytes",
			files: map[string]string{"a/x": "", "a.b": "", "a": "", "a0": "", "b/": ""},
			want:  nil,
		},
		{
			name:  "hidden files are listed, version control is not",
			files: map[string]string{".github/w.yml": "", ".hg/x": "", ".git/HEAD": "", ".jj/x": "", ".svn/x": "", "sub/.git": "gitdir: ../x", "hg/.hg": "a file"},
			want:  []string{".github/w.yml", "hg/.hg"},
			excluded: []string{
				".git/ vcs", ".hg/ vcs", ".jj/ vcs", ".svn/ vcs", "sub/.git vcs",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "order is that of path bytes" {
				delete(tt.files, "a")
				tt.want = []string{"a.b", "a/x", "a0"}
			}
			l := walkBoth(t, plant(t, tt.files), tt.policy, Options{})
			if diff := cmp.Diff(tt.want, paths(l)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.excluded, reasons(l)); diff != "" {
				t.Errorf("excluded (-want +got):\n%s", diff)
			}
		})
	}
}

package discover

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/discover/roots"
)

func TestWildPolicy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "target", "repo") // an excluded name above the root
	for path, text := range map[string]string{
		"main.go": "package main\n", "sub/a.rs": "fn a() {}\n", "target/x.rs": "x\n", ".hidden": "kept\n", ".cache/y.rs": "y\n",
		".gitignore": "sub/\n", "bad.rs": "\xff\xfe\xfa caf\xe9\n",
	} {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := roots.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	base := Policy{Dialect: DialectWild, NoGitignore: true, NoEspyignore: true, SkipHiddenFolders: true, Exclude: []string{"**/target/**"}}
	for _, tt := range []struct {
		include []string
		want    []string
	}{
		{nil, []string{".gitignore", ".hidden", "bad.rs", "main.go", "sub/a.rs"}},
		{[]string{"**/*"}, []string{".gitignore", ".hidden", "bad.rs", "main.go", "sub/a.rs"}},
		{[]string{"*.rs"}, []string{"bad.rs", "sub/a.rs"}},
		{[]string{"sub/**"}, []string{"sub/a.rs"}},
		{[]string{dir + "/main.go"}, []string{"main.go"}},
	} {
		t.Run(fmt.Sprintf("include %q", tt.include), func(t *testing.T) {
			p := base
			p.Include = tt.include
			l, err := Walk(context.Background(), root, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range l.Entries {
				got = append(got, e.Path)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("include %q: %q, want %q", tt.include, got, tt.want)
			}
		})
	}
	r, err := NewReader(root, Policy{UTF8Only: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, x, err := r.Read("bad.rs"); err != nil || x == nil || x.Reason != ReasonEncoding && x.Reason != ReasonBinary {
		t.Errorf("bytes that are not UTF-8: %v, %v", x, err)
	}
	if _, x, err := r.Read("main.go"); err != nil || x != nil {
		t.Errorf("plain text: %v, %v", x, err)
	}
	base.Exclude = []string{"[x"}
	if _, err := Walk(context.Background(), root, base, Options{}); err == nil || !strings.Contains(err.Error(), "invalid exclude pattern '[x'") {
		t.Errorf("bad glob: %v", err)
	}
}

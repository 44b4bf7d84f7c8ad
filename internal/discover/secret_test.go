package discover

import (
	"os"
	"strings"
	"testing"

	"espy/internal/discover/roots"
	"espy/internal/filetest"
	"espy/internal/lang"
)

// TestSecretsOfATree holds that both routes, the walk and the read, leave the
// same files out, and say what they hold.
func TestSecretsOfATree(t *testing.T) {
	dir := t.TempDir()
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB\n", 4) + "-----END PRIVATE KEY-----\n"
	filetest.Write(t, dir, map[string]string{
		".env": "A=b\n", "id_rsa~": "x\n", "deploy": key, "key.go": "package a\n\nconst key = `" + key + "`\n", "notes.md": key, "a.go": "package a\n",
		"config.json": `{"password": "hunter22"}`, "other/config.json": `{"password": "${PASSWORD}"}`,
	})
	root, err := roots.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	r, err := NewReader(root, Policy{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all, err := NewReader(root, Policy{Secrets: true})
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	for path, detail := range map[string]string{
		".env": "an environment file", "id_rsa~": "a private key", "deploy": "a private key", "config.json": "a list of passwords or tokens",
		"key.go": "", "notes.md": "", "a.go": "", "other/config.json": "",
	} {
		t.Run(path, func(t *testing.T) {
			_, x, err := r.Read(path)
			if err != nil || (x != nil) != (detail != "") || x != nil && (x.Reason != ReasonSecret || x.Detail != detail) {
				t.Errorf("Read(%q) leaves out %+v, %v; want %q", path, x, err, detail)
			}
			if _, x, err := all.Read(path); x != nil || err != nil {
				t.Errorf("with secrets, Read(%q) leaves out %+v, %v", path, x, err)
			}
		})
	}
}

// TestSecretsOfRealTrees holds that no source file is taken for a secret.
func TestSecretsOfRealTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("reads whole trees, each file for itself")
	}
	for name, dir := range map[string]string{"Go": filetest.GoSource(t), "Python": "/usr/lib/python3", "headers": "/usr/include"} {
		t.Run(name, func(t *testing.T) {
			root, err := roots.Open(dir)
			if err != nil {
				t.Skipf("no %s here: %v", dir, err)
			}
			defer root.Close()
			l, err := Walk(t.Context(), root, Policy{}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			out := l.Excluded
			r, err := NewReader(root, Policy{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			for _, e := range l.Entries {
				_, x, err := r.Read(e.Path)
				if err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
				if x != nil {
					out = append(out, *x)
				}
			}
			kept := 0
			for _, x := range out {
				if x.Reason != ReasonSecret {
					continue
				}
				kept++
				if l := lang.Detect(x.Path, nil); l != nil && !plainLanguages[l.Name] {
					t.Errorf("%s is taken for %s", x.Path, x.Detail)
				}
			}
			if kept > len(l.Entries)/200 {
				t.Errorf("%d of %d files are taken for secrets", kept, len(l.Entries))
			}
			t.Logf("%d of %d files are kept out", kept, len(l.Entries))
		})
	}
}

package sample

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/store"
)

// BenchTree writes Go's own source to a folder and indexes it.
func BenchTree(b *testing.B) (dir string, snaps []*store.Snapshot) {
	b.Helper()
	dir = b.TempDir()
	files := TreeOf(b, dir, ".")
	var parts []map[string]string
	size := 0
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if parts == nil || size > 32<<20 {
			parts, size = append(parts, map[string]string{}), 0
		}
		parts[len(parts)-1][p] = files[p]
		size += len(files[p])
	}
	return dir, []*store.Snapshot{Repository(b, "go", parts...)}
}

// nasty are texts that line-based tools disagree about.
var nasty = map[string]string{
	"nasty/crlf.txt":    "alpha\r\nbeta foo\r\n\r\nfoo\r\n",
	"nasty/cr.txt":      "alpha\rfoo bar\rgamma\r",
	"nasty/nofinal.txt": "alpha\nfoo",
	"nasty/bom.txt":     "\xef\xbb\xbffoo bar\nalpha\n",
	"nasty/invalid.txt": "a\xffb\nfoo\xff\n\xfffoo\n\xe2\x84 foo\n\xc3\x28 alpha\xf0\n\xed\xa0\x80foo-\n",
	"nasty/empty.txt":   "",
	"nasty/lines.txt":   "\n\n\nfoo\n\n\n",
	"nasty/one.txt":     "\n",
	"nasty/unicode.txt": "été foo été\nÉTÉ FOO\nfooé éfoo\nstraße STRASSE\nta\u017f\u212a TASK task\n日本foo日本\nfoo\u00a0bar\u2028foo\n\u1e9e \u0130 \u0131 i I\nσςΣ\n\ufffdfoo\ufffd\n",
	"nasty/control.txt": "a\tfoo\x0bbar\x0cfoo\x1b[31mfoo\x7f\n",
	"nasty/long.txt":    strings.Repeat("x y ", 50_000) + "foo" + strings.Repeat(" z", 50_000) + "\nfoo_bar foo-bar\n",
	"nasty/repeat.txt":  strings.Repeat("aaaa aab foo_foo foo\n", 500),
}

// TreeOf writes nasty texts and some of Go's own source to dir and returns them by path.
func TreeOf(t testing.TB, dir string, folders ...string) map[string]string {
	t.Helper()
	files := maps.Clone(nasty)
	for _, folder := range folders {
		maps.Copy(files, goSource(t, folder))
	}
	for p, text := range files {
		name := filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for p, text := range files {
		files[p] = strings.TrimPrefix(text, "\xef\xbb\xbf") // which is no part of the text
	}
	return files
}

// goSource returns the text files below a folder of Go's own source.
func goSource(t testing.TB, folder string) map[string]string {
	t.Helper()
	root := filetest.GoSource(t)
	files := map[string]string{}
	err := filepath.WalkDir(filepath.Join(root, folder), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || bytes.IndexByte(text, 0) >= 0 || bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
			return err
		}
		rel, err := filepath.Rel(root, name)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

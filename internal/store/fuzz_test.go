package store

import (
	"context"
	"path/filepath"
	"testing"

	"espy/internal/segment"

	"espy/internal/store/manifest"
)

// FuzzManifest opens, reads and verifies generations whose manifest has a right
// checksum but any content: an error or a snapshot, never a panic, and nothing
// outside the family's folder.
func FuzzManifest(f *testing.F) {
	dir := f.TempDir()
	fam, err := Open(dir)
	if err != nil {
		f.Fatal(err)
	}
	unlock, err := fam.TryLock()
	if err != nil {
		f.Fatal(err)
	}
	b, err := fam.Begin(MainView, unlock, false)
	if err != nil {
		f.Fatal(err)
	}
	files := map[string]string{"a.go": "package a\n", "b.go": "package b\n"}
	builder := segment.NewBuilder()
	for _, path := range []string{"a.go", "b.go"} {
		if err := builder.Add(file(path, files[path])); err != nil {
			f.Fatal(err)
		}
	}
	if err := b.Add(builder); err != nil {
		f.Fatal(err)
	}
	if _, err := b.Commit(context.Background(), Generation{Tree: treeOf(files)}); err != nil {
		f.Fatal(err)
	}
	if err := b.Close(); err != nil {
		f.Fatal(err)
	}
	whole, err := fam.dir.Record(manifest.Name(MainView))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"format":1,"analysis":2,"tree":"x","segments":[{"part":"y","size":-1,"live":"AA=="}]}`))
	f.Add([]byte(`{"format":1,"analysis":2,"segments":[{"part":"../../z"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := manifest.Parse(data, "manifest")
		if err != nil {
			return
		}
		for _, ref := range m.Segments {
			if filepath.Base(ref.Part) != ref.Part {
				t.Fatalf("part %q is not in the folder", ref.Part)
			}
		}
		reader := family(t, dir) // sees the parts of the manifest that is right
		s, _, err := reader.open(m)
		if err != nil || s == nil {
			return
		}
		defer s.Close()
		err = segment.Guard(func() error {
			s.Stats()
			s.Find("a.go")
			s.Each(func(seg, file int) bool { s.Segments[seg].Path(file); return true })
			return nil
		})
		if err == nil {
			s.checkTree()
		}
	})
}

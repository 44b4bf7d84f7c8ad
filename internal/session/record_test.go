package session

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"espy/internal/workspace"
)

func TestIsName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"a": true, "shop-main_2": true, "0": true, "": false, "-a": false, "a.b": false, "a/b": false, "a\n": false,
		string(make([]byte, 65)): false,
	} {
		t.Run(name, func(t *testing.T) {
			if got := IsName(name); got != want {
				t.Errorf("IsName(%q) = %v, want %v", name, got, want)
			}
		})
	}
}

// cancelled returns a context that has ended.
func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// FuzzRecord reads records of sessions with a right checksum but any content.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"schema":3,"name":"s","root":"/a","view":"session.s.1","policy":{},"windowing":{"size":512,"overlap":64}}`))
	f.Add([]byte(`{"name":"other"}`))
	all := newSpace(f, nil, workspace.Options{}).all
	dir, err := all.records.open()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := dir.Replace("session-s.json", data); err != nil {
			t.Fatal(err)
		}
		list, err := all.List(t.Context())
		if err != nil || len(list) != 1 || list[0].Name != "s" {
			t.Fatalf("%q: listed %v, %v", data, list, err)
		}
		s, err := all.Find(t.Context(), "s")
		if damaged := (*DamagedError)(nil); err != nil && !errors.As(err, &damaged) {
			t.Errorf("%q: %v", data, err)
		}
		if err == nil && (s.Name != "s" || !filepath.IsAbs(s.Root)) {
			t.Errorf("%q: %+v", data, s.Record)
		}
	})
}

package visits_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"espy/internal/catalog"
	blob "espy/internal/store/blob/postgres"
	"espy/internal/visits"
	"espy/internal/workspace"
	"espy/internal/workspace/team"
)

// TestPrune holds which indexes are dropped, and when.
func TestPrune(t *testing.T) {
	home := t.TempDir()
	w, err := workspace.Open(workspace.Options{DataDir: filepath.Join(home, "data")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	log := visits.Of(w)
	attach := func(name string) *workspace.Repo {
		dir := filepath.Join(home, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	asked, visited, again := attach("asked"), attach("visited"), attach("again")
	for _, r := range []*workspace.Repo{visited, again} {
		if err := log.Begin(r, begun); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range []*workspace.Repo{asked, again} {
		if err := log.Again(r, begun.Add(20*24*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name  string
		after time.Duration
		want  []string
	}{
		{"soon", time.Hour, nil},
		{"a day before", visits.KeptFor - 24*time.Hour, nil},
		{"a day after", visits.KeptFor + 24*time.Hour, []string{"visited"}},
		{"much later", 2 * visits.KeptFor, []string{"again"}},
		{"never again", 9 * visits.KeptFor, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := log.Prune(t.Context(), begun.Add(tt.after), visits.KeptFor)
			if err != nil || len(list) != len(tt.want) || len(list) > 0 && list[0].Name != tt.want[0] {
				t.Errorf("dropped %+v, error %v, want %v", list, err, tt.want)
			}
		})
	}
	t.Run("attached again", func(t *testing.T) {
		r := attach("visited")
		if err := log.Begin(r, begun); err != nil {
			t.Fatal(err)
		}
		attach("visited")
		if until, ok := log.Until(r.ID()); ok {
			t.Errorf("is dropped at %v", until)
		}
	})
}

// TestPruneOfATeam holds that nothing is dropped that a team shares, also where this
// machine has noted a visit.
func TestPruneOfATeam(t *testing.T) {
	dir := t.TempDir()
	local, err := catalog.Open(filepath.Join(dir, "team"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Open(workspace.Options{DataDir: dir, Team: &team.Shared{Catalog: local, Build: true, News: blob.NewNews(nil, nil, nil)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	r, err := w.Attach(t.Context(), t.TempDir(), workspace.AttachOptions{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := catalog.Visit(r.Folder(), begun); err != nil {
		t.Fatal(err)
	}
	if list, err := visits.Of(w).Prune(t.Context(), begun.Add(9*visits.KeptFor), visits.KeptFor); err != nil || len(list) > 0 {
		t.Errorf("dropped %+v, error %v", list, err)
	}
}

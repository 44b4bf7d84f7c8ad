package view

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/catalog"
	"espy/internal/listing"
	"espy/internal/store"
	"espy/internal/store/manifest"
)

// refView returns the view of a commit in a family that holds others, each last
// used so long ago.
func refView(t *testing.T, own string, used map[string]time.Duration) *View {
	t.Helper()
	c, err := catalog.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	rec := catalog.Repo{ID: "some-repo", Name: "shop"}
	family, err := store.Open(c.Folder(rec.ID))
	if err != nil {
		t.Fatal(err)
	}
	for commit, ago := range used {
		unlock, err := family.TryLock()
		if err != nil {
			t.Fatal(err)
		}
		b, err := family.Begin(RefPrefix+commit, unlock, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Commit(t.Context(), store.Generation{Tree: &listing.Tree{}, Branch: "of " + commit}); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-ago)
		if err := os.Chtimes(filepath.Join(c.Folder(rec.ID), manifest.Name(RefPrefix+commit)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	return New(&Env{Catalog: c, Log: slog.New(slog.DiscardHandler)}, family, rec, RefPrefix+own, own)
}

func commitsOf(t *testing.T, v *View) (commits []string) {
	t.Helper()
	kept, err := v.KeptRefs()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kept {
		if k.Ref != "of "+k.Commit {
			t.Errorf("%s was asked for as %q", k.Commit, k.Ref)
		}
		commits = append(commits, k.Commit)
	}
	return commits
}

// TestTidyRefs holds which commits are kept: those asked about last, for a time.
func TestTidyRefs(t *testing.T) {
	used := func(n int) map[string]time.Duration {
		all := map[string]time.Duration{"own": keepRefsFor + 9*time.Hour}
		for i := range n {
			all[fmt.Sprintf("c%02d", i)] = time.Duration(i+1) * time.Hour
		}
		return all
	}
	numbered := func(n int) (commits []string) {
		for i := range n {
			commits = append(commits, fmt.Sprintf("c%02d", i))
		}
		return append(commits, "own")
	}
	old := used(2)
	old["late"], old["early"] = keepRefsFor-time.Minute, keepRefsFor+time.Minute
	for _, c := range []struct {
		name string
		used map[string]time.Duration
		want []string
	}{
		{"few", used(3), numbered(3)},
		{"as many as are kept", used(keepRefs - 1), numbered(keepRefs - 1)},
		{"more", used(keepRefs), numbered(keepRefs - 1)},
		{"many more", used(keepRefs + 5), numbered(keepRefs - 1)},
		{"old", old, []string{"c00", "c01", "late", "own"}},
		{"none", map[string]time.Duration{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := refView(t, "own", c.used)
			v.TidyRefs(t.Context())
			if diff := cmp.Diff(c.want, commitsOf(t, v)); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTidyJobs holds that only what is left of jobs for views that are gone goes.
func TestTidyJobs(t *testing.T) {
	v := refView(t, "own", map[string]time.Duration{"other": 0})
	names := []string{RefPrefix + "own.index.lock", RefPrefix + "other.index.lock", RefPrefix + "other.syntax.lock", RefPrefix + "gone.index.lock", RefPrefix + "gone.vectors.lock"}
	if err := os.MkdirAll(v.Jobs(), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if err := os.WriteFile(filepath.Join(v.Jobs(), n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.TidyJobs(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(v.Jobs())
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := slices.Sorted(slices.Values(names[:3]))
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

// TestDropOldRefs holds that commits of another format go, and those of a newer
// program stay.
func TestDropOldRefs(t *testing.T) {
	v := refView(t, "own", map[string]time.Duration{"now": 0, "old": time.Hour, "older": 2 * time.Hour})
	if n, err := v.DropOldRefs(t.Context()); n != 0 || err != nil {
		t.Errorf("none is old: %d, %v", n, err)
	}
	for _, commit := range []string{"old", "older"} {
		name := filepath.Join(v.Folder(), manifest.Name(RefPrefix+commit))
		if err := os.WriteFile(name, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := v.DropOldRefs(t.Context()); n != 2 || err != nil {
		t.Errorf("two are old: %d, %v", n, err)
	}
	if got := commitsOf(t, v); !slices.Equal(got, []string{"now"}) {
		t.Errorf("left %q", got)
	}
}

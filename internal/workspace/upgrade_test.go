package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/store"
	"espy/internal/store/blob/local"
	"espy/internal/store/manifest"
	"espy/internal/workspace/coverage"
)

// rewrite changes the manifest of a view of a repository's own folder.
func rewrite(t *testing.T, r *Repo, view, old, new string) {
	t.Helper()
	dir, err := local.Open(r.Folder())
	if err != nil {
		t.Fatal(err)
	}
	name := "view-" + view + ".json"
	whole, err := dir.Record(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(whole), old, new)
	if changed == string(whole) {
		t.Fatalf("%s has no %q: %s", name, old, whole)
	}
	if err := dir.Replace(name, []byte(changed)); err != nil {
		t.Fatal(err)
	}
}

var (
	analysisNow = fmt.Sprintf(`"analysis":%d,"generation"`, manifest.Analysis)
	analysisOld = fmt.Sprintf(`"analysis":%d,"generation"`, manifest.Analysis-1)
	analysisNew = fmt.Sprintf(`"analysis":%d,"generation"`, manifest.Analysis+1)
	syntaxNow   = fmt.Sprintf(`"analysis":%d}`, store.Syntax)
	syntaxOld   = fmt.Sprintf(`"analysis":%d}`, store.Syntax-1)
)

// indexedIn indexes a tree of two files and closes its workspace.
func indexedIn(t *testing.T, data string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	filetest.Write(t, dir, pythons(2))
	w := openParsing(t, data, &fakeParser{}, false)
	if _, err := attach(t, w, dir).Index(context.Background(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestAnOlderIndexIsRebuilt asks about, and indexes, what an older program
// wrote: the answer is right and says what happened.
func TestAnOlderIndexIsRebuilt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		old, new, why    string
		analysed, parsed int
	}{
		"analysis": {analysisNow, analysisOld, fmt.Sprintf("it was of format %d, now %d", manifest.Analysis-1, manifest.Analysis), 2, 2},
		"syntax":   {syntaxNow, syntaxOld, fmt.Sprintf("its symbols were of version %d, now %d", store.Syntax-1, store.Syntax), 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			data := t.TempDir()
			dir := indexedIn(t, data)
			w := openParsing(t, data, &fakeParser{}, false)
			r := attach(t, w, dir)
			rewrite(t, r, store.MainView, tt.old, tt.new)
			st, err := r.Status(context.Background())
			if err != nil || (name == "analysis") != strings.Contains(st.LastError, "espy upgrade") {
				t.Errorf("Status = %+v, %v", st, err)
			}
			rep, err := r.Index(context.Background(), IndexOptions{})
			if err != nil || rep.Analysed != tt.analysed || rep.Parsed != tt.parsed || len(rep.Notices) != 1 || rep.Notices[0] != "the index was made anew: "+tt.why {
				t.Errorf("Index = %+v, %v; want notice %q", rep, err, tt.why)
			}
			w.Close()

			rewrite(t, r, store.MainView, tt.old, tt.new)
			w = openParsing(t, data, &fakeParser{}, false)
			r = attach(t, w, dir)
			_, f := lookSyntax(t, r, Wait{})
			if f.Rebuilt != tt.why {
				t.Errorf("a question about symbols says %q, want %q", f.Rebuilt, tt.why)
			}
			res, err := w.Search(context.Background(), []*Repo{r}, mustCompile(t, hit.Request{Mode: hit.ModeLiteral, Query: "w1 text", Limit: 5}), Wait{})
			if err != nil || res.Total != 1 || res.Repos[0].Freshness.Rebuilt != tt.why {
				t.Errorf("Search = %+v, %v; want 1 line, rebuilt because %q", res, err, tt.why)
			}
		})
	}
}

func TestUpgrade(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	dirs := map[string]string{}
	for _, name := range []string{"current", "old", "symbols", "damaged", "newer", "gone"} {
		dirs[name] = indexedIn(t, data)
	}
	w := openParsing(t, data, &fakeParser{}, false)
	repos := map[string]*Repo{}
	for name, dir := range dirs {
		r, err := w.Attach(context.Background(), dir, AttachOptions{Name: name, Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		repos[name] = r
	}
	rewrite(t, repos["old"], store.MainView, analysisNow, analysisOld)
	rewrite(t, repos["symbols"], store.MainView, syntaxNow, syntaxOld)
	rewrite(t, repos["newer"], store.MainView, analysisNow, analysisNew)
	rewrite(t, repos["gone"], store.MainView, analysisNow, analysisOld)
	if err := os.WriteFile(filepath.Join(w.env.Catalog.Folder(repos["damaged"].ID()), "view-main.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dirs["gone"]); err != nil {
		t.Fatal(err)
	}
	list, err := w.Upgrade(context.Background(), nil)
	if err != nil || len(list) != len(dirs) {
		t.Fatalf("Upgrade = %+v, %v", list, err)
	}
	want := map[string]struct {
		state  coverage.UpgradeState
		detail string
	}{
		"current": {coverage.UpgradeCurrent, ""}, "old": {coverage.UpgradeDone, fmt.Sprintf("of format %d", manifest.Analysis-1)}, "symbols": {coverage.UpgradeDone, "symbols were of version"},
		"damaged": {coverage.UpgradeIndexed, ""}, "newer": {coverage.UpgradeNewer, "newer than format"}, "gone": {coverage.UpgradeVanished, "espy remove gone"},
	}
	for _, u := range list {
		t.Run(u.Name, func(t *testing.T) {
			if u.State != want[u.Name].state || !strings.Contains(u.Detail, want[u.Name].detail) {
				t.Errorf("%+v, want %v", u, want[u.Name])
			}
		})
	}
	for _, name := range []string{"current", "old", "symbols", "damaged"} {
		t.Run(name+" is whole", func(t *testing.T) {
			if st, err := repos[name].Status(context.Background()); err != nil || st.Files != 2 || st.Syntax.Parsed != 2 || st.LastError != "" {
				t.Errorf("status %+v, %v", st, err)
			}
		})
	}
	if st, err := repos["newer"].Status(context.Background()); err != nil || !strings.Contains(st.LastError, "newer than format") {
		t.Errorf("status of what a newer program wrote: %+v, %v", st, err)
	}
	again, err := w.Upgrade(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range again {
		if u.State != coverage.UpgradeCurrent && u.State != coverage.UpgradeNewer && u.State != coverage.UpgradeVanished {
			t.Errorf("a second upgrade of %s: %+v", u.Name, u)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.Upgrade(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Upgrade that is ended: %v", err)
	}
}

func TestDisk(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	before := open(t, data).Disk()
	indexedIn(t, data)
	if after := open(t, data).Disk(); after < before+1000 {
		t.Errorf("%d bytes on disk, %d before", after, before)
	}
}

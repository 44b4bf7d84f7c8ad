// Package catalogtest says by tests what a catalogue of repositories must do.
package catalogtest

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/catalog"
	"espy/internal/code"
)

// Run tests a kind of catalogue. fresh returns the opener of an empty one: each call
// of it opens the same again, as another process would.
func Run(t *testing.T, fresh func(t *testing.T) (open func(t *testing.T) catalog.Catalog)) {
	for _, tt := range []struct {
		name string
		test func(t *testing.T, open func(t *testing.T) catalog.Catalog)
	}{
		{"empty", empty}, {"kept", kept}, {"renamed", renamed}, {"refused", refused}, {"hostile", hostile}, {"together", together},
		{"family", family}, {"remote", remote}, {"package", ofPackage},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, fresh(t)) })
	}
}

func attach(t *testing.T, c catalog.Catalog, r catalog.Repo) catalog.Repo {
	t.Helper()
	got, err := c.Attach(t.Context(), r)
	if err != nil {
		t.Fatalf("Attach(%.60s): %v", r.Place(), err)
	}
	return got
}

func names(t *testing.T, c catalog.Catalog) string {
	t.Helper()
	list, err := c.List()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range list {
		all = append(all, r.Name)
	}
	return strings.Join(all, " ")
}

const none = code.RepoID("00000000-0000-4000-8000-000000000000")

func empty(t *testing.T, open func(t *testing.T) catalog.Catalog) {
	c := open(t)
	if got := names(t, c); got != "" || c.Has(none) {
		t.Errorf("it lists %q, and has one: %v", got, c.Has(none))
	}
	if err := c.Remove(t.Context(), none); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Remove: error %v", err)
	}
	if err := c.SetRemote(t.Context(), none, catalog.Remote{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("SetRemote: error %v", err)
	}
}

func kept(t *testing.T, open func(t *testing.T) catalog.Catalog) {
	want := attach(t, open(t), catalog.Repo{Root: "/src/api"})
	b := attach(t, open(t), catalog.Repo{Root: "/other/api"})
	if want.Name != "api" || b.Name != "api-2" || want.Attached.IsZero() {
		t.Errorf("names %q and %q, attached %v", want.Name, b.Name, want.Attached)
	}
	list, err := open(t).List()
	if err != nil || len(list) != 2 || !cmp.Equal(list[0], want) {
		t.Errorf("List = %+v, %v, want %+v first", list, err, want)
	}
	if got := attach(t, open(t), catalog.Repo{Root: "/src/api"}); !cmp.Equal(got, want) {
		t.Errorf("attached again it is %+v", got)
	}
	c := open(t)
	if !c.Has(want.ID) || c.Has(none) || !strings.Contains(c.Folder(want.ID), string(want.ID)) {
		t.Errorf("Has and Folder %s", c.Folder(want.ID))
	}
	if err := open(t).Remove(t.Context(), want.ID); err != nil {
		t.Fatal(err)
	}
	if got := names(t, open(t)); got != "api-2" {
		t.Errorf("after one was removed it lists %q", got)
	}
}

func renamed(t *testing.T, open func(t *testing.T) catalog.Catalog) {
	old := attach(t, open(t), catalog.Repo{Root: "/src/api"})
	got := attach(t, open(t), catalog.Repo{Root: "/src/api", Name: "service"})
	if got.ID != old.ID || names(t, open(t)) != "service" {
		t.Errorf("renamed to %+v, of which it lists %q", got, names(t, open(t)))
	}
}

func refused(t *testing.T, open func(t *testing.T) catalog.Catalog) {
	c := open(t)
	attach(t, c, catalog.Repo{Root: "/src/api"})
	for _, name := range []string{"api", "a b", "a/b", "-a", ".a", "all", "a\x00b", strings.Repeat("n", 101), strings.Repeat("n", 1<<20)} {
		t.Run(fmt.Sprintf("%.20q", name), func(t *testing.T) {
			if _, err := c.Attach(t.Context(), catalog.Repo{Root: "/src/other", Name: name}); err == nil {
				t.Error("no error")
			}
		})
	}
	if got := names(t, open(t)); got != "api" {
		t.Errorf("it lists %q", got)
	}
}

// hostile holds that any bytes of a place are kept apart from others, and harm nothing.
func hostile(t *testing.T, open func(t *testing.T) catalog.Catalog) {
	c := open(t)
	for n, root := range []string{"/src/'; DROP TABLE espy.repositories; --", `/src/"$1"\`, "/src/ä\u202e", "/" + strings.Repeat("long/", 1<<18), "/src/\u0001\u007f", `/src/\u0000`, "/src/\xff", "/src/\xfe", "/src/a\x00b", "/"} {
		t.Run(fmt.Sprintf("%.30q", root), func(t *testing.T) {
			r := attach(t, c, catalog.Repo{Root: root})
			list, err := open(t).List()
			if err != nil || len(list) != n+1 || !slices.ContainsFunc(list, func(o catalog.Repo) bool { return o.ID == r.ID && o.Root == root }) {
				t.Errorf("%d repositories, %v", len(list), err)
			}
			if again := attach(t, open(t), catalog.Repo{Root: root}); again.ID != r.ID {
				t.Error("it is another the second time")
			}
		})
	}
}

// together holds that programs which attach one place at once have one repository.
func together(t *testing.T, open func(t *testing.T) catalog.Catalog) {
	var mu sync.Mutex
	ids := map[code.RepoID]bool{}
	var wg sync.WaitGroup
	for n := range 12 {
		c := open(t)
		wg.Go(func() {
			r, err := c.Attach(t.Context(), catalog.Repo{Root: fmt.Sprintf("/src/%d/api", n%2)})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ids[r.ID] = true
		})
	}
	wg.Wait()
	if got := names(t, open(t)); got != "api api-2" || len(ids) != 2 {
		t.Errorf("it lists %q, and gave %d identities", got, len(ids))
	}
}

func family(t *testing.T, open func(t *testing.T) catalog.Catalog) {
	first := attach(t, open(t), catalog.Repo{Root: "/src/api", Git: "/src/api/.git"})
	second := attach(t, open(t), catalog.Repo{Root: "/src/fix", Git: "/src/api/.git"})
	third := attach(t, open(t), catalog.Repo{Root: "/src/web", Git: "/src/web/.git"})
	if first.FamilyID() != first.ID || second.FamilyID() != first.ID || third.FamilyID() != third.ID {
		t.Fatalf("families %s, %s, %s", first.FamilyID(), second.FamilyID(), third.FamilyID())
	}
	for _, id := range []code.RepoID{first.ID, second.ID} {
		if err := open(t).Remove(t.Context(), id); err != nil {
			t.Errorf("Remove: %v", err)
		}
	}
	if got := names(t, open(t)); got != "web" {
		t.Errorf("it lists %q", got)
	}
}

func remote(t *testing.T, open func(t *testing.T) catalog.Catalog) {
	r := attach(t, open(t), catalog.Repo{Remote: &catalog.Remote{URL: "https://h.test/a/tool.git", Ref: "v2"}})
	if r.Name != "tool-v2" || r.Place() != "https://h.test/a/tool.git#v2" {
		t.Errorf("%s at %s", r.Name, r.Place())
	}
	got := catalog.Remote{URL: r.Remote.URL, Ref: "v2", Commit: "c", Fetched: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Failed: "said: '; --\x00\n"}
	if err := open(t).SetRemote(t.Context(), r.ID, got); err != nil {
		t.Fatal(err)
	}
	list, err := open(t).List()
	if err != nil || len(list) != 1 || list[0].Remote.Commit != "c" || !list[0].Remote.Fetched.Equal(got.Fetched) || !strings.HasPrefix(list[0].Remote.Failed, "said: '; --") {
		t.Errorf("List = %+v, %v", list, err)
	}
}

func ofPackage(t *testing.T, open func(t *testing.T) catalog.Catalog) {
	for _, root := range []string{"/go/a@v1", "/go/a@v2"} {
		attach(t, open(t), catalog.Repo{Root: root, Name: "a", Package: &catalog.Package{Fixed: true}})
	}
	if got := names(t, open(t)); got != "a a" {
		t.Errorf("it lists %q", got)
	}
}

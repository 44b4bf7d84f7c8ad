package catalog

import (
	std "cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/code"
)

func openCatalog(t *testing.T, path string) *Dir {
	t.Helper()
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func attach(t *testing.T, c *Dir, name, root string) Repo {
	t.Helper()
	r, err := c.Attach(context.Background(), Repo{Name: name, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func list(t *testing.T, c Catalog) []Repo {
	t.Helper()
	repos, err := c.List()
	if err != nil {
		t.Fatal(err)
	}
	return repos
}

func names(repos []Repo) (all []string) {
	for _, r := range repos {
		all = append(all, r.Name)
	}
	return all
}

func TestNames(t *testing.T) {
	tests := []struct {
		name, root string
		want       string // "" for a *nameError
	}{
		{"", "/src/api", "api"},
		{"", "/other/api", "api-2"},
		{"", "/third/api", "api-3"},
		{"", "/src/api", "api"}, // attached before
		{"", "/", "repo"},
		{"", "/src/all", "repo-2"},
		{"", "/src/.hidden", "hidden"},
		{"", "/src/--flag", "flag"},
		{"", "/src/with space\n", "with_space_"},
		{"", "/src/\xff\xfe", "repo-3"},
		{"", "/src/" + strings.Repeat("ü", 100), strings.Repeat("ü", 45)},
		{"web", "/src/web-client", "web"},
		{"renamed", "/src/api", "renamed"},
		{"", "/src/api", "renamed"},
		{"api", "/src/new", "api"},
		{"web", "/src/another", ""},
		{"all", "/src/x", ""},
		{"-x", "/src/x", ""},
		{".x", "/src/x", ""},
		{"a/b", "/src/x", ""},
		{"a b", "/src/x", ""},
		{"a\nb", "/src/x", ""},
		{strings.Repeat("n", 101), "/src/x", ""},
	}
	c := openCatalog(t, t.TempDir())
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.20q for %s", tt.name, tt.root), func(t *testing.T) {
			r, err := c.Attach(context.Background(), Repo{Name: tt.name, Root: tt.root})
			var bad *nameError
			if (tt.want == "") != errors.As(err, &bad) || tt.want != "" && (err != nil || r.Name != tt.want) {
				t.Errorf("Attach(%q, %q) = %q, %v, want %q", tt.name, tt.root, r.Name, err, tt.want)
			}
		})
	}
	if got := names(list(t, c)); !slices.IsSorted(got) || slices.Contains(got, "") {
		t.Errorf("List = %q, want sorted names", got)
	}
}

func TestAttachIsKept(t *testing.T) {
	path := t.TempDir()
	want := attach(t, openCatalog(t, path), "", "/src/api")
	if !isID(string(want.ID)) || want.Attached.IsZero() {
		t.Errorf("attached %+v", want)
	}
	if diff := cmp.Diff([]Repo{want}, list(t, openCatalog(t, path))); diff != "" {
		t.Errorf("List (-want +got):\n%s", diff)
	}
	if again := attach(t, openCatalog(t, path), "", "/src/api"); again.ID != want.ID {
		t.Errorf("attached again under %s, was %s", again.ID, want.ID)
	}
}

// TestAttachAtOnce attaches the same and other roots from many handles, as
// many processes would.
func TestAttachAtOnce(t *testing.T) {
	path := t.TempDir()
	var wg sync.WaitGroup
	ids := make([]code.RepoID, 16)
	for i := range ids {
		c := openCatalog(t, path)
		wg.Go(func() {
			r, err := c.Attach(context.Background(), Repo{Root: fmt.Sprintf("/src%d/api", i%4)})
			if err != nil {
				t.Error(err)
			}
			ids[i] = r.ID
		})
	}
	wg.Wait()
	repos := list(t, openCatalog(t, path))
	if got, want := names(repos), []string{"api", "api-2", "api-3", "api-4"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	for i, id := range ids {
		if id != ids[i%4] {
			t.Errorf("root %d attached as %s and as %s", i%4, id, ids[i%4])
		}
	}
}

func TestRemove(t *testing.T) {
	c := openCatalog(t, t.TempDir())
	one, two := attach(t, c, "one", "/src/one"), attach(t, c, "two", "/src/two")
	if err := os.WriteFile(filepath.Join(c.Folder(one.ID), "part"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Remove(context.Background(), one.ID); err != nil {
		t.Fatal(err)
	}
	if got := names(list(t, c)); !slices.Equal(got, []string{"two"}) {
		t.Errorf("List = %q, want two", got)
	}
	if _, err := os.Stat(c.Folder(one.ID)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("folder of the removed repository: %v", err)
	}
	if err := c.Remove(context.Background(), one.ID); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("second Remove: error %v", err)
	}
	if again := attach(t, c, "one", "/src/one"); again.ID == one.ID || again.ID == two.ID {
		t.Error("an identity was given twice")
	}
}

// TestFamily attaches work trees of one git repository and removes them, the
// first one first.
func TestFamily(t *testing.T) {
	c := openCatalog(t, t.TempDir())
	tree := func(root, git string) Repo {
		t.Helper()
		r, err := c.Attach(t.Context(), Repo{Root: root, Git: git})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first, other, plain := tree("/src/api", "/src/api/.git"), tree("/src/web", "/src/web/.git"), tree("/src/notes", "")
	second, third := tree("/trees/fix", "/src/api/.git"), tree("/trees/try", "/src/api/.git")
	for _, tt := range []struct {
		r      Repo
		family code.RepoID
		view   string
	}{
		{first, first.ID, ""}, {other, other.ID, ""}, {plain, plain.ID, ""}, {tree("/src/more-notes", ""), "", ""},
		{second, first.ID, "tree." + string(second.ID)}, {third, first.ID, "tree." + string(third.ID)},
	} {
		t.Run(tt.r.Root, func(t *testing.T) {
			if family := std.Or(tt.family, tt.r.ID); tt.r.FamilyID() != family || tt.r.View() != tt.view {
				t.Errorf("%s: family %s, view %q; want %s, %q", tt.r.Root, tt.r.FamilyID(), tt.r.View(), family, tt.view)
			}
		})
	}
	exists := func(r Repo, want bool) {
		t.Helper()
		if _, err := os.Stat(c.Folder(r.ID)); (err == nil) != want {
			t.Errorf("folder of %s: %v, want it there: %v", r.Name, err, want)
		}
	}
	remove := func(r Repo) {
		t.Helper()
		if err := c.Remove(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
	}
	remove(first)
	exists(first, true)
	again := tree("/src/api", "/src/api/.git") // does not clean away the folder of its family
	exists(first, true)
	if again.FamilyID() != first.ID || again.ID == first.ID {
		t.Errorf("attached again: %+v, want it in the family of %s", again, first.ID)
	}
	remove(second)
	exists(second, false)
	exists(first, true)
	remove(again)
	remove(third)
	exists(first, false)
	exists(other, true)
}

// TestOlderRecordsHaveAFamily attaches a work tree of a repository whose record
// was written before families were noted.
func TestOlderRecordsHaveAFamily(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, ".git", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := openCatalog(t, t.TempDir())
	old := attach(t, c, "", dir)
	r, err := c.Attach(t.Context(), Repo{Root: "/trees/fix", Git: filepath.Join(dir, ".git")})
	if err != nil || r.FamilyID() != old.ID {
		t.Errorf("Attach = %+v, %v; want it in the family of %s", r, err, old.ID)
	}
}

// TestOneRecordIsEnough damages or removes one of the two records in turn.
func TestOneRecordIsEnough(t *testing.T) {
	for _, name := range []string{record, second} {
		for what, damage := range map[string]func(path string) error{
			"removed": os.Remove,
			"emptied": func(path string) error { return os.Truncate(path, 0) },
			"garbage": func(path string) error { return os.WriteFile(path, []byte("{}"), 0o600) },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				c := openCatalog(t, t.TempDir())
				want := attach(t, c, "name", "/src/api")
				path := filepath.Join(c.Folder(want.ID), name)
				if err := damage(path); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]Repo{want}, list(t, c)); diff != "" {
					t.Errorf("List (-want +got):\n%s", diff)
				}
				attach(t, c, "", "/src/api") // writes it anew
				if r, err := c.readRecord(string(want.ID), name); err != nil || r.Name != "name" {
					t.Errorf("record after attaching again: %+v, %v", r, err)
				}
			})
		}
	}
}

// TestLeftovers finds what a process left that was killed while it attached or
// removed, and repositories of which both records are gone.
func TestLeftovers(t *testing.T) {
	path := t.TempDir()
	c := openCatalog(t, path)
	lost := attach(t, c, "lost", "/src/lost")
	kept := attach(t, c, "kept", "/src/kept")
	for _, n := range []string{record, second} {
		if err := os.WriteFile(filepath.Join(c.Folder(lost.ID), n), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	half := filepath.Join(path, string(newID()))
	foreign := filepath.Join(path, "not-ours")
	for _, dir := range []string{half, foreign} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	temp := filepath.Join(path, "tmp-1")
	if err := os.WriteFile(temp, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := names(list(t, c)); !slices.Equal(got, []string{"kept"}) {
		t.Errorf("List = %q, want kept", got)
	}
	attach(t, c, "", "/src/new")
	for name, gone := range map[string]string{"half made": half, "temporary": temp, "without records": c.Folder(lost.ID)} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Lstat(gone); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is still there: %v", gone, err)
			}
		})
	}
	for name, there := range map[string]string{"foreign": foreign, "with records": c.Folder(kept.ID)} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Lstat(there); err != nil {
				t.Errorf("%s: %v", there, err)
			}
		})
	}
}

// FuzzRepo lists, attaches beside and removes repositories of which one has a
// record with a right checksum but any content.
func FuzzRepo(f *testing.F) {
	f.Add([]byte(`{"id":"11111111-1111-4111-8111-111111111111","name":"a","root":"/a"}`))
	f.Add([]byte(`{"id":"11111111-1111-4111-8111-111111111111","name":"a","root":"/a","family":"../.."}`))
	f.Add([]byte(`{"format":99,"id":"..","name":"../..","root":"relative"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := openCatalog(t, t.TempDir())
		kept := attach(t, c, "kept", "/kept")
		id := "11111111-1111-4111-8111-111111111111"
		if err := os.Mkdir(filepath.Join(c.dir.Path(), id), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := c.dir.Replace(filepath.Join(id, record), data); err != nil {
			t.Fatal(err)
		}
		repos, err := c.List()
		if err != nil {
			return // told, such as a format of a newer program
		}
		if !slices.Contains(names(repos), kept.Name) {
			t.Errorf("%q: the other repository is gone: %v", data, repos)
		}
		for _, r := range repos {
			if r.ID != kept.ID && string(r.ID) != id {
				t.Errorf("%q: repository %q in the folder of another", data, r.ID)
			}
		}
	})
}

func TestRemotes(t *testing.T) {
	dir := t.TempDir()
	c := openCatalog(t, dir)
	at := func(name, url string) (Repo, error) {
		return c.Attach(context.Background(), Repo{Name: name, Remote: &Remote{URL: url}})
	}
	folder := attach(t, c, "", "/src/api")
	one, err := at("", "https://host/owner/api.git")
	if err != nil || one.Name != "api-2" || one.Root != "" || one.Place() != "https://host/owner/api.git" || one.ID == folder.ID {
		t.Fatalf("Attach = %+v, %v", one, err)
	}
	two, err := at("", "https://host/other/web")
	if err != nil || two.Name != "web" || two.ID == one.ID {
		t.Errorf("Attach of another = %+v, %v", two, err)
	}
	branch, err := c.Attach(t.Context(), Repo{Remote: &Remote{URL: two.Remote.URL, Ref: "feature/x"}})
	if err != nil || branch.ID == two.ID || branch.Name != "web-feature_x" || branch.Place() != two.Remote.URL+"#feature/x" {
		t.Errorf("Attach of a branch = %+v, %v", branch, err)
	}
	if again, err := at("renamed", one.Remote.URL); err != nil || again.ID != one.ID || again.Name != "renamed" {
		t.Errorf("Attach again = %+v, %v", again, err)
	}
	var taken *nameError
	if _, err := at("web", one.Remote.URL); !errors.As(err, &taken) || !strings.Contains(err.Error(), two.Remote.URL) {
		t.Errorf("a name that is taken: %v", err)
	}
	if err := c.SetRemote(t.Context(), one.ID, Remote{URL: one.Remote.URL, Commit: "abc"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range list(t, openCatalog(t, dir)) {
		switch r.ID {
		case one.ID:
			if r.Remote == nil || r.Remote.Commit != "abc" || r.Name != "renamed" {
				t.Errorf("read back %+v", r.Remote)
			}
		case folder.ID:
			if r.Remote != nil || r.Place() != "/src/api" {
				t.Errorf("a folder has remote %+v", r.Remote)
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(c.Folder(folder.ID), record))
	if err != nil || strings.Contains(string(text), "remote") {
		t.Errorf("the record of a folder is %s, %v", text, err)
	}
}

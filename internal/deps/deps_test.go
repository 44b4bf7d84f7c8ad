package deps

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/code"
	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/packages"
	"espy/internal/permit"
	"espy/internal/search"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// desk is a repository that uses packages, and the workspace that it is attached to.
type desk struct {
	*workspace.Workspace
	t       *testing.T
	dir     string
	repo    *workspace.Repo
	data    string
	library *Library
}

// files are those of a repository and of the module cache beside it.
var files = map[string]string{
	"repo/go.mod":                             "module shop\n\nrequire a.org/x v1.0.0\n\nrequire a.org/deep v0.1.0 // indirect\n\nrequire a.org/gone v1.0.0\n",
	"repo/shop.go":                            "package shop\n\nimport \"a.org/x\"\n\nfunc Sell() { x.Weigh(1) }\n",
	"repo/package.json":                       `{"dependencies": {"left": "^1.0.0"}}`,
	"repo/.gitignore":                         "node_modules/\n",
	"repo/node_modules/left/package.json":     `{"version": "1.0.0"}`,
	"repo/node_modules/left/index.js":         "function padLeft() {}\n",
	"repo/vendor/own/v.go":                    "package own\n\nfunc WeighOwn() {}\n",
	"mod/a.org/x@v1.0.0/go.mod":               "module a.org/x\n",
	"mod/a.org/x@v1.0.0/x.go":                 "package x\n\n// Weigh weighs.\nfunc Weigh(n int) int { return n }\n",
	"mod/a.org/x@v1.0.0/.gitignore":           "x.go\n",
	"mod/a.org/x@v1.0.0/node_modules/no/a.js": "function WeighNo() {}\n",
	"mod/a.org/deep@v0.1.0/deep.go":           "package deep\n\nfunc WeighDeep() {}\n",
	"mod/a.org/other@v0.1.0/other.go":         "package other\n\nfunc Other() {}\n",
}

func newDesk(t *testing.T, set func(dir string, o *workspace.Options)) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, files)
	d := &desk{t: t, dir: dir, data: t.TempDir()}
	o := workspace.Options{DataDir: d.data}
	if set != nil {
		set(dir, &o)
	}
	if d.Workspace, err = workspace.Open(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	New(d.Workspace, packages.Places{GoModCache: filepath.Join(dir, "mod")})
	d.library = LibraryOf(d.Workspace)
	if d.repo, err = d.Attach(t.Context(), filepath.Join(dir, "repo"), workspace.AttachOptions{Exact: true}); err != nil {
		t.Fatal(err)
	}
	return d
}

// find returns the places where a word stands, in a scope.
func (d *desk) find(word string, scope code.Scope) (places, notes []string) {
	d.t.Helper()
	repos, notes, err := InScope(d.t.Context(), d.Workspace, []*workspace.Repo{d.repo}, scope, workspace.Wait{})
	if err != nil {
		d.t.Fatal(err)
	}
	q, err := search.Compile(hit.Request{Query: word, Mode: hit.ModeLiteral, Scope: scope})
	if err != nil {
		d.t.Fatal(err)
	}
	res, err := d.Search(d.t.Context(), repos, q, workspace.Wait{})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, h := range res.Hits {
		places = append(places, h.Repo+" "+h.Path)
	}
	slices.Sort(places)
	return places, notes
}

func (d *desk) wantFound(word string, scope code.Scope, want ...string) {
	d.t.Helper()
	if got, _ := d.find(word, scope); !slices.Equal(got, want) {
		d.t.Errorf("%s in %s: %q, want %q", word, scope, got, want)
	}
}

// TestScope holds what the scope of dependencies finds, and what it says of the rest.
func TestScope(t *testing.T) {
	d := newDesk(t, nil)
	for name, tt := range map[string]struct {
		word  string
		scope code.Scope
		want  []string
	}{
		"what the repository uses":      {"func Weigh(", code.ScopeDeps, []string{"deps/go/a.org/x@v1.0.0 x.go"}},
		"with what it keeps itself":     {"Weigh", code.ScopeDeps, []string{"deps/go/a.org/x@v1.0.0 x.go", "deps/go/a.org/x@v1.0.0 x.go", "repo vendor/own/v.go"}},
		"in a folder that git ignores":  {"padLeft", code.ScopeDeps, []string{"deps/npm/left@1.0.0 index.js"}},
		"nothing of the repository":     {"Sell", code.ScopeDeps, nil},
		"nothing of packages elsewhere": {"padLeft", code.ScopeAll, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := d.find(tt.word, tt.scope); !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	_, notes := d.find("x", code.ScopeDeps)
	want := []string{"the sources of 1 package are not at hand: go/a.org/gone@v1.0.0; `espy deps` says why", "not looked at: 1 package that only packages ask for; `espy deps add --all` adds them"}
	if !slices.Equal(notes, want) {
		t.Errorf("notes %q", notes)
	}
	if all, err := d.Repos(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("%d repositories, error %v: packages are not attached", len(all), err)
	}
}

// TestAsked holds that nothing beside the repository is read before it is asked for.
func TestAsked(t *testing.T) {
	d := newDesk(t, nil)
	d.wantFound("Sell", code.ScopeAll, "repo shop.go")
	if _, err := os.Stat(filepath.Join(d.data, "deps")); err == nil {
		t.Error("packages were looked for")
	}
}

// TestNotAllowed holds that the setting roots bounds the packages too.
func TestNotAllowed(t *testing.T) {
	d := newDesk(t, func(dir string, o *workspace.Options) { o.Roots = []string{filepath.Join(dir, "repo")} })
	d.wantFound("Weigh", code.ScopeDeps, "repo vendor/own/v.go")
	a, err := d.library.List(t.Context(), d.repo, Request{Name: "a.org/x"}, workspace.Wait{})
	if err != nil || len(a.Rows) != 1 || !strings.Contains(a.Rows[0].Lacks, "roots does not allow") {
		t.Errorf("%+v, error %v", a, err)
	}
}

// TestChanges holds that what a package manager changes is seen, and that a version
// in a cache stays as it was, also where the cache is gone.
func TestChanges(t *testing.T) {
	d := newDesk(t, nil)
	d.wantFound("padLeft", code.ScopeDeps, "deps/npm/left@1.0.0 index.js")
	filetest.Write(t, d.dir, map[string]string{"repo/node_modules/left/index.js": "function padMore() {}\n"})
	d.wantFound("padMore", code.ScopeDeps, "deps/npm/left@1.0.0 index.js")
	filetest.Write(t, d.dir, map[string]string{"repo/node_modules/left/package.json": `{"version": "2.0.0"}`})
	d.wantFound("padMore", code.ScopeDeps, "deps/npm/left@2.0.0 index.js")
	if _, err := d.Find(t.Context(), "deps/npm/left@1.0.0"); err == nil {
		t.Error("a version that is not there any more is found")
	}
	if err := os.RemoveAll(filepath.Join(d.dir, "mod")); err != nil {
		t.Fatal(err)
	}
	r, err := d.Find(t.Context(), "deps/go/a.org/x@v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	if c, err := r.Read(t.Context(), "x.go"); err != nil || !strings.Contains(string(c.Text), "Weigh") {
		t.Errorf("%s, error %v", c.Text, err)
	}
	if _, err := r.Read(t.Context(), "y.go"); err == nil {
		t.Error("a file that is none is read")
	}
}

// TestCallers holds that who may only ask has no package indexed, and that who sees
// only some repositories reaches packages by these alone.
func TestCallers(t *testing.T) {
	d := newDesk(t, nil)
	const name = "deps/go/a.org/x@v1.0.0"
	ask := func(c *permit.Caller) (repos []string, notes []string, found bool) {
		ctx := permit.With(t.Context(), c)
		all, notes, err := InScope(ctx, d.Workspace, []*workspace.Repo{d.repo}, code.ScopeDeps, workspace.Wait{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all[1:] {
			repos = append(repos, r.Name())
		}
		_, err = d.Find(ctx, name)
		return repos, notes, err == nil
	}
	limited := &permit.Caller{Role: permit.Admin, Only: true, Repos: []string{"repo"}}
	for _, tt := range []struct {
		name  string
		who   *permit.Caller
		repos int
		found bool
	}{
		{"who may only ask, before a package is known", &permit.Caller{Role: permit.Read}, 0, false},
		{"who may attach folders", &permit.Caller{Role: permit.Admin}, 2, true},
		{"who may only ask", &permit.Caller{Role: permit.Read}, 2, true},
		{"who sees some repositories", limited, 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			repos, notes, found := ask(tt.who)
			refused := slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "needs the role admin") })
			if len(repos) != tt.repos || found != tt.found || refused != (tt.repos == 0) {
				t.Errorf("%q, found %v, notes %q", repos, found, notes)
			}
		})
	}
}

// TestLimit holds that a package of more files than the limit says so.
func TestLimit(t *testing.T) {
	d := newDesk(t, func(_ string, o *workspace.Options) { o.Policy.MaxFiles = 6 })
	for i := range 10 {
		filetest.Write(t, d.dir, map[string]string{fmt.Sprintf("repo/node_modules/left/lib/%d.js", i): "function pad() {}\n"})
	}
	places, notes := d.find("function pad()", code.ScopeDeps)
	if want := "deps/npm/left@1.0.0 is not indexed as a whole: it has more files or bytes than the limit of a package"; len(places) != 5 || !slices.Contains(notes, want) {
		t.Errorf("%q, notes %q", places, notes)
	}
}

// TestFind holds that a package is a repository by its name.
func TestFind(t *testing.T) {
	d := newDesk(t, nil)
	r, err := d.Find(t.Context(), "deps/go/a.org/other@v0.1.0") // which no manifest names
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := r.Symbols(t.Context(), nav.SymbolRequest{Target: locate.Target{Name: "Other"}}, workspace.Wait{})
	if err != nil || found.Total != 1 || r.Name() != "deps/go/a.org/other@v0.1.0" || !r.Frozen() {
		t.Errorf("%s: %+v, error %v", r.Name(), found, err)
	}
	if _, err := r.At(t.Context(), "v1"); err == nil {
		t.Error("a package has commits")
	}
	for _, tt := range []struct{ ref, hint string }{
		{"deps/go/a.org/other@v0.2.0", "did you mean deps/go/a.org/other@v0.1.0"}, {"deps/npm/left@1.0.0", "espy deps"}, {"deps/go/../../x@v1", "espy deps"}, {"deps/", "did you mean"}, {"deps/go/a.org/other@v0.1.0/other.go", "did you mean deps/go/a.org/other@v0.1.0"},
	} {
		t.Run(tt.ref, func(t *testing.T) {
			_, err := d.Find(t.Context(), tt.ref)
			var refused *usage.Error
			if !errors.As(err, &refused) || !strings.Contains(refused.Hint, tt.hint) {
				t.Errorf("error %v, want the hint %q", err, tt.hint)
			}
		})
	}
}

// TestAdd holds which packages are added, listed and dropped.
func TestAdd(t *testing.T) {
	d := newDesk(t, nil)
	states := func(req Request) (all []string) {
		t.Helper()
		a, err := d.library.List(t.Context(), d.repo, req, workspace.Wait{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Rows {
			state := a.Rows[i].Ref()
			if a.Rows[i].Indexed {
				state += " indexed"
			}
			all = append(all, state)
		}
		return all
	}
	add := func(req Request) (names, notes []string) {
		t.Helper()
		added, notes, err := d.library.Add(t.Context(), d.repo, req, workspace.Wait{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range added {
			names = append(names, r.Name())
		}
		return names, notes
	}
	if got, want := states(Request{}), []string{"deps/go/a.org/gone@v1.0.0", "deps/go/a.org/x@v1.0.0", "deps/npm/left@1.0.0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if names, notes := add(Request{Name: "gone"}); names != nil || !slices.Equal(notes, []string{"deps/go/a.org/gone@v1.0.0: not in the module cache: go mod download brings it"}) {
		t.Errorf("%q %q", names, notes)
	}
	if names, _ := add(Request{All: true}); !slices.Equal(names, []string{"deps/go/a.org/x@v1.0.0", "deps/go/a.org/deep@v0.1.0", "deps/npm/left@1.0.0"}) {
		t.Errorf("added %q", names)
	}
	d.wantFound("WeighDeep", code.ScopeDeps, "deps/go/a.org/deep@v0.1.0 deep.go")
	if got, want := states(Request{All: true, Offset: 1, Limit: 2}), []string{"deps/go/a.org/x@v1.0.0 indexed", "deps/go/a.org/deep@v0.1.0 indexed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if removed, err := d.library.Remove(t.Context(), "a.org/deep"); err != nil || len(removed) != 1 {
		t.Errorf("%q, error %v", removed, err)
	}
	if removed, err := d.library.Remove(t.Context(), ""); err != nil || len(removed) != 2 {
		t.Errorf("%q, error %v", removed, err)
	}
	for name, err := range map[string]error{
		"remove": func() error { _, err := d.library.Remove(t.Context(), "a.org/deep"); return err }(),
		"add": func() error {
			_, _, err := d.library.Add(t.Context(), d.repo, Request{Name: "lift"}, workspace.Wait{})
			return err
		}(),
		"list": func() error {
			_, err := d.library.List(t.Context(), d.repo, Request{Name: "lift"}, workspace.Wait{})
			return err
		}(),
		"limit": func() error {
			_, err := d.library.List(t.Context(), d.repo, Request{Limit: -1}, workspace.Wait{})
			return err
		}(),
	} {
		t.Run(name, func(t *testing.T) {
			var refused *usage.Error
			if !errors.As(err, &refused) || refused.Hint == "" {
				t.Errorf("error %v, want one with a hint", err)
			}
		})
	}
}

// TestTidy holds that packages that nobody asks for are dropped.
func TestTidy(t *testing.T) {
	d := newDesk(t, nil)
	d.find("x", code.ScopeDeps)
	r, err := d.Find(t.Context(), "deps/go/a.org/other@v0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Snapshot(t.Context(), workspace.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	old := time.Now().Add(-keptFor - time.Hour)
	if err := os.Chtimes(filepath.Join(r.Folder(), "view-main.json"), old, old); err != nil {
		t.Fatal(err)
	}
	d.find("x", code.ScopeDeps)
	kept, err := d.library.kept(t.Context())
	if err != nil || len(kept) != 2 || kept["deps/go/a.org/other@v0.1.0"] != nil {
		t.Errorf("%d packages are kept, error %v", len(kept), err)
	}
}

// TestTogether holds that imports of a repository lead into packages, and who of the
// repository uses what a package declares.
func TestTogether(t *testing.T) {
	d := newDesk(t, nil)
	q := Question{Library: d.library, Repos: []*workspace.Repo{d.repo}}
	deep := q
	deep.Scope = code.ScopeDeps
	at := nav.SymbolRequest{Target: locate.Target{Path: "shop.go", Line: 5, Column: 17}}
	found, in, err := Symbols(t.Context(), q, at)
	if err != nil || found.Total != 0 || !slices.Equal(in.Notes, []string{"it is of the package a.org/x v1.0.0 (go.mod:3): ask with scope deps to have its sources looked for"}) {
		t.Errorf("%+v in %+v, error %v before a package is known", found, in, err)
	}
	for _, asked := range []Question{deep, q} { // what the first has indexed is known to the second
		t.Run("scope "+string(asked.Scope), func(t *testing.T) {
			found, in, err := Symbols(t.Context(), asked, at)
			if err != nil || found.Total != 1 || found.Definitions[0].ID != "deps/go/a.org/x@v1.0.0:x.go#Weigh" || len(in.Repos) != 2 {
				t.Errorf("%+v in %+v, error %v", found, in, err)
			}
		})
	}
	found, _, err = Symbols(t.Context(), deep, nav.SymbolRequest{Target: locate.Target{Name: "Weigh"}})
	if err != nil || found.Total != 1 || found.Definitions[0].Path != "deps/go/a.org/x@v1.0.0:x.go" {
		t.Errorf("%+v, error %v", found, err)
	}
	for _, name := range []string{"Weigh", "deps/go/a.org/x@v1.0.0:x.go#Weigh"} {
		t.Run(name, func(t *testing.T) {
			uses, _, err := References(t.Context(), deep, nav.ReferencesRequest{Target: locate.Target{Name: name}})
			if err != nil || uses.Total != 1 || uses.Files[0].Path != "repo:shop.go" {
				t.Errorf("%+v, error %v", uses, err)
			}
		})
	}
	for name, wrong := range map[string]Question{
		"another scope":        {Library: d.library, Repos: q.Repos, Scope: code.ScopeTest},
		"several repositories": {Library: d.library, Repos: []*workspace.Repo{d.repo, d.repo}, Scope: code.ScopeDeps},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Symbols(t.Context(), wrong, at)
			_, _, usesErr := References(t.Context(), wrong, nav.ReferencesRequest{Target: at.Target})
			var refused *usage.Error
			if !errors.As(err, &refused) || !errors.As(usesErr, &refused) {
				t.Errorf("errors %v and %v", err, usesErr)
			}
		})
	}
}

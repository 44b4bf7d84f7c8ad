package across

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"espy/internal/filetest"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// attach attaches folders of a name each, with their files.
func attach(t *testing.T, repos map[string]map[string]string) map[string]*workspace.Repo {
	t.Helper()
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	all := map[string]*workspace.Repo{}
	for _, name := range sorted(repos) {
		dir := t.TempDir()
		filetest.Write(t, dir, repos[name])
		if all[name], err = w.Attach(t.Context(), dir, workspace.AttachOptions{Exact: true, Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func list(repos map[string]*workspace.Repo) (all []*workspace.Repo) {
	for _, name := range sorted(repos) {
		all = append(all, repos[name])
	}
	return all
}

// described is what one repository publishes, a line for each package.
func described(t *testing.T, files map[string]string) (lines []string) {
	t.Helper()
	r := attach(t, map[string]map[string]string{"one": files})["one"]
	err := r.Look(t.Context(), workspace.Wait{}, func(s *store.Snapshot) error {
		for _, p := range read(s).published {
			names := []string{}
			for _, i := range p.imports {
				names = append(names, strings.Trim(i.name+" at "+i.path, " "))
			}
			lines = append(lines, fmt.Sprintf("%s %s in %q: %s; written %s", cmp.Or(string(p.Ecosystem), "none"), p.Name, p.Folder, strings.Join(names, ", "), strings.Join(p.texts, ", ")))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestPublished(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"modules of Go", map[string]string{"go.mod": "module a.org/m\n", "tools/go.mod": "module a.org/m/tools\n"},
			[]string{`go a.org/m in "": a.org/m at go.mod; written a.org/m`, `go a.org/m/tools in "tools": a.org/m/tools at tools/go.mod; written a.org/m/tools`}},
		{"npm", map[string]string{"package.json": `{"name": "root", "private": true}`, "packages/a/package.json": `{"name": "@s/a"}`, "b/package.json": "{}"},
			[]string{`npm root in "": root at package.json; written root`, `npm @s/a in "packages/a": @s/a at packages/a/package.json; written @s/a`}},
		{"Python below src", map[string]string{"pyproject.toml": "[project]\nname = \"p-q\"\n", "src/p_q/__init__.py": "", "src/space/deep/m.py": "", "tests/__init__.py": ""},
			[]string{`python p-q in "": p_q at src/p_q/__init__.py, space at src/space/deep/m.py; written p_q, space`}},
		{"Python at the top", map[string]string{"setup.py": "setup(name='yaml')", "lib/yaml/__init__.py": "", "yaml2.py": "", "setup.cfg": "[metadata]\nname = yaml\n"},
			[]string{`python yaml in "": yaml at lib/yaml/__init__.py; written yaml`}},
		{"a module of Python", map[string]string{"setup.py": "setup(\n  name='Six')", "six.py": "", "other.py": "", "docs/conf.py": "", "tests/__init__.py": ""},
			[]string{`python Six in "": six at six.py; written six`}},
		{"Cargo", map[string]string{"Cargo.toml": "[workspace]\nmembers = [\"c\"]\n", "c/Cargo.toml": "[package]\nname = \"my-crate\"\n"},
			[]string{`cargo my-crate in "c": my_crate at c/Cargo.toml; written my_crate`}},
		{"Maven", map[string]string{"pom.xml": "<project><groupId>g</groupId><artifactId>a</artifactId></project>", "src/main/java/com/acme/a/A.java": "", "src/main/java/com/acme/a/b/B.java": "", "src/test/java/com/acme/t/T.java": ""},
			[]string{`maven g:a in "": at pom.xml; written com.acme.a`}},
		{"Java without a manifest", map[string]string{"mod/src/main/java/org/x/X.java": "", "mod/src/main/kotlin/org/y/Y.kt": ""},
			[]string{`maven  in "mod": at mod/src/main/java/org/x/X.java; written org.x, org.y`}},
		{"Composer", map[string]string{"composer.json": `{"name": "v/p", "autoload": {"psr-4": {"V\\P\\": "src"}}}`},
			[]string{`composer v/p in "": at composer.json; written V\P`}},
		{"gems", map[string]string{"acme.gemspec": "Gem::Specification.new { |s|\n s.name = \"acme\"\n}\n", "lib/acme.rb": "", "lib/acme/inner.rb": "", "Gemfile": "gem 'rake'\n"},
			[]string{`rubygems acme in "": at acme.gemspec; written acme`}},
		{"Elixir", map[string]string{"mix.exs": "", "lib/shop_web.ex": "", "lib/shop/cart.ex": "", "lib/mix/tasks/shop.ex": "", "apps/bank/lib/bank.ex": "", "test/a_test.exs": ""},
			[]string{`none  in "apps/bank": at apps/bank/lib/bank.ex; written Bank`, `none  in "": at lib/shop/cart.ex; written Shop`}},
		{".NET", map[string]string{"src/Acme.Core/Acme.Core.csproj": "<Project/>"},
			[]string{`nuget Acme.Core in "src/Acme.Core": at src/Acme.Core/Acme.Core.csproj; written Acme.Core`}},
		{"headers", map[string]string{"include/fmt/core.h": "", "include/fmt/os.h": "", "include/one.h": "", "src/private.h": ""},
			[]string{`none  in "": fmt at include/fmt/core.h; written fmt/`, `none  in "": one.h at include/one.h; written one.h`}},
		{"nothing", map[string]string{"main.c": "", "Makefile": "all:\n"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := described(t, tt.files)
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("packages (-want +got):\n%s", diff)
			}
		})
	}
}

// shops are repositories that import from each other: front from api, api from model;
// twin is another checkout of model, and alone has the same names.
func shops() map[string]map[string]string {
	model := map[string]string{"go.mod": "module shop.org/model\n", "model.go": "package model\n\ntype Item struct{}\n\nfunc (i *Item) Price() int { return 1 }\n\ntype Priced interface{ Price() int }\n"}
	return map[string]map[string]string{
		"model": model,
		"twin":  model,
		"api":   {"go.mod": "module shop.org/api\n", "api.go": "package api\n\nimport \"shop.org/model\"\n\nfunc Get() *model.Item { return &model.Item{} }\n\ntype Free struct{}\n\nfunc (Free) Price() int { return 0 }\n"},
		"front": {"go.mod": "module shop.org/front\n", "front.go": "package front\n\nimport \"shop.org/api\"\n\nfunc Show() int { return api.Get().Price() }\n"},
		"alone": {"go.mod": "module alone.org/m\n", "m.go": "package m\n\ntype Item struct{}\n\nfunc (i *Item) Price() int { return 2 }\n\nfunc use(i *Item) int { return i.Price() }\n"},
		"other": {"go.mod": "module other.org/m\n", "m.go": "package m\n"},
	}
}

// without are some repositories but for those named.
func without(repos map[string]*workspace.Repo, names ...string) (all []*workspace.Repo) {
	for _, name := range sorted(repos) {
		if !slices.Contains(names, name) {
			all = append(all, repos[name])
		}
	}
	return all
}

func TestReferences(t *testing.T) {
	repos := attach(t, shops())
	some := without(repos, "twin")
	for _, tt := range []struct {
		name   string
		kind   nav.Kind
		target locate.Target
		want   []string // uses, then the repositories that are concerned
	}{
		{"through another repository", "", locate.Target{Name: "model:model.go#Item.Price"}, []string{"front:front.go:5 certain", "in api", "in front", "in model"}},
		{"at a use", "", locate.Target{Path: "front:front.go", Line: 5, Column: 36}, []string{"front:front.go:5 certain", "in api", "in front", "in model"}},
		{"of a namesake", "", locate.Target{Name: "alone:m.go#Item.Price"}, []string{"alone:m.go:7 certain", "in alone"}},
		{"of a type", "", locate.Target{Name: "model:model.go#Item"}, []string{"api:api.go:5 certain", "api:api.go:5 certain", "model:model.go:5 certain", "in api", "in model"}},
		{"types that have its methods", nav.KindImplementations, locate.Target{Name: "model:model.go#Priced"}, []string{"api:api.go:7 certain", "model:model.go:3 certain", "in api", "in front", "in model"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, in, err := References(t.Context(), some, nav.ReferencesRequest{Target: tt.target, Kind: tt.kind}, workspace.Wait{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range slices.Concat(found.Files, found.Maybe) {
				for _, r := range f.References {
					got = append(got, fmt.Sprintf("%s:%d %s", f.Path, r.Line, r.Confidence))
				}
			}
			for _, r := range in.Repos {
				got = append(got, "in "+r.Repo)
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("references (-want +got):\n%s", diff)
			}
			if n := len(in.Repos) + len(in.Apart); n != len(some) || !in.Several {
				t.Errorf("%d of %d repositories are named: %+v", n, len(some), in)
			}
		})
	}
}

func TestSymbols(t *testing.T) {
	repos := attach(t, shops())
	for _, tt := range []struct {
		name  string
		repos []*workspace.Repo
		want  string
	}{
		{"of all", without(repos, "twin"), "alone:m.go#Item.Price model:model.go#Item.Price"},
		{"of a twin", without(repos), "alone:m.go#Item.Price model:model.go#Item.Price twin:model.go#Item.Price"},
		{"of one", []*workspace.Repo{repos["model"]}, "model.go#Item.Price"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, _, err := Symbols(t.Context(), tt.repos, nav.SymbolRequest{Target: locate.Target{Name: "Item.Price"}}, workspace.Wait{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range found.Definitions {
				got = append(got, d.ID)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("definitions %q, want %q", got, tt.want)
			}
		})
	}
}

// TestApart holds that what a question cannot concern is not parsed.
func TestApart(t *testing.T) {
	repos := attach(t, shops())
	for _, follows := range []bool{false, true} {
		t.Run(fmt.Sprint(follows), func(t *testing.T) {
			q := Question{Repos: without(repos, "twin"), Target: locate.Target{Name: "alone:m.go#Item"}, Follows: follows}
			in, err := Explore(t.Context(), q, func(_ context.Context, j *Joined) error {
				if len(j.Repos) != 1 || j.Index.Pending() != 0 {
					t.Errorf("%d repositories are joined, %d files pending", len(j.Repos), j.Index.Pending())
				}
				return nil
			})
			if want := "api front model other"; err != nil || strings.Join(in.Apart, " ") != want {
				t.Errorf("apart %q, want %q; error %v", in.Apart, want, err)
			}
		})
	}
	err := repos["other"].Look(t.Context(), workspace.Wait{}, func(s *store.Snapshot) error {
		if n := s.SyntaxPending(); n == 0 {
			t.Error("a repository that is not concerned was parsed")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	repos := attach(t, shops())
	for _, tt := range []struct {
		name  string
		repos []*workspace.Repo
		req   nav.ReferencesRequest
		want  string
	}{
		{"twice", []*workspace.Repo{repos["api"], repos["api"]}, nav.ReferencesRequest{Target: locate.Target{Name: "Get"}}, "two repositories of that name"},
		{"no name", list(repos), nav.ReferencesRequest{}, "missing"},
		{"a path of several", without(repos, "twin"), nav.ReferencesRequest{Target: locate.Target{Path: "m.go", Line: 3}}, "in several repositories"},
		{"a file of none", list(repos), nav.ReferencesRequest{Target: locate.Target{Path: "api:none.go", Line: 3}}, "not in the index"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := References(t.Context(), tt.repos, tt.req, workspace.Wait{})
			var refused *usage.Error
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestLate holds that a repository that cannot answer is named, and that the others do.
func TestLate(t *testing.T) {
	repos := attach(t, shops())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	t.Run("no time at all", func(t *testing.T) {
		if _, _, err := Symbols(ctx, list(repos), nav.SymbolRequest{Target: locate.Target{Name: "Price"}}, workspace.Wait{}); err == nil {
			t.Error("an answer without time")
		}
	})
	t.Run("no time for the first indexing", func(t *testing.T) {
		found, in, err := Symbols(t.Context(), list(repos), nav.SymbolRequest{Target: locate.Target{Name: "Price"}}, workspace.Wait{First: 1})
		if err == nil && len(in.Late)+len(in.Repos)+len(in.Apart) != len(repos) {
			t.Errorf("%+v of %d repositories, %d definitions", in, len(repos), found.Total)
		}
	})
}

func TestNameAt(t *testing.T) {
	for _, tt := range []struct {
		text         string
		line, column int
		want         string
	}{
		{"a b_c d\n", 1, 4, "b_c"},
		{"a\nfoo.bar()\n", 2, 5, "bar"},
		{"a\nfoo.bar()\n", 2, 4, "foo"},
		{"größe = 1", 1, 3, "größe"},
		{"x", 1, 9, ""},
		{"x", 3, 1, ""},
	} {
		t.Run(fmt.Sprint(tt.text, tt.line, tt.column), func(t *testing.T) {
			if got := nameAt(tt.text, tt.line, tt.column); got != tt.want {
				t.Errorf("nameAt = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestList(t *testing.T) {
	repos := attach(t, map[string]map[string]string{"a": {"a.go": "package a\n"}, "b": {"b.go": "package b\n"}})
	find := func(name string) (*workspace.Repo, error) {
		if r := repos[name]; r != nil {
			return r, nil
		}
		return nil, fmt.Errorf("no %s", name)
	}
	for text, want := range map[string]string{"a": "a", "a,b": "a b", "b, a, b": "b a", "a,c": "no c", "c": "no c"} {
		t.Run(text, func(t *testing.T) {
			all, err := List(text, find)
			var got []string
			for _, r := range all {
				if r != nil {
					got = append(got, r.Name())
				}
			}
			if err != nil {
				got = []string{err.Error()}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestParsedBefore holds that a repository that was never parsed is known as one before
// repositories are entered one within another, where it could not be parsed in time.
func TestParsedBefore(t *testing.T) {
	repos := attach(t, map[string]map[string]string{
		"one": {"go.mod": "module example.com/one\n", "one.go": "package one\n\nfunc Common() {}\n"},
		"two": {"go.mod": "module example.com/two\n", "two.go": "package two\n\nfunc Common() {}\n"},
	})
	q := Question{Repos: list(repos), Target: locate.Target{Name: "Common"}}
	wantUnparsed := func(want int) {
		t.Helper()
		all, err := q.look(t.Context(), &Searched{})
		if err != nil {
			t.Fatal(err)
		}
		if got := all.unparsed(q.Repos); len(got) != want {
			t.Errorf("%d of the repositories are not parsed, want %d", len(got), want)
		}
		if err := all.close(); err != nil {
			t.Fatal(err)
		}
	}
	wantUnparsed(2)
	in, err := Explore(t.Context(), q, func(_ context.Context, j *Joined) error {
		if len(j.Repos) != 2 {
			t.Errorf("%d repositories are joined", len(j.Repos))
		}
		return nil
	})
	if err != nil || in.All().Freshness.SyntaxPending > 0 {
		t.Fatalf("searched %+v, error %v", in, err)
	}
	wantUnparsed(0)
}

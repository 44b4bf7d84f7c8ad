package filter_test

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search"
	"espy/internal/search/searchtest"
	"espy/internal/store"
	"espy/internal/usage"
)

func TestFilters(t *testing.T) {
	files := map[string]string{}
	for _, p := range []string{
		"net/http/server.go", "net/http/server_test.go", "net/dial.go", "vendor/golang.org/x/net/a.go",
		"README.md", "web/app.ts", "web/app.css", "internet/x.py",
	} {
		files[p] = "needle"
	}
	snap := sample.Repository(t, "r", files)
	for _, c := range []struct {
		paths, languages []string
		scope            code.Scope
		want             string
	}{
		{want: "internet/x.py net/dial.go net/http/server.go web/app.css web/app.ts README.md net/http/server_test.go vendor/golang.org/x/net/a.go"},
		{paths: []string{"."}, scope: code.ScopeTest, want: "net/http/server_test.go"},
		{paths: []string{"./", "!net"}, scope: code.ScopeCode, want: "internet/x.py web/app.css web/app.ts"},
		{paths: []string{"net/**"}, want: "net/dial.go net/http/server.go net/http/server_test.go"},
		{paths: []string{"/net"}, want: "net/dial.go net/http/server.go net/http/server_test.go"},
		{paths: []string{"net"}, want: "net/dial.go net/http/server.go net/http/server_test.go vendor/golang.org/x/net/a.go"},
		{paths: []string{"net/"}, want: "net/dial.go net/http/server.go net/http/server_test.go vendor/golang.org/x/net/a.go"},
		{paths: []string{"dial.go/"}, want: ""},
		{paths: []string{"./net/http"}, want: "net/http/server.go net/http/server_test.go"},
		{paths: []string{"*_test.go"}, want: "net/http/server_test.go"},
		{paths: []string{"*.{ts,css}"}, want: "web/app.css web/app.ts"},
		{paths: []string{"net/*.go"}, want: "net/dial.go"},
		{paths: []string{"net/**", "!*_test.go", "!net/dial.go"}, want: "net/http/server.go"},
		{paths: []string{"!vendor", "!net", "!internet"}, want: "web/app.css web/app.ts README.md"},
		{languages: []string{"py", "typescript"}, want: "internet/x.py web/app.ts"},
		{languages: []string{"!go", "!css"}, want: "internet/x.py web/app.ts README.md"},
		{scope: code.ScopeTest, want: "net/http/server_test.go"},
		{scope: code.ScopeCode, paths: []string{"net"}, want: "net/dial.go net/http/server.go"},
		{scope: code.ScopeDeps, want: "vendor/golang.org/x/net/a.go"},
	} {
		t.Run(fmt.Sprintf("%v %v %s", c.paths, c.languages, c.scope), func(t *testing.T) {
			req := hit.Request{Query: "needle", Mode: hit.ModeLiteral, Paths: c.paths, Languages: c.languages, Scope: c.scope}
			res := searchtest.Must(t, []*store.Snapshot{snap}, req)
			var got []string
			for _, h := range res.Hits {
				got = append(got, h.Path)
			}
			if strings.Join(got, " ") != c.want || res.Repos[0].Files != len(got) {
				t.Errorf("%q of %d searched, want %q", got, res.Repos[0].Files, c.want)
			}
		})
	}
}

func TestFilterErrors(t *testing.T) {
	snap := []*store.Snapshot{sample.Repository(t, "r", map[string]string{path.Join("a", "b.go"): "needle"})}
	for _, c := range []struct {
		req  hit.Request
		want string
	}{
		{hit.Request{Languages: []string{"pyhton"}}, `lang "pyhton": unknown language (did you mean python?)`},
		{hit.Request{Languages: []string{"!nolang"}}, `lang "nolang": unknown language`},
		{hit.Request{Paths: []string{"a["}}, `path "a[": malformed glob`},
		{hit.Request{Paths: []string{"!"}}, `path: empty glob`},
		{hit.Request{Paths: []string{strings.Repeat("*", 1001)}}, "the limit is 1000"},
		{hit.Request{Scope: "tests"}, `scope "tests": unknown scope`},
	} {
		t.Run(c.want, func(t *testing.T) {
			c.req.Query, c.req.Mode = "needle", hit.ModeLiteral
			_, err := search.Search(t.Context(), snap, c.req, search.Means{})
			var use *usage.Error
			if !errors.As(err, &use) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestFileFilter(t *testing.T) {
	for _, c := range []struct {
		name             string
		paths, languages []string
		path, language   string
		want             bool
	}{
		{"no rule", nil, nil, "a/b.go", "go", true},
		{"a folder", []string{"a"}, nil, "a/b.go", "go", true},
		{"another folder", []string{"c"}, nil, "a/b.go", "go", false},
		{"a folder that is left out", []string{"!a"}, nil, "a/b.go", "go", false},
		{"its language", nil, []string{"go"}, "a/b.go", "go", true},
		{"an alias of its language", nil, []string{"py"}, "a.py", "python", true},
		{"another language", nil, []string{"python"}, "a/b.go", "go", false},
		{"a language that is left out", nil, []string{"!go"}, "a/b.go", "go", false},
		{"another that is left out", nil, []string{"!python"}, "a/b.go", "go", true},
		{"no known language", nil, []string{"go"}, "a/b", "", false},
		{"folder and language", []string{"a"}, []string{"go"}, "a/b.go", "go", true},
		{"folder but not language", []string{"a"}, []string{"python"}, "a/b.go", "go", false},
		{"language but not folder", []string{"c"}, []string{"go"}, "a/b.go", "go", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := filter.NewFileFilter(c.paths, c.languages)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Allows(c.path, c.language); got != c.want {
				t.Errorf("%s in %q passes: %v, want %v", c.path, c.language, got, c.want)
			}
		})
	}
	if _, err := filter.NewFileFilter(nil, []string{"klingon"}); err == nil {
		t.Error("an unknown language is not refused")
	}
}

// TestDeeper holds that an empty answer tells which globs begin at the root and
// would match further down.
func TestDeeper(t *testing.T) {
	files := map[string]string{}
	for _, p := range []string{"pkgs/core/src/index.ts", "pkgs/util/src/index.ts", "pkgs/util/src/[id].ts", "docs/a.md"} {
		files[p] = "needle"
	}
	snap := sample.Repository(t, "r", files)
	for _, c := range []struct {
		paths []string
		query string
		want  []hit.Deeper
	}{
		{paths: []string{"src/index.ts"}, want: []hit.Deeper{{Glob: "src/index.ts", Instead: "**/src/index.ts", Files: 2}}},
		{paths: []string{"./src/"}},
		{paths: []string{"core/src/*.ts"}, want: []hit.Deeper{{Glob: "core/src/*.ts", Instead: "**/core/src/*.ts", Files: 1}}},
		{paths: []string{"core/{src,lib}/index.ts"}, want: []hit.Deeper{{Glob: "core/{src,lib}/index.ts", Instead: "**/core/{src,lib}/index.ts", Files: 1}}},
		{paths: []string{`src/\[id].ts`}, want: []hit.Deeper{{Glob: `src/\[id].ts`, Instead: `**/src/\[id].ts`, Files: 1}}},
		{query: "file:util/src", want: []hit.Deeper{{Glob: "util/src", Instead: "**/util/src", Files: 2}}},
		{query: "file:inde", want: []hit.Deeper{{Glob: "inde", Instead: "*inde*", Files: 2}}},
		{paths: []string{"cor"}, want: []hit.Deeper{{Glob: "cor", Instead: "*cor*", Files: 1}}},
		{paths: []string{"pkgs/**/uti"}, want: []hit.Deeper{{Glob: "pkgs/**/uti", Instead: "pkgs/**/*uti*", Files: 2}}},
		{paths: []string{"inde?.go"}},
		{paths: []string{"nowhere"}},
		{paths: []string{"/src/index.ts"}},
		{paths: []string{"**/src/app.ts"}},
		{paths: []string{"src/app.ts"}},
		{paths: []string{"docs/a.md"}, query: "lang:go"},
		{paths: []string{strings.Repeat("src/", 249)}},
	} {
		for _, mode := range []hit.Mode{hit.ModeKeyword, hit.ModeLiteral} {
			if c.query != "" && mode == hit.ModeLiteral {
				continue
			}
			t.Run(fmt.Sprintf("%.40s %s %s", c.paths, c.query, mode), func(t *testing.T) {
				res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: strings.TrimSpace(c.query + " needle"), Mode: mode, Paths: c.paths})
				if len(c.want) > 0 && res.Total != 0 || !slices.Equal(res.Deeper, c.want) {
					t.Errorf("%d hits, deeper %+v, want %+v", res.Total, res.Deeper, c.want)
				}
			})
		}
	}
}

// TestExtensions holds that an extension narrows what other filters of a query let
// through, in every mode that knows the prefixes.
func TestExtensions(t *testing.T) {
	snap := sample.Repository(t, "r", map[string]string{"net/a.go": "needle", "net/a.ts": "needle", "net/a.css": "needle", "web/b.go": "needle"})
	for query, want := range map[string]string{
		"needle ext:go":                  "net/a.go web/b.go",
		"needle file:net ext:go":         "net/a.go",
		"needle path:net ext:.ts,css":    "net/a.css net/a.ts",
		"needle path:net -ext:go":        "net/a.css net/a.ts",
		"needle file:web ext:ts":         "",
		"needle path:net ext:ts ext:css": "net/a.css net/a.ts",
	} {
		t.Run(query, func(t *testing.T) {
			var got []string
			for _, h := range searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: query, Mode: hit.ModeKeyword}).Hits {
				got = append(got, h.Path)
			}
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("files %v, want %q", got, want)
			}
		})
	}
}

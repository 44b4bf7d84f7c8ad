package packages

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/manifest"
)

// world is a repository and the places beside it.
type world struct {
	repo, beside string
	allowed      func(dir string) error
	indexed      []string // folders of the repository that are indexed with it
}

func newWorld(t *testing.T, repo, beside map[string]string) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{repo: filepath.Join(dir, "repo"), beside: filepath.Join(dir, "beside")}
	filetest.Write(t, w.repo, repo)
	filetest.Write(t, w.beside, beside)
	return w
}

func (w *world) places() Places {
	return Places{
		GoModCache: filepath.Join(w.beside, "mod"), CargoHome: filepath.Join(w.beside, "cargo"), Python: []string{filepath.Join(w.beside, "dist-packages*")},
		Gems: []string{filepath.Join(w.beside, "gems")}, Stores: []string{filepath.Join(w.beside, "store")},
	}
}

// find lists the packages of the repository.
func (w *world) find(t *testing.T) *List {
	t.Helper()
	in := Repository{Root: w.repo, Allowed: w.allowed, Holds: func(folder string) bool { return slices.Contains(w.indexed, folder) }}
	err := filepath.WalkDir(w.repo, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(w.repo, path)
		if err == nil && d.Type().IsRegular() && IsRead(filepath.ToSlash(rel)) {
			text, _ := os.ReadFile(path)
			in.Manifests = append(in.Manifests, File{filepath.ToSlash(rel), text})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return Find(in, w.places())
}

// lines writes packages with where they are.
func (w *world) lines(l *List) (all []string) {
	for i := range l.Packages {
		p := &l.Packages[i]
		where := strings.TrimPrefix(strings.TrimPrefix(p.Source.Dir, filepath.Dir(w.repo)), "/")
		if p.Source.Inside != "" {
			where = "inside " + p.Source.Inside
		}
		if p.Lacks != "" {
			where = "no: " + strings.ReplaceAll(p.Lacks, filepath.Dir(w.repo), "")
		}
		if len(p.Source.Only) > 0 {
			where += " " + strings.Join(p.Source.Only, ",")
		}
		if !p.Direct {
			where += " (by others)"
		}
		all = append(all, p.Ref()+" "+where)
	}
	return append(all, l.Notes...)
}

const shopMod = "module shop\n\nrequire (\n\tgithub.com/Big/Lib v1.2.0\n\tlib.org/gone v1.0.0\n\tlib.org/deep v0.1.0 // indirect\n)\n"

// TestFind holds which packages manifests and lock files name, and where their
// sources are found.
func TestFind(t *testing.T) {
	for name, tt := range map[string]struct {
		repo, beside map[string]string
		indexed      []string
		want         []string
	}{
		"modules of Go": {
			map[string]string{"go.mod": shopMod, "tool/go.mod": "module shop/tool\n\nrequire shop v0.0.0\nrequire lib.org/one v2.0.0+incompatible\n"},
			map[string]string{"mod/github.com/!big/!lib@v1.2.0/lib.go": "package lib\n", "mod/lib.org/deep@v0.1.0/d.go": "package deep\n"},
			nil,
			[]string{
				"deps/go/github.com/Big/Lib@v1.2.0 beside/mod/github.com/!big/!lib@v1.2.0",
				"deps/go/lib.org/gone@v1.0.0 no: not in the module cache: go mod download brings it",
				"deps/go/lib.org/one@v2.0.0+incompatible no: not in the module cache: go mod download brings it",
				"deps/go/lib.org/deep@v0.1.0 beside/mod/lib.org/deep@v0.1.0 (by others)",
			},
		},
		"modules that are replaced": {
			map[string]string{"go.mod": "module shop\n\nrequire lib.org/a v1.0.0\nrequire lib.org/b v1.0.0\nrequire lib.org/c v1.0.0\n\nreplace lib.org/a => ./third/a\n\nreplace (\n\tlib.org/b v1.0.0 => lib.org/fork v1.1.0\n\tlib.org/c => ../../c\n)\n", "third/a/a.go": "package a\n"},
			map[string]string{"mod/lib.org/fork@v1.1.0/b.go": "package b\n"},
			[]string{"third/a"},
			[]string{
				"deps/go/lib.org/a@v1.0.0 inside third/a", "deps/go/lib.org/b@v1.0.0 beside/mod/lib.org/fork@v1.1.0",
				"deps/go/lib.org/c@v1.0.0 no: replaced by ../../c, which is outside the repository",
			},
		},
		"a vendor folder that is indexed with the repository": {
			map[string]string{"go.mod": "module shop\n\nrequire lib.org/a v1.0.0\n", "vendor/lib.org/a/a.go": "package a\n"},
			map[string]string{"mod/lib.org/a@v1.0.0/a.go": "package a\n"}, []string{"vendor/lib.org/a"}, []string{"deps/go/lib.org/a@v1.0.0 inside vendor/lib.org/a"},
		},
		"a vendor folder that an ignore file names": {
			map[string]string{"go.mod": "module shop\n\nrequire lib.org/a v1.0.0\n", "vendor/lib.org/a/a.go": "package a\n"},
			nil, nil, []string{"deps/go/lib.org/a@v1.0.0 repo/vendor/lib.org/a"},
		},
		"node_modules": {
			map[string]string{
				"package.json":                                `{"name": "shop", "dependencies": {"left": "^1.0.0", "@s/right": "2.x", "gone": "^3"}, "devDependencies": {"shop-ui": "workspace:*"}}`,
				"package-lock.json":                           `{"packages": {"": {}, "node_modules/gone": {"version": "3.1.4"}}}`,
				"ui/package.json":                             `{"name": "shop-ui", "dependencies": {"left": "^2.0.0"}}`,
				"node_modules/left/package.json":              `{"name": "left", "version": "1.0.5", "dependencies": {"deep": "^1"}}`,
				"node_modules/left/index.js":                  "",
				"node_modules/@s/right/package.json":          `{"version": "2.3.0", "dependencies": {"deep": "^1"}}`,
				"node_modules/deep/package.json":              `{"version": "1.9.9", "dependencies": {"left": "^1"}}`,
				"ui/node_modules/left/package.json":           `{"version": "2.0.0"}`,
				"node_modules/left/node_modules/no/here.json": "{}",
			},
			nil, []string{"ui"},
			[]string{
				"deps/npm/@s/right@2.3.0 repo/node_modules/@s/right", "deps/npm/gone@3.1.4 no: not in node_modules", "deps/npm/left@1.0.5 repo/node_modules/left",
				"deps/npm/left@2.0.0 repo/ui/node_modules/left", "deps/npm/deep@1.9.9 repo/node_modules/deep (by others)",
			},
		},
		"an environment of Python": {
			map[string]string{
				"requirements.txt": "Big.Lib>=2\nsolo\nspace-one\nedited\nnever\n", ".venv/pyvenv.cfg": "home = /usr/bin\ninclude-system-site-packages = false\n",
				".venv/lib/python3.11/site-packages/big_lib-2.1.dist-info/METADATA":   "Metadata-Version: 2.1\nName: Big.Lib\nVersion: 2.1\nRequires-Dist: under (>=1)\nRequires-Dist: extra; extra == 'x'\n\nText\nName: other\n",
				".venv/lib/python3.11/site-packages/big_lib-2.1.dist-info/RECORD":     "biglib/__init__.py,,\nbiglib/a/b.py,,\n_big.py,,\n../../../bin/big,,\nbiglib/__pycache__/x.pyc,,\nbig_lib-2.1.dist-info/RECORD,,\n",
				".venv/lib/python3.11/site-packages/biglib/__init__.py":               "",
				".venv/lib/python3.11/site-packages/_big.py":                          "",
				".venv/lib/python3.11/site-packages/under-1.0.dist-info/METADATA":     "Name: under\nVersion: 1.0\n",
				".venv/lib/python3.11/site-packages/under-1.0.dist-info/RECORD":       "under/__init__.py,,\n",
				".venv/lib/python3.11/site-packages/under/__init__.py":                "",
				".venv/lib/python3.11/site-packages/solo-0.1.dist-info/METADATA":      "Name: solo\nVersion: 0.1\n",
				".venv/lib/python3.11/site-packages/solo.py":                          "",
				".venv/lib/python3.11/site-packages/space_one-1.dist-info/RECORD":     "space/one/__init__.py,,\nspace/one/x.py,,\n",
				".venv/lib/python3.11/site-packages/edited-1.0.dist-info/RECORD":      "__editable__.edited.pth,,\n",
				".venv/lib/python3.11/site-packages/edited-1.0.dist-info/direct.json": "{}",
			},
			map[string]string{"dist-packages/never-1.dist-info/RECORD": "never/__init__.py,,\n"}, nil,
			[]string{
				"deps/python/big-lib@2.1 repo/.venv/lib/python3.11/site-packages _big.py,biglib",
				"deps/python/edited@1.0 no: it is installed, but no file of Python of it is in /repo/.venv/lib/python3.11/site-packages",
				"deps/python/never@unknown no: not installed in the site-packages that were looked into",
				"deps/python/solo@0.1 repo/.venv/lib/python3.11/site-packages solo.py", "deps/python/space-one@1 repo/.venv/lib/python3.11/site-packages space/one",
				"deps/python/under@1.0 repo/.venv/lib/python3.11/site-packages under (by others)",
			},
		},
		"the packages of the system": {
			map[string]string{"pyproject.toml": "[project]\nname = \"p\"\ndependencies = [\"old\"]\n"},
			map[string]string{"dist-packages3/old-1.2.egg-info": "Name: old\nVersion: 1.2\n", "dist-packages3/old/__init__.py": ""}, nil,
			[]string{"deps/python/old@1.2 beside/dist-packages3 old"},
		},
		"crates": {
			map[string]string{
				"Cargo.toml": "[package]\nname = \"p\"\n[dependencies]\nserde = \"1\"\n",
				"Cargo.lock": "[[package]]\nname = \"p\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"serde\"\nversion = \"1.0.5\"\nsource = \"registry+https://x\"\n\n[[package]]\nname = \"syn\"\nversion = \"2.0.0\"\nsource = \"git+https://x\"\n",
			},
			map[string]string{"cargo/registry/src/index-1/serde-1.0.5/src/lib.rs": ""}, nil,
			[]string{"deps/cargo/serde@1.0.5 beside/cargo/registry/src/index-1/serde-1.0.5", "deps/cargo/syn@2.0.0 no: it is not of a registry but of git+https://x (by others)"},
		},
		"crates without a lock file": {
			map[string]string{"Cargo.toml": "[dependencies]\nserde = \"1\"\n"}, nil, nil,
			[]string{"deps/cargo/serde@unknown no: there is no Cargo.lock that tells its version"},
		},
		"gems": {
			map[string]string{
				"Gemfile": "gem 'rack'\ngem 'rake'\n", "Gemfile.lock": "GEM\n  remote: https://x\n  specs:\n    rack (2.2.0)\n      base (>= 1)\n    rake (13.0)\n\nDEPENDENCIES\n  rack\n",
				"vendor/bundle/ruby/3.1.0/gems/rake-13.0/lib/rake.rb": "",
			},
			map[string]string{"gems/rack-2.2.0/lib/rack.rb": ""}, nil,
			[]string{"deps/rubygems/rack@2.2.0 beside/gems/rack-2.2.0", "deps/rubygems/rake@13.0 repo/vendor/bundle/ruby/3.1.0/gems/rake-13.0"},
		},
		"packages of Composer": {
			map[string]string{"composer.json": `{"require": {"a/b": "^1"}}`, "composer.lock": `{"packages": [{"name": "a/b", "version": "v1.2.3"}, {"name": "c/d", "version": "v2"}]}`, "vendor/a/b/src/B.php": "<?php\n"},
			nil, nil, []string{"deps/composer/a/b@v1.2.3 repo/vendor/a/b", "deps/composer/c/d@v2 no: not in vendor (by others)"},
		},
		"packages of Maven": {
			map[string]string{"pom.xml": "<project><dependencies><dependency><groupId>g.x</groupId><artifactId>a</artifactId><version>1.0</version></dependency><dependency><groupId>g</groupId><artifactId>b</artifactId><version>${v}</version></dependency></dependencies></project>"},
			nil, nil, []string{"deps/maven/g.x/a@1.0 no: its sources are an archive, and archives are not read", "deps/maven/g/b@unknown no: its sources are an archive, and archives are not read"},
		},
		"nothing": {map[string]string{"a.txt": ""}, nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, tt.repo, tt.beside)
			w.indexed = tt.indexed
			if got := w.lines(w.find(t)); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestHostile holds that nothing leads out of the repository and the places beside it.
func TestHostile(t *testing.T) {
	secrets := map[string]string{"secret/package.json": `{"version": "9"}`, "secret/key.js": "k", "secret/lib/python3/site-packages/a-1.dist-info/RECORD": "a/__init__.py,,\n", "secret/pyvenv.cfg": "", "store/x/package.json": `{"version": "1.0.0"}`}
	for name, tt := range map[string]struct {
		repo  map[string]string
		links map[string]string // by path in the repository; beside/ leads beside it
		want  []string
	}{
		"coordinates that leave the cache": {
			map[string]string{
				"go.mod":       "module m\n\nrequire ../../secret v1.0.0\nrequire a/../../../secret v1\nrequire a.org/x ../../../secret\nrequire a.org/y v1/../..\n",
				"Cargo.lock":   "[[package]]\nname = \"../../../secret\"\nversion = \"1\"\nsource = \"registry+x\"\n",
				"Gemfile.lock": "GEM\n  specs:\n    .. (1)\n    rack (../../secret)\n", "composer.lock": `{"packages": [{"name": "../../secret", "version": "1"}]}`,
				"package.json": `{"dependencies": {"../../beside/secret": "1", "": "1", "a\u0000b": "1"}}`,
			},
			nil,
			[]string{
				`go.mod:3 names a package "../../secret@v1.0.0" that cannot be one`, `go.mod:4 names a package "a/../../../secret@v1" that cannot be one`,
				`go.mod:5 names a package "a.org/x@../../../secret" that cannot be one`, `go.mod:6 names a package "a.org/y@v1/../.." that cannot be one`,
				`package.json:1 names a package "@" that cannot be one`, `package.json:1 names a package "../../beside/secret@" that cannot be one`,
				`package.json:1 names a package "a\x00b@" that cannot be one`, `Cargo.lock:2 names a package "../../../secret@1" that cannot be one`,
				`Gemfile.lock:3 names a package "..@1" that cannot be one`, `Gemfile.lock:4 names a package "rack@../../secret" that cannot be one`, `composer.lock:1 names a package "../../secret@1" that cannot be one`,
			},
		},
		"links out of the repository, and into the store of pnpm": {
			map[string]string{"package.json": `{"dependencies": {"a": "1", "b": "1", "c": "1", "d": "1"}}`, "node_modules/.pnpm/d@4.0.0/node_modules/d/package.json": `{"version": "4.0.0"}`},
			map[string]string{"node_modules/a": "beside/secret", "node_modules/b": "beside/store/x", "node_modules/c": "node_modules/c", "node_modules/d": "node_modules/.pnpm/d@4.0.0/node_modules/d"},
			[]string{
				"deps/npm/a@unknown no: node_modules/a is a link that leads out of the repository", "deps/npm/b@1.0.0 beside/store/x",
				"deps/npm/c@unknown no: node_modules/c cannot be read: too many links", "deps/npm/d@4.0.0 repo/node_modules/.pnpm/d@4.0.0/node_modules/d",
			},
		},
		"environments that are links": {
			map[string]string{"requirements.txt": "a\n", "v/pyvenv.cfg": "", "v/lib/x": ""},
			map[string]string{".venv": "beside/secret", "v/lib/python3": "beside/secret/lib/python3"},
			[]string{
				"deps/python/a@unknown no: no environment was found: neither in the repository nor VIRTUAL_ENV nor of the system",
				"/repo/v/lib/python3/site-packages is a link that leads out of /repo/v: it is not looked into",
			},
		},
		"files that are none": {
			map[string]string{"go.mod": "\x00\xff((((", "package.json": "{", "package-lock.json": "[", "Cargo.lock": "=", "composer.lock": "x", "requirements.txt": "-r ../../x\n@@@\n"},
			nil,
			[]string{"package-lock.json cannot be read as JSON", "Cargo.lock cannot be read as TOML", "composer.lock cannot be read as JSON"},
		},
		"packages that need each other": {
			map[string]string{"package.json": `{"dependencies": {"a": "1"}}`, "node_modules/a/package.json": `{"version": "1", "dependencies": {"b": "1"}}`, "node_modules/b/package.json": `{"version": "1", "dependencies": {"a": "1"}}`},
			nil, []string{"deps/npm/a@1 repo/node_modules/a", "deps/npm/b@1 repo/node_modules/b (by others)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, tt.repo, secrets)
			for at, to := range tt.links {
				target := filepath.Join(w.repo, to)
				if strings.HasPrefix(to, "beside/") {
					target = filepath.Join(filepath.Dir(w.repo), to)
				}
				if err := os.MkdirAll(filepath.Dir(filepath.Join(w.repo, at)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(target, filepath.Join(w.repo, at)); err != nil {
					t.Fatal(err)
				}
			}
			got := w.lines(w.find(t))
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], filepath.Dir(w.repo), "")
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestNotAllowed holds that a folder beside the repository is not looked into where
// the user has not allowed it, nor one that is no folder.
func TestNotAllowed(t *testing.T) {
	w := newWorld(t, map[string]string{"go.mod": "module m\n\nrequire a.org/x v1.0.0\nrequire a.org/y v1.0.0\n"}, map[string]string{"mod/a.org/x@v1.0.0/x.go": "package x\n", "mod/a.org/y@v1.0.0": "no folder"})
	for name, tt := range map[string]struct {
		allowed func(string) error
		want    []string
	}{
		"not allowed": {func(dir string) error { return fmt.Errorf("roots does not allow it") }, []string{"deps/go/a.org/x@v1.0.0 no: roots does not allow it", "deps/go/a.org/y@v1.0.0 no: roots does not allow it"}},
		"no folder":   {nil, []string{"deps/go/a.org/x@v1.0.0 beside/mod/a.org/x@v1.0.0", "deps/go/a.org/y@v1.0.0 no: /beside/mod/a.org/y@v1.0.0 is no folder"}},
	} {
		t.Run(name, func(t *testing.T) {
			w.allowed = tt.allowed
			if got := w.lines(w.find(t)); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestMany holds that no number of packages is too many: what is beyond the limit is said.
func TestMany(t *testing.T) {
	var mod strings.Builder
	mod.WriteString("module m\n\nrequire (\n")
	for i := range maxPackages + 10 {
		fmt.Fprintf(&mod, "\ta.org/m%d v1.0.0\n", i)
	}
	l := Find(Repository{Manifests: []File{{"go.mod", []byte(mod.String() + ")\n")}}, Holds: func(string) bool { return false }, Left: []string{"package-lock.json: too large"}}, Places{})
	if len(l.Packages) != maxPackages || !slices.Equal(l.Notes, []string{"package-lock.json: too large", "only the first 5000 packages are listed"}) {
		t.Errorf("%d packages, notes %q", len(l.Packages), l.Notes)
	}
}

func TestCutRef(t *testing.T) {
	for text, want := range map[string][2]string{
		"deps/go/github.com/x/y@v1.2.3/a/b.go":        {"deps/go/github.com/x/y@v1.2.3", "a/b.go"},
		"deps/go/github.com/x/y/v2@v2.0.0":            {"deps/go/github.com/x/y/v2@v2.0.0", ""},
		"deps/npm/@s/right@2.3.0/lib/index.js":        {"deps/npm/@s/right@2.3.0", "lib/index.js"},
		"deps/npm/@s/right@2.3.0: lib/index.js":       {"deps/npm/@s/right@2.3.0", "lib/index.js"},
		"deps/python/yaml@6.0:yaml/a.py#A.b":          {"deps/python/yaml@6.0", "yaml/a.py#A.b"},
		"deps/npm/@s/right":                           {},
		"deps/npm/left@":                              {},
		"deps/hiredis/hiredis.c":                      {},
		"deps/go":                                     {},
		"main.go":                                     {},
		"deps/npm/":                                   {},
		"deps/cargo/a@1.0.0+meta.1/src/lib.rs":        {"deps/cargo/a@1.0.0+meta.1", "src/lib.rs"},
		"deps/composer/a/b@dev-main/src/B.php":        {"deps/composer/a/b@dev-main", "src/B.php"},
		"deps/go/gopkg.in/yaml.v3@v3.0.1/a@b/file.go": {"deps/go/gopkg.in/yaml.v3@v3.0.1", "a@b/file.go"},
	} {
		t.Run(text, func(t *testing.T) {
			ref, path, ok := CutRef(text)
			if !ok {
				ref, path = "", ""
			}
			if ok != (want[0] != "") || ref != want[0] || path != want[1] {
				t.Errorf("%q %q %v, want %q", ref, path, ok, want)
			}
		})
	}
}

// FuzzFind holds that no manifest and no lock file makes a listing fail or name what
// lies elsewhere.
func FuzzFind(f *testing.F) {
	f.Add("go.mod", shopMod)
	f.Add("Gemfile.lock", "GEM\n  specs:\n    rack (2.2.0)\n")
	f.Add("composer.lock", `{"packages": [{"name": "a/b", "version": "v1.2.3"}]}`)
	f.Add("Cargo.lock", "[[package]]\nname = \"a\"\nversion = \"1\"\nsource = \"registry+x\"\n")
	f.Add("package-lock.json", `{"packages": {"node_modules/a": {"version": "1"}}}`)
	f.Fuzz(func(t *testing.T, name, text string) {
		in := Repository{Manifests: []File{{name, []byte(text)}, {"package.json", []byte(`{"dependencies": {"a": "1"}}`)}}, Holds: func(string) bool { return false }}
		for _, p := range Find(in, Places{GoModCache: "/nowhere/mod", CargoHome: "/nowhere/cargo"}).Packages {
			if !plain(p.Name) || strings.Contains(p.Ref(), "..") && !strings.Contains(p.Name+p.Version, "..") || p.At() {
				t.Errorf("%+v", p)
			}
			if _, _, ok := CutRef(p.Ref()); !ok && p.Ecosystem != manifest.None && !strings.Contains(p.Name, "@") {
				t.Errorf("%q is not read again", p.Ref())
			}
		}
	})
}

// TestStandardPlaces holds which folders are looked into.
func TestStandardPlaces(t *testing.T) {
	for name, tt := range map[string]struct {
		env        map[string]string
		home       string
		mod, cargo string
	}{
		"by the home folder":   {nil, "/h", "/h/go/pkg/mod", "/h/.cargo"},
		"by the environment":   {map[string]string{"GOMODCACHE": "/m", "GOPATH": "/g", "CARGO_HOME": "/c"}, "/h", "/m", "/c"},
		"the first of GOPATH":  {map[string]string{"GOPATH": "/g:/k"}, "/h", "/g/pkg/mod", "/h/.cargo"},
		"a relative one":       {map[string]string{"GOMODCACHE": "m", "CARGO_HOME": "c"}, "/h", "", ""},
		"without home folders": {nil, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := StandardPlaces(tt.env, tt.home)
			if p.GoModCache != tt.mod || p.CargoHome != tt.cargo || slices.Contains(p.Python, "") || slices.Contains(p.Stores, "") {
				t.Errorf("%+v", p)
			}
		})
	}
}

// TestCached holds that a version of a cache is found by its name alone, and whether
// a folder still holds one.
func TestCached(t *testing.T) {
	w := newWorld(t, map[string]string{"node_modules/a/package.json": `{"version": "2.0.0"}`, "site/b-1.dist-info/METADATA": "Name: B\nVersion: 1\n"}, map[string]string{"mod/a.org/x@v1.0.0/x.go": "", "cargo/registry/src/i/c-1.0.0/src/lib.rs": ""})
	for ref, want := range map[string]bool{
		"deps/go/a.org/x@v1.0.0": true, "deps/go/a.org/x@v2.0.0": false, "deps/cargo/c@1.0.0": true, "deps/npm/a@2.0.0": false, "deps/go/../x@v1": false, "deps/go/x": false, "": false,
	} {
		t.Run("cached "+ref, func(t *testing.T) {
			if p, ok := Cached(ref, w.places()); ok != want || ok && (p.Ref() != ref || !p.Source.Fixed) {
				t.Errorf("%+v %v, want %v", p, ok, want)
			}
		})
	}
	for _, tt := range []struct {
		ref, dir string
		want     bool
	}{
		{"deps/npm/a@2.0.0", "node_modules/a", true}, {"deps/npm/a@1.0.0", "node_modules/a", false}, {"deps/python/b@1", "site", true}, {"deps/python/b@2", "site", false},
		{"deps/python/c@2", "site", false}, {"deps/composer/x/y@1", "node_modules", true}, {"deps/composer/x/y@1", "gone", false},
	} {
		t.Run("still "+tt.ref+" "+tt.dir, func(t *testing.T) {
			if got := Still(tt.ref, filepath.Join(w.repo, tt.dir)); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

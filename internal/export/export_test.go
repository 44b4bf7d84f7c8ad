package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/code"
	"espy/internal/export"
	"espy/internal/export/scip"
	"espy/internal/facts/factstest"
	"espy/internal/locate"
	"espy/internal/render"
	"espy/internal/resolve/corpus"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

func index(t testing.TB, files map[string][]byte) *locate.Index {
	t.Helper()
	x, err := locate.New([]corpus.Part{factstest.Part(t, files)})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func archive(t testing.TB) map[string][]byte {
	t.Helper()
	a, err := txtar.ParseFile("testdata/repo.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range a.Files {
		files[f.Name] = f.Data
	}
	return files
}

func write(t testing.TB, x *locate.Index, r export.Request, form export.Form) ([]byte, *export.Tail) {
	t.Helper()
	text, tail, err := export.WriteIndex(t.Context(), x, r, form)
	if err != nil {
		t.Fatal(err)
	}
	return text, tail
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the export differs (-want +got):\n%s", diff)
	}
}

func everything() export.Request { return export.Request{Locals: true, Kinds: scip.Kinds} }

// TestForms compares exports of testdata/repo.txtar with what they must be, and
// holds that a second one is the same.
func TestForms(t *testing.T) {
	x := index(t, archive(t))
	for _, tt := range []struct {
		name    string
		request export.Request
		form    func() export.Form
		shown   func(*testing.T, []byte) string
	}{
		{"lines", export.Request{}, func() export.Form { return &render.ExportLines{Version: "v1"} }, func(_ *testing.T, text []byte) string { return string(text) }},
		{"scip", everything(), func() export.Form { return scip.New("v1") }, shownSCIP},
		{"part", export.Request{Paths: []string{"web/**"}, Locals: true, Kinds: scip.Kinds}, func() export.Form { return scip.New("v1") }, shownSCIP},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, _ := write(t, x, tt.request, tt.form())
			if again, _ := write(t, index(t, archive(t)), tt.request, tt.form()); !bytes.Equal(text, again) {
				t.Error("a second export has other bytes")
			}
			compare(t, "testdata/"+tt.name+".golden", tt.shown(t, text))
		})
	}
}

// TestChoice holds what the filters of a request leave.
func TestChoice(t *testing.T) {
	x := index(t, archive(t))
	for _, tt := range []struct {
		name    string
		request export.Request
		want    string // types of records, and how many
	}{
		{"calls", export.Request{Kinds: []export.Kind{export.Calls}, Languages: []string{"go"}}, "edge 5 file 3 meta 1 end 1"},
		{"symbols of tests", export.Request{Kinds: []export.Kind{export.Symbols}, Scope: code.ScopeTest}, "symbol 1 file 1 meta 1 end 1"},
		{"a folder", export.Request{Kinds: []export.Kind{export.Imports, export.Subtypes}, Paths: []string{"web/**"}}, "edge 2 file 2 meta 1 end 1"},
		{"nothing", export.Request{Paths: []string{"nope"}}, "meta 1 end 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, _ := write(t, x, tt.request, &render.ExportLines{})
			if got := types(t, text); got != tt.want {
				t.Errorf("records %s, want %s", got, tt.want)
			}
		})
	}
}

// types counts the records of an export by their type.
func types(t *testing.T, text []byte) string {
	t.Helper()
	counts := map[string]int{}
	for line := range bytes.Lines(text) {
		var r struct{ Type string }
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		counts[r.Type]++
	}
	var words []string
	for _, k := range []string{"edge", "reference", "symbol", "file", "meta", "end"} {
		if counts[k] > 0 {
			words = append(words, fmt.Sprint(k, " ", counts[k]))
		}
	}
	return strings.Join(words, " ")
}

// stopping is a form that is interrupted at a file.
type stopping struct {
	export.Form
	at   string
	stop func()
}

func (s *stopping) File(a *locate.Ask, f *export.File) ([]byte, error) {
	if f.Path == s.at {
		s.stop()
	}
	return s.Form.File(a, f)
}

// TestInterrupted holds that an export that is interrupted says so.
func TestInterrupted(t *testing.T) {
	x := index(t, archive(t))
	for _, at := range []string{"app/__init__.py", "web/shape.ts"} {
		t.Run(at, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			text, tail, err := export.WriteIndex(ctx, x, export.Request{}, &stopping{&render.ExportLines{}, at, stop})
			if !errors.Is(err, context.Canceled) || tail.Left == "" {
				t.Errorf("error %v, left %q", err, tail.Left)
			}
			if !bytes.Contains(text, []byte(`"type":"end","complete":false,"why":"it was interrupted"`)) {
				t.Errorf("the export does not say that it is not whole:\n%s", text)
			}
		})
	}
}

// goroot is the folder of the Go that runs the tests.
func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestRealTrees lints exports of trees that every machine with Go has: part of its own
// source, and what the module cache holds of other languages.
func TestRealTrees(t *testing.T) {
	for _, tt := range []struct {
		name, root string
		ext        []string
		max        int // files
	}{
		{"Go", filepath.Join(goroot(t), "src", "encoding"), []string{".go"}, 150},
		{"JavaScript", cache(t, "tree-sitter-javascript@*"), []string{".js", ".ts"}, 20},
		{"C", cache(t, "tree-sitter-python@*"), []string{".h", ".c"}, 20},
		{"Python", "/usr/lib/python3", []string{".py"}, 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := collect(t, tt.root, tt.ext, tt.max)
			if len(files) == 0 {
				t.Skipf("no files in %s", tt.root)
			}
			text, tail := write(t, index(t, files), everything(), scip.New("v1"))
			if tail.Symbols == 0 || tail.References == 0 {
				t.Errorf("%d symbols, %d references of %d files", tail.Symbols, tail.References, len(files))
			}
			lint(t, text, files)
		})
	}
}

// cache is a folder of the module cache, empty for none.
func cache(t *testing.T, pattern string) string {
	t.Helper()
	dir := os.Getenv("GOMODCACHE")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, "go", "pkg", "mod")
	}
	all, err := filepath.Glob(filepath.Join(dir, "github.com", "tree-sitter", pattern))
	if err != nil || len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// collect reads the files below a folder with one of some extensions, by path, the
// large ones aside.
func collect(t *testing.T, root string, ext []string, limit int) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(root), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || len(files) >= limit || !slices.Contains(ext, filepath.Ext(p)) {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, p))
		if err == nil && len(text) < 100_000 {
			files[p] = text
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

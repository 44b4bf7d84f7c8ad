package framework_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/facts"
	"espy/internal/facts/factstest"
	"espy/internal/links/framework"
	"espy/internal/locate"
	"espy/internal/resolve/corpus"
)

var update = flag.Bool("update", false, "write the links that were found into the samples")

// TestFrameworks finds the links of a small program in each framework. The last
// file of an archive, want, lists them.
func TestFrameworks(t *testing.T) {
	tests, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(tests) == 0 {
		t.Fatal("no tests", err)
	}
	for _, path := range tests {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files, want := map[string][]byte{}, ""
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = string(f.Data)
				} else {
					files[f.Name] = f.Data
				}
			}
			got := found(t, files)
			if *update {
				rewrite(t, path, archive, got)
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("links (-want +got):\n%s", diff)
			}
		})
	}
}

func rewrite(t *testing.T, path string, a *txtar.Archive, got string) {
	t.Helper()
	last := &a.Files[len(a.Files)-1]
	if last.Name != "want" {
		a.Files = append(a.Files, txtar.File{Name: "want"})
		last = &a.Files[len(a.Files)-1]
	}
	last.Data = []byte(got)
	if err := writeFile(path, txtar.Format(a)); err != nil {
		t.Fatal(err)
	}
}

// found prints the links of files, one a line.
func found(t *testing.T, files map[string][]byte) string {
	t.Helper()
	x, err := locate.New([]corpus.Part{factstest.Part(t, files)})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = x.Run(func(a *locate.Ask) error {
		all, left, err := framework.Find(a)
		if left {
			t.Error("the time was over")
		}
		for _, l := range all {
			fmt.Fprintf(&out, "%s %s | %s %s:%d%s", l.Kind, l.Key, l.Role, a.Corpus.Path(l.At.File), l.Line, inside(a, l.At))
			if l.To.Index != facts.None || l.To.File != l.At.File {
				fmt.Fprintf(&out, " -> %s", name(a, l.To))
			}
			fmt.Fprintf(&out, " | %s, %v\n", l.By, l.Confidence)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func inside(a *locate.Ask, r corpus.Ref) string {
	if r.Index == facts.None {
		return ""
	}
	_, local, _ := strings.Cut(a.ID(r), "#")
	return " in " + local
}

func name(a *locate.Ask, r corpus.Ref) string {
	if r.Index == facts.None {
		return a.Corpus.Path(r.File)
	}
	return a.ID(r)
}

func writeFile(path string, data []byte) error { return os.WriteFile(path, data, 0o600) }

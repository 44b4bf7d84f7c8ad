package messages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/workspace"
)

// TestMeasure holds that messages are asked in every way, and that those with verbs are
// found in the sources and filled in, of a repository behind a link too.
func TestMeasure(t *testing.T) {
	corpora, trees := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		"shop/door.go":      "package shop\n\nfunc Open() error {\n\treturn errors.New(\"the door is locked for the night\")\n}\n",
		"shop/shelf.go":     "package shop\n\nfunc Take(n int) error {\n\treturn fmt.Errorf(\"cannot take %d items of the shelf %s\", n, name)\n}\n",
		"shop/lamp.go":      "package shop\n\nfunc Light() { log.Printf(\"%d lamps of this shelf burn all day\", n) }\n",
		"shop/lamp_test.go": "package shop\n\nvar want = \"%d lamps of that shop burn all night\"\n",
		"shop/twice.go":     "package shop\n\nvar a = \"this one stands in %s and elsewhere\"\n",
		"shed/rake.go":      "package shed\n\nfunc Rake() error {\n\treturn errors.New(\"failed to sharpen the rusty rake before winter\")\n}\n",
		"shop/again.go":     "package shop\n\nvar b = \"this one stands in %s and elsewhere\"\n",
	} {
		file := filepath.Join(trees, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, repo := range []string{"shop", "shed"} {
		if err := os.Symlink(filepath.Join(trees, repo), filepath.Join(corpora, repo)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	all := []Message{{Repo: "shop", Text: "the door is locked for the night", Path: "door.go"}, {Repo: "shop", Text: "the door is locked for the night", Path: "gone.go"},
		{Repo: "shed", Text: "failed to sharpen the rusty rake before winter", Path: "rake.go"}}
	rep, err := Measure(t.Context(), w, Options{Messages: all, Corpora: corpora, Filled: 10})
	if err != nil {
		t.Fatal(err)
	}
	table := rep.Table()
	for _, want := range []string{
		"; of 3 behind a prefix asked of the other repository 3 are.",
		"| as it stands | 3 | 66.7 | 66.7 | 66.7 | 0 |", "| behind a prefix | 12 | 66.7 | 66.7 | 66.7 | 0 |",
		"| values filled in | 2 | 100.0 | 100.0 | 100.0 | 0 |", "| filled in, behind a prefix | 8 | 100.0 | 100.0 | 100.0 | 0 |",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(table, want) {
				t.Error(table)
			}
		})
	}
}

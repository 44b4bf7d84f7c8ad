package outline

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/lang"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares the outline of each sample with the golden file beside it.
func TestGolden(t *testing.T) {
	samples, err := filepath.Glob("testdata/*/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range samples {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := printOutline(path, text)
			golden := path + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("outline of %s (-want +got):\n%s", path, diff)
			}
		})
	}
}

// TestEveryOutlinedLanguageHasASample holds testdata to the table of languages.
func TestEveryOutlinedLanguageHasASample(t *testing.T) {
	for _, l := range lang.All() {
		if !l.Outline {
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			if syntaxes[l.Name] == nil {
				t.Error("is said to have an outline and has none")
			}
			if syntaxes[l.Name] == &cppSyntax { // CUDA is read as C++
				return
			}
			if files, _ := filepath.Glob("testdata/" + l.Name + "/*.golden"); len(files) == 0 {
				t.Error("no sample")
			}
		})
	}
}

// printOutline writes one line per definition, with its line of the text, and per chunk.
func printOutline(path string, text []byte) string {
	o := Parse(lang.Detect(path, text), text)
	lines := strings.Split(string(text), "\n")
	var b strings.Builder
	for _, d := range o.Definitions {
		fmt.Fprintf(&b, "%d %s %s | %s\n", d.Line, d.Kind, d.Name, strings.TrimSpace(lines[d.Line-1]))
	}
	for _, c := range o.Chunks {
		fmt.Fprintf(&b, "chunk %d-%d bytes %d-%d\n", c.StartLine, c.EndLine, c.Start, c.End)
	}
	return b.String()
}

package outline

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/filetest"
	"espy/internal/lang"
)

// check reports the first broken rule of an outline of text in a language.
func check(l *lang.Language, text []byte, o File) error {
	starts := []int{0}
	for i, b := range text {
		if b == '\n' && i+1 < len(text) {
			starts = append(starts, i+1)
		}
	}
	lines := len(starts)
	if len(text) == 0 {
		lines = 0
	}
	starts = append(starts, len(text))
	if err := checkChunks(l, text, o.Chunks, starts, lines); err != nil {
		return err
	}
	last, keys := uint32(1), 0
	for _, d := range o.Definitions {
		if d.Line < last || int(d.Line) > lines {
			return fmt.Errorf("definition %+v after line %d of %d", d, last, lines)
		}
		last = d.Line
		if len(d.Name) == 0 || len(d.Name) > maxNameBytes || d.Kind == code.KindUnknown {
			return fmt.Errorf("definition %+v: bad name or kind", d)
		}
		if line := text[starts[d.Line-1]:starts[d.Line]]; !bytes.Contains(line, []byte(d.Name)) && !strings.Contains(d.Name, "\n") {
			return fmt.Errorf("definition %+v is not on its line %q", d, line)
		}
		if d.Kind == code.KindKey {
			keys++
		}
	}
	if len(o.Definitions) > maxDefinitions || keys > maxKeys {
		return fmt.Errorf("%d definitions, %d keys", len(o.Definitions), keys)
	}
	return nil
}

func checkChunks(l *lang.Language, text []byte, chunks []code.Chunk, starts []int, lines int) error {
	next := 1 // line that the next chunk may start at
	for _, c := range append(slices.Clone(chunks), code.Chunk{StartLine: uint32(lines) + 1}) {
		if int(c.StartLine) < next {
			return fmt.Errorf("chunk %+v starts before line %d", c, next)
		}
		for n := next; n < int(c.StartLine); n++ {
			text := bytes.TrimLeft(text[starts[n-1]:starts[n]], " \t\r\v\f\n")
			if data := l != nil && l.Name == "jupyter" && len(text) > maxNotebookLine; len(text) > 0 && !data {
				return fmt.Errorf("line %d is in no chunk", n)
			}
		}
		if int(c.StartLine) == lines+1 {
			break
		}
		if c.EndLine < c.StartLine || int(c.EndLine) > lines || int(c.Start) != starts[c.StartLine-1] || int(c.End) != starts[c.EndLine] {
			return fmt.Errorf("chunk %+v does not stand on whole lines", c)
		}
		if n := c.End - c.Start; n > 2*maxChunkBytes && c.EndLine > c.StartLine && int(n)-(starts[c.EndLine]-starts[c.EndLine-1]) > 2*maxChunkBytes {
			return fmt.Errorf("chunk %+v has %d bytes", c, n)
		}
		next = int(c.EndLine) + 1
	}
	return nil
}

// goFiles calls f with the path and text of every Go file below the Go tree's folder.
func goFiles(t testing.TB, folder string, f func(path string, text []byte)) {
	root := filepath.Join(filetest.GoSource(t), folder)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
			return err
		}
		text, err := os.ReadFile(p)
		f(p, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOutlineKeepsItsRules(t *testing.T) {
	for _, name := range []string{"go", "c", "python", "ruby", "bash", "javascript", "markdown"} { // right and wrong languages
		t.Run(name, func(t *testing.T) {
			l, _ := lang.ByName(name)
			files := 0
			goFiles(t, "net", func(path string, text []byte) {
				files++
				if err := check(l, text, Parse(l, text)); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			})
			if files == 0 {
				t.Fatal("no files")
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	samples, err := filepath.Glob("testdata/*/*.*")
	if err != nil {
		f.Fatal(err)
	}
	languages := lang.All()
	for _, p := range samples {
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		if l := lang.Detect(p, text); l != nil && !strings.HasSuffix(p, ".golden") {
			f.Add(byte(l.ID), text)
		}
	}
	f.Fuzz(func(t *testing.T, id byte, text []byte) {
		l := languages[int(id)%len(languages)]
		if err := check(l, text, Parse(l, text)); err != nil {
			t.Fatalf("%s: %v", l.Name, err)
		}
	})
}

package sample

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"espy/internal/proof"
	"espy/internal/store"
)

const GoFile = `package demo

// Open opens.
func Open(name string,
	more int,
) error {
	if name == "" {
		return errEmpty
	} else {
		open(name)
	}
}

type Server struct {
	Name string
}

func (s *Server) Close() error { return nil }

var errEmpty = errors.New("empty name")
`

// BigFile has functions of many lines, so that regions end within them, and a
// line longer than a region.
func BigFile() (text string, symbols []string) {
	var b strings.Builder
	line := func(symbol, format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
		symbols = append(symbols, symbol)
	}
	line("", "package big")
	for i := range 6 {
		name := fmt.Sprintf("Func%d", i)
		line(name, "func %s() {", name)
		for k := range 900 {
			line(name, "\tcall%d(%d, needle%d)", k, i*k, k%50)
		}
		if i == 3 {
			line(name, "\tlong(needle7, %s)", strings.Repeat("1, ", 20_000))
		}
		line(name, "}")
		line("", "")
	}
	return b.String(), symbols
}

// readGoSources returns files of Go's own source tree, some hundred of them; with
// the race detector without the tests of net/http, a fifth of the text.
var readGoSources = sync.OnceValues(func() (map[string]string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go's source tree: %w", err)
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	files := map[string]string{}
	for _, dir := range []string{"net/http", "net/url", "encoding", "strings", "bufio", "sync", "os/exec"} {
		err := filepath.WalkDir(filepath.Join(src, dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || filepath.Ext(p) != ".go" || proof.Race && dir == "net/http" && strings.HasSuffix(p, "_test.go") {
				return err
			}
			text, err := os.ReadFile(p)
			rel, _ := filepath.Rel(src, p)
			files[filepath.ToSlash(rel)] = string(text)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
})

// goTree and goParsed are GoSources in one segment, without and with syntax, built
// by the first test that wants them.
var goTree, goParsed struct {
	sync.Once
	snap *store.Snapshot
}

func GoSnapshot(t testing.TB) []*store.Snapshot {
	t.Helper()
	files := GoSources(t)
	goTree.Do(func() { goTree.snap = Repository(t, "go", files) })
	return []*store.Snapshot{goTree.snap}
}

// GoParsed is GoSnapshot with the syntax of its files.
func GoParsed(t testing.TB) *store.Snapshot {
	t.Helper()
	files := GoSources(t)
	goParsed.Do(func() { goParsed.snap = Parsed(t, Repository(t, "go", files)) })
	return goParsed.snap
}

func GoSources(t testing.TB) map[string]string {
	t.Helper()
	files, err := readGoSources()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Module returns the text files of a module that go.mod requires, by path.
func Module(t testing.TB, path string) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Fatalf("find the source of %s: %v %s", path, err, dir)
	}
	files := map[string]string{}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

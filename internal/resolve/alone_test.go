package resolve_test

import (
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// TestAnswersAlone holds that what was asked before does not show: a use means the
// same to a question that has worked out all others, in any order, as to one that
// is asked for nothing else.
func TestAnswersAlone(t *testing.T) {
	forEachMarked(t, func(t *testing.T, _ string, m *marks) { alone(t, m.files, 1) })
	for name, dir := range map[string]string{"go": filepath.Join(build.Default.GOROOT, "src/net/http"), "python": "/usr/lib/python3/dist-packages", "javascript": "/usr/share/nodejs"} {
		t.Run(name, func(t *testing.T) {
			files := someFiles(dir, map[string]string{"go": ".go", "python": ".py", "javascript": ".js"}[name], 40)
			if len(files) < 20 {
				t.Skip("too few files in " + dir)
			}
			alone(t, files, 150)
		})
	}
}

// someFiles reads the first files with an ending below a folder.
func someFiles(dir, ending string, most int) map[string]string {
	files := map[string]string{}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // a folder that is not there has no files
		if err != nil || !strings.HasSuffix(path, ending) || d.IsDir() {
			return nil
		}
		if text, err := os.ReadFile(path); err == nil && len(text) < 50_000 {
			files[strings.TrimPrefix(path, dir+"/")] = string(text)
		}
		if len(files) == most {
			return fs.SkipAll
		}
		return nil
	})
	return files
}

// alone compares what every nth use means, asked alone, with what it means after
// all others, in several orders.
func alone(t *testing.T, files map[string]string, n int) {
	c := index(t, files)
	r := resolve.New(c)
	err := segment.Guard(func() error {
		var uses []corpus.Ref
		for id := range c.Files() {
			for i := range r.Ask().File(id).NumUses() {
				uses = append(uses, corpus.Ref{File: id, Index: int32(i)})
			}
		}
		want := map[corpus.Ref]string{}
		for i := 0; i < len(uses); i += n {
			want[uses[i]] = fmt.Sprint(r.Ask().Define(uses[i].File, int(uses[i].Index)))
		}
		for order := range 4 {
			random, shared := rand.New(rand.NewPCG(14, uint64(order))), r.Ask()
			random.Shuffle(len(uses), func(i, j int) { uses[i], uses[j] = uses[j], uses[i] })
			for _, u := range uses {
				got := fmt.Sprint(shared.Define(u.File, int(u.Index)))
				if alone, ok := want[u]; ok && got != alone {
					use := shared.File(u.File).Use(int(u.Index))
					t.Errorf("%s:%d:%d %s is %s alone, %s after others", c.Path(u.File), use.Line, use.Column, use.Name, alone, got)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

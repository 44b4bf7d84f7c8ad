package resolve_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/facts"
	"espy/internal/facts/factstest"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// TestMarkers holds the answers to what the files of testdata/*.txtar are
// marked with: ⟦a⟧ stands before the declaration of a symbol that is called a
// here, ⟦?a⟧ before a use that means it, ⟦?a~⟧ before one that possibly does,
// ⟦?a b⟧ before one that means two. The references of a must be those uses and
// no others.
func TestMarkers(t *testing.T) {
	forEachMarked(t, func(t *testing.T, _ string, m *marks) {
		c := index(t, m.files)
		if err := segment.Guard(func() error { m.check(t, c); return nil }); err != nil {
			t.Fatal(err)
		}
	})
}

// forEachMarked runs a test for each archive of marked files, which is named
// without its ending.
func forEachMarked(t *testing.T, test func(t *testing.T, name string, m *marks)) {
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
			test(t, strings.TrimSuffix(path, ".txtar"), readMarks(archive))
		})
	}
}

// mark is a place with a name.
type mark struct {
	path string
	at   uint32
}

type marks struct {
	files        map[string]string
	declarations map[string][]mark
	uses         map[string][]string // "path:line:column" with " possible" behind
}

var marker = regexp.MustCompile(`⟦(\??)([^⟧]*)⟧`)

func readMarks(a *txtar.Archive) *marks {
	m := &marks{map[string]string{}, map[string][]mark{}, map[string][]string{}}
	for _, f := range a.Files {
		var text strings.Builder
		last := 0
		for _, x := range marker.FindAllSubmatchIndex(f.Data, -1) {
			text.Write(f.Data[last:x[0]])
			last = x[1]
			for _, name := range strings.Fields(string(f.Data[x[4]:x[5]])) {
				if x[2] == x[3] {
					m.declarations[name] = append(m.declarations[name], mark{f.Name, uint32(text.Len())})
					continue
				}
				name, possible := strings.CutSuffix(name, "~")
				where := place(f.Name, text.String())
				if possible {
					where += " possible"
				}
				m.uses[name] = append(m.uses[name], where)
			}
		}
		text.Write(f.Data[last:])
		m.files[f.Name] = text.String()
	}
	return m
}

// place names the place behind a text.
func place(path, before string) string {
	line := strings.Count(before, "\n") + 1
	return fmt.Sprintf("%s:%d:%d", path, line, len(before)-strings.LastIndexByte(before, '\n'))
}

func (m *marks) check(t *testing.T, c *corpus.Corpus) {
	for name, at := range m.declarations {
		q := resolve.New(c).Ask()
		var group []corpus.Ref
		for _, d := range at {
			f, _ := c.Find(d.path)
			i := q.File(f).SymbolAt(d.at)
			if i == facts.None {
				t.Errorf("no symbol at the mark of %s in %s", name, d.path)
				return
			}
			group = append(group, corpus.Ref{File: f, Index: int32(i)})
		}
		for _, r := range q.Together(group[0]) {
			if !slices.Contains(group, r) {
				t.Errorf("%s is one with %s:%d too", name, c.Path(r.File), q.Symbol(r).Line)
			}
		}
		got := []string{}
		for _, r := range q.References(group) {
			got = append(got, m.describe(t, c, q, name, group, r))
		}
		want := slices.Clone(m.uses[name])
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, append([]string(nil), got...)); diff != "" {
			t.Errorf("references of %s (-want +got):\n%s", name, diff)
		}
	}
}

// describe names the place of a reference, and asks for the definition there.
func (m *marks) describe(t *testing.T, c *corpus.Corpus, q *resolve.Question, name string, group []corpus.Ref, r resolve.Reference) string {
	at := facts.Place{}
	if r.Use == facts.None {
		at = q.Symbol(corpus.Ref{File: r.File, Index: r.Symbol}).Place
	} else {
		at = q.File(r.File).Use(int(r.Use)).Place
	}
	where := fmt.Sprintf("%s:%d:%d", c.Path(r.File), at.Line, at.Column)
	if r.Reason == "" {
		t.Errorf("no reason for %s at %s", name, where)
	}
	if r.Confidence == facts.Possible {
		return where + " possible"
	}
	if r.Use != facts.None && !strings.Contains(r.Reason, "comes from elsewhere") { // which declares it
		found := resolve.New(c).Ask().Define(r.File, int(r.Use))
		if len(found) == 0 {
			t.Errorf("no definition of %s at %s", name, where)
		}
	}
	return where
}

// index indexes files in memory. It skips the test where their grammars are
// not built in.
func index(t testing.TB, files map[string]string) *corpus.Corpus {
	t.Helper()
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return corpus.New([]corpus.Part{part(t, files, paths)})
}

// part indexes some of the files in a segment.
func part(t testing.TB, files map[string]string, paths []string) corpus.Part {
	t.Helper()
	texts := map[string][]byte{}
	for _, p := range paths {
		texts[p] = []byte(files[p])
	}
	return factstest.Part(t, texts)
}

package resolve_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"espy/internal/facts"
	"espy/internal/resolve"
	"espy/internal/resolve/corpus"
	"espy/internal/segment"
)

// families are the families of languages by the words of testdata/joined.
var families = map[string]corpus.Family{
	"go": corpus.Go, "python": corpus.Python, "npm": corpus.Script, "rust": corpus.Rust, "java": corpus.Java,
	"php": corpus.PHP, "csharp": corpus.CSharp, "ruby": corpus.Ruby, "c": corpus.C, "elixir": corpus.Elixir,
}

// TestJoined holds the answers over several repositories, which are the folders at
// the top of each archive of testdata/joined. Files are marked as those of
// TestMarkers are. A line in front of them links two repositories: the one that
// imports, the one that publishes, the language, the file by the package, and what
// imports call it; a ? in front of the language is a package that no manifest asks for.
func TestJoined(t *testing.T) {
	tests, err := filepath.Glob("testdata/joined/*.txtar")
	if err != nil || len(tests) == 0 {
		t.Fatal("no tests", err)
	}
	for _, path := range tests {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m := readMarks(archive)
			c := join(t, m.files, string(archive.Comment))
			if err := segment.Guard(func() error { m.checkJoined(t, c); return nil }); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// join makes repositories of the folders at the top of some files.
func join(t *testing.T, files map[string]string, links string) *corpus.Corpus {
	t.Helper()
	repos := map[string]map[string]string{}
	var names []string
	for p, text := range files {
		repo, rest, _ := strings.Cut(p, "/")
		if repos[repo] == nil {
			repos[repo] = map[string]string{}
			names = append(names, repo)
		}
		repos[repo][rest] = text
	}
	slices.Sort(names)
	members := make([]corpus.Member, len(names))
	for i, name := range names {
		var paths []string
		for p := range repos[name] {
			paths = append(paths, p)
		}
		slices.Sort(paths)
		members[i] = corpus.Member{Name: name, Parts: []corpus.Part{part(t, repos[name], paths)}}
	}
	for line := range strings.Lines(links) {
		if words := strings.Fields(line); len(words) >= 4 {
			from, to := slices.Index(names, words[0]), slices.Index(names, words[1])
			language, unwanted := strings.CutPrefix(words[2], "?")
			p := corpus.Package{Family: families[language], Path: words[3], Wanted: !unwanted}
			if len(words) > 4 {
				p.Import = words[4]
			}
			members[from].Links = append(members[from].Links, corpus.Link{To: to, Packages: []corpus.Package{p}})
		}
	}
	return corpus.Combine(members)
}

// checkJoined compares the references of every marked symbol with its marks.
func (m *marks) checkJoined(t *testing.T, c *corpus.Corpus) {
	for name, at := range m.declarations {
		q := resolve.New(c).Ask()
		var group []corpus.Ref
		for _, d := range at {
			f := findJoined(t, c, d.path)
			i := q.File(f).SymbolAt(d.at)
			if i == facts.None {
				t.Errorf("no symbol at the mark of %s in %s", name, d.path)
				return
			}
			group = append(group, corpus.Ref{File: f, Index: int32(i)})
		}
		var got []string
		for _, r := range q.References(group) {
			got = append(got, whereJoined(c, q, r))
			if r.Use != facts.None && r.Confidence != facts.Possible && len(resolve.New(c).Ask().Define(r.File, int(r.Use))) == 0 {
				t.Errorf("no definition of %s at %s", name, got[len(got)-1])
			}
		}
		want := slices.Clone(m.uses[name])
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("references of %s (-want +got):\n%s", name, diff)
		}
	}
}

func findJoined(t *testing.T, c *corpus.Corpus, path string) corpus.FileID {
	t.Helper()
	f, ok := c.Find(strings.Replace(path, "/", ":", 1))
	if !ok {
		t.Fatalf("no file %s", path)
	}
	return f
}

// whereJoined names the place of a reference.
func whereJoined(c *corpus.Corpus, q *resolve.Question, r resolve.Reference) string {
	var at facts.Place
	if r.Use == facts.None {
		at = q.Symbol(corpus.Ref{File: r.File, Index: r.Symbol}).Place
	} else {
		at = q.File(r.File).Use(int(r.Use)).Place
	}
	where := fmt.Sprintf("%s:%d:%d", strings.Replace(c.Path(r.File), ":", "/", 1), at.Line, at.Column)
	if r.Confidence == facts.Possible {
		where += " possible"
	}
	return where
}

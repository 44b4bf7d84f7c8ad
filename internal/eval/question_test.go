package eval

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadQuestions(t *testing.T) {
	const good = `{"id":"1","repo":"a","language":"go","category":"symbol","query":"x","targets":[{"path":"p","start_line":null,"end_line":null},{"path":"q","start_line":3,"end_line":9}]}`
	want := []Question{{ID: "1", Repo: "a", Language: "go", Category: "symbol", Query: "x", Targets: []Target{{Path: "p"}, {Path: "q", StartLine: 3, EndLine: 9}}}}
	for _, test := range []struct {
		name, text, err string
		want            []Question
	}{
		{"empty", "", "", nil},
		{"one, with empty lines", "\n" + good + "\r\n\n", "", want},
		{"the same id", good + "\n" + good, "line 2: the id \"1\" is taken", nil},
		{"no target", `{"id":"1","repo":"a","query":"x"}`, "line 1: a question needs", nil},
		{"no path", `{"id":"1","repo":"a","query":"x","targets":[{}]}`, "without a path", nil},
		{"a repository elsewhere", `{"id":"1","repo":"../a","query":"x","targets":[{"path":"p"}]}`, "not the name of a folder", nil},
		{"the folder above", `{"id":"1","repo":"..","query":"x","targets":[{"path":"p"}]}`, "not the name of a folder", nil},
		{"not JSON", "x", "line 1: invalid character", nil},
		{"a line without end", good + strings.Repeat(" ", maxLine), "token too long", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ReadQuestions(file(t, test.text))
			if test.err == "" && err == nil {
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Fatalf("differs (-want +got):\n%s", diff)
				}
			} else if err == nil || test.err == "" || !strings.Contains(err.Error(), test.err) {
				t.Fatalf("error %v, want one with %q", err, test.err)
			}
		})
	}
}

func TestReadRepositories(t *testing.T) {
	got, err := ReadRepositories(file(t, `[{"name":"a","language":"go","repository":"b/a","revision":"v1","benchmark_root":"lib"}]`))
	if diff := cmp.Diff([]Repository{{"a", "go", "b/a", "v1", "lib"}}, got); diff != "" || err != nil {
		t.Fatalf("differs (-want +got), error %v:\n%s", err, diff)
	}
	for _, text := range []string{`[{"name":"a","benchmark_root":"../b"}]`, `[{"name":"a","benchmark_root":"/b"}]`, `{`} {
		t.Run(text, func(t *testing.T) {
			if _, err := ReadRepositories(file(t, text)); err == nil {
				t.Errorf("ReadRepositories(%s) is accepted", text)
			}
		})
	}
}

func TestAnswersRoundTrip(t *testing.T) {
	want := []Answer{{Repo: "a", ID: "1", Results: []Result{{"p<q>", 1, 2}}}, {Repo: "a", ID: "2", Results: []Result{}, Error: "refused"}}
	var b bytes.Buffer
	if err := WriteLines(&b, want); err != nil {
		t.Fatal(err)
	}
	const line = `{"repo":"a","id":"1","results":[{"path":"p<q>","start_line":1,"end_line":2}]}`
	if first, _, _ := strings.Cut(b.String(), "\n"); first != line {
		t.Fatalf("the first line is %s, want %s", first, line)
	}
	got, err := ReadAnswers(file(t, b.String()))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatalf("read back differs (-want +got), error %v:\n%s", err, diff)
	}
}

// TestConcepts holds that the questions of concepts are whole: each is about a listed
// repository, which has twenty.
func TestConcepts(t *testing.T) {
	questions, err := ReadQuestions("concepts/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	repos, err := ReadRepositories("concepts/repos.json")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]int{}
	for _, q := range questions {
		asked[q.Repo]++
	}
	for _, r := range repos {
		if asked[r.Name] != 20 || len(r.Revision) != 40 {
			t.Errorf("%s: %d questions, at revision %q", r.Name, asked[r.Name], r.Revision)
		}
		delete(asked, r.Name)
	}
	if len(asked) > 0 {
		t.Errorf("questions about repositories that are not listed: %v", asked)
	}
}

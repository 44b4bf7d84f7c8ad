package render_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"espy/internal/bundle"
	"espy/internal/code"
	"espy/internal/render"
	"espy/internal/seen"
	"espy/internal/workspace"
)

// packedTrees are folders of source with and without a grammar here, by a name.
func packedTrees(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{"c headers": "/usr/include/linux"}
	if out, err := exec.Command("go", "env", "GOROOT").Output(); err == nil {
		all["go http"] = strings.TrimSpace(string(out)) + "/src/net/http"
	}
	if python, _ := filepath.Glob("/usr/lib/python3.*/asyncio"); len(python) > 0 {
		all["python asyncio"] = python[0]
	}
	return all
}

// askedOf is a number of random questions of a tree, of every kind, and a bound for
// each.
const askedOf = 170

// TestContextBudget asks random questions within random bounds: an answer never
// exceeds its bound, as text and as JSON, with the token of what its reader holds
// and without, shows no line twice, and is the same when it is asked again.
func TestContextBudget(t *testing.T) {
	t.Parallel()
	for name, root := range packedTrees(t) {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(root); err != nil {
				t.Skipf("%s is not here", root)
			}
			w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			repo, err := w.Attach(t.Context(), root, workspace.AttachOptions{Exact: true})
			if err != nil {
				t.Fatal(err)
			}
			asker := newAsker(t, root)
			token := ""
			for i := range askedOf {
				req := asker.request(i)
				a, err := bundle.Gather(t.Context(), repo, req, workspace.Wait{})
				if err != nil {
					t.Fatalf("%d, %q: %v", i, req.Text, err)
				}
				token = holdBudget(t, &render.Context{Request: &req, Answer: a}, token)
			}
		})
	}
}

// TestContextBudgetOfSeveral asks two trees together.
func TestContextBudgetOfSeveral(t *testing.T) {
	t.Parallel()
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	trees := packedTrees(t)
	var repos []*workspace.Repo
	for _, name := range []string{"go http", "python asyncio"} {
		if _, err := os.Stat(trees[name]); err != nil {
			t.Skipf("the tree of %s is not here", name)
		}
		r, err := w.Attach(t.Context(), trees[name], workspace.AttachOptions{Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		repos = append(repos, r)
	}
	token := ""
	asker := newAsker(t, trees["go http"])
	for i := range 30 {
		req := asker.request(i)
		a, err := bundle.GatherAll(t.Context(), repos, req, workspace.Wait{})
		if err != nil {
			t.Fatalf("%d, %q: %v", i, req.Text, err)
		}
		token = holdBudget(t, &render.Context{Request: &req, Answer: a}, token)
	}
}

// holdBudget writes an answer in every form and checks each. It returns the token
// of the text.
func holdBudget(t *testing.T, c *render.Context, token string) string {
	t.Helper()
	bound := c.Request.MaxTokens
	if bound == 0 {
		bound = bundle.DefaultTokens
	}
	next := ""
	for _, held := range []*string{nil, &token} {
		o := render.Options{Calls: render.ToolCalls, MaxTokens: c.Request.MaxTokens, ShowSecrets: true}
		if held != nil {
			l, err := seen.Parse(token, func(repo, path string) []string { return c.Lines(repo, path) })
			if err != nil {
				t.Fatal(err)
			}
			o.Seen = l
		}
		text := c.Text(o)
		if n := code.Tokens(len(text)); n > bound {
			t.Fatalf("%q: text of %d tokens, bound %d:\n%s", c.Request.Text, n, bound, text)
		}
		if again := c.Text(o); again != text {
			t.Fatalf("%q: the same question, another answer", c.Request.Text)
		}
		if said := saidTokens.FindStringSubmatch(text); said == nil || said[1] != fmt.Sprint(code.Tokens(len(text))) {
			t.Fatalf("%q: the header counts %v of %d tokens", c.Request.Text, said, code.Tokens(len(text)))
		}
		form := c.JSON(o)
		if n := code.Tokens(len(form)); n > bound {
			t.Fatalf("%q: JSON of %d tokens, bound %d:\n%s", c.Request.Text, n, bound, form)
		}
		once(t, c, form)
		if _, after, ok := strings.Cut(text, "\nseen: "); ok {
			next = strings.TrimSpace(after)
		}
	}
	return next
}

var saidTokens = regexp.MustCompile(`^.*, (\d+) tokens\n`)

// once holds that no line is shown twice and that all are as in the file.
func once(t *testing.T, c *render.Context, form []byte) {
	t.Helper()
	var v struct {
		Spans []struct {
			Repo   string
			Path   string
			Start  int `json:"start_line"`
			End    int `json:"end_line"`
			Reason string
			Runs   []struct {
				Start int `json:"start_line"`
				Text  string
			}
		}
	}
	if err := json.Unmarshal(form, &v); err != nil {
		t.Fatalf("%q: %v in %s", c.Request.Text, err, form)
	}
	shown := map[string]bool{}
	for _, s := range v.Spans {
		if s.Reason == "" {
			t.Fatalf("%q: %s:%d has no reason", c.Request.Text, s.Path, s.Start)
		}
		if s.Repo == "" {
			s.Repo = c.In.All().Repo
		}
		for _, r := range s.Runs {
			for i, line := range strings.Split(strings.TrimSuffix(r.Text, "\n"), "\n") {
				n := r.Start + i
				key := fmt.Sprint(s.Repo, ":", s.Path, ":", n)
				if shown[key] || n < s.Start || n > s.End {
					t.Fatalf("%q: %s is shown twice, or outside of its span", c.Request.Text, key)
				}
				if !strings.ContainsRune(lineOf(c, s.Repo, s.Path, n), 0xfffd) && line != strings.ToValidUTF8(lineOf(c, s.Repo, s.Path, n), "\ufffd") {
					t.Fatalf("%q: %s is %q, in the file %q", c.Request.Text, key, line, lineOf(c, s.Repo, s.Path, n))
				}
				shown[key] = true
			}
		}
	}
}

// asker makes questions out of the text of a tree.
type asker struct {
	rand  *rand.Rand
	paths []string
	lines map[string][]string
}

func newAsker(t *testing.T, root string) *asker {
	t.Helper()
	a := &asker{rand: rand.New(rand.NewPCG(7, 11)), lines: map[string][]string{}}
	files, err := filepath.Glob(root + "/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil && len(text) > 200 {
			p := filepath.Base(f)
			a.paths, a.lines[p] = append(a.paths, p), strings.Split(string(text), "\n")
		}
	}
	slices.Sort(a.paths)
	return a
}

// request is the i-th question: the kinds take turns, and so do bounds at the
// limits and between them.
func (a *asker) request(i int) bundle.Request {
	path := a.paths[a.rand.IntN(len(a.paths))]
	lines := a.lines[path]
	at := a.rand.IntN(len(lines) - 3)
	req := bundle.Request{}
	switch i % 6 {
	case 0:
		req.Text = a.word(lines)
	case 1:
		req.Text = a.word(lines) + " and " + a.word(lines) + ": callers and tests"
	case 2:
		req.Text = fmt.Sprintf("%s:%d-%d", path, at+1, at+1+a.rand.IntN(80))
	case 3:
		req.Text = fmt.Sprintf("--- a/%s\n+++ b/%s\n@@ -%d,3 +%d,4 @@\n %s\n+%s\n %s\n", path, path, at+1, at+1, lines[at], lines[at+1], lines[at+2])
	case 4:
		req.Text = "it fails:\n" + strings.Join(lines[at:min(at+1+a.rand.IntN(30), len(lines))], "\n")
	case 5:
		req.Text = strings.Join([]string{a.word(lines), a.word(lines), a.word(lines), a.word(lines)}, " ")
	}
	if strings.TrimSpace(req.Text) == "" || len(req.Text) > 1<<16 {
		req.Text = path
	}
	req.Text = strings.ToValidUTF8(req.Text, "")
	bounds := []int{bundle.MinTokens, bundle.MaxTokens, 0, bundle.MinTokens + a.rand.IntN(800), 500 + a.rand.IntN(6000)}
	req.MaxTokens = bounds[a.rand.IntN(len(bounds))]
	return req
}

var longWord = regexp.MustCompile(`[A-Za-z_]\w{4,}`)

func (a *asker) word(lines []string) string {
	for range 50 {
		if words := longWord.FindAllString(lines[a.rand.IntN(len(lines))], -1); len(words) > 0 {
			return words[a.rand.IntN(len(words))]
		}
	}
	return "nothing"
}

// lineOf is a line of a file of a repository of an answer, as it is in the file.
func lineOf(c *render.Context, repo, path string, n int) string {
	if lines := c.Lines(repo, path); n <= len(lines) {
		return lines[n-1]
	}
	return ""
}

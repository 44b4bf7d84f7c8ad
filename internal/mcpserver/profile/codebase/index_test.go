package codebase

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"espy/internal/discover"
	"espy/internal/embedding/ollama"
	"espy/internal/embedding/remote"
)

// TestIndex indexes, changes and indexes again.
func TestIndex(t *testing.T) {
	sheet.Proves(t, "index.shape index.success index.id index.again index.force index.watched index.ignore index.deleted bug.zero bug.silent")
	c := newClient(t, setup{files: shop})
	text := c.Call("index_repository", object{"path": c.root, "name": "shop"})
	if !regexp.MustCompile(`^\{"repository_id":"[0-9a-f-]{36}","files_indexed":7,"chunks_created":\d+,"duration_seconds":[0-9.e-]+,"status":"success","errors":\[\]\}$`).MatchString(text) {
		t.Errorf("%s", text)
	}
	first := into[indexed](c, "index_repository", object{"path": c.root, "name": "shop"})
	if first.Files != 0 || first.Chunks != 0 || first.Status != "success" || !strings.Contains(first.Message, "no file changes detected since last index (7 files already indexed)") {
		t.Errorf("again: %+v", first)
	}
	for _, tt := range []struct {
		name   string
		change func()
		more   object
		files  int
	}{
		{"one file is changed", func() { c.write(map[string]string{"docs/retry.md": "# Other\n"}) }, nil, 1},
		{"one that a search has seen", func() {
			c.write(map[string]string{"docs/retry.md": "# Another one\n"})
			c.Call("search_code", object{"query": question})
		}, nil, 1},
		{"one is new, one is gone", func() {
			c.write(map[string]string{"docs/new.md": "# New\n"})
			os.Remove(filepath.Join(c.root, "docs/retry.md"))
		}, nil, 1},
		{"forced", func() {}, object{"force_reindex": true}, 7},
		{"forced in a string", func() {}, object{"force_reindex": "true"}, 7},
		{"unchanged", func() {}, object{"force_reindex": false}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.change()
			got := c.on(t).index(tt.more)
			if got.Files != tt.files || got.Status != "success" || got.RepositoryID != first.RepositoryID || (got.Chunks == 0) != (tt.files == 0) {
				t.Errorf("%+v, want %d files", got, tt.files)
			}
		})
	}
	if got := paths(into[found](c, "search_code", object{"query": "backoff ignored", "limit": 50})); strings.Contains(got, "ignored/") || strings.Contains(got, "docs/retry.md") {
		t.Errorf("an ignored or deleted file is found: %s", got)
	}
}

func TestIndexErrors(t *testing.T) {
	sheet.Proves(t, "index.path index.path.bad index.name index.outside index.order")
	c := newClient(t, setup{files: shop})
	for _, tt := range []struct {
		args object
		want failed
	}{
		{object{}, badly("path: Field required")},
		{object{"path": "/x"}, badly("name: Field required")},
		{object{"path": "", "name": "x"}, badly("Repository path cannot be empty")},
		{object{"path": "shop", "name": "x"}, badly("Repository path must be absolute: shop")},
		{object{"path": "/" + strings.Repeat("d", 500), "name": "x"}, badly("Repository path too long (max 500 characters): 501")},
		{object{"path": c.root, "name": " "}, badly("Repository name cannot be empty")},
		{object{"path": c.root, "name": strings.Repeat("n", 201)}, badly("Repository name too long (max 200 characters): 201")},
		{object{"path": "/nowhere/at/all", "name": ""}, badly("Repository name cannot be empty")},
		{object{"path": "/nowhere/at/all", "name": "x", "force_reindex": "perhaps"}, badly("force_reindex must be a boolean")},
		{object{"path": "/nowhere/at/all", "name": "x"}, failed{-32000, "Repository path does not exist", "Repository path does not exist: /nowhere/at/all"}},
		{object{"path": filepath.Join(c.root, "net/retry.py"), "name": "x"}, failed{-32000, "Repository path must be a directory", "net/retry.py"}},
		{object{"path": "/proc", "name": "x"}, failed{-32000, "Repository path cannot be indexed", "/proc"}},
	} {
		t.Run(short(tt.args), func(t *testing.T) { c.on(t).fails("index_repository", tt.args, tt.want) })
	}
	if got := c.index(object{"name": strings.Repeat("n", 200)}); got.Status != "success" {
		t.Errorf("a name of 200 characters: %+v", got)
	}
}

// TestNames gives repositories names that others have or that Espy cannot give.
func TestNames(t *testing.T) {
	sheet.Proves(t, "index.name.new index.alias index.several")
	c := newClient(t, setup{files: map[string]string{"a/x.py": "def apples(): pass\n", "b/x.py": "def bananas(): pass\n", "c/x.py": "def cherries(): pass\n"}})
	ids := map[string]string{}
	for _, tt := range []struct {
		dir  string
		args object
	}{
		{"a", object{"name": "My Shop / backend"}}, {"b", object{"name": "My Shop / backend"}}, {"a", object{"name": "renamed"}}, {"c", object{"name": "ünï 日本"}}, {"b", object{"name": "renamed"}}, {"b", nil},
	} {
		t.Run(tt.dir+" "+fmt.Sprint(tt.args["name"]), func(t *testing.T) {
			args := object{"path": filepath.Join(c.root, tt.dir), "name": tt.args["name"]}
			if tt.args == nil {
				args = object{"repo_path": filepath.Join(c.root, tt.dir)}
			}
			got := into[indexed](c.on(t), "index_repository", args)
			if ids[tt.dir] != "" && ids[tt.dir] != got.RepositoryID || got.Status != "success" {
				t.Errorf("%+v, the id before was %s", got, ids[tt.dir])
			}
			ids[tt.dir] = got.RepositoryID
		})
	}
	all, err := c.ws.Repos(t.Context())
	if err != nil || len(all) != 3 {
		t.Fatalf("%d repositories, %v", len(all), err)
	}
	for dir, id := range ids {
		f := into[found](c, "search_code", object{"query": "apples bananas cherries", "repository_id": id})
		for _, r := range f.Results {
			if r.FilePath != filepath.Join(c.root, dir, "x.py") {
				t.Errorf("%s finds %s", dir, r.FilePath)
			}
		}
	}
	r, err := c.ws.Find(t.Context(), ids["a"])
	if err != nil || r.Name() != "renamed" {
		t.Errorf("the new name is %s, %v", r.Name(), err)
	}
}

func TestEmpty(t *testing.T) {
	sheet.Proves(t, "index.empty")
	c := newClient(t, setup{})
	if err := os.MkdirAll(c.root, 0o755); err != nil {
		t.Fatal(err)
	}
	got := c.index(nil)
	if got.Status != "failed" || len(got.Errors) != 1 || got.Errors[0] != "No files found in repository at "+c.root {
		t.Errorf("%+v", got)
	}
}

// TestUnreadable holds what is said of files that the system refuses to read.
func TestUnreadable(t *testing.T) {
	sheet.Proves(t, "index.partial")
	left := []discover.Exclusion{{Path: "a.png", Reason: discover.ReasonBinary}, {Path: "private/b.py", Reason: discover.ReasonUnreadable, Detail: "permission denied"}}
	out := &indexed{Errors: unreadable(left), Files: 1, all: 1}
	if out.conclude("/x"); out.Status != "partial" || len(out.Errors) != 1 || out.Errors[0] != "private/b.py: the system refused to read it (permission denied)" {
		t.Errorf("%+v", out)
	}
	c := newClient(t, setup{files: shop})
	if err := os.Chmod(filepath.Join(c.root, "net/retry.py"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(filepath.Join(c.root, "net/retry.py")); err == nil {
		t.Log("skipped: this user reads every file")
		return
	}
	if got := c.index(nil); got.Status != "partial" || len(got.Errors) != 1 || !strings.HasPrefix(got.Errors[0], "net/retry.py: ") {
		t.Errorf("%+v", got)
	}
}

// ollamaServer answers as Ollama does until it is stopped, with vectors that tell
// backoff from everything else.
func ollamaServer(t *testing.T, last int64) (model *remote.Model, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := asked.Add(1); last > 0 && n > last {
			http.Error(w, `{"error":"the model was unloaded"}`, http.StatusBadRequest)
			return
		}
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Errorf("a request of %v", err)
		}
		var out struct {
			Embeddings [][]float32 `json:"embeddings"`
		}
		for _, text := range in.Input {
			v := []float32{1, 0, 0, float32(len(text)) / 1e6}
			if strings.Contains(text, "backoff") {
				v = []float32{0, 1, 0, float32(len(text)) / 1e6}
			}
			out.Embeddings = append(out.Embeddings, v)
		}
		json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(s.Close)
	m, err := ollama.New(remote.Options{URL: s.URL, Model: "nomic-embed-text", Dims: 4})
	if err != nil {
		t.Fatal(err)
	}
	return m, asked
}

func TestOllama(t *testing.T) {
	sheet.Proves(t, "env.ollama.used index.lost index.failed")
	t.Run("used", func(t *testing.T) {
		m, asked := ollamaServer(t, 0)
		c := newClient(t, setup{files: shop, remote: m})
		if got := c.index(nil); got.Status != "success" || asked.Load() < 2 {
			t.Errorf("%+v after %d requests", got, asked.Load())
		}
		f := into[found](c, "search_code", object{"query": "backoff", "limit": 3})
		if len(f.Results) == 0 || !strings.Contains(f.Results[0].Content, "backoff") || f.Results[0].Similarity < 0.99 {
			t.Errorf("%+v", f)
		}
	})
	t.Run("dies half-way", func(t *testing.T) {
		m, _ := ollamaServer(t, 1)
		c := newClient(t, setup{files: shop, remote: m})
		got := c.index(nil)
		if got.Status != "partial" || got.Files != 7 || len(got.Errors) != 1 || !strings.Contains(got.Errors[0], "7 of 7 files have no vectors") || !strings.Contains(got.Errors[0], "the model was unloaded") {
			t.Errorf("%+v", got)
		}
		if f := into[found](c, "search_code", object{"query": question}); len(f.Results) == 0 || !strings.Contains(f.Message, "the model of the program answers") {
			t.Errorf("%+v", f)
		}
	})
	t.Run("down", func(t *testing.T) {
		m, err := ollama.New(remote.Options{URL: "http://127.0.0.1:1", Model: "nomic-embed-text", Dims: 4})
		if err != nil {
			t.Fatal(err)
		}
		c := newClient(t, setup{files: shop, remote: m})
		got := c.index(nil)
		if got.Status != "failed" || len(got.Errors) != 1 || !strings.HasPrefix(got.Errors[0], "connection to 127.0.0.1:1: ") || got.RepositoryID == "" {
			t.Errorf("%+v", got)
		}
	})
}

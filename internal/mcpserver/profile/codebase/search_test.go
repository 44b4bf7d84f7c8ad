package codebase

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var uuidForm = regexp.MustCompile(`\A[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\z`)

const question = "exponential backoff after a failed attempt"

// paths are the files of results.
func paths(f found) string {
	var list []string
	for _, r := range f.Results {
		if !slices.Contains(list, r.RelativePath) {
			list = append(list, r.RelativePath)
		}
	}
	return strings.Join(list, " ")
}

// TestSearch holds the answer to one question, field by field.
func TestSearch(t *testing.T) {
	sheet.Proves(t, "search.shape search.result search.path search.order search.score search.context search.latency bug.negative bug.methods")
	c := newClient(t, setup{files: shop})
	id := c.index(nil).RepositoryID
	text := c.Call("search_code", object{"query": question, "repository_id": id})
	if !regexp.MustCompile(`^\{"results":\[\{"chunk_id":"[^"]+","file_path":"[^"]+","content":".*?","start_line":\d+,"end_line":\d+,"similarity_score":0\.\d{5,6},"context_before":".*?","context_after":".*?","relative_path":"[^"]+","repository_id":"[^"]+"\}.*\],"total_count":\d+,"latency_ms":\d+,"freshness":\{"pending_files":0,"partial":false\}\}$`).MatchString(text) {
		t.Errorf("not in the documented order: %s", text)
	}
	f := into[found](c, "search_code", object{"query": question})
	if got := paths(f); !strings.HasPrefix(got, "net/retry.py") || !strings.Contains(got, "docs/retry.md") {
		t.Errorf("found %s", got)
	}
	for i, r := range f.Results {
		t.Run(fmt.Sprintf("%s:%d", r.RelativePath, r.StartLine), func(t *testing.T) {
			if !uuidForm.MatchString(r.ChunkID) || r.FilePath != filepath.Join(c.root, r.RelativePath) || r.RepositoryID != id {
				t.Errorf("%+v", r)
			}
			if r.Similarity < 0 || r.Similarity > 1 || i > 0 && r.Similarity > f.Results[i-1].Similarity {
				t.Errorf("similarity %v", r.Similarity)
			}
			holdContext(t, c.root, r)
		})
	}
	if got := paths(into[found](c, "search_code", object{"query": "sum of prices in a shopping cart", "limit": 1})); got != "web/cart.go" {
		t.Errorf("of another language: %q", got)
	}
}

// holdContext compares a result with its file.
func holdContext(t *testing.T, root string, r result) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, r.RelativePath))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	first, last := max(r.StartLine-1-around, 0), min(r.EndLine+around, len(lines))
	want := strings.TrimRight(strings.Join(lines[first:last], ""), "\n")
	if got := strings.TrimRight(r.ContextBefore+r.Content+r.ContextAfter, "\n"); got != want {
		t.Errorf("before, content and after are\n%q\nwant\n%q", got, want)
	}
	if content := strings.TrimRight(strings.Join(lines[r.StartLine-1:r.EndLine], ""), "\n"); r.Content != content {
		t.Errorf("content %q, want lines %d to %d: %q", r.Content, r.StartLine, r.EndLine, content)
	}
}

// TestFilters narrows one question.
func TestFilters(t *testing.T) {
	sheet.Proves(t, "search.repo search.repo.unknown search.type search.dir search.dir.plain search.filters search.plain search.query search.limit search.dir.long bug.percent")
	c := newClient(t, setup{files: shop})
	id := c.index(nil).RepositoryID
	c.write(map[string]string{"odd/100%_x[1]/retry.py": shop["net/retry.py"], "odd/100aax1/retry.py": shop["net/retry.py"]})
	c.index(nil)
	for _, tt := range []struct {
		name string
		args object
		want string // paths, sorted
	}{
		{"repository", object{"repository_id": id, "directory": "net"}, "net/retry.py net/retry_test.py"},
		{"capitals of the id", object{"repository_id": strings.ToUpper(id), "directory": "net/retry.py"}, "net/retry.py"},
		{"unknown repository", object{"repository_id": "550e8400-e29b-41d4-a716-446655440000"}, ""},
		{"type", object{"file_type": "md"}, "docs/retry.md"},
		{"type in any case", object{"file_type": "Py", "directory": "api"}, "api/Old.PY"},
		{"unknown type", object{"file_type": "cob"}, ""},
		{"folder", object{"directory": "docs"}, "docs/retry.md"},
		{"folder with a slash", object{"directory": "docs/"}, "docs/retry.md"},
		{"folder with ./", object{"directory": "./docs/"}, "docs/retry.md"},
		{"half a name", object{"directory": "net/retry_"}, "net/retry_test.py"},
		{"absolute", object{"directory": filepath.Join(c.root, "docs")}, "docs/retry.md"},
		{"absolute above", object{"directory": filepath.Dir(c.root), "file_type": "md"}, "docs/retry.md"},
		{"absolute elsewhere", object{"directory": "/nowhere"}, ""},
		{"both", object{"directory": "net/", "file_type": "py"}, "net/retry.py net/retry_test.py"},
		{"marks", object{"directory": "odd/100%_x[1]"}, "odd/100%_x[1]/retry.py"},
		{"marks and type", object{"directory": "odd/100%_x[1]", "file_type": "py"}, "odd/100%_x[1]/retry.py"},
		{"percent", object{"directory": "%"}, ""},
		{"star", object{"directory": "*"}, ""},
		{"500 characters", object{"directory": strings.Repeat("d", 500)}, ""},
		{"words that are filters elsewhere", object{"query": "exponential backoff path:docs lang:go scope:test repo:x NOT attempt", "directory": "net/retry.py"}, "net/retry.py"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := object{"query": question, "limit": 50}
			for k, v := range tt.args {
				args[k] = v
			}
			f := into[found](c.on(t), "search_code", args)
			got := strings.Fields(paths(f))
			slices.Sort(got)
			if strings.Join(got, " ") != tt.want || f.Message != "" {
				t.Errorf("found %q, want %q; %s", got, tt.want, f.Message)
			}
		})
	}
	for _, n := range []int{1, 10, 50} {
		t.Run(fmt.Sprint("limit ", n), func(t *testing.T) {
			if f := into[found](c.on(t), "search_code", object{"query": strings.Repeat("b", 500), "limit": n}); len(f.Results) > n {
				t.Errorf("%d results", len(f.Results))
			}
		})
	}
}

// TestTotal holds that the total does not depend on the limit.
func TestTotal(t *testing.T) {
	sheet.Proves(t, "search.total bug.total")
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("f%02d.py", i)] = fmt.Sprintf("def backoff_%d(attempt):\n    \"\"\"Exponential backoff after a failed attempt.\"\"\"\n    return 2 ** attempt\n", i)
		files[fmt.Sprintf("g%02d.css", i)] = fmt.Sprintf(".button-%d { color: red; margin: %dpx; }\n", i, i)
	}
	c := newClient(t, setup{files: files})
	c.index(nil)
	total := into[found](c, "search_code", object{"query": question, "limit": 50}).TotalCount
	if total < 25 || total > 30 { // of 60 chunks; some of those about it may be just below the floor
		t.Errorf("%d chunks are relevant, want nearly the 30 that are about it", total)
	}
	for _, tt := range []struct{ limit, want int }{{1, 1}, {0, 10}, {25, 25}, {50, total}} {
		t.Run(fmt.Sprint(tt.limit), func(t *testing.T) {
			args := object{"query": question}
			if tt.limit > 0 {
				args["limit"] = tt.limit
			}
			f := into[found](c.on(t), "search_code", args)
			if len(f.Results) != tt.want || f.TotalCount != total {
				t.Errorf("%d results of %d, want %d of %d", len(f.Results), f.TotalCount, tt.want, total)
			}
		})
	}
	c.Call("create_task", object{"title": "a"})
	c.Call("create_task", object{"title": "b"})
	if l := into[struct {
		Total int `json:"total_count"`
	}](c, "list_tasks", object{"limit": 1}); l.Total != 2 {
		t.Errorf("total of tasks %d, want 2", l.Total)
	}
}

func TestSearchErrors(t *testing.T) {
	sheet.Proves(t, "search.query search.repo.bad search.type.dot search.type.bad search.dir.long search.limit")
	c := newClient(t, setup{})
	for _, tt := range []struct {
		args object
		want string
	}{
		{object{}, "query: Field required"},
		{object{"query": ""}, "Search query cannot be empty"},
		{object{"query": " \t\n"}, "Search query cannot be empty"},
		{object{"query": strings.Repeat("é", 501)}, "Search query too long (max 500 characters): 501"},
		{object{"query": "x", "repository_id": "not-a-uuid"}, "Invalid repository_id format: not-a-uuid"},
		{object{"query": "x", "repository_id": ""}, "Invalid repository_id format: "},
		{object{"query": "x", "file_type": ".py"}, "file_type should not include leading dot (use 'py' not '.py')"},
		{object{"query": "x", "file_type": "p y"}, "Invalid file_type: p y"},
		{object{"query": "x", "file_type": ""}, "Invalid file_type"},
		{object{"query": "x", "directory": strings.Repeat("d", 501)}, "Directory too long (max 500 characters): 501"},
		{object{"query": "x", "limit": 0}, "Limit must be between 1 and 50, got 0"},
		{object{"query": "x", "limit": 51}, "Limit must be between 1 and 50, got 51"},
		{object{"query": "x", "limit": -1}, "Limit must be between 1 and 50, got -1"},
		{object{"query": "x", "limit": 1e300}, "Limit must be between 1 and 50, got 1e+300"},
		{object{"query": "x", "limit": 1.5}, "limit must be an integer"},
		{object{"query": "x", "limit": "ten"}, "limit must be an integer"},
		{object{"query": "x", "limit": nil}, "limit must be an integer"},
		{object{"query": "x\x00y"}, "query holds a NUL"},
	} {
		t.Run(short(tt.args), func(t *testing.T) { c.on(t).fails("search_code", tt.args, badly(tt.want)) })
	}
}

// TestFresh changes files without indexing again.
func TestFresh(t *testing.T) {
	sheet.Proves(t, "search.now search.fresh search.id index.deleted bug.deleted bug.context")
	c := newClient(t, setup{files: shop})
	c.index(nil)
	ids := func() map[string]string {
		t.Helper()
		ids := map[string]string{}
		f := into[found](c, "search_code", object{"query": question, "limit": 50})
		if f.Freshness == nil || *f.Freshness != (freshness{}) {
			t.Errorf("freshness %+v", f.Freshness)
		}
		for _, r := range f.Results {
			ids[fmt.Sprintf("%s:%d", r.RelativePath, r.StartLine)] = r.ChunkID
			holdContext(t, c.root, r)
		}
		return ids
	}
	before, again := ids(), ids()
	for place, id := range before {
		if again[place] != id {
			t.Errorf("the chunk of %s is %s, then %s", place, id, again[place])
		}
	}
	c.write(map[string]string{"new.py": "def exponential_backoff(failed_attempt):\n    return 2 ** failed_attempt\n", "docs/retry.md": shop["docs/retry.md"] + "\nThe backoff doubles after each attempt.\n"})
	if err := os.Remove(filepath.Join(c.root, "net/retry.py")); err != nil {
		t.Fatal(err)
	}
	after := ids()
	if after["new.py:1"] == "" || after["docs/retry.md:1"] == "" || after["docs/retry.md:1"] == before["docs/retry.md:1"] {
		t.Errorf("before %v, after %v", before, after)
	}
	for place := range after {
		if strings.HasPrefix(place, "net/retry.py:") {
			t.Errorf("the deleted file is found: %s", place)
		}
	}
}

func TestNothingIndexed(t *testing.T) {
	sheet.Proves(t, "search.none")
	c := newClient(t, setup{})
	f := into[found](c, "search_code", object{"query": "x"})
	if f.Message != notIndexed || f.TotalCount != 0 || f.Results == nil || len(f.Results) != 0 {
		t.Errorf("%+v", f)
	}
}

func TestSecrets(t *testing.T) {
	sheet.Proves(t, "search.secrets")
	token := "ghp_" + "0v1A5yWYkRWCmmx7uyMTBvQj39CM8Y4nZpLq"
	c := newClient(t, setup{files: map[string]string{"deploy.py": "def deploy():\n    \"\"\"Deploy the site with a token.\"\"\"\n    return send(\"" + token + "\")\n"}})
	c.index(nil)
	text := c.Call("search_code", object{"query": "deploy the site with a token"})
	if strings.Contains(text, token) || !strings.Contains(text, "[secret: github-pat]") {
		t.Errorf("%s", text)
	}
}

// TestManySearches asks from a hundred clients at once.
func TestManySearches(t *testing.T) {
	sheet.Proves(t, "flow.parallel")
	c := newClient(t, setup{files: shop})
	c.index(nil)
	var group sync.WaitGroup
	for i := range 100 {
		group.Go(func() {
			if f := into[found](c, "search_code", object{"query": question, "limit": 1 + i%50}); f.TotalCount == 0 {
				t.Error("nothing found")
			}
		})
	}
	group.Wait()
}

// TestDeadline holds what is said of a search that takes too long.
func TestDeadline(t *testing.T) {
	sheet.Proves(t, "search.timeout")
	c := newClient(t, setup{files: shop})
	c.index(nil)
	s := &server{Options: Options{Workspace: c.ws, Now: time.Now}}
	ctx, cancel := contextWithin(t, -time.Second)
	defer cancel()
	_, err := s.search(ctx, searchQuery{text: question, limit: 10}, nil)
	if got := toError(t, err); got.Code != -32603 || !strings.Contains(string(got.Data), "took too long") {
		t.Errorf("%v %s", got, got.Data)
	}
}

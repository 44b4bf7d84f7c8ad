package codebase

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/embedding/ollama"
	"espy/internal/embedding/remote"
)

// wait asks for a job until it has ended.
func (c *client) wait(id string) job {
	c.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if j := into[job](c, "get_indexing_status", object{"job_id": id}); j.Status == jobCompleted || j.Status == jobFailed {
			return j
		}
	}
	c.Fatal("a job does not end")
	return job{}
}

// run starts a job and waits.
func (c *client) run(args object) job {
	c.Helper()
	if args["repo_path"] == nil {
		args["repo_path"] = c.root
	}
	return c.wait(into[started](c, "start_indexing_background", args).ID)
}

func TestJobs(t *testing.T) {
	sheet.Proves(t, "v2.start v2.states v2.messages v2.search")
	c := newClient(t, setup{profile: V2, files: shop})
	text := c.Call("start_indexing_background", object{"repo_path": c.root})
	if !strings.HasPrefix(text, `{"job_id":"`) || !strings.HasSuffix(text, `","status":"pending","message":"Indexing job started","force_reindex":false,"project_id":"default","database_name":"cb_proj_default_00000000"}`) {
		t.Errorf("%s", text)
	}
	j := c.wait(strings.Split(text, `"`)[3])
	status := c.Call("get_indexing_status", object{"job_id": strings.ToUpper(j.ID)})
	for _, key := range []string{"job_id", "status", "status_message", "repo_path", "project_id", "files_indexed", "chunks_created", "force_reindex", "error_message", "created_at", "started_at", "completed_at"} {
		if !strings.Contains(status, `"`+key+`":`) {
			t.Errorf("no %s in %s", key, status)
		}
	}
	if want := fmt.Sprintf("Full repository index completed: 7 files, %d chunks", j.Chunks); j.Status != jobCompleted || j.Message != want || j.Files != 7 || j.Error != nil || j.Completed == nil {
		t.Errorf("%+v, want %q", j, want)
	}
	for _, tt := range []struct {
		name   string
		change func()
		args   object
		want   string
	}{
		{"unchanged", func() {}, object{}, "Repository up to date - no file changes detected since last index (7 files already indexed)"},
		{"changed", func() { c.write(map[string]string{"docs/retry.md": "# Other\n"}) }, object{}, "Incremental update completed: 1 files updated"},
		{"forced", func() {}, object{"force_reindex": true}, "Force reindex completed: 7 files, "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.change()
			if j := c.on(t).run(tt.args); !strings.HasPrefix(j.Message, tt.want) || j.Status != jobCompleted {
				t.Errorf("%+v, want %q", j, tt.want)
			}
		})
	}
	f := into[foundInProject](c, "search_code", object{"query": question, "limit": 1, "project_id": "default"})
	if f.ProjectID != "default" || f.Database != "cb_proj_default_00000000" || len(f.Results) != 1 || f.Results[0].FilePath != f.Results[0].RelativePath {
		t.Errorf("%+v", f)
	}
	c.fails("search_code", object{"query": "x", "file_type": strings.Repeat("p", 21)}, badly("file_type too long"))
}

func TestJobErrors(t *testing.T) {
	sheet.Proves(t, "v2.path v2.job.bad v2.failed v2.project")
	m, err := ollama.New(remote.Options{URL: "http://127.0.0.1:1", Model: "nomic-embed-text", Dims: 4})
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, setup{profile: V2, files: shop, remote: m})
	none := uuid.NewString()
	type row struct {
		tool string
		args object
		want failed
	}
	rows := []row{
		{"start_indexing_background", object{}, badly("repo_path: Field required")},
		{"start_indexing_background", object{"repo_path": "shop"}, badly("Repository path must be absolute: shop")},
		{"start_indexing_background", object{"repo_path": c.root + "/../shop"}, badly("Repository path must not contain '..'")},
		{"start_indexing_background", object{"repo_path": "/nowhere/at/all"}, failed{-32000, "Repository path does not exist", "/nowhere/at/all"}},
		{"get_indexing_status", object{"job_id": "7"}, badly("Invalid job_id format: 7")},
		{"get_indexing_status", object{"job_id": "../projects"}, badly("Invalid job_id format: ../projects")},
		{"get_indexing_status", object{"job_id": none}, failed{-32000, "Job not found", "Job not found: " + none}},
		{"search_code", object{"query": "x", "project_id": "client-a"}, failed{-32000, "Project not found", "Project 'client-a' not found in registry"}},
	}
	for _, bad := range []string{"My_Project", "-x", "a--b", strings.Repeat("a", 51), "", "a'; DROP TABLE projects; --"} {
		rows = append(rows, row{"search_code", object{"query": "x", "project_id": bad}, badly("Invalid project_id format: " + bad)})
	}
	for _, tt := range rows {
		t.Run(fmt.Sprintf("%s %.60v", tt.tool, tt.args), func(t *testing.T) { c.on(t).fails(tt.tool, tt.args, tt.want) })
	}
	if j := c.run(object{}); j.Status != jobFailed || j.Error == nil || !strings.Contains(*j.Error, "connection to 127.0.0.1:1") || j.Message != "Indexing failed" {
		t.Errorf("%+v", j)
	}
}

// TestOrphans restarts the server.
func TestOrphans(t *testing.T) {
	sheet.Proves(t, "v2.orphan")
	data := t.TempDir()
	c := newClient(t, setup{profile: V2, files: shop, data: data})
	done := c.run(object{})
	p := newProjects(data)
	lost := &job{ID: uuid.NewString(), Status: jobPending}
	lock, err := p.hold(lost)
	if err != nil {
		t.Fatal(err)
	}
	if j, err := p.look(lost.ID); err != nil || j.Status != jobPending {
		t.Errorf("a job that goes on: %+v, %v", j, err)
	}
	lost.Status = jobRunning
	if err := replaceJSON(p.job(lost.ID), lost); err != nil {
		t.Fatal(err)
	}
	lock.Close() // as the end of its process does
	again := newClient(t, setup{profile: V2, data: data})
	if j := into[job](again, "get_indexing_status", object{"job_id": lost.ID}); j.Status != jobFailed || j.Error == nil || !strings.Contains(*j.Error, "has ended") {
		t.Errorf("a lost job: %+v", j)
	}
	if j := into[job](again, "get_indexing_status", object{"job_id": done.ID}); j.Status != jobCompleted || j.Files != 7 {
		t.Errorf("a finished job: %+v", j)
	}
	p.forget(time.Now().Add(time.Hour))
	again.fails("get_indexing_status", object{"job_id": done.ID}, failed{-32000, "Job not found", done.ID})
}

func TestWorkdir(t *testing.T) {
	sheet.Proves(t, "v2.workdir v2.workdir.bad v2.apart v2.project bug.config")
	deep := strings.Repeat("d/", 19) + "e"
	c := newClient(t, setup{profile: V2, files: map[string]string{
		"one/a.py": "def apples(): pass\n", "one/.codebase-mcp/config.json": `{"version": "1.0", "project": {"name": "client-a"}, "auto_switch": true}`,
		"one/" + deep + "/x.py": "x = 1\n", "one/" + deep + "/too/deep/x.py": "x = 1\n",
		"two/b.py": "def bananas(): pass\n", "two/.codebase-mcp/config.json": `{"version": "1.0", "project": {"name": "My Client B", "id": "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"}}`,
		"none/c.py":                      "def cherries(): pass\n",
		"bad1/.codebase-mcp/config.json": `{`, "bad2/.codebase-mcp/config.json": `{"project": {"name": "x"}}`,
		"bad3/.codebase-mcp/config.json": `{"version": "1.0", "project": {"name": ""}}`, "bad4/.codebase-mcp/config.json": `{"version": "1.0", "project": {"name": "x", "id": "7"}}`,
	}})
	at := func(name string) string { return filepath.Join(c.root, name) }
	for _, tt := range []struct {
		dir  string
		want failed
	}{
		{"one", badly("Directory path must be absolute: one")},
		{at("nowhere"), failed{-32000, "Directory does not exist", "Directory does not exist: " + at("nowhere")}},
		{at("one/a.py"), failed{-32000, "Path is not a directory", "Path is not a directory: "}},
		{at("bad1"), failed{-32000, "Invalid configuration", "config.json: "}},
		{at("bad2"), failed{-32000, "Invalid configuration", `version must be "major.minor"`}},
		{at("bad3"), failed{-32000, "Invalid configuration", "project.name must have 1 to 255 characters"}},
		{at("bad4"), failed{-32000, "Invalid configuration", "project.id must be a UUID"}},
	} {
		t.Run(filepath.Base(tt.dir), func(t *testing.T) {
			c.on(t).fails("set_working_directory", object{"directory": tt.dir}, tt.want)
		})
	}
	in := func(name, project string) workdir {
		t.Helper()
		w := into[workdir](c, "set_working_directory", object{"directory": at(name)})
		if w.SessionID == "" || w.Directory != at(name) || w.Found != (project != "") || (w.Project != nil) != w.Found || w.Found && w.Project.Name != project {
			t.Errorf("%s: %+v", name, w)
		}
		return w
	}
	finds := func(args object) string {
		t.Helper()
		args["query"] = "apples bananas cherries"
		return paths(into[foundInProject](c, "search_code", args).found)
	}
	in("one/"+deep, "client-a")
	in("one/"+deep+"/too/deep", "")
	in("one", "client-a")
	if j := c.run(object{"repo_path": at("one")}); j.Status != jobCompleted {
		t.Fatalf("%+v", j)
	}
	b := in("two", "My Client B")
	if j := c.run(object{"repo_path": at("two")}); j.ProjectID != "6f9619ff-8b86-4d01-b42d-00cf4fc964ff" {
		t.Fatalf("%+v", j)
	}
	in("none", "")
	c.run(object{"repo_path": at("none")})
	for _, tt := range []struct{ name, got, want string }{
		{"default", finds(object{}), "c.py"}, {"by name", finds(object{"project_id": "client-a"}), "a.py"}, {"by id", finds(object{"project_id": b.Project.ID}), "b.py"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("found %q, want %q", tt.got, tt.want)
			}
		})
	}
	if err := os.WriteFile(at("two/.codebase-mcp/config.json"), []byte(`{"version": "1.0", "project": {"name": "client-a"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	in("two", "client-a")
	if got := finds(object{}); got != "a.py" {
		t.Errorf("with the changed configuration: %q", got)
	}
}

// TestNested holds that ignore files below the root are read, and changes of them.
func TestNested(t *testing.T) {
	sheet.Proves(t, "bug.nested")
	c := newClient(t, setup{files: map[string]string{"a/.gitignore": "x.py\n", "a/x.py": "def apples(): pass\n", "b/y.py": "def bananas(): pass\n"}})
	for _, tt := range []struct{ ignore, want string }{{"x.py\n", "b/y.py"}, {"z.py\n", "a/x.py b/y.py"}} {
		t.Run(tt.ignore, func(t *testing.T) {
			c.write(map[string]string{"a/.gitignore": tt.ignore})
			c.on(t).index(nil)
			f := into[found](c.on(t), "search_code", object{"query": "apples bananas", "file_type": "py"})
			if got := strings.Fields(paths(f)); len(got) != len(strings.Fields(tt.want)) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

// TestResources reads what the server stands on and what it did.
func TestResources(t *testing.T) {
	sheet.Proves(t, "v2.resources")
	c := newClient(t, setup{profile: V2, files: shop})
	c.run(object{})
	c.fails("get_indexing_status", object{"job_id": "x"}, badly("Invalid job_id format: x"))
	read := func(uri string) string {
		t.Helper()
		res, err := c.Session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil || len(res.Contents) != 1 || res.Contents[0].MIMEType != "application/json" {
			t.Fatalf("%s: %+v, error %v", uri, res, err)
		}
		return res.Contents[0].Text
	}
	for _, tt := range []struct {
		uri  string
		want []string
	}{
		{"health://status", []string{`"status":"healthy"`, `"timestamp":"20`, `"database_status":"connected"`, `"connection_pool":{"size":0,"min_size":0,"max_size":4,"free":0}`, `"uptime_seconds":`, `"details":"the index answers"`}},
		{"health://connection-pool", []string{`{"size":0,"min_size":0,"max_size":4,"free":0}`}},
		{"metrics://prometheus", []string{
			`{"name":"codebase_mcp_requests_total","labels":{"status":"success","tool":"start_indexing_background"},"value":1}`,
			`{"name":"codebase_mcp_requests_total","labels":{"status":"error","tool":"get_indexing_status"},"value":1}`,
			`"name":"codebase_mcp_request_duration_seconds"`, `{"le":"0.1","count":`, `{"le":"10","count":1},{"le":"+Inf","count":1}`,
		}},
	} {
		t.Run(tt.uri, func(t *testing.T) {
			text := read(tt.uri)
			for _, part := range tt.want {
				if !strings.Contains(text, part) {
					t.Errorf("no %s in %s", part, text)
				}
			}
		})
	}
	list, err := c.Session.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 3 {
		t.Errorf("resources %+v, error %v", list, err)
	}
}

// TestLongCalls holds which calls a bucket of the histogram counts.
func TestLongCalls(t *testing.T) {
	var c callCounts
	for _, took := range []time.Duration{100 * time.Millisecond, 101 * time.Millisecond, 11 * time.Second} {
		c.add("search_code", took, false)
	}
	got := c.metrics().Histograms[0]
	for i, want := range []int{1, 2, 2, 2, 2, 2, 3} {
		if got.Buckets[i].Count != want {
			t.Errorf("bucket %s holds %d calls, want %d", got.Buckets[i].Most, got.Buckets[i].Count, want)
		}
	}
}

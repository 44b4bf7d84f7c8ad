package httpd

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"espy/internal/app"
	"espy/internal/bearer"
	"espy/internal/config"
	"espy/internal/httpd/auth"
	"espy/internal/mcpserver"
	"espy/internal/mcpserver/host"
	"espy/internal/mcpserver/profile/shebe"
	"espy/internal/permit"
	"espy/internal/session"
	"espy/internal/windows"
	"espy/internal/workspace"
)

// team is a server of three repositories, for which tokens can be made.
type team struct {
	*httptest.Server
	app   *app.App
	tools *host.Server
	store *bearer.Store
	ids   map[string]string // of the repositories, by name
	audit *bytes.Buffer
}

// newTeam serves the repositories shop, api and secret.
func newTeam(t *testing.T) *team {
	t.Helper()
	dir := t.TempDir()
	cfg, err := config.Load(config.Input{Env: map[string]string{"HOME": dir, "ESPY_DATA_DIR": filepath.Join(dir, "data")}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(cfg, app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	m := &team{app: a, store: bearer.NewStore(bearer.InFolder(cfg.DataDir)), ids: map[string]string{}, audit: &bytes.Buffer{}}
	for _, name := range []string{"shop", "api", "secret"} {
		root := filepath.Join(dir, name)
		if err := os.MkdirAll(root, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "main.go"), []byte("package main\n\n// "+name+" begins here.\nfunc begin() { Needle() }\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := a.Workspace.Attach(t.Context(), root, workspace.AttachOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Index(t.Context(), workspace.IndexOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Sessions.Index(t.Context(), session.Options{Name: name + "-main", Root: root, Windowing: windows.Cut{Size: 512, Overlap: 64}}); err != nil {
			t.Fatal(err)
		}
		m.ids[name] = string(r.ID())
	}
	tools := mcpserver.New(mcpserver.Options{Workspace: a.Workspace, Start: filepath.Join(dir, "shop"), Version: "1", Toolsets: []string{"all"}})
	t.Cleanup(tools.Close)
	m.tools = tools.Server
	profile := shebe.New(shebe.Options{Sessions: a.Sessions, Version: "1"})
	t.Cleanup(profile.Close)
	m.Server = newServer(t, Options{
		Tools: tools.Server, API: tools.Server, Profiles: map[string]*host.Server{"shebe": profile},
		Tally: a.Workspace.Options().Tally,
		Auth:  auth.New(auth.Options{Store: m.store, Required: true, Audit: slog.New(slog.NewJSONHandler(m.audit, nil))}),
	})
	return m
}

// token makes a token of a role for some repositories, all where none is named.
func (m *team) token(t *testing.T, role permit.Role, repos ...string) string {
	t.Helper()
	var ids []string
	for _, name := range repos {
		ids = append(ids, m.ids[name])
	}
	_, text, err := m.store.Create(t.Context(), bearer.Token{Name: "ann", Role: role, Repos: ids}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// call calls a tool and returns the text of its answer.
func (m *team) call(t *testing.T, token, path, tool string, arguments any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := request{path: path, body: string(body), header: map[string]string{"Authorization": "Bearer " + token}}.send(t, m.URL)
	return text
}

type args = map[string]any

// TestPermissions checks that a repository which a token may not see does not exist
// for it, whatever it asks and however it names it.
func TestPermissions(t *testing.T) {
	m := newTeam(t)
	some, all := m.token(t, permit.Admin, "shop", "api"), m.token(t, permit.Read)
	for name, tt := range map[string]struct {
		path, tool string
		arguments  args
		all        string // in the answer of who sees all repositories
		some       string // in that of who sees two; it never has "secret begins"
	}{
		"all repositories": {"/mcp", "search", args{"query": "begins", "repo": "all"}, "secret begins", "shop begins"},
		"by name":          {"/mcp", "search", args{"query": "begins", "repo": "secret"}, "secret begins", `repo \"secret\" is not attached`},
		"by UUID":          {"/mcp", "search", args{"query": "begins", "repo": m.ids["secret"]}, "secret begins", "is not attached"},
		"by folder":        {"/mcp", "search", args{"query": "begins", "repo": filepath.Join(filepath.Dir(m.root(t, "shop")), "secret")}, "secret begins", "is not attached"},
		"by path":          {"/mcp", "read", args{"path": filepath.Join(m.root(t, "secret"), "main.go")}, "secret begins", "is outside the attached repositories"},
		"its own":          {"/mcp", "search", args{"query": "begins", "repo": "api"}, "api begins", "api begins"},
		"status":           {"/mcp", "status", args{}, `secret`, "shop"},
		"status, one":      {"/mcp", "status", args{"repo": "secret"}, "secret", "is not attached"},
		"sessions":         {"/mcp/shebe", "list_sessions", args{}, "secret-main", "shop-main"},
		"session":          {"/mcp/shebe", "search_code", args{"query": "begins", "session": "secret-main"}, "secret begins", "not found"},
		"session's info":   {"/mcp/shebe", "get_session_info", args{"session": "secret-main"}, "secret-main", "not found"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := m.call(t, all, tt.path, tt.tool, tt.arguments); !strings.Contains(got, tt.all) {
				t.Errorf("who sees all: %s\nwant %s", got, tt.all)
			}
			got := m.call(t, some, tt.path, tt.tool, tt.arguments)
			if !strings.Contains(got, tt.some) || strings.Contains(got, "secret begins") || strings.Contains(tt.all, "secret-main") && strings.Contains(got, "secret-main (") {
				t.Errorf("who sees two: %s\nwant %s", got, tt.some)
			}
		})
	}
}

// TestResourcePermissions checks the same of what is not a tool.
func TestResourcePermissions(t *testing.T) {
	m := newTeam(t)
	some, all := m.token(t, permit.Read, "shop"), m.token(t, permit.Read)
	for name, tt := range map[string]struct{ method, params, all, some string }{
		"a file":     {"resources/read", `{"uri":"espy://secret/file/main.go"}`, "secret begins", "is not attached"},
		"a map":      {"resources/read", `{"uri":"espy://secret/overview"}`, "secret", "is not attached"},
		"completion": {"completion/complete", `{"ref":{"type":"ref/resource","uri":"espy://{repo}/file/{+path}"},"argument":{"name":"repo","value":"se"}}`, `"secret"`, `"values":[]`},
	} {
		t.Run(name, func(t *testing.T) {
			body := `{"jsonrpc":"2.0","id":1,"method":"` + tt.method + `","params":` + tt.params + `}`
			for token, want := range map[string]string{all: tt.all, some: tt.some} {
				if _, got, _ := (request{body: body, header: map[string]string{"Authorization": "Bearer " + token}}).send(t, m.URL); !strings.Contains(got, want) {
					t.Errorf("%.400s\nwant %s", got, want)
				}
			}
		})
	}
	if text := m.audit.String(); !strings.Contains(text, `"tool":"read","repo":"secret"`) {
		t.Errorf("the audit has no line of it: %s", text)
	}
}

func (m *team) root(t *testing.T, name string) string {
	t.Helper()
	r, err := m.app.Workspace.Find(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return r.Root()
}

// TestRoles checks what each role may do, and that what it may not is not listed.
func TestRoles(t *testing.T) {
	m := newTeam(t)
	others := t.TempDir()
	for role, tt := range map[permit.Role]struct {
		lists           bool   // the tool index
		refresh, attach string // what index answers
	}{
		permit.Read:  {false, "index needs the role index, and this token has read", "index needs the role index"},
		permit.Index: {true, "indexed", "needs the role admin"},
		permit.Admin: {true, "indexed", "indexed"},
	} {
		t.Run(string(role), func(t *testing.T) {
			token, other := m.token(t, role), filepath.Join(others, string(role))
			if err := os.Mkdir(other, 0o755); err != nil {
				t.Fatal(err)
			}
			_, list, _ := request{body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, header: map[string]string{"Authorization": "Bearer " + token}}.send(t, m.URL)
			if got := strings.Contains(list, `"name":"index"`); got != tt.lists || !strings.Contains(list, `"name":"search"`) {
				t.Errorf("lists index: %v", got)
			}
			if !strings.Contains(list, `"cacheScope":"private"`) {
				t.Error("a cache may give the list to another")
			}
			if got := m.call(t, token, "/mcp", "index", args{"path": "shop"}); !strings.Contains(got, tt.refresh) {
				t.Errorf("refresh: %s", got)
			}
			if got := m.call(t, token, "/mcp", "index", args{"path": other}); !strings.Contains(got, tt.attach) {
				t.Errorf("attach: %s", got)
			}
			if role != permit.Admin {
				if got := m.call(t, token, "/mcp", "index", args{"path": "shop", "action": "remove"}); !strings.Contains(got, "needs the role") {
					t.Errorf("remove: %s", got)
				}
			}
			_, profile, _ := request{path: "/mcp/shebe", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, header: map[string]string{"Authorization": "Bearer " + token}}.send(t, m.URL)
			if got := strings.Contains(profile, `"name":"index_repository"`); got != tt.lists || !strings.Contains(profile, `"name":"search_code"`) {
				t.Errorf("the profile lists index_repository: %v", got)
			}
		})
	}
}

// TestAdminOfSome checks that who sees only some repositories attaches none.
func TestAdminOfSome(t *testing.T) {
	m := newTeam(t)
	token := m.token(t, permit.Admin, "shop")
	for name, path := range map[string]string{"new": t.TempDir(), "hidden": m.root(t, "secret")} {
		t.Run(name, func(t *testing.T) {
			if got := m.call(t, token, "/mcp", "index", args{"path": path}); !strings.Contains(got, "no such repository is attached") {
				t.Errorf("answer %s", got)
			}
			if got := m.call(t, token, "/mcp/shebe", "index_repository", args{"path": path, "session": "mine-" + name}); !strings.Contains(got, "no such repository is attached") {
				t.Errorf("the profile's answer %s", got)
			}
		})
	}
}

// TestAuditLines checks that each repository that a call touches is noted, with who
// and which tool, and nothing of what was asked.
func TestAuditLines(t *testing.T) {
	m := newTeam(t)
	token := m.token(t, permit.Read, "shop", "api")
	m.call(t, token, "/mcp", "search", args{"query": "begins", "repo": "all"})
	m.call(t, token, "/mcp", "read", args{"path": "main.go", "repo": "api"})
	m.call(t, token, "/mcp/shebe", "search_code", args{"query": "begins", "session": "shop-main"})
	got := map[string]bool{}
	for line := range strings.Lines(m.audit.String()) {
		var l struct{ Who, Tool, Repo, From string }
		if err := json.Unmarshal([]byte(line), &l); err != nil || !strings.HasPrefix(l.Who, "ann (") || !strings.HasPrefix(l.From, "127.0.0.1:") {
			t.Errorf("line %s", line)
		}
		got[l.Tool+" "+l.Repo] = true
	}
	for _, want := range []string{"search shop", "search api", "read api", "search_code shop"} {
		t.Run(want, func(t *testing.T) {
			if !got[want] {
				t.Errorf("noted %v", got)
			}
		})
	}
	if text := m.audit.String(); strings.Contains(text, "begins") || strings.Contains(text, "main.go") || strings.Contains(text, "secret") {
		t.Errorf("the audit has content: %s", text)
	}
}

package shebe

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/workspace"
)

func TestIndexErrors(t *testing.T) {
	sheet.Proves(t, "index.path index.name index.glob index.globs.type index.size index.overlap index.keeps all.dots")
	c := newClient(t, map[string]string{"a.go": "alpha\n"}, nil)
	long := strings.Repeat("x", 65)
	for _, tt := range []struct {
		args    object
		message string
	}{
		{object{}, "Invalid parameters: missing field `path`"},
		{object{"path": c.root}, "Invalid parameters: missing field `session`"},
		{object{"path": c.root, "session": "s", "include_patterns": "*.go"}, "Invalid parameters: invalid type: string \"*.go\", expected a sequence"},
		{object{"path": "relative", "session": "s"}, "Path must be absolute"},
		{object{"path": c.root + "/none", "session": "s"}, "Path does not exist: /srv/shop/none"},
		{object{"path": c.root + "/a.go", "session": "s"}, "Path must be a directory"},
		{object{"path": c.root, "session": ""}, "Session must be 1-64 characters"},
		{object{"path": c.root, "session": long}, "Session must be 1-64 characters"},
		{object{"path": c.root, "session": "a b"}, "Session must contain only alphanumeric, hyphen, underscore"},
		{object{"path": c.root, "session": "grö ße"}, "Session must contain only alphanumeric, hyphen, underscore"},
		{object{"path": c.root, "session": "openemr-v7.0.2"}, "Session must contain only alphanumeric, hyphen, underscore (use 'openemr-v7-0-2')"},
		{object{"path": c.root, "session": "../x"}, "Session must contain only alphanumeric, hyphen, underscore"},
		{object{"path": c.root, "session": "_a"}, "Session must start with alphanumeric character"},
		{object{"path": c.root, "session": "s", "chunk_size": 99}, "Chunk size must be between 100 and 2000 characters"},
		{object{"path": c.root, "session": "s", "chunk_size": 2001}, "Chunk size must be between 100 and 2000 characters"},
		{object{"path": c.root, "session": "s", "overlap": 512}, "overlap (512) must be less than chunk_size (512)"},
		{object{"path": c.root, "session": "s", "overlap": -1}, "overlap (-1) must be less than chunk_size (512)"},
		{object{"path": c.root, "session": "s", "include_patterns": []string{"[invalid"}}, "Configuration error: Invalid include pattern '[invalid': pattern syntax error near position 0: invalid range pattern"},
		{object{"path": c.root, "session": "s", "exclude_patterns": []string{"a**"}}, "Configuration error: Invalid exclude pattern 'a**': pattern syntax error near position 2: recursive wildcards must form a single path component"},
	} {
		t.Run(tt.message, func(t *testing.T) {
			c := c.on(t)
			c.fails("index_repository", tt.args, invalidParams, tt.message)
		})
	}
	c.index("s", object{"chunk_size": 2000, "overlap": 1999})
	for _, args := range []object{
		{"include_patterns": []string{"[bad"}}, {"overlap": 600, "chunk_size": 600},
	} {
		t.Run(fmt.Sprint(args["path"]), func(t *testing.T) {
			c := c.on(t)
			// what cannot be indexed leaves the old session
			args["path"], args["session"], args["force"] = c.root, "s", true
			if _, err := c.Try("index_repository", args); err == nil {
				t.Errorf("index_repository(%v) succeeded", args)
			}
		})
	}
	if got := c.Call("search_code", object{"query": "alpha", "session": "s"}); len(found(got)) != 1 {
		t.Errorf("the old session after failures: %s", got)
	}
}

// TestNames holds that every tool checks the name of its session, and knows
// one that is missing by the same words.
func TestNames(t *testing.T) {
	sheet.Proves(t, "all.missing all.needed")
	c := newClient(t, nil, nil)
	if err := os.MkdirAll(c.root, 0o755); err != nil {
		t.Fatal(err)
	}
	calls := map[string]object{
		"search_code": {"query": "x"}, "get_session_info": {}, "list_dir": {}, "read_file": {"file_path": "x"}, "delete_session": {"confirm": true},
		"find_file": {"pattern": "x"}, "find_references": {"symbol": "xy"}, "preview_chunk": {"file_path": "x", "chunk_index": 0},
		"reindex_session": {}, "upgrade_session": {},
	}
	for tool, args := range calls {
		t.Run(tool, func(t *testing.T) {
			c := c.on(t)
			for name, message := range map[string]string{
				"../x": "Session must contain only alphanumeric, hyphen, underscore", "": "Session must be 1-64 characters",
				"-x": "Session must start with alphanumeric character", strings.Repeat("y", 65): "Session must be 1-64 characters",
				"ü ï": "Session must contain only alphanumeric, hyphen, underscore", "a\u200bb": "Session must contain only alphanumeric, hyphen, underscore", "a/b": "Session must contain only alphanumeric, hyphen, underscore", "a\x00b": "Session must contain only alphanumeric, hyphen, underscore",
			} {
				args["session"] = name
				c.fails(tool, args, invalidParams, message)
			}
			args["session"] = "missing"
			c.fails(tool, args, codeSession, "Session not found: missing")
			args["session"] = "ünï"
			c.fails(tool, args, codeSession, "Session not found: ünï")
			delete(args, "session")
			c.fails(tool, args, invalidParams, "missing field `session`")
		})
	}
}

func TestReindexErrors(t *testing.T) {
	sheet.Proves(t, "reindex.size reindex.overlap reindex.less reindex.same reindex.gone")
	c := newClient(t, map[string]string{"a.go": "alpha\n"}, nil)
	c.index("s", object{"chunk_size": 600, "overlap": 550})
	for _, tt := range []struct {
		args    object
		code    int64
		message string
	}{
		{object{"chunk_size": 50}, invalidParams, "chunk_size must be between 100 and 2000 (got: 50)"},
		{object{"chunk_size": 3000}, invalidParams, "chunk_size must be between 100 and 2000 (got: 3000)"},
		{object{"overlap": 501}, invalidParams, "overlap must be between 0 and 500 (got: 501)"},
		{object{"chunk_size": 500}, invalidParams, "overlap (550) must be less than chunk_size (500)"},
		{object{}, codeSession, "Configuration unchanged for session 's'. Use force=true to re-index anyway.\nCurrent config: chunk_size=600, overlap=550"},
		{object{"chunk_size": 600, "overlap": nil}, codeSession, "Configuration unchanged for session 's'. Use force=true to re-index anyway.\nCurrent config: chunk_size=600, overlap=550"},
	} {
		t.Run(tt.message, func(t *testing.T) {
			c := c.on(t)
			tt.args["session"] = "s"
			c.fails("reindex_session", tt.args, tt.code, tt.message)
		})
	}
	if got := c.Call("reindex_session", object{"session": "s", "chunk_size": 700}); !strings.Contains(got, "- Chunk size: 600 -> 700\n") || strings.Contains(got, "Overlap:") {
		t.Errorf("a stored overlap over 500 is kept: %s", got)
	}
	if err := os.Rename(c.root, c.root+"-moved"); err != nil {
		t.Fatal(err)
	}
	gone := "Repository path no longer exists: /srv/shop\nSession 's' cannot be re-indexed.\nPossible solutions:\n- Move repository back to original location\n- Delete session and create new one at current location"
	c.fails("reindex_session", object{"session": "s", "force": true}, codeSession, gone)
	if err := os.WriteFile(c.root, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	c.fails("reindex_session", object{"session": "s", "force": true}, codeSession, "Repository path is not a directory: /srv/shop")
	if got := c.Call("search_code", object{"query": "alpha", "session": "s"}); len(found(got)) != 1 {
		t.Errorf("the index without its folder: %s", got)
	}
}

func TestAges(t *testing.T) {
	sheet.Proves(t, "all.age")
	c := newClient(t, map[string]string{"a.go": "alpha\n"}, nil)
	c.index("s", nil)
	for d, want := range map[time.Duration]string{2*time.Hour + time.Minute: "(2 hours ago)", 105*24*time.Hour + time.Hour: "(105 days ago)"} {
		c.now = time.Now().Add(d)
		t.Run(want, func(t *testing.T) {
			c := c.on(t)
			for tool, args := range map[string]object{"list_sessions": {}, "find_references": {"session": "s", "symbol": "alpha"}} {
				if got := c.Call(tool, args); !strings.Contains(got, want) {
					t.Errorf("%s after %v: no %q in %s", tool, d, want, got)
				}
			}
		})
	}
}

func TestDamagedSession(t *testing.T) {
	sheet.Proves(t, "all.damaged delete.damaged")
	c := newClient(t, map[string]string{"a.go": "alpha\n"}, nil)
	c.index("good", nil)
	c.index("bad", nil)
	if err := os.WriteFile(filepath.Join(c.all.Dir(), "session-bad.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := c.Call("list_sessions", nil); !strings.Contains(got, "## bad\n- **Status:** Error: ") || !strings.Contains(got, "## good\n- **Files:** 1") {
		t.Errorf("one damaged session of two: %s", got)
	}
	if _, err := c.Try("get_session_info", object{"session": "bad"}); err == nil || err.Code != jsonrpc.CodeInternalError || !strings.HasPrefix(err.Message, "Serialization error: ") {
		t.Errorf("info of a damaged session: %v", err)
	}
	c.Call("delete_session", object{"session": "bad", "confirm": true})
	c.index("bad", nil)
	if err := os.WriteFile(filepath.Join(c.all.Dir(), "session-bad.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.index("bad", object{"force": true})
	if got := c.Call("search_code", object{"session": "bad", "query": "alpha"}); len(found(got)) != 1 {
		t.Errorf("a damaged session indexed again: %s", got)
	}
}

func TestConfig(t *testing.T) {
	sheet.Proves(t, "set.keys set.env set.valid set.must index.configured config.detailed config.alias")
	home := t.TempDir()
	dir := filepath.Join(home, ".config", "shebe")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "config.toml")
	text := "unknown = 1\n[indexing]\nchunk_size = 256\noverlap = 32\nexclude_patterns = [\"**/gen/**\"]\n[search]\ndefault_k = 20\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg, err := LoadConfig(Input{Home: home, Dir: t.TempDir(), Env: map[string]string{"SHEBE_OVERLAP": "16", "SHEBE_MAX_K": "many"}})
	if err != nil {
		t.Fatal(err)
	}
	if cfg.ChunkSize != 256 || cfg.Overlap != 16 || cfg.DefaultK != 20 || cfg.MaxK != 100 {
		t.Errorf("config %+v", cfg)
	}
	c := newClient(t, map[string]string{"a.go": "alpha\n", "gen/b.go": "beta\n", "target/c.go": "gamma\n"}, cfg)
	if got := c.index("s", nil); !strings.Contains(got, "**Files indexed:** 2") {
		t.Errorf("patterns of the file: %s", got)
	}
	if got := c.Call("get_session_info", object{"session": "s"}); !strings.Contains(got, "**Chunk size:** 256 chars\n- **Overlap:** 16 chars\n- **Include patterns:** **/*\n- **Exclude patterns:** **/gen/**") {
		t.Errorf("info: %s", got)
	}
	got := c.Call("show_shebe_config", object{"detailed": true}) // the name of published builds
	for _, want := range []string{
		"- **Exclude Patterns:** 1 patterns", "## Include Patterns\n- `*.rs`", "## Exclude Patterns\n- `**/gen/**`",
		"- **Chunk Size:** config file " + file, "- **Overlap:** environment SHEBE_OVERLAP", "- **Max K:** default",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in %s", want, got)
			}
		})
	}
	for env, want := range map[string]string{
		"SHEBE_CHUNK_SIZE=0": "Chunk size must be non-zero", "SHEBE_OVERLAP=9999": "Overlap must be less than chunk size", "SHEBE_DEFAULT_K=0": "Default k must be non-zero",
		"SHEBE_DEFAULT_K=101": "Default k cannot exceed max k", "SHEBE_MAX_QUERY_LENGTH=0": "Max query length must be non-zero",
		"SHEBE_MAX_CONCURRENT_INDEXES=0": "Max concurrent indexes must be non-zero", "SHEBE_REQUEST_TIMEOUT_SEC=0": "Request timeout must be non-zero",
		"SHEBE_CONFIG=/none.toml": "open /none.toml",
	} {
		t.Run(env, func(t *testing.T) {
			key, value, _ := strings.Cut(env, "=")
			if _, err := LoadConfig(Input{Home: t.TempDir(), Dir: t.TempDir(), Env: map[string]string{key: value}}); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("Configuration error: %s", want)) {
				t.Errorf("%s: %v, want %q", env, err, want)
			}
		})
	}
}

// TestBroadFolders refuses what holds far more than one project.
func TestBroadFolders(t *testing.T) {
	sheet.Proves(t, "index.broad")
	c := newClient(t, map[string]string{".ssh/config": "x\n", "a.go": "package a\n"}, nil)
	for path, why := range map[string]string{"/": "the top of the file system", "/etc": "a folder of the system", "/proc/self": "pseudo file system", c.root + "/.ssh": "keys and passwords"} {
		t.Run(path, func(t *testing.T) {
			_, err := c.on(t).Try("index_repository", object{"path": path, "session": "s"})
			if err == nil || err.Code != invalidParams || !strings.Contains(err.Message, why) || !strings.Contains(string(err.Data), "--allow-broad") {
				t.Errorf("index_repository of %s: %v", path, err)
			}
		})
	}
	if _, err := c.ws.Attach(t.Context(), c.root+"/.ssh", workspace.AttachOptions{Exact: true, AllowBroad: true}); err != nil {
		t.Fatal(err)
	}
	c.Call("index_repository", object{"path": c.root + "/.ssh", "session": "allowed"})
}

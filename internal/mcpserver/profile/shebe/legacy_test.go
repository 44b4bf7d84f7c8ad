package shebe

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLegacy lists, searches, upgrades and deletes sessions that Shebe made.
func TestLegacy(t *testing.T) {
	sheet.Proves(t, "own.list own.first own.schema own.broken own.taken own.delete upgrade.old upgrade.gone own.gone info.old search.schema reindex.created")
	cfg := defaultConfig()
	own := t.TempDir()
	cfg.Sessions = []string{t.TempDir(), own}
	c := newClient(t, map[string]string{"a.go": "alpha\n", "b.py": "alpha\n"}, cfg)
	for name, schema := range map[string]int{"old-lib": 2, "shop-main": 3} {
		t.Run(name, func(t *testing.T) {
			c := c.on(t)
			dir := filepath.Join(own, name)
			if err := os.MkdirAll(filepath.Join(dir, "tantivy"), 0o755); err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf(`{"id":%q,"repository_path":%q,"created_at":"2025-10-21T20:17:19Z","last_indexed_at":"2025-10-21T20:17:19.5Z","files_indexed":3,"chunks_created":4,
			"index_size_bytes":8776,"config":{"chunk_size":256,"overlap":32,"include_patterns":["*.go"],"exclude_patterns":[]},"schema_version":%d}`, name, c.root, schema)
			if err := os.WriteFile(filepath.Join(dir, "meta.json"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := os.MkdirAll(filepath.Join(own, "broken"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "broken", "meta.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(own, "moved"), 0o755); err != nil {
		t.Fatal(err)
	}
	moved := `{"id":"moved","repository_path":"/no/such/folder","created_at":"2025-10-21T20:17:19Z","last_indexed_at":"2025-10-21T20:17:19Z","config":{"chunk_size":512,"overlap":64},"schema_version":4}`
	if err := os.WriteFile(filepath.Join(own, "moved", "meta.json"), []byte(moved), 0o644); err != nil {
		t.Fatal(err)
	}
	c.fails("search_code", object{"query": "alpha", "session": "moved"}, codeSession, "Repository path no longer exists: /no/such/folder\nSession 'moved' cannot be re-indexed.\nPossible solutions:\n- Move repository back to original location\n- Delete session and create new one at current location")
	c.Call("delete_session", object{"session": "moved", "confirm": true})
	got := c.Call("list_sessions", nil)
	for _, want := range []string{
		"Available sessions (3):", "## broken\n- **Status:** Error: ",
		"## old-lib\n- **Files:** 3\n- **Chunks:** 4\n- **Size:** 8.57 KB\n- **Schema:** v2 (outdated, re-index required)\n- **Last indexed:** 2025-10-21 20:17 UTC (",
		"- **Created:** 2025-10-21T20:17:19Z", "## shop-main",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in %s", want, got)
			}
		})
	}
	if got := c.Call("search_code", object{"session": "shop-main", "query": "alpha"}); len(found(got)) != 1 || !strings.Contains(got, "a.go") {
		t.Errorf("the first use of a session of Shebe: %s", got)
	}
	old := "Invalid session: Session 'old-lib' uses schema v2 but current version is v3.\nRepository path: /srv/shop\nRe-index to upgrade: use upgrade_session tool or index_repository with force=true."
	for _, x := range []exchange{
		{"search_code", object{"query": "alpha"}}, {"list_dir", object{}}, {"find_file", object{"pattern": "*"}}, {"find_references", object{"symbol": "alpha"}},
		{"read_file", object{"file_path": "a.go"}}, {"preview_chunk", object{"file_path": "a.go", "chunk_index": 0}},
	} {
		t.Run(x.tool, func(t *testing.T) {
			c := c.on(t)
			x.args["session"] = "old-lib"
			c.fails(x.tool, x.args, invalidParams, old)
		})
	}
	if got := c.Call("get_session_info", object{"session": "old-lib"}); !strings.Contains(got, "- **Files:** 3\n") || !strings.Contains(got, "- **Chunk size:** 256 chars") {
		t.Errorf("info of an old session: %s", got)
	}
	if _, err := c.Try("index_repository", object{"path": c.root, "session": "old-lib"}); err == nil || !strings.Contains(err.Message, "already exists.\n- Last indexed: 2025-10-21 20:17 UTC") || !strings.Contains(err.Message, "v2 (outdated)") {
		t.Errorf("a name that Shebe has taken: %v", err)
	}
	if err := os.Rename(c.root, c.root+"-moved"); err != nil {
		t.Fatal(err)
	}
	const gone = "Repository path no longer exists: /srv/shop\nSession 'old-lib' cannot be upgraded.\nPossible solutions:\n- Move repository back to original location\n- Delete session and create new one at current location"
	c.fails("upgrade_session", object{"session": "old-lib"}, codeSession, gone)
	if err := os.Rename(c.root+"-moved", c.root); err != nil {
		t.Fatal(err)
	}
	golden(t, "upgrade.txt", c.tell([]exchange{{"upgrade_session", object{"session": "old-lib"}}}))
	if got := c.Call("get_session_info", object{"session": "old-lib"}); !strings.Contains(got, "- **Files:** 1\n") || !strings.Contains(got, "- **Created:** 2025-10-21T20:17:19Z") || !strings.Contains(got, "**Include patterns:** *.go") {
		t.Errorf("info after the upgrade: %s", got)
	}
	for _, name := range []string{"old-lib", "shop-main", "broken"} {
		t.Run(name, func(t *testing.T) {
			c := c.on(t)
			c.Call("delete_session", object{"session": name, "confirm": true})
		})
	}
	if got := c.Call("list_sessions", nil); !strings.HasPrefix(got, "No sessions available.") {
		t.Errorf("after deleting all: %s", got)
	}
}

func TestDirectories(t *testing.T) {
	sheet.Proves(t, "set.index set.state set.elsewhere set.home")
	here := t.TempDir()
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte("[storage]\nindex_dir = \"/f\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		env             map[string]string
		index, sessions string
		source          string
	}{
		{nil, "", "/home/ann/.local/share/shebe/sessions/sessions /home/ann/.local/state/shebe/sessions", "default"},
		{map[string]string{"XDG_DATA_HOME": "/x", "XDG_STATE_HOME": "/y"}, "", "/x/shebe/sessions/sessions /y/shebe/sessions", "default"},
		{map[string]string{"SHEBE_STATE_DIR": "/s"}, "", "/home/ann/.local/share/shebe/sessions/sessions /s/sessions", "default"},
		{map[string]string{"SHEBE_DATA_DIR": "/d"}, "/d/sessions", "/d/sessions/sessions /home/ann/.local/state/shebe/sessions", "environment SHEBE_DATA_DIR"},
		{map[string]string{"SHEBE_INDEX_DIR": "/i", "SHEBE_DATA_DIR": "/d"}, "/i", "/i/sessions /d/sessions/sessions /home/ann/.local/state/shebe/sessions", "environment SHEBE_INDEX_DIR"},
		{map[string]string{"SHEBE_INDEX_DIR": "rel"}, here + "/rel", here + "/rel/sessions /home/ann/.local/share/shebe/sessions/sessions /home/ann/.local/state/shebe/sessions", "environment SHEBE_INDEX_DIR"},
		{map[string]string{"SHEBE_INDEX_DIR": "~/i", "SHEBE_CONFIG": file}, "/home/ann/i", "/home/ann/i/sessions /f/sessions /home/ann/.local/state/shebe/sessions", "environment SHEBE_INDEX_DIR"},
		{map[string]string{"SHEBE_DATA_DIR": "$HOME/d", "SHEBE_STATE_DIR": "${HOME}/s"}, "/home/ann/d/sessions", "/home/ann/d/sessions/sessions /home/ann/s/sessions", "environment SHEBE_DATA_DIR"},
		{map[string]string{"SHEBE_DATA_DIR": "/a/~/d"}, "/a/~/d/sessions", "/a/~/d/sessions/sessions /home/ann/.local/state/shebe/sessions", "environment SHEBE_DATA_DIR"},
		{map[string]string{"SHEBE_CONFIG": file}, "/f", "/f/sessions /home/ann/.local/state/shebe/sessions", "config file " + file},
		{map[string]string{"SHEBE_CONFIG": file, "SHEBE_DATA_DIR": "/d"}, "/d/sessions", "/d/sessions/sessions /home/ann/.local/state/shebe/sessions", "environment SHEBE_DATA_DIR"},
	} {
		t.Run(tt.index, func(t *testing.T) {
			cfg, err := LoadConfig(Input{Home: "/home/ann", Dir: here, Env: tt.env})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(cfg.Sessions, " "); cfg.IndexDir != tt.index || got != tt.sessions || cfg.source("Index Directory") != tt.source {
				t.Errorf("%v: %q, %q, %q; want %q, %q, %q", tt.env, cfg.IndexDir, got, cfg.source("Index Directory"), tt.index, tt.sessions, tt.source)
			}
		})
	}
	if got := (&Config{IndexDir: "/i"}).DataDir("/espy"); got != "/i/espy" {
		t.Errorf("the data folder in an index directory is %s", got)
	}
	if got := defaultConfig().DataDir("/espy"); got != "/espy" {
		t.Errorf("the data folder without an index directory is %s", got)
	}
}

// TestConfigFiles holds where a configuration is looked for, the first that is
// there winning.
func TestConfigFiles(t *testing.T) {
	sheet.Proves(t, "set.files set.parse set.must")
	home, here := t.TempDir(), t.TempDir()
	size := func(env map[string]string) int {
		t.Helper()
		cfg, err := LoadConfig(Input{Home: home, Dir: here, Env: env})
		if err != nil {
			t.Fatal(err)
		}
		return cfg.ChunkSize
	}
	for _, tt := range []struct {
		file string
		env  map[string]string
	}{
		{"", nil},
		{here + "/shebe.toml", nil},
		{home + "/.config/shebe/config.toml", nil},
		{home + "/xdg/shebe/config.toml", map[string]string{"XDG_CONFIG_HOME": home + "/xdg"}},
		{home + "/own/config.toml", map[string]string{"XDG_CONFIG_HOME": home + "/xdg", "SHEBE_CONFIG_DIR": home + "/own"}},
		{home + "/named.toml", map[string]string{"SHEBE_CONFIG_DIR": home + "/own", "SHEBE_CONFIG_FILE": home + "/named.toml"}},
		{home + "/must.toml", map[string]string{"SHEBE_CONFIG_FILE": home + "/named.toml", "SHEBE_CONFIG": home + "/must.toml"}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			want := 512
			if tt.file != "" {
				want = 300 + len(tt.file)
				writeFile(t, tt.file, fmt.Sprintf("unknown = 1\n[indexing]\nchunk_size = %d\n", want))
			}
			if got := size(tt.env); got != want {
				t.Errorf("%q, %v: chunk size %d, want %d", tt.file, tt.env, got, want)
			}
		})
	}
	bad := filepath.Join(home, "bad.toml")
	if err := os.WriteFile(bad, []byte("[indexing\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadConfig(Input{Home: home, Dir: here, Env: map[string]string{"SHEBE_CONFIG": bad}}); err == nil || !strings.HasPrefix(err.Error(), "Configuration parse error: ") {
		t.Errorf("a file that is no TOML: %v", err)
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

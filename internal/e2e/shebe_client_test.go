package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shebeShop is the repository of the examples of Shebe's reference.
var shebeShop = map[string]string{
	"go.mod":        "module shop\n",
	"main.go":       "package main\n\nfunc main() {\n\tserve()\n}\n",
	"net/retry.go":  "package net\n\n// backoff waits longer each time.\nfunc backoff(n int) time.Duration {\n\treturn base << n\n}\n",
	"net/client.go": "package net\n\nfunc call() {\n\tfor n := 0; n < 5; n++ {\n\t\ttime.Sleep(backoff(n))\n\t}\n}\n",
	"net/fetch.go":  "package net\n\nfunc fetch(ctx context.Context) error {\n\treturn retry(ctx, backoff)\n}\n",
	"docs/retry.md": "# Retry policy\n\nThe backoff is capped.\n",
	"api/routes.go": "package api\n\n// GET /api/users/{id}\nvar routes = map[string]string{\"/users/{id}\": \"std::vec array[0] foo()\"}\n",
	"auth/a.php":    "<?php\nclass PatientController { function authenticatePatient($id) { deprecated(); } }\n",
	"db/dump.sql":   strings.Repeat("INSERT INTO t VALUES (1);\n", 1000),
	"bad.txt":       "caf\xe9\n",
}

// TestShebeClients replays every tool with its documented examples and errors
// through clients that nobody here wrote, and compares what they are given
// with one golden.
func TestShebeClients(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"v1", "v2"} {
		t.Run(kind, func(t *testing.T) {
			dir := tree(t, shebeShop)
			calls := shebeCalls(dir)
			list, err := json.Marshal(calls)
			if err != nil {
				t.Fatal(err)
			}
			cmd := node(t, dir, "calls.mjs", kind, string(list), espy(t), "mcp", "--profile", "shebe")
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			var told struct {
				Server          string
				Tools, Problems []string
				Answers         []json.RawMessage
			}
			if err := json.Unmarshal(out, &told); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if told.Server != "shebe-mcp" || len(told.Tools) != 14 || len(told.Problems) > 0 || stderr.Len() > 0 || len(told.Answers) != len(calls) {
				t.Errorf("server %s, tools %q, %d answers, problems %q\n%s", told.Server, told.Tools, len(told.Answers), told.Problems, stderr.String())
			}
			var b strings.Builder
			for i, raw := range told.Answers {
				args, err := json.Marshal(calls[i][1])
				if err != nil {
					t.Fatal(err)
				}
				text := ""
				if json.Unmarshal(raw, &text) != nil {
					text = "ERROR " + string(raw)
				}
				fmt.Fprintf(&b, ">>> %s %s\n%s\n<<<\n\n", calls[i][0], args, text)
			}
			compareShebe(t, shebeMask(dir, b.String()))
			for _, tool := range told.Tools {
				if !slices.ContainsFunc(calls, func(c [2]any) bool { return c[0] == tool }) {
					t.Errorf("no call of %s", tool)
				}
			}
		})
	}
}

type args map[string]any

// shebeCalls are the calls of the reference's examples, in an order in which
// they make sense, and the errors of its tables.
func shebeCalls(dir string) [][2]any {
	s := func(a args) args { a["session"] = "shop-main"; return a }
	return [][2]any{
		{"list_sessions", args{}},
		{"index_repository", args{"path": dir, "session": "shop-main"}},
		{"index_repository", args{"path": dir, "session": "shop-main"}},
		{"index_repository", args{"path": dir, "session": "shop-main", "force": true, "exclude_patterns": []string{"**/docs/**"}, "include_patterns": []string{"**/*"}, "chunk_size": 256, "overlap": 0}},
		{"index_repository", args{"path": dir, "session": "shop-main", "force": true}},
		{"index_repository", args{"path": "shop", "session": "s"}},
		{"index_repository", args{"path": dir + "/none", "session": "s"}},
		{"index_repository", args{"path": dir + "/go.mod", "session": "s"}},
		{"index_repository", args{"path": dir, "session": "my-app-v1.0"}},
		{"index_repository", args{"path": dir, "session": "s", "chunk_size": 50}},
		{"index_repository", args{"path": dir, "session": "s", "overlap": 600}},
		{"index_repository", args{"path": dir, "session": "s", "include_patterns": []string{"[invalid"}}},
		{"list_sessions", args{}},
		{"get_session_info", s(args{})},
		{"get_session_info", args{"session": "absent"}},
		{"get_session_info", args{"session": "../../etc"}},
		{"get_server_info", args{}},
		{"get_config", args{"detailed": true}},
		{"show_shebe_config", args{}},
		{"search_code", s(args{"query": "retry backoff"})},
		{"search_code", s(args{"query": "authenticate", "k": 5})},
		{"search_code", s(args{"query": "content:authenticate"})},
		{"search_code", s(args{"query": "file_path:controller OR file_path:a.php"})},
		{"search_code", s(args{"query": "GET /api/users/{id}", "k": 1})},
		{"search_code", s(args{"query": "std::vec", "k": 1})},
		{"search_code", s(args{"query": "backoff AND NOT retry"})},
		{"search_code", s(args{"query": `{"/users/{id}"`, "literal": true})},
		{"search_code", s(args{"query": "zebra"})},
		{"search_code", s(args{"query": ""})},
		{"search_code", s(args{"query": strings.Repeat("x", 501)})},
		{"search_code", s(args{"query": "x", "k": 101})},
		{"search_code", s(args{"query": "x", "k": 0})},
		{"search_code", s(args{"query": "file:test.rs"})},
		{"search_code", s(args{"query": "a AND (b OR"})},
		{"search_code", args{"query": "x", "session": "absent"}},
		{"search_code", args{"query": "x"}},
		{"list_dir", s(args{})},
		{"list_dir", s(args{"limit": 2})},
		{"list_dir", s(args{"limit": 3, "sort": "size"})},
		{"list_dir", s(args{"sort": "newest"})},
		{"list_dir", s(args{"limit": 0})},
		{"list_dir", s(args{"cursor": "!!!not-base64!!!"})},
		{"read_file", s(args{"file_path": "/net/retry.go"})},
		{"read_file", s(args{"file_path": dir + "/db/dump.sql"})},
		{"read_file", s(args{"file_path": "db/dump.sql", "offset": 25950, "length": 30})},
		{"read_file", s(args{"file_path": "db/dump.sql", "offset": 99999})},
		{"read_file", s(args{"file_path": "none.go"})},
		{"read_file", s(args{"file_path": "../../etc/passwd"})},
		{"read_file", s(args{"file_path": ""})},
		{"find_file", s(args{"pattern": "*.go"})},
		{"find_file", s(args{"pattern": "net/**/*.go", "limit": 1})},
		{"find_file", s(args{"pattern": `.*retry\.(go|md)$`, "pattern_type": "regex"})},
		{"find_file", s(args{"pattern": "*.zig"})},
		{"find_file", s(args{"pattern": "[unclosed"})},
		{"find_file", s(args{"pattern": "(unclosed", "pattern_type": "regex"})},
		{"find_file", s(args{"pattern": "x", "limit": 10001})},
		{"find_references", s(args{"symbol": "backoff", "context_lines": 1})},
		{"find_references", s(args{"symbol": "backoff", "symbol_type": "function", "defined_in": "net/retry.go", "max_results": 1})},
		{"find_references", s(args{"symbol": "nonexistent_symbol_xyz"})},
		{"find_references", s(args{"symbol": "a"})},
		{"find_references", s(args{"symbol": "ab", "symbol_type": "macro"})},
		{"preview_chunk", s(args{"file_path": "net/retry.go", "chunk_index": 0, "context_lines": 1})},
		{"preview_chunk", s(args{"file_path": "db/dump.sql", "chunk_index": 2, "context_lines": 0})},
		{"preview_chunk", s(args{"file_path": "net/retry.go", "chunk_index": 7})},
		{"preview_chunk", s(args{"file_path": "net/retry.go", "chunk_index": 0, "context_lines": 101})},
		{"reindex_session", s(args{})},
		{"reindex_session", s(args{"chunk_size": 1024, "overlap": 128})},
		{"reindex_session", s(args{"force": true})},
		{"reindex_session", s(args{"chunk_size": 50})},
		{"reindex_session", s(args{"overlap": 1024})},
		{"reindex_session", args{"session": "absent"}},
		{"upgrade_session", s(args{})},
		{"delete_session", s(args{"confirm": false})},
		{"delete_session", s(args{"confirm": true})},
		{"delete_session", s(args{"confirm": true})},
		{"serch_code", args{}},
	}
}

var shebeVolatile = []struct {
	form *regexp.Regexp
	mask string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\d([T ])\d\d:\d\d`), "2026-02-03${1}09:15"},
	{regexp.MustCompile(`09:15:\d\d`), "09:15:02"},
	{regexp.MustCompile(`\(\d+ms\)`), "(3ms)"},
	{regexp.MustCompile(`\d+\.\ds\b`), "0.4s"},
	{regexp.MustCompile(`\d+ files/sec`), "1562 files/sec"},
	{regexp.MustCompile(`((?:Size|Index size|chunk size|space freed):\*{0,2}) [\d.]+ [KM]?B\n`), "$1 SIZE\n"},
	{regexp.MustCompile(`((?:Version|Index Directory):\*\*) .*`), "$1 X"},
	{regexp.MustCompile(`Served by:\*\* Espy [^,]*,`), "Served by:** Espy X,"},
	{regexp.MustCompile(`cursor="ey[^"]+"`), `cursor="eyJsYXN0..."`},
	{regexp.MustCompile(`(INSERT INTO t VALUES \(1\);\n){9,}`), "...\n"},
	{regexp.MustCompile(`x{500,}`), "xxx..."},
}

// shebeMask puts fixed words in place of what differs from run to run.
func shebeMask(dir, text string) string {
	text = strings.ReplaceAll(text, dir, "/srv/shop")
	for _, v := range shebeVolatile {
		text = v.form.ReplaceAllString(text, v.mask)
	}
	return text
}

func compareShebe(t *testing.T, got string) {
	t.Helper()
	const path = "testdata/shebe-clients.txt"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w, g := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			t.Fatalf("%s line %d: got %q, want %q", path, i+1, strings.Join(g[i:min(len(g), i+3)], "\n"), strings.Join(w[i:min(len(w), i+3)], "\n"))
		}
	}
}

package mcpserver

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/code"
	"espy/internal/mcpserver/arguments"
	"espy/internal/mcpserver/cursor"
	"espy/internal/mcpserver/host"
	"espy/internal/render"
	"espy/internal/workspace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", file, diff)
	}
}

// demo is the repository that the tests search.
var demo = map[string]string{
	".git/HEAD":                    "ref: refs/heads/main\n",
	".gitignore":                   "*.log\n",
	"README.md":                    "# Demo\n\nA server that applies ignore rules.\n",
	"go.mod":                       "module demo\n",
	"cmd/demo/main.go":             "package main\n\nfunc main() {\n\tRun()\n}\n",
	"internal/rules/rules.go":      "// Package rules applies ignore rules.\npackage rules\n\n// ApplyRules reports whether a path is ignored.\nfunc ApplyRules(path string) bool {\n\treturn match(path)\n}\n\nfunc match(path string) bool { return path == \"\" }\n",
	"internal/rules/rules_test.go": "package rules\n\nimport \"testing\"\n\nfunc TestApplyRules(t *testing.T) {\n\tif !ApplyRules(\"\") {\n\t\tt.Fatal(\"not applied\")\n\t}\n}\n",
	"web/app.ts":                   "export function applyTheme(name: string): void {\n  console.log(name)\n}\n",
	"debug.log":                    "secret ApplyRules\n",
	"blob.bin":                     "\x00\x01\x02ApplyRules",
	".env":                         "TOKEN=ApplyRules\n",
	"odd\x1b[2J.txt":               "odd name\n",
}

// tree writes files below a new folder called name and returns its path.
func tree(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), name)
	for path, text := range files {
		file := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// serverAt returns a server whose start folder is start.
func serverAt(t *testing.T, start string, readOnly bool) *Server {
	t.Helper()
	home := filepath.Dir(start)
	if i := strings.Index(start, "/demo/"); i > 0 {
		home = start[:i]
	}
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Home: home})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return New(Options{Workspace: w, Start: start, Version: "1.2.3", ReadOnly: readOnly})
}

// pipes runs ServeStdio between two pipes. Its error comes on the channel.
func pipes(t *testing.T, s *Server) (in *io.PipeWriter, out *io.PipeReader, ended <-chan error) {
	t.Helper()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	result := make(chan error, 1)
	go func() {
		err := s.ServeStdio(context.Background(), serverIn, serverOut)
		serverOut.Close()
		result <- err
	}()
	t.Cleanup(func() { in.Close(); out.Close() })
	return in, out, result
}

// connect returns a client session with a server, over pipes.
func connect(t *testing.T, s *Server, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	in, out, ended := pipes(t, s)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(context.Background(), &mcp.IOTransport{Reader: out, Writer: in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return session
}

// ask calls a tool and returns its text.
func ask(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any) (text string, isError bool) {
	t.Helper()
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	if len(res.Content) != 1 || res.StructuredContent != nil {
		t.Fatalf("%s %v: %d contents, structured %v; want one text", tool, args, len(res.Content), res.StructuredContent)
	}
	content, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("%s %v: content %T", tool, args, res.Content[0])
	}
	return content.Text, res.IsError
}

func TestTools(t *testing.T) {
	t.Parallel()
	root := tree(t, "demo", demo)
	other := tree(t, "other", map[string]string{"lib.py": "def other_function():\n    pass\n"})
	session := connect(t, serverAt(t, filepath.Join(root, "internal"), false), nil)
	type args = map[string]any
	for _, tt := range []struct {
		name, tool string
		args       args
		want       []string // parts of the answer, in order
		not        []string
	}{
		{"status before", "status", nil, []string{"espy 1.2.3, 0 repositories", "is not indexed yet", "next: files()"}, nil},
		{"literal", "search", args{"query": "ApplyRules(", "mode": "literal"},
			[]string{"3 of 3 lines in 2 files, mode literal, repo demo main (no commit found), generation 1, fresh", "internal/rules/rules.go\n5: func ApplyRules(path string) bool {", "rules_test.go\n5: func Test", "6: \tif !ApplyRules", "next: read(path=\"internal/rules/rules.go:1-30\")"}, []string{"debug.log", ".env"}},
		{"regex", "search", args{"query": `func \w+Rules`, "mode": "regex", "scope": "test"}, []string{"1 of 1 line in 1 file, mode regex", "rules_test.go", "5: func TestApplyRules"}, []string{"rules.go\n"}},
		{"ignore case, word, context", "search", args{"query": "applyrules", "mode": "literal", "ignore_case": true, "word": true, "context": 1, "path": "rules.go"}, []string{"2 of 2 lines", "3- \n4: // ApplyRules reports", "5: func ApplyRules(path", "6- \treturn match(path)"}, nil},
		{"words", "search", args{"query": "where are ignore rules applied"}, []string{"mode keyword, repo demo", "internal/rules/rules.go:1-", "next: read(path=\"internal/rules/rules.go:"}, nil},
		{"filters", "search", args{"query": "apply", "lang": []string{"ts"}}, []string{"1 of 1 file", "web/app.ts:1-3"}, []string{"rules.go"}},
		{"locate", "search", args{"query": "apply rules", "detail": "locate", "limit": 1}, []string{"1 of ", "left out: ", "same call with cursor="}, []string{"1: "}},
		{"nothing", "search", args{"query": "ApplyRulez(", "mode": "literal"}, []string{"0 of 0 lines, mode literal, repo demo main (no commit found), generation ", ", fresh", "nothing found for \"ApplyRulez(\" in 8 files", "not searched: 4 files left out", "next: search(query=\"ApplyRulez(\", mode=\"literal\", ignore_case=true)"}, nil},
		{"search json", "search", args{"query": "ApplyRules(", "mode": "literal", "format": "json"}, []string{`{"query":"ApplyRules(","mode":"literal","total":3,`, `"freshness":{"generation":`, `"hits":[{"repo":"demo","path":"internal/rules/rules.go","start_line":5,"end_line":5,"column":6,"symbol":"ApplyRules","kind":"func","text":`}, nil},
		{"read", "read", args{"path": "internal/rules/rules.go:4-5"}, []string{"internal/rules/rules.go lines 4-5 of 9, go, repo demo main (no commit found), generation 1, fresh", "4: // ApplyRules", "5: func ApplyRules(path string) bool {\n", "next: read(path=\"internal/rules/rules.go:6-9\")"}, []string{"3: ", "6: \t"}},
		{"read round a line", "read", args{"path": "internal/rules/rules.go:5"}, []string{"lines 1-9 of 9"}, nil},
		{"read by arguments", "read", args{"path": "internal/rules/rules.go", "start_line": 2, "end_line": 2}, []string{"line 2 of 9", "2: package rules"}, nil},
		{"read absolute", "read", args{"path": filepath.Join(root, "go.mod")}, []string{"go.mod line 1 of 1, gomod, repo demo"}, nil},
		{"read odd name", "read", args{"path": `"odd\x1b[2J.txt"`}, []string{`"odd\x1b[2J.txt" line 1 of 1`, "1: odd name"}, nil},
		{"read json", "read", args{"path": "go.mod", "format": "json"}, []string{`{"repo":"demo","path":"go.mod","start_line":1,"end_line":1,"lines":1,`, `"text":"module demo\n"`}, nil},
		{"files", "files", nil, []string{"7 of 7 entries, repo demo", "cmd/  1 file", "internal/  2 files", "next: files(path=\"cmd\")"}, []string{"main.go"}},
		{"files of a folder", "files", args{"path": "./internal/rules/"}, []string{"2 of 2 entries", "internal/rules/rules.go  ", "9 lines, go"}, nil},
		{"files by glob", "files", args{"path": []string{"**/*_test.go"}}, []string{"1 of 1 file,", "internal/rules/rules_test.go", "next: read(path=\"internal/rules/rules_test.go\")"}, nil},
		{"files by regex", "files", args{"regex": `\.(ts|md)$`}, []string{"2 of 2 files", "README.md", "web/app.ts"}, nil},
		{"files excluded", "files", args{"excluded": true}, []string{"4 of 4 excluded entries", ".env  secret", "blob.bin  binary", "debug.log  ignored", "binary: its content is not text"}, nil},
		{"files json", "files", args{"path": "*.md", "format": "json"}, []string{`{"total":1,"freshness":{"generation":`, `"files":[{"repo":"demo","path":"README.md","indexed":true,"size":`}, nil},
		{"symbol", "symbol", args{"symbol": "ApplyRules"}, []string{"1 definition of ApplyRules, repo demo", "internal/rules/rules.go:5-7 func rules.ApplyRules", "func ApplyRules(path string) bool", "reports whether a path is ignored", "next: references(symbol=\"internal/rules/rules.go#ApplyRules\")"}, []string{"return match"}},
		{"symbol of a use", "symbol", args{"at": "internal/rules/rules_test.go:6:6", "body": true}, []string{"the call of ApplyRules at internal/rules/rules_test.go:6:6", "(certain: ", "return match(path)"}, nil},
		{"symbol of a place that is given as a name", "symbol", args{"symbol": "internal/rules/rules_test.go:6:6"}, []string{"the call of ApplyRules at internal/rules/rules_test.go:6:6"}, nil},
		{"symbol json", "symbol", args{"symbol": "internal/rules/rules.go#match", "format": "json"}, []string{`{"total":1,`, `"definitions":[{"repo":"demo","id":"internal/rules/rules.go#match","path":"internal/rules/rules.go","line":9,"column":6,`, `"exported":false`}, nil},
		{"symbol near", "symbol", args{"symbol": "ApplyRulse"}, []string{"0 definitions", "did you mean: ApplyRules", "next: search("}, nil},
		{"references", "references", args{"symbol": "ApplyRules"}, []string{"reference", "to internal/rules/rules.go#ApplyRules", "internal/rules/rules_test.go\n  6 call in TestApplyRules: if !ApplyRules"}, nil},
		{"references of a name", "references", args{"symbol": "ApplyRules", "union": true}, []string{"references(symbol=\"ApplyRules\", kind=\"mentions\", union=true)"}, nil},
		{"references in some files", "references", args{"symbol": "ApplyRules", "path": "**/*_test.go"}, []string{"1 reference to internal/rules/rules.go#ApplyRules"}, []string{"not listed"}},
		{"references in no file", "references", args{"symbol": "ApplyRules", "path": []string{"nothing/**"}}, []string{"0 references", "note: no file matches path nothing/**", "not listed: 1 use in files that path leaves out", `next: references(symbol="ApplyRules") # in all files`}, nil},
		{"symbol in other files", "symbol", args{"symbol": "ApplyRules", "path": "web"}, []string{"0 definitions", "not listed: 1 definition in files that path leaves out", `next: symbol(symbol="ApplyRules") # in all files`}, []string{"no file matches", "nothing of that name"}},
		{"calls in some files", "calls", args{"symbol": "match", "path": "web"}, []string{"0 callers", "not listed: 1 step in files that path leaves out"}, nil},
		{"references json", "references", args{"symbol": "match", "kind": "calls", "format": "json"}, []string{`{"total":1,"certain":1,`, `"precision":"heuristic"`, `"references":[{"repo":"demo","path":"internal/rules/rules.go","line":6,`, `"role":"call","confidence":"certain"`}, nil},
		{"outline", "outline", args{"path": "internal/rules", "metrics": true}, []string{"3 symbols in 2 files of internal/rules", "5-7 func ApplyRules(path string) bool  [complexity 1, 3 lines]", "rules_test.go", "TestApplyRules"}, nil},
		{"outline page", "outline", args{"path": "internal/rules", "limit": 1}, []string{"1 of 3 symbols", "left out: 2 more; same call with cursor=", "next: symbol("}, nil},
		{"index again", "index", nil, []string{"indexed demo: 8 files", "generation "}, nil},
		{"index another", "index", args{"path": other, "name": "lib"}, []string{"indexed lib: 1 file", "next: files(repo=\"lib\")"}, nil},
		{"search another", "search", args{"query": "other_function", "repo": "lib"}, []string{"repo lib", "lib.py:1"}, nil},
		{"search another by path", "search", args{"query": "other_function", "repo": other}, []string{"repo lib", "lib.py:1"}, nil},
		{"context all", "context", args{"query": "ApplyRules", "repo": "all"}, []string{"context of symbol demo:internal/rules/rules.go#ApplyRules", "1 more without a part in it", "demo:internal/rules/rules.go:"}, nil},
		{"context all json", "context", args{"query": "ApplyRules", "repo": "all", "format": "json"}, []string{`"across":{"repos":[{"repo":"demo",`, `"not_concerned":["lib"]`, `"spans":[{"repo":"demo","path":"internal/rules/rules.go",`}, nil},
		{"search all", "search", args{"query": "function", "mode": "literal", "repo": "all"}, []string{"2 of 2 lines in 2 files, mode literal, 2 repos: demo main (no commit found, generation ", ", fresh), lib (generation ", "demo: web/app.ts", "lib: lib.py"}, nil},
		{"read another", "read", args{"path": filepath.Join(other, "lib.py")}, []string{"lib.py lines 1-2 of 2, python, repo lib, generation 1, fresh"}, nil},
		{"rebuild", "index", args{"path": "lib", "force": true}, []string{"indexed lib: 1 file"}, nil},
		{"index without waiting", "index", args{"path": "lib", "wait": false}, []string{"indexing of lib continues", "next: status(repo=\"lib\")"}, nil},
		{"index json", "index", args{"path": "lib", "format": "json"}, []string{`"name":"lib","root":`, `"files":1,`}, nil},
		{"status", "status", nil, []string{"espy 1.2.3, 2 repositories", "demo at ", "languages: ", "left out: ", "lib at "}, []string{"not indexed yet"}},
		{"status of one", "status", args{"repo": "lib", "format": "json"}, []string{`{"version":"1.2.3","repos":[{"repo_id":"`, `"name":"lib"`}, []string{"demo"}},
		{"remove", "index", args{"action": "remove", "path": "lib"}, []string{"removed the index of lib", "untouched"}, nil},
		{"status after", "status", nil, []string{"1 repository"}, []string{"lib at"}},
		{"null arguments", "search", args{"query": "main", "limit": nil, "path": nil}, []string{"mode keyword"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, isError := ask(t, session, tt.tool, tt.args)
			if isError {
				t.Fatalf("error answer:\n%s", text)
			}
			rest := text
			for _, part := range tt.want {
				_, after, ok := strings.Cut(rest, part)
				if !ok {
					t.Fatalf("answer lacks %q:\n%s", part, text)
				}
				rest = after
			}
			for _, part := range tt.not {
				if strings.Contains(text, part) {
					t.Fatalf("answer has %q:\n%s", part, text)
				}
			}
		})
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	root := tree(t, "demo", demo)
	outside := tree(t, "demo-secret", map[string]string{"x.txt": "outside\n"})
	if err := os.Symlink(filepath.Join(outside, "x.txt"), filepath.Join(root, "link.txt")); err != nil {
		t.Fatal(err)
	}
	session := connect(t, serverAt(t, root, false), nil)
	type args = map[string]any
	for _, tt := range []struct {
		name, tool string
		args       args
		want       []string
	}{
		{"id of another file", "references", args{"symbol": "internal/rules/rules_test.go#match"}, []string{"not declared in internal/rules/rules_test.go", "did you mean internal/rules/rules.go#"}},
		{"no symbol", "references", args{}, []string{"neither symbol nor at is given", `hint: symbol="Name"`}},
		{"symbol and place", "symbol", args{"symbol": "a", "at": "a.go:1:1"}, []string{"symbol and at are given"}},
		{"no place", "symbol", args{"at": "a.go"}, []string{`at "a.go": not a place in a file`, "hint: write PATH:LINE:COLUMN"}},
		{"place in no file", "symbol", args{"at": "nope.go:1:1"}, []string{`path "nope.go"`}},
		{"unknown kind", "references", args{"symbol": "a", "kind": "call"}, []string{`kind "call": unknown value`, "did you mean calls?"}},
		{"all repositories", "outline", args{"repo": "all"}, []string{"outline works on one repository"}},
		{"no query", "search", args{}, []string{"search needs the argument query", "hint: pass {\"query\": \"...\"}"}},
		{"unknown argument", "search", args{"query": "x", "limt": 3}, []string{`unknown argument "limt" of search`, "hint: did you mean limit?"}},
		{"argument of another tool", "search", args{"query": "x", "glob": "*.go"}, []string{`unknown argument "glob"`, "the argument is called path"}},
		{"argument far from any", "search", args{"query": "x", "zzzzzz": 3}, []string{"search takes context, cursor, detail, "}},
		{"word for a number", "search", args{"query": "x", "limit": "ten"}, []string{`limit must be a whole number, got the string "ten"`}},
		{"negative in a string", "search", args{"query": "x", "limit": "-1"}, []string{`limit must be a whole number, got the string "-1"`}},
		{"fraction", "search", args{"query": "x", "limit": 1.5}, []string{"limit must be a whole number, got 1.5"}},
		{"negative limit", "search", args{"query": "x", "limit": -1}, []string{"limit is -1", "at least 1"}},
		{"huge limit", "search", args{"query": "x", "limit": 1e300}, []string{"limit is 1e+300"}},
		{"number for a string", "search", args{"query": 5}, []string{"query must be a string, got 5"}},
		{"string for a boolean", "search", args{"query": "x", "word": "yes"}, []string{`word must be true or false, got the string "yes"`}},
		{"array of numbers", "search", args{"query": "x", "path": []int{1}}, []string{"path must be an array of strings, got the array [1]"}},
		{"unknown mode", "search", args{"query": "x", "mode": "regexp"}, []string{`mode "regexp": unknown value`, "did you mean regex?"}},
		{"unknown language", "search", args{"query": "x", "lang": "golagn"}, []string{`lang "golagn"`, "go"}},
		{"bad regex", "search", args{"query": "a(b", "mode": "regex"}, []string{"query", "missing closing )"}},
		{"unbalanced quote", "search", args{"query": `kind:func AND "open`}, []string{"query"}},
		{"long pattern", "search", args{"query": strings.Repeat("x", 20_000), "mode": "regex"}, []string{"20000 bytes are more than the limit of 10000"}},
		{"endless log", "search", args{"query": strings.Repeat("x ", 1<<19) + "x"}, []string{"1048577 bytes are more than the limit of 1048576"}},
		{"bad glob", "search", args{"query": "x", "path": "a["}, []string{"path", "a["}},
		{"unknown repo", "search", args{"query": "x", "repo": "dmo"}, []string{`repo "dmo" is not attached`, "attached repositories: demo"}},
		{"repo that is a folder", "search", args{"query": "x", "repo": outside}, []string{"is not attached", `index(path=`}},
		{"case in keyword mode", "search", args{"query": "apply rules", "ignore_case": true}, []string{"ignore_case means nothing in mode keyword", "hint: leave it out, or add mode=literal or mode=regex"}},
		{"word in keyword mode", "search", args{"query": "apply", "mode": "keyword", "word": true}, []string{"word means nothing in mode keyword"}},
		{"context in keyword mode", "search", args{"query": "apply", "context": 2}, []string{"context means nothing in mode keyword"}},
		{"scores of lines", "search", args{"query": "apply", "mode": "literal", "explain": true}, []string{"explain means nothing in mode literal", "mode=keyword"}},
		{"bad cursor", "search", args{"query": "x", "cursor": "abc"}, []string{"not a cursor of an answer"}},
		{"cursor of another question", "search", args{"query": "x", "cursor": cursor.Cursor{Offset: 1}.String()}, []string{"belongs to another question"}},
		{"missing file", "read", args{"path": "rules.go"}, []string{"no file rules.go in repo demo", "did you mean internal/rules/rules.go?"}},
		{"misspelt file", "read", args{"path": "internal/rules/rulse.go"}, []string{"did you mean internal/rules/rules.go"}},
		{"folder", "read", args{"path": "internal"}, []string{"internal", "files("}},
		{"traversal", "read", args{"path": "../demo-secret/x.txt"}, []string{`path "../demo-secret/x.txt" is outside repo demo`}},
		{"traversal from within", "read", args{"path": "internal/../../demo-secret/x.txt"}, []string{"is outside repo demo"}},
		{"absolute outside", "read", args{"path": filepath.Join(outside, "x.txt")}, []string{"is outside the attached repositories"}},
		{"absolute outside of a named repo", "read", args{"path": "/etc/passwd", "repo": "demo"}, []string{`path "/etc/passwd" is outside repo demo`}},
		{"prefix twin", "read", args{"path": root + "-secret/x.txt"}, []string{"is outside"}},
		{"NUL in a path", "read", args{"path": "a\x00b"}, []string{"names no file"}},
		{"home", "read", args{"path": "~/.ssh/id_rsa"}, []string{"error: "}},
		{"link out", "read", args{"path": "link.txt"}, []string{"link"}},
		{"secret", "read", args{"path": ".env"}, []string{"credential"}},
		{"binary", "read", args{"path": "blob.bin"}, []string{"not text"}},
		{"range backwards", "read", args{"path": "go.mod:9-3"}, []string{"line range 9-3 ends before it starts"}},
		{"bad files regex", "files", args{"regex": "a("}, []string{"regex \"a(\""}},
		{"index of the home", "index", args{"path": filepath.Dir(root)}, []string{"the home folder", "hint: "}},
		{"index of everything", "index", args{"path": "/"}, []string{"the top of the file system"}},
		{"index of nothing", "index", args{"path": "/does/not/exist"}, []string{"/does/not/exist", "hint: "}},
		{"remove nothing", "index", args{"action": "remove"}, []string{"remove needs path", "status()"}},
		{"remove a folder inside", "index", args{"action": "remove", "path": filepath.Join(root, "internal")}, []string{"is a folder inside repo demo"}},
		{"remove unknown", "index", args{"action": "remove", "path": "nope"}, []string{`repo "nope" is not attached`}},
		{"status of unknown", "status", args{"repo": "nope"}, []string{`repo "nope" is not attached`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, isError := ask(t, session, tt.tool, tt.args)
			if !isError || !strings.HasPrefix(text, "error: ") {
				t.Fatalf("not an error:\n%s", text)
			}
			for _, part := range tt.want {
				if !strings.Contains(text, part) {
					t.Fatalf("answer lacks %q:\n%s", part, text)
				}
			}
		})
	}
}

// TestSameErrorOutside checks that an answer does not tell whether a file
// outside the repository exists.
func TestSameErrorOutside(t *testing.T) {
	t.Parallel()
	session := connect(t, serverAt(t, tree(t, "demo", demo), false), nil)
	there, _ := ask(t, session, "read", map[string]any{"path": "/etc/passwd"})
	missing, _ := ask(t, session, "read", map[string]any{"path": "/etc/passwe"})
	if want := strings.ReplaceAll(there, "passwd", "passwe"); missing != want {
		t.Fatalf("answers differ:\n%s\n%s", there, missing)
	}
}

func TestUnknownTool(t *testing.T) {
	t.Parallel()
	session := connect(t, serverAt(t, tree(t, "demo", demo), true), nil)
	_, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "serch"})
	if err == nil || !strings.Contains(err.Error(), `unknown tool "serch"; did you mean search?`) {
		t.Fatalf("error %v", err)
	}
	if _, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "index"}); err == nil {
		t.Fatal("index answers in a read-only server")
	}
}

// TestBroadStart checks that a server started in the home folder or at the top
// serves, refuses to index that, and says what to do.
func TestBroadStart(t *testing.T) {
	t.Parallel()
	root := tree(t, "demo", demo)
	for _, start := range []string{"/", filepath.Dir(root)} {
		t.Run(start, func(t *testing.T) {
			w, err := workspace.Open(workspace.Options{DataDir: t.TempDir(), Home: filepath.Dir(root)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { w.Close() })
			session := connect(t, New(Options{Workspace: w, Start: start}), nil)
			text, isError := ask(t, session, "search", map[string]any{"query": "x"})
			if !isError || !strings.Contains(text, "name one with repo") {
				t.Errorf("start in %s: %s", start, text)
			}
			if text, isError := ask(t, session, "index", map[string]any{"path": root}); isError {
				t.Errorf("index %s: %s", root, text)
			}
			if text, isError := ask(t, session, "search", map[string]any{"query": "ApplyRules", "repo": "demo"}); isError {
				t.Errorf("search in repo demo: %s", text)
			}
		})
	}
}

// settle indexes until the generation stays: files are looked at once more
// when they are as new as the first look at them.
func settle(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	last := ""
	for range 100 {
		text, isError := ask(t, session, "index", map[string]any{"format": "json"})
		if isError {
			t.Fatal(text)
		}
		_, generation, known := strings.Cut(text, `"generation":`)
		if known && generation == last {
			return
		}
		last = generation
	}
	t.Fatal("the generation does not settle")
}

// TestPages walks through an answer by its cursors and compares the pages with
// the whole.
func TestPages(t *testing.T) {
	t.Parallel()
	many := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
	for i := range 30 {
		many[fmt.Sprintf("pkg%d/file%d.go", i%3, i)] = fmt.Sprintf("package pkg\n\nfunc Needle%d() {}\n", i)
	}
	root := tree(t, "many", many)
	session := connect(t, serverAt(t, root, false), nil)
	settle(t, session)
	for _, tt := range []struct {
		tool string
		args map[string]any
	}{
		{"search", map[string]any{"query": "Needle", "mode": "literal", "format": "json"}},
		{"search", map[string]any{"query": "needle", "format": "json"}},
		{"files", map[string]any{"path": "**/*.go", "format": "json"}},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			paths := func(limit int) (all []string) {
				cursor := ""
				for {
					tt.args["limit"], tt.args["max_tokens"] = limit, 8000
					delete(tt.args, "cursor")
					if cursor != "" {
						tt.args["cursor"] = cursor
					}
					text, isError := ask(t, session, tt.tool, tt.args)
					if isError {
						t.Fatalf("%s %v: %s", tt.tool, tt.args, text)
					}
					var v struct {
						Hits, Files json.RawMessage
						Cursor      string
					}
					if err := json.Unmarshal([]byte(text), &v); err != nil {
						t.Fatal(err)
					}
					rows := v.Hits
					if tt.tool == "files" {
						rows = v.Files
					}
					var list []struct{ Path string }
					if err := json.Unmarshal(rows, &list); err != nil {
						t.Fatal(err)
					}
					for _, row := range list {
						all = append(all, row.Path)
					}
					if cursor = v.Cursor; cursor == "" {
						return all
					}
				}
			}
			whole := paths(1000)
			if len(whole) != 30 {
				t.Errorf("%s: %d results, want 30", tt.tool, len(whole))
			}
			if diff := cmp.Diff(whole, paths(7)); diff != "" {
				t.Errorf("%s: pages differ from the whole:\n%s", tt.tool, diff)
			}
		})
	}

	// A page of a state that is no more is refused.
	args := map[string]any{"query": "Needle", "mode": "literal", "limit": 3, "format": "json"}
	text, _ := ask(t, session, "search", args)
	var v struct{ Cursor string }
	if err := json.Unmarshal([]byte(text), &v); err != nil || v.Cursor == "" {
		t.Fatalf("no cursor in %s", text)
	}
	if err := os.WriteFile(filepath.Join(root, "new.go"), []byte("package many // Needle\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, isError := ask(t, session, "index", nil); isError {
		t.Fatal(text)
	}
	args["cursor"] = v.Cursor
	if text, isError := ask(t, session, "search", args); !isError || !strings.Contains(text, "the index has changed since the previous page") {
		t.Fatalf("stale cursor: %s", text)
	}
}

// TestFresh checks that an edit is seen by the next call.
func TestFresh(t *testing.T) {
	t.Parallel()
	root := tree(t, "demo", demo)
	session := connect(t, serverAt(t, root, false), nil)
	if text, _ := ask(t, session, "search", map[string]any{"query": "BrandNewName", "mode": "literal"}); !strings.HasPrefix(text, "0 of 0 lines") {
		t.Fatal(text)
	}
	if err := os.WriteFile(filepath.Join(root, "new.go"), []byte("package demo\n\nfunc BrandNewName() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, _ := ask(t, session, "search", map[string]any{"query": "BrandNewName", "mode": "literal"}); !strings.HasPrefix(text, "1 of 1 line") || !strings.Contains(text, ", fresh, ") {
		t.Fatal(text)
	}
}

// TestGlobsMeanTheSame checks that files and search let the same files through.
func TestGlobsMeanTheSame(t *testing.T) {
	t.Parallel()
	session := connect(t, serverAt(t, tree(t, "demo", demo), false), nil)
	for _, globs := range [][]string{
		{"*.go"}, {"internal"}, {"internal/"}, {"/internal"}, {"rules"}, {"/rules"}, {"./internal/**"}, {"internal/*"}, {"internal/*/*_test.go"},
		{"**/*.{go,ts}"}, {"!internal"}, {"*.go", "!*_test.go"}, {"!*.go", "!*.md"}, {"README.md/"}, {"[a-z]*.mod"}, {"**"}, {"*"}, {"odd*"}, {"nothing"},
	} {
		t.Run(fmt.Sprint(globs), func(t *testing.T) {
			paths := func(tool, rows string, args map[string]any) []string {
				args["path"], args["limit"], args["max_tokens"], args["format"] = globs, 1000, 8000, "json"
				text, isError := ask(t, session, tool, args)
				var v map[string]json.RawMessage
				var list []struct{ Path string }
				if err := json.Unmarshal([]byte(text), &v); isError || err != nil {
					t.Fatalf("%s %q: %s", tool, globs, text)
				}
				if err := json.Unmarshal(v[rows], &list); err != nil {
					t.Fatal(err)
				}
				var out []string
				for _, row := range list {
					out = append(out, row.Path)
				}
				slices.Sort(out)
				return slices.Compact(out)
			}
			listed := paths("files", "files", map[string]any{"regex": "."}) // so that one folder is not listed by level
			found := paths("search", "hits", map[string]any{"query": ".", "mode": "regex", "detail": "locate"})
			if diff := cmp.Diff(listed, found); diff != "" {
				t.Errorf("%q: files lists - and search finds +:\n%s", globs, diff)
			}
		})
	}
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	big := map[string]string{".git/HEAD": "x"}
	for i := range 300 {
		big[fmt.Sprintf("folder%d/file_with_a_rather_long_name_%d.go", i%7, i)] = strings.Repeat(fmt.Sprintf("func Needle%d() { fmt.Println(\"a line that is somewhat long\") }\n", i), 40)
	}
	session := connect(t, serverAt(t, tree(t, "big", big), false), nil)
	for _, tt := range []struct {
		tool string
		args map[string]any
	}{
		{"search", map[string]any{"query": "Needle", "mode": "literal", "limit": 2000}},
		{"search", map[string]any{"query": "needle println", "detail": "full", "limit": 2000}},
		{"files", map[string]any{"path": "**/*.go", "limit": 2000}},
		{"read", map[string]any{"path": "folder0/file_with_a_rather_long_name_0.go"}},
		{"status", nil},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			for _, bound := range []int{0, 500, 8000, 1_000_000} {
				for _, format := range []string{"text", "json"} {
					args := map[string]any{"format": format}
					for k, v := range tt.args {
						args[k] = v
					}
					want := render.DefaultTokens
					if bound > 0 {
						args["max_tokens"] = bound
						want = min(bound, render.MaxTokens)
					}
					text, isError := ask(t, session, tt.tool, args)
					if got := code.Tokens(len(text)); isError || got > want {
						t.Errorf("%s %v: %d tokens, bound %d, error %v", tt.tool, args, got, want, isError)
					} else if tt.tool == "search" && bound > 0 && got < want/2 && format == "text" {
						t.Errorf("%s %v: only %d tokens of %d used", tt.tool, args, got, want)
					}
				}
			}
		})
	}
}

// listed is the message that answers tools/list.
func listed(t *testing.T, s *Server) string {
	t.Helper()
	in, out, _ := pipes(t, s)
	answers := lines(t, out)
	if _, err := io.WriteString(in, hello+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	within(t, answers, 5*time.Second)
	return within(t, answers, 5*time.Second)
}

// TestToolList holds the tools' schemas and what they cost a client.
func TestToolList(t *testing.T) {
	session := connect(t, serverAt(t, tree(t, "demo", nil)+"", false), nil)
	start := time.Now()
	res, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 5*time.Second { // milliseconds are usual
		t.Errorf("tools/list took %v", took)
	}
	if got := code.Tokens(len(listed(t, serverAt(t, tree(t, "demo", nil), false)))); got > 1500 {
		t.Errorf("tools/list costs %d tokens, bound 1500", got)
	}
	if got := code.Tokens(len(instructions)); got > 300 {
		t.Errorf("the instructions cost %d tokens, bound 300", got)
	}
	var names []string
	for _, tool := range res.Tools {
		names = append(names, tool.Name)
		text, err := json.MarshalIndent(tool, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, tool.Name+".json", string(text)+"\n")
		if tool.Title == "" || tool.Annotations == nil || tool.Annotations.OpenWorldHint == nil || *tool.Annotations.OpenWorldHint != (tool.Name == "index") {
			t.Errorf("%s lacks a title or annotations", tool.Name)
		}
		if tool.Annotations.ReadOnlyHint != (tool.Name != "index") {
			t.Errorf("%s: readOnlyHint %v", tool.Name, tool.Annotations.ReadOnlyHint)
		}
		if len(tool.Description) > 2000 {
			t.Errorf("%s: description of %d bytes", tool.Name, len(tool.Description))
		}
	}
	if want := []string{"calls", "changes", "context", "files", "impact", "index", "outline", "overview", "read", "references", "search", "status", "symbol"}; !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
	golden(t, "instructions.txt", instructions+"\n")
}

// TestSchemas checks that each schema refuses other arguments and is understood
// by the checker, and that arguments of one name have one type everywhere.
func TestSchemas(t *testing.T) {
	t.Parallel()
	server := serverAt(t, tree(t, "demo", demo), false)
	types := map[string]string{}
	for _, tool := range server.tools() {
		t.Run(tool.name, func(t *testing.T) {
			s := tool.args.Schema
			if s.Type != "object" || s.AdditionalProperties == nil || s.AdditionalProperties.Not == nil {
				t.Error("not a closed object")
			}
			for name, p := range s.Properties {
				if !slices.Contains([]string{"string", "integer", "boolean", "array"}, p.Type) {
					t.Errorf("%s has type %q", name, p.Type)
				}
				if name == "path" {
					continue // one file, or globs
				}
				if other, ok := types[name]; ok && other != p.Type {
					t.Errorf("%s is of type %s here, %s elsewhere", name, p.Type, other)
				}
				types[name] = p.Type
			}
		})
	}
}

func TestHandshake(t *testing.T) {
	t.Parallel()
	session := connect(t, serverAt(t, tree(t, "demo", demo), false), nil)
	res := session.InitializeResult()
	if res.Instructions != instructions {
		t.Errorf("instructions %q", res.Instructions)
	}
	text, err := json.Marshal(res.Capabilities)
	if want := `{"completions":{},"logging":{},"prompts":{},"resources":{},"tools":{}}`; string(text) != want || err != nil {
		t.Errorf("capabilities %s, want %s, error %v", text, want, err)
	}
}

// FuzzArguments checks that whatever a client sends as arguments is either
// refused or decodes into the parameters.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{`{}`, `{"query":"x"}`, `{"query":5}`, `[]`, `null`, `{"query":"x","path":"a","limit":1e3}`, `{"query":"x","path":[null]}`, `{"query":"x","context":-1}`, `{"limit":1e999}`} {
		f.Add([]byte(s))
	}
	args := arguments.New("search", arguments.Schema[searchParams](types))
	f.Fuzz(func(t *testing.T, raw []byte) {
		given, err := args.Check(raw)
		if err != nil {
			if msg, _ := host.Explain(err); msg == "" {
				t.Fatal("an error says nothing")
			}
			return
		}
		if _, err := arguments.Decode[searchParams](given); err != nil {
			t.Fatalf("%q passes the check: %v", raw, err)
		}
	})
}

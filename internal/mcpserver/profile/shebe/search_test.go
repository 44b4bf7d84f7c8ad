package shebe

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestPreprocess(t *testing.T) {
	sheet.Proves(t, "search.rewrite search.literal.echo")
	for _, tt := range []struct{ query, want string }{
		{`{id}`, `\{id\}`},
		{`{a}{b}{c}`, `\{a\}\{b\}\{c\}`},
		{`function({arg})`, `function(\{arg\})`},
		{`/api/users`, `"/api/users"`},
		{`/users/{id}/roles/{role}`, `"/users/\{id\}/roles/\{role\}"`},
		{`/api/user-profiles`, `"/api/user-profiles"`},
		{`/api/users foo`, `"/api/users foo"`},
		{`myapp:calendar:read`, `"myapp:calendar:read"`},
		{`pkg:scope:name:v1`, `"pkg:scope:name:v1"`},
		{`file_path:test.rs`, `file_path:test.rs`},
		{`content:hello`, `content:hello`},
		{`auth AND session`, `auth AND session`},
		{`"exact phrase"`, `"exact phrase"`},
		{`"partial`, `"partial`},
		{`"/users/{id}"`, `"/users/\{id\}"`},
		{`  padded  `, `padded`},
	} {
		t.Run(tt.query, func(t *testing.T) {
			if got := preprocess(tt.query, false); got != tt.want {
				t.Errorf("preprocess(%q) = %q, want %q", tt.query, got, tt.want)
			}
		})
	}
	for _, tt := range []struct{ query, want string }{
		{`file:test.rs`, `file\:test.rs`},
		{`array[0]`, `array\[0\]`},
		{`func(arg)`, `func\(arg\)`},
		{`say "hello"`, `say \"hello\"`},
		{`a + b - c`, `a \+ b \- c`},
		{`a AND b`, `a AND b`},
		{`@annotation`, `\@annotation`},
		{`path\to\file`, `path\\to\\file`},
		{`!important`, `\!important`},
		{`~test^2`, `\~test\^2`},
		{`*.rs`, `\*.rs`},
		{`fmt.Printf("%s")`, `fmt.Printf\(\"%s\"\)`},
		{`/users/{id}`, `/users/\{id\}`},
		{`myapp:calendar:read`, `myapp\:calendar\:read`},
	} {
		t.Run(tt.query, func(t *testing.T) {
			if got := preprocess(tt.query, true); got != tt.want {
				t.Errorf("preprocess(%q, literal) = %q, want %q", tt.query, got, tt.want)
			}
		})
	}
}

func TestCheckFields(t *testing.T) {
	sheet.Proves(t, "search.field search.schemes")
	for _, ok := range []string{"content:test", "file_path:main.rs", "simple search query", `"file:test.rs"`, "http://example.com", "https://example.com", "std::vec", "a: b"} {
		t.Run(ok, func(t *testing.T) {
			if err := checkFields(ok); err != nil {
				t.Errorf("checkFields(%q): %s", ok, err.Message)
			}
		})
	}
	for hint, fields := range map[string]string{"file_path": "file filename path filepath name Path", "content": "code text body source src BODY"} {
		t.Run(hint, func(t *testing.T) {
			for field := range strings.FieldsSeq(fields) {
				if err := checkFields(field + ":x"); err == nil || !strings.Contains(err.Message, "\nHint: Did you mean '"+hint+"'?\n") {
					t.Errorf("checkFields(%s:x): %v, want a hint to %s", field, err, hint)
				}
			}
		})
	}
	for query, want := range map[string]string{
		"file:test.rs":  "Invalid query: Unknown field 'file'.\nValid fields: content, file_path\nHint: Did you mean 'file_path'?\nDetails: Use 'file_path:test.rs' for path matching, or search content directly.",
		"code:function": "Invalid query: Unknown field 'code'.\nValid fields: content, file_path\nHint: Did you mean 'content'?\nDetails: Use 'file_path:function' for path matching, or search content directly.",
		"xyz:something": "Invalid query: Unknown field 'xyz'.\nValid fields: content, file_path\nDetails: Use 'file_path:something' for path matching, or search content directly.",
	} {
		t.Run(query, func(t *testing.T) {
			if err := checkFields(query); err == nil || err.Message != want {
				t.Errorf("checkFields(%q): %v, want %q", query, err, want)
			}
		})
	}
}

// corpus has one file for each thing that a query is to find.
var corpus = map[string]string{
	"auth/PatientController.php": "class PatientController {\n  function authenticatePatient($id) { deprecated(); }\n}\n",
	"auth/session.go":            "package auth\n// login starts a session\nfunc Login() { authenticate() }\n",
	"api/routes.txt":             "GET /api/users/{id}\nPOST /users/{id}/roles\n",
	"api/scopes.txt":             "pkg:scope:name\nmyapp:calendar:read\n",
	"lib/print.go":               "func show() { fmt.Printf(\"%s\", x) }\n",
	"lib/array.c":                "int first(void) { return array[0] + map[key]; }\nvoid call(void) { func(arg); }\n",
	"lib/vec.cpp":                "std::vec items; foo();\n",
	"lib/odd.txt":                "a + b - c\n@x !x -foo path\\to *.rs .*\\.rs$ ~test^2\nfile:test say \"hello\" `code`\n",
	"lib/url.md":                 "See http://example.com for more.\n",
	"lib/snake.py":               "def my_func(): pass\nvalue = foo.bar\n",
	"lib/words.txt":              "async function main() {}\n",
	"lib/other.txt":              "sync function helper() {}\n",
	"lib/camel.go":               "newHTTPServer2 parseJSONValue\n",
	"text/straße.txt":            "ÜBER Straße 世界\n",
}

// found returns the files of the hits, in order.
func found(answer string) (files []string) {
	for _, line := range strings.Split(answer, "\n") {
		if rest, ok := strings.CutPrefix(line, "**File:** `"); ok {
			path, _, _ := strings.Cut(rest, "`")
			files = append(files, path)
		}
	}
	return files
}

// TestQueries asks what the reference promises, the queries that fail or find
// nothing in the original among it. Each finds just the files that are named,
// in any order.
func TestQueries(t *testing.T) {
	sheet.Proves(t, "search.words search.and search.not search.group search.dropped search.set search.phrase search.must search.all search.part search.split search.content search.path search.braces search.slashes search.special search.open search.url search.literal search.literal.blanks search.rewrite search.literal.echo")
	c := newClient(t, corpus, nil)
	c.index("q", nil)
	all := len(corpus)
	for _, tt := range []struct {
		query   string
		literal bool
		want    string // base names; a number counts them
	}{
		{"authenticate", false, "PatientController.php session.go"},
		{"content:authenticate", false, "PatientController.php session.go"},
		{"content:\"starts a session\"", false, "session.go"},
		{"file_path:controller", false, "PatientController.php"},
		{"file_path:controller AND authenticate", false, "PatientController.php"},
		{"authenticate NOT file_path:controller", false, "session.go"},
		{"file_path:(vec snake)", false, "vec.cpp snake.py"},
		{"{id}", false, "PatientController.php routes.txt"},
		{"GET /api/users/{id}", false, "routes.txt"},
		{"/users/{id}", false, "routes.txt"},
		{"pkg:scope:name", false, "scopes.txt"},
		{"myapp:calendar:read", false, "scopes.txt"},
		{"NOT deprecated", false, fmt.Sprint(all - 1)},
		{"authenticate AND NOT deprecated", false, "session.go"},
		{"authenticate NOT deprecated", false, "session.go"},
		{"authenticate -deprecated", false, "session.go"},
		{"authenticate AND (deprecated OR login)", false, "PatientController.php session.go"},
		{"authenticate AND (deprecated AND login)", false, ""},
		{`"async function"`, false, "words.txt"},
		{`"function async"`, false, ""},
		{`"async main"~1`, false, "words.txt"},
		{`"async main"`, false, ""},
		{`"async fun"*`, false, "words.txt"},
		{"async AND function", false, "words.txt"},
		{"helper OR async", false, "words.txt other.txt"},
		{"helper async", false, "words.txt other.txt"},
		{"helper OR async AND zebra", false, "other.txt"},
		{"zebra AND async OR helper", false, "other.txt"},
		{"NOT (async OR helper) AND function", false, "PatientController.php"},
		{"foo* ", false, "odd.txt vec.cpp snake.py"},
		{"items - deprecated", false, "vec.cpp PatientController.php"},
		{"+function async", false, "words.txt other.txt PatientController.php"},
		{"foo()", false, "odd.txt vec.cpp snake.py"},
		{"std::vec", false, "vec.cpp"},
		{"array[0]", false, "array.c"},
		{"*.rs", false, "odd.txt"},
		{"items - helper", false, "vec.cpp other.txt"},
		{"`code`", false, "odd.txt"},
		{`"items helper`, false, "vec.cpp other.txt"},
		{`"`, false, ""},
		{"helper AND", false, "other.txt"},
		{"AND helper", false, "other.txt"},
		{"http://example.com", false, "url.md"},
		{"helpe*", false, ""},
		{"*", false, fmt.Sprint(all)},
		{"my_func", false, "snake.py"},
		{"foo.bar", false, "snake.py"},
		{"'async function'", false, "words.txt"},
		{"[helper TO items]", false, "other.txt vec.cpp"},
		{"content: IN [helper items]", false, "other.txt vec.cpp"},
		{`content:IN ["async function" helper] AND NOT async`, false, "other.txt"},
		{"file_path: IN [vec snake]", false, "vec.cpp snake.py"},
		{"IN [helper items]^2", false, "other.txt vec.cpp"},
		{"IN []", false, ""},
		{"file_path: (vec snake)", false, "vec.cpp snake.py"},
		{"file_path: vec", false, "vec.cpp"}, // no field: the words, as of a line of code
		{"helper^2.5", false, "other.txt"},
		{"(helper)^3", false, "other.txt"},
		{"http server json", false, "camel.go url.md"},
		{"httpserver", false, "camel.go"},
		{"jsonval", false, ""},
		{"über STRASSE", false, "straße.txt"},
		{"straße", false, "straße.txt"},
		{"界", false, "straße.txt"},
		{"()", false, ""},
		{"!!!", false, ""},
		{"AUTHENTICATEPATIENT", false, "PatientController.php"},
		{`fmt.Printf("%s"`, true, "print.go"},
		{"array[0]", true, "array.c"},
		{"map[key]", true, "array.c"},
		{"func(arg)", true, "array.c"},
		{"file:test", true, "odd.txt"},
		{"{id}", true, "routes.txt"},
		{`say "hello"`, true, "odd.txt"},
		{"/users/{id}", true, "routes.txt"},
		{"*.rs", true, "odd.txt"},
		{`.*\.rs$`, true, "odd.txt"},
		{"a + b - c", true, "odd.txt"},
		{"@x", true, "odd.txt"},
		{"!x", true, "odd.txt"},
		{"-foo", true, "odd.txt"},
		{`path\to`, true, "odd.txt"},
		{"async AND function", true, ""},
		{"~test^2", true, "odd.txt"},
		{"uthenticateP", true, "PatientController.php"},
		{"AuthenticatePatient", true, ""},
		{" login ", true, "session.go"},
	} {
		t.Run(tt.query, func(t *testing.T) {
			c := c.on(t)
			answer, failed := c.Try("search_code", object{"query": tt.query, "session": "q", "k": 100, "literal": tt.literal})
			if failed != nil {
				t.Errorf("%q (literal %v): %d %s", tt.query, tt.literal, failed.Code, failed.Message)
				return
			}
			if head := fmt.Sprintf("results for query '%s' (", preprocess(tt.query, tt.literal)); !strings.Contains(answer, head) {
				t.Errorf("%q (literal %v): the answer begins %.100q, want %q in it", tt.query, tt.literal, answer, head)
			}
			var got []string
			for _, f := range found(answer) {
				got = append(got, f[strings.LastIndexByte(f, '/')+1:])
			}
			if fmt.Sprint(len(got)) == tt.want {
				return
			}
			want := strings.Fields(tt.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%q (literal %v) finds %q, want %q", tt.query, tt.literal, got, want)
			}
		})
	}
}

func TestSearchErrors(t *testing.T) {
	sheet.Proves(t, "search.query search.blank search.long search.syntax search.literal.type search.k.over search.k.under search.k.type search.field all.dots rpc.unknown")
	c := newClient(t, corpus, nil)
	c.index("q", nil)
	const bad = jsonrpc.CodeInvalidParams
	long := strings.Repeat("x", 501)
	for _, tt := range []struct {
		args    object
		code    int64
		message string
	}{
		{object{}, bad, "missing field `query`"},
		{object{"query": "x"}, bad, "missing field `session`"},
		{object{"query": 5, "session": "q"}, bad, "invalid type: integer `5`, expected a string"},
		{object{"query": nil, "session": "q"}, bad, "invalid type: null, expected a string"},
		{object{"query": "x", "session": "q", "k": "ten"}, bad, "invalid type: string \"ten\", expected a whole number for `k`"},
		{object{"query": "x", "session": "q", "literal": "yes"}, bad, "invalid type: string \"yes\", expected a boolean"},
		{object{"query": "  ", "session": "q"}, bad, "Query cannot be empty"},
		{object{"query": "", "session": "none"}, bad, "Query cannot be empty"},
		{object{"query": "x", "session": "q", "k": 101}, bad, "k cannot exceed 100"},
		{object{"query": "x", "session": "q", "k": 0}, bad, "k must be between 1 and 100"},
		{object{"query": "x", "session": "q", "k": -4}, bad, "k must be between 1 and 100"},
		{object{"query": long, "session": "q"}, bad, "Query too long: 501 characters (maximum 500)"},
		{object{"query": "x", "session": "none"}, codeSession, "Session not found: none"},
		{object{"query": "x", "session": "../q"}, bad, "Session must contain only alphanumeric, hyphen, underscore"},
		{object{"query": "x", "session": ""}, bad, "Session must be 1-64 characters"},
		{object{"query": "x", "session": "-q"}, bad, "Session must start with alphanumeric character"},
		{object{"query": "x", "session": "my-app-v1.0"}, bad, "Session must contain only alphanumeric, hyphen, underscore (use 'my-app-v1-0')"},
		{object{"query": `say "hello`, "session": "q"}, codeSearch, "Search failed: Failed to parse query: unbalanced quote at character 5"},
		{object{"query": "a AND (b OR c", "session": "q"}, codeSearch, "Search failed: Failed to parse query: unbalanced parenthesis at character 7"},
		{object{"query": "a)", "session": "q"}, codeSearch, "Search failed: Failed to parse query: unbalanced parenthesis at character 2"},
		{object{"query": "foo(", "session": "q"}, codeSearch, "Search failed: Failed to parse query: unbalanced parenthesis at character 4"},
	} {
		t.Run(tt.message, func(t *testing.T) {
			c := c.on(t)
			c.fails("search_code", tt.args, tt.code, tt.message)
		})
	}
	if got := c.Call("search_code", object{"query": strings.Repeat("é", 500), "session": "q", "unknown": 1}); !strings.HasPrefix(got, "Found 0 results") {
		t.Errorf("500 characters and an unknown argument: %q", got)
	}
}

// TestLongValues holds that no error repeats a long value whole, whichever argument
// of whichever tool has it.
func TestLongValues(t *testing.T) {
	c := newClient(t, corpus, nil)
	c.index("q", nil)
	list, err := c.Session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		for name := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			t.Run(tool.Name+" "+name, func(t *testing.T) {
				c := c.on(t)
				for kind, value := range map[string]any{"path": "/" + strings.Repeat("long/", 2000), "glob": strings.Repeat("[", 10_000), "words": strings.Repeat("x y:", 2500), "number": json.Number(strings.Repeat("9", 10_000)), "list": []string{strings.Repeat("[a", 5000)}} {
					args := object{"session": "q", "path": t.TempDir(), "file_path": "a", "pattern": "a", "query": "a", "symbol": "ab", "chunk_index": 0, "confirm": false}
					args[name] = value
					if _, err := c.Try(tool.Name, args); err != nil && len(err.Message) > 1500 {
						t.Errorf("%s: an error of %d bytes: %.300s", kind, len(err.Message), err.Message)
					}
				}
			})
		}
	}
}

// TestSearchWindows checks chunks, offsets, k and the bound of an answer.
func TestSearchWindows(t *testing.T) {
	sheet.Proves(t, "search.chunks search.k.limit search.k.max search.k.default search.literal.cross")
	c := newClient(t, map[string]string{
		"long.txt":  strings.Repeat("filler word ", 40) + "needle" + strings.Repeat(" more text", 40),
		"cross.txt": strings.Repeat("x", 95) + "0123456789" + strings.Repeat("y", 100),
		"emoji.txt": strings.Repeat("😀 ", 100) + "rocket\n",
	}, nil)
	c.index("w", object{"chunk_size": 100, "overlap": 20})
	got := c.Call("search_code", object{"query": "needle", "session": "w"})
	// Characters 480 to 486: windows begin every 80 characters.
	if !strings.Contains(got, "(chunk 5, bytes 400-500)") || !strings.Contains(got, "(chunk 6, bytes 480-580)") || len(found(got)) != 2 {
		t.Errorf("overlapping windows: %s", got)
	}
	if got := c.Call("search_code", object{"query": "needle", "session": "w", "k": 1}); len(found(got)) != 1 {
		t.Errorf("k 1: %s", got)
	}
	// A literal that crosses the end of the first window is found in those that it begins in.
	if got := c.Call("search_code", object{"query": "x0123456789y", "session": "w", "literal": true}); !strings.Contains(got, "(chunk 0, bytes 0-100)") || !strings.Contains(got, "(chunk 1, bytes 80-180)") {
		t.Errorf("a literal across windows: %s", got)
	}
	if got := c.Call("search_code", object{"query": "rocket", "session": "w"}); !strings.Contains(got, "(chunk 2, bytes 400-507)") {
		t.Errorf("windows of characters, offsets of bytes: %s", got)
	}
	c = newClient(t, corpus, nil)
	c.index("d", nil)
	if got := c.Call("search_code", object{"query": "*", "session": "d"}); len(found(got)) != 10 {
		t.Errorf("k by default: %d results, want 10", len(found(got)))
	}
	small := defaultConfig()
	small.MaxK, small.DefaultK = 2, 2
	c = newClient(t, corpus, small)
	c.index("k", nil)
	if got := c.Call("search_code", object{"query": "*", "session": "k", "k": 50}); len(found(got)) != 2 {
		t.Errorf("max_k 2: %s", got)
	}
	large := defaultConfig()
	large.MaxK, large.DefaultK = 500, 300
	c = newClient(t, corpus, large)
	c.index("l", nil)
	if got := c.Call("search_code", object{"query": "*", "session": "l"}); len(found(got)) != len(corpus) {
		t.Errorf("a configured k over 100: %s", got)
	}
}

func TestAnswerBound(t *testing.T) {
	sheet.Proves(t, "all.limit")
	c := newClient(t, map[string]string{"big.txt": strings.Repeat("needle in a line of hay\n", 20_000)}, nil)
	c.index("big", object{"chunk_size": 2000})
	got := c.Call("search_code", object{"query": "needle", "session": "big", "k": 100})
	if len(got) > 100_000 || !strings.HasSuffix(got, "of 100 results (25k token limit).") {
		t.Errorf("an answer of %d characters that ends in %q", len(got), got[len(got)-100:])
	}
	got = c.Call("find_references", object{"symbol": "needle", "session": "big", "context_lines": 10, "max_results": 500})
	if len(got) > 100_000 || !strings.HasSuffix(got, "of 20000 results (25k token limit).") {
		t.Errorf("references of %d characters that end in %q", len(got), got[len(got)-100:])
	}
	long := strings.Repeat("d", 200) + "/" + strings.Repeat("e", 200) + "/"
	files := map[string]string{"wide.txt": strings.Repeat(strings.Repeat("w", 1900)+"\n", 500)}
	for i := range 600 {
		files[fmt.Sprintf("%s%03d.txt", long, i)] = "x\n"
	}
	c = newClient(t, files, nil)
	c.index("long", object{"chunk_size": 2000})
	for _, x := range []exchange{
		{"list_dir", object{"limit": 500}}, {"find_file", object{"pattern": "*", "limit": 10000}}, {"read_file", object{"file_path": "wide.txt"}},
		{"preview_chunk", object{"file_path": "wide.txt", "chunk_index": 200, "context_lines": 100}},
	} {
		t.Run(x.tool, func(t *testing.T) {
			c := c.on(t)
			x.args["session"] = "long"
			got := c.Call(x.tool, x.args)
			if n := utf8.RuneCountInString(got); n > 100_000 || n < 20_000 {
				t.Errorf("%s answers with %d characters", x.tool, n)
			}
			if x.tool != "read_file" && !strings.Contains(got, "(25k token limit)") {
				t.Errorf("%s does not say that it was cut: %s", x.tool, got[len(got)-300:])
			}
		})
	}
	if got := c.Call("list_dir", object{"session": "long", "limit": 500}); nextPage(got) == "" {
		t.Errorf("list_dir was cut and has no cursor: %s", got[len(got)-300:])
	}
}

func TestChangedNote(t *testing.T) {
	sheet.Proves(t, "all.changed all.frozen reindex.same reindex.force")
	c := newClient(t, corpus, nil)
	c.index("n", nil)
	c.write(map[string]string{"lib/new.txt": "brandnew\n", "lib/other.txt": "changed\n"})
	const note = "NOTE: 2 files changed since this session was indexed. Use reindex_session with force=true to refresh."
	for _, x := range []exchange{
		{"search_code", object{"query": "helper", "session": "n"}},
		{"find_references", object{"symbol": "helper", "session": "n"}},
		{"list_dir", object{"session": "n"}},
		{"find_file", object{"pattern": "*.txt", "session": "n"}},
		{"get_session_info", object{"session": "n"}},
	} {
		t.Run(x.tool, func(t *testing.T) {
			c := c.on(t)
			if got := c.Call(x.tool, x.args); !strings.HasSuffix(got, "\n\n"+note) {
				t.Errorf("%s ends in %q", x.tool, got[max(0, len(got)-200):])
			}
		})
	}
	if got := c.Call("search_code", object{"query": "helper", "session": "n"}); len(found(got)) != 1 {
		t.Errorf("the session shows another state than that of its indexing: %s", got)
	}
	c.fails("reindex_session", object{"session": "n"}, codeSession, "Configuration unchanged for session 'n'. Use force=true to re-index anyway.\nCurrent config: chunk_size=512, overlap=64\n2 files changed since this session was indexed.")
	c.Call("reindex_session", object{"session": "n", "force": true})
	if got := c.Call("search_code", object{"query": "brandnew", "session": "n"}); len(found(got)) != 1 || strings.Contains(got, "NOTE:") {
		t.Errorf("after the reindex: %s", got)
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, q := range []string{`a AND (b OR "c d"~2)^2 NOT -e`, `+x -y`, `file_path:(a b)`, `foo(bar "x`, `\{id\}`, `'a`, `a)`} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		if len(query) > 2000 {
			return
		}
		for _, literal := range []bool{false, true} {
			if _, err := parseQuery(preprocess(query, literal)); err != nil && !strings.HasPrefix(err.Error(), "unbalanced ") {
				t.Errorf("parseQuery(%q): %v", query, err)
			}
		}
	})
}

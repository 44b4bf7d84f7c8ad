package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/code"
)

// seenToken is the token at the end of an answer.
var seenToken = regexp.MustCompile(`(?m)^seen: (\S+)$`)

func tokenOf(t *testing.T, answer string) string {
	t.Helper()
	m := seenToken.FindStringSubmatch(answer)
	if m == nil {
		t.Fatalf("no token in\n%s", answer)
	}
	return m[1]
}

type args = map[string]any

func TestContextTool(t *testing.T) {
	session := connect(t, serverAt(t, tree(t, "demo", demo), false), nil)
	for name, tt := range map[string]struct {
		args args
		has  []string
	}{
		"a symbol":   {args{"query": "ApplyRules"}, []string{"context of symbol internal/rules/rules.go#ApplyRules", "definition of ApplyRules", "test of ApplyRules", "called by ApplyRules", "\nseen: "}},
		"a question": {args{"query": "how are ignore rules applied"}, []string{"matches the question", "func ApplyRules"}},
		"a place":    {args{"query": "internal/rules/rules.go:6"}, []string{"holds the place: ApplyRules"}},
		"a diff":     {args{"query": "--- a/internal/rules/rules.go\n+++ b/internal/rules/rules.go\n@@ -5,1 +5,2 @@\n a\n+b\n"}, []string{"changed: ApplyRules", "test of ApplyRules"}},
		"no tests":   {args{"query": "ApplyRules", "scope": "code"}, []string{"definition of ApplyRules"}},
		"json":       {args{"query": "ApplyRules", "format": "json"}, []string{`"kind":"symbol"`, `"seen":"`, `"reason":"definition of ApplyRules"`}},
		"nothing":    {args{"query": "zebra"}, []string{"0 of 0 places", `next: search(query="zebra")`}},
	} {
		t.Run(name, func(t *testing.T) {
			text, failed := ask(t, session, "context", tt.args)
			for _, want := range tt.has {
				if failed || !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if again, _ := ask(t, session, "context", tt.args); again != text {
				t.Errorf("asked again:\n%s", again)
			}
		})
	}
	for name, tt := range map[string]struct {
		args args
		want string
	}{
		"no question":       {args{}, "query: missing"},
		"two":               {args{"query": "a", "changes": "HEAD"}, "given together"},
		"too few tokens":    {args{"query": "a", "max_tokens": 255}, "between 256 and 32768"},
		"too many":          {args{"query": "a", "max_tokens": 32769}, "between 256 and 32768"},
		"a forged token":    {args{"query": "a", "seen": "AQAA1234"}, "not a token"},
		"changes, no git":   {args{"changes": "v1..v2"}, "has no history"},
		"a line not there":  {args{"query": "web/app.ts:99"}, "web/app.ts has 3 lines"},
		"a secret":          {args{"query": ".env:1"}, ""},
		"a path outside":    {args{"query": "../../etc/passwd:1"}, ""},
		"bytes of a binary": {args{"query": "\x00\x01\x02\u202e"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text, failed := ask(t, session, "context", tt.args)
			if tt.want == "" {
				if strings.Contains(text, "TOKEN") || strings.Contains(text, "root:") || strings.Contains(text, "\u202e") {
					t.Errorf("it leaks:\n%s", text)
				}
				return
			}
			if !failed || !strings.Contains(text, tt.want) {
				t.Errorf("got %q, want %q", text, tt.want)
			}
		})
	}
}

// TestSeen passes the token of one tool to the others: what the caller holds is left
// out, and shown again once it has changed.
func TestSeen(t *testing.T) {
	root := tree(t, "demo", demo)
	session := connect(t, serverAt(t, root, false), nil)
	const file, line = "internal/rules/rules.go", "return match(path)"
	first, _ := ask(t, session, "read", args{"path": file, "seen": ""})
	token := tokenOf(t, first)
	calls := map[string]struct {
		tool string
		args args
	}{
		"read":          {"read", args{"path": file}},
		"search":        {"search", args{"query": "return match", "mode": "literal"}},
		"search words":  {"search", args{"query": "apply rules match path", "detail": "full"}},
		"symbol":        {"symbol", args{"symbol": "ApplyRules", "body": true}},
		"references":    {"references", args{"symbol": "match"}},
		"context":       {"context", args{"query": "ApplyRules"}},
		"read json":     {"read", args{"path": file, "format": "json"}},
		"search json":   {"search", args{"query": "return match", "mode": "literal", "format": "json"}},
		"symbol json":   {"symbol", args{"symbol": "ApplyRules", "body": true, "format": "json"}},
		"references in": {"references", args{"symbol": "match", "format": "json"}},
		"context json":  {"context", args{"query": "ApplyRules", "format": "json"}},
	}
	for name, c := range calls {
		t.Run(name, func(t *testing.T) {
			plain, _ := ask(t, session, c.tool, c.args)
			if !strings.Contains(plain, line) || c.tool != "context" && strings.Contains(plain, "seen") {
				t.Fatalf("without a token:\n%s", plain)
			}
			c.args["seen"] = token
			text, failed := ask(t, session, c.tool, c.args)
			if failed || strings.Contains(text, line) || !strings.Contains(text, "seen") {
				t.Errorf("with a token:\n%s", text)
			}
			if c.args["format"] == nil && !strings.Contains(text, "[shown]") {
				t.Errorf("nothing is marked:\n%s", text)
			}
		})
	}
	changed := strings.Replace(demo[file], "return match(path)", "return match(path) // now", 1)
	if err := os.WriteFile(filepath.Join(root, file), []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range calls {
		t.Run("changed, "+name, func(t *testing.T) {
			c.args["seen"] = token
			if text, failed := ask(t, session, c.tool, c.args); failed || !strings.Contains(text, line) {
				t.Errorf("a changed line is not shown again:\n%s", text)
			}
		})
	}
	for name, token := range map[string]string{"forged": "AQAA1234", "cut": token[:len(token)-3], "of another program": "eyJhIjoxfQ"} {
		t.Run(name, func(t *testing.T) {
			for tool, a := range map[string]args{"read": {"path": file}, "search": {"query": "rules"}, "symbol": {"symbol": "match"}, "references": {"symbol": "match"}} {
				a["seen"] = token
				if text, failed := ask(t, session, tool, a); !failed || !strings.Contains(text, "not a token") || !strings.Contains(text, "hint: copy it whole") {
					t.Errorf("%s: %q", tool, text)
				}
			}
		})
	}
	t.Run("of another repository", func(t *testing.T) {
		other := connect(t, serverAt(t, tree(t, "other", demo), false), nil)
		if text, failed := ask(t, other, "read", args{"path": file, "seen": token}); failed || !strings.Contains(text, line) {
			t.Errorf("lines of another repository are held:\n%s", text)
		}
	})
}

// TestQueries asks several questions in one call.
func TestQueries(t *testing.T) {
	session := connect(t, serverAt(t, tree(t, "demo", demo), false), nil)
	for name, tt := range map[string]struct {
		tool string
		args args
		has  []string
	}{
		"search":     {"search", args{"queries": []string{"ignore rules", "theme"}}, []string{`## 1 of 2: query="ignore rules"`, `## 2 of 2: query="theme"`, "web/app.ts"}},
		"symbol":     {"symbol", args{"queries": []string{"ApplyRules", "web/app.ts#nope", "match"}}, []string{"1 definition of ApplyRules", "error: symbol", "1 definition of match"}},
		"references": {"references", args{"queries": []string{"ApplyRules", "match"}}, []string{"1 reference to internal/rules/rules.go#ApplyRules", "## 2 of 2: symbol=\"match\""}},
		"read":       {"read", args{"queries": []string{"web/app.ts:1-2", "nope.go", "go.mod"}}, []string{"lines 1-2 of 3", "error: no file nope.go", "module demo"}},
		"a place":    {"symbol", args{"queries": []string{"cmd/demo/main.go:4:2"}}, []string{"## 1 of 1"}},
		"json":       {"search", args{"queries": []string{"rules", "lang:nope x"}, "format": "json"}, []string{`{"answers":[{"query":"rules"`, `{"error":"`}},
		"one token":  {"read", args{"queries": []string{"web/app.ts", "web/app.ts"}, "seen": ""}, []string{"… 3 lines [shown]", "\nseen: "}},
	} {
		t.Run(name, func(t *testing.T) {
			text, failed := ask(t, session, tt.tool, tt.args)
			for _, want := range tt.has {
				if failed || !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if strings.Count(text, "\nseen: ") > 1 {
				t.Errorf("several tokens:\n%s", text)
			}
			if tt.args["format"] == "json" && !json.Valid([]byte(text)) {
				t.Errorf("no JSON: %s", text)
			}
		})
	}
	many := make([]string, maxQueries+1)
	for i := range many {
		many[i] = fmt.Sprint("q", i)
	}
	for name, tt := range map[string]struct {
		tool string
		args args
		want string
	}{
		"both":            {"search", args{"query": "a", "queries": []string{"b"}}, "both query and queries"},
		"neither":         {"search", args{}, "needs the argument query"},
		"neither path":    {"read", args{}, "needs the argument path"},
		"too many":        {"search", args{"queries": many}, "17 queries are more than the limit of 16"},
		"a cursor":        {"search", args{"queries": []string{"a"}, "cursor": "AAAA"}, "cursor belongs to one question"},
		"too few tokens":  {"search", args{"queries": many[:10], "max_tokens": 500}, "too small for 10 queries"},
		"all wrong":       {"read", args{"queries": []string{"nope", "nada"}}, "none of the 2 queries could be answered"},
		"lines of one":    {"read", args{"queries": []string{"go.mod"}, "start_line": 1}, "belong to one path"},
		"at and queries":  {"symbol", args{"at": "a.go:1:1", "queries": []string{"a"}}, "both symbol and queries"},
		"a forged token":  {"symbol", args{"queries": []string{"match"}, "seen": "zzzz"}, "not a token"},
		"numbers as list": {"symbol", args{"queries": []int{1}}, "array of strings"},
	} {
		t.Run(name, func(t *testing.T) {
			if text, failed := ask(t, session, tt.tool, tt.args); !failed || !strings.Contains(text, tt.want) {
				t.Errorf("got %q, want %q", text, tt.want)
			}
		})
	}
}

// TestQueriesBudget holds that several answers keep to one bound, whatever they are.
func TestQueriesBudget(t *testing.T) {
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
	for i := range 40 {
		var b strings.Builder
		fmt.Fprintf(&b, "package p\n\n")
		for k := range 20 {
			fmt.Fprintf(&b, "// Common%d_%d is documented \u00e9\x1b at length, again and again.\nfunc Common%[1]d_%[2]d() { Shared() }\n\n", i, k)
		}
		files[fmt.Sprintf("f%d.go", i)] = b.String()
	}
	files["shared.go"] = "package p\n\nfunc Shared() {}\n"
	session := connect(t, serverAt(t, tree(t, "demo", files), false), nil)
	lists := map[string][]string{
		"search": {"documented at length", "Shared", "Common3_4", "nothing of it", "again"}, "symbol": {"Shared", "Common1_1", "Nope"},
		"references": {"Shared", "Common1_1", "Shared"}, "read": {"f1.go", "f2.go:3-40", "nope.go", "f3.go"},
	}
	for tool, list := range lists {
		for _, bound := range []int{700, 1500, 8000, 100_000} {
			for _, form := range []string{"text", "json"} {
				for _, held := range []bool{false, true} {
					t.Run(fmt.Sprint(tool, " ", bound, " ", form, " ", held), func(t *testing.T) {
						a := args{"queries": list, "max_tokens": bound, "format": form, "body": true}
						if tool != "symbol" {
							delete(a, "body")
						}
						if held {
							a["seen"] = ""
						}
						checkBound(t, session, tool, a, min(bound, 8000))
					})
				}
			}
		}
	}
}

func checkBound(t *testing.T, session *mcp.ClientSession, tool string, a args, bound int) {
	t.Helper()
	text, failed := ask(t, session, tool, a)
	if n := code.Tokens(len(text)); failed || n > bound {
		t.Errorf("%d tokens, bound %d:\n%.600s", n, bound, text)
	}
	if a["format"] == "json" && !json.Valid([]byte(text)) {
		t.Errorf("no JSON:\n%.600s", text)
	}
}

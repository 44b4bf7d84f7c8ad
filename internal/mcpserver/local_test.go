package mcpserver

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestLenient checks that a call as agents write it is answered as the one that is
// documented: numbers in strings, other names of arguments, absolute paths.
func TestLenient(t *testing.T) {
	root := tree(t, "demo", demo)
	session := connect(t, serverAt(t, filepath.Join(root, "internal"), false), nil)
	settle(t, session)
	type args = map[string]any
	file := filepath.Join(root, "internal/rules/rules.go")
	for _, tt := range []struct {
		tool        string
		given, same args
	}{
		{"search", args{"query": "ApplyRules", "limit": "1"}, args{"query": "ApplyRules", "limit": 1}},
		{"search", args{"query": "ApplyRules", "limit": "007"}, args{"query": "ApplyRules", "limit": 7}},
		{"search", args{"query": "ApplyRules", "mode": "literal", "word": "true"}, args{"query": "ApplyRules", "mode": "literal", "word": true}},
		{"search", args{"query": "ApplyRules", "path": `["internal/**"]`}, args{"query": "ApplyRules", "path": []string{"internal/**"}}},
		{"search", args{"query": "ApplyRules", "path": root + "/internal/**"}, args{"query": "ApplyRules", "path": "internal/**"}},
		{"search", args{"query": "ApplyRules", "path": []string{filepath.Dir(file), "!" + "*.md"}}, args{"query": "ApplyRules", "path": []string{"internal/rules", "!*.md"}}},
		{"search", args{"query": root + "/internal", "mode": "literal"}, args{"query": root + "/internal", "mode": "literal"}},
		{"symbol", args{"name": "ApplyRules"}, args{"symbol": "ApplyRules"}},
		{"symbol", args{"symbol": file + "#ApplyRules"}, args{"symbol": "internal/rules/rules.go#ApplyRules"}},
		{"symbol", args{"at": file + ":5:6"}, args{"at": "internal/rules/rules.go:5:6"}},
		{"references", args{"identifier": "ApplyRules", "max_results": "1"}, args{"symbol": "ApplyRules", "limit": 1}},
		{"impact", args{"symbol": "ApplyRules"}, args{"what": "ApplyRules"}},
		{"outline", args{"file": file}, args{"path": "internal/rules/rules.go"}},
		{"files", args{"path": root + "/internal"}, args{"path": "internal"}},
		{"overview", args{"path": root + "/internal"}, args{"path": "internal"}},
		{"read", args{"file_path": file + ":1-3"}, args{"path": "internal/rules/rules.go:1-3"}},
		{"read", args{"queries": []string{file, "web/app.ts"}}, args{"queries": []string{"internal/rules/rules.go", "web/app.ts"}}},
		{"read", args{"path": "internal/rules/rules.go#ApplyRules"}, args{"path": "internal/rules/rules.go:5-7"}},
		{"read", args{"path": "internal/rules/rules.go#L5-L7"}, args{"path": "internal/rules/rules.go:5-7"}},
		{"read", args{"path": "https://github.com/o/r/blob/main/internal/rules/rules.go#L5-L7"}, args{"path": "internal/rules/rules.go:5-7"}},
		{"calls", args{"symbol": file + ":5"}, args{"symbol": "internal/rules/rules.go:5"}},
		{"impact", args{"what": file + ":5"}, args{"what": "internal/rules/rules.go:5"}},
		{"context", args{"query": file + ":5"}, args{"query": "internal/rules/rules.go:5"}},
	} {
		t.Run(fmt.Sprint(tt.tool, " ", tt.given), func(t *testing.T) {
			got, failed := ask(t, session, tt.tool, tt.given)
			want, alsoFailed := ask(t, session, tt.tool, tt.same)
			if failed || alsoFailed || got != want {
				t.Errorf("answers\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestAbsoluteElsewhere checks that an absolute path in another attached repository
// asks that one, and that one outside of all is refused or finds nothing.
func TestAbsoluteElsewhere(t *testing.T) {
	root, other := tree(t, "demo", demo), tree(t, "other", map[string]string{"lib.go": "package lib\n\nfunc Other() {}\n"})
	session := connect(t, serverAt(t, root, false), nil)
	if text, failed := ask(t, session, "index", map[string]any{"path": other}); failed {
		t.Fatal(text)
	}
	for tool, arg := range map[string]string{"outline": "path", "read": "path", "calls": "symbol"} {
		t.Run(tool, func(t *testing.T) {
			where := filepath.Join(other, "lib.go")
			if tool == "calls" {
				where += "#Other"
			}
			got, failed := ask(t, session, tool, map[string]any{arg: where})
			want, _ := ask(t, session, tool, map[string]any{arg: where[len(other)+1:], "repo": "other"})
			if failed || got != want {
				t.Errorf("answers\n%s\nwant\n%s", got, want)
			}
		})
	}
}

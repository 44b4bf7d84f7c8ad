package mcpserver

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"espy/internal/facts"
	"espy/internal/mcpserver/host"
	"espy/internal/workspace"
)

// heldParser parses nothing until it is let go of.
type heldParser struct{}

func (heldParser) Parse(ctx context.Context, _, _ string, _ []byte) (*facts.File, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// indexGo indexes a folder by a program that can parse Go alone.
func indexGo(t *testing.T, data, root string) {
	t.Helper()
	w, err := workspace.Open(workspace.Options{DataDir: data})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := w.Attach(t.Context(), root, workspace.AttachOptions{Exact: true})
	if err == nil {
		_, err = r.Index(t.Context(), workspace.IndexOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestHalfParsed asks every question of a tree whose parser does not get on: each
// answers in its time with what is known, and says that files are not parsed.
func TestHalfParsed(t *testing.T) {
	t.Parallel()
	const timeout, slack = 4 * time.Second, 3 * time.Second // of a loaded machine
	type args = map[string]any
	for _, tt := range []struct {
		tool string
		args args
		want string // beside what is not parsed
	}{
		{"symbol", args{"symbol": "ApplyRules"}, "internal/rules/rules.go:5-7"},
		{"symbol", args{"symbol": "applyTheme"}, "web/app.ts:1"},
		{"symbol", args{"symbol": "web/app.ts#applyTheme"}, "web/app.ts:1"},
		{"references", args{"symbol": "internal/rules/rules.go#ApplyRules"}, "rules_test.go"},
		{"references", args{"symbol": "applyTheme", "union": true}, "3 possible"},
		{"references", args{"symbol": "web/app.ts#applyTheme"}, "everything that bears the name"},
		{"references", args{"symbol": "web/app.ts#applyTheme", "format": "json"}, `"of_every_name":"applyTheme"`},
		{"calls", args{"symbol": "ApplyRules", "direction": "both"}, "TestApplyRules"},
		{"hierarchy", args{"symbol": "ApplyRules"}, ""},
		{"impact", args{"what": "internal/rules/rules.go#ApplyRules"}, "TestApplyRules"},
		{"outline", args{"path": "internal/rules/rules.go"}, "ApplyRules"},
		{"context", args{"query": "ApplyRules"}, "ApplyRules"},
		{"overview", args{}, "internal/rules"},
		{"dependencies", args{"path": "internal/rules/rules.go"}, ""},
		{"links", args{}, ""},
		{"audit", args{}, ""},
		{"search", args{"query": "apply rules"}, "rules.go"},
		{"search", args{"query": "ApplyRules", "mode": "literal"}, "rules_test.go"},
		{"similar", args{"place": "internal/rules/rules.go:5-7"}, ""},
	} {
		text, _ := json.Marshal(tt.args)
		t.Run(tt.tool+string(text), func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"web/use.ts": "import { applyTheme } from './app'\napplyTheme('dark')\n"}
			for name, text := range demo {
				files[name] = text
			}
			root := tree(t, "demo", files)
			data := t.TempDir()
			indexGo(t, data, root)
			w, err := workspace.Open(workspace.Options{DataDir: data, Home: filepath.Dir(root), Parser: heldParser{}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { w.Close() })
			session := connect(t, New(Options{Workspace: w, Start: root, Toolsets: []string{"all"}, Timeout: timeout}), nil)
			began := time.Now()
			answer, isError := ask(t, session, tt.tool, tt.args)
			if d := time.Since(began); d > timeout+slack {
				t.Errorf("it took %v", d)
			}
			pending := tt.tool == "search" || tt.tool == "similar" || strings.Contains(answer, "not parsed yet") || strings.Contains(answer, `"syntax_pending_files":2`)
			if isError || !pending || !strings.Contains(answer, tt.want) {
				t.Errorf("error %v, pending told %v, want %q:\n%s", isError, pending, tt.want, answer)
			}
		})
	}
}

// TestTimeIsOver checks what the tools answer whose time is over before they have
// anything: those that read say that they are partial, in each form that can.
func TestTimeIsOver(t *testing.T) {
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	s := New(Options{Workspace: w, Toolsets: []string{"all"}})
	t.Cleanup(s.Close)
	for _, tt := range []struct {
		tool, format string
		structured   bool
		want         string // empty for an error
	}{
		{"references", "", false, "nothing found so far\npartial: the time, 9.5s, was over before anything was looked at to its end; narrow it with path, lang or scope; status shows whether indexing is in progress\n"},
		{"symbol", "json", false, `"partial":true`},
		{"search", "structured", true, `"partial":true`},
		{"dependencies", "dot", false, ""},
		{"index", "", false, ""},
	} {
		i := slices.IndexFunc(s.tools(), func(one tool) bool { return one.name == tt.tool })
		c := &host.Call{Args: map[string]json.RawMessage{}}
		if tt.format != "" {
			c.Args["format"] = json.RawMessage(strconv.Quote(tt.format))
		}
		partial := s.tools()[i].begin(c)
		if !strings.Contains(partial, tt.want) || (tt.want == "") != (partial == "") || c.Structured != tt.structured {
			t.Errorf("%s as %q: %q, structured %v", tt.tool, tt.format, partial, c.Structured)
		}
	}
}

package e2e

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestCommandsAndTools asks each question as a command with --json, and of the tool in
// pages of few tokens: both tell the same facts in the same order, with the same totals.
func TestCommandsAndTools(t *testing.T) {
	t.Parallel()
	files := map[string]string{"main.go": "package limiter\n\nimport (\n\t\"net/http\"\n\t\"os\"\n)\n\ntype Bucket interface{ Fill(int) }\n\ntype tin struct{}\n\nfunc (tin) Fill(int) {}\n\nfunc routes() {\n\tfor _, name := range os.Environ() {\n\t\tprintln(name, os.Getenv(\"LIMIT\"))\n\t}\n\thttp.HandleFunc(\"/take\", nil)\n}\n"}
	for name, text := range limiter {
		files[name] = text
	}
	for i := range 30 {
		files[fmt.Sprintf("use%02d.go", i)] = fmt.Sprintf("package limiter\n\n// Use%d is exported.\nfunc Use%d() int { return bucketRefill(%d, 1) }\n", i, i, i)
	}
	p := newPlace(t, files)
	tools := p.dial("mcp", "--toolsets", "all")
	for _, tt := range []struct {
		command []string
		tool    string
		args    map[string]any
		list    string // that pages cut
	}{
		{[]string{"symbol", "bucketRefill"}, "symbol", map[string]any{"symbol": "bucketRefill"}, "definitions"},
		{[]string{"references", "bucketRefill"}, "references", map[string]any{"symbol": "bucketRefill"}, "references"},
		{[]string{"calls", "bucketRefill", "--depth", "2"}, "calls", map[string]any{"symbol": "bucketRefill", "depth": 2}, "edges"},
		{[]string{"hierarchy", "Bucket"}, "hierarchy", map[string]any{"symbol": "Bucket"}, "relations"},
		{[]string{"impact", "bucketRefill"}, "impact", map[string]any{"what": "bucketRefill"}, "symbols"},
		{[]string{"links"}, "links", map[string]any{}, "keys"},
		{[]string{"dependencies", "main.go"}, "dependencies", map[string]any{"path": "main.go"}, "dependencies"},
		{[]string{"overview"}, "overview", map[string]any{}, ""},
		{[]string{"audit"}, "audit", map[string]any{}, "findings"},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			out, _ := p.command(append(tt.command, "--json")...).Output()
			var want map[string]any
			if err := json.Unmarshal(out, &want); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			pages := structured(t, tools, tt.tool, tt.args)
			var got []any
			for _, page := range pages {
				some, _ := page[tt.list].([]any)
				got = append(got, some...)
			}
			all, _ := want[tt.list].([]any)
			if diff := cmp.Diff(all, got); diff != "" || len(all) == 0 && tt.list != "" {
				t.Errorf("%s of %d pages (-command +tool):\n%s", tt.list, len(pages), diff)
			}
			if want["total"] != pages[0]["total"] {
				t.Errorf("total %v of the command, %v of the tool", want["total"], pages[0]["total"])
			}
		})
	}
}

// structured asks a tool for all pages of an answer.
func structured(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any) (pages []map[string]any) {
	t.Helper()
	asked := map[string]any{"format": "structured"}
	for k, v := range args {
		asked[k] = v
	}
	if tool != "overview" { // its answer is one page
		asked["max_tokens"] = 700
	}
	for range 100 {
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: asked})
		if err != nil || res.IsError {
			t.Fatalf("%s %v: %+v, error %v", tool, asked, res, err)
		}
		page := res.StructuredContent.(map[string]any)
		pages = append(pages, page)
		cursor, _ := page["cursor"].(string)
		if cursor == "" {
			return pages
		}
		asked["cursor"] = cursor
	}
	t.Fatalf("%s has no last page", tool)
	return nil
}

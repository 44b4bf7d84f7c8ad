package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// question is one call of a tool, and how the places are read from its answer.
type question struct {
	tool   string
	args   map[string]any
	places func(text string) []string
}

// comparison is a question to the native tools that a profile asks in its words.
type comparison struct {
	name        string
	native, own question
}

// profiled is a client of a profile: what it calls before it asks, the first
// time and once files have changed, and what it asks then.
type profiled struct {
	profile       string
	first, change []question
	comparisons   []comparison
}

// limiter is the repository that every profile is asked about.
var limiter = map[string]string{
	".git/HEAD":       "ref: refs/heads/main\n",
	"go.mod":          "module limiter\n\ngo 1.26\n",
	"bucket.go":       "package limiter\n\n// bucketRefill puts tokens back into the bucket as time passes.\nfunc bucketRefill(tokens, elapsed int) int {\n\treturn tokens + elapsed\n}\n",
	"server/serve.go": "package server\n\n// Serve answers requests over the network until the listener closes.\nfunc Serve(addr string) error {\n\treturn listen(addr)\n}\n",
	"take.go":         "package limiter\n\n// take removes one token, where there is one.\nfunc take(tokens int) (int, bool) {\n\ttokens = bucketRefill(tokens, 1)\n\treturn tokens - 1, tokens > 0\n}\n",
	"report.go":       "package limiter\n\nimport \"fmt\"\n\n// report prints how full it is.\nfunc report(tokens int) {\n\tfmt.Println(bucketRefill(tokens, 0))\n}\n",
}

// change moves the declaration down and adds a use.
func change(dir string) error {
	for _, name := range []string{"bucket.go", "take.go"} {
		text := strings.Replace(limiter[name], "package limiter\n", "package limiter\n\nconst rate = 1\n", 1)
		text = strings.Replace(text, "tokens - 1, tokens > 0", "bucketRefill(tokens, -1), tokens > 0", 1)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// profiledClients are the clients of every profile, for the repository in dir.
func profiledClients(dir string) []profiled {
	const sentence, name = "put tokens back into the bucket as time passes", "bucketRefill"
	inDir := regexp.QuoteMeta(dir)
	words := question{"search", map[string]any{"query": sentence}, first(`(?m)^([\w/]+\.go):\d+`)}
	declared := question{"symbol", map[string]any{"symbol": name}, all(`(?m)^([\w/]+\.go):(\d+)-`)}
	uses := question{"references", map[string]any{"symbol": name}, grouped}
	texts := question{"search", map[string]any{"query": name, "mode": "literal", "word": true}, grouped}
	return []profiled{
		{
			profile: "shebe",
			first:   []question{{tool: "index_repository", args: map[string]any{"path": dir, "session": "limiter"}}},
			change:  []question{{tool: "reindex_session", args: map[string]any{"session": "limiter", "force": true}}},
			comparisons: []comparison{
				{"words", words, question{"search_code", map[string]any{"query": sentence, "session": "limiter"}, first(inDir + `/([\w/]+\.go)`)}},
				{"texts", texts, question{"find_references", map[string]any{"symbol": name, "session": "limiter", "include_definition": true}, all(`(?m)^#### ([\w/]+\.go):(\d+)$`)}},
			},
		},
		{
			profile: "codebase-mcp",
			first:   []question{{tool: "index_repository", args: map[string]any{"path": dir, "name": "limiter"}}},
			comparisons: []comparison{
				{"words", words, question{"search_code", map[string]any{"query": sentence}, first(`"relative_path":"([^"]+)"`)}},
			},
		},
		{
			profile: "shaktiman",
			comparisons: []comparison{
				{"words", words, question{"search", map[string]any{"query": sentence}, first(`(?m)^([\w/]+\.go):\d+-`)}},
				{"declared", declared, question{"symbols", map[string]any{"name": name}, symbolRows}},
			},
		},
		{
			profile: "rust-code-mcp",
			comparisons: []comparison{
				{"words", words, question{"search", map[string]any{"keyword": sentence, "directory": dir}, first(`File: ` + inDir + `/([\w/]+\.go)`)}},
				{"declared", declared, question{"find_definition", map[string]any{"symbol_name": name, "directory": dir}, all(`(?m)^` + inDir + `/([\w/]+\.go):(\d+):\d+`)}},
				{"uses", uses, question{"find_references", map[string]any{"symbol_name": name, "directory": dir}, all(`(?m)^` + inDir + `/([\w/]+\.go):(\d+):\d+ \(reference`)}},
			},
		},
	}
}

// TestProfilesAgree has clients of every profile, each with a process of its own,
// ask over one index at the same time: the places that they are told are those of
// the native tools, before and after files change.
func TestProfilesAgree(t *testing.T) {
	t.Parallel()
	p := newPlace(t, limiter)
	clients := profiledClients(p.tree)
	native := p.connect("")
	sessions := make([]*mcp.ClientSession, len(clients))
	for i, c := range clients {
		sessions[i] = p.connect(c.profile)
	}
	for _, changed := range []bool{false, true} {
		if changed {
			if err := change(p.tree); err != nil {
				t.Fatal(err)
			}
		}
		var wait sync.WaitGroup
		for i, c := range clients {
			wait.Go(func() {
				prepare := c.first
				if changed {
					prepare = c.change
				}
				for _, q := range prepare {
					q.ask(t, sessions[i])
				}
				for _, same := range c.comparisons {
					if want, got := same.native.ask(t, native), same.own.ask(t, sessions[i]); len(want) == 0 || !slices.Equal(got, want) {
						t.Errorf("%s, %s, changed %v: told %q, by the native tools %q", c.profile, same.name, changed, got, want)
					}
				}
			})
		}
		wait.Wait()
	}
}

// connect starts the server of a profile, empty for the native tools.
func (p *place) connect(profile string) *mcp.ClientSession {
	p.t.Helper()
	args := []string{"mcp"}
	if profile != "" {
		args = append(args, "--profile", profile)
	}
	return p.dial(args...)
}

// dial starts a server on standard input and output.
func (p *place) dial(args ...string) *mcp.ClientSession {
	p.t.Helper()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(p.t.Context(), &mcp.CommandTransport{Command: p.command(args...)}, nil)
	if err != nil {
		p.t.Fatalf("%v: %v", args, err)
	}
	p.t.Cleanup(func() { s.Close() })
	return s
}

// ask returns the places of the answer, nil where none are read from it.
func (q question) ask(t *testing.T, s *mcp.ClientSession) []string {
	raw, err := json.Marshal(q.args)
	if err != nil {
		t.Error(err)
		return nil
	}
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: q.tool, Arguments: json.RawMessage(raw)})
	if err != nil || res.IsError || len(res.Content) != 1 {
		t.Errorf("%s %s: %+v, error %v", q.tool, raw, res, err)
		return nil
	}
	if q.places == nil {
		return nil
	}
	return q.places(res.Content[0].(*mcp.TextContent).Text)
}

// first reads the first place that an expression finds, all reads each once, as
// its groups with a colon between, sorted.
func first(expr string) func(string) []string {
	re := regexp.MustCompile(expr)
	return func(text string) []string {
		if m := re.FindStringSubmatch(text); m != nil {
			return []string{strings.Join(m[1:], ":")}
		}
		return nil
	}
}

func all(expr string) func(string) []string {
	re := regexp.MustCompile(expr)
	return func(text string) (places []string) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			places = append(places, strings.Join(m[1:], ":"))
		}
		slices.Sort(places)
		return slices.Compact(places)
	}
}

// symbolRows reads the rows of Shaktiman's symbols.
func symbolRows(text string) (places []string) {
	var rows []struct {
		Path string `json:"file_path"`
		Line int    `json:"line"`
	}
	if json.Unmarshal([]byte(text), &rows) != nil {
		return nil
	}
	for _, r := range rows {
		places = append(places, fmt.Sprintf("%s:%d", r.Path, r.Line))
	}
	return places
}

var (
	fileLine  = regexp.MustCompile(`^([\w/]+\.go)(?::(\d+))?`)
	placeLine = regexp.MustCompile(`^ *(\d+)[: ]`)
)

// grouped reads the places of native answers, whose lines stand below their file.
func grouped(text string) (places []string) {
	file := ""
	for line := range strings.Lines(text) {
		if m := fileLine.FindStringSubmatch(line); m != nil {
			file = m[1]
			if m[2] != "" {
				places = append(places, file+":"+m[2])
			}
		} else if m := placeLine.FindStringSubmatch(line); m != nil && file != "" {
			places = append(places, fmt.Sprintf("%s:%s", file, m[1]))
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

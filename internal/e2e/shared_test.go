package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestShared has the processes of agents served by a running server, which is killed
// then: nobody notices. One with other settings works alone.
func TestShared(t *testing.T) {
	t.Parallel()
	p := newPlace(t, rules)
	data, err := os.MkdirTemp("", "espy") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(data) })
	server, stderr := p.start("--data-dir", data, "serve", "--addr", "127.0.0.1:0")
	wantLine(t, stderr, "espy serves http://127.0.0.1:")
	session := func(args ...string) *mcp.ClientSession {
		t.Helper()
		cmd := p.command(append([]string{"--data-dir", data, "--log-level", "debug", "mcp"}, args...)...)
		log := new(strings.Builder)
		cmd.Stderr = log
		s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			s.Close()
			if alone := strings.Contains(log.String(), "no server to share"); alone != slices.Contains(args, "--show-secrets") {
				t.Errorf("alone %v: %s", alone, log)
			}
		})
		return s
	}
	wantAnswer := func(s *mcp.ClientSession) {
		t.Helper()
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "search", Arguments: json.RawMessage(`{"query":"ApplyRules","mode":"literal"}`)})
		if err != nil || res.IsError || !strings.HasPrefix(res.Content[0].(*mcp.TextContent).Text, "2 of 2 lines") {
			t.Fatalf("%+v, error %v", res, err)
		}
	}
	shared := []*mcp.ClientSession{session(), session(), session()}
	for _, profile := range []string{"shebe", "codebase-mcp", "codebase-mcp-v2"} {
		if res, err := session("--profile", profile).ListTools(t.Context(), nil); err != nil || len(res.Tools) == 0 {
			t.Errorf("profile %s: %+v, error %v", profile, res, err)
		}
	}
	other := session("--show-secrets")
	for _, s := range append(shared, other) {
		wantAnswer(s)
	}
	server.Process.Kill()
	server.Wait()
	for _, s := range append(shared, other) {
		wantAnswer(s)
	}
	if _, err := os.Stat(filepath.Join(data, "serve.sock")); err != nil {
		t.Errorf("the test wants a socket that a killed server left: %v", err)
	}
	wantAnswer(session("--show-secrets"))
}

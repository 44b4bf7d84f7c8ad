//lint:file-ignore SA1019 the suite asks for what is on its way out, too

package conformance

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect returns a client that samples, and fills in forms with a name and a colour.
func connect(t *testing.T) *mcp.ClientSession {
	t.Helper()
	s := New(nil)
	t.Cleanup(s.Close)
	in, out := mcp.NewInMemoryTransports()
	if _, err := s.Protocol().Connect(t.Context(), in, nil); err != nil {
		t.Fatal(err)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, &mcp.ClientOptions{
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Content: &mcp.TextContent{Text: "Paris"}, Role: "assistant", Model: "m"}, nil
		},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"username": "ann"}}, nil
		},
	})
	session, err := c.Connect(t.Context(), out, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// TestTools checks what the tools answer that the suite calls.
func TestTools(t *testing.T) {
	session := connect(t)
	for name, tt := range map[string]struct {
		arguments map[string]any
		want      string
		fails     bool
	}{
		"test_simple_text":        {nil, "simple text response", false},
		"test_tool_with_logging":  {nil, "logged three messages", false},
		"test_tool_with_progress": {nil, "<nil>", false},
		"test_error_handling":     {nil, "always fails", true},
		"test_x_mcp_header":       {map[string]any{"region": "eu"}, "region=eu", false},
		"test_sampling":           {map[string]any{"prompt": "capital?"}, "LLM response: Paris", false},
		"test_elicitation":        {map[string]any{"message": "who?"}, "action=accept, content=map[username:ann]", false},
		"test_missing_capability": {nil, "the client samples", false},
		"test_reconnection":       {nil, "came later", false},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: tt.arguments})
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Content[0].(*mcp.TextContent).Text; !strings.Contains(got, tt.want) || res.IsError != tt.fails {
				t.Errorf("answer %q, an error %v", got, res.IsError)
			}
		})
	}
}

// TestResources checks that what is listed can be read.
func TestResources(t *testing.T) {
	session := connect(t)
	for uri, want := range map[string]string{
		"test://static-text": "static text resource", "test://watched-resource": "Watched", "test://template/7/data": "Data for ID: 7",
	} {
		t.Run(uri, func(t *testing.T) {
			res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if err != nil || !strings.Contains(res.Contents[0].Text, want) {
				t.Errorf("%v, error %v", res, err)
			}
		})
	}
}

// TestSeal checks that a state counts only as it was given, and by whom.
func TestSeal(t *testing.T) {
	s := newSeal()
	given := s.state("2 ann")
	for name, tt := range map[string]struct {
		by    seal
		state string
		ok    bool
	}{
		"as given":   {s, given, true},
		"longer":     {s, given + "-TAMPERED", false},
		"another":    {s, "2 bob" + given[len("2 ann"):], false},
		"none":       {s, "", false},
		"not sealed": {s, "2 ann", false},
		"by another": {newSeal(), given, false},
	} {
		t.Run(name, func(t *testing.T) {
			if text, ok := tt.by.open(tt.state); ok != tt.ok || ok && text != "2 ann" {
				t.Errorf("%q, %v", text, ok)
			}
		})
	}
}

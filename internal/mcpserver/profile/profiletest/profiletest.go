// Package profiletest has a client of the protocol for the tests of profiles.
package profiletest

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/host"
)

// Client calls the tools of a server for one test.
type Client struct {
	*testing.T
	Session *mcp.ClientSession
}

// Connect serves a client over a pipe until the test ends, when the server is closed.
func Connect(t *testing.T, server *host.Server, o *mcp.ClientOptions) Client {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.ServeStdio(ctx, toServer, fromServer) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(ctx, &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
		server.Close()
	})
	return Client{t, session}
}

// Result calls a tool and returns what it answers, of one text and nothing else, or the
// error of the protocol.
func (c Client) Result(tool string, args map[string]any) (*mcp.CallToolResult, *jsonrpc.Error) {
	c.Helper()
	res, err := c.Session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return nil, c.failure(tool, args, err)
	}
	if len(res.Content) != 1 || res.StructuredContent != nil {
		c.Fatalf("%s(%.200v): %+v", tool, args, res)
	}
	return res, nil
}

// codeClosed is a code of errors that the client of the SDK takes for the end of the
// connection.
const codeClosed = -32004

// failure is the error of the protocol.
func (c Client) failure(tool string, args map[string]any, err error) *jsonrpc.Error {
	c.Helper()
	if _, message, ok := strings.Cut(err.Error(), `connection closed: calling "tools/call": `); ok {
		return &jsonrpc.Error{Code: codeClosed, Message: message}
	}
	var e *jsonrpc.Error
	if !errors.As(err, &e) {
		c.Fatalf("%s(%.200v): %v", tool, args, err)
	}
	return e
}

// Try calls a tool and returns its text, or its error. A result never is an error.
func (c Client) Try(tool string, args map[string]any) (string, *jsonrpc.Error) {
	c.Helper()
	res, err := c.Result(tool, args)
	if err != nil {
		return "", err
	}
	if res.IsError {
		c.Fatalf("%s(%.200v): %+v", tool, args, res)
	}
	return Text(res), nil
}

// Call is Try of a tool that must succeed.
func (c Client) Call(tool string, args map[string]any) string {
	c.Helper()
	text, err := c.Try(tool, args)
	if err != nil {
		c.Fatalf("%s(%.200v): %d %s %s", tool, args, err.Code, err.Message, err.Data)
	}
	return text
}

// Text is the text of a result.
func Text(res *mcp.CallToolResult) string { return res.Content[0].(*mcp.TextContent).Text }

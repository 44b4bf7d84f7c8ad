package codebase

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inSession is a transport whose session has an id.
type inSession struct {
	mcp.Transport
	id string
}

type sessionConn struct {
	mcp.Connection
	id string
}

func (c sessionConn) SessionID() string { return c.id }

func (s inSession) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := s.Transport.Connect(ctx)
	return sessionConn{conn, s.id}, err
}

// TestWorkingDirectories checks that sessions of one server have working directories
// of their own.
func TestWorkingDirectories(t *testing.T) {
	c := newClient(t, setup{profile: V2, files: map[string]string{"a.py": "def apples(): pass\n"}})
	dirs := map[string]string{}
	for _, name := range []string{"one", "two"} {
		dirs[name] = filepath.Join(t.TempDir(), name)
		file := filepath.Join(dirs[name], ".codebase-mcp", "config.json")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(`{"version": "1.0", "project": {"name": "`+name+`"}}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	server := New(V2, Options{Workspace: c.ws, Tasks: c.book, DataDir: c.data, Version: "1.2.3"})
	t.Cleanup(server.Close)
	in := func(t *testing.T, session string) *client {
		t.Helper()
		here, there := mcp.NewInMemoryTransports()
		if _, err := server.Protocol().Connect(t.Context(), inSession{there, session}, nil); err != nil {
			t.Fatal(err)
		}
		own := c.on(t)
		var err error
		if own.Session, err = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}); err != nil {
			t.Fatal(err)
		}
		return own
	}
	one, two, none := in(t, "1"), in(t, "2"), in(t, "3")
	first := into[workdir](one, "set_working_directory", object{"directory": dirs["one"]})
	second := into[workdir](two, "set_working_directory", object{"directory": dirs["two"]})
	if first.SessionID == second.SessionID {
		t.Errorf("both sessions are %s", first.SessionID)
	}
	for _, tt := range []struct {
		name    string
		session *client
		want    string
	}{
		{"first", one, first.Project.ID}, {"second", two, second.Project.ID}, {"neither", none, defaultProject.ID},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := into[foundInProject](tt.session.on(t), "search_code", object{"query": "apples"}); got.ProjectID != tt.want {
				t.Errorf("project %s, want %s", got.ProjectID, tt.want)
			}
		})
	}
}

// Package shebe answers the 14 tools of Shebe, a server for BM25 search, over
// the engine of Espy: the names, schemas, defaults, limits, errors and layout
// of answers that Shebe's clients rely on, including the queries that Shebe
// documents and refuses. It is frozen: what Espy learns shows in its own tools.
//
// A session is a view of a folder with its own patterns and chunk windows
// (package session); a tool is one function of its arguments. Query text goes
// through Shebe's rewriting (preprocess.go), whose result the answer echoes,
// and then through a parser (query.go) that keeps what the documentation of
// Shebe promises.
package shebe

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/mcpserver/host"
	"espy/internal/session"
)

// Name is what selects the profile.
const Name = "shebe"

// Options is what the profile needs.
type Options struct {
	Sessions *session.Sessions
	Version  string
	Config   *Config // nil is the default
	Log      *slog.Logger
	Now      func() time.Time // nil is the clock
}

// New returns a server of the profile.
func New(o Options) *host.Server {
	s := newServer(o)
	p := host.Profile{
		Name: "shebe-mcp", Version: o.Version, Unknown: unknownTool, Refuse: refuse, Queue: sessionOf,
		Aliases: map[string]string{"show_shebe_config": "get_config"},
	}
	for _, t := range s.tools() {
		p.Tools = append(p.Tools, host.ProfileTool{
			Name: t.name, Description: t.description, Schema: json.RawMessage(t.schema), Slow: t.slow, ReadOnly: !t.writes,
			Call: func(ctx context.Context, raw json.RawMessage, tell host.Tell) (string, error) {
				a, err := newArguments(raw)
				if err != nil {
					return "", err
				}
				answer, err := t.call(ctx, a, tell)
				return written(answer, a.shorten(err))
			},
		})
	}
	return host.NewProfile(p, o.Log)
}

// tools lists the tools in the order of the chapters of Shebe's reference.
func (s *server) tools() []tool {
	return []tool{
		s.searchCodeTool(), s.listSessionsTool(), s.getSessionInfoTool(), s.indexRepositoryTool(), s.getServerInfoTool(),
		s.getConfigTool(), s.listDirTool(), s.readFileTool(), s.deleteSessionTool(), s.findFileTool(),
		s.findReferencesTool(), s.previewChunkTool(), s.reindexSessionTool(), s.upgradeSessionTool(),
	}
}

// sessionOf returns the session that a call names: its calls keep their order.
func sessionOf(arguments json.RawMessage) string {
	var a struct{ Session string }
	if json.Unmarshal(arguments, &a) != nil {
		return ""
	}
	return a.Session
}

func unknownTool(name string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Tool not found: " + name}
}

// revision is where a request of a revision without initialize names it.
const revision = "io.modelcontextprotocol/protocolVersion"

// newer reports whether a method is one of those revisions, whose clients say so.
func newer(method string) bool {
	return method == "server/discover" || method == "subscriptions/listen"
}

// refuse says what is wrong with a message before it is decoded.
func refuse(method string, _ bool, params json.RawMessage) *jsonrpc.Error {
	switch method {
	case "initialize":
	case "tools/call":
		if len(params) == 0 || string(params) == "null" {
			return invalid("Missing params")
		}
	case "initialized", "notifications/initialized", "notifications/cancelled", "notifications/progress", "tools/list", "ping":
		return nil
	default:
		if newer(method) && bytes.Contains(params, []byte(revision)) {
			return nil
		}
		return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Unknown method: " + method}
	}
	a, err := newArguments(params)
	if err != nil {
		return invalid("Invalid params: " + err.Error())
	}
	if method == "tools/call" {
		a.text("name")
	} else {
		a.text("protocolVersion")
		a.object("capabilities")
		client := a.object("clientInfo")
		client.text("name")
		client.text("version")
		if a.err == nil {
			a.err = client.err
		}
	}
	if a.err != nil {
		return invalid("Invalid params: " + a.err.Error())
	}
	return nil
}

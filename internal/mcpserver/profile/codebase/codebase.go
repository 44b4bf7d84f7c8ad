// Package codebase answers the tools of codebase-mcp, a server for search by
// meaning and development tasks, over the engine of Espy: the names, schemas,
// defaults, limits, codes and sentences of errors, and the JSON of answers that its
// clients rely on. Profile V1 has the six tools of its reference, V2 those of later
// releases, which index in the background.
//
// A tool is one file. What it answers is one text block of compact JSON, its keys in
// the documented order, ours behind them. A failure is a JSON-RPC error.
package codebase

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/mcpserver/host"
	"espy/internal/render"
)

// The names that select the profiles.
const (
	V1 = "codebase-mcp"
	V2 = "codebase-mcp-v2"
)

// reads are the tools that change nothing, which a caller is offered who may only read.
var reads = []string{"search_code", "get_task", "list_tasks", "get_indexing_status"}

// New returns a server of one of the profiles.
func New(name string, o Options) *host.Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &server{Options: o, began: o.Now()}
	list := []tool{s.searchCodeTool(), s.indexRepositoryTool(), s.getTaskTool(), s.listTasksTool(), s.createTaskTool(), s.updateTaskTool()}
	if name == V2 {
		s.projects = newProjects(o.DataDir)
		list = []tool{s.searchProjectTool(), s.startIndexingTool(), s.indexingStatusTool(), s.setDirectoryTool()}
	}
	names := map[string]bool{}
	p := host.Profile{Name: V1, Version: o.Version, Unknown: unknownTool, Refuse: func(method string, _ bool, params json.RawMessage) *jsonrpc.Error {
		return refuse(names, method, params)
	}}
	if name == V2 {
		p.Resources = s.resources()
	}
	for _, t := range list {
		names[t.name] = true
		p.Tools = append(p.Tools, host.ProfileTool{
			Name: t.name, Description: t.description, Schema: json.RawMessage(t.schema), Slow: t.slow, ReadOnly: slices.Contains(reads, t.name),
			Call: func(ctx context.Context, raw json.RawMessage, tell host.Tell) (string, error) {
				return s.answer(ctx, t, raw, tell)
			},
		})
	}
	s.host = host.NewProfile(p, o.Log)
	return s.host
}

// slowCall is how long a call that is not meant to take long may take before the
// log names it.
const slowCall = 500 * time.Millisecond

func (s *server) answer(ctx context.Context, t tool, raw json.RawMessage, tell host.Tell) (string, error) {
	began := s.Now()
	a, err := newArguments(raw, t.schema, t.more)
	if err != nil {
		return "", err
	}
	v, err := t.call(ctx, a, tell)
	took := s.Now().Sub(began)
	s.calls.add(t.name, took, err != nil)
	if took > slowCall && !t.slow {
		s.Log.Warn("slow call", "tool", t.name, "took_ms", took.Milliseconds())
	}
	if err != nil {
		return "", s.failure(t.name, err)
	}
	return strings.TrimSuffix(string(render.JSON(v)), "\n"), nil
}

func unknownTool(name string) *jsonrpc.Error {
	return newError(jsonrpc.CodeMethodNotFound, "Method not found", "Unknown tool: "+name)
}

// refuse says what is wrong with a message before it is decoded. An unknown tool is
// refused here, since the SDK has a message of its own for its code.
func refuse(tools map[string]bool, method string, params json.RawMessage) *jsonrpc.Error {
	if method != "tools/call" {
		return nil
	}
	var call struct {
		Name      *string
		Arguments json.RawMessage
	}
	switch err := json.Unmarshal(params, &call); {
	case len(params) == 0 || string(params) == "null":
		return invalid("params: Field required")
	case err != nil:
		return invalid("params must be an object with a name and arguments")
	case call.Name == nil:
		return invalid("name: Field required")
	case !tools[*call.Name]:
		return unknownTool(*call.Name)
	case len(call.Arguments) > 0 && call.Arguments[0] != '{' && string(call.Arguments) != "null":
		return invalid(fmt.Sprintf("arguments of %s must be an object", *call.Name))
	}
	return nil
}

package mcpserver

import (
	"context"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/mcpserver/arguments"
	"espy/internal/mcpserver/cursor"
	"espy/internal/mcpserver/host"
	"espy/internal/render"
)

// tool is one tool of the server.
type tool struct {
	name, title, description string
	set                      string // of Toolsets; empty is the core
	readOnly                 bool
	adds                     bool // it asks no other machine and removes nothing, but what it adds it adds again in each call
	lane                     host.Lane
	lists                    []string // the common arguments that tools/list shows, and with a ! in front others that it does not
	args                     *arguments.Arguments
	call                     func(ctx context.Context, c *call) (string, error)
}

// with completes a tool by its handler, whose parameters are the arguments.
func with[P any](t tool, handle func(context.Context, *call, *P) (string, error)) tool {
	t.args = arguments.New(t.name, arguments.Schema[P](types))
	t.call = func(ctx context.Context, c *call) (string, error) {
		p, err := arguments.Decode[P](c.Args)
		if err != nil {
			return "", err
		}
		return handle(ctx, c, p)
	}
	return t
}

func (t tool) describe() *mcp.Tool {
	asksOthers, destructive := !t.readOnly && !t.adds, !t.adds // index may fetch from another machine
	a := &mcp.ToolAnnotations{ReadOnlyHint: t.readOnly, OpenWorldHint: &asksOthers}
	if !t.readOnly { // the other hints mean nothing for a tool that only reads
		a.IdempotentHint, a.DestructiveHint = !t.adds, &destructive
	}
	return &mcp.Tool{Name: t.name, Title: t.title, Description: t.description, InputSchema: arguments.Listed(t.args.Schema, t.lists), Annotations: a}
}

// served is the tool as a host has it.
func (s *Server) served(t tool) host.Tool {
	return host.Tool{About: t.describe(), Lane: t.lane, Args: t.args, Begin: t.begin, Call: func(ctx context.Context, hc *host.Call) (string, error) {
		c := &call{*hc}
		ctx = hc.Roots.In(ctx)
		s.localize(ctx, c)
		return t.call(ctx, c)
	}}
}

// begin settles the form of an answer. A tool that only reads answers with nothing,
// partial, where its time is over; a drawing cannot say that.
func (t tool) begin(c *host.Call) (partial string) {
	f := form(strings.Trim(string(c.Args["format"]), `"`))
	if f == formStructured {
		f, c.Structured, c.Args["format"] = formJSON, true, []byte(strconv.Quote(string(formJSON)))
	}
	if !t.readOnly || f != "" && f != formText && f != formJSON {
		return ""
	}
	return f.written(render.Late{Limit: c.Limits.Call()}, render.Options{})
}

// call is one call of a tool.
type call struct{ host.Call }

// page returns the page that a cursor of this call names.
func (c *call) page(text string) (cursor.Cursor, error) {
	return cursor.Parse(text, cursor.Question(c.Tool, c.Args))
}

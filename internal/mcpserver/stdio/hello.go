package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// introducedAgain answers a client that was introduced and initializes after that:
// one that is greeted, as it would have been answered before; one that has
// discovered the server, with what it found. Claude Code does the latter
// (github.com/anthropics/claude-code/issues/96183).
func (c *conn) introducedAgain(msg jsonrpc.Message) bool {
	req, ok := msg.(*jsonrpc.Request)
	if !ok || req.Method != initialize || !req.IsCall() {
		return false
	}
	c.mu.Lock()
	hello, found := c.hello, c.found
	c.mu.Unlock()
	switch {
	case hello != nil && c.greets:
	case found != nil:
		hello = helloOf(found, req.Params)
	default:
		return false
	}
	if hello == nil {
		return false
	}
	c.Write(context.Background(), &jsonrpc.Response{ID: req.ID, Result: hello}) //nolint:errcheck // as in accept
	return true
}

// helloOf is the answer to initialize that says what the answer to server/discover
// did: the revision is the one asked for or, where that is not served, the newest
// that has initialize. It is nil where the answer to discover says too little.
func helloOf(found, params json.RawMessage) json.RawMessage {
	var d struct {
		Meta         map[string]json.RawMessage `json:"_meta"`
		Versions     []string                   `json:"supportedVersions"`
		Capabilities json.RawMessage            `json:"capabilities"`
		Instructions string                     `json:"instructions,omitempty"`
	}
	var asked struct {
		Version string `json:"protocolVersion"`
	}
	if json.Unmarshal(found, &d) != nil || json.Unmarshal(params, &asked) != nil {
		return nil
	}
	initialized := slices.DeleteFunc(d.Versions, func(v string) bool { return v >= sessionless })
	if len(initialized) == 0 {
		return nil
	}
	version := slices.Max(initialized)
	if slices.Contains(initialized, asked.Version) {
		version = asked.Version
	}
	text, err := json.Marshal(map[string]any{
		"protocolVersion": version, "capabilities": d.Capabilities, "serverInfo": d.Meta[mcp.MetaKeyServerInfo], "instructions": d.Instructions,
	})
	if err != nil {
		panic(fmt.Errorf("stdio: encode a greeting: %w", err))
	}
	return text
}

// sessionless is the first revision without initialize.
const sessionless = "2026-07-28"

// coded gives an error a code that has none: the SDK writes 0, which says nothing.
func coded(msg jsonrpc.Message) jsonrpc.Message {
	res, ok := msg.(*jsonrpc.Response)
	if !ok || res.Error == nil || errors.As(res.Error, new(*jsonrpc.Error)) {
		return msg
	}
	told := *res
	told.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: res.Error.Error()}
	return &told
}

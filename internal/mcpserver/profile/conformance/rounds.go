//lint:file-ignore SA1019 the suite asks for what is on its way out, too

package conformance

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools of this file answer that they need something from the client, which
// calls again with it, as revision 2026-07-28 has it. What they know of the first
// call is in the state that the client gives back.

const nameForm = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`

func askName() *mcp.ElicitParams { return form("What is your name?", nameForm) }

// ask answers that a tool needs something first.
func ask(state string, requests mcp.InputRequestMap) *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: requests, RequestState: state}
}

// filled is a field of a form that the user filled in and sent, "" for none.
func filled(given mcp.InputResponseMap, form, field string) string {
	if res, ok := given[form].(*mcp.ElicitResult); ok && res != nil && res.Action == "accept" {
		s, _ := res.Content[field].(string)
		return s
	}
	return ""
}

// accepted reports whether the user sent a form.
func accepted(given mcp.InputResponseMap, form string) bool {
	res, ok := given[form].(*mcp.ElicitResult)
	return ok && res != nil && res.Action == "accept"
}

// sampled is what the client's model said.
func sampled(given mcp.InputResponseMap, name string) (said string, ok bool) {
	res, _ := given[name].(*mcp.CreateMessageWithToolsResult)
	if res == nil {
		return "", false
	}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text, true
		}
	}
	return "", true
}

// seal is what a server keeps to itself, so that nobody else makes a state.
type seal [32]byte

func newSeal() (s seal) {
	rand.Read(s[:]) //nolint:errcheck // it never fails
	return s
}

// state seals a state.
func (s seal) state(text string) string {
	mac := hmac.New(sha256.New, s[:])
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// open returns what was sealed, and whether it is as it was.
func (s seal) open(state string) (text string, ok bool) {
	i := strings.LastIndexByte(state, '.')
	if i < 0 {
		return "", false
	}
	return state[:i], hmac.Equal([]byte(s.state(state[:i])), []byte(state))
}

var errState = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState is not as it was given"}

// rounds are the tools that take more than one call.
func rounds() []tool {
	s := newSeal()
	const prefix = "test_input_required_result_"
	return []tool{
		{prefix + "elicitation", "Needs a name.", nil, needsName},
		{prefix + "sampling", "Needs what the client's model says.", nil, needsAnswer},
		{prefix + "list_roots", "Needs the client's roots.", nil, needsRoots},
		{prefix + "request_state", "Needs a name, and keeps a state.", nil, s.confirms("state-ok")},
		{prefix + "tampered_state", "Needs its state as it was.", nil, s.confirms("state-ok")},
		{prefix + "multiple_inputs", "Needs three things at once.", nil, s.needsAll},
		{prefix + "multi_round", "Needs two things, one after the other.", nil, s.needsTwo},
		{prefix + "capabilities", "Needs what the client can give.", nil, needsWhatThereIs},
	}
}

func needsName(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if name := filled(req.Params.InputResponses, "user_name", "name"); name != "" {
		return text("Hello, %s!", name), nil
	}
	return ask("", mcp.InputRequestMap{"user_name": askName()}), nil
}

func needsAnswer(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if said, ok := sampled(req.Params.InputResponses, "capital_question"); ok {
		return text("Sampling response: %s", said), nil
	}
	return ask("", mcp.InputRequestMap{"capital_question": question("What is the capital of France?")}), nil
}

func needsRoots(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if res, ok := req.Params.InputResponses["client_roots"].(*mcp.ListRootsResult); ok && res != nil {
		return text("the client has %d roots", len(res.Roots)), nil
	}
	return ask("", mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}), nil
}

// confirms is the handler of a tool that needs a form, and its state beside it.
func (s seal) confirms(done string) mcp.ToolHandler {
	return func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if state := req.Params.RequestState; state != "" {
			if _, ok := s.open(state); !ok {
				return nil, errState
			}
			if accepted(req.Params.InputResponses, "confirm") {
				return text("%s: the state came back as it was", done), nil
			}
		}
		return ask(s.state("confirm"), mcp.InputRequestMap{"confirm": form("Please confirm", `{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)}), nil
	}
}

func (s seal) needsAll(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	given := req.Params.InputResponses
	name, greeting, roots := filled(given, "user_name", "name"), "", 0
	greeting, greeted := sampled(given, "greeting")
	res, listed := given["client_roots"].(*mcp.ListRootsResult)
	if listed && res != nil {
		roots = len(res.Roots)
	}
	if name != "" && greeted && listed {
		return text("%s %s, %d roots", greeting, name, roots), nil
	}
	return ask(s.state("all"), mcp.InputRequestMap{"user_name": askName(), "greeting": question("Greet somebody."), "client_roots": &mcp.ListRootsParams{}}), nil
}

func (s seal) needsTwo(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	given := req.Params.InputResponses
	if req.Params.RequestState == "" {
		return ask(s.state("1"), mcp.InputRequestMap{"step1": form("Step 1: What is your name?", nameForm)}), nil
	}
	state, ok := s.open(req.Params.RequestState)
	if !ok {
		return nil, errState
	}
	if state == "1" {
		name := filled(given, "step1", "name")
		return ask(s.state("2 "+name), mcp.InputRequestMap{
			"step2": form("Step 2: What is your favourite colour?", `{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`),
		}), nil
	}
	return text("%s likes %s", strings.TrimPrefix(state, "2 "), filled(given, "step2", "color")), nil
}

func needsWhatThereIs(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(req.Params.InputResponses) > 0 {
		return text("the client gave what was asked for"), nil
	}
	requests, can := mcp.InputRequestMap{}, req.ClientCapabilities()
	if can != nil && can.Elicitation != nil {
		requests["user_name"] = askName()
	}
	if can != nil && can.Sampling != nil {
		requests["greeting"] = question("Greet somebody.")
	}
	if can != nil && can.RootsV2 != nil {
		requests["client_roots"] = &mcp.ListRootsParams{}
	}
	if len(requests) == 0 {
		return text("the client can give nothing"), nil
	}
	return ask("", requests), nil
}

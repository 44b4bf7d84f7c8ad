//lint:file-ignore SA1019 the suite asks for what is on its way out, too

package conformance

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// askers are the tools that ask the client something meanwhile, as revisions before
// 2026-07-28 have it.
func askers() []tool {
	return []tool{
		{"test_sampling", "Asks the client's model.", json.RawMessage(`{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`), samples},
		{"test_elicitation", "Asks the user.", json.RawMessage(`{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`),
			func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				var a struct{ Message string }
				if err := json.Unmarshal(req.Params.Arguments, &a); err != nil {
					return failed(err), nil
				}
				return elicits(ctx, req, a.Message, `{"type":"object","properties":{"username":{"type":"string","description":"Your name"},"email":{"type":"string","description":"Your address"}},"required":["username"]}`)
			}},
		{"test_elicitation_sep1034_defaults", "Asks the user, with defaults.", nil, asks(`{"type":"object","properties":{
			"name":{"type":"string","default":"John Doe"},
			"age":{"type":"integer","default":30},
			"score":{"type":"number","default":95.5},
			"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
			"verified":{"type":"boolean","default":true}}}`)},
		{"test_elicitation_sep1330_enums", "Asks the user to choose.", nil, asks(`{"type":"object","properties":{
			"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
			"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
			"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
			"untitledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}},
			"titledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","anyOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]}}}}`)},
	}
}

func samples(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var a struct{ Prompt string }
	if err := json.Unmarshal(req.Params.Arguments, &a); err != nil {
		return failed(err), nil
	}
	res, err := req.Session.CreateMessage(ctx, question(a.Prompt))
	if err != nil {
		return failed(err), nil
	}
	said, _ := res.Content.(*mcp.TextContent)
	if said == nil {
		said = words("no text")
	}
	return text("LLM response: %s", said.Text), nil
}

// question asks a client's model something.
func question(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{{Role: "user", Content: words("%s", prompt)}}}
}

// asks is the handler of a tool that asks the user to fill in a form.
func asks(schema string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return elicits(ctx, req, "Please fill this in", schema)
	}
}

func elicits(ctx context.Context, req *mcp.CallToolRequest, message, schema string) (*mcp.CallToolResult, error) {
	res, err := req.Session.Elicit(ctx, form(message, schema))
	if err != nil {
		return failed(err), nil
	}
	return text("Elicitation result: action=%s, content=%v", res.Action, res.Content), nil
}

// form asks the user to fill in a form.
func form(message, schema string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(schema)}
}

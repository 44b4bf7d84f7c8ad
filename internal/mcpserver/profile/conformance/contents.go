//lint:file-ignore SA1019 the suite asks for what is on its way out, too

package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A picture of one pixel, and a sound without samples.
var (
	picture = decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")
	sound   = decoded("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=")
)

func decoded(s string) []byte {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// embedded is a resource that stands in an answer.
func embedded(uri, text string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: text}}
}

// pause is between two messages of a tool.
const pause = 50 * time.Millisecond

// contents are the tools that answer by themselves.
var contents = []tool{
	{"test_simple_text", "Answers with a text.", nil, always(words("This is a simple text response for testing."))},
	{"test_image_content", "Answers with a picture.", nil, always(&mcp.ImageContent{Data: picture, MIMEType: "image/png"})},
	{"test_audio_content", "Answers with a sound.", nil, always(&mcp.AudioContent{Data: sound, MIMEType: "audio/wav"})},
	{"test_embedded_resource", "Answers with a resource.", nil, always(embedded("test://embedded-resource", "This is an embedded resource"))},
	{"test_multiple_content_types", "Answers with a text, a picture and a resource.", nil, always(
		words("A text beside others:"), &mcp.ImageContent{Data: picture, MIMEType: "image/png"}, embedded("test://embedded-in-multiple", "A resource beside others"),
	)},
	{"test_tool_with_logging", "Logs three messages.", nil, logs},
	{"test_tool_with_progress", "Tells its progress three times.", nil, tellsProgress},
	{"test_error_handling", "Fails.", nil, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return failed(errors.New("this tool always fails")), nil
	}},
	{"json_schema_2020_12_tool", "Has a schema that uses much of JSON Schema 2020-12.", rich, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text("called with %s", req.Params.Arguments), nil
	}},
	{"test_reconnection", "Closes its stream, and answers on the next.", nil, reconnects},
	{"test_x_mcp_header", "Has an argument that also travels in a header.", json.RawMessage(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer"}}}`), region},
	{"test_missing_capability", "Needs a client that samples.", nil, needsSampling},
	{"test_streaming_elicitation", "Answers over a stream that brings no request.", nil, always(words("answered without a request"))},
	{"test_logging_tool", "Logs one message, which only a client that wants it gets.", nil, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text("logged"), say(ctx, req, "one message")
	}},
}

// rich has what a client must get as it is.
var rich = json.RawMessage(`{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`)

func say(ctx context.Context, req *mcp.CallToolRequest, message string) error {
	return req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: message})
}

func logs(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for i, message := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if i > 0 {
			wait(ctx, pause)
		}
		if err := say(ctx, req, message); err != nil {
			return failed(err), nil
		}
	}
	return text("logged three messages"), nil
}

// wait waits for some time, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func tellsProgress(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	token := req.Params.GetProgressToken()
	for _, done := range []float64{0, 50, 100} {
		err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100, Message: fmt.Sprintf("%.0f of 100", done)})
		if err != nil {
			return failed(err), nil
		}
		wait(ctx, pause)
	}
	return text("%v", token), nil
}

func reconnects(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Extra != nil && req.Extra.CloseSSEStream != nil {
		req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
	}
	wait(ctx, 2*pause)
	return text("answered on the stream that came later"), nil
}

func region(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var a struct{ Region string }
	if err := json.Unmarshal(req.Params.Arguments, &a); err != nil {
		return failed(err), nil
	}
	return text("region=%s", a.Region), nil
}

func needsSampling(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if c := req.ClientCapabilities(); c != nil && c.Sampling != nil {
		return text("the client samples"), nil
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client does not sample", Data: data}
}

package conformance

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addResources adds the resources that the suite reads.
func addResources(m *mcp.Server) {
	for _, r := range []struct {
		name, kind, text string
		blob             []byte
	}{
		{"static-text", "text/plain", "This is the content of the static text resource.", nil},
		{"static-binary", "image/png", "", picture},
		{"watched-resource", "text/plain", "Watched resource content", nil},
	} {
		m.AddResource(&mcp.Resource{Name: r.name, URI: "test://" + r.name, MIMEType: r.kind}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return read(&mcp.ResourceContents{URI: req.Params.URI, MIMEType: r.kind, Text: r.text, Blob: r.blob}), nil
		})
	}
	m.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", URITemplate: "test://template/{id}/data", MIMEType: "application/json"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			return read(&mcp.ResourceContents{URI: req.Params.URI, MIMEType: "application/json", Text: fmt.Sprintf(`{"id": %q, "templateTest": true, "data": "Data for ID: %s"}`, id, id)}), nil
		})
}

func read(c *mcp.ResourceContents) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}
}

// addPrompts adds the prompts that the suite gets.
func addPrompts(m *mcp.Server) {
	needs := func(names ...string) (list []*mcp.PromptArgument) {
		for _, n := range names {
			list = append(list, &mcp.PromptArgument{Name: n, Required: true})
		}
		return list
	}
	m.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "A text."}, says(func(map[string]string) []mcp.Content {
		return []mcp.Content{words("This is a simple prompt for testing.")}
	}))
	m.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_arguments", Description: "A text with two arguments.", Arguments: needs("arg1", "arg2")}, says(func(a map[string]string) []mcp.Content {
		return []mcp.Content{words("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])}
	}))
	m.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "A resource.", Arguments: needs("resourceUri")}, says(func(a map[string]string) []mcp.Content {
		return []mcp.Content{embedded(a["resourceUri"], "Embedded resource content for testing."), words("Use the resource above.")}
	}))
	m.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "A picture."}, says(func(map[string]string) []mcp.Content {
		return []mcp.Content{&mcp.ImageContent{Data: picture, MIMEType: "image/png"}, words("Use the picture above.")}
	}))
	m.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Needs a context."}, needsContext)
}

// says is the handler of a prompt of some contents.
func says(contents func(arguments map[string]string) []mcp.Content) mcp.PromptHandler {
	return func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		res := &mcp.GetPromptResult{}
		for _, c := range contents(req.Params.Arguments) {
			res.Messages = append(res.Messages, &mcp.PromptMessage{Role: "user", Content: c})
		}
		return res, nil
	}
}

func needsContext(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	if given := req.Params.InputResponses; accepted(given, "user_context") {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: words("Context: %s", filled(given, "user_context", "context"))}}}, nil
	}
	return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{
		"user_context": form("In which context?", `{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}`),
	}}, nil
}

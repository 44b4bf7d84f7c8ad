package surface

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompt is a task that a person starts: what the model is told, and what Espy
// knows at the beginning.
type prompt struct {
	about mcp.Prompt
	task  func(args map[string]string) string
	calls func(args map[string]string) []call
}

var (
	ofRepo   = &mcp.PromptArgument{Name: "repo", Description: "name or path; default: of the start folder"}
	ofSymbol = &mcp.PromptArgument{Name: "symbol", Description: "name, pkg.Type.method or id", Required: true}
)

var prompts = []prompt{
	{
		mcp.Prompt{Name: "explain", Title: "Explain a symbol", Description: "What a function or type is for, how it works, who uses it.", Arguments: []*mcp.PromptArgument{ofSymbol, ofRepo}},
		func(a map[string]string) string {
			return fmt.Sprintf("Explain %s: what it is for, how it works step by step, who uses it and what they rely on, and what is surprising. Name files and lines. Look at more with symbol, calls and references where it is needed.", a["symbol"])
		},
		func(a map[string]string) []call {
			return []call{{"context", with(a, map[string]any{"query": a["symbol"], "max_tokens": maxTokens / 2})}}
		},
	},
	{
		mcp.Prompt{Name: "review", Title: "Review a change", Description: "What differs from HEAD or a commit, what it may break, which tests to run.", Arguments: []*mcp.PromptArgument{
			{Name: "since", Description: "commit or day; default: HEAD"}, ofRepo,
		}},
		func(map[string]string) string {
			return "Review this change. For each changed symbol: is it right, does it fit those that use it, is it tested? Read the code with read and symbol before you judge, and say which tests to run. Report problems by file and line, the worst first; say so where there is none."
		},
		func(a map[string]string) []call {
			return []call{{"changes", with(a, since(a, "since"))}, {"impact", with(a, since(a, "since"))}}
		},
	},
	{
		mcp.Prompt{Name: "rename", Title: "Plan a rename", Description: "Every place to change with a symbol, and those that may mean it.", Arguments: []*mcp.PromptArgument{
			ofSymbol, {Name: "to", Description: "the new name", Required: true}, ofRepo,
		}},
		func(a map[string]string) string {
			return fmt.Sprintf("Plan the rename of %s to %s. List every line to change, file by file; judge each possible use by reading it; name what a search for the text alone would miss or hit by mistake (strings, documentation, generated code, names of files). Change nothing yet.", a["symbol"], a["to"])
		},
		func(a map[string]string) []call {
			return []call{{"references", with(a, map[string]any{"symbol": a["symbol"], "union": true, "limit": 200, "max_tokens": maxTokens})}}
		},
	},
}

// with adds the repository that a prompt names.
func with(a map[string]string, args map[string]any) map[string]any {
	if a["repo"] != "" {
		args["repo"] = a["repo"]
	}
	return args
}

// since is the argument of that name, where it is given.
func since(a map[string]string, name string) map[string]any {
	if a[name] == "" {
		return map[string]any{}
	}
	return map[string]any{name: a[name]}
}

// handler answers a prompt: the task, and then the answers of its calls.
func (p *prompt) handler(from Source) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		args := req.Params.Arguments
		for _, a := range p.about.Arguments {
			if a.Required && strings.TrimSpace(args[a.Name]) == "" {
				return nil, fmt.Errorf("the prompt %s needs the argument %s: %s", p.about.Name, a.Name, a.Description)
			}
		}
		res := &mcp.GetPromptResult{Description: p.about.Description, Messages: []*mcp.PromptMessage{said(p.task(args))}}
		for _, c := range p.calls(args) {
			text, err := c.ask(ctx, from)
			if err != nil {
				return nil, told(err)
			}
			res.Messages = append(res.Messages, said(fmt.Sprintf("Espy's answer to %s:\n\n%s", c.tool, text)))
		}
		return res, nil
	}
}

func said(text string) *mcp.PromptMessage {
	return &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: text}}
}

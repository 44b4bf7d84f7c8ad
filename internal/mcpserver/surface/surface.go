// Package surface offers what a client shows to people beside tools: files and
// symbols as resources, prompts, and completion of their arguments. All of it is
// made of the answers of tools.
package surface

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/usage"
)

// Source answers for the server.
type Source interface {
	// Ask answers a call of a tool, as a client's is answered.
	Ask(ctx context.Context, tool string, arguments json.RawMessage) (string, error)

	// Repos are the names of the attached repositories.
	Repos(ctx context.Context) ([]string, error)

	// Paths are those of the files of a repository that begin with a text, Symbols
	// the names of its symbols that do, letter case aside. An empty repository is
	// that of the start folder. Both may be cut at Most + 1.
	Paths(ctx context.Context, repo, prefix string) ([]string, error)
	Symbols(ctx context.Context, repo, prefix string) ([]string, error)
}

// Most is how many values complete an argument at most, as the protocol bounds them.
const Most = 100

// most bounds an answer in a resource or a prompt, in tokens.
const most = 8000

// scheme is that of the addresses of resources.
const scheme = "espy"

// Add adds the resources and the prompts to a server.
func Add(s *mcp.Server, from Source) {
	for _, r := range resources {
		read := r.reader(from)
		if strings.Contains(r.uri, "{") {
			s.AddResourceTemplate(&mcp.ResourceTemplate{Name: r.name, Title: r.title, Description: r.description, URITemplate: r.uri, MIMEType: "text/plain"}, read)
		} else {
			s.AddResource(&mcp.Resource{Name: r.name, Title: r.title, Description: r.description, URI: r.uri, MIMEType: "text/plain"}, read)
		}
	}
	for _, p := range prompts {
		s.AddPrompt(&p.about, p.handler(from))
	}
}

// call is a call of a tool.
type call struct {
	tool string
	args map[string]any
}

func (c call) ask(ctx context.Context, from Source) (string, error) {
	raw, err := json.Marshal(c.args)
	if err != nil {
		return "", err
	}
	return from.Ask(ctx, c.tool, raw)
}

// resource is an address, or a template of addresses, and the call that reads it.
type resource struct {
	name, title, description, uri string
	call                          func(repo, rest string) call
}

var resources = []resource{
	{"status", "Index status", "Attached repositories, and how fresh they are.", scheme + ":///status", func(string, string) call {
		return call{"status", nil}
	}},
	{"overview", "Map of this repository", "Languages, entry points, areas, hot spots.", scheme + ":///overview", func(string, string) call {
		return call{"overview", nil}
	}},
	{"repository", "Map of a repository", "Languages, entry points, areas, hot spots.", scheme + "://{repo}/overview", func(repo, _ string) call {
		return call{"overview", map[string]any{"repo": repo}}
	}},
	{"file", "File", "A file, or lines of it as path:FIRST-LAST.", scheme + "://{repo}/file/{+path}", func(repo, path string) call {
		return call{"read", map[string]any{"repo": repo, "path": path, "max_tokens": most}}
	}},
	{"symbol", "Symbol", "Definitions of a name or an id, with their code.", scheme + "://{repo}/symbol/{+symbol}", func(repo, symbol string) call {
		return call{"symbol", map[string]any{"repo": repo, "symbol": symbol, "body": true, "max_tokens": most}}
	}},
}

// reader reads a resource.
func (r *resource) reader(from Source) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		repo, rest, err := parse(req.Params.URI)
		if err != nil {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		text, err := r.call(repo, rest).ask(ctx, from)
		if err != nil {
			return nil, told(err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, Text: text}}}, nil
	}
}

// parse takes an address apart: the repository, and what is behind its kind.
func parse(uri string) (repo, rest string, err error) {
	tail, ok := strings.CutPrefix(uri, scheme+"://")
	if !ok {
		return "", "", fmt.Errorf("not an address of %s", scheme)
	}
	repo, tail, _ = strings.Cut(tail, "/")
	_, rest, _ = strings.Cut(tail, "/")
	if repo, err = url.PathUnescape(repo); err == nil {
		rest, err = url.PathUnescape(rest)
	}
	return repo, rest, err
}

// told is an error in the words that a client shows.
func told(err error) error {
	msg, hint := usage.Explain(err)
	if hint != "" {
		msg += "; " + hint
	}
	return fmt.Errorf("%s", msg)
}

// Complete completes an argument of a prompt or of a template of resources.
func Complete(from Source) func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return func(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		var repo string
		if c := req.Params.Context; c != nil {
			repo = c.Arguments["repo"]
		}
		list, err := values(ctx, from, repo, req.Params.Argument)
		if err != nil {
			return nil, told(err)
		}
		d := mcp.CompletionResultDetails{Values: list, HasMore: len(list) > Most}
		if d.HasMore {
			d.Values = list[:Most]
		} else {
			d.Total = len(list)
		}
		return &mcp.CompleteResult{Completion: d}, nil
	}
}

// values are those that an argument may have. One that is not known has none.
func values(ctx context.Context, from Source, repo string, a mcp.CompleteParamsArgument) ([]string, error) {
	switch a.Name {
	case "repo":
		all, err := from.Repos(ctx)
		return slices.DeleteFunc(all, func(name string) bool { return !strings.HasPrefix(strings.ToLower(name), strings.ToLower(a.Value)) }), err
	case "path":
		return from.Paths(ctx, repo, a.Value)
	case "symbol":
		return from.Symbols(ctx, repo, a.Value)
	}
	return []string{}, nil
}

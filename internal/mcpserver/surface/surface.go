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
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"espy/internal/complete"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Source answers for the server.
type Source interface {
	// Ask answers a call of a tool, as a client's is answered.
	Ask(ctx context.Context, tool string, arguments json.RawMessage) (string, error)

	// Repos are the attached repositories. Repo is the one of a name, of the start
	// folder without one.
	Repos(ctx context.Context) ([]*workspace.Repo, error)
	Repo(ctx context.Context, name string) (*workspace.Repo, error)
}

// most is how many values complete an argument at most, as the protocol bounds them.
const most = 100

// maxTokens bounds an answer in a resource or a prompt.
const maxTokens = 8000

// Icon is a lens over lines of code.
const Icon = "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2024%2024'%20fill='none'%20stroke='%23888'%20stroke-width='2'%20stroke-linecap='round'%3E%3Cpath%20d='M3%205h9M3%2010h4M3%2015h4M16.5%2016.5L21%2021'/%3E%3Ccircle%20cx='13'%20cy='13'%20r='5'/%3E%3C/svg%3E"

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
		return call{"read", map[string]any{"repo": repo, "path": path, "max_tokens": maxTokens}}
	}},
	{"symbol", "Symbol", "Definitions of a name or an id, with their code.", scheme + "://{repo}/symbol/{+symbol}", func(repo, symbol string) call {
		return call{"symbol", map[string]any{"repo": repo, "symbol": symbol, "body": true, "max_tokens": maxTokens}}
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
		d := mcp.CompletionResultDetails{Values: append([]string{}, list...), HasMore: len(list) > most} // never null
		if d.HasMore {
			d.Values = list[:most]
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
		return repos(ctx, from, a.Value)
	case "path":
		return begin(ctx, from, complete.Paths, repo, a.Value)
	case "symbol":
		return begin(ctx, from, complete.Symbols, repo, a.Value)
	}
	return nil, nil
}

// repos are the names of repositories that begin with a text, letter case aside.
func repos(ctx context.Context, from Source, prefix string) (names []string, err error) {
	all, err := from.Repos(ctx)
	for _, r := range all {
		if strings.HasPrefix(strings.ToLower(r.Name()), strings.ToLower(prefix)) {
			names = append(names, r.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

// wait is how long a completion waits for the index.
const wait = 2 * time.Second

// finder finds what begins with a text in a repository.
type finder func(context.Context, *workspace.Repo, string, int, workspace.Wait) ([]string, error)

func begin(ctx context.Context, from Source, find finder, repo, prefix string) ([]string, error) {
	r, err := from.Repo(ctx, repo)
	if err != nil {
		return nil, err
	}
	return find(ctx, r, prefix, most+1, workspace.Wait{First: wait, Fresh: wait})
}

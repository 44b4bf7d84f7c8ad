package mcpserver

import (
	"context"

	"espy/internal/code"
	"espy/internal/files"
	"espy/internal/render"
)

const filesSchema = `{
	"type": "object",
	"properties": {
		"path": {"type": "array", "items": {"type": "string"}, "description": "a folder, or globs, ! excludes"},
		"regex": {"type": "string", "description": "on the path"},
		"lang": {"type": "array", "items": {"type": "string"}},
		"scope": {"type": "string", "enum": ["all", "code", "test", "docs", "deps"]},
		"excluded": {"type": "boolean"},
		"unparsed": {"type": "boolean", "description": "files without symbols, and why"},
		"repo": {"type": "string"},
		"ref": {"type": "string"},
		"limit": {"type": "integer", "minimum": 1},
		"cursor": {"type": "string"},
		"max_tokens": {"type": "integer", "minimum": 100},
		"format": {"type": "string", "enum": ["text", "json"]}
	},
	"additionalProperties": false
}`

type filesParams struct {
	Path      []string   `json:"path"`
	Regex     string     `json:"regex"`
	Lang      []string   `json:"lang"`
	Scope     code.Scope `json:"scope"`
	Excluded  bool       `json:"excluded"`
	Unparsed  bool       `json:"unparsed"`
	Repo      string     `json:"repo"`
	Ref       string     `json:"ref"`
	Limit     int        `json:"limit"`
	Cursor    string     `json:"cursor"`
	MaxTokens int        `json:"max_tokens"`
	Format    string     `json:"format"`
}

// defaultFiles is how many files one answer lists.
const defaultFiles = 200

func (s *Server) filesTool() tool {
	return tool{
		name: "files", title: "List files", readOnly: true, schema: filesSchema,
		description: `List a folder, or find files by glob or regex, with size, lines and language. excluded=true tells what is not indexed and why.`,
		call:        s.listFiles,
	}
}

func (s *Server) listFiles(ctx context.Context, c *call) (string, error) {
	var p filesParams
	if err := c.into(&p); err != nil {
		return "", err
	}
	repos, err := s.reposAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	page, err := parseCursor(p.Cursor, question("files", c.args))
	if err != nil {
		return "", err
	}
	req := p.request()
	req.Offset = page.offset
	list, err := files.Find(ctx, repos, c.wait(), req)
	if err != nil {
		return "", s.notReady(ctx, repos, err)
	}
	if page, err = page.at(list.Repos); err != nil {
		return "", err
	}
	o := render.Options{MaxTokens: tokens(p.MaxTokens), Calls: render.ToolCalls, Repo: oneRepo(p.Repo), Cursor: page.next(), Ref: p.Ref}
	if p.Format == "json" {
		text, _ := render.FilesJSONPage(list, o)
		return string(text), nil
	}
	return render.Files(list, o), nil
}

// request makes the list's request: one level of a folder when no more than a
// folder is named, else every file that matches.
func (p *filesParams) request() files.Request {
	req := files.Request{Regex: p.Regex, Languages: p.Lang, Scope: p.Scope, Excluded: p.Excluded, Unparsed: p.Unparsed, Limit: p.Limit}
	if req.Limit == 0 {
		req.Limit = defaultFiles
	}
	for _, g := range p.Path {
		req.Paths = append(req.Paths, render.ParseName(g))
	}
	plain := len(req.Paths) == 0 || len(req.Paths) == 1 && !files.IsGlob(req.Paths[0])
	if plain && p.Regex == "" && len(p.Lang) == 0 && !p.Excluded && !p.Unparsed {
		req.Folders = true
		if len(req.Paths) == 1 {
			req.Folder = render.FromRoot(req.Paths[0])
			req.Paths = nil
		}
	}
	return req
}

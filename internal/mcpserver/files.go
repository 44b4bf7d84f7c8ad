package mcpserver

import (
	"context"

	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/files"
	"espy/internal/mcpserver/host"
	"espy/internal/place"
	"espy/internal/render"
)

type filesParams struct {
	Path     []string   `json:"path,omitempty" jsonschema:"a folder, or globs"`
	Regex    string     `json:"regex,omitempty" jsonschema:"on the path"`
	Lang     []string   `json:"lang,omitempty"`
	Scope    code.Scope `json:"scope,omitempty"`
	Excluded bool       `json:"excluded,omitempty"`
	Unparsed bool       `json:"unparsed,omitempty"`
	atParams
	pageParams
	formParams
}

// defaultFiles is how many files one answer lists.
const defaultFiles = 200

func (s *Server) filesTool() tool {
	return with(tool{
		name: "files", title: "Files", readOnly: true, lane: host.Quick,
		description: `List a folder, or find files by glob or regex. excluded=true: what is not indexed, and why.`,
	}, s.listFiles)
}

func (s *Server) listFiles(ctx context.Context, c *call, p *filesParams) (string, error) {
	repos, err := s.reposAt(ctx, p.Repo, p.Ref)
	if err != nil {
		return "", err
	}
	repos, notes, err := deps.InScope(ctx, s.ws, repos, p.Scope, c.wait())
	if err != nil {
		return "", err
	}
	page, err := c.page(p.Cursor)
	if err != nil {
		return "", err
	}
	req := p.request()
	req.Offset = page.Offset
	list, err := files.Find(ctx, repos, c.wait(), req)
	if err == nil && list.Total == 0 && req.Folder != "" { // no folder: the name or path of files
		req.Paths, req.Folder, req.Folders = []string{files.Escape(req.Folder)}, "", false
		list, err = files.Find(ctx, repos, c.wait(), req)
	}
	if err != nil {
		return "", s.notReady(ctx, repos, err)
	}
	if page, err = page.At(list.Repos); err != nil {
		return "", err
	}
	list.Notes = notes
	return p.written(render.Files{List: list}, s.shown(p.options(page))), nil
}

// request lists one level of a folder if nothing but a folder is named, or else
// every file that matches.
func (p *filesParams) request() files.Request {
	req := files.Request{Regex: p.Regex, Languages: p.Lang, Scope: p.Scope, Excluded: p.Excluded, Unparsed: p.Unparsed, Limit: int(p.Limit)}
	if req.Limit == 0 {
		req.Limit = defaultFiles
	}
	for _, g := range p.Path {
		req.Paths = append(req.Paths, place.ParseName(g))
	}
	folder, plain := "", len(req.Paths) == 0
	if len(req.Paths) == 1 {
		folder, plain = files.Unescape(req.Paths[0])
	}
	if plain && p.Regex == "" && len(p.Lang) == 0 && !p.Excluded && !p.Unparsed {
		req.Folders = true
		if len(req.Paths) == 1 {
			req.Folder = place.FromRoot(folder)
			req.Paths = nil
		}
	}
	return req
}

package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"espy/internal/files"
	"espy/internal/locate"
	"espy/internal/mcpserver/arguments"
	"espy/internal/mcpserver/cursor"
	"espy/internal/mcpserver/host"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/seen"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/indexed"
)

type readParams struct {
	Path string `json:"path,omitempty" jsonschema:"file, file:LINE, file:FIRST-LAST, file#Name"`
	queriesParams
	StartLine positive `json:"start_line,omitempty"`
	EndLine   positive `json:"end_line,omitempty"`
	scopeParams
	atParams
	formParams
	seenParams
}

func (s *Server) readTool() tool {
	return with(tool{
		name: "read", title: "Read", readOnly: true, lane: host.Quick, lists: []string{"queries"},
		description: `Read a file, whole or by lines, numbered.`,
	}, s.read)
}

func (s *Server) read(ctx context.Context, c *call, p *readParams) (string, error) {
	in := reading{server: s, call: c}
	if p.Seen != nil {
		var err error
		if in.held, err = seen.Parse(*p.Seen, in.text); err != nil {
			return "", err
		}
	}
	if len(p.Queries) == 0 {
		if err := c.missing("path"); err != nil {
			return "", err
		}
		return in.read(ctx, p)
	}
	if p.StartLine > 0 || p.EndLine > 0 {
		return "", &usage.Error{Msg: "start_line and end_line belong to one path", Hint: `write the lines behind each: queries=["a.go:10-20", "b.go:5"]`}
	}
	in.several = true
	all := several{call: c, arg: "path", alone: p.Path, list: p.Queries, form: p.formParams, seen: in.held}
	return all.ask(ctx, func(_ *call, path string, form formParams) (string, error) {
		one := *p
		one.Path, one.formParams = path, form
		return in.read(ctx, &one)
	})
}

// reading is one call of read, of one file or several.
type reading struct {
	server  *Server
	call    *call
	held    *seen.Lines
	several bool
	files   []*render.File // that were read
}

// text finds the lines of a file that was read.
func (in *reading) text(repo, path string) []string {
	for _, f := range in.files {
		if f.Repo == repo && f.Path == path {
			return seen.Split(f.Content)
		}
	}
	return nil
}

func (in *reading) read(ctx context.Context, p *readParams) (string, error) {
	s := in.server
	if err := in.enter(ctx, p); err != nil {
		return "", err
	}
	r, rel, err := s.file(ctx, p.Repo, p.Path)
	if err != nil {
		return "", err
	}
	if r, err = r.At(ctx, p.Ref); err != nil {
		return "", err
	}
	fresh := r.FreshnessAsIs()
	content, err := r.Read(ctx, rel)
	if strings.Contains(rel, "#") && errors.Is(err, fs.ErrNotExist) {
		if err := in.takeSymbol(ctx, r, p); err != nil {
			return "", err
		}
		fresh = r.FreshnessAsIs() // the question may have indexed the folder
		content, err = r.Read(ctx, p.Path)
	}
	if err != nil {
		return "", s.unreadable(ctx, r, rel, err, p.options(cursor.Cursor{}))
	}
	f := &render.File{Repo: r.Name(), Path: content.Entry.Path, Content: content.Text, Start: int(p.StartLine), End: int(p.EndLine), Freshness: fresh}
	in.files = append(in.files, f)
	return p.written(f, s.shown(render.Options{Repo: oneRepo(p.Repo), Ref: p.Ref, Seen: in.held, Several: in.several, Tasks: s.near(ctx, r)})), nil
}

// enter goes into the package that a path is of, and takes its lines.
func (in *reading) enter(ctx context.Context, p *readParams) error {
	p.Path = p.inPackage(p.Path)
	if p.Scope != "" {
		r, err := in.server.repo(ctx, p.Repo)
		if err == nil {
			r, p.Path, err = in.server.inScope([]*workspace.Repo{r}, p.Scope, in.call).At(ctx, p.Path)
		}
		if err != nil {
			return err
		}
		p.of(r)
	}
	at, err := arguments.Lines(p.Path, int(p.StartLine), int(p.EndLine))
	p.Path, p.StartLine, p.EndLine = at.Path, positive(at.First), positive(at.Last)
	return err
}

// takeSymbol makes the id of a symbol the path and the lines of its declaration, and where
// nothing is called so a#L10-L20 these lines of a.
func (in *reading) takeSymbol(ctx context.Context, r *workspace.Repo, p *readParams) error {
	req := nav.SymbolRequest{Target: locate.Target{Name: p.Path}, Limit: 1}
	found, _, err := r.Symbols(ctx, req, in.call.wait())
	at, ok := place.Anchored(p.Path)
	if err == nil && len(found.Definitions) > 0 {
		d := &found.Definitions[0]
		at = place.Place{Path: d.Path, First: d.Line, Last: d.EndLine}
	} else if !ok {
		return cmp.Or[error](err, &usage.Error{Msg: fmt.Sprintf("path %q names no file and no symbol", p.Path), Hint: "files() lists the files, outline(path=FILE) the symbols of one"})
	}
	p.Path, p.StartLine, p.EndLine = at.Path, positive(at.First), positive(at.Last)
	return nil
}

// file returns the repository of a path argument and the path in it. A path
// that leaves the repository is refused without access to the file system.
func (s *Server) file(ctx context.Context, ref, name string) (*workspace.Repo, string, error) {
	if name == "" || strings.ContainsRune(name, 0) {
		return nil, "", &usage.Error{Msg: fmt.Sprintf("path %q names no file", name), Hint: "files() lists what there is"}
	}
	if filepath.IsAbs(name) && ref == "" { // localize makes one below a root relative
		return nil, "", &usage.Error{
			Msg:  "path " + name + " is outside the attached repositories",
			Hint: `paths are relative to the root of the repository; index(path="/path/to/repository") attaches another`,
		}
	}
	r, err := s.repo(ctx, ref)
	if err != nil {
		return nil, "", err
	}
	rel := path.Clean(filepath.ToSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return nil, "", outside(name, r)
	}
	return r, rel, nil
}

func outside(name string, r *workspace.Repo) error {
	return &usage.Error{Msg: fmt.Sprintf("path %q is outside repo %s", name, place.Name(r.Name())), Hint: "paths are relative to the root " + place.Name(r.Root())}
}

// unreadable says why a file cannot be read. If it does not exist, the hint names
// similar files.
func (s *Server) unreadable(ctx context.Context, r *workspace.Repo, rel string, err error, o render.Options) error {
	o.Calls = render.ToolCalls
	if errors.Is(err, indexed.ErrFolder) {
		return &usage.Error{Msg: place.Name(rel) + " is a folder", Hint: o.PathCall("files", rel) + " lists it, " + o.PathCall("outline", rel) + " what its files declare"}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return &usage.Error{Msg: err.Error(), Hint: o.PathCall("files", path.Dir(rel)) + " lists the files there, files(excluded=true) those that are left out and why"}
	}
	return files.Missing(ctx, r, rel, files.Calls{List: "files()", Excluded: "files(excluded=true)", Symbol: "symbol(symbol=%q, body=true)"})
}

package codebase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"espy/internal/discover"
	"espy/internal/mcpserver/host"
	"espy/internal/news"
	"espy/internal/progress"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
)

const indexRepositorySchema = `{
	"type": "object",
	"properties": {
		"path": {"type": "string", "description": "Absolute path of the repository", "pattern": "^/.*", "maxLength": 500},
		"name": {"type": "string", "description": "Name of the repository", "minLength": 1, "maxLength": 200},
		"force_reindex": {"type": "boolean", "description": "Index every file again; only after large changes", "default": false}
	},
	"required": ["path", "name"],
	"additionalProperties": false
}`

func (s *server) indexRepositoryTool() tool {
	return tool{
		name: "index_repository", schema: indexRepositorySchema, more: []string{"repo_path"}, slow: true,
		description: `Index a repository for search_code, and wait until that is done: files that changed, or all of them with force_reindex. .gitignore is respected.`,
		call: func(ctx context.Context, a *arguments, tell host.Tell) (any, error) {
			in := readIndexing(a)
			if a.err != nil {
				return nil, a.err
			}
			if err := in.check(); err != nil {
				return nil, err
			}
			return s.index(ctx, in, tell)
		},
	}
}

// indexing is what is to be indexed.
type indexing struct {
	path, name string
	force      bool
}

const (
	maxPath = 500 // characters
	maxName = 200
)

func readIndexing(a *arguments) (in indexing) {
	in.path, in.name, in.force = a.bounded("path", "Repository path", maxPath), a.bounded("name", "Repository name", maxName), a.flag("force_reindex", false)
	if old := a.bounded("repo_path", "Repository path", maxPath); !a.has("path") && a.has("repo_path") {
		in.path = old
		if !a.has("name") {
			in.name = filepath.Base(old)
		}
	} else {
		a.need("path", "name")
	}
	switch {
	case a.err != nil:
	case in.path == "":
		a.fail("Repository path cannot be empty")
	case !filepath.IsAbs(in.path):
		a.fail("Repository path must be absolute: %s", in.path)
	case strings.TrimSpace(in.name) == "":
		a.fail("Repository name cannot be empty")
	}
	return in
}

// check refuses a path that is no folder.
func (in *indexing) check() error {
	info, err := os.Stat(in.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newError(codeOwn, "Repository path does not exist", "Repository path does not exist: "+in.path)
	case err != nil:
		return newError(codeOwn, "Repository path cannot be read", err.Error())
	case !info.IsDir():
		return newError(codeOwn, "Repository path must be a directory", "Repository path must be a directory: "+in.path)
	}
	return nil
}

// What an indexing comes to.
const (
	statusSuccess = "success"
	statusPartial = "partial"
	statusFailed  = "failed"
)

// indexed is the answer to an indexing.
type indexed struct {
	RepositoryID string   `json:"repository_id"`
	Files        int      `json:"files_indexed"`
	Chunks       int      `json:"chunks_created"`
	Seconds      float64  `json:"duration_seconds"`
	Status       string   `json:"status"`
	Errors       []string `json:"errors"`
	Message      string   `json:"message,omitempty"`

	all   int  // files of the repository
	first bool // it was never indexed by a client of this profile
}

// index indexes a folder and waits. What goes wrong with files or the model is in
// the answer.
func (s *server) index(ctx context.Context, in indexing, tell host.Tell) (*indexed, error) {
	began := s.Now()
	r, err := s.attach(ctx, in)
	if err != nil {
		return nil, err
	}
	out := &indexed{RepositoryID: string(r.ID()), Errors: []string{}}
	defer func() { out.Seconds = math.Round(s.Now().Sub(began).Seconds()*1000) / 1000 }()
	if err := s.embedder(ctx); err != nil {
		out.Status, out.Errors = statusFailed, append(out.Errors, err.Error())
		return out, nil
	}
	report, err := r.Index(ctx, workspace.IndexOptions{Force: in.force, Progress: progressTo(tell)})
	if err == nil {
		err = r.EmbedRemote(ctx, progressTo(tell))
	}
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		out.Status, out.Errors = statusFailed, append(out.Errors, err.Error())
		return out, nil
	}
	n, err := news.Take(ctx, r, "codebase-mcp", in.force)
	if err != nil {
		return nil, err
	}
	out.Files, out.Chunks, out.all, out.first = n.Files, n.Chunks, n.All, n.First
	out.Errors = append(append(out.Errors, unreadable(n.Left)...), s.unembedded(ctx, r)...)
	out.Errors = append(out.Errors, report.Notices...)
	out.conclude(in.path)
	return out, nil
}

// conclude says what came of it.
func (out *indexed) conclude(path string) {
	switch {
	case out.all == 0:
		out.Status, out.Errors = statusFailed, append(out.Errors, "No files found in repository at "+path)
	case len(out.Errors) > 0:
		out.Status = statusPartial
	default:
		out.Status = statusSuccess
	}
	if out.all > 0 && out.Files == 0 {
		out.Message = upToDate(out.all)
	}
}

func upToDate(files int) string {
	return fmt.Sprintf("Repository up to date - no file changes detected since last index (%d files already indexed)", files)
}

// attach returns the repository of a folder. It has the name that was asked for, as
// far as Espy can give it: with - for what no name may hold, and as it was where
// another repository has it.
func (s *server) attach(ctx context.Context, in indexing) (*workspace.Repo, error) {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("/\\\x00\n\r\t ", r) {
			return '-'
		}
		return r
	}, strings.TrimLeft(strings.TrimSpace(in.name), "-. "))
	for len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "")
	}
	r, err := s.Workspace.Attach(ctx, in.path, workspace.AttachOptions{Name: name, Exact: true})
	if err == nil {
		return r, nil
	}
	if r, err = s.Workspace.Attach(ctx, in.path, workspace.AttachOptions{Exact: true}); err == nil {
		return r, nil
	}
	problem, hint := usage.Explain(err)
	if hint != "" {
		problem += " (" + hint + ")"
	}
	return nil, newError(codeOwn, "Repository path cannot be indexed", problem)
}

// embedder reports why the model on another machine cannot be reached, where one is
// configured.
func (s *server) embedder(ctx context.Context) error {
	m := s.Workspace.Models().Remote
	if m == nil {
		return nil
	}
	if _, err := m.Query(ctx, "is the model there"); err != nil {
		return fmt.Errorf("connection to %s: %w", m.Host(), err)
	}
	return nil
}

// unembedded names what the model on another machine has no vectors of.
func (s *server) unembedded(ctx context.Context, r *workspace.Repo) (list []string) {
	st, err := r.Status(ctx)
	if err != nil {
		return []string{"embedding: " + err.Error()}
	}
	for _, v := range st.Vectors {
		if v.Pending == 0 || !v.Remote {
			continue
		}
		why := v.Why
		if why == "" {
			why = v.Failure
		}
		list = append(list, fmt.Sprintf("embedding: %d of %d files have no vectors: %s", v.Pending, v.Pending+v.Embedded, why))
	}
	return list
}

// unreadable names the files that the system refused to read.
func unreadable(left []discover.Exclusion) (list []string) {
	for _, x := range left {
		if x.Reason == discover.ReasonUnreadable {
			reason := x.Reason.Explain()
			if x.Detail != "" {
				reason += " (" + x.Detail + ")"
			}
			list = append(list, valid(x.Path)+": "+reason)
		}
	}
	return list
}

func progressTo(tell host.Tell) func(progress.Report) {
	return func(p progress.Report) {
		done, total := render.ProgressOf(p)
		tell(render.Progress(p), done, total)
	}
}

// stamp is a time as answers have it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

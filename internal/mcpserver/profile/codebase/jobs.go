package codebase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/uuid"

	"espy/internal/code"
	"espy/internal/mcpserver/host"
	"espy/internal/permit"
)

const searchProjectSchema = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "description": "What the code does, in several words", "minLength": 1, "maxLength": 500},
		"project_id": {"type": "string", "description": "Project; default that of the working directory"},
		"repository_id": {"type": "string", "format": "uuid", "description": "Only this repository"},
		"file_type": {"type": "string", "description": "Only files with this ending, such as py, without the dot", "pattern": "^[a-zA-Z0-9]+$", "maxLength": 20},
		"directory": {"type": "string", "description": "Only files whose path begins so", "maxLength": 500},
		"limit": {"type": "integer", "description": "Results at most; start with 10", "minimum": 1, "maximum": 50, "default": 10}
	},
	"required": ["query"],
	"additionalProperties": false
}`

const startIndexingSchema = `{
	"type": "object",
	"properties": {
		"repo_path": {"type": "string", "description": "Absolute path of the repository", "maxLength": 500},
		"project_id": {"type": "string", "description": "Project; default that of the working directory"},
		"force_reindex": {"type": "boolean", "description": "Index every file again", "default": false}
	},
	"required": ["repo_path"],
	"additionalProperties": false
}`

const indexingStatusSchema = `{
	"type": "object",
	"properties": {
		"job_id": {"type": "string", "format": "uuid", "description": "Id of the job, from start_indexing_background"},
		"project_id": {"type": "string", "description": "Project; default that of the working directory"}
	},
	"required": ["job_id"],
	"additionalProperties": false
}`

// maxFileType is how many characters file_type may have in V2.
const maxFileType = 20

// foundInProject is the answer to a search in a project. Its paths are relative.
type foundInProject struct {
	found
	ProjectID string `json:"project_id"`
	Database  string `json:"database_name"`
}

func (s *server) searchProjectTool() tool {
	t := s.searchCodeTool()
	t.schema = searchProjectSchema
	t.call = func(ctx context.Context, a *arguments, _ host.Tell) (any, error) {
		began := s.Now()
		q := readQuery(a)
		if len(q.fileType) > maxFileType {
			a.fail("file_type too long (max %d characters): %d", maxFileType, len(q.fileType))
		}
		p, err := s.projects.resolve(ctx, a)
		if err != nil {
			return nil, err
		}
		only, err := s.projects.holds(p)
		if err != nil {
			return nil, err
		}
		found, err := s.search(ctx, q, only)
		if err != nil {
			return nil, err
		}
		for i := range found.Results {
			found.Results[i].FilePath = found.Results[i].RelativePath
		}
		if found.Message == notIndexed {
			found.Message = "No repository is indexed in this project yet: index one with start_indexing_background, then search again"
		}
		found.LatencyMS = s.Now().Sub(began).Milliseconds()
		return foundInProject{*found, p.ID, p.Database}, nil
	}
	return t
}

// States of a job.
const (
	jobPending   = "pending"
	jobRunning   = "running"
	jobCompleted = "completed"
	jobFailed    = "failed"
)

// job is an indexing in the background. It is kept in a file of its own, so that
// every process answers for it. While it goes on, its process holds a lock.
type job struct {
	ID        string  `json:"job_id"`
	Status    string  `json:"status"`
	Message   string  `json:"status_message"`
	Path      string  `json:"repo_path"`
	ProjectID string  `json:"project_id"`
	Files     int     `json:"files_indexed"`
	Chunks    int     `json:"chunks_created"`
	Force     bool    `json:"force_reindex"`
	Error     *string `json:"error_message"`
	Created   string  `json:"created_at"`
	Started   *string `json:"started_at"`
	Completed *string `json:"completed_at"`
}

// started is the answer of start_indexing_background.
type started struct {
	ID        string `json:"job_id"`
	Status    string `json:"status"`
	Message   string `json:"message"`
	Force     bool   `json:"force_reindex"`
	ProjectID string `json:"project_id"`
	Database  string `json:"database_name"`
}

func (s *server) startIndexingTool() tool {
	return tool{
		name: "start_indexing_background", schema: startIndexingSchema,
		description: `Index a repository in the background. The answer comes at once: get_indexing_status tells how far it is.`,
		call:        s.startIndexing,
	}
}

func (s *server) startIndexing(asked context.Context, a *arguments, _ host.Tell) (any, error) {
	a.need("repo_path")
	in := indexing{path: a.bounded("repo_path", "Repository path", maxPath), force: a.flag("force_reindex", false)}
	switch {
	case a.err != nil:
	case in.path == "":
		a.fail("Repository path cannot be empty")
	case !filepath.IsAbs(in.path):
		a.fail("Repository path must be absolute: %s", in.path)
	case strings.Contains("/"+filepath.ToSlash(in.path)+"/", "/../"):
		a.fail("Repository path must not contain '..': %s", in.path)
	}
	p, err := s.projects.resolve(asked, a)
	if err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	in.name = filepath.Base(in.path)
	j := &job{ID: uuid.NewString(), Status: jobPending, Message: "Indexing job started", Path: in.path, ProjectID: p.ID, Force: in.force, Created: stamp(s.Now())}
	lock, err := s.projects.hold(j)
	if err != nil {
		return nil, err
	}
	s.host.Start(func(ctx context.Context) {
		defer lock.Close()
		if caller := permit.Of(asked); caller != nil {
			ctx = permit.With(ctx, caller)
		}
		s.run(ctx, j, in, p)
	})
	return started{j.ID, jobPending, "Indexing job started", in.force, p.ID, p.Database}, nil
}

// run indexes for a job and keeps how far it is.
func (s *server) run(ctx context.Context, j *job, in indexing, p *project) {
	keep := func() {
		if err := replaceJSON(s.projects.job(j.ID), j); err != nil {
			s.Log.Error("the record of a job cannot be written", "job", j.ID, "err", err)
		}
	}
	now := stamp(s.Now())
	j.Status, j.Message, j.Started = jobRunning, "Indexing in progress", &now
	keep()
	done, err := s.index(ctx, in, func(string, float64, float64) {})
	if err == nil {
		err = s.projects.put(p, code.RepoID(done.RepositoryID))
	}
	end := stamp(s.Now())
	j.Completed = &end
	switch {
	case err != nil:
		why := err.Error()
		j.Status, j.Message, j.Error = jobFailed, "Indexing failed", &why
	case done.Status == statusFailed:
		why := strings.Join(done.Errors, "; ")
		j.Status, j.Message, j.Error = jobFailed, "Indexing failed", &why
	default:
		j.Status, j.Message, j.Files, j.Chunks = jobCompleted, done.summary(in.force), done.Files, done.Chunks
		if len(done.Errors) > 0 {
			why := strings.Join(done.Errors, "; ")
			j.Error = &why
		}
	}
	keep()
}

// summary says what an indexing came to.
func (out *indexed) summary(force bool) string {
	switch {
	case force:
		return fmt.Sprintf("Force reindex completed: %d files, %d chunks", out.Files, out.Chunks)
	case out.Files == 0:
		return upToDate(out.all)
	case out.first:
		return fmt.Sprintf("Full repository index completed: %d files, %d chunks", out.Files, out.Chunks)
	}
	return fmt.Sprintf("Incremental update completed: %d files updated", out.Files)
}

func (s *server) indexingStatusTool() tool {
	return tool{
		name: "get_indexing_status", schema: indexingStatusSchema, description: `Tell how far an indexing in the background is.`,
		call: func(ctx context.Context, a *arguments, _ host.Tell) (any, error) {
			a.need("job_id")
			id := a.id("job_id")
			if _, err := s.projects.resolve(ctx, a); err != nil {
				return nil, err
			}
			return s.projects.look(id)
		},
	}
}

func (p *projects) job(id string) string { return filepath.Join(p.dir, "jobs", id+".json") }

// keepJobs is how long the record of a job is kept.
const keepJobs = 30 * 24 * time.Hour

// hold writes the record of a new job and locks it for this process.
func (p *projects) hold(j *job) (*flock.Flock, error) {
	file := p.job(j.ID)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("begin a job: %w", err)
	}
	p.forget(time.Now().Add(-keepJobs))
	lock := flock.New(file+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("begin a job: %w", err)
	}
	if err := replaceJSON(file, j); err != nil {
		return nil, errors.Join(fmt.Errorf("begin a job: %w", err), lock.Close())
	}
	return lock, nil
}

// forget removes the records of old jobs.
func (p *projects) forget(before time.Time) {
	entries, err := os.ReadDir(filepath.Join(p.dir, "jobs"))
	if err != nil {
		return // there are none to remove
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().Before(before) {
			os.Remove(filepath.Join(p.dir, "jobs", e.Name()))
		}
	}
}

// look returns a job. One whose process has ended before it has failed.
func (p *projects) look(id string) (*job, error) {
	over := p.free(id) // asked first: a job that ends meanwhile is then read as it ended
	text, err := os.ReadFile(p.job(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, newError(codeOwn, "Job not found", "Job not found: "+id)
	}
	j := &job{}
	if err == nil {
		err = json.Unmarshal(text, j)
	}
	if err != nil {
		return nil, fmt.Errorf("read a job: %w", err)
	}
	if over && (j.Status == jobPending || j.Status == jobRunning) {
		why := "the process that ran the job has ended before it: start it again"
		j.Status, j.Message, j.Error = jobFailed, "Indexing failed", &why
	}
	return j, nil
}

// free reports whether no process holds a job.
func (p *projects) free(id string) bool {
	lock := flock.New(p.job(id)+".lock", flock.SetFlag(os.O_RDONLY))
	defer lock.Close()
	got, err := lock.TryRLock()
	return got || errors.Is(err, fs.ErrNotExist)
}

// Package app builds the workspace and its parts from the settings, in order, and
// closes them in reverse. It has no behaviour of its own.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"

	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/code"
	"espy/internal/config"
	"espy/internal/deps"
	"espy/internal/discover"
	"espy/internal/embedding"
	"espy/internal/embedding/ollama"
	"espy/internal/embedding/openai"
	"espy/internal/embedding/remote"
	"espy/internal/facts/worker"
	"espy/internal/index"
	"espy/internal/packages"
	"espy/internal/session"
	"espy/internal/tally"
	"espy/internal/tasks"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/origin"
)

// App holds the parts that Open built.
type App struct {
	Workspace *workspace.Workspace
	Sessions  *session.Sessions
	Tasks     *tasks.Book
	parser    *worker.Pool  // nil for none
	pool      *pgxpool.Pool // of the team's database; nil for none
}

// Options are the requests of a command beside the settings.
type Options struct {
	Watch bool         // watch the files of the repositories in use
	Parse []string     // program and arguments of a child that parses; if empty, only Go is parsed
	Log   *slog.Logger // nil is silent

	TasksDir    string // where tasks are kept; empty for the data folder
	TaskReaders int    // questions about tasks that are answered side by side; 0 for the usual number
}

// Open opens the workspace in the configured folder.
func Open(c *config.Config, o Options) (*App, error) {
	far, err := remoteModel(c)
	if err != nil {
		return nil, err
	}
	a := &App{}
	if a.pool, err = database(c, o.Log); err != nil {
		return nil, err
	}
	var parser index.Parser
	if len(o.Parse) > 0 {
		a.parser = worker.New(worker.Options{Command: o.Parse, Workers: cmp.Or(int(c.Workers), runtime.GOMAXPROCS(0))})
		parser = a.parser
	}
	count := new(tally.Tally)
	w, err := workspace.Open(workspace.Options{
		DataDir:      c.DataDir,
		Roots:        c.Roots,
		Policy:       policy(c),
		GlobalIgnore: c.GlobalIgnore,
		Home:         c.Home,
		Notices:      c.Notices,
		Workers:      int(c.Workers),
		Watch:        o.Watch,
		Parser:       parser,
		Models:       counted(count, far),
		Remote: origin.RemoteOptions{
			MaxBytes: c.CloneBytes, AllowPrivate: c.ClonePrivate, CAFile: c.CloneCAFile, Proxy: c.Proxy, SSHAgent: c.SSHAgent,
		},
		Forbid:      c.Forbid,
		ShowSecrets: c.ShowSecrets,
		Log:         o.Log,
		Tally:       count,
	})
	if err != nil {
		a.closePool()
		return nil, fmt.Errorf("open the data folder: %w", err)
	}
	a.Workspace, a.Sessions = w, session.New(w)
	a.Tasks = tasks.New(a.taskStore(c, o), tasks.Options{Seen: seen(w)})
	deps.New(w, packages.StandardPlaces(c.Packages, c.Home))
	return a, nil
}

// seen lists the repositories that exist for who asks.
func seen(w *workspace.Workspace) func(context.Context) ([]code.RepoID, error) {
	return func(ctx context.Context) (ids []code.RepoID, err error) {
		repos, err := w.Repos(ctx)
		for _, r := range repos {
			ids = append(ids, r.ID())
		}
		return ids, err
	}
}

// Close closes everything in reverse order.
func (a *App) Close() error {
	err := errors.Join(a.Tasks.Close(), a.Workspace.Close())
	if a.parser != nil {
		err = errors.Join(err, a.parser.Close())
	}
	a.closePool()
	return err
}

// remoteModel is the model that the settings name, nil for none. Nothing is sent
// yet.
func remoteModel(c *config.Config) (embedding.Remote, error) {
	o := remote.Options{URL: c.EmbedURL, Model: c.EmbedModel, Key: c.EmbedKey, Dims: int(c.EmbedDims), Proxy: c.Proxy}
	var m *remote.Model
	var err error
	switch c.Embedding {
	case config.EmbeddingOllama:
		m, err = ollama.New(o)
	case config.EmbeddingOpenAI:
		m, err = openai.New(o)
	case config.EmbeddingBuiltin:
		return nil, nil
	}
	if err != nil {
		return nil, &usage.Error{Msg: "setting embedding: " + err.Error(), Hint: "espy config shows the settings"}
	}
	return m, nil
}

// policy is the discovery policy of the settings. A setting at its default stays
// zero, which means the default to the policy.
func policy(c *config.Config) discover.Policy {
	p := discover.Policy{
		Include:     c.Include,
		Exclude:     c.Exclude,
		NoGitignore: !c.UseGitignore,
		SkipHidden:  c.SkipHidden,
		Secrets:     c.Secrets,
		Nested:      c.Nested,
	}
	if c.Set("max_file_bytes") {
		p.MaxFileBytes = c.MaxFileBytes
	}
	if c.Set("max_files") {
		p.MaxFiles = int(c.MaxFiles)
	}
	if c.Set("max_bytes") {
		p.MaxBytes = c.MaxBytes
	}
	return p
}

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

	"espy/internal/code"
	"espy/internal/config"
	"espy/internal/deps"
	"espy/internal/discover"
	"espy/internal/embedding"
	"espy/internal/embedding/ollama"
	"espy/internal/embedding/openai"
	"espy/internal/embedding/remote"
	"espy/internal/facts/worker"
	"espy/internal/frugal"
	"espy/internal/index"
	"espy/internal/lines"
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
	parser    *worker.Pool // nil for none
	team      *teamParts   // nil for none
	closing   context.CancelFunc
}

// Options are the requests of a command beside the settings.
type Options struct {
	Watch bool         // watch the files of the repositories in use
	Parse []string     // program and arguments of a child that parses; if empty, only Go is parsed
	Log   *slog.Logger // nil is silent

	// Build is for who brings repositories up to date: where the setting database_url
	// names a database, they are published there. Without it a program answers from
	// what others published.
	Build bool

	TasksDir    string // where tasks are kept; empty for the data folder
	TaskReaders int    // questions about tasks that are answered side by side; 0 for the usual number
}

// Open opens the workspace in the configured folder.
func Open(c *config.Config, o Options) (*App, error) {
	frugal.Start()
	count := new(tally.Tally)
	far, err := remoteModel(c)
	if err != nil {
		return nil, err
	}
	models := counted(count, far)
	if models.Reranker, err = reranker(c); err != nil {
		return nil, err
	}
	a := &App{}
	var parser index.Parser
	var trees lines.Trees
	if len(o.Parse) > 0 {
		a.parser = worker.New(worker.Options{Command: o.Parse, Workers: cmp.Or(int(c.Workers), runtime.GOMAXPROCS(0))})
		parser, trees = a.parser, a.parser
	}
	if a.team, err = openTeam(c, o); err != nil {
		return nil, errors.Join(err, a.closeParser())
	}
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
		Trees:        trees,
		Models:       models,
		Remote: origin.RemoteOptions{
			MaxBytes: c.CloneBytes, AllowPrivate: c.ClonePrivate, CAFile: c.CloneCAFile, Proxy: c.Proxy, SSHAgent: c.SSHAgent,
		},
		Forbid:      c.Forbid,
		ShowSecrets: c.ShowSecrets,
		Team:        a.team.shared(),
		Log:         o.Log,
		Tally:       count,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the data folder: %w", err), a.closeParser(), a.team.close())
	}
	a.Workspace, a.Sessions = w, session.New(w)
	a.Tasks = tasks.New(a.taskStore(c, o), tasks.Options{Seen: seen(w)})
	if a.team == nil { // packages lie on one machine
		deps.New(w, packages.StandardPlaces(c.Packages, c.Home))
	}
	ctx, closing := context.WithCancel(context.Background())
	a.closing = closing
	go frugal.Rest(ctx)
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
	a.closing()
	return errors.Join(a.Tasks.Close(), a.Workspace.Close(), a.closeParser(), a.team.close())
}

func (a *App) closeParser() error {
	if a.parser == nil {
		return nil
	}
	return a.parser.Close()
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

// reranker is the reranker that the settings name, nil for none. Nothing is sent yet.
func reranker(c *config.Config) (embedding.Reranker, error) {
	if c.RerankModel == "" {
		return nil, nil
	}
	o := remote.Options{URL: c.RerankURL, Model: c.RerankModel, Key: c.RerankKey, Proxy: c.Proxy}
	if o.URL == "" {
		switch {
		case c.Embedding == config.EmbeddingOpenAI && c.EmbedURL != "":
			o.URL, o.Key = c.EmbedURL, cmp.Or(c.RerankKey, c.EmbedKey)
		case c.Embedding == config.EmbeddingBuiltin:
			return nil, noReranker("no server to ask")
		default:
			return nil, noReranker(map[string]string{config.EmbeddingOllama: "Ollama", config.EmbeddingOpenAI: "OpenAI"}[c.Embedding] + " has no endpoint that reranks")
		}
	}
	r, err := remote.NewReranker(o)
	if err != nil {
		return nil, noReranker(err.Error())
	}
	return r, nil
}

func noReranker(why string) error {
	return &usage.Error{Msg: "setting rerank_model: " + why, Hint: "set rerank_url to a server with /v1/rerank, such as llama.cpp, vLLM, Jina or Cohere"}
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
		IgnoreFiles: []string{".shaktimanignore"},
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

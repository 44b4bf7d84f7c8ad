package app

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/bearer"
	tokens "espy/internal/bearer/postgres"
	catalog "espy/internal/catalog/postgres"
	"espy/internal/config"
	"espy/internal/pgvector"
	"espy/internal/postgres"
	"espy/internal/queue"
	blob "espy/internal/store/blob/postgres"
	"espy/internal/tasks"
	taskspostgres "espy/internal/tasks/postgres"
	"espy/internal/tasks/sqlite"
	"espy/internal/touches"
	"espy/internal/usage"
	"espy/internal/workspace/team"
)

// teamParts are what the setting database_url opens.
type teamParts struct {
	pool     *pgxpool.Pool
	listener *postgres.Listener // nil for none
	parts    *team.Shared
	vectors  *pgvector.Store
	tokens   *tokens.Keeper
	log      *slog.Logger
}

// connectTime bounds how long a program waits for the database when it starts.
const connectTime = 30 * time.Second

// openTeam opens the database of a team; nil where the settings name none. A program
// that stays hears of what others publish. Indexes that are being made, and those that
// were taken from the database, have folders of their own.
func openTeam(c *config.Config, o Options) (*teamParts, error) {
	if c.DatabaseURL == "" {
		return nil, nil
	}
	log := cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	pool, err := postgres.Open(ctx, postgres.Options{URL: c.DatabaseURL, Log: log})
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(c.DataDir, "team", "cache")
	if o.Build {
		folder = filepath.Join(c.DataDir, "team", "build")
	}
	t := &teamParts{pool: pool, vectors: pgvector.New(pool, log), log: log}
	if o.Watch {
		t.listener = postgres.NewListener(pool, log)
	}
	t.parts = &team.Shared{Catalog: catalog.New(pool, t.listener, folder), News: blob.NewNews(pool, t.listener, log), Build: o.Build, Stays: o.Watch, Log: log, Vectors: t.vectors}
	t.tokens = tokens.New(pool, t.listener)
	if !o.Build {
		t.parts.Cache = team.NewCache(folder, c.CacheBytes, log)
	}
	if o.Watch {
		t.listener.Start()
	}
	return t, nil
}

// shared is what the workspace needs of it, nil for a workspace of its own.
func (t *teamParts) shared() *team.Shared {
	if t == nil {
		return nil
	}
	return t.parts
}

func (t *teamParts) close() error {
	if t != nil {
		t.listener.Close()
		t.pool.Close()
	}
	return nil
}

// taskStore is where tasks are kept: the team's database, or a folder.
func (a *App) taskStore(c *config.Config, o Options) tasks.Store {
	if a.team != nil && o.TasksDir == "" {
		return taskspostgres.New(a.team.pool)
	}
	return sqlite.New(cmp.Or(o.TasksDir, filepath.Join(c.DataDir, "tasks")), o.TaskReaders)
}

// Team tells of the team: its jobs, nil where there is no database, and what the reader
// of a report must know.
func (a *App) Team(ctx context.Context) (jobs *queue.Counts, notes []string) {
	jobs, err := a.jobs(ctx)
	if err != nil {
		notes = append(notes, "the jobs of the team are not known: "+err.Error())
	}
	if line := a.Vectors(ctx); line != "" {
		notes = append(notes, line)
	}
	return jobs, notes
}

// Vectors says who compares questions with the vectors of the team, and why; "" where
// there is no database.
func (a *App) Vectors(ctx context.Context) string {
	if a.team == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if err := a.team.vectors.Usable(ctx); err != nil {
		return "vectors of the team: compared by each program, in the parts that it takes: " + err.Error()
	}
	return "vectors of the team: compared by the database (pgvector), and by each program where it has the parts"
}

// askTime bounds how long a program asks what the database can do.
const askTime = 2 * time.Second

// Tokens are those that a server asks for: of the team, or of the data folder.
func (a *App) Tokens() *bearer.Store {
	if a.team != nil {
		return bearer.NewStore(a.team.tokens)
	}
	return bearer.NewStore(bearer.InFolder(a.Workspace.Options().DataDir))
}

// Queue opens the jobs of the team.
func (a *App) Queue(ctx context.Context) (*queue.Queue, error) {
	if a.team == nil {
		return nil, &usage.Error{Msg: "there is no team's database, and so no jobs", Hint: "set database_url, such as ESPY_DATABASE_URL=postgres://espy@db.example:5432/espy; espy index indexes without one"}
	}
	return queue.Open(ctx, a.team.pool, a.team.log)
}

// Trail begins to keep who touched which repository in the team's database, nil where
// there is none. What is older than keep is deleted; 0 keeps all.
func (a *App) Trail(keep time.Duration) *touches.Trail {
	if a.team == nil {
		return nil
	}
	return touches.Open(a.team.pool, keep, a.team.log)
}

// Touches gives f who touched which repository.
func (a *App) Touches(ctx context.Context, by touches.Filter, f func(touches.Touch) error) error {
	if a.team == nil {
		return &usage.Error{Msg: "there is no team's database, and so no audit in it", Hint: "espy serve keeps one in audit.jsonl of the data folder; set database_url for that of a team"}
	}
	return touches.Export(ctx, a.team.pool, by, f)
}

// Figures are what the team's database says of itself.
type Figures struct {
	Jobs       queue.Counts
	Published  postgres.Figures
	Conns, Max int // connections of this process, and how many it may have
}

// Figures returns how much is published and waits; nil where there is no database.
func (a *App) Figures(ctx context.Context) (func(context.Context) (Figures, error), error) {
	if a.team == nil {
		return nil, nil
	}
	q, err := a.Queue(ctx)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (f Figures, err error) {
		if f.Jobs, err = q.Counts(ctx); err == nil {
			f.Published, err = postgres.Count(ctx, a.team.pool)
		}
		now := a.team.pool.Stat()
		f.Conns, f.Max = int(now.TotalConns()), int(now.MaxConns())
		return f, err
	}, nil
}

// jobs counts the jobs of the team; nil where there is no database.
func (a *App) jobs(ctx context.Context) (*queue.Counts, error) {
	if a.team == nil {
		return nil, nil
	}
	q, err := a.Queue(ctx)
	if err != nil {
		return nil, err
	}
	c, err := q.Counts(ctx)
	return &c, err
}

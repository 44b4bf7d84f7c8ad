// Package touches keeps who touched which repository in the database of a team, for as
// long as its operator wants. Rows are written together, a second after the first at
// the latest, so that no question waits for them.
package touches

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/postgres"
)

// Touch is a call of a tool that touched a repository.
type Touch struct {
	At     time.Time `json:"time"` // UTC
	Who    string    `json:"who"`
	Tool   string    `json:"tool"`
	Repo   string    `json:"repo"`
	Remote string    `json:"from"` // address of the client
}

// Trail writes touches. Its methods may be called by several goroutines.
type Trail struct {
	pool *pgxpool.Pool
	log  *slog.Logger
	keep time.Duration
	stop context.CancelFunc
	done chan struct{}

	mu   sync.Mutex
	rows []Touch // not yet written; guarded by mu
	lost int     // that found no room; guarded by mu
}

const (
	writeEvery = time.Second
	agedEvery  = time.Hour
	maxWaiting = 100_000 // rows that wait while the database is away
)

// Open begins a trail. Rows that are older than keep are deleted every hour; 0 keeps
// all.
func Open(pool *pgxpool.Pool, keep time.Duration, log *slog.Logger) *Trail {
	ctx, stop := context.WithCancel(context.Background())
	t := &Trail{pool: pool, log: log, keep: keep, stop: stop, done: make(chan struct{})}
	go t.run(ctx)
	return t
}

// Add notes a touch.
func (t *Trail) Add(one Touch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.rows) >= maxWaiting {
		t.lost++
		return
	}
	t.rows = append(t.rows, one)
}

// Close writes what is left.
func (t *Trail) Close() error {
	t.stop()
	<-t.done
	return nil
}

func (t *Trail) run(ctx context.Context) {
	defer close(t.done)
	write, age := time.NewTicker(writeEvery), time.NewTicker(agedEvery)
	defer write.Stop()
	defer age.Stop()
	t.age(ctx)
	for {
		select {
		case <-write.C:
			t.write(ctx)
		case <-age.C:
			t.age(ctx)
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			t.write(last)
			return
		}
	}
}

// write writes what waits. Where it fails the rows wait on.
func (t *Trail) write(ctx context.Context) {
	t.mu.Lock()
	rows, lost := t.rows, t.lost
	t.rows, t.lost = nil, 0
	t.mu.Unlock()
	if lost > 0 {
		t.log.Error("the audit in the database lacks rows; those of the file are whole", "rows", lost)
	}
	if len(rows) == 0 {
		return
	}
	err := postgres.Run(ctx, t.pool, func(c *pgxpool.Conn) error {
		_, err := c.CopyFrom(ctx, pgx.Identifier{"espy", "touches"}, []string{"at", "who", "tool", "repo", "remote"}, pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
			r := rows[i]
			return []any{r.At, text(r.Who), text(r.Tool), text(r.Repo), text(r.Remote)}, nil
		}))
		return err
	})
	if err != nil && ctx.Err() == nil {
		t.log.Warn("the audit waits for the database", "rows", len(rows), "err", err)
	}
	if err != nil {
		t.mu.Lock()
		t.rows = append(rows, t.rows...)
		t.mu.Unlock()
	}
}

// maxText bounds a text in bytes: a row that an index does not take would hold up all
// that wait with it.
const maxText = 1000

// text is a text as PostgreSQL takes it, the beginning of a long one.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s[:min(len(s), maxText)], "\ufffd"), "\x00", "\ufffd")
}

// age deletes what is too old.
func (t *Trail) age(ctx context.Context) {
	if t.keep == 0 {
		return
	}
	if _, err := t.pool.Exec(ctx, "DELETE FROM espy.touches WHERE at < now() - make_interval(secs => $1)", t.keep.Seconds()); err != nil && ctx.Err() == nil {
		t.log.Warn("old rows of the audit stay", "err", postgres.Explain(err))
	}
}

// Filter says which touches are exported.
type Filter struct {
	Since time.Time
	Who   string // how the name begins; empty for all
	Repo  string // name; empty for all
}

// Export gives the touches to f, the oldest first.
func Export(ctx context.Context, pool *pgxpool.Pool, by Filter, f func(Touch) error) error {
	rows, err := pool.Query(ctx, `SELECT at, who, tool, repo, remote FROM espy.touches
		WHERE at >= $1 AND starts_with(who, $2) AND ($3 = '' OR repo = $3) ORDER BY at`, by.Since, text(by.Who), text(by.Repo))
	if err != nil {
		return fmt.Errorf("export the audit: %w", postgres.Explain(err))
	}
	var t Touch
	_, err = pgx.ForEachRow(rows, []any{&t.At, &t.Who, &t.Tool, &t.Repo, &t.Remote}, func() error {
		t.At = t.At.UTC()
		return f(t)
	})
	if err != nil {
		return fmt.Errorf("export the audit: %w", postgres.Explain(err))
	}
	return nil
}

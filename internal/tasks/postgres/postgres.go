// Package postgres keeps tasks in the database of a team, which any number of
// servers share. The tables are those of migration 00010 of package postgres.
//
// No row is held between statements: an update reads a task with its edition, which is
// a random number, and writes it with another where it still has that one; otherwise it
// reads again. So an update that was cut off finds out whether it was written.
package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/code"
	"espy/internal/postgres"
	"espy/internal/tasks"
)

// Store is the tasks of a database. Who opened the pool closes it.
type Store struct{ pool *pgxpool.Pool }

var _ tasks.Store = (*Store)(nil)

// New returns the tasks of a database whose tables postgres.Open has made.
func New(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

// row is a task as the table has it.
type row struct {
	id       string
	edition  int64
	body     string
	created  int64
	status   string
	folded   []byte
	branches [][]byte
	repos    [][]byte
}

func newRow(t *tasks.Task) (*row, error) {
	body, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	return &row{
		id: t.ID, edition: rand.Int64(), body: string(body), created: t.Created.UnixNano(),
		status: string(t.Status), folded: []byte(t.Folded()), branches: bytesOf(t.Branches), repos: bytesOf(t.Repos()),
	}, nil
}

// bytesOf returns texts as the table keeps them. The list is never nil: that is NULL.
func bytesOf[S ~string](texts []S) [][]byte {
	list := make([][]byte, 0, len(texts))
	for _, s := range texts {
		list = append(list, []byte(s))
	}
	return list
}

// shards is how many rows espy.task_marks has.
const shards = 16

func (r *row) shard() int {
	h := fnv.New32a()
	h.Write([]byte(r.id))
	return int(h.Sum32() % shards)
}

// marking counts a change of a task that names code, $1 and $2 being its repositories
// and its shard.
const marking = "WITH marked AS (UPDATE espy.task_marks SET changes = changes + 1 WHERE shard = $2 AND cardinality($1::bytea[]) > 0) "

// Create implements tasks.Store. Writing a task twice is writing it once, so it may
// be tried again.
func (s *Store) Create(ctx context.Context, t *tasks.Task) error {
	r, err := newRow(t)
	if err != nil {
		return err
	}
	return s.run(ctx, func(c *pgxpool.Conn) error {
		_, err := c.Exec(ctx, marking+`INSERT INTO espy.tasks (repos, id, edition, created, status, folded, branches, body) VALUES ($1, $3, $4, $5, $6, $7, $8, $9::json)
			ON CONFLICT (id) DO UPDATE SET edition = excluded.edition, status = excluded.status, folded = excluded.folded, branches = excluded.branches, repos = excluded.repos, body = excluded.body`,
			r.repos, r.shard(), r.id, r.edition, r.created, r.status, r.folded, r.branches, r.body)
		return err
	})
}

func (s *Store) run(ctx context.Context, f func(*pgxpool.Conn) error) error {
	err := postgres.Run(ctx, s.pool, f)
	if err != nil && !errors.Is(err, tasks.ErrNotFound) {
		return fmt.Errorf("tasks: %w", err)
	}
	return err
}

// Task implements tasks.Store.
func (s *Store) Task(ctx context.Context, id string) (t *tasks.Task, err error) {
	err = s.run(ctx, func(c *pgxpool.Conn) error {
		r, err := read(ctx, c, id)
		if err == nil {
			t, err = parse(r.body)
		}
		return err
	})
	return t, err
}

// read returns a task with its edition.
func read(ctx context.Context, c *pgxpool.Conn, id string) (*row, error) {
	r := &row{id: id}
	err := c.QueryRow(ctx, "SELECT edition, body::text FROM espy.tasks WHERE id = $1", id).Scan(&r.edition, &r.body)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, tasks.ErrNotFound
	}
	return r, err
}

func parse(body string) (*tasks.Task, error) {
	t := &tasks.Task{}
	if err := json.Unmarshal([]byte(body), t); err != nil {
		return nil, fmt.Errorf("a task cannot be read: %w", err)
	}
	return t, nil
}

// Update implements tasks.Store.
func (s *Store) Update(ctx context.Context, id string, change func(*tasks.Task) error) error {
	u := update{change: change}
	for !u.done {
		if err := s.run(ctx, func(c *pgxpool.Conn) error { return u.try(ctx, c, id) }); err != nil {
			return err
		}
	}
	return u.refused
}

// update is one of a task, which may take several attempts.
type update struct {
	change  func(*tasks.Task) error
	sent    *row // that may have been written; nil for none
	done    bool
	refused error // by change: an error of the caller, not of the store
}

func (u *update) try(ctx context.Context, c *pgxpool.Conn, id string) error {
	have, err := read(ctx, c, id)
	if err != nil {
		return err
	}
	if u.done = u.sent != nil && have.edition == u.sent.edition; u.done {
		return nil // the connection was cut off behind it
	}
	u.sent, u.refused = changed(have, u.change)
	if u.done = u.sent == nil; u.done {
		return nil
	}
	u.done, err = replace(ctx, c, have.edition, u.sent)
	return err
}

// changed returns what a change makes of a task, nil where its version stays.
func changed(have *row, change func(*tasks.Task) error) (*row, error) {
	t, err := parse(have.body)
	if err != nil {
		return nil, err
	}
	before := t.Version
	if err := change(t); err != nil || t.Version == before {
		return nil, err
	}
	return newRow(t)
}

// replace writes a task where the table has an edition of it.
func replace(ctx context.Context, c *pgxpool.Conn, edition int64, r *row) (bool, error) {
	done, err := c.Exec(ctx, `WITH task AS (
			UPDATE espy.tasks SET repos = $1, edition = $4, status = $5, folded = $6, branches = $7, body = $8::json
			WHERE id = $3 AND edition = $9 RETURNING id
		), marked AS (
			UPDATE espy.task_marks SET changes = changes + 1 WHERE shard = $2 AND cardinality($1::bytea[]) > 0 AND EXISTS (SELECT 1 FROM task)
		) SELECT id FROM task`, r.repos, r.shard(), r.id, r.edition, r.status, r.folded, r.branches, r.body, edition)
	return done.RowsAffected() == 1, err
}

// List implements tasks.Store.
func (s *Store) List(ctx context.Context, f tasks.Filter, p tasks.Page) (list *tasks.List, err error) {
	err = s.run(ctx, func(c *pgxpool.Conn) error {
		list, err = page(ctx, c, f, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// page asks for the total and the tasks in one transaction, sent at once.
func page(ctx context.Context, c *pgxpool.Conn, f tasks.Filter, p tasks.Page) (*tasks.List, error) {
	list := &tasks.List{}
	where, values := conditions(f)
	var b pgx.Batch
	b.Queue("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
	b.Queue("SELECT count(*) FROM espy.tasks WHERE "+where, values...).QueryRow(func(r pgx.Row) error { return r.Scan(&list.Total) })
	if p.After != "" {
		values = append(values, p.After)
		where += fmt.Sprintf(" AND EXISTS (SELECT 1 FROM espy.tasks AS a WHERE a.id = $%d AND (t.created < a.created OR t.created = a.created AND t.id > a.id))", len(values))
	}
	values = append(values, p.Limit+1)
	b.Queue(fmt.Sprintf("SELECT body::text FROM espy.tasks AS t WHERE %s ORDER BY created DESC, id LIMIT $%d", where, len(values)), values...).Query(take(list, p.Limit))
	b.Queue("COMMIT")
	return list, c.SendBatch(ctx, &b).Close()
}

// take reads tasks into a list, and one more for whether there are more.
func take(list *tasks.List, limit int) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		bodies, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if list.More = len(bodies) > limit; list.More {
			bodies = bodies[:limit]
		}
		for _, body := range bodies {
			t, parsed := parse(body)
			list.Tasks, err = append(list.Tasks, t), errors.Join(err, parsed)
		}
		return err
	}
}

// conditions writes a filter as SQL. Nothing of the filter is in the text.
func conditions(f tasks.Filter) (where string, values []any) {
	all := []string{"true"}
	and := func(condition string, value any) {
		values = append(values, value)
		all = append(all, strings.ReplaceAll(condition, "$", fmt.Sprint("$", len(values))))
	}
	if f.Status != "" {
		and("status = $", string(f.Status))
	}
	if f.Open {
		and("status <> $", string(tasks.Complete))
	}
	if f.Branch != "" {
		and("EXISTS (SELECT 1 FROM unnest(branches) AS b WHERE substr(b, 1, length($::bytea)) = $)", []byte(f.Branch))
	}
	if f.Repo != "" {
		and("repos @> $", bytesOf([]code.RepoID{f.Repo}))
	}
	if f.Only != nil {
		and("repos && $ AND repos <@ $", bytesOf(f.Only))
	}
	for _, w := range f.Words() {
		and("position($::bytea IN folded) > 0", []byte(w))
	}
	return strings.Join(all, " AND "), values
}

// Readers implements tasks.Store: the connections are those of everything that asks
// the database.
func (s *Store) Readers() tasks.Readers {
	now := s.pool.Stat()
	return tasks.Readers{Most: int(now.MaxConns()), Open: int(now.TotalConns()), Busy: int(now.AcquiredConns())}
}

// Mark implements tasks.Store. It is asked by every search, so it is not tried again.
func (s *Store) Mark(ctx context.Context) (n int64, err error) {
	err = s.pool.QueryRow(ctx, "SELECT sum(changes)::bigint FROM espy.task_marks").Scan(&n)
	return n, postgres.Explain(err)
}

// Close implements tasks.Store.
func (s *Store) Close() error { return nil }

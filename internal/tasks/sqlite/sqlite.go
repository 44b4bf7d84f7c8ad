// Package sqlite keeps tasks in one SQLite file, tasks.db, which processes share.
//
// A row of task holds a task as JSON in body; the other columns and tables are
// what tasks are found by, and follow from it:
//
//	task    id, created (Unix nanoseconds), status, folded text, body
//	branch  task, name
//	names   repo, task: the repositories whose code a task names
//
// user_version is the version of this layout. The log is written ahead (WAL), and
// not flushed at each commit: a killed process loses nothing, a machine that
// loses its power may lose the last seconds, never the file. Beside the database
// stands an empty file, tasks.named, once a task has named a file or symbol: while
// there is none, no question about code opens the database.
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"espy/internal/code"
	"espy/internal/tasks"
	"espy/internal/usage"
)

const version = 1

const layout = `
CREATE TABLE task (id TEXT PRIMARY KEY, created INTEGER NOT NULL, status TEXT NOT NULL, folded TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX task_created ON task (created DESC, id);
CREATE TABLE branch (task TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (task, name)) STRICT, WITHOUT ROWID;
CREATE TABLE names (repo TEXT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (repo, task)) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;`

// Store is the tasks of a folder. It opens its file when it is first used, and
// makes it with the first task.
type Store struct {
	dir     string
	readers int

	mu     sync.Mutex
	opened *database // guarded by mu; nil until it is needed
}

var _ tasks.Store = (*Store)(nil)

// database is the open file.
type database struct {
	write *sql.DB // one connection
	read  *sql.DB
	watch *sql.Conn // never writes, so that its data_version tells of every change
}

// defaultReaders is how many questions are answered side by side.
const defaultReaders = 4

// New returns the tasks kept in a folder. At most readers questions are answered
// side by side; 0 is four.
func New(dir string, readers int) *Store {
	if readers <= 0 {
		readers = defaultReaders
	}
	return &Store{dir: dir, readers: readers}
}

func (s *Store) file() string  { return filepath.Join(s.dir, "tasks.db") }
func (s *Store) named() string { return filepath.Join(s.dir, "tasks.named") }

// open returns the open file; nil, where it is not to be written, if there is none.
// Most processes only read, so the connection that writes is made when it is needed.
func (s *Store) open(ctx context.Context, write bool) (*database, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.opened; d != nil {
		if write && d.write == nil {
			return d, s.explained(s.connectWriter(ctx, d))
		}
		return d, nil
	}
	if _, err := os.Stat(s.file()); errors.Is(err, fs.ErrNotExist) && !write {
		return nil, nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, fmt.Errorf("tasks: %w", err)
	}
	d, err := s.connect(ctx, write)
	if errors.Is(err, errUnmade) {
		return nil, nil
	}
	if err != nil {
		return nil, s.explained(err)
	}
	s.opened = d
	return d, nil
}

// connect opens the file, made and brought up to date where it is to be written,
// to be read.
func (s *Store) connect(ctx context.Context, write bool) (_ *database, err error) {
	d := &database{}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	if write {
		if err := s.connectWriter(ctx, d); err != nil {
			return nil, err
		}
	}
	if d.read, err = dial(s.file(), false, s.readers+1); err != nil {
		return nil, err
	}
	if d.watch, err = d.read.Conn(ctx); err != nil {
		return nil, err
	}
	var have int
	if err := d.watch.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return nil, err
	}
	if have == 0 && !write { // its maker was killed before it was ready
		return nil, errors.Join(d.close(), errUnmade)
	}
	return d, known(have)
}

// errUnmade says that the file has no layout yet.
var errUnmade = errors.New("the file is empty")

// connectWriter opens the file to be written.
func (s *Store) connectWriter(ctx context.Context, d *database) error {
	f, err := os.OpenFile(s.file(), os.O_CREATE|os.O_RDWR, 0o600) // SQLite would let others read it
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if d.write, err = dial(s.file(), true, 1); err != nil {
		return err
	}
	return migrate(ctx, d.write)
}

// busy is how long a connection waits for another that writes.
const busy = 5 * time.Second

func dial(file string, write bool, most int) (*sql.DB, error) {
	o := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds())}}
	if write {
		o.Set("_txlock", "immediate")
		o["_pragma"] = append(o["_pragma"], "journal_mode(WAL)", "synchronous(NORMAL)")
	} else {
		o["_pragma"] = append(o["_pragma"], "query_only(1)")
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+o.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// migrate makes the layout where there is none, and refuses one of a newer program.
func migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var have int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if have != 0 {
		return known(have)
	}
	if _, err := tx.ExecContext(ctx, layout); err != nil {
		return err
	}
	return tx.Commit()
}

// known refuses the layout of a newer program.
func known(have int) error {
	if have <= version {
		return nil
	}
	return &usage.Error{Msg: fmt.Sprintf("the tasks were written by a newer espy (layout %d, this one knows %d)", have, version), Hint: "use the newer one, or another --data-dir"}
}

func (d *database) close() (err error) {
	if d.watch != nil {
		err = d.watch.Close()
	}
	for _, db := range []*sql.DB{d.read, d.write} { // the writer last: it takes the log in
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}

// Close closes the file.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.opened
	s.opened = nil
	if d == nil {
		return nil
	}
	return d.close()
}

// explained says what an error of SQLite means for the user.
func (s *Store) explained(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	file := s.file()
	switch e.Code() & 0xff {
	case lib.SQLITE_FULL:
		return fmt.Errorf("tasks: the disk is full: nothing was written to %s: %w", file, err)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return fmt.Errorf("tasks: another process has been writing to %s for %v: %w", file, busy, err)
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return fmt.Errorf("tasks: %s is damaged; move it away to begin anew, or put a copy back: %w", file, err)
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM:
		return fmt.Errorf("tasks: %s cannot be written: %w", file, err)
	}
	return fmt.Errorf("tasks: %s: %w", file, err)
}

// Create implements tasks.Store.
func (s *Store) Create(ctx context.Context, t *tasks.Task) error {
	return s.change(ctx, func(tx *sql.Tx) error { return s.put(ctx, tx, t) })
}

// change runs f in a transaction that alone may write.
func (s *Store) change(ctx context.Context, f func(tx *sql.Tx) error) error {
	d, err := s.open(ctx, true)
	if err != nil {
		return err
	}
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return s.explained(err)
	}
	if err := f(tx); err != nil {
		return s.explained(errors.Join(err, tx.Rollback()))
	}
	return s.explained(tx.Commit())
}

// put writes a task and what it is found by.
func (s *Store) put(ctx context.Context, tx *sql.Tx, t *tasks.Task) error {
	body, err := json.Marshal(t)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO task (id, created, status, folded, body) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET status = excluded.status, folded = excluded.folded, body = excluded.body`,
		t.ID, t.Created.UnixNano(), string(t.Status), t.Folded(), string(body))
	if err != nil {
		return err
	}
	for _, b := range t.Branches {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO branch (task, name) VALUES (?, ?)", t.ID, b); err != nil {
			return err
		}
	}
	repos := t.Repos()
	if len(repos) == 0 {
		return nil
	}
	if err := s.mark(); err != nil {
		return err
	}
	for _, r := range repos {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO names (repo, task) VALUES (?, ?)", string(r), t.ID); err != nil {
			return err
		}
	}
	return nil
}

// mark makes the file that says that tasks name code.
func (s *Store) mark() error {
	f, err := os.OpenFile(s.named(), os.O_CREATE|os.O_RDONLY, 0o600)
	if err != nil {
		return fmt.Errorf("tasks: %w", err)
	}
	return f.Close()
}

// Task implements tasks.Store.
func (s *Store) Task(ctx context.Context, id string) (*tasks.Task, error) {
	d, err := s.open(ctx, false)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return nil, tasks.ErrNotFound
	}
	t, err := one(d.read.QueryRowContext(ctx, "SELECT body FROM task WHERE id = ?", id))
	return t, s.explained(err)
}

// scanner is a row.
type scanner interface{ Scan(to ...any) error }

func one(row scanner) (*tasks.Task, error) {
	var body string
	if err := row.Scan(&body); errors.Is(err, sql.ErrNoRows) {
		return nil, tasks.ErrNotFound
	} else if err != nil {
		return nil, err
	}
	t := &tasks.Task{}
	if err := json.Unmarshal([]byte(body), t); err != nil {
		return nil, fmt.Errorf("tasks: a task cannot be read: %w", err)
	}
	return t, nil
}

// Update implements tasks.Store.
func (s *Store) Update(ctx context.Context, id string, change func(*tasks.Task) error) error {
	d, err := s.open(ctx, false)
	if err != nil {
		return err
	}
	if d == nil {
		return tasks.ErrNotFound
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		t, err := one(tx.QueryRowContext(ctx, "SELECT body FROM task WHERE id = ?", id))
		if err != nil {
			return err
		}
		before := t.Version
		if err := change(t); err != nil || t.Version == before {
			return err
		}
		return s.put(ctx, tx, t)
	})
}

// List implements tasks.Store. Its two statements see the same state.
func (s *Store) List(ctx context.Context, f tasks.Filter, p tasks.Page) (*tasks.List, error) {
	d, err := s.open(ctx, false)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return &tasks.List{}, nil
	}
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, s.explained(err)
	}
	defer tx.Rollback()
	list, err := page(ctx, tx, f, p)
	return list, s.explained(err)
}

func page(ctx context.Context, tx *sql.Tx, f tasks.Filter, p tasks.Page) (*tasks.List, error) {
	where, values := conditions(f)
	list := &tasks.List{}
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM task WHERE "+where, values...).Scan(&list.Total); err != nil {
		return nil, err
	}
	if p.After != "" {
		where += ` AND EXISTS (SELECT 1 FROM task AS a WHERE a.id = ? AND (task.created < a.created OR task.created = a.created AND task.id > a.id))`
		values = append(values, p.After)
	}
	rows, err := tx.QueryContext(ctx, "SELECT body FROM task WHERE "+where+" ORDER BY created DESC, id LIMIT ?", append(values, p.Limit+1)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if len(list.Tasks) == p.Limit {
			list.More = true
			break
		}
		t, err := one(rows)
		if err != nil {
			return nil, err
		}
		list.Tasks = append(list.Tasks, t)
	}
	return list, rows.Err()
}

// conditions writes a filter as SQL.
func conditions(f tasks.Filter) (where string, values []any) {
	all := []string{"1"}
	and := func(condition string, value ...any) { all, values = append(all, condition), append(values, value...) }
	if f.Status != "" {
		and("status = ?", string(f.Status))
	}
	if f.Open {
		and("status <> ?", string(tasks.Complete))
	}
	if f.Branch != "" {
		and("EXISTS (SELECT 1 FROM branch WHERE branch.task = task.id AND substr(name, 1, length(?)) = ?)", f.Branch, f.Branch)
	}
	if f.Repo != "" {
		and("id IN (SELECT task FROM names WHERE repo = ?)", string(f.Repo))
	}
	if f.Only != nil {
		only := jsonOf(f.Only)
		and("id IN (SELECT task FROM names WHERE repo IN (SELECT value FROM json_each(?)))", only)
		and("id NOT IN (SELECT task FROM names WHERE repo NOT IN (SELECT value FROM json_each(?)))", only)
	}
	for _, w := range f.Words() {
		and("instr(folded, ?) > 0", w)
	}
	return strings.Join(all, " AND "), values
}

// jsonOf writes identities as SQLite reads a list.
func jsonOf(repos []code.RepoID) string {
	text, err := json.Marshal(repos)
	if err != nil {
		panic(err) // they are strings
	}
	return string(text)
}

// Readers implements tasks.Store. The connection that looks for changes is none.
func (s *Store) Readers() tasks.Readers {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := tasks.Readers{Most: s.readers}
	if s.opened != nil && s.opened.read != nil {
		stats := s.opened.read.Stats()
		r.Open, r.Busy = max(0, stats.OpenConnections-1), max(0, stats.InUse-1)
	}
	return r
}

// Mark implements tasks.Store.
func (s *Store) Mark(ctx context.Context) (int64, error) {
	if _, err := os.Stat(s.named()); err != nil {
		return 0, nil
	}
	d, err := s.open(ctx, false)
	if err != nil || d == nil {
		return 0, err
	}
	var n int64
	err = d.watch.QueryRowContext(ctx, "PRAGMA data_version").Scan(&n)
	return n, s.explained(err)
}

// Package postgres keeps the catalogue of a team in its database: a row for each
// repository, with its record as JSON. Every program of the team sees the same
// repositories.
//
// What was read is remembered until somebody announces a change, so that a question
// asks the database nothing. Where nothing can be heard, it is read each time; where
// the database cannot be reached, what was read last answers.
package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/postgres"
)

// channel is where a change of the catalogue is announced, by the id of a repository.
const channel = "espy_repositories"

// Catalog is the repositories of a team. It implements catalog.Catalog.
type Catalog struct {
	pool     *pgxpool.Pool
	folder   string
	listener *postgres.Listener // nil for none

	mu      sync.Mutex
	read    []catalog.Repo // last; guarded by mu
	at      state          // of read; guarded by mu
	changes uint64         // heard of; guarded by mu
	retry   time.Time      // before which the database is not asked again; guarded by mu
}

// state is when the catalogue was read: in which epoch of the listener, and after
// how many changes.
type state struct{ epoch, changes uint64 }

// New returns the catalogue of a database, whose changes a listener hears that starts
// afterwards; nil for none. What is kept of repositories on this machine is below folder.
func New(pool *pgxpool.Pool, l *postgres.Listener, folder string) *Catalog {
	c := &Catalog{pool: pool, folder: folder, listener: l}
	l.Hear(channel, c.hear)
	return c
}

// hear notes an announcement.
func (c *Catalog) hear(string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
}

// Folder implements catalog.Catalog.
func (c *Catalog) Folder(id code.RepoID) string { return filepath.Join(c.folder, string(id)) }

// listTime bounds how long reading the catalogue takes, askAgain how soon it is tried
// again after it could not be read.
const (
	listTime = 5 * time.Second
	askAgain = time.Second
)

// List implements catalog.Catalog.
func (c *Catalog) List() ([]catalog.Repo, error) {
	epoch, on := c.listener.Epoch()
	c.mu.Lock()
	read, now := c.read, state{epoch, c.changes}
	known := on && read != nil && c.at == now || read != nil && time.Now().Before(c.retry)
	c.mu.Unlock()
	if known {
		return slices.Clone(read), nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), listTime)
	defer cancel()
	repos, err := list(ctx, c.pool)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil && c.read != nil {
		c.retry = time.Now().Add(askAgain)
		return slices.Clone(c.read), nil // answers say since when they may be behind
	}
	if err == nil {
		c.read, c.at = append([]catalog.Repo{}, repos...), now
	}
	return repos, err
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func list(ctx context.Context, q querier) ([]catalog.Repo, error) {
	rows, err := q.Query(ctx, `SELECT record FROM espy.repositories`)
	if err != nil {
		return nil, fmt.Errorf("list repositories: %w", err)
	}
	repos, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r catalog.Repo, err error) {
		var b []byte
		if err := row.Scan(&b); err != nil {
			return r, err
		}
		return r, json.Unmarshal(b, &r)
	})
	if err != nil {
		return nil, fmt.Errorf("list repositories: %w", err)
	}
	catalog.Sort(repos)
	return repos, nil
}

// Has implements catalog.Catalog.
func (c *Catalog) Has(id code.RepoID) bool {
	repos, err := c.List()
	return err != nil || slices.ContainsFunc(repos, func(r catalog.Repo) bool { return r.ID == id })
}

// Attach implements catalog.Catalog. One program at a time attaches.
func (c *Catalog) Attach(ctx context.Context, r catalog.Repo) (rec catalog.Repo, err error) {
	err = c.change(ctx, func(tx pgx.Tx, repos []catalog.Repo) (code.RepoID, error) {
		if rec, err = catalog.Settle(r, repos); err != nil {
			return "", err
		}
		if slices.ContainsFunc(repos, func(o catalog.Repo) bool { return o.ID == rec.ID && o.Name == rec.Name }) {
			return "", nil
		}
		return rec.ID, c.write(ctx, tx, rec)
	})
	return rec, err
}

// change runs f on the repositories that there are, while nobody else changes them,
// and announces the one that it has changed, "" for none.
func (c *Catalog) change(ctx context.Context, f func(tx pgx.Tx, repos []catalog.Repo) (code.RepoID, error)) error {
	defer c.hear("") // what was read is old, also for this program
	return postgres.Explain(pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `LOCK TABLE espy.repositories IN SHARE ROW EXCLUSIVE MODE`); err != nil {
			return fmt.Errorf("change the catalogue: %w", err)
		}
		repos, err := list(ctx, tx)
		if err != nil {
			return err
		}
		id, err := f(tx, repos)
		if err != nil || id == "" {
			return err
		}
		_, err = tx.Exec(ctx, `SELECT pg_notify($1, $2)`, channel, string(id))
		return err
	}))
}

// noNUL takes NUL out of JSON, which PostgreSQL does not hold; a backslash before u0000
// may be one of two, which are text.
var noNUL = strings.NewReplacer(`\\`, `\\`, `\u0000`, `\ufffd`)

func (c *Catalog) write(ctx context.Context, tx pgx.Tx, r catalog.Repo) error {
	b, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode repository record: %w", err)
	}
	place := sha256.Sum256([]byte(r.Place()))
	if _, err := tx.Exec(ctx, `INSERT INTO espy.families VALUES ($1) ON CONFLICT DO NOTHING`, r.FamilyID()); err != nil {
		return fmt.Errorf("add repository: %w", err)
	}
	_, err = tx.Exec(ctx, `INSERT INTO espy.repositories (id, family, place, record) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET record = excluded.record, changed = now()`, r.ID, r.FamilyID(), place[:], noNUL.Replace(string(b)))
	if err != nil {
		return fmt.Errorf("add repository: %w", err)
	}
	return nil
}

// SetRemote implements catalog.Catalog.
func (c *Catalog) SetRemote(ctx context.Context, id code.RepoID, remote catalog.Remote) error {
	return c.change(ctx, func(tx pgx.Tx, repos []catalog.Repo) (code.RepoID, error) {
		i := slices.IndexFunc(repos, func(r catalog.Repo) bool { return r.ID == id })
		if i < 0 {
			return "", fmt.Errorf("note what was received: %w", fs.ErrNotExist)
		}
		repos[i].Remote = &remote
		return id, c.write(ctx, tx, repos[i])
	})
}

// Remove implements catalog.Catalog. What is kept of the repository on other machines
// goes when they need the room.
func (c *Catalog) Remove(ctx context.Context, id code.RepoID) error {
	var folders []code.RepoID
	err := c.change(ctx, func(tx pgx.Tx, repos []catalog.Repo) (_ code.RepoID, err error) {
		i := slices.IndexFunc(repos, func(r catalog.Repo) bool { return r.ID == id })
		if i < 0 {
			return "", fmt.Errorf("remove repository: %w", fs.ErrNotExist)
		}
		gone := repos[i]
		if _, err := tx.Exec(ctx, `DELETE FROM espy.repositories WHERE id = $1`, id); err != nil {
			return "", fmt.Errorf("remove repository: %w", err)
		}
		folders, err = c.left(ctx, tx, gone, slices.Delete(repos, i, i+1))
		return id, err
	})
	for _, folder := range folders {
		err = errors.Join(err, os.RemoveAll(c.Folder(folder)))
	}
	return err
}

// left deletes the family of a repository that was its last, and returns the folders
// that nobody needs any more.
func (c *Catalog) left(ctx context.Context, tx pgx.Tx, gone catalog.Repo, repos []catalog.Repo) (folders []code.RepoID, err error) {
	for _, folder := range slices.Compact([]code.RepoID{gone.ID, gone.FamilyID()}) {
		if !slices.ContainsFunc(repos, func(r catalog.Repo) bool { return r.FamilyID() == folder }) {
			folders = append(folders, folder)
		}
	}
	if !slices.Contains(folders, gone.FamilyID()) {
		return folders, nil
	}
	for _, statement := range []string{ // in this order: what is listed cannot be deleted
		`DELETE FROM espy.views WHERE family = $1`, `DELETE FROM espy.families WHERE id = $1`,
	} {
		if _, err := tx.Exec(ctx, statement, gone.FamilyID()); err != nil {
			return folders, fmt.Errorf("remove repository: %w", err)
		}
	}
	return folders, nil
}

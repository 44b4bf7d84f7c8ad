// Package codebase reads the development tasks that codebase-mcp kept in PostgreSQL.
//
// Its tables are tasks, task_planning_references, task_branch_links,
// task_commit_links and task_status_history. They lie in one database, or in a
// schema for each project, or in a database for each project, which the table
// projects of a registry names. Releases differ in columns; all but the first of
// the tables may be missing. Times without a zone are UTC.
//
// It only reads: in one read-only transaction a database, as it is at its start.
package codebase

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"espy/internal/postgres"
	"espy/internal/tasks"
)

// Options says what is read.
type Options struct {
	URL      string                // postgres://user:password@host:port/database; what it lacks comes from where psql has it
	Progress func(done, total int) // tasks of one source; nil tells nobody
	Wait     time.Duration         // how long the server may take to answer once; 0 is ten seconds, thirty for rows
}

// Found is a task.
type Found struct {
	Task tasks.Task
	Skip string   // why it cannot be taken over; empty if it can
	Lost []string // what of it is shortened or left out
}

// Source is a table of tasks.
type Source struct {
	Database string   `json:"database"`
	Schema   string   `json:"schema"`
	Tasks    int      `json:"tasks"`
	Absent   []string `json:"absent,omitempty"`   // tables beside it that are not there
	NoPlace  []Column `json:"no_place,omitempty"` // columns of it that a task has no field for
}

// Column is a column, and how many rows have a value in it.
type Column struct {
	Name string `json:"column"`
	Rows int    `json:"rows"`
}

// Missing is a database that a registry names and that cannot be read.
type Missing struct {
	Database string `json:"database"`
	Reason   string `json:"reason"`
}

// Report is what was read.
type Report struct {
	Server  string    // user@host:port/database, without the password
	Sources []Source  // by database and schema
	Missing []Missing // by database
}

// Read reads the tasks of a database, and of those that it names as a registry, and
// hands each to take, whose error ends it. Errors about the address and the server
// are *usage.Error; the report is of what was read until then.
func Read(ctx context.Context, o Options, take func(Found) error) (*Report, error) {
	cfg, err := postgres.Parse(o.URL)
	if err != nil {
		return nil, err
	}
	r := &reader{cfg: cfg, o: o, take: take, seen: map[string]string{}, report: &Report{Server: postgres.Describe(cfg)}}
	registered, err := r.database(ctx, cfg.Database)
	if err != nil {
		return r.report, err
	}
	slices.Sort(registered)
	for _, name := range slices.Compact(registered) {
		if name == cfg.Database {
			continue
		}
		_, err := r.database(ctx, name)
		var refused *serverError
		if errors.As(err, &refused) && refused.unreadable {
			problem, _ := refused.Explain()
			r.report.Missing = append(r.report.Missing, Missing{name, problem})
			continue
		}
		if err != nil {
			return r.report, err
		}
	}
	if len(r.report.Sources) == 0 {
		return r.report, noTasks(cfg.Database, len(registered))
	}
	return r.report, nil
}

// reader is one run of Read.
type reader struct {
	cfg    *pgx.ConnConfig
	o      Options
	take   func(Found) error
	seen   map[string]string // ids of tasks, and the place of each
	report *Report
}

// The usual limits of a server's answer.
const (
	connectWait = 10 * time.Second
	rowsWait    = 30 * time.Second
)

// database reads a database, and returns those that it names as a registry.
func (r *reader) database(ctx context.Context, name string) (registered []string, err error) {
	cfg := r.cfg.Copy()
	cfg.Database = name
	db, err := open(ctx, cfg, cmp.Or(r.o.Wait, connectWait), cmp.Or(r.o.Wait, rowsWait))
	if err != nil {
		return nil, err
	}
	defer db.close()
	tables, err := db.tables(ctx)
	if err != nil {
		return nil, err
	}
	for _, schema := range tables.sources() {
		if err := r.source(ctx, db, tables, Source{Database: name, Schema: schema}); err != nil {
			return nil, err
		}
	}
	return db.registered(ctx, tables)
}

// source reads one table of tasks and those beside it.
func (r *reader) source(ctx context.Context, db *database, tables tables, s Source) error {
	if err := db.count(ctx, tables, &s); err != nil {
		return err
	}
	r.report.Sources = append(r.report.Sources, s)
	rows, err := db.rows(ctx, tables, s.Schema)
	if err != nil {
		return err
	}
	at, done := s.Database+"."+s.Schema, 0
	for {
		raw, err := rows.next(ctx)
		if raw == nil || err != nil {
			return err
		}
		found := raw.found()
		if first, twice := r.seen[found.Task.ID]; twice && found.Skip == "" {
			found.Skip = "a task of this id was read from " + first
		}
		if found.Skip == "" {
			r.seen[found.Task.ID] = at
		}
		if err := r.take(found); err != nil {
			return err
		}
		if done++; r.o.Progress != nil {
			r.o.Progress(done, s.Tasks)
		}
	}
}

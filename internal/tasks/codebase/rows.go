package codebase

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// batch is how many rows are fetched at once.
const batch = 500

// rows reads the tasks of a schema with their rows of the tables beside it. All are
// ordered by the id of the task, so one pass over each is enough.
type rows struct {
	tasks  *cursor
	beside []*cursor // as the list beside; nil where a table is absent
}

// raw is a task as its tables have it.
type raw struct {
	id, title, status string
	description       string
	notes             string
	branch, commit    string // columns of some releases
	deleted           bool
	created, updated  *time.Time
	beside            [][]record // as the list beside
}

// record is a row beside a task.
type record struct {
	values []string // "" for NULL
	at     *time.Time
}

// cursor fetches the rows of a query. The first column is the id of a task; times
// are microseconds since 1970.
type cursor struct {
	db   *database
	name string
	rows [][]*string
	next int
	over bool
}

// rows begins to read a schema.
func (db *database) rows(ctx context.Context, t tables, schema string) (*rows, error) {
	columns := []string{"id", "title", "status"}
	selected := make([]string, 0, 10)
	for _, c := range columns {
		selected = append(selected, text(c))
	}
	for _, c := range optional {
		switch {
		case !t.has(schema, taskTable, c):
			selected = append(selected, "NULL")
		case c == "deleted_at":
			selected = append(selected, "CASE WHEN deleted_at IS NOT NULL THEN 'yes' END")
		default:
			selected = append(selected, text(c))
		}
	}
	selected = append(selected, micros("created_at"), micros("updated_at"))
	r := &rows{beside: make([]*cursor, len(beside))}
	var err error
	if r.tasks, err = db.cursor(ctx, "espy_tasks", selected, schema, taskTable, "id"); err != nil {
		return nil, err
	}
	for i, b := range beside {
		if !t.has(schema, b.table, append([]string{"task_id"}, b.fields...)...) {
			continue
		}
		at := b.fields[len(b.fields)-1]
		selected := []string{text("task_id")}
		for _, f := range b.fields[:len(b.fields)-1] {
			selected = append(selected, text(f))
		}
		order := "task_id, " + pgx.Identifier{at}.Sanitize()
		if t.has(schema, b.table, "id") {
			order += ", id"
		}
		if r.beside[i], err = db.cursor(ctx, "espy_"+b.table, append(selected, micros(at)), schema, b.table, order); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func text(column string) string { return pgx.Identifier{column}.Sanitize() + "::text" }

// micros is a time as microseconds since 1970, NULL where it is infinite. One
// without a zone is taken as UTC.
func micros(column string) string {
	c := pgx.Identifier{column}.Sanitize()
	return "CASE WHEN isfinite(" + c + ") THEN (EXTRACT(EPOCH FROM " + c + ") * 1000000)::bigint::text END"
}

// cursor opens one over a table, in the order of the ids of tasks as texts.
func (db *database) cursor(ctx context.Context, name string, selected []string, schema, table, order string) (*cursor, error) {
	id, rest, _ := strings.Cut(order, ",")
	if rest != "" {
		rest = "," + rest
	}
	c := &cursor{db: db, name: name}
	statement := fmt.Sprintf(`DECLARE %s NO SCROLL CURSOR FOR SELECT %s FROM %s ORDER BY %s COLLATE "C"%s`,
		name, strings.Join(selected, ", "), pgx.Identifier{schema, table}.Sanitize(), text(id), rest)
	return c, db.query(ctx, func(pgx.Rows) error { return nil }, statement)
}

// close lets another schema have the names of cursors.
func (r *rows) close(ctx context.Context) error {
	return r.tasks.db.query(ctx, func(pgx.Rows) error { return nil }, "CLOSE ALL")
}

// peek returns the row that take takes, nil at the end.
func (c *cursor) peek(ctx context.Context) ([]*string, error) {
	if c.next == len(c.rows) && !c.over {
		c.rows, c.next = c.rows[:0], 0
		err := c.db.query(ctx, func(row pgx.Rows) error {
			values := make([]*string, len(row.FieldDescriptions()))
			to := make([]any, len(values))
			for i := range values {
				to[i] = &values[i]
			}
			c.rows = append(c.rows, values)
			return row.Scan(to...)
		}, fmt.Sprintf("FETCH %d FROM %s", batch, c.name))
		if err != nil {
			return nil, err
		}
		c.over = len(c.rows) < batch
	}
	if c.next == len(c.rows) {
		return nil, nil
	}
	return c.rows[c.next], nil
}

// next returns the next task, nil behind the last.
func (r *rows) next(ctx context.Context) (*raw, error) {
	row, err := r.tasks.peek(ctx)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, r.close(ctx)
	}
	r.tasks.next++
	t := &raw{
		id: value(row[0]), title: value(row[1]), status: value(row[2]), description: value(row[3]), notes: value(row[4]),
		branch: value(row[5]), commit: value(row[6]), deleted: row[7] != nil, created: moment(row[8]), updated: moment(row[9]),
		beside: make([][]record, len(r.beside)),
	}
	for i, c := range r.beside {
		if c == nil {
			continue
		}
		if t.beside[i], err = c.of(ctx, t.id); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// of takes the rows of a task. Those of tasks before it, which are not there, are
// passed over.
func (c *cursor) of(ctx context.Context, id string) (list []record, err error) {
	for {
		row, err := c.peek(ctx)
		if err != nil || row == nil || value(row[0]) > id {
			return list, err
		}
		c.next++
		if value(row[0]) != id {
			continue
		}
		last := len(row) - 1
		one := record{at: moment(row[last])}
		for _, v := range row[1:last] {
			one.values = append(one.values, value(v))
		}
		list = append(list, one)
	}
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// moment reads microseconds, nil where there is no time that a task can have.
func moment(s *string) *time.Time {
	var n int64
	if s == nil {
		return nil
	}
	if _, err := fmt.Sscan(*s, &n); err != nil {
		return nil
	}
	at := time.UnixMicro(n).UTC()
	if at.Year() < 1970 || at.Year() > 2200 {
		return nil
	}
	return &at
}

// column returns the first values of rows beside a task.
func (t *raw) column(table string) (list []string) {
	for _, r := range t.records(table) {
		list = append(list, r.values[0])
	}
	return list
}

func (t *raw) records(table string) []record {
	i := slices.IndexFunc(beside, func(b struct {
		table  string
		fields []string
	}) bool {
		return b.table == table
	})
	return t.beside[i]
}

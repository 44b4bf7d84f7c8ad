package codebase

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// The tables of codebase-mcp.
const (
	taskTable      = "tasks"
	referenceTable = "task_planning_references"
	branchTable    = "task_branch_links"
	commitTable    = "task_commit_links"
	historyTable   = "task_status_history"
	projectTable   = "projects"
)

// beside are the tables beside that of the tasks, and what is read of them.
var beside = []struct {
	table  string
	fields []string // values, the last one the time
}{
	{referenceTable, []string{"file_path", "created_at"}},
	{branchTable, []string{"branch_name", "created_at"}},
	{commitTable, []string{"commit_hash", "created_at"}},
	{historyTable, []string{"from_status", "to_status", "changed_at"}},
}

// required are columns that make a table one of codebase-mcp's tasks.
var required = []string{"id", "title", "status", "created_at", "updated_at"}

// optional are the columns that only some releases have.
var optional = []string{"description", "notes", "branch_name", "commit_hash", "deleted_at"}

// tables are the columns of tables, in their order, by schema and table.
type tables map[[2]string][]string

// tables looks for the tables of codebase-mcp in every schema, also where they may
// not be read: that is another error than that there are none.
func (db *database) tables(ctx context.Context) (tables, error) {
	all, names := tables{}, []string{taskTable, projectTable}
	for _, b := range beside {
		names = append(names, b.table)
	}
	return all, db.query(ctx, func(row pgx.Rows) error {
		var schema, table, column string
		err := row.Scan(&schema, &table, &column)
		at := [2]string{schema, table}
		all[at] = append(all[at], column)
		return err
	}, `SELECT n.nspname::text, c.relname::text, a.attname::text
		FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relname = ANY($1) AND c.relkind IN ('r', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
		ORDER BY n.nspname, c.relname, a.attnum`, names)
}

// has reports whether a table has columns.
func (t tables) has(schema, table string, columns ...string) bool {
	for _, c := range columns {
		if !slices.Contains(t[[2]string{schema, table}], c) {
			return false
		}
	}
	return len(columns) > 0
}

// sources are the schemas with tasks.
func (t tables) sources() (schemas []string) {
	for _, at := range slices.SortedFunc(maps.Keys(t), func(a, b [2]string) int { return strings.Compare(a[0], b[0]) }) {
		if at[1] == taskTable && t.has(at[0], taskTable, required...) {
			schemas = append(schemas, at[0])
		}
	}
	return schemas
}

// registered are the databases of projects that a registry names.
func (db *database) registered(ctx context.Context, t tables) (names []string, err error) {
	for at := range t {
		if at[1] != projectTable || !t.has(at[0], projectTable, "database_name") {
			continue
		}
		err := db.query(ctx, func(row pgx.Rows) error {
			var name string
			err := row.Scan(&name)
			names = append(names, name)
			return err
		}, "SELECT database_name::text FROM "+pgx.Identifier(at[:]).Sanitize()+" WHERE database_name IS NOT NULL")
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// count fills in how much a source has, and what of it has no place in a task.
func (db *database) count(ctx context.Context, t tables, s *Source) error {
	for _, b := range beside {
		if !t.has(s.Schema, b.table, append([]string{"task_id"}, b.fields...)...) {
			s.Absent = append(s.Absent, b.table)
		}
	}
	known := slices.Concat(required, optional)
	unknown := func(column string) bool { return !slices.Contains(known, column) }
	if err := db.values(ctx, t, s, taskTable, unknown, ""); err != nil {
		return err
	}
	if slices.Contains(s.Absent, commitTable) {
		return nil
	}
	return db.values(ctx, t, s, commitTable, func(column string) bool { return column == "commit_message" }, commitTable+".")
}

// values counts the rows of a table, where it is that of the tasks, and those that
// have a value in columns without a place.
func (db *database) values(ctx context.Context, t tables, s *Source, table string, without func(string) bool, prefix string) error {
	counts, names := []string{"count(*)"}, []string{}
	for _, c := range t[[2]string{s.Schema, table}] {
		if without(c) {
			counts, names = append(counts, "count("+pgx.Identifier{c}.Sanitize()+")"), append(names, c)
		}
	}
	n := make([]int, len(counts))
	to := make([]any, len(counts))
	for i := range n {
		to[i] = &n[i]
	}
	err := db.query(ctx, func(row pgx.Rows) error { return row.Scan(to...) },
		"SELECT "+strings.Join(counts, ", ")+" FROM "+pgx.Identifier{s.Schema, table}.Sanitize())
	if err != nil {
		return err
	}
	if table == taskTable {
		s.Tasks = n[0]
	}
	for i, name := range names {
		if n[i+1] > 0 {
			s.NoPlace = append(s.NoPlace, Column{prefix + name, n[i+1]})
		}
	}
	return nil
}

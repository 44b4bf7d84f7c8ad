package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"espy/internal/postgrestest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// tasksOfCodebase are the tables of codebase-mcp with three tasks.
const tasksOfCodebase = `
CREATE TABLE tasks (id uuid, title varchar, description text, notes text, status varchar, created_at timestamp, updated_at timestamp, version int);
CREATE TABLE task_branch_links (id uuid, task_id uuid, branch_name varchar, created_at timestamp);
INSERT INTO tasks VALUES
  ('00000000-0000-4000-8000-000000000001', 'Cap the backoff', 'without a bound', NULL, 'need to be done', '2025-10-06 10:00:00', '2025-10-06 10:00:00', 1),
  ('00000000-0000-4000-8000-000000000002', 'Write the manual', NULL, NULL, 'complete', '2025-10-07 10:00:00', '2025-10-08 10:00:00', 1),
  ('00000000-0000-4000-8000-000000000003', '', NULL, NULL, 'complete', '2025-10-07 10:00:00', '2025-10-08 10:00:00', 1);
INSERT INTO task_branch_links VALUES (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'topic', '2025-10-06 10:00:00')`

// TestTaskImport brings tasks over as a user does, and again.
func TestTaskImport(t *testing.T) {
	u := postgrestest.Database(t)
	postgrestest.Exec(t, u, tasksOfCodebase)
	s := newShell(t)
	address := u.String()
	for _, tt := range []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"dry run", []string{"task", "import", "--from", address, "--dry-run"}, 0, []string{"nothing is written: a dry run", "3, 2 created, 1 skipped", "next: the same call without --dry-run"}},
		{"nothing is there", []string{"task", "list"}, 1, []string{"0 tasks"}},
		{"import", []string{"task", "import", "--from", address}, 0, []string{
			"importing 3 tasks", "/test_", ": 3, 2 created, 1 skipped", "schema public: 3 tasks", "not there: task_planning_references, task_commit_links, task_status_history",
			"no field for it: version (3 rows)", "000000000003 : skipped, it has no title", `000000000002 Write the manual: how its status changed is not recorded: it is "complete" since its last change`, "next: espy task list",
		}},
		{"what is there", []string{"task", "list", "--branch", "topic"}, 0, []string{"00000000-0000-4000-8000-000000000001 [need to be done] Cap the backoff"}},
		{"again", []string{"task", "import", "--from", address}, 0, []string{": 3, 2 unchanged, 1 skipped"}},
		{"changed here", []string{"task", "update", "00000000-0000-4000-8000-000000000001", "--notes", "mine"}, 0, []string{"version 2"}},
		{"kept", []string{"task", "import", "--from", address}, 0, []string{"1 unchanged, 1 kept, 1 skipped", "000000000001 Cap the backoff: kept, it was changed here since", "next: --overwrite replaces"}},
		{"overwritten", []string{"task", "import", "--from", address, "--overwrite"}, 0, []string{"1 updated, 1 unchanged, 1 skipped"}},
		{"no address", []string{"task", "import"}, 2, []string{"from which database?", "hint: espy task import --from postgres://"}},
		{"no database", []string{"task", "import", "--from", postgrestest.Beside(u, "gone").String()}, 2, []string{`has no database "gone"`, "hint: "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, code := s.run(tt.args...)
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s\nlacks %s", text, want)
				}
			}
			if strings.Contains(text, postgrestest.Password) || strings.Contains(text, "not%20a") {
				t.Errorf("the password is shown:\n%s", text)
			}
		})
	}
	t.Run("json, address of the environment", func(t *testing.T) {
		s.env = append(s.env, "DATABASE_URL="+strings.Replace(address, "postgres:", "postgresql+asyncpg:", 1))
		text, code := s.run("task", "import", "--json")
		text = text[strings.Index(text, "{") : strings.LastIndex(text, "}")+1] // without the line of progress
		var got struct {
			Unchanged, Skipped int
			Marked             []struct{ ID, Skipped string }
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 || got.Unchanged != 2 || got.Skipped != 1 || len(got.Marked) != 2 {
			t.Errorf("%d, %v: %s", code, err, text)
		}
	})
}

package codebase_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"espy/internal/postgrestest"
	"espy/internal/tasks"
	"espy/internal/tasks/codebase"
	"espy/internal/usage"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// filled returns a database in which files of testdata were run.
func filled(t *testing.T, files ...string) *url.URL {
	t.Helper()
	u := postgrestest.Database(t)
	for _, f := range files {
		postgrestest.Exec(t, u, sql(t, f))
	}
	return u
}

func sql(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// read reads all tasks of an address.
func read(t *testing.T, address string) (map[string]codebase.Found, *codebase.Report) {
	t.Helper()
	all := map[string]codebase.Found{}
	report, err := codebase.Read(t.Context(), codebase.Options{URL: address}, func(f codebase.Found) error {
		all[f.Task.ID] = f
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, report
}

func id(last string) string { return "00000000-0000-4000-8000-00000000000" + last }

func at(text string) time.Time {
	out, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return out
}

func TestRead(t *testing.T) {
	all, report := read(t, strings.Replace(filled(t, "first.sql", "tasks.sql").String(), "postgres:", "postgresql+asyncpg:", 1))
	want := tasks.Task{
		ID: id("1"), Title: "Cap the backoff", Description: "It grows — 日本", Status: tasks.Complete,
		Planning: []string{"specs/retry/spec.md", "specs/retry/plan.md"}, Branches: []string{"feature/retry", "feature/retry-2"}, Commits: []string{strings.Repeat("ab", 20)},
		Created: at("2025-10-06T10:00:00.000001Z"), Updated: at("2025-10-08T09:30:00Z"),
		History: []tasks.Change{
			{To: tasks.Needed, At: at("2025-10-06T10:00:00.000001Z")}, {From: tasks.Needed, To: tasks.InProgress, At: at("2025-10-06T11:00:00Z")},
			{From: tasks.InProgress, To: tasks.Complete, At: at("2025-10-08T09:30:00Z")},
		},
	}
	if diff := cmp.Diff(want, all[id("1")].Task); diff != "" {
		t.Errorf("a task (-want +got):\n%s", diff)
	}
	long := all[id("3")]
	if n := len([]rune(long.Task.Title)); n != tasks.MaxTitle || len(long.Task.Planning) != tasks.MaxPlanning || len(long.Task.Commits) != 0 {
		t.Errorf("a title of %d characters, %d references, commits %v", n, len(long.Task.Planning), long.Task.Commits)
	}
	for _, tt := range []struct{ name, got, want string }{
		{"notes", all[id("2")].Task.Notes, "waits"},
		{"skipped", all[id("4")].Skip + "; " + all[id("5")].Skip, "it has no title; it has no time between 1970 and 2200"},
		{"lost", strings.Join(long.Lost, "; "), `title is shortened from 201 to 200 characters; description is shortened from 2001 to 2000 characters; ` +
			`notes is shortened from 5001 to 5000 characters; 2 of 12 planning references are left out; commit "abc", which is no hash of 40 digits, is left out; ` +
			`how its status changed is not recorded: it is "in-progress" since its last change`},
		{"source", fmt.Sprintf("%d %v %v", report.Sources[0].Tasks, report.Sources[0].Absent, report.Sources[0].NoPlace), "5 [] [{task_commit_links.commit_message 1}]"},
		{"server", report.Server[:strings.Index(report.Server, ":")], "espy@127.0.0.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("%s\nwant %s", tt.got, tt.want)
			}
		})
	}
}

func TestReleases(t *testing.T) {
	all, report := read(t, filled(t, "items.sql").String())
	item := all[id("a")].Task
	history := ""
	for _, c := range all[id("b")].Task.History {
		history += fmt.Sprintf("%s>%s %s;", c.From, c.To, c.At.Format(time.RFC3339))
	}
	for _, tt := range []struct{ name, got, want string }{
		{"columns of links", fmt.Sprint(item.Branches, item.Commits), "[topic] [" + strings.Repeat("0", 40) + "]"},
		{"a time with a zone", item.Created.Format(time.RFC3339), "2025-10-10T08:00:00Z"},
		{"statuses", fmt.Sprint(item.Status, all[id("b")].Task.Status, all[id("a")].Lost), `need to be donecomplete[its status blocked is "need to be done" here]`},
		{"no history", history, ">need to be done 2025-10-10T08:00:00Z;need to be done>complete 2025-10-11T08:00:00Z;"},
		{"skipped", all[id("c")].Skip + "; " + all[id("d")].Skip, `it was deleted there; its status "parked" is none of codebase-mcp's`},
		{"absent", fmt.Sprint(report.Sources[0].Absent), "[task_planning_references task_branch_links task_commit_links task_status_history]"},
		{"no place", fmt.Sprint(report.Sources[0].NoPlace), "[{version 4} {item_type 4} {path 4} {depth 4} {pr_number 1} {metadata 1} {created_by 4}]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("%s\nwant %s", tt.got, tt.want)
			}
		})
	}
}

// TestLayouts holds that tasks are found where a project has a schema or a database.
func TestLayouts(t *testing.T) {
	const copied = `INSERT INTO "project_B x".tasks SELECT * FROM public.tasks`
	schemas := filled(t, "first.sql", "tasks.sql")
	postgrestest.Exec(t, schemas, `CREATE SCHEMA "project_B x"; CREATE TABLE "project_B x".tasks (LIKE public.tasks); `+copied+`;
		CREATE SCHEMA other; CREATE TABLE other.tasks (id int, title text)`)
	projects := filled(t, "items.sql")
	registry := postgrestest.Database(t)
	postgrestest.Exec(t, registry, fmt.Sprintf(`CREATE TABLE projects (id uuid, name text, database_name text);
		INSERT INTO projects (database_name) VALUES ('%s'), ('cb_proj_gone_00000000'), ('%s'), (NULL)`, projects.Path[1:], schemas.Path[1:]))
	empty := postgrestest.Database(t)
	postgrestest.Exec(t, empty, fmt.Sprintf("CREATE TABLE projects (database_name text); INSERT INTO projects VALUES ('%s')", empty.Path[1:]))
	for _, tt := range []struct {
		name string
		url  *url.URL
		want string
	}{
		{"schemas", schemas, "project_B x 5, public 5, read twice 3, missing []"},
		{"registry", registry, "project_B x 5, public 5, public 4, read twice 3, missing [cb_proj_gone_00000000]"},
		{"registry of nothing", empty, "none of the 1 databases that the registry " + empty.Path[1:] + " names has tasks of codebase-mcp"},
		{"not a table of tasks", postgrestest.Beside(schemas, "postgres"), "the database postgres has no tasks of codebase-mcp: no table tasks with id, title, status, created_at and updated_at"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, twice := "", 0
			report, err := codebase.Read(t.Context(), codebase.Options{URL: tt.url.String()}, func(f codebase.Found) error {
				if strings.HasPrefix(f.Skip, "a task of this id was read from ") {
					twice++
				}
				return nil
			})
			if err != nil {
				got, _ = usage.Explain(err)
			} else {
				for _, s := range report.Sources {
					got += fmt.Sprintf("%s %d, ", s.Schema, s.Tasks)
				}
				var missing []string
				for _, m := range report.Missing {
					missing = append(missing, m.Database)
				}
				got += fmt.Sprintf("read twice %d, missing %v", twice, missing)
			}
			if got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestMany reads more tasks than are fetched at once, and rows of tasks that are
// not there.
func TestMany(t *testing.T) {
	u := filled(t, "first.sql")
	postgrestest.Exec(t, u, `ALTER TABLE task_branch_links DROP CONSTRAINT task_branch_links_task_id_fkey;
		INSERT INTO tasks SELECT md5(n::text)::uuid, 'task ' || n, NULL, NULL, 'need to be done', '2025-10-06', '2025-10-06' FROM generate_series(1, 1200) n;
		INSERT INTO task_branch_links SELECT gen_random_uuid(), md5(n::text)::uuid, 'b' || n || '-' || k, '2025-10-06' FROM generate_series(1, 1300) n, generate_series(1, 2) k`)
	all, wrong, last := 0, 0, 0
	_, err := codebase.Read(t.Context(), codebase.Options{URL: u.String(), Progress: func(done, total int) {
		if done != last+1 || total != 1200 {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}}, func(f codebase.Found) error {
		all++
		n := strings.TrimPrefix(f.Task.Title, "task ")
		if len(f.Task.Branches) != 2 || !strings.HasPrefix(f.Task.Branches[0], "b"+n+"-") {
			wrong++
		}
		return nil
	})
	if err != nil || all != 1200 || wrong != 0 {
		t.Errorf("%d tasks, %d with branches of others, %v", all, wrong, err)
	}
}

// TestBeside holds that tasks are read as they are at the start, that others may
// write meanwhile, and that the error of who takes them ends it.
func TestBeside(t *testing.T) {
	u := filled(t, "first.sql", "tasks.sql")
	notes := ""
	_, err := codebase.Read(t.Context(), codebase.Options{URL: u.String()}, func(f codebase.Found) error {
		postgrestest.Exec(t, u, "UPDATE tasks SET notes = 'changed meanwhile'")
		notes += f.Task.Notes
		return nil
	})
	if err != nil || strings.Contains(notes, "changed") {
		t.Errorf("notes %.80s, %v", notes, err)
	}
	stopped := errors.New("stopped")
	if _, err := codebase.Read(t.Context(), codebase.Options{URL: u.String()}, func(codebase.Found) error { return stopped }); !errors.Is(err, stopped) {
		t.Errorf("%v, want the error of who takes", err)
	}
}

// listening answers who connects with a text, and nothing more.
func listening(t *testing.T, answer string) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, answer)
			open.Go(func() { io.Copy(io.Discard, conn); conn.Close() })
		}
	})
	t.Cleanup(func() { l.Close(); open.Wait() })
	return l.Addr().String()
}

func TestRefusals(t *testing.T) {
	u := filled(t, "first.sql", "tasks.sql")
	postgrestest.Exec(t, u, "CREATE ROLE stranger LOGIN PASSWORD 'x'")
	t.Cleanup(func() { postgrestest.Exec(t, u, "DROP ROLE stranger") })
	quiet, web := listening(t, ""), listening(t, "HTTP/1.1 400 Bad Request\r\n\r\n")
	with := func(change func(*url.URL)) string {
		other := *u
		change(&other)
		return other.String()
	}
	for _, tt := range []struct {
		name, url  string
		want, hint string
	}{
		{"no address", "codebase_mcp", "the address is not that of a PostgreSQL database", "postgres://USER@HOST:5432/DATABASE"},
		{"another kind", "mysql://hunter2@h/d", "the address is not that of a PostgreSQL database", "postgres://"},
		{"bare characters", "postgres://u:hunter2/x#@h/d", "the address is not that of a PostgreSQL database", "%23"},
		{"bad option", "postgres://u:hunter2@h/d?sslmode=maybe", "the address is not that of a PostgreSQL database", "postgres://"},
		{"wrong password", with(func(u *url.URL) { u.User = url.UserPassword("espy", "hunter2") }), "does not let espy in: password authentication failed", "PGPASSWORD"},
		{"no password", with(func(u *url.URL) { u.User = url.User("espy") }), "the server at 127.0.0.1", "PGPASSWORD"},
		{"no such database", with(func(u *url.URL) { u.Path += "0" }), `has no database "` + u.Path[1:] + `0"`, "did you mean test_"},
		{"no right", with(func(u *url.URL) { u.User = url.UserPassword("stranger", "x") }), "stranger may not read the tasks", "GRANT SELECT"},
		{"no host", "postgres://u:hunter2@nowhere.invalid/d", "there is no host nowhere.invalid", "DATABASE_URL"},
		{"not PostgreSQL", "postgres://u:hunter2@" + web + "/d", "no PostgreSQL answers at " + web, "pg_isready"},
		{"silent", "postgres://u:hunter2@" + quiet + "/d", "the server at " + quiet + " does not answer within 300ms", "firewall"},
		{"refused", "postgres://u:hunter2@127.0.0.1:1/d", "no PostgreSQL answers at 127.0.0.1:1: connect: connection refused", "pg_isready"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := codebase.Read(t.Context(), codebase.Options{URL: tt.url, Wait: 300 * time.Millisecond}, func(codebase.Found) error { return nil })
			if err == nil {
				t.Fatal("read")
			}
			got, hint := usage.Explain(err)
			if !strings.Contains(got, tt.want) || !strings.Contains(hint, tt.hint) {
				t.Errorf("%s\n%s\nwant %s\n%s", got, hint, tt.want, tt.hint)
			}
			if all := got + hint + err.Error(); strings.Contains(all, "hunter2") || strings.Contains(all, postgrestest.Password) || strings.Contains(got, "\n") {
				t.Errorf("a password or several lines: %s", all)
			}
		})
	}
}

// TestBreaksOff holds that a table that somebody else has locked, and a server that
// goes away, end the reading with what helps.
func TestBreaksOff(t *testing.T) {
	u := filled(t, "first.sql")
	postgrestest.Exec(t, u, "INSERT INTO tasks SELECT gen_random_uuid(), 'task', NULL, NULL, 'need to be done', '2025-10-06', '2025-10-06' FROM generate_series(1, 1200)")
	conn, err := pgx.Connect(t.Context(), u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, tt := range []struct {
		name, before, during string
		want, hint           string
	}{
		{"locked", "BEGIN; LOCK TABLE task_commit_links IN ACCESS EXCLUSIVE MODE", "", "did not answer within 200ms", "pg_stat_activity"},
		{"gone", "ROLLBACK", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'espy task import'", "takes no questions now", "run it again"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := conn.PgConn().Exec(t.Context(), tt.before).ReadAll(); err != nil {
				t.Fatal(err)
			}
			during := sync.OnceFunc(func() { postgrestest.Exec(t, u, tt.during) })
			_, err := codebase.Read(t.Context(), codebase.Options{URL: u.String(), Wait: 200 * time.Millisecond}, func(codebase.Found) error {
				during()
				return nil
			})
			got, hint := "", ""
			if err != nil {
				got, hint = usage.Explain(err)
			}
			if err == nil || !strings.Contains(got, tt.want) || !strings.Contains(hint, tt.hint) {
				t.Errorf("%s\n%s\nwant %s\n%s", got, hint, tt.want, tt.hint)
			}
		})
	}
}

package postgres

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/postgres"
	"espy/internal/postgrestest"
	"espy/internal/tasks"
	"espy/internal/tasks/taskstest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

func pool(t testing.TB, u *url.URL, conns int) *pgxpool.Pool {
	t.Helper()
	p, err := postgres.Open(t.Context(), postgres.Options{URL: u.String(), MaxConns: conns})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func TestStore(t *testing.T) {
	taskstest.Run(t, func(t *testing.T) func() tasks.Store {
		u := postgrestest.Database(t)
		return func() tasks.Store { return New(pool(t, u, 4)) }
	})
}

// TestTexts holds that any text is kept, found and harms nothing.
func TestTexts(t *testing.T) {
	s := New(pool(t, postgrestest.Database(t), 2))
	for i, text := range []string{
		"'; DROP TABLE espy.tasks; --", `\'; SELECT pg_sleep(9) --`, "$1 %s ${x} :name", "a\x00b", "{\"a\": \"\\u0000\"}",
		strings.Repeat("0123456789abcdef", 1<<16), "\u202e\ufeff\U0001f600", "$$;ROLLBACK;$$",
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			one := &tasks.Task{ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", i), Version: 1, Status: tasks.Needed, Title: text, Notes: text, Created: time.Unix(int64(i), 0).UTC(),
				Branches: []string{text}, Files: []tasks.File{{Repo: "r", Path: text}}}
			if err := s.Create(t.Context(), one); err != nil {
				t.Fatal(err)
			}
			got, err := s.Task(t.Context(), one.ID)
			if err != nil || got.Title != text || got.Files[0].Path != text {
				t.Fatalf("it is read as %.80q, %v", got.Title, err)
			}
			words := strings.Fields(text)
			l, err := s.List(t.Context(), tasks.Filter{Branch: text, Text: words[0], Repo: "r"}, tasks.Page{Limit: 3})
			if err != nil || l.Total != 1 || l.Tasks[0].ID != one.ID {
				t.Errorf("found %+v, %v", l, err)
			}
		})
	}
	if _, err := s.List(t.Context(), tasks.Filter{Text: "\xff", Branch: "\xff'", Repo: "'\x00"}, tasks.Page{Limit: 3, After: "00000000-0000-4000-8000-000000000000"}); err != nil {
		t.Errorf("a filter of bad bytes: %v", err)
	}
}

// TestRestart holds that a database that restarts, and connections that are cut off
// while tasks are written, lose and double nothing.
func TestRestart(t *testing.T) {
	u := postgrestest.Database(t)
	postgrestest.Exec(t, u, "ALTER DATABASE "+u.Path[1:]+" SET synchronous_commit = on") // as it is elsewhere
	s := New(pool(t, u, 4))
	b := tasks.New(s, tasks.Options{})
	shared, err := b.Create(t.Context(), tasks.Task{Title: "shared", Files: []tasks.File{{Repo: "r", Path: "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	const writers, each = 3, 30
	for w := range writers {
		group.Go(func() {
			for i := range each {
				if w == 0 && i == 10 {
					postgrestest.Exec(t, postgrestest.Beside(u, "postgres"), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'espy'")
				}
				if w == 0 && i == each/2 {
					postgrestest.Restart(t)
				}
				if _, _, err := b.Update(context.Background(), shared.ID, tasks.Edit{Notes: new(fmt.Sprint(w, " ", i))}); err != nil {
					t.Errorf("update: %v", err)
				}
				if _, err := b.Create(context.Background(), tasks.Task{Title: fmt.Sprint(w, " ", i)}); err != nil {
					t.Errorf("create: %v", err)
				}
			}
		})
	}
	group.Wait()
	got, err := s.Task(t.Context(), shared.ID)
	if err != nil || got.Version < writers*each+1 {
		t.Errorf("version %v, %v after %d changes: changes were lost", got, err, writers*each)
	}
	l, err := s.List(t.Context(), tasks.Filter{}, tasks.Page{Limit: 2 * writers * each})
	if err != nil || l.Total != 1+writers*each {
		t.Errorf("%d tasks, %v, want %d", l.Total, err, 1+writers*each)
	}
}

// TestReadOnly holds what a replica answers.
func TestReadOnly(t *testing.T) {
	u := postgrestest.Database(t)
	one := &tasks.Task{ID: "00000000-0000-4000-8000-000000000000", Version: 1, Title: "one"}
	if err := New(pool(t, u, 1)).Create(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	postgrestest.Exec(t, u, "ALTER DATABASE "+u.Path[1:]+" SET default_transaction_read_only = on")
	s := New(pool(t, u, 1))
	if got, err := s.Task(t.Context(), one.ID); err != nil || got.Title != "one" {
		t.Errorf("read: %+v, %v", got, err)
	}
	for name, err := range map[string]error{
		"create": s.Create(t.Context(), one),
		"update": s.Update(t.Context(), one.ID, func(t *tasks.Task) error { t.Version++; return nil }),
	} {
		if err == nil || !strings.Contains(err.Error(), "read only") || strings.Contains(err.Error(), postgrestest.Password) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMark holds that concurrent changes of tasks that name code are all counted.
func TestMark(t *testing.T) {
	s := New(pool(t, postgrestest.Database(t), 4))
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := range 25 {
				one := &tasks.Task{ID: fmt.Sprintf("00000000-0000-4000-8000-%012d", w*100+i), Files: []tasks.File{{Repo: "r", Path: "p"}}}
				if err := s.Create(context.Background(), one); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if n, err := s.Mark(t.Context()); n != 100 || err != nil {
		t.Errorf("mark %d, %v, want 100", n, err)
	}
}

// BenchmarkMixed has eight callers, as a server has, whose commits wait for the WAL.
func BenchmarkMixed(b *testing.B) {
	u := postgrestest.Database(b)
	u.RawQuery += "&synchronous_commit=on" // as servers have it
	book := tasks.New(New(pool(b, u, 8)), tasks.Options{})
	var mu sync.Mutex
	var ids []string
	var calls int
	work := func() error {
		mu.Lock()
		calls++
		i, known := calls, slices.Clip(ids)
		mu.Unlock()
		switch {
		case i%4 == 0 || len(known) == 0:
			t, err := book.Create(b.Context(), tasks.Task{Title: fmt.Sprint("task ", i), Description: strings.Repeat("text ", 100)})
			if err == nil {
				mu.Lock()
				ids = append(ids, t.ID)
				mu.Unlock()
			}
			return err
		case i%4 == 1:
			_, _, err := book.Update(b.Context(), known[len(known)/2], tasks.Edit{Status: new(tasks.Statuses[i/4%3]), Notes: new(fmt.Sprint(i))})
			return err
		case i%4 == 2:
			_, err := book.Task(b.Context(), known[i%len(known)])
			return err
		default:
			_, err := book.List(b.Context(), tasks.Filter{}, tasks.Page{Limit: 20})
			return err
		}
	}
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := work(); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

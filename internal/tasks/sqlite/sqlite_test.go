package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/tasks"
	"espy/internal/tasks/taskstest"
	"espy/internal/usage"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("TASKS_WRITER"); dir != "" {
		writeUntilKilled(dir)
	}
	os.Exit(m.Run())
}

// writeUntilKilled creates tasks and prints the id of each that was answered.
func writeUntilKilled(dir string) {
	b := tasks.New(New(dir, 0), tasks.Options{})
	for i := 0; ; i++ {
		t, err := b.Create(context.Background(), tasks.Task{Title: fmt.Sprint("task ", i), Description: strings.Repeat("x", 1000)})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(t.ID)
	}
}

func open(t *testing.T, dir string) *Store {
	s := New(dir, 0)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	taskstest.Run(t, func(t *testing.T) func() tasks.Store {
		dir := filepath.Join(t.TempDir(), "tasks #1?")
		return func() tasks.Store { return open(t, dir) }
	})
}

// TestKill holds that nothing is lost which was answered before the process died.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	for round := range 3 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			writer := exec.Command(os.Args[0])
			writer.Env = append(os.Environ(), "TASKS_WRITER="+dir)
			writer.Stderr = os.Stderr
			out, err := writer.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := writer.Start(); err != nil {
				t.Fatal(err)
			}
			var ids []string
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if ids = append(ids, lines.Text()); len(ids) == 150 {
					writer.Process.Kill() // the lines that it wrote before are still read
				}
			}
			writer.Wait()
			s := open(t, dir)
			for _, id := range ids {
				if _, err := s.Task(t.Context(), id); err != nil {
					t.Fatalf("of %d answered, %s is lost: %v", len(ids), id, err)
				}
			}
			if len(ids) < 150 {
				t.Errorf("only %d tasks were written", len(ids))
			}
		})
	}
}

// TestFull holds that a full disk is an error that says so, and that what was
// there stays.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	b := tasks.New(s, tasks.Options{})
	first, err := b.Create(t.Context(), tasks.Task{Title: "first"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.opened.write.Exec("PRAGMA max_page_count = 12"); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = b.Create(t.Context(), tasks.Task{Title: "more", Notes: strings.Repeat("x", tasks.MaxNotes)})
	}
	if !strings.Contains(err.Error(), "the disk is full") || !strings.Contains(err.Error(), dir) {
		t.Errorf("a full disk is %v", err)
	}
	if got, err := b.Task(t.Context(), first.ID); err != nil || got.Title != "first" {
		t.Errorf("the first task is then %+v, %v", got, err)
	}
}

// TestUnusable holds what is said of files that cannot be used.
func TestUnusable(t *testing.T) {
	newer := func(t *testing.T, dir string) {
		s := open(t, dir)
		if _, err := tasks.New(s, tasks.Options{}).Create(t.Context(), tasks.Task{Title: "a"}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.opened.write.Exec("PRAGMA user_version = 99"); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	damaged := func(t *testing.T, dir string) {
		if err := os.WriteFile(filepath.Join(dir, "tasks.db"), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		make func(*testing.T, string)
		want string
	}{{"newer", newer, "written by a newer espy"}, {"damaged", damaged, "is damaged"}} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.make(t, dir)
			_, err := open(t, dir).List(t.Context(), tasks.Filter{}, tasks.Page{Limit: 1})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q in it", err, tt.want)
			}
		})
	}
	t.Run("private", func(t *testing.T) {
		dir := t.TempDir()
		if _, err := tasks.New(open(t, dir), tasks.Options{}).Create(t.Context(), tasks.Task{Title: "a"}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"tasks.db", "tasks.db-wal"} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v, want a file that only its owner reads", name, info.Mode(), err)
			}
		}
	})
}

// TestLayout holds that a task of the first layout is still read.
func TestLayout(t *testing.T) {
	text, err := os.ReadFile("testdata/version1.db")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tasks.db"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := open(t, dir).List(t.Context(), tasks.Filter{Text: "backoff", Branch: "retry", Repo: "1b4e28ba-2fa1-41d2-883f-0016d3cca427"}, tasks.Page{Limit: 5})
	if err != nil || l.Total != 1 || l.Tasks[0].Symbols[0].Name != "net/retry.py#backoff" || len(l.Tasks[0].History) != 2 {
		t.Errorf("%+v, %v", l, err)
	}
	var refused *usage.Error
	if errors.As(err, &refused) {
		t.Errorf("the old layout is refused: %v", err)
	}
}

func BenchmarkMixed(b *testing.B) {
	book := tasks.New(New(b.TempDir(), 0), tasks.Options{})
	defer book.Close()
	var ids []string
	for i := 0; b.Loop(); i++ {
		var err error
		switch i % 4 {
		case 0:
			var t *tasks.Task
			if t, err = book.Create(b.Context(), tasks.Task{Title: fmt.Sprint("task ", i), Description: strings.Repeat("text ", 100)}); err == nil {
				ids = append(ids, t.ID)
			}
		case 1:
			status := tasks.Statuses[i/4%3]
			_, _, err = book.Update(b.Context(), ids[len(ids)/2], tasks.Edit{Status: &status, Notes: new(fmt.Sprint(i))})
		case 2:
			_, err = book.Task(b.Context(), ids[i%len(ids)])
		default:
			_, err = book.List(b.Context(), tasks.Filter{}, tasks.Page{Limit: 20})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

// BenchmarkMark is what a question about code costs where tasks name code that
// it does not find.
func BenchmarkMark(b *testing.B) {
	for _, named := range []bool{false, true} {
		b.Run(fmt.Sprint("named=", named), func(b *testing.B) {
			book := tasks.New(New(b.TempDir(), 0), tasks.Options{})
			defer book.Close()
			t := tasks.Task{Title: "a"}
			if named {
				t.Files = []tasks.File{{Repo: "r", Path: "a.go"}}
			}
			if _, err := book.Create(b.Context(), t); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if n := book.Near(b.Context(), map[string]code.RepoID{"o": "other"}); n != nil {
					b.Fatal(n.Err)
				}
			}
		})
	}
}

// BenchmarkOpen is what the first question of a process costs.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	book := tasks.New(New(dir, 0), tasks.Options{})
	if _, err := book.Create(b.Context(), tasks.Task{Title: "a", Files: []tasks.File{{Repo: "r", Path: "a.go"}}}); err != nil {
		b.Fatal(err)
	}
	defer book.Close()
	for b.Loop() {
		again := tasks.New(New(dir, 0), tasks.Options{})
		if n := again.Near(b.Context(), map[string]code.RepoID{"o": "r"}); n.Err != nil {
			b.Fatal(n.Err)
		}
		again.Close()
	}
}

// Package taskstest says by tests what a store of tasks must do.
package taskstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"espy/internal/code"
	"espy/internal/tasks"
)

// Run tests a kind of store. fresh returns the opener of an empty one: each call
// of it opens the same tasks again, as another process would.
func Run(t *testing.T, fresh func(t *testing.T) (open func() tasks.Store)) {
	for _, tt := range []struct {
		name string
		test func(t *testing.T, open func() tasks.Store)
	}{
		{"empty", empty}, {"whole", whole}, {"update", update}, {"refused", refused}, {"list", list}, {"pages", pages},
		{"several", several}, {"mark", mark}, {"together", together},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, fresh(t)) })
	}
}

var began = time.Date(2026, 3, 1, 12, 0, 0, 5000, time.UTC)

// task returns one of a title, created so many seconds after the first.
func task(title string, after int) *tasks.Task {
	at := began.Add(time.Duration(after) * time.Second)
	return &tasks.Task{
		ID: uuid.NewSHA1(uuid.Nil, []byte(title)).String(), Version: 1, Title: title, Status: tasks.Needed, Created: at, Updated: at,
		History: []tasks.Change{{To: tasks.Needed, At: at}},
	}
}

func create(t *testing.T, s tasks.Store, all ...*tasks.Task) {
	t.Helper()
	for _, one := range all {
		if err := s.Create(t.Context(), one); err != nil {
			t.Fatalf("Create(%s): %v", one.Title, err)
		}
	}
}

func titles(t *testing.T, s tasks.Store, f tasks.Filter, p tasks.Page) (string, *tasks.List) {
	t.Helper()
	l, err := s.List(t.Context(), f, p)
	if err != nil {
		t.Fatalf("List(%+v, %+v): %v", f, p, err)
	}
	var list []string
	for _, one := range l.Tasks {
		list = append(list, one.Title)
	}
	return strings.Join(list, " "), l
}

func empty(t *testing.T, open func() tasks.Store) {
	s := open()
	if got, l := titles(t, s, tasks.Filter{}, tasks.Page{Limit: 5}); got != "" || l.Total != 0 || l.More {
		t.Errorf("an empty store lists %q of %d", got, l.Total)
	}
	id := uuid.NewString()
	if _, err := s.Task(t.Context(), id); !errors.Is(err, tasks.ErrNotFound) {
		t.Errorf("Task = %v, want ErrNotFound", err)
	}
	if err := s.Update(t.Context(), id, func(*tasks.Task) error { return nil }); !errors.Is(err, tasks.ErrNotFound) {
		t.Errorf("Update = %v, want ErrNotFound", err)
	}
	if n, err := s.Mark(t.Context()); n != 0 || err != nil {
		t.Errorf("Mark = %d, %v, want 0", n, err)
	}
}

func whole(t *testing.T, open func() tasks.Store) {
	s := open()
	want := task("Grüße \u200b\n\"quotes\" 'and' %_ \\", 1)
	want.Description, want.Notes, want.Planning = "a\tb", "— 日本", []string{"docs/spec.md", ""}
	want.Files, want.Symbols = []tasks.File{{Repo: "r", Path: "a.go"}}, []tasks.Symbol{{Repo: "q", Name: "a.go#T.m"}}
	want.Branches, want.Commits = []string{"b/1", "b/2"}, []string{strings.Repeat("a", 40)}
	create(t, s, want)
	for name, from := range map[string]tasks.Store{"the same": s, "another": open()} {
		got, err := from.Task(t.Context(), want.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s process reads (-want +got):\n%s", name, diff)
		}
	}
}

func update(t *testing.T, open func() tasks.Store) {
	s, other := open(), open()
	one := task("one", 1)
	create(t, s, one)
	err := s.Update(t.Context(), one.ID, func(t *tasks.Task) error {
		t.Version, t.Status, t.Branches, t.Notes = 2, tasks.Complete, []string{"topic"}, "done"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := other.Task(t.Context(), one.ID)
	if err != nil || got.Version != 2 || got.Notes != "done" || got.Title != "one" {
		t.Errorf("another process reads %+v, %v", got, err)
	}
	if got, _ := titles(t, other, tasks.Filter{Status: tasks.Complete, Branch: "top", Text: "DONE"}, tasks.Page{Limit: 5}); got != "one" {
		t.Errorf("found by what was changed: %q", got)
	}
	if got, _ := titles(t, other, tasks.Filter{Status: tasks.Needed}, tasks.Page{Limit: 5}); got != "" {
		t.Errorf("found by what it was: %q", got)
	}
}

func refused(t *testing.T, open func() tasks.Store) {
	s := open()
	one := task("one", 1)
	create(t, s, one)
	no := errors.New("no")
	err := s.Update(t.Context(), one.ID, func(t *tasks.Task) error { t.Version, t.Title = 2, "other"; return no })
	if !errors.Is(err, no) {
		t.Errorf("Update = %v, want the error of the change", err)
	}
	if got, err := s.Task(t.Context(), one.ID); err != nil || got.Title != "one" {
		t.Errorf("after a refused change: %+v, %v", got, err)
	}
	if err := s.Update(t.Context(), one.ID, func(t *tasks.Task) error { t.Version = 2; return nil }); err != nil {
		t.Errorf("the next change: %v", err)
	}
}

func list(t *testing.T, open func() tasks.Store) {
	s := open()
	a, b, c := task("a", 1), task("b", 2), task("c", 3)
	a.Description, a.Branches = "Ändere 100% of it", []string{"feature/x", "fix/y"}
	b.Status, b.Notes = tasks.InProgress, "waits_for review"
	b.Files = []tasks.File{{Repo: "r1", Path: "a.go"}}
	c.Status, c.Symbols = tasks.Complete, []tasks.Symbol{{Repo: "r1", Name: "f"}, {Repo: "r2", Name: "f"}}
	create(t, s, a, c, b)
	for _, tt := range []struct {
		filter tasks.Filter
		want   string
	}{
		{tasks.Filter{}, "c b a"},
		{tasks.Filter{Status: tasks.InProgress}, "b"},
		{tasks.Filter{Open: true}, "b a"},
		{tasks.Filter{Branch: "feature/"}, "a"},
		{tasks.Filter{Branch: "fix/y"}, "a"},
		{tasks.Filter{Branch: "feature/%"}, ""},
		{tasks.Filter{Branch: "Feature"}, ""},
		{tasks.Filter{Text: "äNDERE 100%"}, "a"},
		{tasks.Filter{Text: "it ändere"}, "a"},
		{tasks.Filter{Text: "waits%review"}, ""},
		{tasks.Filter{Text: "s_f"}, "b"},
		{tasks.Filter{Repo: "r1"}, "c b"},
		{tasks.Filter{Repo: "r1", Open: true}, "b"},
		{tasks.Filter{Repo: "r2"}, "c"},
		{tasks.Filter{Repo: "r3"}, ""},
		{tasks.Filter{Only: []code.RepoID{"r1"}}, "b"},
		{tasks.Filter{Only: []code.RepoID{"r2", "r1"}}, "c b"},
		{tasks.Filter{Only: []code.RepoID{"r2"}}, ""},
		{tasks.Filter{Only: []code.RepoID{}}, ""},
		{tasks.Filter{Only: []code.RepoID{"r2", "r1"}, Open: true}, "b"},
		{tasks.Filter{Status: tasks.Needed, Text: "nothing"}, ""},
	} {
		t.Run(fmt.Sprintf("%+v", tt.filter), func(t *testing.T) {
			got, l := titles(t, s, tt.filter, tasks.Page{Limit: 100})
			if got != tt.want || l.Total != len(strings.Fields(tt.want)) || l.More {
				t.Errorf("%q of %d, more %v, want %q", got, l.Total, l.More, tt.want)
			}
		})
	}
}

func pages(t *testing.T, open func() tasks.Store) {
	s := open()
	var want []string
	for i := range 7 {
		one := task(fmt.Sprint("t", i), i/3) // some of the same time
		create(t, s, one)
		want = append(want, one.ID)
	}
	slices.SortFunc(want, func(a, b string) int {
		x, _ := s.Task(t.Context(), a)
		y, _ := s.Task(t.Context(), b)
		return cmpOr(y.Created.Compare(x.Created), strings.Compare(a, b))
	})
	var got []string
	for page, more := (tasks.Page{Limit: 3}), true; more; {
		_, l := titles(t, s, tasks.Filter{}, page)
		if l.Total != 7 {
			t.Fatalf("total %d on a page, want 7", l.Total)
		}
		for _, one := range l.Tasks {
			got = append(got, one.ID)
		}
		page.After, more = got[len(got)-1], l.More
		create(t, s) // nothing: a page goes on behind the task that it names
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	if got, l := titles(t, s, tasks.Filter{}, tasks.Page{Limit: 3, After: uuid.NewString()}); got != "" || l.More {
		t.Errorf("after a task that there is not: %q", got)
	}
}

func cmpOr(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}

// several adds and changes from two processes at once.
func several(t *testing.T, open func() tasks.Store) {
	stores := []tasks.Store{open(), open()}
	shared := task("shared", 0)
	create(t, stores[0], shared)
	const each = 50
	var group sync.WaitGroup
	for n, s := range stores {
		for worker := range 2 {
			group.Go(func() {
				for i := range each {
					one := task(fmt.Sprint(n, worker, i), i)
					if err := s.Create(context.Background(), one); err != nil {
						t.Errorf("Create: %v", err)
					}
					err := s.Update(context.Background(), shared.ID, func(t *tasks.Task) error { t.Version++; return nil })
					if err != nil {
						t.Errorf("Update: %v", err)
					}
				}
			})
		}
	}
	group.Wait()
	got, err := stores[1].Task(t.Context(), shared.ID)
	if want := 1 + 4*each; err != nil || got.Version != want {
		t.Errorf("version %d after all changes, want %d: changes were lost; %v", got.Version, want, err)
	}
	if _, l := titles(t, stores[0], tasks.Filter{}, tasks.Page{Limit: 1}); l.Total != 1+4*each {
		t.Errorf("%d tasks, want %d", l.Total, 1+4*each)
	}
}

// mark differs after each change of either process.
func mark(t *testing.T, open func() tasks.Store) {
	s, other := open(), open()
	create(t, s, task("plain", 1))
	if n, err := s.Mark(t.Context()); n != 0 || err != nil {
		t.Errorf("Mark = %d, %v where no task names code, want 0", n, err)
	}
	last := int64(0)
	for i, by := range []tasks.Store{s, other, s, other} {
		one := task(fmt.Sprint("names", i), i)
		one.Files = []tasks.File{{Repo: "r", Path: "a.go"}}
		create(t, by, one)
		n, err := s.Mark(t.Context())
		if err != nil || n == last || n == 0 {
			t.Errorf("Mark = %d, %v after a change, and %d before it", n, err, last)
		}
		if again, _ := s.Mark(t.Context()); again != n {
			t.Errorf("Mark = %d and %d without a change between", n, again)
		}
		last = n
	}
}

// together asks from many goroutines while others write.
func together(t *testing.T, open func() tasks.Store) {
	s := open()
	one := task("one", 1)
	one.Files = []tasks.File{{Repo: "r", Path: "a.go"}}
	create(t, s, one)
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			for i := range 20 {
				var err error
				switch n % 4 {
				case 0:
					err = s.Create(context.Background(), task(fmt.Sprint(n, i), i))
				case 1:
					_, err = s.List(context.Background(), tasks.Filter{Text: "one"}, tasks.Page{Limit: 5})
				case 2:
					_, err = s.Mark(context.Background())
				default:
					_, err = s.Task(context.Background(), one.ID)
				}
				if err != nil {
					t.Errorf("%d: %v", n, err)
				}
			}
		})
	}
	group.Wait()
}

package tasks_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"espy/internal/code"
	"espy/internal/permit"
	"espy/internal/tasks"
	"espy/internal/tasks/sqlite"
	"espy/internal/usage"
)

// book returns an empty one, whose clock goes on by a second each time it is read.
func book(t *testing.T) *tasks.Book {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	b := tasks.New(sqlite.New(t.TempDir(), 0), tasks.Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
	t.Cleanup(func() { b.Close() })
	return b
}

func create(t *testing.T, b *tasks.Book, one tasks.Task) *tasks.Task {
	t.Helper()
	got, err := b.Create(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestLifecycle(t *testing.T) {
	b := book(t)
	one := create(t, b, tasks.Task{ID: "mine", Title: "Cap the backoff", Version: 7})
	if one.ID == "mine" || one.Version != 1 || one.Status != tasks.Needed || len(one.History) != 1 {
		t.Fatalf("created %+v", one)
	}
	progress, complete := tasks.InProgress, tasks.Complete
	for i, e := range []tasks.Edit{
		{Status: &progress, Branch: "a"}, {Status: &progress, Branch: "b"}, {Status: &complete, Commit: strings.Repeat("0", 40)}, {Branch: "a"}, {},
	} {
		if _, _, err := b.Update(t.Context(), one.ID, e); err != nil {
			t.Fatalf("edit %d: %v", i, err)
		}
	}
	got, err := b.Task(t.Context(), strings.ToUpper(one.ID))
	if err != nil {
		t.Fatal(err)
	}
	steps := ""
	for _, h := range got.History {
		steps += fmt.Sprintf("%s>%s;", h.From, h.To)
	}
	text := fmt.Sprint(steps, got.Branches, len(got.Commits), got.Version, got.Created.Equal(one.Created), got.Updated.After(one.Updated))
	if want := ">need to be done;need to be done>in-progress;in-progress>complete;[a b] 1 4 true true"; text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
}

// TestConflict holds that no change is lost unseen.
func TestConflict(t *testing.T) {
	b := book(t)
	one := create(t, b, tasks.Task{Title: "one"})
	if _, _, err := b.Update(t.Context(), one.ID, tasks.Edit{Notes: new("first"), Version: one.Version}); err != nil {
		t.Fatal(err)
	}
	_, _, err := b.Update(t.Context(), one.ID, tasks.Edit{Notes: new("second"), Version: one.Version})
	var conflict *tasks.ConflictError
	if !errors.As(err, &conflict) || conflict.Have != 2 || conflict.Want != 1 {
		t.Errorf("an edit of an old version: %v, want a conflict of 2 and 1", err)
	}
	if got, _ := b.Task(t.Context(), one.ID); got.Notes != "first" {
		t.Errorf("notes %q after a refused edit", got.Notes)
	}
}

func TestRefused(t *testing.T) {
	b := book(t)
	long := func(n int) string { return strings.Repeat("é", n) }
	many := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint(i))
		}
		return list
	}
	var files []tasks.File
	for i := range 51 {
		files = append(files, tasks.File{Repo: "r", Path: fmt.Sprint(i)})
	}
	for _, tt := range []struct {
		name string
		task tasks.Task
		want string // "" where it is good
	}{
		{"title of 200", tasks.Task{Title: long(200)}, ""},
		{"title of 201", tasks.Task{Title: long(201)}, "201 characters"},
		{"no title", tasks.Task{}, "empty"},
		{"blank title", tasks.Task{Title: " \t"}, "empty"},
		{"description of 2000", tasks.Task{Title: "t", Description: long(2000)}, ""},
		{"description of 2001", tasks.Task{Title: "t", Description: long(2001)}, "2001 characters"},
		{"notes of 5000", tasks.Task{Title: "t", Notes: long(5000)}, ""},
		{"notes of 5001", tasks.Task{Title: "t", Notes: long(5001)}, "5001 characters"},
		{"not UTF-8", tasks.Task{Title: "a\xff"}, "not text"},
		{"status", tasks.Task{Title: "t", Status: "done"}, "unknown status"},
		{"10 references", tasks.Task{Title: "t", Planning: many(10)}, ""},
		{"11 references", tasks.Task{Title: "t", Planning: many(11)}, "more than 10"},
		{"reference of 500", tasks.Task{Title: "t", Planning: []string{long(500)}}, ""},
		{"reference of 501", tasks.Task{Title: "t", Planning: []string{long(501)}}, "501 characters"},
		{"empty reference", tasks.Task{Title: "t", Planning: []string{""}}, "an entry is empty"},
		{"branch of 201", tasks.Task{Title: "t", Branches: []string{long(201)}}, "201 characters"},
		{"commit in capitals", tasks.Task{Title: "t", Commits: []string{strings.Repeat("A", 40)}}, "not the hash"},
		{"commit of 39", tasks.Task{Title: "t", Commits: []string{strings.Repeat("a", 39)}}, "not the hash"},
		{"50 files", tasks.Task{Title: "t", Files: files[:50]}, ""},
		{"51 files", tasks.Task{Title: "t", Files: files}, "more than 50"},
		{"file above", tasks.Task{Title: "t", Files: []tasks.File{{Path: "../a"}}}, "not a path"},
		{"absolute file", tasks.Task{Title: "t", Files: []tasks.File{{Path: "/a"}}}, "not a path"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := b.Create(t.Context(), tt.task)
			var refused *usage.Error
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.want != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
	for _, id := range []string{"", "x", "550e8400e29b41d4a716446655440000", "{550e8400-e29b-41d4-a716-446655440000}"} {
		t.Run("id "+id, func(t *testing.T) {
			var refused *usage.Error
			if _, err := b.Task(t.Context(), id); !errors.As(err, &refused) {
				t.Errorf("Task: %v, want a refusal", err)
			}
			if _, _, err := b.Update(t.Context(), id, tasks.Edit{}); !errors.As(err, &refused) {
				t.Errorf("Update: %v, want a refusal", err)
			}
		})
	}
}

// TestPermitted holds who may do what.
func TestPermitted(t *testing.T) {
	b := book(t)
	one := create(t, b, tasks.Task{Title: "one"})
	for _, tt := range []struct {
		name                string
		caller              permit.Caller
		lists, reads, edits bool
	}{
		{"reader", permit.Caller{Role: permit.Read}, true, true, false},
		{"indexer", permit.Caller{Role: permit.Index}, true, true, true},
		{"admin", permit.Caller{Role: permit.Admin}, true, true, true},
		{"admin of some repositories", permit.Caller{Role: permit.Admin, Only: true, Repos: []string{"shop"}}, true, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := permit.With(t.Context(), &tt.caller)
			_, readErr := b.Task(ctx, one.ID)
			_, listErr := b.List(ctx, tasks.Filter{}, tasks.Page{Limit: 1})
			_, createErr := b.Create(ctx, tasks.Task{Title: "two"})
			_, _, updateErr := b.Update(ctx, one.ID, tasks.Edit{Notes: new("x")})
			if (readErr == nil) != tt.reads || (listErr == nil) != tt.lists || (createErr == nil) != tt.edits || (updateErr == nil) != tt.edits {
				t.Errorf("read %v, list %v, create %v, update %v", readErr, listErr, createErr, updateErr)
			}
		})
	}
}

func TestNear(t *testing.T) {
	b := book(t)
	repos := map[string]code.RepoID{"shop": "r"}
	if n := b.Near(t.Context(), repos); n != nil {
		t.Fatalf("open tasks of no task: %+v", n)
	}
	create(t, b, tasks.Task{Title: "file", Files: []tasks.File{{Repo: "r", Path: "net/retry.go"}}})
	create(t, b, tasks.Task{Title: "id", Symbols: []tasks.Symbol{{Repo: "r", Name: "net/retry.go#Client.Do"}}})
	create(t, b, tasks.Task{Title: "name", Symbols: []tasks.Symbol{{Repo: "r", Name: "Do"}}})
	create(t, b, tasks.Task{Title: "qualified", Symbols: []tasks.Symbol{{Repo: "r", Name: "Client.Do"}}})
	create(t, b, tasks.Task{Title: "elsewhere", Files: []tasks.File{{Repo: "q", Path: "net/retry.go"}}})
	done := create(t, b, tasks.Task{Title: "done", Files: []tasks.File{{Repo: "r", Path: "net/retry.go"}}})
	complete := tasks.Complete
	of := func(path, symbol string) string {
		n := b.Near(t.Context(), repos)
		if n.Err != nil {
			t.Fatal(n.Err)
		}
		var list []string
		for _, one := range n.Of("shop", path, symbol) {
			list = append(list, one.Title)
		}
		return strings.Join(list, " ")
	}
	if got := of("net/retry.go", ""); got != "done file" {
		t.Errorf("before it is done: %q", got)
	}
	if _, _, err := b.Update(t.Context(), done.ID, tasks.Edit{Status: &complete}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, symbol, want string }{
		{"net/retry.go", "", "file"},
		{"net/retry.go", "net/retry.go#Client.Do", "file qualified name id"},
		{"other.go", "other.go#Client.Do", "qualified name"},
		{"other.go", "other.go#Server.Do", "name"},
		{"other.go", "Do", "name"},
		{"other.go", "other.go#Client.Undo", ""},
		{"other.go", "", ""},
	} {
		t.Run(tt.path+" "+tt.symbol, func(t *testing.T) {
			if got := of(tt.path, tt.symbol); got != tt.want {
				t.Errorf("open tasks %q, want %q", got, tt.want)
			}
		})
	}
	if in := b.Near(t.Context(), repos).In("shop", "net/retry.go"); len(in) != 2 || in[0].Title != "file" || in[1].Title != "id" {
		t.Errorf("tasks in the file: %v", in)
	}
}

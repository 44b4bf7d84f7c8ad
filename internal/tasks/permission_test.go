package tasks_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"espy/internal/code"
	"espy/internal/permit"
	"espy/internal/tasks"
	"espy/internal/tasks/sqlite"
)

// TestLimited checks that a caller who sees only some repositories has the tasks about
// their code, and no others.
func TestLimited(t *testing.T) {
	seen := func(ctx context.Context) (ids []code.RepoID, err error) {
		for _, name := range permit.Of(ctx).Repos {
			ids = append(ids, code.RepoID("id of "+name))
		}
		return ids, nil
	}
	b := tasks.New(sqlite.New(t.TempDir(), 0), tasks.Options{Seen: seen})
	t.Cleanup(func() { b.Close() })
	file := func(repo string) []tasks.File {
		return []tasks.File{{Repo: code.RepoID("id of " + repo), Path: "a.go"}}
	}
	ids := map[string]string{}
	for title, files := range map[string][]tasks.File{"none": nil, "shop": file("shop"), "api": file("api"), "both": slices.Concat(file("shop"), file("api"))} {
		one, err := b.Create(t.Context(), tasks.Task{Title: title, Files: files})
		if err != nil {
			t.Fatal(err)
		}
		ids[title] = one.ID
	}
	as := func(role permit.Role, repos ...string) context.Context {
		return permit.With(t.Context(), &permit.Caller{Name: "ann", Role: role, Only: true, Repos: repos})
	}
	for _, tt := range []struct {
		name  string
		repos []string
		sees  []string
	}{
		{"one", []string{"shop"}, []string{"shop"}},
		{"two", []string{"shop", "api"}, []string{"api", "both", "shop"}},
		{"another", []string{"elsewhere"}, nil},
		{"no repository", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := as(permit.Index, tt.repos...)
			list, err := b.List(ctx, tasks.Filter{}, tasks.Page{Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			var listed []string
			for _, one := range list.Tasks {
				listed = append(listed, one.Title)
			}
			slices.Sort(listed)
			if !slices.Equal(listed, tt.sees) || list.Total != len(tt.sees) {
				t.Errorf("listed %v of %d, want %v", listed, list.Total, tt.sees)
			}
			near := b.Near(ctx, map[string]code.RepoID{"shop": "id of shop"})
			for title, id := range ids {
				want := error(nil)
				if !slices.Contains(tt.sees, title) {
					want = tasks.ErrNotFound
				}
				if _, err := b.Task(ctx, id); !errors.Is(err, want) {
					t.Errorf("show %s: error %v, want %v", title, err, want)
				}
				notes := "by " + tt.name
				if _, _, err := b.Update(ctx, id, tasks.Edit{Notes: &notes}); !errors.Is(err, want) {
					t.Errorf("update %s: error %v, want %v", title, err, want)
				}
				about := slices.ContainsFunc(near.Of("shop", "a.go", ""), func(one *tasks.Task) bool { return one.Title == title })
				if about && want != nil {
					t.Errorf("shown beside a hit: %s", title)
				}
			}
		})
	}
	for _, tt := range []struct {
		name  string
		role  permit.Role
		files []tasks.File
		want  string // in the error; empty for none
	}{
		{"about its code", permit.Index, file("shop"), ""},
		{"about nothing", permit.Index, nil, "name a file or a symbol"},
		{"about other code", permit.Index, file("api"), "name a file or a symbol"},
		{"reader", permit.Read, file("shop"), "needs the role index"},
	} {
		t.Run("create "+tt.name, func(t *testing.T) {
			_, err := b.Create(as(tt.role, "shop"), tasks.Task{Title: "new", Files: tt.files})
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	t.Run("update with other code", func(t *testing.T) {
		if _, _, err := b.Update(as(permit.Index, "shop"), ids["shop"], tasks.Edit{Files: file("api")}); err == nil || !strings.Contains(err.Error(), "sees only some repositories") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("import", func(t *testing.T) {
		if _, err := b.Import(as(permit.Admin, "shop"), tasks.Task{ID: ids["shop"], Title: "x"}, tasks.ImportOptions{}); err == nil {
			t.Error("no error")
		}
	})
}

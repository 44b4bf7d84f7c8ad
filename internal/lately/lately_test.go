package lately

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"espy/internal/filetest"
	"espy/internal/git"
	"espy/internal/git/gittest"
	"espy/internal/hit"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// TestWeigh holds how lateness and frequency become weights.
func TestWeigh(t *testing.T) {
	touch := func(paths ...string) (c git.Changed) {
		for _, p := range paths {
			c.Entries = append(c.Entries, git.Touched{Status: 'M', Path: p})
		}
		return c
	}
	for _, c := range []struct {
		name          string
		commits       []git.Changed
		recent, churn map[string]float64
	}{
		{"none", nil, map[string]float64{}, map[string]float64{}},
		{"one", []git.Changed{touch("a", "b")}, map[string]float64{"a": 1, "b": 1}, map[string]float64{"a": 1, "b": 1}},
		{"four", []git.Changed{touch("a"), touch("b"), touch("a"), touch("a", "c")},
			map[string]float64{"a": 1, "b": 0.75, "c": 0.25}, map[string]float64{"a": 1, "b": 0.5, "c": 0.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w hit.Work
			Weigh(c.commits, &w)
			if diff := cmp.Diff(hit.Work{Recent: c.recent, Churn: c.churn}, w, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSince holds which commits count, and what cannot be one.
func TestSince(t *testing.T) {
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	w, err := workspace.Open(workspace.Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := w.Attach(t.Context(), dir, workspace.AttachOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, since string
		some, fails bool
	}{
		{"the first commit", ids[0], true, false},
		{"the last commit", "HEAD", false, false},
		{"a day before all", "1999-12-31", true, false},
		{"no commit", "nothing", false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var work hit.Work
			err := Since(t.Context(), r, c.since, &work)
			var refused *usage.Error
			if errors.As(err, &refused) != c.fails || !c.fails && err != nil || work.IsZero() == c.some {
				t.Errorf("%+v, error %v", work, err)
			}
		})
	}
	t.Run("no history", func(t *testing.T) {
		plain := t.TempDir()
		filetest.Write(t, plain, map[string]string{"a.go": "package a\n"})
		r, err := w.Attach(t.Context(), plain, workspace.AttachOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := Since(t.Context(), r, "HEAD", new(hit.Work)); err == nil {
			t.Error("no error")
		}
	})
}

package render

import (
	"testing"
	"time"

	"espy/internal/changes"
	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/workspace"
)

func TestGit(t *testing.T) {
	t.Parallel()
	day := time.Date(2024, 1, 31, 12, 0, 0, 0, time.UTC)
	first := git.Commit{ID: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", Author: "A \x1b[31m", Email: "a@x", Time: day, Subject: "one", Body: "why"}
	second := git.Commit{ID: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", Author: "B", Email: "b@x", Time: day, Subject: "two"}
	dirty := 1
	at := workspace.Checkout{Repo: "espy", Commit: second.ID, Branch: "main", Freshness: code.Freshness{Generation: 4, Commit: second.ID, Head: second.ID, Branch: "main", Dirty: &dirty}}
	b := &changes.Blame{
		Checkout: at, Path: "a.go", Edited: true, Commits: map[string]git.Commit{first.ID: first, second.ID: second},
		Lines: []git.Line{{Number: 2, Commit: first.ID}, {Number: 3, Commit: first.ID}, {Number: 4, Commit: second.ID}, {Number: 5, Commit: first.ID}},
	}
	h := &changes.History{Checkout: at, Path: "a.go", First: 2, Last: 5, Commits: []git.Commit{second, first}, More: true}
	file := &changes.History{Checkout: workspace.Checkout{Repo: "espy", Commit: second.ID}, Path: "a.go", Commits: []git.Commit{second}, File: true}
	tools := Options{Calls: ToolCalls, MaxTokens: DefaultTokens}
	for _, tt := range []struct {
		name string
		a    Answer
		o    Options
	}{
		{"blame", Blame{b}, tools},
		{"history", History{h}, tools},
		{"history_file_cli", History{file}, Options{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name+".txt", tt.a.Text(tt.o))
			if tt.o.Calls == ToolCalls {
				golden(t, tt.name+".json", indent(t, tt.a.JSON(tt.o)))
			}
		})
	}
}

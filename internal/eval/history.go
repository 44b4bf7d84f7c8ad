package eval

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/git"
	"espy/internal/intent"
)

// History makes questions out of the commits of a repository: the message asks,
// the source files that the commit changed answer. All fields are required
// except Language and Limit.
//
// One tree serves all questions of a repository: the one before the oldest
// commit that is used. So no index holds what a commit added, and a target is
// used only where its file stood at the same path then. The price is that the
// tree is older than most of the commits, by as many as it takes to find Limit
// of them.
type History struct {
	GitDir   string // bare, or the .git of a work tree; it is only read
	Name     string
	Language string
	Commit   string // the newest commit to look at, in full
	Tree     string // where LayOut puts the files and the commits up to theirs
	Limit    int    // questions; 0 is no limit
}

// Questions returns the questions, from the newest commit to the oldest, and
// the commit whose tree they are asked over.
func (h *History) Questions(ctx context.Context) (questions []Question, base string, err error) {
	if !isCommit(h.Commit) {
		return nil, "", fmt.Errorf("history: %q is not the whole id of a commit", h.Commit)
	}
	dir, err := filepath.Abs(h.GitDir)
	if err != nil {
		return nil, "", fmt.Errorf("history: %w", err)
	}
	repo, err := git.OpenBare(dir)
	if err != nil {
		return nil, "", fmt.Errorf("history: %w", err)
	}
	changes, err := repo.Changed(ctx, h.Commit, git.LogOptions{Limit: maxChanges})
	if err != nil {
		return nil, "", err
	}
	picked := h.pick(changes)
	if len(picked) == 0 {
		return nil, "", fmt.Errorf("history: no commit of %s makes a question", h.Name)
	}
	base, err = h.parent(ctx, picked[len(picked)-1].commit)
	if err != nil {
		return nil, "", err
	}
	paths, err := h.paths(ctx, base)
	if err != nil {
		return nil, "", err
	}
	for _, p := range picked {
		if there(p.Targets, paths) {
			questions = append(questions, p.Question)
		}
	}
	return questions, base, nil
}

// candidate is a question and its commit.
type candidate struct {
	Question
	commit string
}

// pick makes the questions, at most Limit of them.
func (h *History) pick(changes []git.Changed) []candidate {
	var picked []candidate
	asked := map[string]bool{}
	for i := range changes {
		c := &changes[i]
		query, files, ok := intent.Of(c)
		if !ok || asked[query] {
			continue
		}
		asked[query] = true
		q := Question{ID: h.Name + "#" + c.ID[:12], Repo: h.Name, Language: h.Language, Category: "history", Query: query}
		for _, p := range files {
			q.Targets = append(q.Targets, Target{Path: p})
		}
		picked = append(picked, candidate{Question: q, commit: c.ID})
		if len(picked) == h.Limit {
			break
		}
	}
	return picked
}

func there(targets []Target, paths map[string]bool) bool {
	return !slices.ContainsFunc(targets, func(t Target) bool { return !paths[t.Path] })
}

// parent returns the first parent of a commit.
func (h *History) parent(ctx context.Context, commit string) (string, error) {
	out, err := h.git(ctx, "rev-parse", "--verify", "--end-of-options", commit+"^")
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(out))
	if !isCommit(id) {
		return "", errors.New("history: git names no parent of " + commit)
	}
	return id, nil
}

// Before returns the revision before the commit that made a question.
func Before(q *Question) string {
	return strings.TrimPrefix(q.ID, q.Repo+"#") + "~1"
}

// isCommit reports whether id is an object name in full.
func isCommit(id string) bool {
	return (len(id) == 40 || len(id) == 64) && strings.Trim(id, "0123456789abcdef") == ""
}

package shaktiman

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"espy/internal/changes"
	"espy/internal/code"
	"espy/internal/diff"
	"espy/internal/lately"
	"espy/internal/workspace"
)

const diffSchema = `{
	"type": "object",
	"properties": {
		"since": {"type": "string", "default": "24h", "description": "How far back: 30m, 24h, at most 720h"},
		"limit": {"type": "number", "default": 50, "minimum": 1, "maximum": 500},
		"scope": {"type": "string", "enum": ["impl", "test", "all"], "default": "impl"}
	}
}`

// Bounds of diff.
const (
	maxSince     = 720 * time.Hour
	defaultDiffs = 50
	maxDiffs     = 500
)

func (s *server) diffTool() tool {
	return tool{
		name: "diff", schema: diffSchema, failed: "diff query failed: ",
		description: `Files that changed lately, and which symbols of them, newest first.`,
		call: func(ctx context.Context, a *arguments) (*answer, error) {
			since := a.text("since", "24h")
			d, err := time.ParseDuration(since)
			if err != nil {
				a.fail("invalid duration: " + since)
			}
			limit := a.whole("limit", defaultDiffs, bounds{math.MinInt32, math.MaxInt32, "limit must be between 1 and 500"})
			if limit < 1 || limit > maxDiffs {
				limit = defaultDiffs
			}
			scope := a.scope()
			if a.err != nil {
				return nil, a.err
			}
			return s.diff(ctx, min(d, maxSince), limit, scope)
		},
	}
}

// changedFile is what became of a file.
type changedFile struct {
	FileID  int64    `json:"file_id"`
	Path    string   `json:"file_path"`
	Type    string   `json:"change_type"`
	Added   int      `json:"lines_added"`
	Removed int      `json:"lines_removed"`
	Time    string   `json:"timestamp"`
	Symbols []string `json:"affected_symbols,omitempty"`
}

func (s *server) diff(ctx context.Context, since time.Duration, limit int, scope string) (*answer, error) {
	a := &answer{}
	if since <= 0 {
		return a.list([]changedFile(nil), 0, "No diffs found.\n"), nil
	}
	r, err := s.repo(ctx)
	if err != nil {
		return nil, err
	}
	all, notes, err := touched(ctx, r, s.Now().Add(-since), s.Now())
	if err != nil {
		return nil, err
	}
	a.notes = notes
	only := s.config().only(scope, "")
	var list []changedFile
	for i := range all {
		t := &all[i]
		if len(list) == limit {
			a.notes = append(a.notes, "there are more changed files than are listed")
			break
		}
		if passes(only, t.file.Path) {
			list = append(list, t.changed())
		}
	}
	return a.list(list, len(list), diffsText(list)), nil
}

// touch is a file that changed, and when.
type touch struct {
	file changes.File
	at   time.Time
}

// compareTime bounds how long the symbols of changed files are compared.
const compareTime = 3 * time.Second

// touched lists the files that changed since a time, those changed last first.
func touched(ctx context.Context, r *workspace.Repo, since, now time.Time) ([]touch, []string, error) {
	req := changes.Request{Since: since.UTC().Format(time.RFC3339), Limit: maxDiffs, Time: compareTime}
	found, err := changes.Compare(ctx, r, req)
	if err != nil {
		return nil, nil, err
	}
	commits, err := lately.Touched(ctx, r, since)
	if err != nil {
		commits = nil // outside git files tell by themselves
	}
	edited := map[string]bool{}
	if commits != nil {
		open, err := changes.Compare(ctx, r, changes.Request{Limit: maxDiffs, Time: compareTime})
		if err != nil {
			return nil, nil, err
		}
		for i := range open.Files {
			edited[open.Files[i].Path] = true
		}
	}
	root, err := r.Open()
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	all := make([]touch, len(found.Files))
	uncounted := 0
	for i, f := range found.Files {
		at, known := commits[f.Path]
		if edited[f.Path] || !known {
			at = written(root, f.Path, now)
		}
		all[i] = touch{f, at}
		if !f.Counted {
			uncounted++
		}
	}
	slices.SortStableFunc(all, func(a, b touch) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.file.Path, b.file.Path))
	})
	notes := slices.Clone(found.Notes)
	if uncounted > 0 {
		notes = append(notes, fmt.Sprintf("the lines of %d files were not counted", uncounted))
	}
	return all, notes, nil
}

// written is when a file of the work tree was written; now for one that is gone.
func written(root *os.Root, path string, now time.Time) time.Time {
	info, err := root.Lstat(path)
	if err != nil {
		return now
	}
	return info.ModTime()
}

// timeForm is that of times in answers.
const timeForm = "2006-01-02T15:04:05.000Z07:00"

func (t *touch) changed() changedFile {
	f := &t.file
	c := changedFile{FileID: numberOf(f.Path), Path: f.Path, Type: "modify", Added: f.Added, Removed: f.Removed, Time: t.at.UTC().Format(timeForm)}
	switch f.Status {
	case changes.Added:
		c.Type = "add"
	case changes.Removed:
		c.Type = "delete"
	case changes.Renamed:
		c.Type = "rename"
	}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Symbol.ID != diff.Outside {
			c.Symbols = append(c.Symbols, fmt.Sprintf("%s (%s)", s.Symbol.Name, changeWord(s.Kind)))
		}
	}
	return c
}

// changeWord says what became of a symbol, in the words of the original.
func changeWord(k diff.Kind) string {
	switch k {
	case diff.Added:
		return "added"
	case diff.Removed:
		return "removed"
	case diff.Signature:
		return "signature_changed"
	}
	return "modified"
}

func diffsText(list []changedFile) string {
	if len(list) == 0 {
		return "No diffs found.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d diffs:\n", len(list))
	for _, c := range list {
		fmt.Fprintf(&b, "  %s  %s  +%d -%d  %s\n", c.Path, c.Type, c.Added, c.Removed, c.Time)
		for _, s := range c.Symbols {
			b.WriteString("    " + s + "\n")
		}
	}
	return b.String()
}

// recentTime is how far back changes count: what is older adds less than 0.003.
const recentTime = 5 * 24 * time.Hour

// lately returns what changed lately, as it was when somebody looked last.
func (s *server) lately(ctx context.Context, r *workspace.Repo) *recent {
	s.mu.Lock()
	old := s.recent
	s.mu.Unlock()
	if old == nil {
		return s.look(ctx, r, "")
	}
	return old
}

// follow looks again at what changed lately where an answer is of another checkout or
// state of the index than the last look. Of a server that goes on behind the answer.
func (s *server) follow(r *workspace.Repo, fresh *code.Freshness) {
	state := fmt.Sprintf("%s %d", fresh.Head, fresh.Generation)
	s.mu.Lock()
	same := s.recent.state == state || s.host == nil
	if s.recent.state == "" {
		s.recent.state, same = state, true
	}
	s.mu.Unlock()
	if !same {
		s.host.Start(func(ctx context.Context) { s.look(ctx, r, state) })
	}
}

// look finds out what changed lately.
func (s *server) look(ctx context.Context, r *workspace.Repo, state string) *recent {
	now := s.Now()
	n := &recent{state: state, at: map[string]time.Time{}, lines: map[string]int{}}
	all, _, err := touched(ctx, r, now.Add(-recentTime), now)
	if err != nil {
		s.Log.Debug("no recent changes", "err", err)
	}
	for i := range all {
		f := &all[i].file
		n.at[f.Path], n.lines[f.Path] = all[i].at, f.Added+f.Removed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent = n
	return n
}

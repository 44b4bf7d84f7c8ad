package bundle

import (
	"context"
	"fmt"
	"strings"

	"espy/internal/changes"
	"espy/internal/diff"
	"espy/internal/patch"
	"espy/internal/place"
	"espy/internal/workspace"
)

// maxChanges bounds the runs of a difference that are looked at.
const maxChanges = 200

// parseDiff returns the changed lines of a unified difference, nil for another
// text.
func parseDiff(text string) (all []change) {
	for _, f := range patch.Parse(text) {
		for _, r := range f.Runs {
			line := r.New
			for _, l := range r.Lines {
				if len(all) > maxChanges {
					return all[:maxChanges]
				}
				switch l.Mark {
				case '+':
					all = addChange(all, change{f.New, line, line, ""})
					line++
				case '-':
					all = addChange(all, change{f.New, max(line-1, 1), line, ""})
				default:
					line++
				}
			}
		}
	}
	return all
}

// addChange joins a change to the one before it where they touch.
func addChange(all []change, c change) []change {
	if c.path == "" {
		return all
	}
	if k := len(all) - 1; k >= 0 && all[k].path == c.path && c.first <= all[k].last+1 {
		all[k].last = max(all[k].last, c.last)
		return all
	}
	return append(all, c)
}

// changed is the question about what differs between two states of a repository.
func changed(ctx context.Context, r *workspace.Repo, req *Request) (*question, error) {
	ask := changes.Request{Since: req.Changes, Paths: req.Paths, Languages: req.Languages, Limit: maxChanges}
	if strings.Contains(req.Changes, "..") {
		ask.Since, ask.Ref = "", req.Changes
	}
	c, err := changes.Compare(ctx, r, ask)
	if err != nil {
		return nil, err
	}
	q := &question{kind: KindDiff, text: req.Changes, notes: c.Notes}
	var gone []string
	for _, f := range c.Files {
		for _, s := range f.Symbols {
			switch {
			case s.Symbol.ID == diff.Outside || len(q.changes) == maxChanges:
			case s.Kind == diff.Removed:
				gone = append(gone, place.Name(f.Path+"#"+s.Symbol.ID))
			default:
				q.changes = append(q.changes, change{path: f.Path, first: s.Symbol.Line, last: s.Symbol.Line, id: f.Path + "#" + s.Symbol.ID})
			}
		}
	}
	if len(gone) > 0 {
		q.notes = append(q.notes, fmt.Sprintf("removed: %s", strings.Join(gone[:min(len(gone), maxGone)], ", ")))
	}
	if len(q.changes) == 0 {
		q.notes = append(q.notes, "no declaration differs")
	}
	return q, nil
}

// maxGone bounds the removed declarations that a note names.
const maxGone = 8

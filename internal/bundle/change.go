package bundle

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"espy/internal/changes"
	"espy/internal/diff"
	"espy/internal/place"
	"espy/internal/workspace"
)

// maxChanges bounds the runs of a difference that are looked at.
const maxChanges = 200

// hunk is the head of a run of a unified difference.
var hunk = regexp.MustCompile(`^@@ -[0-9]+(?:,[0-9]+)? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@`)

// parseDiff returns the changed lines of a unified difference, nil for another
// text.
func parseDiff(text string) (all []change) {
	path, line := "", 0
	for raw := range strings.Lines(text) {
		l := strings.TrimRight(raw, "\r\n")
		if m := hunk.FindStringSubmatch(l); m != nil && path != "" {
			line, _ = strconv.Atoi(m[1])
			continue
		}
		switch {
		case strings.HasPrefix(l, "diff --git "), strings.HasPrefix(l, "--- "):
			line = 0
		case strings.HasPrefix(l, "+++ "):
			path, line = diffPath(l[4:]), 0
		case line == 0:
		case strings.HasPrefix(l, "+"):
			all = addChange(all, change{path, line, line, ""})
			line++
		case strings.HasPrefix(l, "-"):
			all = addChange(all, change{path, max(line-1, 1), line, ""})
		default:
			line++
		}
		if len(all) > maxChanges {
			return all[:maxChanges]
		}
	}
	return all
}

// diffPath is the path behind "+++ ", without the b/ of git and a time.
func diffPath(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	s = place.ParseName(strings.TrimSpace(s))
	if s == "/dev/null" {
		return ""
	}
	return strings.TrimPrefix(s, "b/")
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

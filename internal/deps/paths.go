package deps

import (
	"context"
	"strings"

	"espy/internal/across"
	"espy/internal/filter"
	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/query"
	"espy/internal/store"
	"espy/internal/usage"
)

// Files are those that the question is about, nil for all. Errors are *usage.Error.
func (q *Question) Files() (nav.Files, error) {
	if len(q.Paths) == 0 {
		return nil, nil
	}
	files, err := filter.NewFileFilter(q.Paths, nil)
	if err != nil {
		return nil, err
	}
	return files, nil
}

// Missed adds to what was searched, of an answer that lists nothing, that no file is one
// of those that the question is about, and which globs match files in other folders.
func (q *Question) Missed(ctx context.Context, in *across.Searched) error {
	if len(q.Paths) == 0 {
		return nil
	}
	rules, err := filter.Compile(&hit.Request{Paths: q.Paths}, query.Filters{})
	if err != nil {
		return err
	}
	files, notes := 0, []string{"no file matches path " + usage.Shorten(strings.Join(q.Paths, " "), 200)}
	for _, r := range q.Repos {
		err := r.Look(ctx, q.Wait, func(s *store.Snapshot) error {
			f, err := rules.Over([]*store.Snapshot{s})
			if err != nil {
				return err
			}
			for _, in := range f.Searched() {
				files += in.Files
			}
			found, err := f.Deeper()
			for i := range found {
				notes = append(notes, found[i].String())
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if files == 0 {
		in.Notes = append(in.Notes, notes...)
	}
	return nil
}

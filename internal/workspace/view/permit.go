package view

import (
	"context"
	"errors"
	"slices"

	"espy/internal/catalog"
	"espy/internal/permit"
	"espy/internal/usage"
)

// Shows reports whether a repository exists for who asks.
func (e *Env) Shows(ctx context.Context, rec catalog.Repo) bool {
	return e.CheckRoots(rec) == nil && permit.Sees(ctx, string(rec.ID), rec.Name)
}

// Attach attaches a repository, or returns the record that it has. Only an admin
// who sees every repository attaches one that is new.
func (e *Env) Attach(ctx context.Context, rec catalog.Repo, as string) (catalog.Repo, error) {
	if permit.Of(ctx) != nil {
		if err := e.mayAttach(ctx, rec, as); err != nil {
			return rec, err
		}
	}
	if e.Answers {
		if old, err := e.attached(rec); old.ID != "" || err != nil {
			return old, err
		}
	}
	rec, err := e.Catalog.Attach(ctx, rec)
	if err != nil {
		return rec, err
	}
	permit.Touched(ctx, rec.Name)
	return rec, catalog.Keep(e.Catalog.Folder(rec.ID))
}

func (e *Env) mayAttach(ctx context.Context, rec catalog.Repo, as string) error {
	records, err := e.Catalog.List()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(records, func(r catalog.Repo) bool { return r.Place() == rec.Place() })
	if i >= 0 && permit.Sees(ctx, string(records[i].ID), records[i].Name) {
		return nil
	}
	if permit.Limited(ctx) {
		return errors.New("no such repository is attached")
	}
	return permit.Check(ctx, permit.Admin, "attaching "+as)
}

// attached returns the record of a repository that others index, an empty one where
// it is to be renamed.
func (e *Env) attached(rec catalog.Repo) (catalog.Repo, error) {
	records, err := e.Catalog.List()
	if err != nil {
		return rec, err
	}
	i := slices.IndexFunc(records, func(r catalog.Repo) bool { return r.Place() == rec.Place() })
	switch {
	case i < 0:
		return rec, &usage.Error{
			Msg:  rec.Place() + " is not in the team's database (setting database_url)",
			Hint: "espy index " + rec.Place() + " adds it, on a machine that can read it; espy status lists those that are there",
		}
	case rec.Name != "" && rec.Name != records[i].Name:
		return catalog.Repo{}, nil
	}
	return records[i], nil
}

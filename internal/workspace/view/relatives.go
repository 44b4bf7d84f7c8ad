package view

import (
	"context"
	"errors"

	"espy/internal/permit"
	"espy/internal/store"
)

// Relatives returns the names of the work trees that share the parts of the view, of
// those that the one who asks may see, and what all of the family takes on disk.
func (v *View) Relatives(ctx context.Context) (names []string, disk store.Disk, err error) {
	all, err := v.Env.Catalog.List()
	if err != nil {
		return nil, disk, err
	}
	rec := v.Record()
	for _, o := range all {
		if o.ID != rec.ID && o.FamilyID() == rec.FamilyID() && permit.Sees(ctx, string(o.ID), o.Name) {
			names = append(names, o.Name)
		}
	}
	disk, err = v.Family.Disk()
	if format := (*store.FormatError)(nil); store.Rebuildable(err) || errors.As(err, &format) {
		err = nil // a view that cannot be read is reported by questions about it
	}
	return names, disk, err
}

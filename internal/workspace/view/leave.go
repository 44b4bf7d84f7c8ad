package view

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/store"
)

// Leave drops what a removed repository has left in the folder of its family, where
// others use it: its own views and those for which one of drops is true. used is false
// where the folder is gone. The caller holds the writer's lock.
func (v *View) Leave(drops []func(view string) bool) (used bool, err error) {
	rec := v.Record()
	all, err := v.Env.Catalog.List()
	if err != nil {
		return true, err
	}
	views := map[string]bool{}
	for _, o := range all {
		if o.FamilyID() == rec.FamilyID() {
			views[cmp.Or(o.View(), store.MainView)] = true
		}
	}
	if len(views) == 0 {
		return false, nil
	}
	err = v.Family.DropLocked(func(view string) bool {
		tree, ok := store.TreeOf(view)
		return ok && !views[tree] || slices.ContainsFunc(drops, func(drop func(string) bool) bool { return drop(view) })
	})
	if err != nil || rec.ID != rec.FamilyID() {
		return true, err
	}
	entries, err := os.ReadDir(v.Folder())
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "watch") { // of its files, or of sessions
			err = errors.Join(err, os.RemoveAll(filepath.Join(v.Folder(), e.Name())))
		}
	}
	return true, err
}

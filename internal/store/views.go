package store

import (
	"context"
	"errors"
	"strings"
)

// Views returns the names of the views that have a generation, in no order.
func (f *Family) Views() (views []string, err error) {
	names, err := f.dir.Names()
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		view, ok := strings.CutPrefix(n, "view-")
		if view, isManifest := strings.CutSuffix(view, ".json"); ok && isManifest {
			views = append(views, view)
		}
	}
	return views, nil
}

// Drop removes the views for which drop is true, and the parts that no other
// view needs. It waits for the writer's lock. Snapshots that are open stay whole.
func (f *Family) Drop(ctx context.Context, drop func(view string) bool) error {
	unlock, err := f.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	views, err := f.Views()
	if err != nil {
		return err
	}
	dropped := false
	for _, v := range views {
		if drop(v) {
			err = errors.Join(err, f.dir.Remove(manifestName(v)))
			dropped = true
		}
	}
	if err != nil || !dropped {
		return err
	}
	return f.collect()
}

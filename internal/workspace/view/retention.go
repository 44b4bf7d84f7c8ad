package view

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"espy/internal/store"
	"espy/internal/workspace/job"
)

// Commits are kept by rule: the keepRefs that were asked about last, and none
// that nobody asked about for keepRefsFor.
const (
	keepRefs    = 12
	keepRefsFor = 30 * 24 * time.Hour
)

// KeptRef is a commit whose index is kept.
type KeptRef struct {
	Commit string
	Ref    string // by which it was asked for first
	Used   time.Time
	Bytes  int64 // of its index, of which it may share parts with others
}

// KeptRefs lists the commits of the family, the one asked for last first.
func (v *View) KeptRefs() ([]KeptRef, error) {
	views, err := v.Family.Views()
	if err != nil {
		return nil, err
	}
	var kept []KeptRef
	for _, view := range views {
		id, ok := strings.CutPrefix(view, RefPrefix)
		if !ok {
			continue
		}
		k := KeptRef{Commit: id, Used: v.Family.Used(view)}
		if about, err := v.Family.About(view); err == nil {
			k.Ref, k.Bytes = about.Branch, about.Bytes
		}
		kept = append(kept, k)
	}
	slices.SortFunc(kept, func(a, b KeptRef) int { return cmp.Or(b.Used.Compare(a.Used), cmp.Compare(a.Commit, b.Commit)) })
	return kept, nil
}

// TidyRefs drops the commits that are not kept, never the one that e shows.
func (v *View) TidyRefs(ctx context.Context) {
	kept, err := v.KeptRefs()
	kept = slices.DeleteFunc(kept, func(k KeptRef) bool { return RefPrefix+k.Commit == v.Key })
	drop := map[string]bool{}
	for i, k := range kept {
		if i+1 >= keepRefs || time.Since(k.Used) > keepRefsFor {
			drop[RefPrefix+k.Commit] = true
		}
	}
	if len(drop) > 0 {
		err = errors.Join(err, v.Family.Drop(ctx, func(view string) bool { return drop[view] }), v.TidyJobs())
	}
	if err != nil {
		v.Env.Log.Warn("old commits are not dropped from the index", "repo", v.Repo(), "err", err)
	}
}

// DropOldRefs drops the indexes of commits that are of an older format:
// collecting garbage leaves a family alone that has one.
func (v *View) DropOldRefs(ctx context.Context) (dropped int, err error) {
	old := map[string]bool{}
	views, err := v.Family.Views()
	if err != nil {
		return 0, err
	}
	for _, key := range views {
		if !strings.HasPrefix(key, RefPrefix) {
			continue
		}
		s, err := v.Family.Snapshot(key)
		var format *store.FormatError
		switch {
		case err == nil:
			err = s.Close()
		case store.Rebuildable(err):
			old[key], err = true, nil
		case errors.As(err, &format): // of a newer program
			err = nil
		}
		if err != nil {
			return 0, err
		}
	}
	if len(old) == 0 {
		return 0, nil
	}
	return len(old), v.Family.Drop(ctx, func(view string) bool { return old[view] })
}

// TidyJobs removes what is left of jobs for views that are gone.
func (v *View) TidyJobs() error {
	views, err := v.Family.Views()
	if err != nil {
		return err
	}
	return job.Clean(v.Jobs(), func(view string) bool { return view == v.Key || slices.Contains(views, view) })
}

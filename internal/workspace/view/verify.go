package view

import (
	"context"
	"fmt"
	"slices"

	"espy/internal/store"
)

// VerifyReport is what reading the whole index found.
type VerifyReport struct {
	Segments, Files int
	Bytes           int64
	Problems        []string
}

// Verify reads every byte of the index and checks it, of the views of sessions and
// of the rest of the family too. Segments and files are counted without the latter.
func (v *View) Verify(ctx context.Context) (VerifyReport, error) {
	var rep VerifyReport
	views, err := v.Family.Views()
	if err != nil {
		return rep, err
	}
	slices.Sort(views)
	if len(views) == 0 {
		views = []string{v.Key} // which says that there is none
	}
	checked := map[string]bool{}
	for _, view := range views {
		one, err := v.Family.Verify(ctx, view, checked)
		rep.Bytes += one.Bytes
		if tree, ok := store.TreeOf(view); !ok || tree == view && view == v.Key { // not what others show, or was kept
			rep.Segments, rep.Files = rep.Segments+one.Segments, rep.Files+one.Files
		}
		for _, p := range one.Problems {
			if text := fmt.Sprintf("%s: %v", p.Part, p.Err); !slices.Contains(rep.Problems, text) {
				rep.Problems = append(rep.Problems, text)
			}
		}
		if ctx.Err() != nil || err != nil && view == v.Key {
			return rep, err
		}
		if err != nil {
			rep.Problems = append(rep.Problems, fmt.Sprintf("view %s: %v", view, err))
		}
	}
	if len(rep.Problems) > 0 {
		v.Forget()
	}
	return rep, nil
}

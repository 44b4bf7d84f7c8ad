package workspace

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
func (r *Repo) Verify(ctx context.Context) (VerifyReport, error) {
	var rep VerifyReport
	views, err := r.view.Family.Views()
	if err != nil {
		return rep, err
	}
	slices.Sort(views)
	if len(views) == 0 {
		views = []string{r.view.Key} // which says that there is none
	}
	checked := map[string]bool{}
	for _, view := range views {
		v, err := r.view.Family.Verify(ctx, view, checked)
		rep.Bytes += v.Bytes
		if tree, ok := store.TreeOf(view); !ok || tree == view && view == r.view.Key { // not what others show, or was kept
			rep.Segments, rep.Files = rep.Segments+v.Segments, rep.Files+v.Files
		}
		for _, p := range v.Problems {
			if text := fmt.Sprintf("%s: %v", p.Part, p.Err); !slices.Contains(rep.Problems, text) {
				rep.Problems = append(rep.Problems, text)
			}
		}
		if ctx.Err() != nil || err != nil && view == r.view.Key {
			return rep, err
		}
		if err != nil {
			rep.Problems = append(rep.Problems, fmt.Sprintf("view %s: %v", view, err))
		}
	}
	if len(rep.Problems) > 0 {
		r.view.Forget()
	}
	return rep, nil
}

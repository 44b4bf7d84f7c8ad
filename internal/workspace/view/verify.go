package view

import (
	"context"
	"fmt"
	"slices"

	"espy/internal/store"
)

// Verified is what reading the whole index found.
type Verified struct {
	Segments, Files int
	Bytes           int64
	Problems        []string
}

// Verify reads every byte of the index and checks it, of the views of sessions and
// of the rest of the family too. Segments and files are counted without the latter.
func (v *View) Verify(ctx context.Context) (Verified, error) {
	var rep Verified
	views, err := v.Family.Views()
	if err != nil {
		return rep, err
	}
	slices.Sort(views)
	if len(views) == 0 {
		views = []string{v.Key} // which says that there is none
	}
	checked := map[string]bool{}
	for _, key := range views {
		found, err := v.Family.Verify(ctx, key, checked)
		rep.Bytes += found.Bytes
		if tree, ok := store.TreeOf(key); !ok || tree == key && key == v.Key { // not what others show, or was kept
			rep.Segments, rep.Files = rep.Segments+found.Segments, rep.Files+found.Files
		}
		for _, p := range found.Problems {
			if text := fmt.Sprintf("%s: %v", p.Part, p.Err); !slices.Contains(rep.Problems, text) {
				rep.Problems = append(rep.Problems, text)
			}
		}
		if ctx.Err() != nil || err != nil && key == v.Key {
			return rep, err
		}
		if err != nil {
			rep.Problems = append(rep.Problems, fmt.Sprintf("view %s: %v", key, err))
		}
	}
	if len(rep.Problems) > 0 {
		v.Forget()
	}
	return rep, nil
}

package across

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"espy/internal/catalog"
	"espy/internal/workspace"
)

// Find returns the repository that a reference means to who works in a folder, as
// workspace.Find does: a path may be relative to the folder.
func Find(ctx context.Context, w *workspace.Workspace, folder, ref string) (*workspace.Repo, error) {
	r, err := w.Find(ctx, ref)
	var missing *catalog.NotFoundError
	if !errors.As(err, &missing) || filepath.IsAbs(ref) || !strings.ContainsAny(ref, `/\.`) {
		return r, err
	}
	if below, belowErr := w.Find(ctx, filepath.Join(folder, ref)); belowErr == nil {
		return below, nil
	}
	return nil, err
}

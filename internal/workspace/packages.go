package workspace

import (
	"context"

	"espy/internal/catalog"
)

// Packages are the packages of others that repositories use (package deps).
type Packages interface {
	// Find returns the package that a name means, which begins with
	// code.PackagePrefix; *usage.Error where there is none.
	Find(ctx context.Context, ref string) (*Repo, error)
}

// Packages returns those of the hooks, nil for none.
func (w *Workspace) Packages() Packages {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.hooks {
		if h.Packages != nil {
			return h.Packages
		}
	}
	return nil
}

// AttachPackage returns the repository of the record of a package, adding it
// where it is new.
func (w *Workspace) AttachPackage(ctx context.Context, rec catalog.Repo) (*Repo, error) {
	if err := w.env.CheckRoots(rec); err != nil {
		return nil, err
	}
	rec, err := w.env.Catalog.Attach(ctx, rec)
	if err != nil {
		return nil, err
	}
	return w.repo(rec)
}

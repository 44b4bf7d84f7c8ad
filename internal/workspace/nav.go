package workspace

import (
	"context"

	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/store"
)

// Symbols finds definitions in the repository as it is now.
func (r *Repo) Symbols(ctx context.Context, req nav.SymbolRequest, w Wait) (found *nav.Symbols, in hit.Searched, err error) {
	in, err = r.navigate(ctx, w, func(x *nav.Index) error { found, err = x.Symbol(req); return err })
	return found, in, err
}

// References finds who uses a symbol of the repository as it is now.
func (r *Repo) References(ctx context.Context, req nav.ReferencesRequest, w Wait) (found *nav.References, in hit.Searched, err error) {
	in, err = r.navigate(ctx, w, func(x *nav.Index) error { found, err = x.References(req); return err })
	return found, in, err
}

// Outline lists what files of the repository declare as it is now.
func (r *Repo) Outline(ctx context.Context, req nav.OutlineRequest, w Wait) (found *nav.Outline, in hit.Searched, err error) {
	in, err = r.navigate(ctx, w, func(x *nav.Index) error { found, err = x.Outline(req); return err })
	return found, in, err
}

// navigate asks about the symbols of a snapshot; indexing stands back meanwhile.
func (r *Repo) navigate(ctx context.Context, w Wait, ask func(*nav.Index) error) (in hit.Searched, err error) {
	w.Syntax = true
	err = r.Look(ctx, w, func(s *store.Snapshot) error {
		r.ws.asked.Add(1)
		defer r.ws.asked.Add(-1)
		in = hit.Searched{Repo: s.Name, Files: s.Stats().Files, Freshness: s.Freshness}
		x, err := r.symbols(s)
		if err != nil {
			return err
		}
		return ask(x)
	})
	return in, err
}

// known is an index of the symbols of the generation that is kept open.
type known struct {
	snap  *store.Snapshot
	index *nav.Index
}

// symbols returns an index of a snapshot. That of a generation is kept between
// questions, that of an overlay is not.
func (r *Repo) symbols(s *store.Snapshot) (*nav.Index, error) {
	r.mu.Lock()
	k, kept := r.known, r.held != nil && r.held.Same(s)
	r.mu.Unlock()
	if k.index != nil && k.snap.Same(s) {
		return k.index, nil
	}
	x, err := nav.Open(s)
	if err != nil || !kept {
		return x, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held != nil && r.held.Same(s) {
		r.known = known{r.held, x}
	}
	return x, nil
}

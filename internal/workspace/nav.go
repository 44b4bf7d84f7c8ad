package workspace

import (
	"context"

	"espy/internal/embedding"
	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/parallel"
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

// Explore asks several questions about one state of the repository, with its
// symbols, as it is now. ask must be able to start over; when its context ends
// it answers with what it has found. Indexing yields to it.
func (r *Repo) Explore(ctx context.Context, w Wait, ask func(context.Context, *store.Snapshot, *nav.Index) error) (in hit.Searched, err error) {
	quick, cancel := parallel.Early(ctx, answerParts)
	defer cancel()
	err = r.ask(ctx, question{Wait: w, syntax: true, vectors: w.Vectors}, func(s *store.Snapshot) error {
		return r.view.Env.Answer(func() error {
			in = hit.Searched{Repo: s.Name, Files: s.Stats().Files, Excluded: s.Left(), Freshness: s.Freshness, Notes: r.Notes(s)}
			x, err := r.view.Symbols(s)
			if err != nil {
				return err
			}
			return ask(quick, s, x.Until(func() bool { return quick.Err() != nil }))
		})
	})
	return in, err
}

// Models are those that searches of the repository may ask.
func (r *Repo) Models() embedding.Models { return r.opts.Models }

// navigate asks about the symbols of a snapshot.
func (r *Repo) navigate(ctx context.Context, w Wait, ask func(*nav.Index) error) (in hit.Searched, err error) {
	return r.Explore(ctx, w, func(_ context.Context, _ *store.Snapshot, x *nav.Index) error { return ask(x) })
}

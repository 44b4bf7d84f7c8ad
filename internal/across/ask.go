package across

import (
	"context"

	"espy/internal/hit"
	"espy/internal/nav"
	"espy/internal/workspace"
)

// Symbols finds definitions in repositories as they are now. Of one repository alone,
// the answer is its own, and nothing is joined.
func Symbols(ctx context.Context, repos []*workspace.Repo, req nav.SymbolRequest, w workspace.Wait) (found *nav.Symbols, in Searched, err error) {
	if len(repos) == 1 {
		found, one, err := repos[0].Symbols(ctx, req, w)
		return found, Searched{Repos: []hit.Searched{one}}, err
	}
	if err := req.Check(req.Limit, req.Offset); err != nil { // before anything is indexed
		return nil, in, err
	}
	in, err = Explore(ctx, Question{Repos: repos, Wait: w, Target: req.Target}, func(_ context.Context, j *Joined) error {
		found, err = j.Index.Symbol(req)
		return err
	})
	return found, in, err
}

// References finds who uses a symbol in repositories as they are now. Of one repository
// alone, the answer is its own, and nothing is joined.
func References(ctx context.Context, repos []*workspace.Repo, req nav.ReferencesRequest, w workspace.Wait) (found *nav.References, in Searched, err error) {
	if len(repos) == 1 {
		found, one, err := repos[0].References(ctx, req, w)
		return found, Searched{Repos: []hit.Searched{one}}, err
	}
	if err := req.Check(req.Limit, req.Offset); err != nil { // before anything is indexed
		return nil, in, err
	}
	q := Question{Repos: repos, Wait: w, Target: req.Target, Follows: req.Kind.IsRelation()} // types below name others
	in, err = Explore(ctx, q, func(_ context.Context, j *Joined) error {
		found, err = j.Index.References(req)
		return err
	})
	return found, in, err
}

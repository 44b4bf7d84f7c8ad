package across

import (
	"context"
	"slices"

	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/resolve/corpus"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Joined is one index of the repositories that a question concerns, by name. Its paths
// have the name of their repository and a colon in front.
type Joined struct {
	Index *nav.Index
	Repos []*workspace.Repo
	Snaps []*store.Snapshot
}

// Explore asks about several repositories as they are now, with the symbols of those
// that the question concerns. ask must be able to start over; when its context ends it
// answers with what it has found. A repository that cannot answer is named; it is an
// error where none can.
func Explore(ctx context.Context, q Question, ask func(context.Context, *Joined) error) (Searched, error) {
	if err := q.order(); err != nil {
		return Searched{}, err
	}
	x := &exploring{Question: q, ask: ask, in: Searched{Several: true}}
	all, err := q.look(ctx, &x.in)
	if err != nil {
		return Searched{}, err
	}
	for i, is := range all.concerned(&q) {
		if is {
			x.repos = append(x.repos, all.repos[i])
		} else {
			x.in.Apart = append(x.in.Apart, all.repos[i].Name())
		}
	}
	if len(x.repos) == 0 { // nothing bears the name, as any of them says
		x.repos, x.in.Apart = all.repos[:1], x.in.Apart[1:]
	}
	x.searched = make([]*hit.Searched, len(x.repos))
	unparsed := all.unparsed(x.repos)
	if err := all.close(); err != nil {
		return Searched{}, err
	}
	for _, r := range unparsed {
		// Indexing rests while a question is answered, so a repository that is entered
		// within another must be parsed before. One that cannot be is named below.
		_, _ = r.Explore(ctx, x.Wait, func(context.Context, *store.Snapshot, *nav.Index) error { return nil })
	}
	if err := x.enter(ctx, ctx, nil, 0); err != nil {
		return Searched{}, err
	}
	for _, in := range x.searched {
		if in != nil {
			x.in.Repos = append(x.in.Repos, *in)
		}
	}
	return x.in, nil
}

// exploring is the work on one question. The repositories are entered one within the
// other, so that all are open when it is asked.
type exploring struct {
	Question
	ask      func(context.Context, *Joined) error
	in       Searched
	repos    []*workspace.Repo // that are concerned
	searched []*hit.Searched   // of each, nil for one that could not answer
}

// member is a repository that was entered.
type member struct {
	repo   *workspace.Repo
	snap   *store.Snapshot
	index  *nav.Index
	source *source
}

// enter opens repository i and those behind it, then asks. One that cannot be opened is
// left out and named. quick ends when the answer must be there.
func (x *exploring) enter(ctx, quick context.Context, open []member, i int) error {
	if i == len(x.repos) {
		return x.answer(quick, open)
	}
	r := x.repos[i]
	entered := false
	in, err := r.Explore(ctx, x.Wait, func(quick context.Context, s *store.Snapshot, index *nav.Index) error {
		entered = true
		return x.enter(ctx, quick, append(slices.Clip(open), member{r, s, index, read(s)}), i+1)
	})
	switch {
	case entered || err == nil:
		x.searched[i] = &in
		return err
	case ctx.Err() != nil || len(x.in.Late)+1 == len(x.Repos):
		return err
	}
	x.in.Late = append(x.in.Late, r.Name()+": "+err.Error())
	return x.enter(ctx, quick, open, i+1)
}

// answer joins the repositories and asks.
func (x *exploring) answer(ctx context.Context, open []member) error {
	members := make([]locate.Member, len(open))
	j := &Joined{}
	for i, m := range open {
		members[i] = locate.Member{Name: m.repo.Name(), Index: m.index.Index}
		for to, o := range open {
			if to == i {
				continue
			}
			if packages := m.source.links(o.source); len(packages) > 0 {
				members[i].Links = append(members[i].Links, corpus.Link{To: to, Packages: packages})
			}
		}
		j.Repos, j.Snaps = append(j.Repos, m.repo), append(j.Snaps, m.snap)
	}
	index, err := locate.Join(members)
	if err != nil {
		return err
	}
	j.Index = &nav.Index{Index: index}
	return x.ask(ctx, j)
}

// unparsed are those of some repositories with files whose syntax is not known yet.
func (l *looked) unparsed(of []*workspace.Repo) (list []*workspace.Repo) {
	for i, r := range l.repos {
		if s := l.snaps[i]; slices.Contains(of, r) && (s.SyntaxPending() > 0 || s.Freshness.Partial) {
			list = append(list, r)
		}
	}
	return list
}

package tasks

import (
	"context"
	"slices"

	"espy/internal/code"
	"espy/internal/permit"
	"espy/internal/usage"
)

// sight is which tasks exist for who asks: all, or those about code of repositories
// that it sees, and of no other.
type sight struct {
	limited bool
	repos   []code.RepoID
}

// sight returns what exists for who asks.
func (b *Book) sight(ctx context.Context) (s sight, err error) {
	if !permit.Limited(ctx) {
		return s, nil
	}
	s.limited = true
	if b.opts.Seen != nil {
		s.repos, err = b.opts.Seen(ctx)
	}
	return s, err
}

func (s sight) sees(t *Task) bool {
	if !s.limited {
		return true
	}
	repos := t.Repos()
	return len(repos) > 0 && !slices.ContainsFunc(repos, func(r code.RepoID) bool { return !slices.Contains(s.repos, r) })
}

// keeps refuses to write a task that would not exist for who writes it.
func (s sight) keeps(t *Task) error {
	if s.sees(t) {
		return nil
	}
	return &usage.Error{Msg: "this token sees only some repositories, and tasks about their code alone", Hint: "name a file or a symbol of one of them; status lists them"}
}

// narrow lets a filter pass what exists for who asks.
func (s sight) narrow(f Filter) Filter {
	if s.limited {
		f.Only = append([]code.RepoID{}, s.repos...)
	}
	return f
}

// Package hybrid finds declarations in code by words and by meaning at once: each engine
// gives the chunks that it ranks highest, these become the declarations in them that
// say most of the query, and the two orders become one (package fusion).
package hybrid

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/lang"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/search"
	"espy/internal/search/fusion"
	"espy/internal/store"
	"espy/internal/workspace"
)

// candidates is how many places each engine gives.
const candidates = 100

// Answer is what was found.
type Answer struct {
	Units []Unit   // the best first
	More  int      // that were found beyond those
	Notes []string // what the reader must know: what was left out and why
}

// Request is what is asked of one repository.
type Request struct {
	Query   string // words; no sign in it is an operator
	Limit   int
	Preview int                    // lines of each unit in the answer
	Only    func(path string) bool // which files pass; nil lets all
	Wait    workspace.Wait
	Look    func(*store.Snapshot) // sees the state that answers, again where the question starts over; may be nil
}

// Search ranks by words and by meaning. Scores are those of fusion.Fuse, each engine
// having half the weight.
func Search(ctx context.Context, w *workspace.Workspace, r *workspace.Repo, req Request) (*Answer, error) {
	return explore(ctx, w, r, req, func(q *question) (rank, error) {
		var byWord, byMeaning *hit.Result
		group, both := errgroup.WithContext(q.ctx)
		group.Go(func() (err error) { byWord, err = q.find(both, keywords(req.Query)); return err })
		group.Go(func() (err error) { byMeaning, err = q.near(both); return err })
		if err := group.Wait(); err != nil {
			return nil, err
		}
		q.answer.note(byWord.Notes, byMeaning.Notes)
		return func(s *shelf) ([]scored, error) {
			words, err := s.units(byWord.Hits, true)
			if err != nil {
				return nil, err
			}
			meanings, err := s.units(byMeaning.Hits, true)
			if err != nil {
				return nil, err
			}
			return fusion.Fuse(place.compare, half(words), half(meanings)), nil
		}, nil
	})
}

// Similar ranks by meaning alone. Scores are (1+cosine)/2, from 0 to 1.
func Similar(ctx context.Context, w *workspace.Workspace, r *workspace.Repo, req Request) (*Answer, error) {
	return explore(ctx, w, r, req, func(q *question) (rank, error) {
		res, err := q.find(q.ctx, meaning(req.Query))
		if err != nil {
			return nil, err
		}
		q.answer.note(res.Notes)
		return func(s *shelf) ([]scored, error) {
			var all []scored
			known := map[place]bool{}
			for _, h := range res.Hits {
				units, err := s.units([]hit.Hit{h}, false)
				if err != nil {
					return nil, err
				}
				for _, u := range units {
					if !known[u] {
						known[u] = true
						all = append(all, scored{Item: u, Score: (1 + h.Passage.Cosine) / 2})
					}
				}
			}
			return all, nil
		}, nil
	})
}

// question is a request that is put to one state of a repository.
type question struct {
	ctx      context.Context
	req      *Request
	snapshot *store.Snapshot
	opts     *workspace.Options
	answer   *Answer
}

// rank orders units.
type rank func(*shelf) ([]scored, error)

// find asks one engine.
func (q *question) find(ctx context.Context, req hit.Request) (*hit.Result, error) {
	req.Limit, req.ShowSecrets, req.Languages = candidates, q.opts.ShowSecrets, notCode()
	if only := q.req.Only; only != nil {
		req.Only = func(path, _ string, _ code.Class) bool { return only(path) }
	}
	c, err := search.Compile(req)
	if err != nil {
		return nil, err
	}
	return c.Run(ctx, []*store.Snapshot{q.snapshot}, search.Means{Models: q.opts.Models})
}

// near asks for meanings; without a model nothing is near, and that is noted.
func (q *question) near(ctx context.Context) (*hit.Result, error) {
	if q.opts.Models.Local == nil {
		return &hit.Result{Notes: []string{"meanings were not compared: there is no model here"}}, nil
	}
	return q.find(ctx, meaning(q.req.Query))
}

type scored = fusion.Scored[place]

// half is a list of units without repeats, as one of two.
func half(units []place) fusion.List[place] {
	l := fusion.List[place]{Weight: 0.5}
	known := map[place]bool{}
	for _, u := range units {
		if !known[u] && len(l.Items) < candidates {
			known[u] = true
			l.Items = append(l.Items, u)
		}
	}
	return l
}

// notCode leaves out prose, data and settings, which declare nothing.
func notCode() (languages []string) {
	for _, l := range lang.All() {
		if !lang.IsCode(l.Name) {
			languages = append(languages, "!"+l.Name)
		}
	}
	return languages
}

// keywords asks for the words of a text, or for the text as it stands where it has
// none.
func keywords(text string) hit.Request {
	if words := plain(text); words != "" {
		return hit.Request{Query: words, Mode: hit.ModeKeyword, Detail: hit.DetailLocate}
	}
	return hit.Request{Query: text, Mode: hit.ModeLiteral, Detail: hit.DetailLocate}
}

func meaning(text string) hit.Request {
	if words := plain(text); words != "" {
		text = words
	}
	return hit.Request{Query: text, Mode: hit.ModeSemantic, Detail: hit.DetailLocate, Passages: true}
}

// explore asks the engines, and makes an answer of what they rank, over one state of
// the index as it is now.
func explore(ctx context.Context, w *workspace.Workspace, r *workspace.Repo, req Request, engines func(*question) (rank, error)) (a *Answer, err error) {
	opts := w.Options()
	req.Wait.Vectors = true
	_, err = r.Explore(ctx, req.Wait, func(ctx context.Context, s *store.Snapshot, x *nav.Index) error {
		if req.Look != nil {
			req.Look(s)
		}
		a = &Answer{}
		order, err := engines(&question{ctx, &req, s, &opts, a})
		if err != nil {
			return err
		}
		a.note(r.Notes(s))
		return x.Run(func(ask *locate.Ask) error { return a.fill(newShelf(ask, &req, opts.ShowSecrets), &req, order) })
	})
	return a, err
}

// fill adds the first units of an order.
func (a *Answer) fill(s *shelf, req *Request, order rank) error {
	all, err := order(s)
	if err != nil {
		return err
	}
	shown := all[:min(len(all), req.Limit)]
	a.Units, a.More = nil, len(all)-len(shown)
	for _, one := range shown {
		u, err := s.show(one.Item, req.Preview)
		if err != nil {
			return err
		}
		u.Score = one.Score
		a.Units = append(a.Units, u)
	}
	return nil
}

// note adds notes that are not there yet.
func (a *Answer) note(lists ...[]string) {
	for _, n := range slices.Concat(lists...) {
		if !slices.Contains(a.Notes, n) {
			a.Notes = append(a.Notes, n)
		}
	}
}

// Vectors counts the vectors of an index: those of chunks by the model on another
// machine, where it has some, else by that of the program.
func Vectors(ctx context.Context, r *workspace.Repo, w workspace.Wait) (n int, err error) {
	models := r.Models()
	err = r.Look(ctx, w, func(s *store.Snapshot) error {
		n = 0
		if models.Remote != nil {
			n = vectors(s, models.Remote.Identity())
		}
		if n == 0 && models.Local != nil {
			n = vectors(s, models.Local.Identity())
		}
		return nil
	})
	return n, err
}

func vectors(s *store.Snapshot, model string) (n int) {
	for i := range s.Segments {
		seg := &s.Segments[i]
		for f := range seg.NumFiles() {
			if seg.Alive(f) && seg.Embedded(model, f) {
				first, end := seg.ChunksOf(f)
				n += end - first
			}
		}
	}
	return n
}

// Package learned has what the commits of a repository teach about questions: a
// commit's message asks, the files that it changed answer. From the older commits
// an adapter of questions is fitted. Newer ones, which it has not seen, tell whether
// the right files are found more often with it, by more than chance. Only then it is
// used, fitted to those too. The newest, which neither was fitted to nor chose, tell
// by how much.
package learned

import (
	"context"
	"errors"
	"math"
	"slices"

	"espy/internal/embedding"
	"espy/internal/embedding/adapt"
	"espy/internal/filter"
	"espy/internal/git"
	"espy/internal/hit"
	"espy/internal/intent"
	"espy/internal/query"
	"espy/internal/segment"
	"espy/internal/segment/vec"
	"espy/internal/semantic"
	"espy/internal/store"
)

// Lesson is what was learned of one repository by one model.
type Lesson struct {
	Commit string  `json:"commit"` // the newest commit that was looked at
	Fitted int     `json:"fitted"` // commits that the adapter was fitted to
	Proof  Figures `json:"proof"`  // of commits that it was neither fitted to nor chosen by

	Adapter *adapt.Adapter `json:"-"` // nil where it finds no more than the question as it is
}

// Figures are shares of the changed files that are among the first ten files of
// an answer by meaning, as means over commits.
type Figures struct {
	Commits int     `json:"commits"`
	Plain   float64 `json:"plain"`   // of the message as it is
	Adapted float64 `json:"adapted"` // of the message turned by the adapter, whether that is used or not
}

// Bounds of what is learned from.
const (
	maxCommits = 5_000 // that git lists
	heldPart   = 2     // half of the commits, the newest, is held out
	maxHeld    = 800   // commits that are held out
	minHeld    = 80    // fewer prove nothing
	maxFitted  = 2000
	depth      = 10 // files of an answer that count
)

// Least is how many commits that are questions it takes to learn.
const Least = heldPart * minHeld

// example is a commit that asks for files of the snapshot.
type example struct {
	commit   string
	question string
	files    []place
}

// place is a file of a snapshot.
type place struct{ seg, file int }

// course is what there is to learn from, and what shows whether that helps.
type course struct {
	*store.Snapshot
	model embedding.Model

	fitted []example // the older commits
	choice []example // newer ones, which say whether an adapter is used
	proof  []example // the newest, which tell how much more is found by it
}

// newCourse divides commits, the newest first. It returns nil for too few.
func newCourse(s *store.Snapshot, model embedding.Model, commits []git.Changed) *course {
	all := examples(s, model.Identity(), commits)
	held := min(len(all)/heldPart, maxHeld)
	if held < minHeld {
		return nil
	}
	c := &course{Snapshot: s, model: model}
	c.proof, c.choice = all[:held/2], all[held/2:held]
	c.fitted = all[held:min(len(all), held+maxFitted)]
	return c
}

// learn learns from commits, the newest first, over the files of a snapshot that
// have vectors of the model. It returns nil where there is too little to learn
// from.
func learn(ctx context.Context, s *store.Snapshot, model embedding.Model, commits []git.Changed) (l *Lesson, err error) {
	err = taught(s, model, commits, func(c *course) (err error) {
		l, err = c.learn(ctx)
		return err
	})
	if l != nil {
		l.Commit = commits[0].ID
	}
	return l, err
}

// taught has do learn from a course, where there is enough.
func taught(s *store.Snapshot, model embedding.Model, commits []git.Changed, do func(*course) error) error {
	return segment.Guard(func() error {
		if c := newCourse(s, model, commits); c != nil {
			return do(c)
		}
		return nil
	})
}

func (c *course) learn(ctx context.Context) (*Lesson, error) {
	pairs, err := c.pairs(ctx, c.fitted)
	if err != nil || len(pairs) == 0 {
		return nil, err
	}
	tried, err := adapt.Fit(c.model.Identity(), pairs)
	if err != nil {
		return nil, err
	}
	chosen, err := c.compare(ctx, tried, c.choice)
	if err != nil {
		return nil, err
	}
	more, err := c.pairs(ctx, c.choice)
	if err != nil {
		return nil, err
	}
	adapter, err := adapt.Fit(c.model.Identity(), append(more, pairs...))
	if err != nil {
		return nil, err
	}
	l := &Lesson{Fitted: len(pairs) + len(more)}
	if chosen.isBetter() {
		l.Adapter = adapter
	}
	proved, err := c.compare(ctx, adapter, c.proof)
	l.Proof = proved.figures()
	return l, err
}

// examples returns the commits that ask for files which are live and have
// vectors, in their order.
func examples(s *store.Snapshot, model string, commits []git.Changed) (all []example) {
	asked := map[string]bool{}
	for i := range commits {
		question, files, ok := intent.Of(&commits[i])
		if !ok || asked[question] {
			continue
		}
		asked[question] = true
		e := example{commit: commits[i].ID, question: question}
		for _, path := range files {
			if p, ok := find(s, path); ok && s.Segments[p.seg].Embedded(model, p.file) {
				e.files = append(e.files, p)
			}
		}
		if len(e.files) > 0 {
			all = append(all, e)
		}
	}
	return all
}

// find returns where the live file of a path is.
func find(s *store.Snapshot, path string) (place, bool) {
	for i := range s.Segments {
		seg := &s.Segments[i]
		if f, ok := seg.FindPath(path); ok && seg.Alive(f) {
			return place{i, f}, true
		}
	}
	return place{}, false
}

// pairs returns examples as the model sees them: the answer is, of each file, the
// chunk that is nearest to the question.
func (c *course) pairs(ctx context.Context, from []example) (pairs []adapt.Example, err error) {
	for i := range from {
		question, err := c.model.Query(ctx, from[i].question)
		if err != nil {
			return nil, err
		}
		asked, err := vec.NewQuery(question)
		if err != nil {
			return nil, err
		}
		if asked != nil { // the model knows one of its words
			pairs = append(pairs, adapt.Example{Question: question, Answer: c.answer(&from[i], asked)})
		}
	}
	return pairs, nil
}

// answer returns the mean over the files of an example of their nearest vectors.
func (c *course) answer(e *example, asked *vec.Query) embedding.Vector {
	answer := make(embedding.Vector, c.model.Dims())
	for _, p := range e.files {
		seg := &c.Segments[p.seg]
		part := seg.VectorsOf(c.model.Identity())
		first, end := seg.ChunksOf(p.file)
		best, most := -1, -2.0
		part.Cosines(asked, first, end, func(chunk int, cosine float64) bool {
			if cosine > most {
				best, most = chunk, cosine
			}
			return true
		})
		if best < 0 {
			continue
		}
		for i, x := range part.Vector(best) {
			answer[i] += x / float32(len(e.files))
		}
	}
	return answer
}

// compared are the shares of files that examples find without an adapter and with it.
type compared struct{ plain, adapted []float64 }

// compare asks examples with an adapter and without.
func (c *course) compare(ctx context.Context, a *adapt.Adapter, asked []example) (r compared, err error) {
	if r.plain, err = c.recalls(ctx, nil, asked); err == nil {
		r.adapted, err = c.recalls(ctx, a, asked)
	}
	return r, err
}

func (r *compared) figures() Figures {
	return Figures{Commits: len(r.plain), Plain: mean(r.plain), Adapted: mean(r.adapted)}
}

func mean(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum / float64(max(len(list), 1))
}

// sure is by how many of its standard errors a gain exceeds 0 that one in twenty
// would by chance.
const sure = 1.645

// isBetter reports whether more is found with the adapter than chance explains: the
// lower bound of the mean of what each example gains by it is above 0.
func (r *compared) isBetter() bool {
	gain := mean(r.adapted) - mean(r.plain)
	squares := 0.0
	for i := range r.plain {
		off := r.adapted[i] - r.plain[i] - gain
		squares += float64(off * off)
	}
	n := float64(len(r.plain))
	return gain > 0 && gain*n > sure*math.Sqrt(squares*n/(n-1))
}

// recalls returns the share of the files of each example that are found with an
// adapter.
func (c *course) recalls(ctx context.Context, a *adapt.Adapter, asked []example) (all []float64, err error) {
	s := c.Clone()
	defer func() { err = errors.Join(err, s.Close()) }()
	s.Adapter = a
	rules, err := filter.Compile(&hit.Request{Mode: hit.ModeSemantic}, query.Filters{})
	if err != nil {
		return nil, err
	}
	over, err := rules.Over([]*store.Snapshot{s})
	if err != nil {
		return nil, err
	}
	for i := range asked {
		paths, err := c.ask(ctx, over, asked[i].question)
		if err != nil {
			return nil, err
		}
		all = append(all, asked[i].found(s, paths)/float64(len(asked[i].files)))
	}
	return all, nil
}

// ask answers a question by meaning, with the paths of the first files.
func (c *course) ask(ctx context.Context, over *filter.Filter, question string) ([]string, error) {
	req, err := (hit.Request{Query: question, Mode: hit.ModeSemantic, Detail: hit.DetailLocate, Limit: depth}).Checked()
	if err != nil {
		return nil, err
	}
	q, err := semantic.New(req)
	if err != nil {
		return nil, err
	}
	return q.Paths(ctx, over, c.model)
}

// found returns how many of the files are among paths.
func (e *example) found(s *store.Snapshot, paths []string) (n float64) {
	for _, p := range e.files {
		if slices.Contains(paths, s.Segments[p.seg].Path(p.file)) {
			n++
		}
	}
	return n
}

// Package learned has what the commits of a repository teach about questions: a
// commit's message asks, the files that it changed answer. From the older commits
// an adapter of questions is fitted; the newer ones, which it has not seen, tell
// whether the right files are found more often with it. Only then it is used.
package learned

import (
	"context"
	"errors"
	"math/rand/v2"

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
	Model  string  `json:"model"`  // its identity
	Commit string  `json:"commit"` // the newest commit that was looked at
	Fitted int     `json:"fitted"` // commits that the adapter was fitted to
	Held   Figures `json:"held"`   // of the newer commits

	Adapter *adapt.Adapter `json:"-"` // nil where it finds no more than the question as it is
}

// Figures are shares of the changed files that are among the first ten files of
// an answer by meaning, as means over commits.
type Figures struct {
	Commits  int     `json:"commits"`
	Plain    float64 `json:"plain"`    // of the message as it is
	Adapted  float64 `json:"adapted"`  // of the message turned by the adapter
	Shuffled float64 `json:"shuffled"` // by an adapter fitted to answers of other messages, which should gain nothing
}

// Bounds of what is learned from.
const (
	maxCommits = 5_000 // that git lists
	heldPart   = 4     // a quarter of the commits, the newest, is held out
	maxHeld    = 200   // commits that are held out
	maxFitted  = 2000
	minHeld    = 20 // fewer prove nothing
	depth      = 10 // files of an answer that count
)

// margin is how much more must be found for an adapter to be used: less is noise.
const margin = 0.01

// example is a commit that asks for files of the snapshot.
type example struct {
	question string
	files    []place
}

// place is a file of a snapshot.
type place struct{ seg, file int }

// Learn learns from commits, the newest first, over the files of a snapshot that
// have vectors of the model. It returns nil where there is too little to learn
// from.
func Learn(ctx context.Context, s *store.Snapshot, model embedding.Model, commits []git.Changed) (lesson *Lesson, err error) {
	err = segment.Guard(func() error { lesson, err = learn(ctx, s, model, commits); return err })
	return lesson, err
}

func learn(ctx context.Context, s *store.Snapshot, model embedding.Model, commits []git.Changed) (*Lesson, error) {
	all := examples(s, model.Identity(), commits)
	held := min(len(all)/heldPart, maxHeld)
	if held < minHeld {
		return nil, nil
	}
	fitted := all[held:min(len(all), held+maxFitted)]
	pairs, err := vectors(ctx, s, model, fitted)
	if err != nil {
		return nil, err
	}
	l := &Lesson{Model: model.Identity(), Commit: commits[0].ID, Fitted: len(pairs), Held: Figures{Commits: held}}
	adapter, err := adapt.Fit(l.Model, pairs)
	if err != nil {
		return nil, err
	}
	control, err := adapt.Fit(l.Model, shuffled(pairs))
	if err != nil {
		return nil, err
	}
	for _, run := range []struct {
		adapter *adapt.Adapter
		recall  *float64
	}{{nil, &l.Held.Plain}, {adapter, &l.Held.Adapted}, {control, &l.Held.Shuffled}} {
		if *run.recall, err = recall(ctx, s, run.adapter, model, all[:held]); err != nil {
			return nil, err
		}
	}
	if l.Held.Adapted >= l.Held.Plain+margin {
		l.Adapter = adapter
	}
	return l, nil
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
		e := example{question: question}
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

// vectors returns the examples as the model sees them: the answer is, of each
// file, the chunk that is nearest to the question.
func vectors(ctx context.Context, s *store.Snapshot, model embedding.Model, all []example) (pairs []adapt.Example, err error) {
	for _, e := range all {
		question, err := model.Query(ctx, e.question)
		if err != nil {
			return nil, err
		}
		asked, err := vec.NewQuery(question)
		if err != nil {
			return nil, err
		}
		if asked == nil {
			continue // the model knows none of its words
		}
		answer := make(embedding.Vector, len(question))
		for _, p := range e.files {
			seg := &s.Segments[p.seg]
			part := seg.VectorsOf(model.Identity())
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
		pairs = append(pairs, adapt.Example{Question: question, Answer: answer})
	}
	return pairs, nil
}

// shuffled returns the questions with the answers of others, always the same ones.
func shuffled(pairs []adapt.Example) []adapt.Example {
	out := append([]adapt.Example(nil), pairs...)
	random := rand.New(rand.NewPCG(1, uint64(len(out))))
	random.Shuffle(len(out), func(i, j int) { out[i].Answer, out[j].Answer = out[j].Answer, out[i].Answer })
	return out
}

// recall returns the share of the files of the examples that are found with an
// adapter, as a mean over these.
func recall(ctx context.Context, s *store.Snapshot, a *adapt.Adapter, model embedding.Model, all []example) (sum float64, err error) {
	s = s.Clone()
	defer func() { err = errors.Join(err, s.Close()) }()
	s.Adapter = a
	for _, e := range all {
		req, err := (hit.Request{Query: e.question, Mode: hit.ModeSemantic, Detail: hit.DetailLocate, Limit: depth}).Checked()
		if err != nil {
			return 0, err
		}
		q, err := semantic.New(req)
		if err != nil {
			return 0, err
		}
		rules, err := filter.Compile(&req, query.Filters{})
		if err != nil {
			return 0, err
		}
		over, err := rules.Over([]*store.Snapshot{s})
		if err != nil {
			return 0, err
		}
		res, err := q.Run(ctx, over, embedding.Models{Local: model})
		if err != nil {
			return 0, err
		}
		if res.Partial {
			return 0, context.Cause(ctx)
		}
		sum += e.found(s, res.Hits) / float64(len(e.files))
	}
	return sum / float64(len(all)), nil
}

// found returns how many of the files are among hits.
func (e *example) found(s *store.Snapshot, hits []hit.Hit) (n float64) {
	for _, p := range e.files {
		path := s.Segments[p.seg].Path(p.file)
		for i := range hits {
			if hits[i].Path == path {
				n++
			}
		}
	}
	return n
}

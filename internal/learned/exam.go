package learned

import (
	"context"
	"math/rand/v2"
	"slices"

	"espy/internal/embedding"
	"espy/internal/embedding/adapt"
	"espy/internal/git"
	"espy/internal/store"
)

// Exam holds what shows whether learning helps: the newest commits, and adapters
// that know nothing of them.
type Exam struct {
	Fitted    int        // commits that the adapters were fitted to
	Questions []Question // the newest first
	Adapter   *adapt.Adapter
	Control   *adapt.Adapter // fitted to answers of other messages, which should gain nothing
}

// Question is a commit as a question.
type Question struct {
	Commit string
	Text   string
	Files  []string // that answer it; all are in the snapshot
}

// Examine returns the exam of commits, as Study takes them. It returns nil where
// there is too little to learn from.
func Examine(ctx context.Context, s *store.Snapshot, model embedding.Model, commits []git.Changed) (e *Exam, err error) {
	err = taught(s, model, commits, func(c *course) error {
		pairs, err := c.pairs(ctx, append(slices.Clip(c.choice), c.fitted...))
		if err != nil || len(pairs) == 0 {
			return err
		}
		x := &Exam{Fitted: len(pairs), Questions: c.questions()}
		if x.Adapter, err = adapt.Fit(c.model.Identity(), pairs); err == nil {
			x.Control, err = adapt.Fit(c.model.Identity(), shuffled(pairs))
		}
		e = x
		return err
	})
	return e, err
}

// questions are the examples of the proof.
func (c *course) questions() (all []Question) {
	for _, e := range c.proof {
		q := Question{Commit: e.commit, Text: e.question}
		for _, p := range e.files {
			q.Files = append(q.Files, c.Segments[p.seg].Path(p.file))
		}
		all = append(all, q)
	}
	return all
}

// shuffled returns the questions with the answers of others, always the same ones.
func shuffled(pairs []adapt.Example) []adapt.Example {
	out := append([]adapt.Example(nil), pairs...)
	random := rand.New(rand.NewPCG(1, uint64(len(out))))
	random.Shuffle(len(out), func(i, j int) { out[i].Answer, out[j].Answer = out[j].Answer, out[i].Answer })
	return out
}

package eval

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"espy/internal/embedding"
	"espy/internal/embedding/adapt"
	"espy/internal/hit"
	"espy/internal/learned"
	"espy/internal/search"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// Commits are what the newest commits of a repository find in it, each asked by
// its message. The files are those of today: what a commit added is there.
type Commits struct {
	Repo      string       `json:"repo"`
	Newest    string       `json:"newest"`    // the newest commit that counts
	Fitted    int          `json:"fitted"`    // older commits that the adapters were fitted to
	Questions int          `json:"questions"` // newer commits
	Runs      []CommitsRun `json:"runs"`
}

// CommitsRun is one way to ask.
type CommitsRun struct {
	Mode    hit.Mode `json:"mode"`
	Adapter string   `json:"adapter"` // none, learned, or shuffled: fitted to answers of other messages
	MRR     float64  `json:"mrr"`
	Recall  float64  `json:"recall10"`
}

// AskCommits brings the index of a repository up to date and asks its commits. It
// takes the same commits as what status tells of (learned.Study). A repository
// with too few is refused by a *usage.Error.
func AskCommits(ctx context.Context, r *workspace.Repo, models embedding.Models) (c *Commits, err error) {
	history, at, err := r.History(ctx)
	if err != nil {
		return nil, err
	}
	if models.Local == nil {
		return nil, &usage.Error{Msg: "there is no model here to compare meanings with"}
	}
	if _, err := r.Index(ctx, workspace.IndexOptions{}); err != nil {
		return nil, err
	}
	commits, err := learned.Commits(ctx, history, at.Commit)
	if err != nil {
		return nil, err
	}
	s, err := r.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	exam, err := learned.Examine(ctx, s, models.Local, commits)
	if err != nil {
		return nil, err
	}
	if exam == nil {
		return nil, &usage.Error{Msg: "the commits of " + r.Name() + " make too few questions", Hint: fmt.Sprintf("it takes %d that change one to five source files and say what for", learned.Least)}
	}
	c = &Commits{Repo: r.Name(), Newest: commits[0].ID, Fitted: exam.Fitted, Questions: len(exam.Questions)}
	err = segment.Guard(func() error { return c.ask(ctx, s, exam, models) })
	return c, err
}

// ask asks the questions in each way.
func (c *Commits) ask(ctx context.Context, s *store.Snapshot, exam *learned.Exam, models embedding.Models) error {
	questions := questionsOf(c.Repo, exam)
	for _, run := range []struct {
		mode    hit.Mode
		name    string
		adapter *adapt.Adapter
	}{
		{hit.ModeAuto, "none", nil},
		{hit.ModeSemantic, "none", nil},
		{hit.ModeSemantic, "learned", exam.Adapter},
		{hit.ModeSemantic, "shuffled", exam.Control},
	} {
		s.Adapter = run.adapter
		answers := make([]Answer, len(questions))
		for i := range questions {
			a, err := answerBy(ctx, s, &questions[i], run.mode, models)
			if err != nil {
				return fmt.Errorf("ask %s: %w", questions[i].ID, err)
			}
			answers[i] = a
		}
		m := summarize(questions, answers).Means
		c.Runs = append(c.Runs, CommitsRun{run.mode, run.name, m.MRR, m.Recall})
	}
	return nil
}

func questionsOf(repo string, exam *learned.Exam) (all []Question) {
	for _, q := range exam.Questions {
		asked := Question{ID: q.Commit, Repo: repo, Query: q.Text}
		for _, path := range q.Files {
			asked.Targets = append(asked.Targets, Target{Path: path})
		}
		all = append(all, asked)
	}
	return all
}

// answerBy asks a question in one mode. One that is refused finds nothing.
func answerBy(ctx context.Context, s *store.Snapshot, q *Question, mode hit.Mode, models embedding.Models) (a Answer, err error) {
	a = Answer{Repo: q.Repo, ID: q.ID}
	compiled, err := search.Compile(hit.Request{Query: q.Query, Mode: mode, Limit: Depth, Detail: hit.DetailLocate})
	var res *hit.Result
	if err == nil {
		res, err = compiled.Run(ctx, []*store.Snapshot{s}, models)
	}
	var refused *usage.Error
	if errors.As(err, &refused) {
		a.Error = err.Error()
		return a, nil
	}
	if err != nil {
		return a, err
	}
	for i := range res.Hits {
		a.Results = append(a.Results, Result{Path: res.Hits[i].Path})
	}
	return a, nil
}

// Text returns the figures for a terminal.
func (c *Commits) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: the messages of %d commits ask for the files that they changed; adapters are fitted to %d commits before them\n", c.Repo, c.Questions, c.Fitted)
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "mode\tadapter\tRecall@10\tMRR")
	for _, r := range c.Runs {
		fmt.Fprintf(w, "%s\t%s\t%.3f\t%.3f\n", r.Mode, r.Adapter, r.Recall, r.MRR)
	}
	w.Flush()
	return b.String()
}

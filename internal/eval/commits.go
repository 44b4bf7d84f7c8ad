package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"espy/internal/embedding"
	"espy/internal/embedding/adapt"
	"espy/internal/git"
	"espy/internal/hit"
	"espy/internal/lately"
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
	Work    string   `json:"work"`    // what is said of the work at hand: nothing, the files of the commit before, how lately or how often files were changed
	MRR     float64  `json:"mrr"`
	Recall  float64  `json:"recall10"`
}

// AskCommits brings the index of a repository up to date, learns from its commits
// and asks the newest of those that count. A repository with too few is refused by
// a *usage.Error.
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
	if err := r.Learn(ctx); err != nil {
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
	err = segment.Guard(func() error { return c.ask(ctx, s, exam, models, worksOf(exam, commits)) })
	return c, err
}

// ask asks the questions in each way.
func (c *Commits) ask(ctx context.Context, s *store.Snapshot, exam *learned.Exam, models embedding.Models, works []works) error {
	questions := questionsOf(c.Repo, exam)
	for _, run := range []struct {
		mode    hit.Mode
		name    string
		adapter *adapt.Adapter
		work    string
	}{
		{hit.ModeAuto, "none", nil, nothing},
		{hit.ModeSemantic, "none", nil, nothing},
		{hit.ModeSemantic, "learned", exam.Adapter, nothing},
		{hit.ModeSemantic, "shuffled", exam.Control, nothing},
		{hit.ModeAuto, "none", nil, workingSet},
		{hit.ModeAuto, "none", nil, recency},
		{hit.ModeAuto, "none", nil, churn},
	} {
		s.Adapter = run.adapter
		answers := make([]Answer, len(questions))
		for i := range questions {
			a, err := answerBy(ctx, s, &questions[i], hit.Request{Mode: run.mode, Work: works[i][run.work]}, models)
			if err != nil {
				return fmt.Errorf("ask %s: %w", questions[i].ID, err)
			}
			answers[i] = a
		}
		m := summarize(questions, answers).Means
		c.Runs = append(c.Runs, CommitsRun{run.mode, run.name, run.work, m.MRR, m.Recall})
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

// What is said of the work that a commit was part of.
const (
	nothing    = "none"
	workingSet = "files of the commit before"
	recency    = "recency"
	churn      = "churn"
)

// works are what may be said of the work of one commit.
type works map[string]hit.Work

// commitsBefore is how many commits before one say how lately files were changed,
// and how often.
const commitsBefore = 100

// worksOf returns what the commits before each question say of its work. Commits
// stand the newest first.
func worksOf(exam *learned.Exam, commits []git.Changed) (all []works) {
	for _, q := range exam.Questions {
		i := slices.IndexFunc(commits, func(c git.Changed) bool { return c.ID == q.Commit })
		before := commits[i+1:]
		var late hit.Work
		lately.Weigh(before[:min(len(before), commitsBefore)], &late)
		w := works{recency: {Recent: late.Recent}, churn: {Churn: late.Churn}}
		if len(before) > 0 {
			var set hit.Work
			for _, e := range before[0].Entries {
				set.Files = append(set.Files, e.Path)
			}
			w[workingSet] = set
		}
		all = append(all, w)
	}
	return all
}

// answerBy asks a question in the mode of a request. One that is refused finds
// nothing.
func answerBy(ctx context.Context, s *store.Snapshot, q *Question, req hit.Request, models embedding.Models) (a Answer, err error) {
	a = Answer{Repo: q.Repo, ID: q.ID}
	req.Query, req.Limit, req.Detail = q.Query, Depth, hit.DetailLocate
	res, err := search.Search(ctx, []*store.Snapshot{s}, req, search.Means{Models: models})
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
	fmt.Fprintln(w, "mode\tadapter\twork at hand\tRecall@10\tMRR")
	for _, r := range c.Runs {
		fmt.Fprintf(w, "%s\t%s\t%s\t%.3f\t%.3f\n", r.Mode, r.Adapter, r.Work, r.Recall, r.MRR)
	}
	w.Flush()
	return b.String()
}

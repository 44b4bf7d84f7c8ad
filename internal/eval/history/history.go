// Package history measures whether the message of a commit leads to the files that it
// changed. The questions are those that eval.History lays out: all of a repository over
// one tree, that before the oldest of its commits, and each over the tree just before
// its own commit, as people ask.
package history

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"espy/internal/eval"
	"espy/internal/ranked/report"
	"espy/internal/usage"
)

// Options say what is asked.
type Options struct {
	eval.Options     // Corpora holds a tree of each repository, with its commits
	Before       int // questions of each repository, the newest, that are asked before their commit as well
}

// Report is the outcome of a run. Questions are messages that are no reports.
type Report struct {
	Questions Figures `json:"questions"`
	Reports   Figures `json:"reports"`
	Newest    int     `json:"newest"` // of each repository at most, that Figures.Before is of; 0 if none
}

// Figures are what some questions give.
type Figures struct {
	Tree   *eval.Summary `json:"tree"`             // over the tree before all commits
	BM25   *eval.Summary `json:"bm25"`             // over the same
	Before *eval.Summary `json:"before,omitempty"` // over the tree before the commit
}

// Measure asks the questions.
func Measure(ctx context.Context, o Options) (*Report, error) {
	for _, q := range o.Questions {
		if _, err := os.Stat(filepath.Join(o.Corpora, q.Repo, ".git")); err != nil {
			return nil, &usage.Error{Msg: "the tree of " + q.Repo + " lacks its commits", Hint: "lay the questions out anew, into another --out"}
		}
	}
	tree := o.Options
	tree.Compared = true
	base, err := eval.Evaluate(ctx, tree)
	if err != nil {
		return nil, err
	}
	rep := &Report{Newest: o.Before}
	rep.Questions.Tree, rep.Questions.BM25 = figures(base, false)
	rep.Reports.Tree, rep.Reports.BM25 = figures(base, true)
	before := o.Options
	before.At, before.Questions = eval.Before, newest(o.Questions, o.Before)
	if len(before.Questions) == 0 {
		return rep, nil
	}
	run, err := eval.Evaluate(ctx, before)
	if err != nil {
		return nil, err
	}
	rep.Questions.Before, _ = figures(run, false)
	rep.Reports.Before, _ = figures(run, true)
	return rep, nil
}

// newest returns the first n questions of each repository, which are those of its newest
// commits.
func newest(questions []eval.Question, n int) (all []eval.Question) {
	of := map[string]int{}
	for _, q := range questions {
		if of[q.Repo] < n {
			of[q.Repo]++
			all = append(all, q)
		}
	}
	return all
}

// figures grades the questions of a run that are reports, or those that are none.
func figures(run *eval.Run, reports bool) (espy, bm25 *eval.Summary) {
	part := &eval.Run{Mode: run.Mode}
	for i, q := range run.Questions {
		if report.Is(q.Query) != reports {
			continue
		}
		part.Questions, part.Answers = append(part.Questions, q), append(part.Answers, run.Answers[i])
		if run.BM25 != nil {
			part.BM25 = append(part.BM25, run.BM25[i])
		}
	}
	return part.Summary(), part.SummaryBM25()
}

// Title is the heading of the part of the page on quality.
const Title = "History"

// Table returns the report as Markdown.
func (rep *Report) Table() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Written by `espy eval history`. The message of a commit asks for the one to five source files that it changed, none of which it")
	line("names, in mode auto with %d results. *One tree*: all questions of a repository over the tree before the oldest of its commits, with", eval.Depth)
	line("the commits up to there. *Before*: each over the tree just before its commit, with the commits up to there, as people ask%s.", rep.which())
	line("*Reports*: messages of 40 words or more, or of four lines with 16. Figures are means over repositories of the means over their")
	line("questions. Those that are no reports are among what the weights were fitted to; [ranking.md](ranking.md) has them cross-validated.")
	line("")
	line("| asked over | questions | NDCG@10 | Recall@10 | MRR | right file first |")
	line("|---|---|---|---|---|---|")
	for _, part := range []struct {
		name string
		*Figures
	}{{"", &rep.Questions}, {"reports, ", &rep.Reports}} {
		for _, asked := range []struct {
			name string
			sum  *eval.Summary
		}{{"one tree", part.Tree}, {"one tree, BM25 over chunks", part.BM25}, {"before", part.Before}} {
			if asked.sum != nil && asked.sum.Questions > 0 {
				line("| %s%s | %d |%s", part.name, asked.name, asked.sum.Questions, asked.sum.Cells())
			}
		}
	}
	rep.rows(line)
	return b.String()
}

// which says which questions were asked before their commit.
func (rep *Report) which() string {
	if rep.Newest == 0 {
		return " (not asked)"
	}
	return fmt.Sprintf("; at most %d of a repository, the newest", rep.Newest)
}

// rows writes the figures of each repository.
func (rep *Report) rows(line func(format string, args ...any)) {
	head, rule, before := "", "", map[string]string{}
	if s := rep.Questions.Before; s != nil {
		head, rule = " before NDCG@10 | Recall@10 | MRR | right file first |", "---|---|---|---|"
		for _, r := range s.ByRepo {
			before[r.Name] = r.Cells()
		}
	}
	line("\nWithout reports, by repository:\n")
	line("| repository | questions | one tree NDCG@10 | Recall@10 | MRR | right file first |%s", head)
	line("|---|---|---|---|---|---|%s", rule)
	for _, r := range rep.Questions.Tree.ByRepo {
		line("| %s | %d |%s%s", r.Name, r.Questions, r.Cells(), before[r.Name])
	}
}

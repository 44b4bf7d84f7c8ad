// Package misplaced measures whether an answer says that nothing is about a question:
// each question of a set is asked of its own repository, where it must not, and of
// repositories in other languages, where it should.
package misplaced

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"espy/internal/code"
	"espy/internal/eval"
	"espy/internal/hit"
	"espy/internal/search"
	"espy/internal/store"
	"espy/internal/workspace"
)

// Options say what is asked of what.
type Options struct {
	Questions []eval.Question
	Corpora   string // the folder with one folder per repository, named like it
	Others    int    // repositories in other languages that each question is asked of
}

// Report is the outcome of a run. A question is found where a target is among the
// first ten results, and refused where the answer says that nothing is about it, or
// has no result.
type Report struct {
	Found     int      `json:"found"`
	Lost      []string `json:"lost"` // found questions that are refused
	Elsewhere int      `json:"elsewhere"`
	Refused   int      `json:"refused"`  // of Elsewhere
	Absent    int      `json:"absent"`   // of Elsewhere those that were read: the repository has nothing of what is asked for
	Denied    int      `json:"denied"`   // of Absent
	Present   int      `json:"present"`  // of Elsewhere those that were read: the repository has what is asked for as well
	Answered  int      `json:"answered"` // of Present
}

// Measure asks every question.
func Measure(ctx context.Context, w *workspace.Workspace, o Options) (*Report, error) {
	asked := deal(o.Questions, o.Others)
	rep := &Report{}
	for _, repo := range asked {
		if err := rep.repository(ctx, w, filepath.Join(o.Corpora, repo.name), repo); err != nil {
			return nil, fmt.Errorf("ask %s: %w", repo.name, err)
		}
	}
	return rep, nil
}

// repository is what one repository is asked.
type repository struct {
	name       string
	language   string
	own, other []*eval.Question
}

// deal returns the repositories by name, with their questions and those of others:
// the i-th question goes to the repositories in other languages from the i-th on.
func deal(questions []eval.Question, others int) []*repository {
	var all []*repository
	known := map[string]*repository{}
	for i := range questions {
		q := &questions[i]
		if known[q.Repo] == nil {
			known[q.Repo] = &repository{name: q.Repo, language: q.Language}
			all = append(all, known[q.Repo])
		}
		known[q.Repo].own = append(known[q.Repo].own, q)
	}
	for i := range questions {
		q := &questions[i]
		for k, left := 0, others; k < len(all) && left > 0; k++ {
			if r := all[(i+k)%len(all)]; r.language != q.Language {
				r.other = append(r.other, q)
				left--
			}
		}
	}
	return all
}

// repository asks one repository.
func (rep *Report) repository(ctx context.Context, w *workspace.Workspace, folder string, asked *repository) error {
	r, err := w.Attach(ctx, folder, workspace.AttachOptions{Name: asked.name, Exact: true})
	if err != nil {
		return err
	}
	if _, err := r.Index(ctx, workspace.IndexOptions{}); err != nil {
		return err
	}
	snap, err := r.Snapshot(ctx, workspace.Wait{})
	if err != nil {
		return err
	}
	defer snap.Close()
	for _, q := range asked.own {
		res, err := ask(ctx, r, snap, q)
		if err != nil {
			return err
		}
		if !holds(res.Hits, q.Targets) {
			continue
		}
		if rep.Found++; res.Foreign != "" {
			rep.Lost = append(rep.Lost, q.ID)
		}
	}
	known := read()
	for _, q := range asked.other {
		res, err := ask(ctx, r, snap, q)
		if err != nil {
			return err
		}
		refused := 0
		if res.Foreign != "" || len(res.Hits) == 0 {
			refused = 1
		}
		rep.Elsewhere, rep.Refused = rep.Elsewhere+1, rep.Refused+refused
		switch present, wasRead := known[pairing{q.ID, asked.name}]; {
		case present:
			rep.Present, rep.Answered = rep.Present+1, rep.Answered+1-refused
		case wasRead:
			rep.Absent, rep.Denied = rep.Absent+1, rep.Denied+refused
		}
	}
	return nil
}

func ask(ctx context.Context, r *workspace.Repo, snap *store.Snapshot, q *eval.Question) (*hit.Result, error) {
	res, err := search.Search(ctx, []*store.Snapshot{snap}, hit.Request{
		Query: q.Query, Limit: eval.Depth, Detail: hit.DetailLocate, Scope: code.ScopeAll,
	}, search.Means{Models: r.Models()})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.ID, err)
	}
	return res, nil
}

// holds reports whether a hit holds a target.
func holds(hits []hit.Hit, targets []eval.Target) bool {
	var results []eval.Result
	for i := range hits {
		results = append(results, eval.Result{Path: hits[i].Path, StartLine: hits[i].StartLine, EndLine: hits[i].EndLine})
	}
	return slices.ContainsFunc(eval.Ranks(results, targets), func(r int) bool { return r > 0 })
}

// Title is the heading of the part of the page on quality.
const Title = "Saying no"

// Page returns the report as a section of the page on quality.
func (rep *Report) Page() string {
	return "Written by `espy eval misplaced`. Each question is asked of its own repository, and of others in other languages. Found: a target is among\n" +
		"the first ten results. An answer says that nothing is about a question, or has no result: of the first none should, of the others all.\n" +
		"Some of the others ask for what that repository has as well: 300 were drawn and read (internal/eval/misplaced/read.txt). Right of these\n" +
		"is what is denied where it is not there, and what is answered where it is.\n\n" + rep.Table()
}

// Table returns the report as Markdown.
func (rep *Report) Table() string {
	share := func(n, all int) float64 { return 100 * float64(n) / float64(max(all, 1)) }
	table := fmt.Sprintf("| questions | asked | nothing is about it | share |\n|---|---|---|---|\n| found where they belong | %d | %d | %.1f %% |\n| asked of another repository | %d | %d | %.1f %% |\n",
		rep.Found, len(rep.Lost), share(len(rep.Lost), rep.Found), rep.Elsewhere, rep.Refused, share(rep.Refused, rep.Elsewhere))
	if read, right := rep.Absent+rep.Present, rep.Denied+rep.Answered; read > 0 {
		table += fmt.Sprintf("| of these read to ask for what it does not have | %d | %d | %.1f %% |\n| read to ask for what it has as well | %d | %d | %.1f %% |\n",
			rep.Absent, rep.Denied, share(rep.Denied, rep.Absent), rep.Present, rep.Present-rep.Answered, share(rep.Present-rep.Answered, rep.Present))
		table += fmt.Sprintf("\nRight of the %d that were read: %d (%.1f %%).\n", read, right, share(right, read))
	}
	return table
}

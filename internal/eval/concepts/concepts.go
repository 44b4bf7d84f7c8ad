// Package concepts measures ranked search by questions that say what code does, not what
// it is called, as people ask who know a concept alone. The questions of the project are
// in questions.jsonl, the repositories that they are about, with the revisions, in
// repos.json.
package concepts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/eval"
	"espy/internal/git"
	"espy/internal/hit"
	"espy/internal/usage"
)

// Report is the outcome of a run: what the same questions give by three ways to search.
type Report struct {
	Ranked  *eval.Summary `json:"ranked"`  // mode auto, as people ask
	Meaning *eval.Summary `json:"meaning"` // mode semantic
	BM25    *eval.Summary `json:"bm25"`    // BM25 over chunks
}

// Measure asks the questions. Each repository must be at the revision that Repos has.
func Measure(ctx context.Context, o eval.Options) (*Report, error) {
	for _, q := range o.Questions {
		if !slices.ContainsFunc(o.Repos, func(r eval.Repository) bool { return r.Name == q.Repo }) {
			return nil, &usage.Error{Msg: "no revision is given of " + q.Repo, Hint: "list it in repos.json beside the questions"}
		}
	}
	for _, r := range Asked(&o) {
		if err := check(o.Corpora, &r); err != nil {
			return nil, err
		}
	}
	o.Compared = true
	ranked, err := eval.Evaluate(ctx, o)
	if err != nil {
		return nil, err
	}
	o.Compared, o.Search = false, hit.ModeSemantic
	meaning, err := eval.Evaluate(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Report{Ranked: ranked.Summary(), Meaning: meaning.Summary(), BM25: ranked.SummaryBM25()}, nil
}

// Asked returns the repositories of the list that questions are about.
func Asked(o *eval.Options) []eval.Repository {
	return slices.DeleteFunc(slices.Clone(o.Repos), func(r eval.Repository) bool {
		return !slices.ContainsFunc(o.Questions, func(q eval.Question) bool { return q.Repo == r.Name })
	})
}

// check reports a repository at another revision than the list has.
func check(corpora string, r *eval.Repository) error {
	root, err := os.OpenRoot(filepath.Join(corpora, r.Name))
	if os.IsNotExist(err) {
		return nil // which eval.Evaluate says of all that are missing
	}
	if err != nil {
		return err
	}
	defer root.Close()
	if commit, _ := git.Head(root); commit != r.Revision {
		return &usage.Error{Msg: root.Name() + " is not at revision " + r.Revision, Hint: "check that out, or remove the folder and let --mirrors lay it out"}
	}
	return nil
}

// Title is the heading of the part of the page on quality.
const Title = "Questions that name no file"

// Table returns the report as Markdown.
func (rep *Report) Table() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Written by `espy eval concepts`. Most of %d questions about %d repositories say what code does, not what it is called, as people ask who know", rep.Ranked.Questions, rep.Ranked.Repos)
	line("a concept alone, in mode auto with %d results. Figures are means over repositories of the means over their questions. How the questions", eval.Depth)
	line("were written, and what they led to, stands in [ranking.md](ranking.md#questions-that-name-no-file). Out of reach: %d questions refused,", rep.Ranked.Refused)
	line("%d targets not in the index.", rep.Ranked.Absent)
	line("")
	line("| | NDCG@10 | Recall@10 | MRR | right file first |")
	line("|---|---|---|---|---|")
	line("| Espy |%s", rep.Ranked.Cells())
	line("| by meaning alone, with the built-in model |%s", rep.Meaning.Cells())
	line("| BM25 over chunks |%s", rep.BM25.Cells())
	line("")
	line("| repository | questions | NDCG@10 | Recall@10 | MRR | right file first | by meaning alone, NDCG@10 | BM25, NDCG@10 |")
	line("|---|---|---|---|---|---|---|---|")
	for i, r := range rep.Ranked.ByRepo {
		line("| %s | %d |%s %.3f | %.3f |", r.Name, r.Questions, r.Cells(), rep.Meaning.ByRepo[i].NDCG, rep.BM25.ByRepo[i].NDCG)
	}
	return b.String()
}

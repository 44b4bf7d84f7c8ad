package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"espy/internal/eval"
	"espy/internal/eval/concepts"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

func (p *program) evalConceptsCommand() *cobra.Command {
	f := evalFlags{limit: eval.Depth}
	var mirrors string
	cmd := &cobra.Command{
		Use:   "concepts",
		Short: "Measure ranked search by questions that say what code does",
		Long: `Asks questions that say what code does, not what it is called, of repositories at the
revisions that the questions were written for: as people ask, by meaning alone, and of
BM25 over chunks.

The list of repositories, repos.json beside the questions, says the name, repository
(owner/name) and revision of each. One that the folder of --corpora lacks is laid out
there from its git folder, which is owner+name below --mirrors, or repo in there
(git clone --mirror).`,
		Example: `  espy eval concepts --questions internal/eval/concepts/questions.jsonl --corpora ~/corpora
  espy eval concepts --questions internal/eval/concepts/questions.jsonl --corpora ~/corpora --mirrors ~/mirrors --report docs/quality.md`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.evalConcepts(cmd.Context(), &f, mirrors)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&f.questions, "questions", "", "`file` of questions, one JSON object a line")
	cmd.Flags().StringVar(&f.corpora, "corpora", "", "`folder` with one folder per repository, named like it")
	cmd.Flags().StringVar(&mirrors, "mirrors", "", "`folder` with the git folder of each repository")
	cmd.Flags().StringVar(&f.report, "report", "", "write the figures into this `page` in Markdown, as a section of it")
	cmd.Flags().StringVar(&f.indexes, "indexes", "", "`folder` to keep the indexes in (default: a temporary one)")
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) evalConcepts(ctx context.Context, f *evalFlags, mirrors string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	for _, r := range concepts.Asked(&o) {
		h := eval.History{Name: r.Name, GitDir: mirrorOf(mirrors, r.Repository), Tree: filepath.Join(o.Corpora, r.Name)}
		if mirrors == "" || isFolder(h.Tree) {
			continue
		}
		if !isFolder(h.GitDir) {
			return &usage.Error{Msg: "no git folder of " + r.Repository + " in " + mirrors, Hint: "git clone --mirror puts it into " + h.GitDir}
		}
		p.log.Info("lay out", "repo", r.Name)
		if _, err := h.LayOut(ctx, r.Revision); err != nil {
			return fmt.Errorf("lay out revision %s: %w", r.Revision, err)
		}
	}
	return p.withEval(&o, func() error {
		rep, err := concepts.Measure(ctx, o)
		if err == nil && f.report != "" {
			err = writeSection(f.report, concepts.Title, rep.Table())
		}
		return p.printReport(rep, err)
	})
}

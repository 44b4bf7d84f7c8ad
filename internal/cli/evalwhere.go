package cli

import (
	"errors"
	"os"

	"espy/internal/eval"
	"espy/internal/eval/kconfig"
	"espy/internal/eval/misplaced"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) evalMisplacedCommand() *cobra.Command {
	var questions, corpora, indexes, report string
	var others int
	cmd := &cobra.Command{
		Use:   "misplaced",
		Short: "Measure whether answers say that nothing is about a question",
		Long: `Asks each question of a set of its own repository and of some in other languages,
and counts the answers that say that nothing is about it: of the questions that are
found they should be none, of the others all.`,
		Example: `  espy eval misplaced --questions questions.jsonl --corpora ~/corpora
  espy eval misplaced --questions questions.jsonl --corpora ~/corpora --report docs/quality.md`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := eval.ReadQuestions(questions)
			if err != nil {
				return err
			}
			return p.withIndexes(indexes, func(w *workspace.Workspace) error {
				rep, err := misplaced.Measure(cmd.Context(), w, misplaced.Options{Questions: all, Corpora: corpora, Others: others})
				if err == nil && report != "" {
					err = writeSection(report, misplaced.Title, rep.Page())
				}
				return p.printReport(rep, err)
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&questions, "questions", "", "`file` of questions, one JSON object a line")
	cmd.Flags().StringVar(&corpora, "corpora", "", "`folder` with one folder per repository, named like it")
	cmd.Flags().IntVar(&others, "others", 2, "ask each question of `n` repositories in other languages")
	cmd.Flags().StringVar(&report, "report", "", "write the figures into this `page` in Markdown, as a section of it")
	cmd.Flags().StringVar(&indexes, "indexes", "", "`folder` to keep the indexes in (default: a temporary one)")
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) evalKconfigCommand() *cobra.Command {
	var indexes, report string
	var most int
	cmd := &cobra.Command{
		Use:   "kconfig TREE",
		Short: "Measure ranked search in a tree of the Linux kernel",
		Long: `Asks the help text of each option of a kernel for the C file that the option builds.
Texts that name the file are left out, and so is the half that is kept back. The same is
asked of SQLite's FTS5, by BM25 over whole files, in a table that is removed at the end.`,
		Example: `  espy eval kconfig ~/linux --limit 300
  espy eval kconfig ~/linux --report docs/quality.md`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			questions, err := kconfig.Questions(args[0])
			if err != nil {
				return err
			}
			if len(questions) == 0 {
				return &usage.Error{Msg: args[0] + " has no Kconfig file whose options build one C file", Hint: "name the folder of a kernel's source"}
			}
			return p.withIndexes(indexes, func(w *workspace.Workspace) error {
				rep, err := kconfig.Measure(cmd.Context(), w, kconfig.Options{
					Tree: args[0], Questions: questions, Limit: most,
					Progress: func(doing string, done, total int) {
						p.log.Info("evaluate", "doing", doing, "done", done, "total", total)
					},
				})
				if err == nil && report != "" {
					err = writeSection(report, kconfig.Title, rep.Page())
				}
				return p.printReport(rep, err)
			})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().IntVarP(&most, "limit", "n", 300, "ask the first `n` questions")
	cmd.Flags().StringVar(&report, "report", "", "write the figures into this `page` in Markdown, as a section of it")
	cmd.Flags().StringVar(&indexes, "indexes", "", "`folder` to keep the indexes in (default: a temporary one)")
	p.jsonFlag(cmd)
	return cmd
}

// withIndexes runs f with a workspace whose indexes are in a folder, "" a temporary one.
func (p *program) withIndexes(folder string, f func(*workspace.Workspace) error) (err error) {
	if p.cfg.DataDir = folder; folder == "" {
		if p.cfg.DataDir, err = os.MkdirTemp("", "espy-eval-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(p.cfg.DataDir)) }()
	}
	return p.withWorkspace(f)
}

// printReport prints a report as a table, or as JSON.
func (p *program) printReport(rep interface{ Table() string }, err error) error {
	switch {
	case err != nil:
		return err
	case p.json:
		return p.printJSON(rep)
	}
	return p.print(rep.Table())
}

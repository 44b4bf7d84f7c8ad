package cli

import (
	"context"
	"errors"
	"io"
	"os"

	"espy/internal/eval"
	"espy/internal/eval/packing"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// packingFlags are the flags of espy eval packing.
type packingFlags struct {
	questions, corpora, indexes, report string
}

func (p *program) evalPackingCommand() *cobra.Command {
	var f packingFlags
	cmd := &cobra.Command{
		Use:   "packing",
		Short: "Measure what context holds within a number of tokens",
		Long: `Asks each question of a set with context, and with search followed by read, within
the same number of tokens, and counts the questions of which the answer shows at
least half of the lines.`,
		Example: `  espy eval packing --questions questions.jsonl --corpora ~/corpora`,
		Args:    atMost(0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.evalPacking(cmd.Context(), &f) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&f.questions, "questions", "", "`file` of questions, one JSON object a line")
	cmd.Flags().StringVar(&f.corpora, "corpora", "", "`folder` with one folder per repository, named like it")
	cmd.Flags().StringVar(&f.indexes, "indexes", "", "`folder` to keep the indexes in (default: a temporary one)")
	cmd.Flags().StringVar(&f.report, "report", "", "`file` to write the table to")
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) evalPacking(ctx context.Context, f *packingFlags) (err error) {
	questions, err := eval.ReadQuestions(f.questions)
	if err != nil {
		return err
	}
	if p.cfg.DataDir = f.indexes; f.indexes == "" {
		if p.cfg.DataDir, err = os.MkdirTemp("", "espy-eval-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(p.cfg.DataDir)) }()
	}
	var rep *packing.Report
	if err := p.withWorkspace(func(w *workspace.Workspace) (err error) {
		rep, err = packing.Measure(ctx, w, packing.Options{Questions: questions, Corpora: f.corpora})
		return err
	}); err != nil {
		return err
	}
	if f.report != "" {
		if err := writeFile(f.report, func(w io.Writer) error { _, err := io.WriteString(w, rep.Table()); return err }); err != nil {
			return err
		}
	}
	if p.json {
		return p.printJSON(rep)
	}
	return p.print(rep.Table())
}

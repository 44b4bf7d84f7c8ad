package cli

import (
	"context"
	"fmt"
	"os"

	"espy/internal/embedding/learn"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

// embeddingFlags are the flags of espy eval embedding.
type embeddingFlags struct {
	sources, table, report string
}

// evalEmbeddingCommand makes the table of the built-in embedding. It is hidden,
// since it is for developers only.
func (p *program) evalEmbeddingCommand() *cobra.Command {
	var f embeddingFlags
	cmd := &cobra.Command{
		Use:   "embedding --sources DIR --table FILE --report FILE",
		Short: "Make the table of the built-in embedding out of comments",
		Long: `Learns which terms mean the same from comments and the code that they stand on,
in the sources that scripts/embedding-sources lays out. The same sources give
the same table. The program uses it when it is built again.`,
		Example: `  espy eval embedding --sources sources --table internal/embedding/static/table.bin --report docs/embedding.md`,
		Hidden:  true,
		Args:    atMost(0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.evalEmbedding(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.sources, "sources", "", "`folder` that scripts/embedding-sources filled")
	flags.StringVar(&f.table, "table", "", "write the table to this `file`")
	flags.StringVar(&f.report, "report", "", "write what it was learned from to this `file`")
	return cmd
}

func (p *program) evalEmbedding(ctx context.Context, f *embeddingFlags) error {
	if f.sources == "" || f.table == "" || f.report == "" {
		return &usage.Error{Msg: "embedding needs --sources, --table and --report", Hint: "see espy eval embedding --help"}
	}
	made, err := learn.Table(ctx, f.sources, learn.Defaults, func(what string) { p.log.Info("learn", "done", what) })
	if err != nil {
		return err
	}
	if err := os.WriteFile(f.table, made.Table, 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(f.report, []byte(made.Report), 0o644); err != nil {
		return err
	}
	return p.print(fmt.Sprintf("wrote %s, %d bytes, and %s\n", f.table, len(made.Table), f.report))
}

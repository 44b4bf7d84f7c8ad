package cli

import (
	"context"
	"fmt"
	"io"

	"espy/internal/eval"

	"github.com/spf13/cobra"
)

// evalHistoryCommand makes questions for training; it is no part of everyday
// use, so the help leaves it out.
func (p *program) evalHistoryCommand() *cobra.Command {
	var h eval.History
	var out string
	cmd := &cobra.Command{
		Use:   "history --git-dir DIR --name NAME --commit ID --tree DIR --out FILE",
		Short: "Make questions out of the commits of a repository",
		Long: `Makes a question of each commit whose message describes a change of one to five
source files without naming them; those files are its targets. The tree before
the oldest of these commits is laid out in the folder of --tree, so that the
index never holds what a commit added. No more than reading is asked of git.`,
		Example: `  espy eval history --git-dir api.git --name api --commit 1f0c... --tree corpora/api --out api.jsonl
  espy eval --questions api.jsonl --corpora corpora`,
		Hidden: true,
		Args:   atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.evalHistory(cmd.Context(), h, out)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&h.GitDir, "git-dir", "", "git `folder` of the repository")
	flags.StringVar(&h.Name, "name", "", "`name` of the repository in the questions")
	flags.StringVar(&h.Language, "language", "", "its `language` in the questions")
	flags.StringVar(&h.Commit, "commit", "", "newest commit to look at, as a whole `id`")
	flags.StringVar(&h.Tree, "tree", "", "`folder` to lay the tree out in, which must not exist")
	flags.IntVar(&h.Limit, "limit", 40, "stop at `n` questions")
	flags.StringVar(&out, "out", "", "write the questions to this `file`")
	return cmd
}

func (p *program) evalHistory(ctx context.Context, h eval.History, out string) error {
	if h.GitDir == "" || h.Name == "" || h.Commit == "" || h.Tree == "" || out == "" {
		return &hinted{msg: "history needs --git-dir, --name, --commit, --tree and --out", hint: "see espy eval history --help"}
	}
	questions, base, err := h.Questions(ctx)
	if err != nil {
		return err
	}
	files, err := h.LayOut(ctx, base)
	if err != nil {
		return err
	}
	if err := writeFile(out, func(w io.Writer) error { return eval.WriteLines(w, questions) }); err != nil {
		return err
	}
	return p.print(fmt.Sprintf("%s: %d questions, %d files of commit %s", h.Name, len(questions), files, base))
}

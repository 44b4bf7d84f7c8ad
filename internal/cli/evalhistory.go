package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"espy/internal/eval"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

// historyFlags are the flags of espy eval history.
type historyFlags struct {
	list, mirrors, out string
	limit              int
}

// evalHistoryCommand makes questions for training. It is hidden, since it is for
// developers only.
func (p *program) evalHistoryCommand() *cobra.Command {
	var f historyFlags
	cmd := &cobra.Command{
		Use:   "history --repos FILE --mirrors DIR --out DIR",
		Short: "Make questions out of the commits of repositories",
		Long: `Makes a question of each commit whose message describes a change of one to five
source files without naming them; those files are its targets. The tree before
the oldest of these commits is laid out, so that the index never holds what a
commit added. The same list and the same commits give the same files.

The list says the name, repository (owner/name), revision (the newest commit to
look at) and language of each. Its git folder is owner+name below --mirrors, or
repo in there (git clone --mirror). No more than reading is asked of git. The
folder of --out gets questions.jsonl and trees, as espy eval train takes them.`,
		Example: `  espy eval history --repos internal/eval/train/history-repos.json --mirrors mirrors --out history
  espy eval --questions history/questions.jsonl --corpora history/trees --baselines`,
		Hidden: true,
		Args:   atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.evalHistory(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.list, "repos", "", "`file` that lists the repositories")
	flags.StringVar(&f.mirrors, "mirrors", "", "`folder` with the git folder of each repository")
	flags.StringVar(&f.out, "out", "", "`folder` for the questions and the trees, none of which may exist")
	flags.IntVar(&f.limit, "limit", 50, "stop at `n` questions of a repository")
	return cmd
}

func (p *program) evalHistory(ctx context.Context, f *historyFlags) error {
	if f.list == "" || f.mirrors == "" || f.out == "" {
		return &usage.Error{Msg: "history needs --repos, --mirrors and --out", Hint: "see espy eval history --help"}
	}
	repos, err := eval.ReadRepositories(f.list)
	if err != nil {
		return err
	}
	var all []eval.Question
	for i := range repos {
		questions, err := p.historyOf(ctx, f, &repos[i])
		if err != nil {
			return err
		}
		all = append(all, questions...)
	}
	return writeFile(filepath.Join(f.out, "questions.jsonl"), func(w io.Writer) error { return eval.WriteLines(w, all) })
}

// historyOf checks out the tree of a repository and returns its questions.
func (p *program) historyOf(ctx context.Context, f *historyFlags, r *eval.Repository) ([]eval.Question, error) {
	h := eval.History{
		Name: r.Name, Language: r.Language, Commit: r.Revision, Limit: f.limit,
		GitDir: mirrorOf(f.mirrors, r.Repository), Tree: filepath.Join(f.out, "trees", r.Name),
	}
	questions, base, err := h.Questions(ctx)
	if err != nil {
		return nil, err
	}
	files, err := h.LayOut(ctx, base)
	if err != nil {
		return nil, err
	}
	return questions, p.print(fmt.Sprintf("%s: %d questions, %d files of commit %s\n", h.Name, len(questions), files, base))
}

// mirrorOf returns the git folder of owner/name.
func mirrorOf(mirrors, repository string) string {
	dir := filepath.Join(mirrors, strings.ReplaceAll(repository, "/", "+"))
	if inner := filepath.Join(dir, "repo"); isFolder(inner) {
		return inner
	}
	return dir
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

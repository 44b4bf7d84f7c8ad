package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"espy/internal/eval"
	"espy/internal/eval/history"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

// historyFlags are the flags of espy eval history.
type historyFlags struct {
	list, mirrors, out, indexes, report string
	limit, before                       int
	layOut                              bool
}

func (p *program) evalHistoryCommand() *cobra.Command {
	var f historyFlags
	cmd := &cobra.Command{
		Use:   "history --out DIR [--repos FILE --mirrors DIR]",
		Short: "Measure whether the message of a commit leads to what it changed",
		Long: `Makes a question of each commit whose message describes a change of one to five
source files without naming them; those files are its targets. The tree before
the oldest of these commits is laid out, so that the index never holds what a
commit added. Then all are asked over these trees, by Espy and by BM25 over chunks,
and with --before also over the tree just before each commit, as people ask.

The list says the name, repository (owner/name), revision (the newest commit to
look at) and language of each. Its git folder is owner+name below --mirrors, or
repo in there (git clone --mirror). No more than reading is asked of git. The same
list and the same commits give the same files: the folder of --out gets
questions.jsonl and trees, as espy eval train takes them. Where it has them
already, they are asked as they are.`,
		Example: `  espy eval history --repos internal/eval/train/history-repos.json --mirrors mirrors --out history
  espy eval history --out history --before 50 --report docs/quality.md`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.evalHistory(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.out, "out", "", "`folder` for the questions and the trees, or with them")
	flags.StringVar(&f.list, "repos", "", "`file` that lists the repositories")
	flags.StringVar(&f.mirrors, "mirrors", "", "`folder` with the git folder of each repository")
	flags.IntVar(&f.limit, "limit", 50, "lay out at most `n` questions of a repository")
	flags.BoolVar(&f.layOut, "lay-out", false, "lay out, and ask nothing")
	flags.IntVar(&f.before, "before", 0, "ask the newest `n` questions of each repository over the tree before their commit too")
	flags.StringVar(&f.report, "report", "", "write the figures into this `page` in Markdown, as a section of it")
	flags.StringVar(&f.indexes, "indexes", "", "`folder` to keep the indexes in (default: a temporary one)")
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) evalHistory(ctx context.Context, f *historyFlags) error {
	if f.out == "" {
		return &usage.Error{Msg: "history needs --out", Hint: "see espy eval history --help"}
	}
	questions, err := eval.ReadQuestions(f.questions())
	if errors.Is(err, fs.ErrNotExist) || f.layOut {
		questions, err = p.layOutHistory(ctx, f)
	}
	if err != nil || f.layOut {
		return err
	}
	o := history.Options{Before: f.before, Options: eval.Options{Questions: questions, Corpora: filepath.Join(f.out, "trees"), DataDir: f.indexes}}
	return p.withEval(&o.Options, func() error {
		rep, err := history.Measure(ctx, o)
		if err == nil && f.report != "" {
			err = writeSection(f.report, history.Title, rep.Table())
		}
		return p.printReport(rep, err)
	})
}

// questions is the file of the questions that are laid out.
func (f *historyFlags) questions() string { return filepath.Join(f.out, "questions.jsonl") }

// layOutHistory lays out the questions and trees of all repositories.
func (p *program) layOutHistory(ctx context.Context, f *historyFlags) ([]eval.Question, error) {
	if f.list == "" || f.mirrors == "" {
		return nil, &usage.Error{Msg: "to lay questions out in " + f.out + ", --repos and --mirrors are needed", Hint: "see espy eval history --help"}
	}
	repos, err := eval.ReadRepositories(f.list)
	if err != nil {
		return nil, err
	}
	var all []eval.Question
	for i := range repos {
		questions, err := p.historyOf(ctx, f, &repos[i])
		if err != nil {
			return nil, err
		}
		all = append(all, questions...)
	}
	return all, writeFile(f.questions(), func(w io.Writer) error { return eval.WriteLines(w, all) })
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
	if p.json {
		return questions, nil
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

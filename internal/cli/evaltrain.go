package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"espy/internal/eval"
	"espy/internal/eval/kconfig"
	"espy/internal/eval/train"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

// trainFlags are the flags of espy eval train.
type trainFlags struct {
	evalFlags
	history, trees, weights string
}

// evalTrainCommand fits the weights of ranking. It is hidden, since it is for
// developers only.
func (p *program) evalTrainCommand() *cobra.Command {
	f := trainFlags{evalFlags: evalFlags{limit: eval.Depth}}
	cmd := &cobra.Command{
		Use:   "train --questions FILE --corpora DIR --weights FILE --report FILE",
		Short: "Fit the weights of ranked search to questions",
		Long: `Fits the weights of ranked search to a set of questions, asked of the root and
of the whole of each repository, and to questions made from history: questions.jsonl
in the folder of --history, about the folders below its trees. The folders below
--trees are large trees of C, whose options are asked for the files that they build.
The same input gives the same weights. The program uses them when it is built again.

With --trees and without --questions the weights stay as they are, but for what vast
trees add to them.`,
		Example: `  espy eval train --questions questions.jsonl --corpora corpora --history history --trees trees --weights internal/rank/weights.txt --report docs/ranking.md`,
		Hidden:  true,
		Args:    atMost(0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.evalTrain(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.questions, "questions", "", "`file` of questions, with repos.json beside it")
	flags.StringVar(&f.corpora, "corpora", "", "`folder` with one folder per repository")
	flags.StringVar(&f.list, "repos", "", "`file` that lists the repositories (default: repos.json beside the questions)")
	flags.StringVar(&f.history, "history", "", "`folder` with questions.jsonl and trees")
	flags.StringVar(&f.trees, "trees", "", "`folder` of large trees of C that are built by options as Linux is")
	flags.StringVar(&f.weights, "weights", "", "write the weights to this `file`")
	flags.StringVar(&f.report, "report", "", "write what they are worth to this `file`")
	flags.StringVar(&f.indexes, "indexes", "", "keep the indexes in this `folder`")
	return cmd
}

func (p *program) evalTrain(ctx context.Context, f *trainFlags) (err error) {
	vast := f.questions == "" && f.trees != ""
	if f.weights == "" || f.report == "" && !vast {
		return &usage.Error{Msg: "train needs --weights and --report", Hint: "see espy eval train --help"}
	}
	var sets []train.Set
	if vast {
		sets, err = f.treeSets()
	} else {
		sets, err = f.sets()
	}
	if err != nil {
		return err
	}
	data := f.indexes
	if data == "" {
		if data, err = os.MkdirTemp("", "espy-train-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	}
	pool := p.evalParser()
	defer func() { err = errors.Join(err, pool.Close()) }()
	var lists []*train.List
	for _, s := range sets {
		p.log.Info("ask", "mode", s.Mode, "questions", len(s.Questions))
		s.DataDir = data
		if s.Mode != train.ModeTree { // words alone are asked, and the grammars of a large tree take long
			s.Parser = pool
		}
		more, err := train.Gather(ctx, s)
		if err != nil {
			return err
		}
		lists = append(lists, more...)
	}
	if vast {
		return os.WriteFile(f.weights, []byte(train.RunVast(lists)), 0o644)
	}
	bm25, err := p.historyBM25(ctx, f, data)
	if err != nil {
		return err
	}
	out := train.Run(lists, train.Defaults, bm25, func(what string) { p.log.Info("train", "step", what) })
	if err := os.WriteFile(f.weights, []byte(out.Weights), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(f.report, []byte(out.Report), 0o644); err != nil {
		return err
	}
	return p.print(fmt.Sprintf("%d lists; wrote %s and %s\n", len(lists), f.weights, f.report))
}

// historyBM25 returns the Recall@10 of plain BM25 for the history questions, 0 without them.
func (p *program) historyBM25(ctx context.Context, f *trainFlags, data string) (float64, error) {
	if f.history == "" {
		return 0, nil
	}
	questions, err := eval.ReadQuestions(filepath.Join(f.history, "questions.jsonl"))
	if err != nil {
		return 0, err
	}
	p.log.Info("ask BM25", "questions", len(questions))
	run, err := eval.Evaluate(ctx, eval.Options{
		Questions: questions, Corpora: filepath.Join(f.history, "trees"), DataDir: filepath.Join(data, "bm25"), Compared: true,
	})
	if err != nil {
		return 0, err
	}
	return run.SummaryBM25().Recall, nil
}

// sets are the questions of both modes and those of history.
func (f *trainFlags) sets() ([]train.Set, error) {
	report := f.report
	f.report = "" // else options would make a report on quality
	o, err := f.options()
	f.report = report
	if err != nil {
		return nil, err
	}
	set := train.Set{Questions: o.Questions, Repos: o.Repos, Corpora: o.Corpora}
	root, whole := set, set
	root.Mode, whole.Mode = eval.ModeRoot, eval.ModeWhole
	sets := []train.Set{root, whole}
	if f.history != "" {
		questions, err := eval.ReadQuestions(filepath.Join(f.history, "questions.jsonl"))
		if err != nil {
			return nil, err
		}
		sets = append(sets, train.Set{Mode: train.ModeHistory, Questions: questions, Corpora: filepath.Join(f.history, "trees")})
	}
	trees, err := f.treeSets()
	return append(sets, trees...), err
}

// treeSets are the questions about large trees, none where no folder of them is given.
func (f *trainFlags) treeSets() ([]train.Set, error) {
	if f.trees == "" {
		return nil, nil
	}
	questions, err := treeQuestions(f.trees)
	if err != nil {
		return nil, err
	}
	return []train.Set{{Mode: train.ModeTree, Questions: questions, Corpora: f.trees, Languages: []string{"c"}}}, nil
}

// mostOfTree is how many questions about one tree are asked at most.
const mostOfTree = 300

// treeQuestions returns the questions that the options of the trees in a folder make.
func treeQuestions(folder string) ([]eval.Question, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []eval.Question
	for _, e := range entries {
		questions, err := kconfig.Questions(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		for _, q := range questions[:min(len(questions), mostOfTree)] {
			q.Repo = e.Name()
			all = append(all, q)
		}
	}
	return all, nil
}

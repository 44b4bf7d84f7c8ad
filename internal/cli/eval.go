package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"espy/internal/app"
	"espy/internal/code"
	"espy/internal/eval"
	"espy/internal/facts/worker"
	"espy/internal/hit"
	"espy/internal/render"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

// evalFlags are the flags of espy eval.
type evalFlags struct {
	questions, list, corpora, indexes string
	results, report, compare          string
	out, calls                        string
	repos, navigation                 []string
	rootMode, byRepo, baselines       bool
	history, impact                   bool
	limit, commits                    int
	seed                              uint64
}

func (p *program) evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval [--history [FOLDER] | --impact [FOLDER...] | --calls FILE [FOLDER] | --questions FILE --corpora DIR]",
		Short: "Measure whether the right code is found first",
		Long: `Asks questions whose answers are known, and grades what is found.

With --history, the questions are the commits of the repository in FOLDER
(default: that of the working directory): the message of a commit asks for the
files that it changed. The newest ones are asked, in mode auto and by meaning: as
they are, turned by the adapter that the older commits taught (espy status says
whether it is used), and by one fitted to answers of other messages, which should
gain nothing. Files are searched as they are today, with what the commits added.

With --impact, they are commits that change both sources and tests, drawn by
--seed, a number from each repository: do the tests that espy impact chooses for the
source part of one contain the tests that it changed? The index and the history that
answer are those before the commit. Every other commit belongs to the half that
nothing was fitted to.

With --calls, FILE says what functions of the repository in FOLDER (default: that of
the working directory) call, as a compiler or a language server has it: a line of JSON
for each call, {"caller":"PATH:LINE:COLUMN","callee":"PATH:LINE:COLUMN"}, each the place
of the name where it is declared. Names all calls of a caller; one that calls nothing
has a line without callee. "optional":true marks a call that counts only where it is
found. --json lists the edges that only one side has.

With --questions, indexes the repositories that a set of questions is about, asks
every question as a user would, and grades the answers: NDCG@10, MRR and
Recall@10, as means over repositories, by category and by language.

A question is a line of JSON: {"id","repo","language","category","query",
"targets":[{"path","start_line","end_line"}]}. DIR holds one folder per
repository. The list of repositories, repos.json beside the questions, says
which folder below a repository --root-mode indexes (benchmark_root).

With --navigation, the files are sets of symbols with the references that a
language server gave for them; the answers about references and definitions are
compared with these in --report, and written to --out for the scorer that comes
with the sets.

Indexes are built and thrown away, unless --indexes keeps them. A kept index
follows changed files, but not a changed program.`,
		Example: `  espy eval --history
  espy eval --history ~/src/api --json
  espy eval --impact ~/src/api ~/src/web --commits 10
  espy eval --calls calls.jsonl ~/src/api
  espy eval --questions questions.jsonl --corpora ~/corpora
  espy eval --questions questions.jsonl --corpora ~/corpora --root-mode --results new.jsonl --compare old.jsonl
  espy eval --questions questions.jsonl --corpora ~/corpora --report docs/quality.md
  espy eval --navigation go.json --navigation py.json --corpora ~/corpora --report docs/navigation.md`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.impact {
				return p.evalImpact(cmd.Context(), &f, args)
			}
			if err := atMost(1)(cmd, args); err != nil {
				return err
			}
			if f.calls != "" {
				return p.evalCalls(cmd.Context(), &f, args)
			}
			if f.history {
				return p.evalCommits(cmd.Context(), &f, args)
			}
			if len(args) > 0 {
				return &usage.Error{Msg: "eval takes a folder with --history only", Hint: "espy eval --history " + args[0]}
			}
			return p.eval(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.history, "history", false, "ask the commits of a repository")
	flags.BoolVar(&f.impact, "impact", false, "ask what commits of repositories affect")
	flags.IntVar(&f.commits, "commits", 10, "with --impact: ask about `n` commits of each repository")
	flags.StringVar(&f.calls, "calls", "", "compare calls with those in this `file`")
	flags.Uint64Var(&f.seed, "seed", 1, "with --impact: draw them by this `number`")
	flags.StringVar(&f.questions, "questions", "", "`file` of questions, one JSON object a line")
	flags.StringVar(&f.corpora, "corpora", "", "`folder` with one folder per repository")
	flags.StringVar(&f.list, "repos", "", "`file` that lists the repositories (default: repos.json beside the questions)")
	flags.BoolVar(&f.rootMode, "root-mode", false, "index only the benchmark_root of each repository")
	flags.StringArrayVarP(&f.repos, "repo", "r", nil, "only the questions about this `repository`; repeatable")
	flags.IntVarP(&f.limit, "limit", "n", eval.Depth, "ask for `n` results; 10 of them count")
	flags.StringVar(&f.results, "results", "", "write the results to this `file`, one JSON object a line")
	flags.StringVar(&f.compare, "compare", "", "compare with the results in this `file`")
	flags.StringVar(&f.report, "report", "", "run both modes, or with --navigation compare the answers, and write a page in Markdown to this `file`")
	flags.BoolVar(&f.baselines, "baselines", false, "also ask BM25 over chunks, and count tokens against grep and reading")
	flags.StringArrayVar(&f.navigation, "navigation", nil, "answer this `file` of questions about symbols; repeatable")
	flags.StringVar(&f.out, "out", "", "with --navigation: write the answers to this `file`")
	flags.StringVar(&f.indexes, "indexes", "", "keep the indexes in this `folder`")
	flags.BoolVar(&f.byRepo, "by-repo", false, "show the figures of each repository too")
	p.jsonFlag(cmd)
	cmd.AddCommand(p.evalHistoryCommand(), p.evalTrainCommand(), p.evalEmbeddingCommand(), p.evalPackingCommand(), p.evalMisplacedCommand(), p.evalConceptsCommand(), p.evalKconfigCommand(), p.evalPaceCommand(), p.evalIssuesCommand(), p.evalMessagesCommand())
	return cmd
}

// evalOutput is the JSON form of a run.
type evalOutput struct {
	*eval.Summary
	Latency latencies        `json:"latency_ms"`
	BM25    *eval.Summary    `json:"bm25,omitempty"`
	Tokens  *eval.Tokens     `json:"tokens,omitempty"`
	Compare *eval.Comparison `json:"compare,omitempty"`
	Curve   []eval.Point     `json:"curve,omitempty"` // what answers hold by their size
}

type latencies struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

func (p *program) eval(ctx context.Context, f *evalFlags) error {
	if len(f.navigation) > 0 {
		return p.evalNavigation(ctx, f)
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	o.Write = func(res *hit.Result, req *hit.Request, maxTokens int) eval.Written {
		if maxTokens == 0 {
			maxTokens = render.DefaultTokens
		}
		text, hits, lines := render.Search{Result: res, Request: req}.Shown(render.Options{MaxTokens: maxTokens, Calls: render.ToolCalls})
		return eval.Written{Tokens: code.Tokens(len(text)), Hits: hits, Lines: lines}
	}
	return p.withEval(&o, func() error {
		if f.report != "" {
			return p.evalReport(ctx, f, o)
		}
		run, err := evaluate(ctx, o)
		if err != nil {
			return err
		}
		return p.printRun(f, run)
	})
}

// withEval runs f with what an evaluation needs beside its questions: a parser, a folder
// for indexes, a temporary one where none is named, and a log of how far it is.
func (p *program) withEval(o *eval.Options, f func() error) (err error) {
	if o.DataDir == "" {
		if o.DataDir, err = os.MkdirTemp("", "espy-eval-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(o.DataDir)) }()
	}
	pool := p.evalParser()
	defer func() { err = errors.Join(err, pool.Close()) }()
	o.Parser, o.Models = pool, app.BuiltIn()
	o.Progress = func(repo string, done, total int) { p.log.Info("evaluate", "repo", repo, "done", done, "total", total) }
	return f()
}

// evalParser parses languages other than Go in children of this program.
func (p *program) evalParser() *worker.Pool {
	return worker.New(worker.Options{Command: p.parser, Workers: runtime.GOMAXPROCS(0)})
}

// options reads the questions and the list of repositories.
func (f *evalFlags) options() (eval.Options, error) {
	o := eval.Options{Corpora: f.corpora, DataDir: f.indexes, RootMode: f.rootMode, Limit: f.limit, Compared: f.baselines}
	switch {
	case f.questions == "" || f.corpora == "":
		return o, &usage.Error{Msg: "eval needs --questions and --corpora", Hint: "see espy eval --help"}
	case f.limit < 1:
		return o, &usage.Error{Msg: "--limit must be 1 or more"}
	case f.report != "" && (f.rootMode || f.compare != "" || f.results != ""):
		return o, &usage.Error{Msg: "--report runs both modes", Hint: "leave out --root-mode, --results and --compare"}
	}
	var err error
	if o.Questions, err = eval.ReadQuestions(f.questions); err != nil {
		return o, err
	}
	list := f.list
	if list == "" {
		list = filepath.Join(filepath.Dir(f.questions), "repos.json")
	}
	o.Repos, err = eval.ReadRepositories(list)
	if errors.Is(err, os.ErrNotExist) && f.list == "" {
		if f.rootMode || f.report != "" {
			return o, &usage.Error{Msg: "no list of repositories: " + list, Hint: "--repos names it"}
		}
		err = nil
	}
	if err != nil {
		return o, err
	}
	return o, f.only(&o)
}

// only keeps the questions about the repositories that were asked for.
func (f *evalFlags) only(o *eval.Options) error {
	if len(f.repos) == 0 {
		return nil
	}
	o.Questions = slices.DeleteFunc(o.Questions, func(q eval.Question) bool { return !slices.Contains(f.repos, q.Repo) })
	if len(o.Questions) == 0 {
		return &usage.Error{Msg: "no question is about " + strings.Join(f.repos, ", ")}
	}
	return nil
}

func evaluate(ctx context.Context, o eval.Options) (*eval.Run, error) {
	run, err := eval.Evaluate(ctx, o)
	var missing *eval.MissingError
	if errors.As(err, &missing) {
		return nil, &usage.Error{Msg: err.Error(), Hint: "lay the repositories out there, or leave them out with --repo"}
	}
	return run, err
}

// printRun writes the results and prints the summary.
func (p *program) printRun(f *evalFlags, run *eval.Run) error {
	if f.results != "" {
		if err := writeFile(f.results, func(w io.Writer) error { return eval.WriteLines(w, run.Answers) }); err != nil {
			return err
		}
	}
	out := evalOutput{Summary: run.Summary(), Latency: latency(run), BM25: run.SummaryBM25(), Tokens: run.Tokens(), Curve: run.Curve()}
	if f.compare != "" {
		before, err := eval.ReadAnswers(f.compare)
		if err != nil {
			return err
		}
		c := eval.Compare(run.Questions, before, run.Answers, 1)
		out.Compare = &c
	}
	if p.json {
		return p.printJSON(out)
	}
	text := out.Text(f.byRepo) + out.Latency.text(run.Mode) + eval.CurveText(out.Curve)
	if out.BM25 != nil {
		text += "BM25 over chunks, " + out.BM25.Text(f.byRepo) + out.Tokens.Text()
	}
	if out.Compare != nil {
		text += out.Compare.Text()
	}
	return p.print(text)
}

// evalReport runs both modes and writes the page on quality. Times are printed only.
func (p *program) evalReport(ctx context.Context, f *evalFlags, o eval.Options) error {
	o.Compared = true
	var runs [2]*eval.Run
	for i, rootMode := range []bool{true, false} {
		o.RootMode = rootMode
		run, err := evaluate(ctx, o)
		if err != nil {
			return err
		}
		runs[i] = run
		if err := p.print(run.Summary().Text(f.byRepo) + latency(run).text(run.Mode) + eval.CurveText(run.Curve())); err != nil {
			return err
		}
	}
	page := strings.TrimRight(eval.Report(runs[0], runs[1]), "\n") + "\n"
	old, err := os.ReadFile(f.report)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, title := range ofOthers {
		if _, section, _ := cutSection(string(old), title); section != "" {
			page += "\n" + strings.TrimRight(section, "\n") + "\n"
		}
	}
	return writeFile(f.report, func(w io.Writer) error {
		_, err := io.WriteString(w, page)
		return err
	})
}

func latency(run *eval.Run) latencies {
	return latencies{milliseconds(run.Latency(0.5)), milliseconds(run.Latency(0.95))}
}

func (l latencies) text(mode string) string {
	return fmt.Sprintf("%s: a question takes %.2f ms (median), %.2f ms (95 %%)\n", mode, l.P50, l.P95)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

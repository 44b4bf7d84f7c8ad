package cli

import (
	"encoding/json"
	"errors"
	"os"

	"espy/internal/app"
	"espy/internal/eval/pace"
	"espy/internal/mcpserver/ahead"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

func (p *program) evalPaceCommand() *cobra.Command {
	req := pace.Request{Prepare: ahead.Prepare}
	var answers, report string
	var questions []string
	cmd := &cobra.Command{
		Use:   "pace [FOLDER]",
		Short: "Measure how long searches, calls, references and impact take",
		Long: `Asks who calls, what is called by and who uses functions that are drawn at random, one
of a file, and what --commits affect, each question once in a process that follows the
files of the repository in FOLDER (default: that of the working directory) and has
worked out what a server does before it is asked.

--questions and --comments ask ranked search: the questions of files, told apart by
their length, and texts of about 1,000 words that comments of the repository's files
make, all of which stands in it. Each is asked once for nothing, then in --rounds.

Commits are the newest ones of 16 to 26 files. --answers writes every answer, so that
those of two programs can be compared.`,
		Example: `  espy eval pace ~/src/api
  espy eval pace ~/src/api --functions 0 --name Close --name Run
  espy eval pace ~/src/api --commits 40 --answers answers.jsonl
  espy eval pace ~/src/api --functions 0 --questions questions.jsonl --comments 24 --report docs/quality.md`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range questions {
				texts, err := pace.ReadTexts(file)
				if err != nil {
					return err
				}
				req.Texts = append(req.Texts, texts...)
			}
			switch {
			case req.Rounds < 1:
				return &usage.Error{Msg: "--rounds must be 1 or more"}
			case report != "" && len(req.Texts)+req.Comments == 0:
				return &usage.Error{Msg: "--report writes what ranked search takes, which nothing asks", Hint: "--questions or --comments"}
			}
			return p.withApp(true, func(a *app.App) error {
				r, err := p.repoOrHere(cmd.Context(), a.Workspace, argOr(args, ""))
				if err != nil {
					return err
				}
				measure := func() error {
					rep, err := pace.Measure(cmd.Context(), a.Workspace, r, req)
					if err == nil && report != "" {
						err = writeSection(report, pace.Title, rep.Page())
					}
					return p.printReport(rep, err)
				}
				if answers == "" {
					return measure()
				}
				f, err := os.Create(answers)
				if err != nil {
					return err
				}
				req.Answer = func(question string, answer any) error {
					return json.NewEncoder(f).Encode(map[string]any{"question": question, "answer": answer})
				}
				return errors.Join(measure(), f.Close())
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&req.Functions, "functions", 200, "draw `n` functions")
	flags.Uint64Var(&req.Seed, "seed", 1, "draw them by this `number`")
	flags.StringArrayVar(&req.Names, "name", nil, "also ask about this `symbol`; repeatable")
	flags.IntVar(&req.Depth, "depth", 3, "follow calls `n` steps")
	flags.IntVar(&req.Commits, "commits", 0, "ask what `n` commits affect")
	flags.StringArrayVar(&questions, "questions", nil, "ask the questions of this `file` of ranked search, one JSON object with a query a line; repeatable")
	flags.IntVar(&req.Comments, "comments", 0, "ask `n` texts of comments of ranked search")
	flags.IntVar(&req.Rounds, "rounds", 5, "ask ranked search in `n` rounds")
	flags.StringVar(&report, "report", "", "write what ranked search takes into this `page` in Markdown, as a section of it")
	flags.StringVar(&answers, "answers", "", "write the answers to this `file`, one JSON object a line")
	p.jsonFlag(cmd)
	return cmd
}

package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"espy/internal/eval/issues"
	"espy/internal/eval/messages"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// issuesFlags are the flags of espy eval issues.
type issuesFlags struct {
	instances, mirrors, indexes, results, report, set string
	repos                                             []string
	minutes                                           int
}

func (p *program) evalIssuesCommand() *cobra.Command {
	var f issuesFlags
	cmd := &cobra.Command{
		Use:   "issues",
		Short: "Measure whether the text of an issue leads to the code that its fix changed",
		Long: `Asks the text of each issue over the tree that its fix was made on, and looks where
the answer has the files and functions that the fix changed.

An instance is a line of JSON: {"id","sets","repo","language","base_commit","query",
"files":[{"path","functions":[["name",first,last]]}]}. One of the set "commits" is made
of the message of a commit, over the tree before it. The folder of --mirrors has the
bare repositories, as OWNER+NAME/repo or OWNER+NAME.git; those that it lacks are left
out by name. --results keeps each answer, and what it has is not asked again.`,
		Example: `  espy eval issues --instances instances.jsonl --mirrors ~/mirrors
  espy eval issues --instances instances.jsonl --mirrors ~/mirrors --results answers.jsonl --minutes 8
  espy eval issues --instances instances.jsonl --mirrors ~/mirrors --report docs/quality.md`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.instances == "" || f.mirrors == "" {
				return &usage.Error{Msg: "eval issues needs --instances and --mirrors", Hint: "see espy eval issues --help"}
			}
			all, err := f.read()
			if err != nil {
				return err
			}
			o := issues.Options{Instances: all, Mirrors: f.mirrors, Progress: func(repo string, done, total int) {
				p.log.Info("evaluate", "repo", repo, "done", done, "total", total)
			}}
			if f.minutes > 0 {
				o.Until = time.Now().Add(time.Duration(f.minutes) * time.Minute)
			}
			if o.Known, err = f.known(); err != nil {
				return err
			}
			o.Save = f.save
			return p.withIndexes(f.indexes, func(w *workspace.Workspace) error {
				o.Folder = filepath.Join(p.cfg.DataDir, "mirrors")
				answers, err := issues.Measure(cmd.Context(), w, o)
				rep := issues.NewReport(all, answers)
				if err == nil && f.report != "" {
					err = writeSection(f.report, issues.Title, rep.Table())
				}
				return p.printReport(rep, err)
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.instances, "instances", "", "`file` of issues, one JSON object a line")
	flags.StringVar(&f.mirrors, "mirrors", "", "`folder` of bare repositories")
	flags.StringVar(&f.set, "set", "", "only the issues of this `set`")
	flags.StringArrayVarP(&f.repos, "repo", "r", nil, "only the issues of this `repository`, owner/name; repeatable")
	flags.StringVar(&f.results, "results", "", "keep the answers in this `file`")
	flags.StringVar(&f.report, "report", "", "write the figures into this `page` in Markdown, as a section of it")
	flags.IntVar(&f.minutes, "minutes", 0, "begin no issue after `n` minutes (0: no limit)")
	flags.StringVar(&f.indexes, "indexes", "", "`folder` to keep the indexes in (default: a temporary one)")
	p.jsonFlag(cmd)
	return cmd
}

// read reads the issues that are asked for.
func (f *issuesFlags) read() ([]issues.Instance, error) {
	all, err := issues.Read(f.instances)
	all = slices.DeleteFunc(all, func(x issues.Instance) bool {
		return f.set != "" && !slices.Contains(x.Sets, f.set) || len(f.repos) > 0 && !slices.Contains(f.repos, x.Repo)
	})
	if err == nil && len(all) == 0 {
		err = &usage.Error{Msg: "no issue is asked for", Hint: "look at --set and --repo"}
	}
	return all, err
}

// known returns the answers that are kept.
func (f *issuesFlags) known() (map[string]issues.Answer, error) {
	if f.results == "" {
		return nil, nil
	}
	known, err := issues.KnownAnswers(f.results)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return known, err
}

// save keeps an answer.
func (f *issuesFlags) save(a issues.Answer) error {
	if f.results == "" {
		return nil
	}
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(f.results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = out.Write(append(line, '\n'))
	return errors.Join(err, out.Close())
}

func (p *program) evalMessagesCommand() *cobra.Command {
	var file, corpora, indexes, report string
	var filled int
	cmd := &cobra.Command{
		Use:   "messages",
		Short: "Measure whether a message leads to the file that prints it",
		Long: `Asks messages of programs of their repositories: as they stand in the source, behind
what logs write in front of them, and, of others that are found in the sources, with
values in the place of their verbs.

The file is a JSON list of {"repo","query","path"}. The folder of --corpora has a
folder for each repo.`,
		Example: `  espy eval messages --messages messages.json --corpora ~/corpora
  espy eval messages --messages messages.json --corpora ~/corpora --report docs/quality.md`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" || corpora == "" {
				return &usage.Error{Msg: "eval messages needs --messages and --corpora", Hint: "see espy eval messages --help"}
			}
			all, err := messages.Read(file)
			if err != nil {
				return err
			}
			return p.withIndexes(indexes, func(w *workspace.Workspace) error {
				rep, err := messages.Measure(cmd.Context(), w, messages.Options{Messages: all, Corpora: corpora, Filled: filled})
				if err == nil && report != "" {
					err = writeSection(report, messages.Title, rep.Table())
				}
				return p.printReport(rep, err)
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&file, "messages", "", "`file` of messages, a JSON list")
	flags.StringVar(&corpora, "corpora", "", "`folder` with one folder per repository, named like it")
	flags.IntVar(&filled, "filled", 50, "ask `n` messages of each repository with values filled in")
	flags.StringVar(&report, "report", "", "write the figures into this `page` in Markdown, as a section of it")
	flags.StringVar(&indexes, "indexes", "", "`folder` to keep the indexes in (default: a temporary one)")
	p.jsonFlag(cmd)
	return cmd
}

package cli

import (
	"context"
	"errors"
	"sync"

	"espy/internal/code"
	"espy/internal/render"
	"espy/internal/tasks"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// taskCommand keeps development tasks.
func (p *program) taskCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "task",
		Short: "Keep development tasks, and the code that they are about",
		Long: `Keeps development tasks in the data folder: what is to be done, how far it is, and
which branches, commits, files and symbols it is about. While a task is not
complete, answers of espy search, symbol and read about what it names show it.
Without a command it lists the tasks.`,
		Example: `  espy task create 'Cap the backoff' --symbol backoff --planning docs/retry.md
  espy task list --status in-progress
  espy task update 550e8400-e29b-41d4-a716-446655440000 --status complete --commit "$(git rev-parse HEAD)"`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return runRoot(cmd, args)
			}
			return p.tasksOf(cmd.Context(), &taskFilter{limit: defaultTasks})
		},
	}
	p.jsonFlag(cmd)
	cmd.AddCommand(p.taskCreate(), p.taskShow(), p.taskList(), p.taskUpdate())
	return cmd
}

// taskFlags are the flags of what a task holds.
type taskFlags struct {
	title, description, notes, status, branch, commit, repo string
	planning, files, symbols                                []string
	version                                                 int
}

func (p *program) taskFlags(cmd *cobra.Command, f *taskFlags) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.description, "description", "", "what is to be done, `text` of at most 2000 characters")
	flags.StringVar(&f.notes, "notes", "", "`text` of at most 5000 characters")
	flags.StringVar(&f.status, "status", "", "how `far` it is: need to be done, in-progress or complete")
	flags.StringArrayVar(&f.planning, "planning", nil, "`document` that plans it; repeatable, at most 10")
	flags.StringArrayVar(&f.files, "file", nil, "`file` that it is about, as for espy read; repeatable")
	flags.StringArrayVar(&f.symbols, "symbol", nil, "`symbol` that it is about, by its name or id; repeatable")
	flags.StringVar(&f.branch, "branch", "", "`branch` that it is done on; those before stay")
	flags.StringVar(&f.commit, "commit", "", "`hash` of a commit that belongs to it, 40 digits; those before stay")
	flags.StringVarP(&f.repo, "repo", "r", "", "`repository` of the files and symbols by name, path or UUID")
	p.jsonFlag(cmd)
	p.completeRepos(cmd, "repo")
	completeWords(cmd, "status", wordsOf(tasks.Statuses)...)
}

// edit is what the flags say.
func (p *program) edit(ctx context.Context, w *workspace.Workspace, cmd *cobra.Command, f *taskFlags) (e tasks.Edit, err error) {
	e = tasks.Edit{Planning: f.planning, Branch: f.branch, Commit: f.commit, Version: f.version}
	for _, s := range []struct {
		flag string
		from *string
		to   **string
	}{{"title", &f.title, &e.Title}, {"description", &f.description, &e.Description}, {"notes", &f.notes, &e.Notes}} {
		if cmd.Flags().Changed(s.flag) {
			*s.to = s.from
		}
	}
	if f.status != "" {
		status, err := oneOf("status", f.status, tasks.Statuses)
		if err != nil {
			return e, err
		}
		e.Status = &status
	}
	for _, name := range f.files {
		at, err := p.readPlace(ctx, w, name, f.repo)
		if err != nil {
			return e, err
		}
		e.Files = append(e.Files, tasks.File{Repo: at.repo.ID(), Path: at.path})
	}
	if len(f.symbols) == 0 {
		return e, nil
	}
	r, err := p.repoOrHere(ctx, w, f.repo)
	if err != nil {
		return e, err
	}
	for _, name := range f.symbols {
		e.Symbols = append(e.Symbols, tasks.Symbol{Repo: r.ID(), Name: name})
	}
	return e, nil
}

func (p *program) taskCreate() *cobra.Command {
	var f taskFlags
	cmd := &cobra.Command{
		Use:   "create TITLE",
		Short: "Create a task",
		Long:  `Creates a task and prints it. It needs to be done unless --status says otherwise.`,
		Example: `  espy task create 'Cap the backoff' --description 'It grows without a bound.'
  espy task create 'Cap the backoff' --file net/retry.go --symbol Client.Do --planning specs/retry/plan.md
  espy task create 'Cap the backoff' --json`,
		Args: exactly("a title"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withTasks(cmd.Context(), func(w *workspace.Workspace, names func() map[code.RepoID]string) error {
				e, err := p.edit(cmd.Context(), w, cmd, &f)
				if err != nil {
					return err
				}
				e.Title = &args[0]
				t, err := p.tasks.Create(cmd.Context(), e.Task())
				if err != nil {
					return err
				}
				return p.answer(render.Task{Task: t, Repos: names(), Done: "created"}, p.renderOptions())
			})
		},
	}
	p.taskFlags(cmd, &f)
	return cmd
}

func (p *program) taskShow() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Print a task with all that is known of it",
		Long:  `Prints a task: its texts, what it is about, and how its status changed.`,
		Example: `  espy task show 550e8400-e29b-41d4-a716-446655440000
  espy task show 550e8400-e29b-41d4-a716-446655440000 --json`,
		Args: exactly("the id of a task"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withTasks(cmd.Context(), func(_ *workspace.Workspace, names func() map[code.RepoID]string) error {
				t, err := p.tasks.Task(cmd.Context(), args[0])
				if err != nil {
					return missingTask(args[0], err)
				}
				return p.answer(render.Task{Task: t, Repos: names()}, p.renderOptions())
			})
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

// defaultTasks is how many tasks a list shows.
const defaultTasks = 20

// taskFilter is the flags of a list.
type taskFilter struct {
	tasks.Filter
	status, repo, after string
	limit               int
}

func (p *program) taskList() *cobra.Command {
	var f taskFilter
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List tasks, the newest first",
		Long: `Lists tasks, those created last first, with how many there are in all. Filters
narrow the list; each word of --text must stand in title, description or notes.`,
		Example: `  espy task list --open
  espy task list --status complete --branch feature/ --limit 50
  espy task list --text 'backoff retry' --json`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.tasksOf(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.status, "status", "", "only tasks that are so `far`: need to be done, in-progress or complete")
	flags.BoolVar(&f.Open, "open", false, "only tasks that are not complete")
	flags.StringVar(&f.Branch, "branch", "", "only tasks with a branch that begins with `prefix`")
	flags.StringVar(&f.Text, "text", "", "only tasks with each of these `words`")
	flags.StringVarP(&f.repo, "repo", "r", "", "only tasks that name code of this `repository`, by name, path or UUID")
	flags.IntVarP(&f.limit, "limit", "n", defaultTasks, "show at most `n` tasks")
	flags.StringVar(&f.after, "after", "", "go on behind the task of this `id`")
	p.jsonFlag(cmd)
	p.completeRepos(cmd, "repo")
	completeWords(cmd, "status", wordsOf(tasks.Statuses)...)
	return cmd
}

// tasksOf prints a list of tasks.
func (p *program) tasksOf(ctx context.Context, f *taskFilter) (err error) {
	if f.limit < 1 {
		return &usage.Error{Msg: "--limit must be 1 or more"}
	}
	if f.status != "" {
		if f.Status, err = oneOf("status", f.status, tasks.Statuses); err != nil {
			return err
		}
	}
	return p.withTasks(ctx, func(w *workspace.Workspace, names func() map[code.RepoID]string) error {
		if f.repo != "" {
			r, err := p.repo(ctx, w, f.repo)
			if err != nil {
				return err
			}
			f.Repo = r.ID()
		}
		list, err := p.tasks.List(ctx, f.Filter, tasks.Page{Limit: f.limit, After: f.after})
		if err != nil {
			return err
		}
		if err := p.answer(render.Tasks{List: list, Filter: f.Filter, Repos: names()}, p.listOptions()); err != nil {
			return err
		}
		return outcome(false, len(list.Tasks) > 0)
	})
}

func (p *program) taskUpdate() *cobra.Command {
	var f taskFlags
	cmd := &cobra.Command{
		Use:   "update ID",
		Short: "Change a task",
		Long: `Changes what the flags name, and prints the task. Planning references, files,
symbols, branches and commits are added to those that it has. With --version, a
task that was changed since is left alone, with an error.`,
		Example: `  espy task update 550e8400-e29b-41d4-a716-446655440000 --status in-progress --branch feature/cap-backoff
  espy task update 550e8400-e29b-41d4-a716-446655440000 --status complete --commit "$(git rev-parse HEAD)"
  espy task update 550e8400-e29b-41d4-a716-446655440000 --notes 'waits for review' --version 3 --json`,
		Args: exactly("the id of a task"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withTasks(cmd.Context(), func(w *workspace.Workspace, names func() map[code.RepoID]string) error {
				e, err := p.edit(cmd.Context(), w, cmd, &f)
				if err != nil {
					return err
				}
				t, changed, err := p.tasks.Update(cmd.Context(), args[0], e)
				if err != nil {
					return missingTask(args[0], err)
				}
				return p.answer(render.Task{Task: t, Repos: names(), Done: render.DoneWith(changed)}, p.renderOptions())
			})
		},
	}
	p.taskFlags(cmd, &f)
	cmd.Flags().StringVar(&f.title, "title", "", "`text` of at most 200 characters")
	cmd.Flags().IntVar(&f.version, "version", 0, "refuse where the task is not at version `n`")
	return cmd
}

// missingTask adds to the errors of a task what would work.
func missingTask(id string, err error) error {
	var conflict *tasks.ConflictError
	switch {
	case errors.Is(err, tasks.ErrNotFound):
		return &usage.Error{Msg: "there is no task " + quote(id), Hint: "espy task list shows those there are"}
	case errors.As(err, &conflict):
		return &usage.Error{Msg: conflict.Error(), Hint: "look at it with espy task show " + conflict.ID + ", then update that version"}
	}
	return err
}

// withTasks runs f with what tells the names of the attached repositories.
func (p *program) withTasks(ctx context.Context, f func(w *workspace.Workspace, names func() map[code.RepoID]string) error) error {
	return p.withWorkspace(func(w *workspace.Workspace) error {
		return f(w, func() map[code.RepoID]string {
			names := map[code.RepoID]string{}
			all, err := w.Repos(ctx)
			if err != nil {
				p.log.Info("names of repositories are not known", "err", err) // their ids are shown
			}
			for _, r := range all {
				names[r.ID()] = r.Name()
			}
			return names
		})
	})
}

// near looks for the open tasks that name code of repositories, while they are
// asked something else. What it returns waits for them.
func (p *program) near(ctx context.Context, repos ...*workspace.Repo) func() *tasks.Near {
	ids := make(map[string]code.RepoID, len(repos))
	for _, r := range repos {
		ids[r.Name()] = r.ID()
	}
	book, found := p.tasks, make(chan *tasks.Near, 1)
	go func() { found <- book.Near(ctx, ids) }()
	return sync.OnceValue(func() *tasks.Near { return <-found })
}

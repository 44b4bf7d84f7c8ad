package cli

import (
	"context"
	"strings"

	"espy/internal/links"
	"espy/internal/render"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// linksFlags are the flags of espy links.
type linksFlags struct {
	repos   []string
	ref     string
	request links.Request
}

func (p *program) linksCommand() *cobra.Command {
	var f linksFlags
	cmd := &cobra.Command{
		Use:   "links [TEXT]",
		Short: "List routes, topics, tables, settings: what frameworks join by a text",
		Long: `Lists the edges that no compiler sees: a text stands at both ends, and a framework
joins them.

  route     a path of HTTP, and the function that handles it
  topic     an event, a queue or a task by name: who sends, who receives
  table     a table of a database: its declaration, its model, who reads and who writes it
  service   a service of gRPC: its definition, what implements it, its clients
  setting   an environment variable or a key of configuration: who sets, who reads it
  inject    what a framework passes to a function, and what stands for an interface
  view      a template, and who renders it

TEXT leaves the keys that hold it, in any case. With several repositories, what
has the same key stands together. Each place names its framework; what is not
certain is marked. docs/links.md lists the frameworks.`,
		Example: `  espy links --kind route
  espy links DATABASE_URL
  espy links orders --repo all --json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.request.Key = strings.Join(args, "")
			return p.links(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.request.Kinds, "kind", "k", nil, "only this `kind`; repeatable")
	flags.BoolVar(&f.request.Tests, "tests", false, "also those in tests, examples and vendored code")
	flags.IntVarP(&f.request.Limit, "limit", "n", 0, "show at most `n` keys (0: 50)")
	flags.IntVar(&f.request.Offset, "offset", 0, "skip the first `n` keys")
	flags.StringArrayVarP(&f.repos, "repo", "r", nil, "`repository` by name, path or UUID, or all; repeatable")
	p.refFlag(cmd, &f.ref)
	flags.Int("max-tokens", 0, "limit the answer to `n` tokens of 4 bytes (0: no limit)")
	bindSetting(flags, "max-tokens", "max_tokens")
	p.jsonFlag(cmd)
	completeWords(cmd, "kind", links.Kinds()...)
	p.completeRepos(cmd, "repo", allRepos)
	return cmd
}

func (p *program) links(ctx context.Context, f *linksFlags) error {
	if err := f.request.Check(); err != nil {
		return err
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		repos, err := p.reposAt(ctx, w, f.repos, f.ref)
		if err != nil {
			return err
		}
		bar := p.newProgress()
		a, err := links.Gather(ctx, repos, f.request, workspace.Wait{Progress: bar.show})
		bar.finish()
		if err != nil {
			return err
		}
		o := p.renderOptions()
		o.MaxTokens, o.Repo, o.Ref, o.Here = int(p.cfg.MaxTokens), oneRepo(f.repos), f.ref, p.stands(repos, f.repos).folder
		if err := p.answer(&render.Links{Request: &f.request, Answer: a}, o); err != nil {
			return err
		}
		return outcome(a.Left, len(a.Keys) > 0)
	})
}

package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"espy/internal/bundle"
	"espy/internal/code"
	"espy/internal/render"
	"espy/internal/seen"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// contextFlags are the flags of espy context.
type contextFlags struct {
	ref, scope, seen string
	repos            []string
	request          bundle.Request
}

func (p *program) contextCommand() *cobra.Command {
	var f contextFlags
	cmd := &cobra.Command{
		Use:   "context [QUERY...]",
		Short: "Gather what a task needs: definitions, callers, tests, within a budget",
		Long: `Answers in one go what a task needs: the definitions that a question is about, who
calls them, what they use, their tests and the documentation that mentions them,
each with the reason why it is shown. The answer fills 600 tokens of 4 bytes with the
best there is and goes on, up to 4,000, with what is worth its size; --max-tokens asks
for as much as fits into a number. What is worth most for its size is shown first; long code is
shortened, and what is left out is named.

QUERY is one of
  words           a question: the places that search finds, and what stands round them
  a symbol        by name or id, as in espy symbol
  a place         PATH:LINE or PATH:FIRST-LAST: the code there
  a diff          as git diff prints it: what it changes, and who uses that
  a report        a pasted issue, message or trace

Several repositories, or --repo all, share one budget; each place has the name of its
repository in front.

QUERY - reads it from standard input. --changes names commits instead.
Words such as callers, implements, tests or configuration in a question say what to
show more of.

--seen TOKEN leaves out what an answer with that token has shown; --seen '' asks for
the first token.`,
		Example: `  espy context 'how are ignore rules applied'
  espy context internal/api/server.go#Server.Close --max-tokens 2000
  espy context 'callers and tests of ParseConfig'
  git diff | espy context -
  espy context 'who refunds an order' --repo shop --repo billing
  espy context --changes main..HEAD --json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.request.Text = strings.Join(args, " ")
			if f.request.Text == "-" {
				text, err := piped(cmd, bundle.MaxText)
				if err != nil {
					return err
				}
				f.request.Text = text
			}
			f.request.MaxTokens = int(p.cfg.MaxTokens)
			if !cmd.Flags().Changed("max-tokens") && f.request.MaxTokens != 0 { // a setting for all answers
				f.request.MaxTokens = min(max(f.request.MaxTokens, bundle.MinTokens), bundle.MaxTokens)
			}
			return p.context(cmd.Context(), &f, cmd.Flags().Changed("seen"))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Int("max-tokens", 0, fmt.Sprintf("fill the answer up to `n` tokens of 4 bytes, %d to %d (0: what is worth it, at most %d)", bundle.MinTokens, bundle.MaxTokens, bundle.DefaultTokens))
	bindSetting(flags, "max-tokens", "max_tokens")
	flags.StringVar(&f.request.Changes, "changes", "", "instead of QUERY: the `commits` A..B, or a commit to compare the work tree with")
	flags.StringVar(&f.scope, "scope", string(code.ScopeAll), "`kind` of files: all, code, test, docs or deps")
	flags.StringArrayVarP(&f.request.Languages, "lang", "t", nil, "only files in this `language`; repeatable, !name excludes")
	pathFlag(cmd, &f.request.Paths)
	flags.StringArrayVarP(&f.repos, "repo", "r", nil, "`repository` by name, path or UUID, or all; repeatable")
	p.refFlag(cmd, &f.ref)
	flags.StringVar(&f.seen, "seen", "", "leave out what answers with this `token` have shown")
	p.jsonFlag(cmd)
	completeWords(cmd, "scope", wordsOf(code.Scopes)...)
	p.completeRepos(cmd, "repo")
	p.completeLanguages(cmd, "lang")
	return cmd
}

func (p *program) context(ctx context.Context, f *contextFlags, wantsToken bool) (err error) {
	req := f.request
	if req.Scope, err = oneOf("scope", f.scope, code.Scopes); err != nil {
		return err
	}
	if err := req.Check(); err != nil {
		return err
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		repos, err := p.reposAt(ctx, w, f.repos, f.ref)
		if err != nil {
			return err
		}
		var a *bundle.Answer
		held, err := seen.Parse(f.seen, func(repo, path string) []string { return a.Lines(repo, path) })
		if err != nil {
			return err
		}
		bar := p.newProgress()
		a, err = bundle.GatherAll(ctx, repos, req, workspace.Wait{Progress: bar.show})
		bar.finish()
		if err != nil {
			return err
		}
		o := p.renderOptions()
		o.Repo, o.Ref, o.MaxTokens, o.Here = oneRepo(f.repos), f.ref, req.MaxTokens, p.stands(repos, f.repos).folder
		if wantsToken {
			o.Seen = held
		}
		if err := p.answer(&render.Context{Request: &req, Answer: a}, o); err != nil {
			return err
		}
		return outcome(a.Partial, !a.Empty())
	})
}

// piped reads a text from standard input, and no more than one byte beyond the limit: who
// takes the text refuses it then.
func piped(cmd *cobra.Command, limit int64) (string, error) {
	text, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), limit+1))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return string(text), nil
}

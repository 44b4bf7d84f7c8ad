package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/render"
	"espy/internal/similar"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// similarFlags are the flags of espy similar.
type similarFlags struct {
	detail, scope, ref string
	repos              []string
	request            hit.Request
}

func (p *program) similarCommand() *cobra.Command {
	var f similarFlags
	cmd := &cobra.Command{
		Use:   "similar PLACE|-",
		Short: "Find code that is like a place, or like a snippet on standard input",
		Long: `Finds copies and near-copies of code, in the repository of the working directory
or in those that --repo names. PLACE is a file (PATH), a definition (PATH:LINE, the
one round that line, or PATH#SYMBOL) or lines (PATH:FIRST-LAST), PATH as for espy
read. With - the code is read from standard input.

Grades:
  same   every token is equal: spacing and comments may differ
  near   edited: other names, lines put in, left out or moved
  alike  means the like, as the built-in model has it; the nearest ten are listed

The score of what is same or near, from 0 to 1, is the mean of two shares of the tokens that are asked for:
those that are equal there, and those that are equal or renamed throughout, less
what stands in between; of what is alike it is the cosine. Places below 0.4 (alike:
0.65) are not listed, nor is the place itself. Each place names the lines that it shares ("lines 10-24 equal 3-17 of yours", or
rename them); lines that differ are shown.

Comments and spaces are never compared. In a large repository, only the chunks
whose words are likest are compared: the number of near places is then "at least".
At most 10000 tokens are compared, about a thousand lines. Code on standard input
is read as being in the language of the file that it is compared with.`,
		Example: `  espy similar internal/api/server.go:120
  espy similar internal/api/server.go#Server.Close --repo all
  espy similar internal/api/server.go:40-75 --path 'internal/**' --scope code
  git show HEAD~3:old.go | espy similar - --json`,
		Args: exactly("a place, or -"),
		RunE: func(cmd *cobra.Command, args []string) error { return p.similar(cmd.Context(), args[0], &f) },
	}
	p.jsonFlag(cmd)
	p.similarFlags(cmd, &f)
	completeWords(cmd, "detail", wordsOf(hit.Details)...)
	completeWords(cmd, "scope", wordsOf(code.Scopes)...)
	p.completeRepos(cmd, "repo", allRepos)
	p.completeLanguages(cmd, "lang")
	return cmd
}

func (p *program) similarFlags(cmd *cobra.Command, f *similarFlags) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVarP(&f.request.Limit, "limit", "n", 0, "show at most `n` places (0: 10)")
	flags.IntVar(&f.request.Offset, "offset", 0, "skip the first `n` places")
	flags.StringVar(&f.scope, "scope", string(code.ScopeAll), "`kind` of files: all, code, test, docs or deps")
	flags.StringArrayVarP(&f.request.Languages, "lang", "t", nil, "only files in this `language`; repeatable, !name excludes")
	pathFlag(cmd, &f.request.Paths)
	flags.StringArrayVarP(&f.repos, "repo", "r", nil, "`repository` by name, path or UUID, or all; repeatable")
	p.refFlag(cmd, &f.ref)
	flags.StringVar(&f.detail, "detail", string(hit.DetailLines), "how `much` of a place to show: locate, lines that differ, or full")
	flags.Int("max-tokens", 0, "limit the answer to `n` tokens of 4 bytes (0: no limit)")
	bindSetting(flags, "max-tokens", "max_tokens")
}

func (p *program) similar(ctx context.Context, arg string, f *similarFlags) error {
	req := similar.Request{Request: f.request}
	req.ShowSecrets = p.cfg.ShowSecrets
	var err error
	if req.Detail, err = oneOf("detail", f.detail, hit.Details); err != nil {
		return err
	}
	if req.Scope, err = oneOf("scope", f.scope, code.Scopes); err != nil {
		return err
	}
	if arg == "-" {
		if req.Snippet, err = p.readSnippet(); err != nil {
			return err
		}
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		in, err := p.similarIn(ctx, w, arg, f)
		if err != nil {
			return err
		}
		req.Place = in.place
		q, err := similar.Compile(req)
		if err != nil {
			return err
		}
		bar := p.newProgress()
		res, err := w.Similar(ctx, in.home, in.repos, q, workspace.Wait{Progress: bar.show})
		bar.finish()
		if err != nil {
			return err
		}
		o := p.listOptions()
		o.Repo, o.Ref, o.Here = oneRepo(f.repos), f.ref, p.stands(in.repos, f.repos).folder
		if err := p.list(render.Similar{Result: res, Request: &q.Request}, render.Form{}, o); err != nil {
			return err
		}
		return outcome(res.Partial, len(res.Hits) > 0)
	})
}

// readSnippet reads the code on standard input.
func (p *program) readSnippet() (string, error) {
	text, err := io.ReadAll(io.LimitReader(p.stdin, similar.MaxSnippet+1))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	if len(text) == 0 {
		return "", &usage.Error{Msg: "standard input is empty", Hint: "pipe code to espy similar -, or give a place such as path/file.go:10-40"}
	}
	return string(text), nil
}

// similarScope is what a question is about: a place in its repository, nil for a
// snippet, and the repositories to look in.
type similarScope struct {
	home  *workspace.Repo
	place *similar.Place
	repos []*workspace.Repo
}

// similarIn finds the repositories of a question.
func (p *program) similarIn(ctx context.Context, w *workspace.Workspace, arg string, f *similarFlags) (in similarScope, err error) {
	if arg != "-" {
		if err := p.homeOf(ctx, w, arg, &in, f); err != nil {
			return in, err
		}
	}
	if len(f.repos) > 0 || in.home == nil {
		if in.repos, err = p.reposAt(ctx, w, f.repos, f.ref); err != nil {
			return in, err
		}
	} else {
		in.repos = []*workspace.Repo{in.home}
	}
	if in.home == nil {
		in.home = in.repos[0]
	}
	same := func(r *workspace.Repo) bool { return r.ID() == in.home.ID() && r.Ref() == in.home.Ref() }
	if i := slices.IndexFunc(in.repos, same); i >= 0 {
		in.home = in.repos[i]
	}
	return in, nil
}

// homeOf finds the place of an argument.
func (p *program) homeOf(ctx context.Context, w *workspace.Workspace, arg string, in *similarScope, f *similarFlags) error {
	repo := oneRepo(f.repos)
	at := similar.ParsePlace(arg, func(name string) bool {
		l, err := p.locateFile(ctx, w, name, repo)
		return err == nil && exists(l)
	})
	l, err := p.locateFile(ctx, w, at.Path, repo)
	if err != nil {
		return err
	}
	if in.home, err = l.repo.At(ctx, f.ref); err != nil {
		return err
	}
	at.Path = l.path
	in.place = at
	return nil
}

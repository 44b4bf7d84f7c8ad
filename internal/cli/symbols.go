package cli

import (
	"context"

	"espy/internal/code"
	"espy/internal/render"
	"espy/internal/symbols"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// symbolsFlags are the flags of espy symbols.
type symbolsFlags struct {
	repos   []string
	scope   string
	ref     string
	kinds   []string
	request symbols.Request
	form    formFlags
}

func (p *program) symbolsCommand() *cobra.Command {
	var f symbolsFlags
	cmd := &cobra.Command{
		Use:   "symbols [PATTERN]",
		Short: "List symbols by a pattern of their names and by kind",
		Long: `Lists the symbols whose names fit a pattern, or all, and counts them by kind.

  get           names that begin so
  Backend.get   names that begin so, in what bears the name in front
  'get*Result'  whole names, with * for any text and ? for a character
  gtrslt        with --fuzzy: names that have these letters in this order

Letter case matters where the pattern has a capital letter. The nearest names come
first, then those of the first files. espy symbol describes one symbol, espy outline
the symbols of a file.`,
		Example: `  espy symbols 'Backend.get*' --kind method
  espy symbols New --kind func,type --path 'internal/**'
  espy symbols prscfg --fuzzy
  espy symbols --kind interface --limit 0 --jsonl`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.request.Pattern = argOr(args, "")
			return p.listSymbols(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringSliceVarP(&f.kinds, "kind", "k", nil, "only symbols of this `kind`: func, method, type, class, interface, struct, enum, trait, const, var, field, macro, module or heading; repeatable")
	flags.BoolVar(&f.request.Fuzzy, "fuzzy", false, "names that have the letters of the pattern in their order")
	flags.IntVarP(&f.request.Limit, "limit", "n", 0, "show at most `n` symbols (0: 100)")
	flags.IntVar(&f.request.Offset, "offset", 0, "skip the first `n` symbols")
	flags.StringVar(&f.scope, "scope", string(code.ScopeAll), "`kind` of files: all, code, test or docs")
	flags.StringArrayVarP(&f.request.Languages, "lang", "t", nil, "only files in this `language`; repeatable, !name excludes")
	pathFlag(cmd, &f.request.Paths)
	flags.StringArrayVarP(&f.repos, "repo", "r", nil, "`repository` by name, path or UUID, or all; repeatable")
	p.refFlag(cmd, &f.ref)
	p.jsonFlag(cmd)
	f.form.addSymbols(cmd)
	completeWords(cmd, "scope", wordsOf(symbolScopes)...)
	p.completeRepos(cmd, "repo", allRepos)
	p.completeLanguages(cmd, "lang")
	return cmd
}

// symbolScopes are the scopes of lists of symbols.
var symbolScopes = []code.Scope{code.ScopeAll, code.ScopeCode, code.ScopeTest, code.ScopeDocs}

func (p *program) listSymbols(ctx context.Context, f *symbolsFlags) (err error) {
	req := f.request
	if req.Scope, err = oneOf("scope", f.scope, symbolScopes); err != nil {
		return err
	}
	if req.Kinds, err = symbols.ParseKinds(f.kinds); err != nil {
		return err
	}
	if err := f.form.fits(p.json); err != nil {
		return err
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		list, err := p.reposAt(ctx, w, f.repos, f.ref)
		if err != nil {
			return err
		}
		here := p.stands(list, f.repos)
		if req.Paths, err = here.globs(req.Paths); err != nil {
			return err
		}
		bar := p.newProgress()
		found, err := symbols.List(ctx, list, workspace.Wait{Progress: bar.show}, req)
		bar.finish()
		if err != nil {
			return err
		}
		o := p.listOptions()
		o.Repo, o.Ref, o.Here = oneRepo(f.repos), f.ref, here.folder
		if err := p.list(render.SymbolList{Answer: found}, f.form.form(), o); err != nil {
			return err
		}
		return outcome(len(found.Left) > 0, found.Total > 0)
	})
}

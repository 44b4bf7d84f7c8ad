package cli

import (
	"context"
	"strings"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/render"
	"espy/internal/search"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// searchFlags are the flags of espy search.
type searchFlags struct {
	mode, detail, scope  string
	ref                  string
	repos                []string
	context              int
	request              hit.Request
	before, after, limit int
}

func (p *program) searchCommand() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Find code by words, exact text or regular expression",
		Long: `Finds code in the repository of the working directory: the nearest folder
above it with a .git, else the working directory itself. It is indexed on
first use, and brought up to date before each answer.

The modes:
  keyword  ranked files for words, in any order. AND, OR, NOT, (groups),
           "phrases", -word, and the prefixes path: lang: scope: repo: symbol:
           and kind:. In sentences of eight words or more all but the prefixes
           are words. A query that is one name has its definition first.
  literal  every line with exactly this text, punctuation and case kept
  regex    every line that matches, in RE2 syntax
  auto     keyword, or literal where the query has no word in it (the default)

symbol:NAME finds files that define a name, which may be qualified
(Type.method, Type::method, path#Type.method). kind:KIND finds only what stands
in a symbol of a kind: func, method, type, class, interface, struct, enum,
trait, const, var, field, macro or module; several, with commas, are either.
Both go by the syntax of a file, or by its lines while it is not parsed.
A hit tells its symbol and how often that bare name is called: "3 calls by name"
counts the calls of other symbols of that name too; espy references does not.

Globs of --path are relative to the root of the repository, wherever the
command is run. One without a slash matches file names at any depth, a folder
matches everything below it, and one that starts with ! excludes.

With --ref the files are those of a branch, tag or commit, without a checkout.
A commit is indexed when it is first asked about. NAME@REF names it too
wherever a repository is named.`,
		Example: `  espy search 'where are ignore rules applied'
  espy search --mode literal 'fmt.Errorf("%w' --lang go -C 2
  espy search --mode regex 'func \(\w+ \*Server\) \w+' --path 'net/**' --scope test
  espy search 'auth AND (token OR session) NOT deprecated' --repo all
  espy search 'retry kind:method,func path:net/**'
  espy search --ref v1.2 'func OldName' --mode literal
  espy search --json --limit 100 parseConfig`,
		Args: needArgs(1, "a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.search(cmd.Context(), strings.Join(args, " "), &f)
		},
	}
	p.jsonFlag(cmd)
	p.searchFlags(cmd, &f)
	completeWords(cmd, "mode", wordsOf(hit.Modes)...)
	completeWords(cmd, "detail", wordsOf(hit.Details)...)
	completeWords(cmd, "scope", wordsOf(code.Scopes)...)
	p.completeRepos(cmd, "repo", allRepos)
	p.completeLanguages(cmd, "lang")
	return cmd
}

func (p *program) searchFlags(cmd *cobra.Command, f *searchFlags) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.mode, "mode", "m", string(hit.ModeAuto), "`how` to read the query: auto, keyword, literal or regex")
	flags.IntVarP(&f.limit, "limit", "n", 0, "show at most `n` hits, without ceiling (0: 10 ranked files or 50 lines)")
	flags.IntVar(&f.request.Offset, "offset", 0, "leave out the first `n` hits")
	flags.StringVar(&f.scope, "scope", string(code.ScopeAll), "`kind` of files: all, code, test, docs or deps")
	flags.StringArrayVarP(&f.request.Languages, "lang", "l", nil, "only files in this `language`; may be repeated, !name excludes")
	flags.StringArrayVarP(&f.request.Paths, "path", "p", nil, "only files that match this `glob`; may be repeated, !glob excludes")
	flags.StringArrayVarP(&f.repos, "repo", "r", nil, "`repository` by name, path or UUID, or all; may be repeated")
	p.refFlag(cmd, &f.ref)
	flags.BoolVarP(&f.request.IgnoreCase, "ignore-case", "i", false, "literal and regex: let capitals match small letters")
	flags.BoolVarP(&f.request.Word, "word", "w", false, "literal and regex: only whole words")
	flags.IntVarP(&f.context, "context", "C", 0, "literal and regex: show `n` lines around each match")
	flags.IntVarP(&f.after, "after-context", "A", 0, "literal and regex: show `n` lines after each match")
	flags.IntVarP(&f.before, "before-context", "B", 0, "literal and regex: show `n` lines before each match")
	flags.StringVar(&f.detail, "detail", string(hit.DetailLines), "how `much` of a hit to show: locate, lines or full")
	flags.Int("max-tokens", 0, "bound the answer to `n` tokens of 4 bytes (0: no bound)")
	flags.BoolVar(&f.request.Explain, "explain", false, "show what made up each score")
	bindSetting(flags, "limit", "limit")
	bindSetting(flags, "max-tokens", "max_tokens")
}

// request makes the request out of the flags.
func (p *program) request(query string, f *searchFlags) (hit.Request, error) {
	req := f.request
	req.Query = query
	req.Limit, req.MaxTokens = int(p.cfg.Limit), int(p.cfg.MaxTokens)
	var err error
	if req.Mode, err = oneOf("mode", f.mode, hit.Modes); err != nil {
		return req, err
	}
	if req.Detail, err = oneOf("detail", f.detail, hit.Details); err != nil {
		return req, err
	}
	if req.Scope, err = oneOf("scope", f.scope, code.Scopes); err != nil {
		return req, err
	}
	for flag, n := range map[string]int{"offset": req.Offset, "context": f.context, "after-context": f.after, "before-context": f.before} {
		if n < 0 {
			return req, &usage.Error{Msg: "--" + flag + " must be 0 or more"}
		}
	}
	req.Before, req.After = max(f.context, f.before), max(f.context, f.after)
	return req, nil
}

func (p *program) search(ctx context.Context, query string, f *searchFlags) error {
	req, err := p.request(query, f)
	if err != nil {
		return err
	}
	q, err := search.Compile(req)
	if err != nil {
		return err
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		list, err := reposAt(ctx, w, f.repos, f.ref)
		if err != nil {
			return err
		}
		bar := p.newProgress()
		res, err := w.Search(ctx, list, q, workspace.Wait{Progress: bar.show})
		bar.finish()
		if err != nil {
			return err
		}
		return p.printSearch(res, &req, f)
	})
}

func (p *program) printSearch(res *hit.Result, req *hit.Request, f *searchFlags) error {
	o := p.listOptions()
	o.Repo, o.Ref = oneRepo(f.repos), f.ref
	err := p.answer(render.Search{Result: res, Request: req}, o)
	if err == nil && len(res.Hits) == 0 {
		err = errNothing
	}
	return err
}

package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/files"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
)

// navFlags are the flags that questions about symbols share.
type navFlags struct {
	at, repo, ref string
	several       bool     // a question over several repositories can be asked
	repos         []string // with several: instead of repo
	paths         []string // globs, of questions that take them
	limit, offset int
	stand         stand         // of the question, once its repositories are known
	scope         string        // of questions that packages can be asked
	library       *deps.Library // of the workspace of the question
	form          render.Form   // the usual one unless the command has others
}

// question is one about the symbols of repositories, or of the packages that one uses.
func (f *navFlags) question(list []*workspace.Repo, w workspace.Wait) deps.Question {
	return deps.Question{Library: f.library, Repos: list, Scope: code.Scope(f.scope), Paths: f.paths, Wait: w}
}

// scopeFlag adds --scope to a question that packages can be asked.
func scopeFlag(cmd *cobra.Command, scope *string) {
	cmd.Flags().StringVar(scope, "scope", "", "deps: `ask` the packages that the repository uses")
	completeWords(cmd, "scope", string(code.ScopeDeps))
}

func (p *program) navFlags(cmd *cobra.Command, f *navFlags, at bool) {
	flags := cmd.Flags()
	flags.SortFlags = false
	if at {
		flags.StringVar(&f.at, "at", "", "the symbol used or defined at `PATH:LINE[:COLUMN]`")
	}
	flags.IntVarP(&f.limit, "limit", "n", 0, "show at most `n` results (0: the usual number)")
	flags.IntVar(&f.offset, "offset", 0, "skip the first `n` results")
	if f.several {
		flags.StringArrayVarP(&f.repos, "repo", "r", nil, "`repository` by name, path or UUID, or all; repeatable")
	} else {
		flags.StringVarP(&f.repo, "repo", "r", "", "`repository` by name, path or UUID")
	}
	p.refFlag(cmd, &f.ref)
	flags.Int("max-tokens", 0, "limit the answer to `n` tokens of 4 bytes (0: no limit)")
	bindSetting(flags, "max-tokens", "max_tokens")
	p.jsonFlag(cmd)
	if f.several {
		p.completeRepos(cmd, "repo", allRepos)
	} else {
		p.completeRepos(cmd, "repo")
	}
}

// target is the symbol of the question.
func (f *navFlags) target(args []string) (locate.Target, error) {
	switch {
	case len(args) == 0 && f.at == "":
		return locate.Target{}, &usage.Error{Msg: "neither a symbol nor --at is given", Hint: "name the symbol, or give --at PATH:LINE:COLUMN"}
	case len(args) > 0 && f.at != "":
		return locate.Target{}, &usage.Error{Msg: "both a symbol and --at are given", Hint: "give only one of them"}
	case len(args) > 0 && !place.IsPosition(args[0]):
		return locate.Target{Name: f.inPackage(place.ParseName(args[0]))}, nil
	case len(args) > 0:
		f.at = args[0]
	}
	at, err := place.ParsePosition(f.at)
	return locate.Target{Path: f.inPackage(at.Path), Line: at.Line, Column: at.Column}, err
}

// inPackage takes the name of a package off a path, and has the question asked there.
func (f *navFlags) inPackage(path string) string {
	if ref, rest, ok := deps.CutRef(path); ok && f.repo == "" && len(f.repos) == 0 && f.scope != string(code.ScopeDeps) {
		f.repo = ref
		return rest
	}
	return path
}

// owner finds the repository or the package that a path is of, and the path in it.
func (f *navFlags) owner(ctx context.Context, r *workspace.Repo, path string, w workspace.Wait) (*workspace.Repo, string, error) {
	in, rest, err := f.question([]*workspace.Repo{r}, w).At(ctx, path)
	if err == nil && in != r {
		f.repos = []string{in.Name()}
	}
	return in, rest, err
}

// navigate runs ask on the repository of the flags. The end that it returns is
// that of the command.
func (p *program) navigate(ctx context.Context, f *navFlags, ask func(r *workspace.Repo, w workspace.Wait) (a render.Answer, end error, err error)) error {
	return p.navigateOver(ctx, f, func(list []*workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
		if len(list) != 1 {
			return nil, nil, &usage.Error{Msg: "this command works on one repository", Hint: "name it with --repo; espy status lists them"}
		}
		return ask(list[0], w)
	})
}

// navigateOver is navigate for questions over several repositories.
func (p *program) navigateOver(ctx context.Context, f *navFlags, ask func(list []*workspace.Repo, w workspace.Wait) (a render.Answer, end error, err error)) error {
	if f.limit < 0 || f.offset < 0 {
		return &usage.Error{Msg: "--limit and --offset must be 0 or more"}
	}
	if f.repo != "" {
		f.repos = []string{f.repo}
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		list, err := p.reposAt(ctx, w, f.repos, f.ref)
		if err != nil {
			return err
		}
		f.stand = p.stands(list, f.repos)
		if f.paths, err = f.stand.globs(f.paths); err != nil {
			return err
		}
		near := p.near(ctx, list...)
		f.library = deps.LibraryOf(w)
		bar := p.newProgress()
		a, end, err := ask(list, workspace.Wait{Progress: bar.show})
		bar.finish()
		if err != nil {
			return err
		}
		o := p.renderOptions()
		o.MaxTokens, o.Repo, o.Ref, o.Here = int(p.cfg.MaxTokens), oneRepo(f.repos), f.ref, f.stand.folder
		if len(list) > 1 {
			o.Repo = allRepos
			if !slices.Contains(f.repos, allRepos) {
				o.Repo = strings.Join(f.repos, ",")
			}
		}
		o.Tasks = near()
		if f.form.Kind != "" {
			err = p.list(a, f.form, o)
		} else {
			err = p.answer(a, o)
		}
		if err != nil {
			return err
		}
		return end
	})
}

func (p *program) symbolCommand() *cobra.Command {
	f := navFlags{several: true}
	var req nav.SymbolRequest
	cmd := &cobra.Command{
		Use:   "symbol [NAME]",
		Short: "Find where a symbol is defined, or what the use at a place means",
		Long: `Finds the definitions of a symbol. Name it as any language does (pkg.Type.Method,
Type::method, Type#method), by the id that answers give, or by a place where it is
used or defined, with or without --at. Each definition is shown with its signature and
documentation. --path lists only the definitions in some files, and counts the others.

With several repositories (--repo all, --repo a,b, or --repo repeated), what one
imports from another leads there, and each path has the name of its repository in
front: NAME:PATH. A path or id may be given so, too.`,
		Example: `  espy symbol ParseConfig
  espy symbol 'Server.Close' --body
  espy symbol --at internal/api/server.go:120:14 --json
  espy symbol --at web:src/main.ts:3:10 --repo all`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if req.Target, err = f.target(args); err != nil {
				return err
			}
			req.Limit, req.Offset = f.limit, f.offset
			return p.navigateOver(cmd.Context(), &f, func(list []*workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
				if err := f.stand.target(&req.Target); err != nil {
					return nil, nil, err
				}
				found, in, err := deps.Symbols(cmd.Context(), f.question(list, w), req)
				if err != nil {
					return nil, nil, err
				}
				return &render.Symbols{Request: &req, In: in, Symbols: found}, outcome(false, len(found.Definitions) > 0), nil
			})
		},
	}
	p.navFlags(cmd, &f, true)
	pathFlag(cmd, &f.paths)
	scopeFlag(cmd, &f.scope)
	cmd.Flags().BoolVar(&req.Body, "body", false, "show the code of each definition")
	return cmd
}

func (p *program) referencesCommand() *cobra.Command {
	f := navFlags{several: true}
	var req nav.ReferencesRequest
	kind := ""
	cmd := &cobra.Command{
		Use:   "references [SYMBOL]",
		Short: "Find the uses of a symbol, and the files to change with it",
		Long: `Finds the uses of a symbol, which is named as for espy symbol. They are resolved
by scope, import, type and class hierarchy. Each use is certain, likely or
possible. Possible uses, which may mean another symbol, are listed separately.
If several symbols have the same bare name, they are listed instead of their uses.
If only one is the program's own, and the others stand in tests, examples, generated
or vendored code, that one is meant, and a note counts the others.

--union loses no use of a bare name: it lists the uses of every symbol that has
it and, as possible, everything else that bears it in code, whether or not the
grammar shows it: in macros, in templates, in files that could not be parsed, and in
comments that are written like code. Other mentions in comments, strings and files
without a grammar are counted; with --kind mentions, it lists these. Without --union, an
answer counts the uses of the name that it leaves out.

--path lists only the uses in some files, and counts the others: the symbol may be
declared elsewhere.

PATH#SYMBOL means the symbol of that file. With several repositories (--repo), uses
are found in those that import the package that declares the symbol, as espy symbol
describes.`,
		Example: `  espy references ParseConfig
  espy references internal/api/server.go#Server.Close --kind calls
  espy references --at internal/api/server.go:120:14
  espy references Server.Close --path internal/ --path '!*_test.go'
  espy references Close --union --json
  espy references lib:src/api.go#Server.Close --repo all`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if req.Target, err = f.target(args); err != nil {
				return err
			}
			if req.Kind, err = oneOf("kind", kind, nav.Kinds); err != nil {
				return err
			}
			req.Limit, req.Offset = f.limit, f.offset
			return p.navigateOver(cmd.Context(), &f, func(list []*workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
				if err := f.stand.target(&req.Target); err != nil {
					return nil, nil, err
				}
				found, in, err := deps.References(cmd.Context(), f.question(list, w), req)
				if err != nil {
					return nil, nil, err
				}
				return &render.References{Request: &req, In: in, References: found}, outcome(found.Left > 0, found.Total+found.Possible > 0), nil
			})
		},
	}
	p.navFlags(cmd, &f, true)
	pathFlag(cmd, &f.paths)
	scopeFlag(cmd, &f.scope)
	cmd.Flags().StringVar(&kind, "kind", string(nav.KindAll), "`kind` of use: "+strings.Join(wordsOf(nav.Kinds), ", "))
	cmd.Flags().BoolVar(&req.Union, "union", false, "show the uses of all symbols that have the name, and every other place in code with it")
	completeWords(cmd, "kind", wordsOf(nav.Kinds)...)
	return cmd
}

func (p *program) outlineCommand() *cobra.Command {
	var f navFlags
	var req nav.OutlineRequest
	cmd := &cobra.Command{
		Use:   "outline [PATH]",
		Short: "List the symbols of a file, a folder or the whole repository",
		Long: `Lists what a file, or each file of a folder, declares, with lines and signatures.
PATH is relative to the root of the repository; the id of a symbol, PATH#SYMBOL,
means it and what it holds. Without PATH, the whole repository is outlined.
deps/ECOSYSTEM/NAME@VERSION, with or without a path in it, is a package (espy deps);
with --scope deps, a path as imports write it is, too.`,
		Example: `  espy outline internal/api
  espy outline internal/api/server.go --metrics
  espy outline --json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := place.ParseName(argOr(args, ""))
			if ref, rest, ok := deps.CutRepo(path); ok && f.repo == "" {
				f.repo, path = ref, rest
			}
			req.Limit, req.Offset = f.limit, f.offset
			return p.navigate(cmd.Context(), &f, func(r *workspace.Repo, w workspace.Wait) (a render.Answer, end error, err error) {
				if r, path, err = f.owner(cmd.Context(), r, path, w); err != nil {
					return nil, nil, err
				}
				if len(f.repos) > 0 {
					f.stand = stand{} // in a package, or in a repository that is named
				}
				if path, err = f.stand.id(path); err != nil {
					return nil, nil, err
				}
				if path, err = f.stand.path(path); err != nil {
					return nil, nil, err
				}
				req.Path = place.FromRoot(path)
				if file, _, _ := strings.Cut(req.Path, "#"); file != "" {
					w.Below = []string{"/" + files.Escape(file)}
				}
				found, in, err := r.Outline(cmd.Context(), req, w)
				if err != nil {
					return nil, nil, err
				}
				return &render.Outline{Request: &req, In: in, Outline: found}, outcome(found.Left > 0, len(found.Files) > 0), nil
			})
		},
	}
	p.navFlags(cmd, &f, false)
	scopeFlag(cmd, &f.scope)
	cmd.Flags().BoolVar(&req.Metrics, "metrics", false, "show complexity and size")
	cmd.Flags().BoolVar(&req.Locals, "locals", false, "also show parameters and names inside functions")
	return cmd
}

package cli

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/files"
	"espy/internal/place"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

// filesFlags are the flags of espy files.
type filesFlags struct {
	repos   []string
	scope   string
	ref     string
	request files.Request
	endings []string // of the names, without the dot
	globs   []string // beside the arguments
	without []string // globs of what is left out
	form    formFlags
}

func (p *program) filesCommand() *cobra.Command {
	var f filesFlags
	cmd := &cobra.Command{
		Use:   "files [GLOB...]",
		Short: "List the files of the index, or those it leaves out and why",
		Long: `Lists the indexed files that match a glob, or all of them. Globs are relative to
the working directory, or with --repo to the root of that repository. A glob without a
slash matches file names at any depth, a folder matches everything below it, and a
leading ! excludes. Without a terminal the paths are printed alone, one a line.

--excluded lists the files that are not in the index, each with its reason.
--unparsed lists the files that cannot be parsed for their symbols, and why; their
text is searched all the same.`,
		Example: `  espy files 'src/**/*_test.go'
  espy files --lang go --scope test --limit 20
  espy files -e ts -e tsx src
  espy files --excluded
  espy files --excluded '*.pem' --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, g := range append(args, f.globs...) {
				f.request.Paths = append(f.request.Paths, place.ParseName(g))
			}
			for _, g := range f.without {
				f.request.Paths = append(f.request.Paths, "!"+place.ParseName(g))
			}
			for _, l := range f.request.Languages {
				if slices.Contains(kindsOfFiles, l) {
					return &usage.Error{Arg: "lang", Value: l, Msg: "a kind of files, and -t names a language here", Hint: "files alone are listed; -t go lists those of a language, espy overview the folders"}
				}
			}
			if err := f.ending(); err != nil {
				return err
			}
			return p.listFiles(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVarP(&f.request.Excluded, "excluded", "x", false, "list the files that the index leaves out, and why")
	flags.BoolVar(&f.request.Unparsed, "unparsed", false, "only files that cannot be parsed for their symbols, and why")
	flags.IntVarP(&f.request.Limit, "limit", "n", 0, "list at most `n` files (0: all)")
	flags.IntVar(&f.request.Offset, "offset", 0, "skip the first `n` files")
	flags.StringArrayVarP(&f.endings, "extension", "e", nil, "only files whose names end in a dot and this `text`; repeatable")
	flags.StringArrayVarP(&f.globs, "glob", "g", nil, "the same as an argument `GLOB`")
	flags.StringArrayVarP(&f.without, "exclude", "E", nil, "the same as an argument `!GLOB`")
	flags.StringVar(&f.request.Regex, "regex", "", "only paths that match this regular `expression`")
	flags.StringVar(&f.scope, "scope", string(code.ScopeAll), "`kind` of files: all, code, test, docs or deps")
	flags.StringArrayVarP(&f.request.Languages, "lang", "t", nil, "only files in this `language`; repeatable, !name excludes")
	flags.StringArrayVarP(&f.repos, "repo", "r", nil, "`repository` by name, path or UUID, or all; repeatable")
	p.refFlag(cmd, &f.ref)
	p.jsonFlag(cmd)
	f.form.addFiles(cmd)
	completeWords(cmd, "scope", wordsOf(code.Scopes)...)
	p.completeRepos(cmd, "repo", allRepos)
	p.completeLanguages(cmd, "lang")
	return cmd
}

// ending asks for the endings of names.
func (f *filesFlags) ending() error {
	if len(f.endings) == 0 {
		return nil
	}
	if f.request.Regex != "" {
		return &usage.Error{Msg: "--extension and --regex exclude each other", Hint: `write the ending in the expression, as in --regex '\.go$'`}
	}
	var all []string
	for _, e := range f.endings {
		all = append(all, regexp.QuoteMeta(strings.TrimPrefix(e, ".")))
	}
	f.request.Regex = `(?i)\.(?:` + strings.Join(all, "|") + `)$`
	return nil
}

func (p *program) listFiles(ctx context.Context, f *filesFlags) error {
	req := f.request
	var err error
	if req.Scope, err = oneOf("scope", f.scope, code.Scopes); err != nil {
		return err
	}
	if req.Limit < 0 || req.Offset < 0 {
		return &usage.Error{Msg: "--limit and --offset must be 0 or more"}
	}
	if err := f.form.fits(p.json); err != nil {
		return err
	}
	if err := req.Check(); err != nil {
		return err
	}
	return p.withWorkspace(func(w *workspace.Workspace) error {
		in, err := p.reposAt(ctx, w, f.repos, f.ref)
		if err != nil {
			return err
		}
		here := p.stands(in, f.repos)
		if req.Paths, err = here.globs(req.Paths); err != nil {
			return err
		}
		bar := p.newProgress()
		wait := workspace.Wait{Progress: bar.show}
		in, notes, err := deps.InScope(ctx, w, in, req.Scope, wait)
		if err != nil {
			return err
		}
		list, err := files.Find(ctx, in, wait, req)
		bar.finish()
		if err != nil {
			return err
		}
		list.Notes = notes
		o := p.listOptions()
		o.Repo, o.Ref, o.Here = oneRepo(f.repos), f.ref, here.folder
		if err := p.list(render.Files{List: list}, f.form.filesForm(p.terminal || req.Excluded || req.Unparsed), o); err != nil {
			return err
		}
		return outcome(len(list.Left) > 0, len(list.Entries) > 0)
	})
}

package cli

import (
	"context"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/deps"
	"espy/internal/hit"
	"espy/internal/lately"
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
	changedSince         string
	context              int
	request              hit.Request
	before, after, limit int
	missing              string // what is said where the last word of the query may be meant as a place
	asGrep               grepFlags
	form                 formFlags
}

func (p *program) searchCommand() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search QUERY... [FOLDER...]",
		Short: "Find code by words, exact text or regular expression",
		Long: `Finds code in the repository of the working directory: the nearest folder above
it that has a .git, or else the working directory itself. The repository is
indexed on first use and brought up to date before each answer.

Modes:
  keyword  files ranked for words in any order. AND, OR, NOT, (groups),
           "phrases", -word and the prefixes path: lang: scope: repo: symbol:
           and kind: have a meaning, language:, file:, ext: and sym: too. In a
           sentence of eight words or more, only the prefixes do, and one whose
           value cannot be is a word. If the query is one name, its definition
           comes first; of a message that a program printed, the file it stands in;
           of what a compiler, a linter or a run of tests printed, the place that its
           first error names.
  literal  every line that contains exactly this text, with its punctuation and case
  regex    every line that matches this RE2 regular expression; with -U matches may
           span lines, each for the line it starts in
  structure
           every line where code of a form begins: a pattern is code with holes, $NAME
           for one expression, $$$ for any number of nodes (docs/structure-search.md)
  semantic files whose code means what the whole text says, whatever its words:
           every piece of code is compared. Only path: lang: scope: and repo: have
           a meaning
  auto     keyword, or literal if the query has no word in it (the default)

symbol:NAME finds files that define NAME, which may be qualified (Type.method,
Type::method, path#Type.method). kind:KIND finds only code inside a symbol of
that kind: func, method, type, class, interface, struct, enum, trait, const, var,
field, macro or module. Separate several kinds with commas. Both use the syntax
of a file, or its outline until it has been parsed.

A hit names its symbol and counts the calls of that name: "3 calls by name"
includes calls of other symbols with the same name. espy references tells them
apart.

QUERY - reads it from standard input where words are searched for: a log, a report. Of
a text of more than 10,000 bytes what tells most is searched for, and a note says so.

Paths and globs are relative to the working directory, those of answers too; with
--repo, to the root of that repository. A glob without a slash matches file names at
any depth, a folder matches everything below it, and a leading ! excludes. Arguments
behind the first that are folders, or paths with a slash, are searched in, as by
--path. In a ranked mode, files below the working directory stand before others
that answer about as well (setting here_first).

--working and --changed-since say what you work on, and nothing else does: files
at hand rank before others that answer as well, and no file is found by it.

In a git repository, files rank higher if past commits about the question changed
them, most of all if it asks for a change ("fix ...", "add ...", "net: ...").

--ref searches the files of a branch, tag or commit without a checkout. The commit
is indexed on first use. NAME@REF means the same wherever a repository is named.`,
		Example: `  espy search 'where are ignore rules applied'
  espy search --mode literal 'fmt.Errorf("%w' --lang go -C 2
  espy search --mode structure 'fmt.Errorf($MSG, $ERR)' --lang go
  espy search --mode semantic 'wait longer after each failed attempt'
  espy search --mode regex 'func \(\w+ \*Server\) \w+' --path 'net/**' --scope test
  espy search 'auth AND (token OR session) NOT deprecated' --repo all
  espy search 'retry kind:method,func path:net/**'
  espy search -F 'TODO(' internal docs
  espy search -e 'func New\w+' -t go --vimgrep
  make 2>&1 | espy search -
  espy search 'who closes the connection' --working net/pool.go --changed-since main
  espy search --ref v1.2 'func OldName' --mode literal
  espy search --json --limit 100 parseConfig`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.asGrep.pattern != "" {
				return nil
			}
			return needArgs(1, "a query")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.withoutFields(); err != nil {
				return err
			}
			words, folders := f.asGrep.split(args, p.isPlace)
			if err := f.asGrep.apply(cmd, &f); err != nil {
				return err
			}
			f.request.Paths = append(f.request.Paths, folders...)
			if n := len(words); n > 1 && len(folders) == 0 {
				f.missing = noPlace(words[n-1])
			}
			query := strings.Join(words, " ")
			if query == "-" && !hit.Mode(f.mode).FindsLines() {
				text, err := piped(cmd, hit.MaxPastedBytes)
				if err != nil {
					return err
				}
				query = strings.TrimSpace(text)
			}
			return p.search(cmd.Context(), query, &f)
		},
	}
	p.jsonFlag(cmd)
	p.searchFlags(cmd, &f)
	f.form.add(cmd)
	f.asGrep.add(cmd)
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
	flags.StringVarP(&f.mode, "mode", "m", string(hit.ModeAuto), "`how` to read the query: auto, keyword, literal, regex, structure or semantic")
	flags.IntVarP(&f.limit, "limit", "n", 0, "show at most `n` hits (0: 10 ranked files or 50 lines)")
	flags.IntVar(&f.request.Offset, "offset", 0, "skip the first `n` hits")
	flags.StringVar(&f.scope, "scope", string(code.ScopeAll), "`kind` of files: all, code, test, docs or deps")
	flags.StringArrayVarP(&f.request.Languages, "lang", "t", nil, "only files in this `language`; repeatable, !name excludes")
	pathFlag(cmd, &f.request.Paths)
	flags.StringArrayVarP(&f.repos, "repo", "r", nil, "`repository` by name, path or UUID, or all; repeatable")
	p.refFlag(cmd, &f.ref)
	flags.BoolVarP(&f.request.IgnoreCase, "ignore-case", "i", false, "literal and regex: ignore case")
	flags.BoolVarP(&f.request.Word, "word", "w", false, "literal and regex: match whole words only")
	flags.BoolVarP(&f.request.Multiline, "multiline", "U", false, "regex: a match may span lines; (?s) lets the dot match line ends")
	flags.IntVarP(&f.context, "context", "C", 0, "literal and regex: show `n` lines around each match")
	flags.IntVarP(&f.after, "after-context", "A", 0, "literal and regex: show `n` lines after each match")
	flags.IntVarP(&f.before, "before-context", "B", 0, "literal and regex: show `n` lines before each match")
	flags.StringVar(&f.detail, "detail", "", "how `much` of each hit to show: locate, lines or full (default: lines, in text of the likely hits only)")
	flags.Int("max-tokens", 0, "limit the answer to `n` tokens of 4 bytes (0: no limit)")
	flags.StringArrayVar(&f.request.Work.Files, "working", nil, "keyword: `file` that you work on, which ranks before others like it; repeatable")
	flags.StringVar(&f.changedSince, "changed-since", "", "keyword: rank files before others that changed since this `commit` or day, the later and the more often the higher")
	flags.BoolVar(&f.request.Explain, "explain", false, "show how each score is made up")
	bindSetting(flags, "limit", "limit")
	bindSetting(flags, "max-tokens", "max_tokens")
}

// request makes the request of the flags.
func (p *program) request(query string, f *searchFlags) (hit.Request, error) {
	req := f.request
	req.Query = query
	req.Limit, req.MaxTokens, req.ShowSecrets = int(p.cfg.Limit), int(p.cfg.MaxTokens), p.cfg.ShowSecrets
	var err error
	if req.Mode, req.Query, err = f.asGrep.mode(req.Query, f.mode); err != nil {
		return req, err
	}
	if req.Query, req.Mode, err = foreignQuery(req.Query, req.Mode, &req); err != nil {
		return req, err
	}
	if req.Mode, err = oneOf("mode", string(req.Mode), hit.Modes); err != nil {
		return req, err
	}
	if f.detail == "" {
		req.Brief = !p.json
	} else if req.Detail, err = oneOf("detail", f.detail, hit.Details); err != nil {
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
	if err := f.form.shape(&req); err != nil {
		return req, err
	}
	return req, refuseIgnored(&req, f)
}

// changedSince compiles a request for one repository with what changed there.
func changedSince(ctx context.Context, list []*workspace.Repo, since string, req hit.Request) (*search.Query, error) {
	if len(list) != 1 {
		return nil, &usage.Error{Msg: "--changed-since is about one repository", Hint: "name it with --repo"}
	}
	if err := lately.Since(ctx, list[0], since, &req.Work); err != nil {
		return nil, err
	}
	if err := refuseIgnored(&req, &searchFlags{}); err != nil {
		return nil, err
	}
	return search.Compile(req)
}

// refuseIgnored refuses a flag that the mode of a request makes nothing of, by the
// name that was given. What the flags do not say was changed since a commit.
func refuseIgnored(req *hit.Request, f *searchFlags) error {
	context, work := "--context", "--changed-since"
	switch {
	case f.context > 0:
	case f.before > 0:
		context = "--before-context"
	case f.after > 0:
		context = "--after-context"
	}
	if len(req.Work.Files) > 0 {
		work = "--working"
	}
	return req.RefuseIgnored(hit.Names{
		IgnoreCase: "--ignore-case", Word: "--word", Multiline: "--multiline", Context: context, Explain: "--explain",
		Work: work, Mode: func(m hit.Mode) string { return "--mode " + string(m) },
	})
}

func (p *program) search(ctx context.Context, query string, f *searchFlags) error {
	req, err := p.request(query, f)
	if err != nil {
		return err
	}
	if err := f.form.fits(p.json); err != nil {
		return err
	}
	early := req // before anything is opened
	early.Paths = slices.DeleteFunc(slices.Clone(req.Paths), isFolderName)
	if len(early.Paths) == len(req.Paths) {
		if _, err := search.Compile(early); err != nil {
			return err
		}
	}
	asked := req
	return p.withWorkspace(func(w *workspace.Workspace) error {
		list, err := p.reposAt(ctx, w, f.repos, f.ref)
		if err != nil {
			return err
		}
		here := p.stands(list, f.repos)
		if err := here.request(&req); err != nil {
			return err
		}
		if p.cfg.HereFirst {
			req.Work.Here = string(here.folder)
		}
		q, err := search.Compile(req)
		if err != nil {
			return err
		}
		if f.changedSince != "" {
			if q, err = changedSince(ctx, list, f.changedSince, req); err != nil {
				return err
			}
		}
		near := p.near(ctx, list...)
		bar := p.newProgress()
		wait := workspace.Wait{Progress: bar.show, Below: q.Below()}
		list, notes, err := deps.InScope(ctx, w, list, req.Scope, wait)
		if err != nil {
			return err
		}
		res, err := w.Search(ctx, list, q, wait)
		bar.finish()
		if err != nil {
			return err
		}
		res.Notes = append(res.Notes, notes...)
		if note := here.whole(&req, res); note != "" {
			res.Notes = append(res.Notes, note)
		}
		if f.missing != "" {
			res.Notes = append(res.Notes, f.missing)
		}
		o := p.listOptions()
		o.Repo, o.Ref, o.Here, o.Tasks = oneRepo(f.repos), f.ref, here.folder, near()
		if err := p.list(render.Search{Result: res, Request: &asked}, f.form.form(), o); err != nil {
			return err
		}
		return outcome(res.Partial, len(res.Hits) > 0)
	})
}

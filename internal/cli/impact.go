package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"espy/internal/impact"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"
)

func (p *program) impactCommand() *cobra.Command {
	f := navFlags{several: true}
	var req impact.Request
	diff, format := "", ""
	tests, null := false, false
	cmd := &cobra.Command{
		Use:   "impact [WHAT|-]",
		Short: "Find what a change affects, and the tests to run",
		Long: `Finds what a change affects: the symbols that use what changes and those that use
them, by distance and each with the reason; their files; where it shows outside
of the program; and the files of tests to run, the surest first.

WHAT is what changes:
  a symbol        by name or id, as in espy symbol
  a file          PATH, or some lines of it, PATH:10-40
  -               a diff on standard input, as git diff prints it; --diff reads a file
Without WHAT it is what differs between the work tree and the commit that is
checked out, or that of --since. The index holds either side of a diff: one that
was applied, or one that was not yet.

A symbol whose signature changed, or that was removed, affects its users for
certain; one whose body changed alone, likely; one that was added, or whose
documentation changed, does not. An answer is as certain as the least certain step.

For a file of tests speaks that it uses what is affected, that it bears the name of
a changed file or stands beside it, and that commits changed it together with one.
At most a tenth of all files of tests are named, or five. The command that runs the
surest is a suggestion: nothing of the repository is run.

With several repositories (--repo), what is affected in those that import from the
changed one is found, too, and the tests of each. Without WHAT, the work trees of all
are compared. Each file of a diff is of the repository that it applies to; NAME: or
NAME/ may stand in front of its paths.

A symbol or a file of a package (espy deps), by its name there or with --scope deps:
what its change affects in the repository that uses it, and the tests of that.`,
		Example: `  espy impact
  espy impact --since main
  espy impact internal/api/server.go#Server.Close --depth 2
  espy impact internal/api/server.go:40-75 --json
  git diff main...topic | espy impact -
  espy impact --tests -0 | xargs -0 pytest
  espy impact lib:src/api.go --repo all
  espy impact deps/go/github.com/spf13/cobra@v1.10.2:command.go#Command.Execute`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if req.What, req.Diff, err = p.whatOf(argOr(args, ""), diff); err != nil {
				return err
			}
			var as render.Diagram
			if format != "" {
				if as, err = oneOf("format", format, render.Diagrams); err != nil {
					return err
				}
			}
			if tests || null {
				if p.json || format != "" {
					return &usage.Error{Msg: "--tests prints paths alone", Hint: "leave out --json and --format, or --tests: --json has the tests with their reasons"}
				}
				f.form = render.Form{Kind: render.Paths, Null: null}
			}
			req.Limit, req.Offset = f.limit, f.offset
			return p.navigateOver(cmd.Context(), &f, func(list []*workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
				if req.What, err = f.stand.what(req.What); err != nil {
					return nil, nil, err
				}
				found, err := impact.Find(cmd.Context(), f.question(list, w), req)
				if err != nil {
					return nil, nil, err
				}
				a, end := &render.Impact{Request: &req, Impact: found}, outcome(found.Left > 0, len(found.Changed)+len(found.Candidates) > 0)
				if tests || null {
					return a, outcome(found.Left > 0, len(found.Tests) > 0), nil
				}
				if as != "" && len(found.Candidates) == 0 {
					return render.DrawnImpact{Impact: a, As: as}, end, nil
				}
				return a, end, nil
			})
		},
	}
	p.navFlags(cmd, &f, false)
	scopeFlag(cmd, &f.scope)
	flags := cmd.Flags()
	flags.StringVar(&diff, "diff", "", "instead of WHAT: read a diff from this `file`")
	flags.StringVar(&req.Since, "since", "", "instead of WHAT: compare the work tree with this `commit`, day (2024-01-31) or time")
	flags.IntVar(&req.Depth, "depth", 0, fmt.Sprintf("follow uses `n` steps, at most %d (0: %d)", impact.MaxDepth, impact.DefaultDepth))
	flags.StringVar(&format, "format", "", "write a `diagram` of the affected symbols: mermaid or dot")
	flags.BoolVar(&tests, "tests", false, "print only the paths of the tests to run, the surest first")
	flags.BoolVarP(&null, "null", "0", false, "as --tests, each path with a NUL byte behind it, as xargs -0 reads it")
	completeWords(cmd, "format", wordsOf(render.Diagrams)...)
	return cmd
}

// whatOf says what changes: what is named, or a diff on standard input or in a file.
func (p *program) whatOf(arg, file string) (what, diff string, err error) {
	var from io.Reader
	switch {
	case arg == "-" && file == "":
		from = p.stdin
	case file == "":
		return arg, "", nil
	case arg != "":
		return "", "", &usage.Error{Msg: "both WHAT and --diff are given", Hint: "give only one of them"}
	default:
		f, err := p.open(file)
		if err != nil {
			return "", "", err
		}
		defer f.Close()
		from = f
	}
	text, err := io.ReadAll(io.LimitReader(from, impact.MaxDiff+1))
	if err != nil {
		return "", "", fmt.Errorf("read the diff: %w", err)
	}
	if len(text) == 0 {
		return "", "", &usage.Error{Msg: "the diff is empty", Hint: "nothing differs, or git diff was given another range; espy impact looks at the work tree itself"}
	}
	return "", string(text), nil
}

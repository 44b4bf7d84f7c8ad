package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"espy/internal/calls"
	"espy/internal/code"
	"espy/internal/render"
	"espy/internal/workspace"
)

// callsFlags are the flags of espy calls.
type callsFlags struct {
	navFlags
	callers, callees bool
	format           string
	request          calls.Request
}

func (p *program) callsCommand() *cobra.Command {
	f := callsFlags{navFlags: navFlags{several: true}}
	cmd := &cobra.Command{
		Use:   "calls [SYMBOL]",
		Short: "Find who calls a function and what it calls, and the way from one to another",
		Long: `Lists the callers of a function (the default), or with --callees what it calls, as a
tree of --depth steps. SYMBOL is named as for espy symbol; PATH alone means the code
of that file outside of functions. Each line has the line of code that proves it.

Calls are those of functions, methods and constructors, and accesses of properties.
Notes in parentheses say what is not plain:
  passed    the function is named without a call: as an argument, a value, a decorator
  may run   a call of a member that this one overrides or implements
  likely    with the reason; possible calls are counted, and listed with --possible
  1 of 3    the call may mean one of several functions
  N times   as often in that function; the first place is shown
  again     what follows is listed in another place
  cycle     the function is among those that lead here

Of a type, the callers are those that make a value of it, and the callees those of
its functions. Code in an unnamed function counts for the function round it.

--path lists, and follows, only callers and callees in some files, and counts the others.

With --to, one of the shortest ways of calls from SYMBOL to the other is shown.

With several repositories (--repo), calls are followed through imports from one into
another, as espy symbol describes.`,
		Example: `  espy calls ParseConfig
  espy calls Server.Close --callees --depth 3
  espy calls main --to Server.Close
  espy calls internal/api/server.go#Server.Close --depth 2 --format mermaid
  espy calls lib:src/api.go#Server.Close --depth 3 --repo all`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.calls(cmd.Context(), &f, args) },
	}
	p.navFlags(cmd, &f.navFlags, true)
	pathFlag(cmd, &f.paths)
	flags := cmd.Flags()
	flags.BoolVar(&f.callers, "callers", false, "list who calls it (the default)")
	flags.BoolVar(&f.callees, "callees", false, "list what it calls; with --callers both")
	flags.IntVar(&f.request.Depth, "depth", 0, "follow `n` steps, 1 to 5 (0: 1)")
	flags.StringVar(&f.request.To, "to", "", "find the way from SYMBOL to this `symbol`")
	flags.BoolVar(&f.request.Possible, "possible", false, "also list calls that may mean something else")
	flags.StringVar(&f.scope, "scope", string(code.ScopeAll), "`kind` of files that callers and callees are in: all, code (without tests), test, docs or deps")
	flags.StringVar(&f.format, "format", "", "write a `diagram`: mermaid or dot")
	completeWords(cmd, "scope", wordsOf(code.Scopes)...)
	completeWords(cmd, "format", wordsOf(render.Diagrams)...)
	return cmd
}

func (p *program) calls(ctx context.Context, f *callsFlags, args []string) (err error) {
	req := f.request
	if req.Target, err = f.target(args); err != nil {
		return err
	}
	if req.Scope, err = oneOf("scope", f.scope, code.Scopes); err != nil {
		return err
	}
	var as render.Diagram
	if f.format != "" {
		if as, err = oneOf("format", f.format, render.Diagrams); err != nil {
			return err
		}
	}
	switch {
	case f.callees && f.callers:
		req.Direction = calls.Both
	case f.callees:
		req.Direction = calls.Callees
	}
	req.Limit, req.Offset, req.To = f.limit, f.offset, strings.TrimSpace(req.To)
	return p.navigateOver(ctx, &f.navFlags, func(list []*workspace.Repo, w workspace.Wait) (render.Answer, error, error) {
		if err := f.stand.target(&req.Target); err != nil {
			return nil, nil, err
		}
		if req.To, err = f.stand.id(req.To); err != nil {
			return nil, nil, err
		}
		found, in, err := calls.Find(ctx, f.question(list, w), req)
		if err != nil {
			return nil, nil, err
		}
		a := &render.CallTree{In: in, Answer: found}
		end := outcome(found.Left > 0, found.Total > 0)
		if as != "" {
			return render.Drawn{CallTree: a, As: as}, end, nil
		}
		return a, end, nil
	})
}

package ranked_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/proof"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// orderQueries are more questions about the modules of goldenModules: output of
// programs, stack traces, conditions and filters of every kind.
var orderQueries = []hit.Request{
	{Query: "Error: unknown command \"srve\" for \"app\"\nRun 'app --help' for usage."},
	{Query: "unknown shorthand flag: 'z' in -z"},
	{Query: "2026-11-22T10:00:00Z warn app: flag \"--out\" has been deprecated, use --output: ignored"},
	{Query: "requires at least 2 arg(s), only received 1"},
	{Query: "invalid argument \"x\" for \"app\"\n\nDid you mean this?\n\tserve\n\tstop"},
	{Query: "E1122 10:00:00.123 1 main.go:9] failed to set required flags: flag accessed but not defined: out"},
	{Query: "if any flags in the group [a b] are set they must all be set; missing [b]"},
	{Query: "consider providing a Comparer to compare the unexported fields"},
	{Query: "one line\nsecond line\nthird line\n4\n5\n6\n7\n8\nif any flags in the group are set none of the others can be\n"},
	{Query: "jsonrpc2: connection closed before the response of call 17 was read"},
	{Query: "Traceback (most recent call last):\n  File \"/x/cobra/args.go\", line 20, in a\n    x()\n  File \"/x/cobra/command.go\", line 300, in b\n    y()\nError: z"},
	{Query: "goroutine 7 [running]:\ngithub.com/spf13/cobra.(*Command).execute(0x1)\n\t/go/cobra/command.go:900 +0x1\ngithub.com/spf13/cobra.(*Command).ExecuteC(0x1)\n\t/go/cobra/command.go:1040 +0x1\nmain.main()\n\t/go/cmp/compare.go:100 +0x1"},
	{Query: "at compare.go:120 and report_slices.go:33 and options.go"},
	{Query: "command.go:200"},
	{Query: "doc/yaml_docs.go"},
	{Query: "_docs.go of cobra"},
	{Query: "README.md install"},
	{Query: "cmp/internal/diff/diff.go"},
	{Query: `path:**/*_test.go "unknown flag"`},
	{Query: "symbol:Execute OR symbol:Equal"},
	{Query: "symbol:Command.Execute"},
	{Query: "symbol:cobra/command.go#Command.Execute"},
	{Query: "Command.ParseFlags()"},
	{Query: "repo:cobra how are the arguments of a session compared before it runs"},
	{Query: "how are the arguments of a repo:main session compared repo:cobra"},
	{Query: "symbol:command.go#Command.Execute"},
	{Query: "symbol:command.go#Command.Execute~2"},
	{Query: "symbol:command.go#Command.Execute~x"},
	{Query: "symbol:command.go#~2"},
	{Query: "symbol:command.go#init~2 OR symbol:cobra.go#init"},
	{Query: "command.go#Command"},
	{Query: "mcp/server.go#Server.AddTool"},
	{Query: "symbol:Server.AddTool"},
	{Query: "symbol:mcp.Server.AddTool schema"},
	{Query: "symbol:nowhere.Server.AddTool"},
	{Query: "symbol:execute"},
	{Query: "symbol:EXECUTE command"},
	{Query: `"completion" -fish`},
	{Query: `"zzzz" cobra`},
	{Query: `"zzzz command" cobra`},
	{Query: `cobra -"zzzz"`},
	{Query: `path:doc -"command"`},
	{Query: `path:mcp/server.go session`},
	{Query: `path:"user guide"`},
	{Query: `NOT path:mcp session`},
	{Query: "kind:interface"},
	{Query: "kind:const path:cmp"},
	{Query: "kind:field session"},
	{Query: "kind:module install"},
	{Query: "args.go:30 and command.go:1100"},
	{Query: "at github.com/spf13/cobra/args.go:9999"},
	{Query: "flag: value: empty"},
	{Query: "error: unknown: flag: \"x\": of: command:"},
	{Query: "panic: cannot add command as child of itself goes wrong in this program of mine"},
	{Query: "Command can't be a child of itself"},
	{Query: "where is Command can't be a child of itself"},
	{Query: "some text of the session that is not here\nand: 12:30 the session was closed: EOF\n\nserver.go:100"},
	{Query: strings.Repeat("command flag session tool ", 30)},
	{Query: "equal " + strings.Repeat("qq ", 70)},
	{Query: "options"},
	{Query: "Option"},
	{Query: "mutex lock kind:method"},
	{Query: "kind:func kind:method close"},
	{Query: "NOT (test OR docs) session"},
	{Query: "(bash OR zsh) AND (escape OR quote) -fish"},
	{Query: "\"tool\" \"input schema\""},
	{Query: "\"in memory\" NOT transport"},
	{Query: "\"never said so\" transport session"},
	{Query: "lang:go,markdown completion"},
	{Query: "lang:go repo:cobra completion"},
	{Query: "class:test cancel"},
	{Query: "jsonSchema validate inptu"},
	{Query: "EqualApprx FlagSett"},
	{Query: "comand flgs"},
	{Query: "write to stderr and exit with status one when the command fails"},
	{Query: "Why are help flags shown twice?"},
	{Query: "what calls OnFinalize"},
	{Query: "go", Paths: []string{"**/*.yml"}},
	{Query: "session", Scope: code.ScopeCode, Detail: hit.DetailLocate},
	{Query: "x y z a"},
	{Query: "error_handling_of_commands ErrorHandling"},
	{Query: "AbCdEf completionV2 BashV2"},
	{Query: "func (c *Command) Find(args []string) (*Command, []string, error) {"},
	{Query: "return fmt.Errorf(\"unknown command\")"},
}

// TestOrdersStay writes down the order of many more hits than TestAnswersStay
// shows, with syntax facts, files spread over segments and dead versions among
// them: how each hit is named, and which of its lines tell most (make golden).
func TestOrdersStay(t *testing.T) {
	const name = "testdata/orders.golden"
	golden, err := os.ReadFile(name)
	if err != nil && !*update {
		t.Fatal(err)
	}
	var snaps []*store.Snapshot
	for i, m := range goldenModules {
		s := searchtest.Spread(t, sample.Module(t, m), 2+i, true)
		s.Name = m[strings.LastIndexByte(m, '/')+1:]
		snaps = append(snaps, sample.Parsed(t, s))
	}
	want, seen := strings.Split(string(golden), "\n\n"), []string{}
	all := append(orderQueries, goldenQueries...)
	for i, req := range all[:proof.Rounds(len(all))] {
		req.Limit = cmp.Or(req.Limit, 16)
		t.Run(fmt.Sprintf("%d %.40s", i+1, req.Query), func(t *testing.T) {
			got := order(searchtest.Must(t, snaps, req))
			req.Detail, req.Limit = hit.DetailLocate, 8
			got += "\nlocated:"
			for _, h := range searchtest.Must(t, snaps, req).Hits { // named without their text where that will do
				got += fmt.Sprintf(" %s#%s:%d", h.Path, h.Symbol, h.SymbolLine)
			}
			seen = append(seen, got)
			if i >= len(want) {
				want = append(want, "")
			}
			if !*update && got != want[i] {
				t.Errorf("%q (-want +got):\n%s", req.Query, gocmp.Diff(want[i], got))
			}
		})
	}
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(seen, "\n\n")+"\n\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// order prints the places and names of an answer.
func order(res *hit.Result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%q: %s, %d of %d, partial %v, next to it %v", res.Query, res.Mode, len(res.Hits), res.Total, res.Partial, res.Nearest)
	for _, n := range res.Notes {
		fmt.Fprintf(&out, "\n  note: %s", n)
	}
	for _, h := range res.Hits {
		fmt.Fprintf(&out, "\n%s/%s:%d-%d %.2f %s <%s> %d", h.Repo, h.Path, h.StartLine, h.EndLine, h.Score, h.Kind, h.SymbolID, h.SymbolLine)
		for i, l := range h.Lines {
			if i < 3 {
				fmt.Fprintf(&out, " %d%v", l.Number, l.Matches)
			}
		}
	}
	return out.String()
}

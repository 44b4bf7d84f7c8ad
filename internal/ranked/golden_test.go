package ranked_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"espy/internal/code"
	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

var update = flag.Bool("update", false, "rewrite testdata/answers.golden")

// goldenQueries are questions about the modules of goldenModules.
var goldenQueries = []hit.Request{
	{Query: "how are flags parsed before a command runs"},
	{Query: "where is the help text of a command made"},
	{Query: "suggest similar commands when the user mistypes one"},
	{Query: "validate the number of positional arguments"},
	{Query: "which flags must be set together"},
	{Query: "generate man pages from commands"},
	{Query: "shell completion for bash version 2"},
	{Query: "PowerShell completions with descriptions"},
	{Query: "compare two values deeply and report the difference"},
	{Query: "ignore unexported fields of a struct"},
	{Query: "sort a slice before comparing it"},
	{Query: "edit distance between two lists"},
	{Query: "approximate equality of floats"},
	{Query: "list tools with pagination"},
	{Query: "keep alive pings of a session"},
	{Query: "how does a client authenticate with oauth"},
	{Query: "resume an event stream after the connection was lost"},
	{Query: "server sent events writer"},
	{Query: "progress notifications of a long call"},
	{Query: "cancel a request that is in flight"},
	{Query: "json schema of a tool's input"},
	{Query: "roots that a client offers"},
	{Query: "protocol version negotiation in initialize"},
	{Query: "tests of the streamable transport"},
	{Query: "example server over stdio"},
	{Query: "documentation of prompts"},
	{Query: "deprecated flags of a command"},
	{Query: "environment variable of completion"},
	{Query: "license header of source files"},
	{Query: "rate limit middleware"},
	{Query: "Command"},
	{Query: "command.Execute"},
	{Query: "ExecuteC"},
	{Query: "ValidArgsFunction"},
	{Query: "cobra.Command.SetHelpFunc"},
	{Query: "SetHelpFnc"},
	{Query: "streamablehttphandler"},
	{Query: "ServerSession.Ping"},
	{Query: "AddTool"},
	{Query: "Equal"},
	{Query: "Diff"},
	{Query: "transformer"},
	{Query: "EquateApprox"},
	{Query: "flag_groups.go"},
	{Query: "cobra/doc/man_docs.go:100"},
	{Query: "mcp/server.go"},
	{Query: "args.go MinimumNArgs"},
	{Query: `"unknown command"`},
	{Query: `"is mutually exclusive" OR "if any flags in the group"`},
	{Query: `Error: unknown flag: --toggel`},
	{Query: "Error: accepts 1 arg(s), received 3"},
	{Query: "2026/01/04 10:11:12 ERROR server.go:88: session not found for id 7f3a"},
	{Query: "consider using AllowUnexported or Ignore or Exporter to access unexported fields"},
	{Query: "panic: x missing transformer\n\ngoroutine 1 [running]:\ngithub.com/google/go-cmp/cmp.(*state).tryOptions()\n\t/go/pkg/mod/github.com/google/go-cmp/cmp/compare.go:300 +0x1d\nmain.main()\n\t/tmp/x/main.go:9 +0x2a"},
	{Query: "completion AND (bash OR zsh) NOT test"},
	{Query: "completion -powershell path:**/*.md"},
	{Query: "symbol:Session close"},
	{Query: "transport kind:interface"},
	{Query: "handler kind:func,method"},
	{Query: "args kind:type"},
	{Query: "symbol:Hidden"},
	{Query: "lang:markdown release notes"},
	{Query: "lang:yaml build"},
	{Query: "persistent pre run", Scope: code.ScopeCode},
	{Query: "persistent pre run", Scope: code.ScopeTest},
	{Query: "persistent pre run", Scope: code.ScopeDocs},
	{Query: "usage template", Detail: hit.DetailLocate},
	{Query: "usage template", Detail: hit.DetailFull, MaxTokens: 400},
	{Query: "usage template", Offset: 3, Limit: 4},
	{Query: "context", Paths: []string{"**/doc/**"}},
	{Query: "context", Paths: []string{"!**/mcp/**"}},
	{Query: "the of and"},
	{Query: "wher is the sesion closd"},
	{Query: "resumeable evnt stroe"},
	{Query: "zzznothing"},
	{Query: "NOT func"},
	{Query: "flag* group"},
	{Query: "pflag.FlagSet lookup normalized name"},
	{Query: "in-memory transport for tests"},
	{Query: "why does OnInitialize run twice"},
	{Query: "getCompletions returns directive nospace and no file comp"},
}

// goldenModules are dependencies: their content is fixed by go.sum.
var goldenModules = []string{"github.com/spf13/cobra", "github.com/google/go-cmp", "github.com/modelcontextprotocol/go-sdk"}

// TestAnswersStay compares the places, labels, order and scores of answers with
// those that were written down. A change of the ranking changes them on purpose
// (make golden); any other does not.
func TestAnswersStay(t *testing.T) {
	var snaps []*store.Snapshot
	for _, m := range goldenModules {
		snaps = append(snaps, sample.Repository(t, m[strings.LastIndexByte(m, '/')+1:], sample.Module(t, m)))
	}
	const name = "testdata/answers.golden"
	golden, err := os.ReadFile(name)
	if err != nil && !*update {
		t.Fatal(err)
	}
	want := strings.Split(string(golden), "\n\n")
	var all []string
	for i, req := range goldenQueries {
		req.Limit = cmp.Or(req.Limit, 4)
		req.Explain = true
		t.Run(fmt.Sprintf("%d %.40s", i+1, req.Query), func(t *testing.T) {
			got := shortAnswer(searchtest.Must(t, snaps, req))
			all = append(all, got)
			if i >= len(want) {
				want = append(want, "")
			}
			if !*update && got != want[i] {
				t.Errorf("%q (-want +got):\n%s", req.Query, gocmp.Diff(want[i], got))
			}
		})
	}
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(all, "\n\n")+"\n\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// shortAnswer prints what an answer shows. Contributions have three digits, so
// that they are the same on every machine.
func shortAnswer(res *hit.Result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%q: %d hits of %d", res.Query, len(res.Hits), res.Total)
	for _, n := range res.Notes {
		fmt.Fprintf(&out, "\n  note: %s", n)
	}
	for _, h := range res.Hits {
		fmt.Fprintf(&out, "\n%s/%s:%d-%d %.3f %s %s, lines", h.Repo, h.Path, h.StartLine, h.EndLine, h.Score, h.Kind, h.Symbol)
		for _, l := range h.Lines {
			fmt.Fprintf(&out, " %d%v", l.Number, l.Matches)
		}
		for _, c := range h.Explain {
			fmt.Fprintf(&out, "; %s %.3f", c.Signal, c.Score)
		}
	}
	return out.String()
}

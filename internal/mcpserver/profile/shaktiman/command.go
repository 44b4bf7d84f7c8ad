package shaktiman

import (
	"context"
	"encoding/json"
	"fmt"

	"espy/internal/progress"
	"espy/internal/render"
	"espy/internal/workspace"
)

// Command is one command of the original's command line.
type Command struct {
	Name, Short, Example string
	Arg                  string // of the command, "" for none; root is the folder of the project
	Flags                []Flag
	Plain                bool // it answers with text unless JSON is asked for

	tool string
}

// Flag is a flag of a command. Its default is a string, a number or false, and says
// of which type it is.
type Flag struct {
	Name, Usage string
	Default     any

	argument string // of the tool; "" where it has none
}

var scopeFlag = Flag{Name: "scope", Usage: "impl leaves tests out: impl, test or all", Default: "impl", argument: "scope"}

// Commands lists the commands.
func Commands() []Command {
	index := []Flag{
		{Name: "embed", Usage: "accepted: vectors are always made", Default: false},
		{Name: "vector", Usage: "accepted, and means nothing", Default: ""},
		{Name: "db", Usage: "accepted, and means nothing", Default: ""},
		{Name: "postgres-url", Usage: "accepted, and means nothing", Default: ""},
		{Name: "qdrant-url", Usage: "accepted, and means nothing", Default: ""},
	}
	return []Command{
		{Name: "init", Arg: "root", Short: "Write a sample of the settings", Example: "init ~/src/shop"},
		{Name: "index", Arg: "root", Short: "Index a project", Example: "index ~/src/shop", Flags: index, Plain: true},
		{Name: "reindex", Arg: "root", Short: "Index a project anew", Example: "reindex ~/src/shop --force", Flags: append(index[:len(index):len(index)],
			Flag{Name: "force", Usage: "do not ask", Default: false}), Plain: true},
		{Name: "status", Arg: "root", Short: "Show the size of the index", Example: "status ~/src/shop", tool: "summary"},
		{Name: "search", Arg: "query", Short: "Search for code", tool: "search", Example: "search 'retry with backoff' --root ~/src/shop\nsearch VerifyToken --mode full --explain --format text", Flags: []Flag{
			{Name: "max", Usage: "results at most, 1 to 200", Default: 0, argument: "max_results"},
			{Name: "mode", Usage: "locate or full", Default: "", argument: "mode"},
			{Name: "min-score", Usage: "least relevance, 0 to 1", Default: 0.0, argument: "min_score"},
			{Name: "explain", Usage: "show what each signal adds", Default: false, argument: "explain"},
			{Name: "path", Usage: "only files whose path begins so", Default: "", argument: "path"},
			scopeFlag,
		}},
		{Name: "context", Arg: "query", Short: "Pack the code that a task needs into a budget", tool: "context", Example: "context 'how tokens are checked' --budget 2000", Flags: []Flag{
			{Name: "budget", Usage: "tokens at most, 256 to 32768", Default: 0, argument: "budget_tokens"}, scopeFlag,
		}},
		{Name: "symbols", Arg: "name", Short: "Find every definition of a name", tool: "symbols", Example: "symbols VerifyToken --kind function", Flags: []Flag{
			{Name: "kind", Usage: "only this kind", Default: "", argument: "kind"}, scopeFlag,
		}},
		{Name: "deps", Arg: "symbol", Short: "Show who uses a symbol and what it uses", tool: "dependencies", Example: "deps VerifyToken --direction callers", Flags: []Flag{
			{Name: "direction", Usage: "callers, callees or both", Default: "both", argument: "direction"},
			{Name: "depth", Usage: "steps, 1 to 5", Default: 2, argument: "depth"}, scopeFlag,
		}},
		{Name: "diff", Short: "Show what changed lately", tool: "diff", Example: "diff --since 2h", Flags: []Flag{
			{Name: "since", Usage: "how far back", Default: "24h", argument: "since"},
			{Name: "limit", Usage: "files at most, 1 to 500", Default: 50, argument: "limit"}, scopeFlag,
		}},
		{Name: "enrichment-status", Short: "Show how far indexing and embedding are", tool: "enrichment_status", Example: "enrichment-status --root ~/src/shop"},
		{Name: "summary", Short: "Show the size and languages of a project", tool: "summary", Example: "summary --format text"},
	}
}

// Shell answers the commands as the tools do.
type Shell struct{ s *server }

// NewShell returns a shell.
func NewShell(o Options) *Shell {
	o.Sessions = false
	return &Shell{newServer(o)}
}

// Answer is the answer to a command.
type Answer struct {
	Text  string // for people
	Value any    // for programs
}

// Run runs a command with the values of its argument and of the flags that were given,
// by their names.
func (sh *Shell) Run(ctx context.Context, c *Command, values map[string]any, tell func(progress.Report)) (*Answer, error) {
	switch c.Name {
	case "init":
		return sh.init()
	case "index", "reindex":
		return sh.index(ctx, c.Name == "reindex", tell)
	}
	args := map[string]any{}
	if c.Arg != "" && c.Arg != "root" {
		args[c.Arg] = values[c.Arg]
	}
	for _, f := range c.Flags {
		if v, given := values[f.Name]; given && f.argument != "" {
			args[f.argument] = v
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	for _, t := range append(sh.s.tools(), sh.s.contextTool()) {
		if t.name == c.tool {
			a, err := sh.s.run(ctx, t, raw)
			if err != nil {
				return nil, err
			}
			return &Answer{a.human, a.value}, nil
		}
	}
	return nil, fmt.Errorf("no tool %s", c.tool)
}

// init writes the sample configuration.
func (sh *Shell) init() (*Answer, error) {
	written, err := writeSample(sh.s.Root)
	if err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	text := "Wrote " + configFile + "\n"
	if !written {
		text = configFile + " is there already and is left as it is\n"
	}
	return &Answer{text, struct {
		File    string `json:"file"`
		Written bool   `json:"written"`
	}{configFile, written}}, nil
}

// index brings the index up to date, or makes it anew.
func (sh *Shell) index(ctx context.Context, anew bool, tell func(progress.Report)) (*Answer, error) {
	r, err := sh.s.repo(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := r.Index(ctx, workspace.IndexOptions{Force: anew, Progress: tell}); err != nil {
		return nil, err
	}
	st, err := sh.s.stats(ctx)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("Indexed: %d files | %d chunks | %d symbols\n", st.Files, st.Chunks, st.Definitions) + st.languageLines()
	return &Answer{render.Visible(text), struct {
		Files     int            `json:"files"`
		Chunks    int            `json:"chunks"`
		Symbols   int            `json:"symbols"`
		Languages map[string]int `json:"languages"`
	}{st.Files, st.Chunks, st.Definitions, st.languages()}}, nil
}

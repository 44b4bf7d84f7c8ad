package shebe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"espy/internal/mcpserver/host"
	"espy/internal/usage"
)

// Command is one command of Shebe's command line. It asks a tool, its
// arguments and flags being arguments of the tool.
type Command struct {
	Name, Short, Example string
	Args                 []Arg
	Flags                []Flag
	Delete               bool // it deletes the session, after a question unless the flag force is given

	tool   string
	always map[string]any // arguments that are always given
}

// Arg is an argument by its place. One that is Flag may be given as a flag of
// its name instead.
type Arg struct {
	Name string
	Flag bool
}

// Flag is a flag of a command. Its default is a string, a number, false or a
// list, and says of which type it is.
type Flag struct {
	Name, Short, Usage string
	Default            any
	Words              []string // what it may be, where that is not anything
	Min, Max           int      // a number beyond them counts as the nearer one; both 0 is no bound

	argument string // of the tool, where its name differs; "-" where it has none
}

// Flag returns the flag that an argument such as --include or -i is, nil where it
// is another.
func (c *Command) Flag(arg string) *Flag {
	name, _, _ := strings.Cut(arg, "=")
	for i := range c.Flags {
		if f := &c.Flags[i]; name == "--"+f.Name || f.Short != "" && name == "-"+f.Short {
			return f
		}
	}
	return nil
}

// Commands lists the commands, but for that which prints completions.
func Commands() []Command {
	windows := []Flag{
		{Name: "chunk-size", Usage: "characters of a chunk, 100 to 2000", Default: 0},
		{Name: "overlap", Usage: "characters that chunks share", Default: 0},
	}
	return []Command{
		{
			Name: "index-repository", tool: "index_repository", Short: "Index a folder as a session",
			Example: "index-repository . -s shop-main\nindex-repository ~/src/shop -s shop-go -i '*.go' -e '**/vendor/**' --force",
			Args:    []Arg{{Name: "path"}, {Name: "session", Flag: true}},
			Flags: append(windows[:2:2],
				Flag{Name: "include", Short: "i", Usage: "glob of files to index; may be given again", Default: []string(nil), argument: "include_patterns"},
				Flag{Name: "exclude", Short: "e", Usage: "glob of files to leave out, instead of the default ones; may be given again", Default: []string(nil), argument: "exclude_patterns"},
				Flag{Name: "force", Short: "f", Usage: "index again when the session exists", Default: false},
				Flag{Name: "quiet", Short: "q", Usage: "print no progress", Default: false, argument: "-"},
			),
		},
		{
			Name: "search-code", tool: "search_code", Short: "Search the code of a session",
			Example: "search-code 'retry AND backoff' -s shop-main\nsearch-code 'file_path:net timeout' -s shop-main -k 5 --files-only",
			Args:    []Arg{{Name: "query"}, {Name: "session", Flag: true}},
			Flags: []Flag{
				{Name: "limit", Short: "k", Usage: "results to print, 1 to 100", Default: 10, Min: 1, Max: 100, argument: "k"},
				{Name: "files-only", Usage: "print the paths alone", Default: false, argument: "-"},
				{Name: "literal", Usage: "find the query as exact text", Default: false},
			},
		},
		{
			Name: "find-references", tool: "find_references", Short: "Find the references of a symbol, with confidence",
			Example: "find-references backoff -s shop-main -t function --defined-in net/retry.go",
			Args:    []Arg{{Name: "symbol"}, {Name: "session", Flag: true}},
			Flags: []Flag{
				{Name: "symbol-type", Short: "t", Usage: "kind of symbol", Default: "any", Words: []string{"function", "type", "variable", "constant", "any"}},
				{Name: "defined-in", Usage: "file of the definition, left out to see uses only", Default: ""},
				{Name: "include-definition", Usage: "keep the definition", Default: false},
				{Name: "context-lines", Short: "c", Usage: "lines before and after, 0 to 10", Default: 2, Max: 10},
				{Name: "max-results", Short: "k", Usage: "references to print, 1 to 500", Default: 50, Min: 1, Max: 500},
			},
		},
		{Name: "list-sessions", tool: "list_sessions", Short: "List the sessions", Example: "list-sessions\n--format json list-sessions"},
		{Name: "get-session-info", tool: "get_session_info", Short: "Show one session", Example: "get-session-info shop-main", Args: []Arg{{Name: "session"}}},
		{
			Name: "delete-session", tool: "delete_session", Short: "Delete a session and its index",
			Example: "delete-session shop-main\ndelete-session shop-main --force",
			Args:    []Arg{{Name: "session"}}, Delete: true, always: map[string]any{"confirm": true},
			Flags: []Flag{
				{Name: "force", Short: "f", Usage: "do not ask", Default: false, argument: "-"},
				{Name: "confirm", Usage: "do not ask", Default: false, argument: "-"},
			},
		},
		{
			Name: "reindex-session", tool: "reindex_session", Short: "Index a session again from its stored path",
			Example: "reindex-session shop-main --force\nreindex-session shop-main --chunk-size 1024",
			Args:    []Arg{{Name: "session"}},
			Flags:   append(windows[:2:2], Flag{Name: "force", Short: "f", Usage: "index again though the configuration is the same", Default: false}),
		},
		{
			Name: "show-config", tool: "get_config", Short: "Show the configuration",
			Example: "show-config --all",
			Flags:   []Flag{{Name: "all", Short: "a", Usage: "show every setting, and where it comes from", Default: false, argument: "-"}},
		},
		{
			Name: "get-server-info", tool: "get_server_info", Short: "Show the version and where the index is",
			Example: "get-server-info --detailed",
			Flags:   []Flag{{Name: "detailed", Short: "d", Usage: "count the sessions", Default: false, argument: "-"}},
		},
	}
}

// Shell answers the commands of Shebe's command line as the tools do.
type Shell struct{ s *server }

// NewShell returns a shell. It tells say what takes long when it begins.
func NewShell(o Options, say func(line string)) *Shell {
	s := newServer(o)
	if say != nil {
		s.say = say
	}
	return &Shell{s}
}

// Answer is the answer to a command, as text for people and as what JSON is
// made of. Less leaves the text of hits out; more adds what is seldom asked for.
type Answer interface {
	Human(d Detail) string
	JSON(d Detail) any
}

// Detail is how much of an answer is wanted.
type Detail int

// The details.
const (
	Usual Detail = iota
	Less
	More
)

// Run runs a command. The values are those of arguments and flags that were
// given, by their names. What it returns as an error is a *usage.Error unless ctx
// ended.
func (sh *Shell) Run(ctx context.Context, c *Command, values map[string]any, d Detail, tell host.Tell) (Answer, error) {
	raw, err := json.Marshal(c.arguments(values))
	if err != nil {
		return nil, fmt.Errorf("encode arguments: %w", err)
	}
	a, err := newArguments(raw)
	if err != nil {
		return nil, told(err)
	}
	for _, t := range sh.s.tools() {
		if t.name != c.tool {
			continue
		}
		found, err := t.call(ctx, a, tell)
		if err != nil {
			return nil, told(a.shorten(err))
		}
		if info, ok := found.(*serverInfo); ok && d == More {
			list, err := sh.s.sessions(ctx)
			if err != nil {
				return nil, told(err)
			}
			info.sessions = len(list)
		}
		return found.(Answer), nil
	}
	panic("shebe: no tool " + c.tool)
}

// Has returns an error where there is no session of a name.
func (sh *Shell) Has(ctx context.Context, name string) error {
	_, err := sh.s.session(ctx, name)
	var known *jsonrpc.Error
	if errors.As(err, &known) && known.Code == jsonrpc.CodeInternalError { // it is there, and damaged
		return nil
	}
	return told(err)
}

// Sessions lists the names of the sessions.
func (sh *Shell) Sessions(ctx context.Context) (names []string, err error) {
	list, err := sh.s.sessions(ctx)
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names, err
}

// arguments turns values into the arguments of the tool.
func (c *Command) arguments(values map[string]any) map[string]any {
	args := map[string]any{}
	for _, a := range c.Args {
		if v, ok := values[a.Name]; ok {
			args[a.Name] = v
		}
	}
	for _, f := range c.Flags {
		v, ok := values[f.Name]
		if !ok || f.argument == "-" {
			continue
		}
		if n, ok := v.(int); ok && (f.Min != 0 || f.Max != 0) {
			v = min(max(n, f.Min), f.Max)
		}
		name := f.argument
		if name == "" {
			name = strings.ReplaceAll(f.Name, "-", "_")
		}
		args[name] = v
	}
	for name, v := range c.always {
		args[name] = v
	}
	return args
}

// told turns the error of a tool into that of a command.
func told(err error) error {
	var known *jsonrpc.Error
	if !errors.As(err, &known) {
		return err
	}
	if errors.As(err, new(*unchangedError)) {
		return &usage.Error{Msg: "No configuration changes. Use --force to re-index anyway, or specify --chunk-size or --overlap to change settings."}
	}
	var data struct{ Hint string }
	if len(known.Data) > 0 {
		if err := json.Unmarshal(known.Data, &data); err != nil {
			return fmt.Errorf("decode a hint: %w", err)
		}
	}
	return &usage.Error{Msg: asCommands.Replace(known.Message), Hint: asCommands.Replace(data.Hint)}
}

// asCommands says on the command line what tools say of tools and arguments.
var asCommands = strings.NewReplacer(
	"use upgrade_session tool or index_repository with force=true", "use espy shebe reindex-session with --force",
	"reindex_session with force=true", "espy shebe reindex-session with --force",
	"list_sessions", "espy shebe list-sessions", "force=true", "--force", "literal=true", "--literal", "max_results", "--max-results",
)

package cli

import (
	"slices"

	"github.com/spf13/cobra"
)

// How a command is done.
const (
	asks  = "a question, by a server where one runs"
	alone = "by the process that was started"
)

// command is one of the command line.
type command struct {
	name string
	make func(*program) *cobra.Command
	done string
}

// commandList has the commands in the order of the help.
func commandList() []command {
	return []command{
		{"search", (*program).searchCommand, asks},
		{"grep", (*program).grepCommand, alone},
		{"context", (*program).contextCommand, asks},
		{"similar", (*program).similarCommand, asks},
		{"symbol", (*program).symbolCommand, asks},
		{"symbols", (*program).symbolsCommand, asks},
		{"references", (*program).referencesCommand, asks},
		{"calls", (*program).callsCommand, asks},
		{"hierarchy", (*program).hierarchyCommand, asks},
		{"impact", (*program).impactCommand, asks},
		{"outline", (*program).outlineCommand, asks},
		{"overview", (*program).overviewCommand, asks},
		{"dependencies", (*program).dependenciesCommand, asks},
		{"audit", (*program).auditCommand, asks},
		{"index", (*program).indexCommand, alone},
		{"status", (*program).statusCommand, asks},
		{"files", (*program).filesCommand, asks},
		{"read", (*program).readCommand, asks},
		{"changes", (*program).changesCommand, asks},
		{"blame", (*program).blameCommand, asks},
		{"history", (*program).historyCommand, asks},
		{"watch", (*program).watchCommand, alone},
		{"verify", (*program).verifyCommand, alone},
		{"upgrade", (*program).upgradeCommand, alone},
		{"prune", (*program).pruneCommand, alone},
		{"remove", (*program).removeCommand, alone},
		{"task", (*program).tasksCommand, alone},
		{"mcp", (*program).mcpCommand, alone},
		{"serve", (*program).serveCommand, alone},
		{"worker", (*program).workerCommand, alone},
		{"jobs", (*program).jobsCommand, alone},
		{"token", (*program).tokenCommand, alone},
		{"shebe", (*program).shebeCommand, alone},
		{"shaktiman", (*program).shaktimanCommand, alone},
		{"eval", (*program).evalCommand, alone},
		{"config", (*program).configCommand, alone},
		{"completion", (*program).completionCommand, alone},
		{"man", (*program).manCommand, alone},
		{"version", (*program).versionCommand, alone},
		{"links", (*program).linksCommand, asks},
		{"deps", (*program).depsCommand, asks},
		{"export", (*program).exportCommand, alone},
	}
}

// commandsOf makes the commands: where the first argument names one, that one alone,
// so that the others take no time and no memory.
func (p *program) commandsOf() (list []*cobra.Command) {
	named := func(c command) bool { return len(p.args) > 0 && isNamed(c, p.args[0]) }
	all := commandList()
	if i := slices.IndexFunc(all, named); i >= 0 {
		all = all[i : i+1]
	}
	for _, c := range all {
		cmd := c.make(p)
		if c.done == asks {
			cmd = p.question(cmd)
		}
		p.completeArgs(cmd)
		cmd.Aliases, cmd.GroupID = aliases[c.name], groupOf(c.name)
		list = append(list, cmd)
	}
	return list
}

// commandAt is where the first word stands that names a command, -1 for none.
func commandAt(args []string) int {
	all := commandList()
	return slices.IndexFunc(args, func(a string) bool {
		return slices.ContainsFunc(all, func(c command) bool { return isNamed(c, a) })
	})
}

func isNamed(c command, word string) bool {
	return c.name == word || slices.Contains(aliases[c.name], word)
}

// aliases are names that people try first.
var aliases = map[string][]string{
	"calls":      {"callers"},
	"files":      {"ls", "ls-files"},
	"references": {"refs"},
	"remove":     {"rm"},
	"symbol":     {"def", "definition"},
}

// group is what stands together in the help.
type group struct {
	id, title string
	commands  []string
}

// grouped are the groups of the help. The commands of the first are what a day in a
// terminal needs.
var grouped = []group{
	{"everyday", "Every day:", []string{"search", "grep", "symbol", "references", "calls", "outline", "read", "files"}},
	{"code", "How code hangs together:", []string{"audit", "context", "dependencies", "deps", "export", "hierarchy", "impact", "links", "overview", "similar", "symbols"}},
	{"history", "What changed:", []string{"blame", "changes", "history"}},
	{"index", "Indexes:", []string{"index", "prune", "remove", "status", "upgrade", "verify", "watch"}},
	{"agents", "Agents and servers:", []string{"jobs", "mcp", "serve", "shaktiman", "shebe", "task", "token", "worker"}},
	{"program", "The program:", []string{"completion", "config", "eval", "help", "man", "version"}},
}

func groups() (list []*cobra.Group) {
	for _, g := range grouped {
		list = append(list, &cobra.Group{ID: g.id, Title: g.title})
	}
	return list
}

func groupOf(name string) string {
	for _, g := range grouped {
		if slices.Contains(g.commands, name) {
			return g.id
		}
	}
	return ""
}

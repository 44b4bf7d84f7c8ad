package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// reference returns the reference of all commands in Markdown.
func reference() string {
	p := &program{stdout: bufio.NewWriter(io.Discard), stderr: io.Discard}
	root := p.root()
	var b strings.Builder
	b.WriteString("# Commands\n\nGenerated from internal/cli by `make golden`; do not edit.\n\n")
	b.WriteString(exitCodes)
	fmt.Fprintf(&b, "\nFlags of every command:\n\n```\n%s```\n", root.PersistentFlags().FlagUsages())
	for _, cmd := range root.Commands() {
		describe(&b, cmd)
	}
	return b.String()
}

const exitCodes = `| exit code | meaning |
|---|---|
| 0 | found, or done |
| 1 | nothing found |
| 2 | wrong usage, damage found or another error, reported on standard error |
| 3 | the answer is partial: the time of --timeout was over before all was looked at |
| 130, 143 | ended by SIGINT or SIGTERM |
`

// describe writes a command and the commands below it.
func describe(b *strings.Builder, cmd *cobra.Command) {
	if cmd.Hidden {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n%s.\n\n```\n%s\n```\n", cmd.CommandPath(), cmd.Short, cmd.UseLine())
	if len(cmd.Aliases) > 0 {
		fmt.Fprintf(b, "\nAlso: espy %s\n", strings.Join(cmd.Aliases, ", espy "))
	}
	if cmd.Long != "" {
		fmt.Fprintf(b, "\n```text\n%s\n```\n", cmd.Long)
	}
	if cmd.HasExample() {
		fmt.Fprintf(b, "\nExamples:\n\n```sh\n%s\n```\n", unindent(cmd.Example))
	}
	if usages := cmd.LocalFlags().FlagUsages(); usages != "" {
		fmt.Fprintf(b, "\nFlags:\n\n```\n%s```\n", usages)
	}
	for _, sub := range cmd.Commands() {
		describe(b, sub)
	}
}

func unindent(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "  "), "\n  ", "\n")
}

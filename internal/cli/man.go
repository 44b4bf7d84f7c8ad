package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"espy/internal/replace"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (p *program) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man [FOLDER]",
		Short: "Write the manual pages",
		Long: `Writes a manual page for each command, espy.1, espy-search.1 and so on, into FOLDER;
without one, prints that of espy.`,
		Example: `  espy man ~/.local/share/man/man1
  espy man | man -l -`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			root := (&program{}).root() // with every command
			if len(args) == 0 {
				return p.print(manual(root))
			}
			folder := p.path(args[0])
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
			return p.manuals(root, folder)
		},
	}
}

// manuals writes the pages of a command and of those below it.
func (p *program) manuals(cmd *cobra.Command, folder string) error {
	if cmd.Hidden {
		return nil
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
	path := filepath.Join(folder, name)
	if err := replace.File(path, []byte(manual(cmd))); err != nil {
		return err
	}
	if err := os.Chmod(path, 0o644); err != nil { // everybody's, as the pages of other programs
		return err
	}
	for _, sub := range cmd.Commands() {
		if err := p.manuals(sub, folder); err != nil {
			return err
		}
	}
	return nil
}

// manual is the page of a command, in the macros of man(7).
func manual(cmd *cobra.Command) string {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"espy\" \"User Commands\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(roff(name)), roff(name), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	if len(cmd.Aliases) > 0 {
		fmt.Fprintf(&b, ".PP\nAlso: %s\n", roff(strings.Join(cmd.Aliases, ", ")))
	}
	if cmd.Long != "" {
		b.WriteString(".SH DESCRIPTION\n" + verbatim(cmd.Long))
	}
	section := func(title string, flags *pflag.FlagSet) {
		if flags.HasAvailableFlags() {
			b.WriteString(".SH " + title + "\n")
			flags.VisitAll(func(f *pflag.Flag) { option(&b, f) })
		}
	}
	section("OPTIONS", cmd.LocalFlags())
	section("OPTIONS OF EVERY COMMAND", cmd.InheritedFlags())
	if cmd.HasExample() {
		b.WriteString(".SH EXAMPLES\n" + verbatim(cmd.Example))
	}
	b.WriteString(`.SH EXIT STATUS
0 found, or done; 1 nothing found; 2 wrong usage, damage found or another error;
3 the answer is partial, because the time was over; 130 and 143 after a signal.
`)
	var also []string
	if cmd.HasParent() {
		also = append(also, strings.ReplaceAll(cmd.Parent().CommandPath(), " ", "-"))
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			also = append(also, strings.ReplaceAll(sub.CommandPath(), " ", "-"))
		}
	}
	if len(also) > 0 {
		b.WriteString(".SH SEE ALSO\n")
		for i, page := range also {
			fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(page), strings.Repeat(",", min(1, len(also)-1-i)))
		}
	}
	return b.String()
}

// option writes a flag with its value and what it says.
func option(b *strings.Builder, f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	names := "--" + f.Name
	if f.Shorthand != "" {
		names = "-" + f.Shorthand + ", " + names
	}
	if value != "" {
		value = " \\fI" + roff(value) + "\\fR"
	}
	fmt.Fprintf(b, ".TP\n\\fB%s\\fR%s\n%s\n", roff(names), value, roff(usage))
}

// verbatim writes lines as they are.
func verbatim(text string) string {
	var b strings.Builder
	b.WriteString(".nf\n")
	for line := range strings.Lines(text + "\n") {
		b.WriteString(roff(line))
	}
	b.WriteString(".fi\n")
	return b.String()
}

// roff escapes a line of text.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

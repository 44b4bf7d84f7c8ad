package cli

import (
	"strconv"
	"strings"

	"espy/internal/nearest"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

// runRoot runs espy without a known command.
func runRoot(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	return unknownCommand(cmd, args[0], "")
}

// unknownCommand refuses a name that is not a command of parent. verb is "help " or
// empty, and precedes the proposed command.
func unknownCommand(parent *cobra.Command, name, verb string) error {
	var names []string
	for _, c := range parent.Commands() {
		if !c.Hidden {
			names = append(append(names, c.Name()), c.Aliases...)
		}
	}
	path := strings.TrimPrefix(parent.CommandPath()+" ", parent.Root().Name()+" ")
	e := &usage.Error{Msg: "unknown command " + strconv.Quote(path+name), Hint: parent.CommandPath() + " --help lists the commands"}
	if near := nearest.Of(name, names, 1); near != nil {
		e.Hint = "did you mean espy " + verb + path + near[0] + "?"
	}
	return e
}

// helpCommand shows the help of a command, as its --help does, and refuses unknown
// commands.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Show the help of a command",
		Example:           "  espy help search",
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil }, // help needs no settings
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknownCommand(about, rest[0], "help ")
			}
			return about.Help()
		},
	}
}

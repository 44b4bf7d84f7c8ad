package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  espy version --json",
		Args:    atMost(0),
		RunE: func(*cobra.Command, []string) error {
			if p.json {
				return p.printJSON(map[string]string{"version": versionText(), "go": runtime.Version(), "platform": platform()})
			}
			return p.printVersion()
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) printVersion() error {
	return p.print(fmt.Sprintf("espy %s (%s, %s)", versionText(), runtime.Version(), platform()))
}

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }

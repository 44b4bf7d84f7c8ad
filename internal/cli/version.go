package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set in release builds.
var version string

// versionText returns the version, or the commit the program was built from.
func versionText() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if commit == "" {
		return info.Main.Version
	}
	return commit + dirty
}

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

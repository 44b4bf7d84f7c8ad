package cli

import (
	"context"
	"io"
	"strings"

	"espy/internal/app"
	"espy/internal/config"
	"espy/internal/mcpserver"
	"espy/internal/usage"

	"github.com/spf13/cobra"
)

func (p *program) mcpCommand() *cobra.Command {
	readOnly, profile := false, p.env["ESPY_PROFILE"]
	sets := mcpserver.DefaultToolsets
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent over the Model Context Protocol on standard input and output",
		Long: `Serves the Model Context Protocol on standard input and output, for an agent that
starts it. It needs no arguments. The repository is the nearest folder above the
working directory that has a .git, or else the working directory. The files of
every repository in use are watched, and changes are indexed.

The tools come in sets: core finds and reads code, manage changes indexes, git
shows history, graph how code hangs together, tasks keeps development tasks. Each
tool costs the agent tokens, so not all sets are served by default.`,
		Example: `  espy mcp
  espy mcp --toolsets core,git
  claude mcp add espy -- espy mcp
  codex mcp add espy -- espy mcp
  claude mcp add shebe -- espy mcp --profile shebe`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if profile != "" && readOnly {
				return &usage.Error{Msg: "--read-only and --profile exclude each other", Hint: "give only one of them"}
			}
			if profile != "" {
				return p.mcpProfile(cmd.Context(), profile)
			}
			for _, s := range sets {
				if _, err := oneOf("toolsets", s, mcpserver.Toolsets); err != nil {
					return err
				}
			}
			return p.mcp(cmd.Context(), sets, readOnly)
		},
	}
	cmd.Flags().StringSliceVar(&sets, "toolsets", sets, "`sets` of tools to serve, separated by commas: "+strings.Join(mcpserver.Toolsets, ", "))
	cmd.Flags().BoolVar(&readOnly, "read-only", false, "leave out the tool that changes indexes")
	secretsFlag(cmd)
	cmd.Flags().StringVar(&profile, "profile", profile, "serve the tools of another `program`: shebe, shaktiman, codebase-mcp, codebase-mcp-v2 or rust-code-mcp (ESPY_PROFILE)")
	return cmd
}

func (p *program) mcp(ctx context.Context, sets []string, readOnly bool) error {
	start, err := p.start()
	if err != nil {
		return err
	}
	start.Toolsets, start.ReadOnly, start.Timeout, start.Env = sets, readOnly, config.Duration(p.cfg.MCPTimeout), nil
	alone := func(ctx context.Context, in io.Reader, out io.Writer) error {
		return p.withApp(true, func(a *app.App) error {
			return p.sharing(ctx, a, func() error { return p.toolsFor(a.Workspace, start).ServeStdio(ctx, in, out) })
		})
	}
	return p.serveAgent(ctx, start, alone)
}

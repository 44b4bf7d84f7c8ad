package cli

import (
	"context"
	"os"

	"espy/internal/mcpserver"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
)

func (p *program) mcpCommand() *cobra.Command {
	readOnly, profile := false, p.env["ESPY_PROFILE"]
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent over the Model Context Protocol on standard input and output",
		Long: `Serves the Model Context Protocol on standard input and output, for an agent
that starts it. It needs no arguments: the repository is the nearest folder
with a .git above the one it starts in, else that folder.`,
		Example: `  espy mcp
  claude mcp add espy -- espy mcp
  codex mcp add espy -- espy mcp
  claude mcp add shebe -- espy mcp --profile shebe`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if profile != "" && readOnly {
				return &hinted{msg: "--read-only is not for a profile", hint: "leave one of them out"}
			}
			if profile != "" {
				return p.mcpProfile(cmd.Context(), profile)
			}
			return p.mcp(cmd.Context(), readOnly)
		},
	}
	cmd.Flags().BoolVar(&readOnly, "read-only", false, "leave out the tool that changes indexes")
	cmd.Flags().StringVar(&profile, "profile", profile, "answer with the tools of another `program`: shebe (ESPY_PROFILE)")
	return cmd
}

func (p *program) mcp(ctx context.Context, readOnly bool) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	return p.withWatched(func(w *workspace.Workspace) error {
		server := mcpserver.New(mcpserver.Options{
			Workspace: w,
			Start:     dir,
			Version:   versionText(),
			ReadOnly:  readOnly,
			Log:       p.log,
		})
		return server.ServeStdio(ctx, p.stdin, p.rawStdout)
	})
}

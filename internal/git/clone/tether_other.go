//go:build !unix

package clone

import (
	"context"
	"os/exec"
)

// tethered returns a command that ends with the context; what it has started
// ends on its own.
func tethered(ctx context.Context, program string, args []string) (*exec.Cmd, error) {
	return exec.CommandContext(ctx, program, args...), nil
}

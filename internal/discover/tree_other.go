//go:build !linux

package discover

import (
	"errors"
	"os"
)

func openKernelTree(*os.Root) (tree, error) { return nil, errors.ErrUnsupported }

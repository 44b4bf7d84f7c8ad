//go:build !linux

package mcpserver

import "io"

// unread cannot be told on this system.
func unread(io.Writer) (n int, known bool) { return 0, false }

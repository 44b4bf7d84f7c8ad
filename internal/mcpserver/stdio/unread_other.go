//go:build !linux

package stdio

import "io"

// unread cannot be told on this system.
func unread(io.Writer) (n int, known bool) { return 0, false }

//go:build unix && !linux

package discover

import "syscall"

const (
	openFlags = nonBlock | syscall.O_NOFOLLOW | syscall.O_NOCTTY
	nonBlock  = syscall.O_NONBLOCK
)

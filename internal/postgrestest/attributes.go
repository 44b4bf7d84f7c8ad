//go:build unix && !linux

package postgrestest

import "syscall"

// attributes runs a program as another user.
func attributes(as *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: as}
}

package postgrestest

import "syscall"

// attributes runs a program as another user, and ends it with this process.
func attributes(as *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: as, Pdeathsig: syscall.SIGQUIT}
}

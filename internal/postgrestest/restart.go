package postgrestest

import (
	"path/filepath"
	"syscall"
	"testing"
)

// Restart ends the server in the midst of what it does, and starts it again at the
// same address, with what was committed. No other test of the package may run
// meanwhile.
func Restart(t testing.TB) {
	t.Helper()
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	as, err := owner(server.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	_ = server.cmd.Wait() // it ends by the signal
	if err := serve(bin, filepath.Join(server.dir, "data"), server.addr, as); err != nil {
		t.Fatal(err)
	}
}

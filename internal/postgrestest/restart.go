package postgrestest

import (
	"path/filepath"
	"syscall"
	"testing"
)

// Restart stops the server, which ends every connection, and starts it again at the
// same address. What was committed stays.
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
	if err := server.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = server.cmd.Wait() // it ends by the signal
	if err := serve(bin, filepath.Join(server.dir, "data"), server.addr, as); err != nil {
		t.Fatal(err)
	}
}

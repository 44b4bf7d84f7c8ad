package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWatch follows a folder with two processes, of which the one that leads
// is killed.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.go": "package a\n"})
	env := append(command(t, dir).Env, "ESPY_DATA_DIR="+t.TempDir())
	files := 1
	add := func() {
		t.Helper()
		name := filepath.Join(dir, string(rune('a'+files))+".go")
		if err := os.WriteFile(name, []byte("package a\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		files++
	}
	start := func() (kill func(), await func()) {
		cmd := command(t, dir, "watch", "--json")
		cmd.Env = env
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		lines := bufio.NewReader(out)
		await = func() {
			t.Helper()
			for {
				var report struct{ Files int }
				if err := json.Unmarshal([]byte(readLine(t, lines)), &report); err != nil {
					t.Fatal(err)
				}
				if report.Files == files {
					return
				}
			}
		}
		return func() { cmd.Process.Signal(syscall.SIGKILL); cmd.Wait() }, await
	}
	kill, await := start()
	await()
	_, awaitOther := start()
	awaitOther()
	add()
	await()
	awaitOther()
	kill()
	add()
	awaitOther()
}

package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// command returns espy with args, run in dir with a home of its own.
func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(espy(t), args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
	return cmd
}

// tree makes a folder with the given files.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// exitOf returns the exit code that an error of exec.Cmd holds.
func exitOf(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// goSource is the folder of Go's own source, a tree large enough to be busy with.
func goSource(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

// stretched is a time on an idle machine, made longer by as much as others keep
// the processors from this process at the moment.
func stretched(d time.Duration) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const work = 20 * time.Millisecond
	began, before := time.Now(), threadTime()
	for threadTime()-before < work {
	}
	return max(d, time.Duration(float64(d)*float64(time.Since(began))/float64(work)))
}

// threadTime is the processor time that this thread has used.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// TestSignals ends a server and an indexing run.
func TestSignals(t *testing.T) {
	t.Parallel()
	src := goSource(t)
	tests := []struct {
		name   string
		signal syscall.Signal
		args   []string
		want   int
	}{
		{"server, interrupt", syscall.SIGINT, []string{"mcp"}, 130},
		{"server, terminate", syscall.SIGTERM, []string{"mcp"}, 143},
		{"index, interrupt", syscall.SIGINT, []string{"index", src, "--exact"}, 130},
		{"index, terminate", syscall.SIGTERM, []string{"index", src, "--exact"}, 143},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, t.TempDir(), tt.args...)
			waitReady := started(t, cmd, tt.args[0])
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			waitReady()
			sent := time.Now()
			if err := cmd.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			if got := exitOf(err); got != tt.want {
				t.Errorf("exit code %d (%v), want %d", got, err, tt.want)
			}
			if took, limit := time.Since(sent), stretched(2*time.Second); took > limit {
				t.Errorf("ended %v after the signal, want within %v", took, limit)
			}
		})
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"

// started prepares a command whose work can be seen to have begun: a server by
// its first answer, an indexing run by its progress.
func started(t *testing.T, cmd *exec.Cmd, verb string) (wait func()) {
	t.Helper()
	pipe := func(f func() (io.ReadCloser, error)) *bufio.Reader {
		r, err := f()
		if err != nil {
			t.Fatal(err)
		}
		return bufio.NewReader(r)
	}
	if verb != "mcp" {
		stderr := pipe(cmd.StderrPipe)
		return func() { readLine(t, stderr) }
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := pipe(cmd.StdoutPipe)
	return func() {
		if _, err := io.WriteString(stdin, initialize); err != nil {
			t.Fatal(err)
		}
		readLine(t, stdout)
	}
}

func readLine(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	line, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("read a line: %q, %v", line, err)
	}
	return line
}

// TestBrokenPipe prints to a reader that has gone, as head does.
func TestBrokenPipe(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 2000 {
		files["folder/with/a/rather/long/name/file"+strings.Repeat("x", i%50)+string(rune('a'+i%26))+".txt"] = "text\n"
	}
	dir := tree(t, files)
	for _, args := range [][]string{{"files"}, {"files", "--json"}, {"search", "--mode", "literal", "text", "--limit", "5000"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			cmd := command(t, dir, args...)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			var stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = w, &stderr
			err = cmd.Run()
			w.Close()
			if got := exitOf(err); got != 0 || strings.Contains(stderr.String(), "espy:") {
				t.Errorf("%v: exit code %d, standard error %q, want 0 and no error", args, got, stderr.String())
			}
		})
	}
}

func TestLongQueries(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"a.txt": "needle\n"})
	tests := []struct {
		name, query string
		mode        string
		want        int
		stderr      string
	}{
		{"longest words", strings.Repeat("needle", 1_666) + " end", "auto", 1, ""},
		{"longest paste", strings.Repeat("needle ", 1_428), "auto", 0, ""},
		{"longest literal", strings.Repeat("x", 10_000), "literal", 1, ""},
		{"longest regex", strings.Repeat("x?", 500), "regex", 0, ""},
		{"regex too long", strings.Repeat("x?", 5_000), "regex", 2, "the limit is 1000"},
		{"regex too large", strings.Repeat("(x{10}){100}", 50), "regex", 2, "too large"},
		{"a log of 100 kB", strings.Repeat("needle ", 15_000), "auto", 0, ""},
		{"a word of 100 kB", strings.Repeat("x", 100_001), "auto", 1, ""},
		{"too long literal", strings.Repeat("x", 10_001), "literal", 2, "limit of 10000"},
		{"punctuation", strings.Repeat("?!", 5_000), "auto", 1, ""},
		{"open parentheses", strings.Repeat("(", 10_000), "keyword", 2, "parenthes"},
		{"nested", strings.Repeat("(", 4_999) + "a" + strings.Repeat(")", 4_999), "keyword", 2, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, dir, "search", "--mode", tt.mode, "--json", "--", tt.query)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			err := cmd.Run()
			if got := exitOf(err); got != tt.want || !strings.Contains(stderr.String(), tt.stderr) {
				t.Errorf("exit code %d, standard error %.300q, want %d and %q", got, stderr.String(), tt.want, tt.stderr)
			}
		})
	}
}

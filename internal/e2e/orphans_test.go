package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// until looks every few milliseconds until f holds.
func until(t *testing.T, what string, f func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(3 * time.Minute); !f(); {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("waited three minutes until %s", what)
		}
	}
}

// children returns the processes that a process has started and that live.
func children(pid int) (pids []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for field := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// lives reports whether a process runs. One that has ended and waits to be
// reaped does not.
func lives(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	return len(rest) > 0 && rest[0] != 'Z' && rest[0] != 'X'
}

// toParse makes a tree that children parse for some seconds.
func toParse(t *testing.T) (dir string) {
	files := map[string]string{".git/HEAD": "ref: refs/heads/main\n"}
	for i := range 200 {
		var b strings.Builder
		for f := range 1500 {
			fmt.Fprintf(&b, "def f%d_%d(x, y):\n    return [x.a(y) for x in y if x.b != %d]\n\n", i, f, f)
		}
		files[fmt.Sprintf("m%d.py", i)] = b.String()
	}
	return tree(t, files)
}

// callIndex is a session that has a server index and does not wait for it.
const callIndex = initialize + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
	`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"index","arguments":{"wait":false}}}` + "\n"

// TestCancelFromAnotherProcess looks at the indexing of a server from the
// command line, and ends it.
func TestCancelFromAnotherProcess(t *testing.T) {
	t.Parallel()
	dir, home := toParse(t), t.TempDir()
	run := func(args ...string) *exec.Cmd {
		cmd := exec.Command(espy(t), args...)
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		return cmd
	}
	server := run("mcp")
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer server.Wait() //nolint:errcheck // how it ends is another test's matter
	defer in.Close()
	if _, err := io.WriteString(in, callIndex); err != nil {
		t.Fatal(err)
	}
	type state struct {
		Indexing *struct {
			Process    int
			TotalBytes int64 `json:"total_bytes"`
		}
		LastError string `json:"last_error"`
	}
	status := func() state {
		t.Helper()
		var s struct{ Repos []state }
		out, err := run("status", "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, &s)
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return append(s.Repos, state{})[0]
	}
	until(t, "the server is seen to index", func() bool {
		s := status()
		return s.Indexing != nil && s.Indexing.Process == server.Process.Pid && s.Indexing.TotalBytes > 0
	})
	if out, err := run("index", "--cancel", "--json").Output(); err != nil || !strings.Contains(string(out), `"cancelled":true`) {
		t.Errorf("index --cancel: %v, %s", err, out)
	}
	if s := status(); s.Indexing != nil || !strings.Contains(s.LastError, "cancelled") {
		t.Errorf("afterwards status is %+v", s)
	}
	if out, err := run("index", "--cancel", "--json").Output(); exitOf(err) != 1 || !strings.Contains(string(out), `"cancelled":false`) {
		t.Errorf("index --cancel of nothing: %v, %s", err, out)
	}
}

// TestNoOrphans ends programs while their children parse, in every way there
// is: the children end too.
func TestNoOrphans(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("looks at processes in /proc")
	}
	parsers(t, 1) // skips without grammars: children have nothing to do then
	dir := toParse(t)
	kill := func(sig syscall.Signal) func(*exec.Cmd, io.Closer) error {
		return func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Signal(sig) }
	}
	for _, tt := range []struct {
		name string
		args []string
		end  func(*exec.Cmd, io.Closer) error
	}{
		{"index, killed", []string{"index"}, kill(syscall.SIGKILL)},
		{"index, terminated", []string{"index"}, kill(syscall.SIGTERM)},
		{"index, interrupted", []string{"index"}, kill(syscall.SIGINT)},
		{"server, killed", []string{"mcp"}, kill(syscall.SIGKILL)},
		{"server, terminated", []string{"mcp"}, kill(syscall.SIGTERM)},
		{"server, input closed", []string{"mcp"}, func(_ *exec.Cmd, in io.Closer) error { return in.Close() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := command(t, dir, tt.args...)
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill() //nolint:errcheck // it has ended unless the test failed
			if tt.args[0] == "mcp" {
				if _, err := io.WriteString(in, callIndex); err != nil {
					t.Fatal(err)
				}
			}
			var pids []int
			until(t, "children parse", func() bool {
				pids = children(cmd.Process.Pid)
				return slices.ContainsFunc(pids, busy)
			})
			if err := tt.end(cmd, in); err != nil {
				t.Fatal(err)
			}
			ended := time.Now()
			until(t, "the children have ended", func() bool { return !slices.ContainsFunc(pids, lives) })
			if took, limit := time.Since(ended), stretched(3*time.Second); took > limit {
				t.Errorf("the children lived for %v, want at most %v", took, limit)
			}
			cmd.Wait() //nolint:errcheck // how it ends is TestSignals' matter
		})
	}
}

// busy reports whether a process has used processor time.
func busy(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(stat, []byte(") "))
	fields := strings.Fields(string(rest))
	return len(fields) > 11 && fields[11] != "0"
}

// TestAKilledIndexingGoesOn kills the first indexing of a large tree once a
// part of it can be searched: the next one analyses the other files only.
func TestAKilledIndexingGoesOn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("indexes a large tree with one worker")
	}
	src, home := goSource(t), t.TempDir()
	run := func(args ...string) *exec.Cmd {
		cmd := exec.Command(espy(t), args...)
		cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		return cmd
	}
	answer := func(v any, args ...string) {
		t.Helper()
		out, err := run(args...).Output()
		if err == nil {
			err = json.Unmarshal(out, v)
		}
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	index := run("index", src, "--exact", "--name", "src", "--workers", "1")
	if err := index.Start(); err != nil {
		t.Fatal(err)
	}
	var status struct {
		Repos []struct {
			Files     int
			Freshness struct{ Partial bool }
			Indexing  *struct {
				Phase   string
				Process int
			}
		}
	}
	seen := false // the job of the other process
	until(t, "a part can be searched", func() bool {
		answer(&status, "status", "--json")
		if len(status.Repos) == 0 {
			return false
		}
		r := status.Repos[0]
		seen = seen || r.Indexing != nil && r.Indexing.Process == index.Process.Pid && r.Indexing.Phase == "index"
		return seen && r.Freshness.Partial && r.Files > 0
	})
	if err := index.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	index.Wait() //nolint:errcheck // it was killed
	status.Repos = nil
	answer(&status, "status", "--json")
	if r := status.Repos[0]; r.Indexing != nil || !r.Freshness.Partial {
		t.Fatalf("after the kill status is %+v", r)
	}
	var report struct{ Files, Analysed int }
	answer(&report, "index", "--repo", "src", "--json")
	if report.Analysed != report.Files-status.Repos[0].Files || report.Files < 5000 {
		t.Errorf("%d of %d files analysed, want those that could not be searched: all but %d", report.Analysed, report.Files, status.Repos[0].Files)
	}
}

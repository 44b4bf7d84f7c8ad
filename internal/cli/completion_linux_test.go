package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"espy/internal/filetest"
)

// asEspy is set for a child process of a test that is to be espy.
const asEspy = "CLI_TEST_ESPY"

// TestAsEspy is espy, in a child process with asEspy.
func TestAsEspy(t *testing.T) {
	if os.Getenv(asEspy) == "" {
		return
	}
	args := os.Args
	for len(args) > 0 && args[0] != "--" {
		args = args[1:]
	}
	os.Exit(Main(args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ(), nil))
}

// shellOf returns a shell of this machine. A test is skipped where there is none; with CI
// set it fails.
func shellOf(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
	case os.Getenv("CI") != "":
		t.Fatalf("%v: install it with `apt-get install %s`", err, name)
	default:
		t.Skipf("%v: install it with `apt-get install %s`", err, name)
	}
	return path
}

// espyOnPath puts a program espy, which is this one, into the folder bin of a folder, and
// that first on the path.
func espyOnPath(t *testing.T, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, map[string]string{"bin/espy": fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' -test.run '^TestAsEspy$' -- \"$@\"\n", asEspy, self)})
	if err := os.Chmod(filepath.Join(dir, "bin/espy"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
}

// TestCompletionInShells presses the tab key in shells, and looks at what they complete.
func TestCompletionInShells(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"pkg/server.go": "package pkg\n\ntype Server struct{}\n\nfunc NewServer() *Server { return nil }\n\nfunc (s *Server) Close() {}\n", "pkg/client.go": "package pkg\n\nfunc Dial() {}\n", "space here.go": "package main\n", "docs/it's.md": "x\n", "go.mod": "module example.test\n",
	})
	t.Chdir(dir)
	espyOnPath(t, home)
	t.Setenv("HOME", home)
	t.Setenv("ZDOTDIR", home)
	t.Setenv("ESPY_DATA_DIR", filepath.Join(home, "data"))
	var out bytes.Buffer
	if code := Main([]string{"index", "."}, nil, &out, &out, os.Environ(), nil); code != 0 {
		t.Fatal(out.String())
	}
	lines := []struct{ typed, want string }{
		{"espy sea", "search"},
		{"espy refe", "references"},
		{"espy search --mode re", "search|--mode|regex"},
		{"espy search --mode=re", "search|--mode=regex"},
		{"espy search --vim", "search|--vimgrep"},
		{"espy search -F x --lang g", "search|-F|x|--lang|go"},
		{"espy read pkg/ser", "read|pkg/server.go"},
		{"espy read spa", "read|space here.go"},
		{"espy read docs/it", "read|docs/it's.md"},
		{"espy symbol NewSer", "symbol|NewServer"},
		{"espy def NewSer", "def|NewServer"},
		{"espy calls Server.Cl", "calls|Server.Close"},
		{"espy grep -t rus", "grep|-t|rust"},
		{"espy grep x pkg/cl", "grep|x|pkg/client.go"},
	}
	for _, shell := range []struct {
		name  string
		setup string
	}{
		{"bash", "source <(command espy completion bash)"},
		{"zsh", "autoload -Uz compinit; compinit -u -D; source <(command espy completion zsh)"},
	} {
		t.Run(shell.name, func(t *testing.T) {
			path := shellOf(t, shell.name)
			seen := filepath.Join(home, shell.name)
			filetest.Write(t, home, map[string]string{"setup": shell.setup + "\nespy() { if [[ $1 == __complete ]]; then command espy \"$@\"; else printf '%s|' \"$@\" >> " + seen + "; echo >> " + seen + "; fi; }\n"})
			var input strings.Builder
			input.WriteString("source " + filepath.Join(home, "setup") + "\n")
			for _, l := range lines {
				input.WriteString(l.typed + "\t\n")
			}
			input.WriteString("exit\n")
			args := map[string][]string{"bash": {"--norc", "--noprofile", "-i"}, "zsh": {"-f", "-i"}}[shell.name]
			shown := typed(t, exec.Command(path, args...), input.String())
			got, _ := os.ReadFile(seen)
			results := strings.Split(string(got), "\n")
			for i, l := range lines {
				if i >= len(results) || strings.TrimSuffix(results[i], "|") != l.want {
					t.Errorf("%q and a tab: %q, want %q\n%s", l.typed, results[min(i, len(results)-1)], l.want, shown)
				}
			}
		})
	}
	t.Run("fish", func(t *testing.T) {
		path := shellOf(t, "fish")
		for _, l := range lines {
			cmd := exec.Command(path, "--no-config", "-c", "espy completion fish | source; complete -C '"+l.typed+"'")
			got, err := cmd.CombinedOutput()
			words := strings.Split(l.want, "|")
			first, _, _ := strings.Cut(string(got), "\n")
			if first, _, _ = strings.Cut(first, "\t"); err != nil || first != words[len(words)-1] {
				t.Errorf("%q and a tab: %v, %q, want %q first", l.typed, err, got, words[len(words)-1])
			}
		}
	})
}

// typed runs a shell on a terminal where an input is typed, and returns what it shows.
func typed(t *testing.T, cmd *exec.Cmd, input string) string {
	t.Helper()
	master, tty := filetest.Terminal(t, 50, 200)
	cmd.Env = append(os.Environ(), "TERM=dumb")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	err := cmd.Start()
	tty.Close()
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(master, input) }()
	var out bytes.Buffer
	_, _ = out.ReadFrom(master) // ends with an error when the shell has gone
	if err := cmd.Wait(); err != nil {
		out.WriteString(err.Error())
	}
	return out.String()
}

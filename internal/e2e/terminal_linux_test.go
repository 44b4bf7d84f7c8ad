package e2e

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"espy/internal/filetest"
)

// escapes are the codes that colour text and clear lines.
var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// onTerminal runs a command with a terminal of some columns as its output, and returns
// what it wrote there.
func onTerminal(t *testing.T, cmd *exec.Cmd, columns uint16) string {
	t.Helper()
	master, tty := filetest.Terminal(t, 24, columns)
	cmd.Stdout, cmd.Stderr = tty, tty
	err := cmd.Start()
	tty.Close()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, _ = out.ReadFrom(master) // ends with an error when the last writer has gone
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %v\n%s", cmd.Args, err, out.String())
	}
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

// TestTerminals: what a terminal cannot or must not show is not written to it, and
// what is found is on it whole, however narrow it is.
func TestTerminals(t *testing.T) {
	t.Parallel()
	const line = "func Sum(first, second int) int { return first + second }"
	dir := tree(t, map[string]string{"arithmetic/addition.go": "package arithmetic\n\n" + line + "\n"})
	for _, tt := range []struct {
		name    string
		columns uint16
		env     []string
		colour  bool // and other escape codes
	}{
		{"colours", 80, []string{"TERM=xterm"}, true},
		{"20 columns", 20, []string{"TERM=xterm"}, true},
		{"TERM=dumb", 80, []string{"TERM=dumb"}, false},
		{"NO_COLOR", 80, []string{"TERM=xterm", "NO_COLOR=1"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, args := range [][]string{{"search", "-F", "Sum("}, {"grep", `Sum\(`}, {"search", "--no-pager", "Sum"}} {
				index := command(t, dir, "index", "--quiet")
				index.Env = append(index.Env, tt.env...)
				if err := index.Run(); err != nil {
					t.Fatal(err)
				}
				cmd := command(t, dir, args...)
				cmd.Env = append(index.Env, "PAGER=cat")
				out := onTerminal(t, cmd, tt.columns)
				if got := strings.Contains(out, "\x1b[") && strings.Contains(out, "m"); got != tt.colour {
					t.Errorf("%v: escape codes %v, want %v: %q", args, got, tt.colour, out)
				}
				if plain := escapes.ReplaceAllString(out, ""); !strings.Contains(plain, line) || !strings.Contains(plain, "arithmetic/addition.go") {
					t.Errorf("%v: the line or its path is not whole: %q", args, plain)
				}
			}
		})
	}
}

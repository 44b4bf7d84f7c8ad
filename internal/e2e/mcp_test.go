package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// clients is the folder of the outside clients, with the Node they need.
const clients = "testdata/mcp"

// installed puts the clients' modules in place when `make test` has not.
var installed = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("../../scripts/node-tools").CombinedOutput()
	return string(out), err
})

// node returns a command that runs a script of an outside client in dir.
func node(t *testing.T, dir, script string, args ...string) *exec.Cmd {
	t.Helper()
	if out, err := installed(); err != nil {
		t.Fatalf("install the outside clients: %v\n%s", err, out)
	}
	root, err := filepath.Abs(clients)
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(root, "node_modules", "node", "bin")
	cmd := exec.Command(filepath.Join(bin, "node"), append([]string{filepath.Join(root, script)}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	return cmd
}

// rules is the repository that the clients search.
var rules = map[string]string{
	".git/HEAD": "ref: refs/heads/main\n",
	"rules.go":  "package rules\n\n// ApplyRules applies rules.\nfunc ApplyRules() error { return fmt.Errorf(\"%w: x\", nil) }\n",
	"other.go":  "package rules\n\nfunc other() {}\n",
}

// TestClients lets clients that nobody here wrote hold a session: one of the
// handshake's protocol, and one of the newest.
func TestClients(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"v1", "v2"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			cmd := node(t, tree(t, rules), "session.mjs", kind, espy(t), "mcp")
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			var story struct {
				Server                                            string
				Instructions, JSON                                int
				Tools, Problems                                   []string
				Index, Literal, Regex, Words, Read, Files, Status string
				UnknownArgument, BadRegex, Cancelled, Afterwards  string
				ProgressGrows, Together                           bool
			}
			if err := json.Unmarshal(out, &story); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if len(story.Problems) > 0 || stderr.Len() > 0 {
				t.Errorf("the client complains: %q\n%s", story.Problems, stderr.String())
			}
			if story.Server != "espy" || story.Instructions == 0 || story.JSON != 2 || !story.ProgressGrows || !story.Together || story.Cancelled != "cancelled" {
				t.Errorf("story %s", out)
			}
			if want := []string{"calls", "changes", "context", "files", "impact", "index", "outline", "overview", "read", "references", "search", "status", "symbol"}; !slices.Equal(story.Tools, want) {
				t.Errorf("tools %v, want %v", story.Tools, want)
			}
			for _, answer := range []struct{ name, got, want string }{
				{"index", story.Index, "2 files"},
				{"literal", story.Literal, "4: func ApplyRules() error"},
				{"regex", story.Regex, "1 of 1 line in 1 file, mode regex"},
				{"words", story.Words, "rules.go:1-4 func ApplyRules"},
				{"read", story.Read, "3: // ApplyRules applies rules.\n4: func"},
				{"files", story.Files, "2 of 2 files"},
				{"status", story.Status, "languages: go 2"},
				{"unknown argument", story.UnknownArgument, "ERROR error: unknown argument \"qury\" of search\nhint: did you mean query?"},
				{"bad regex", story.BadRegex, "ERROR error: "},
				{"afterwards", story.Afterwards, "2 of 2 lines in 1 file"},
			} {
				t.Run(answer.name, func(t *testing.T) {
					if !strings.Contains(answer.got, answer.want) {
						t.Errorf("answer %q, want %q", answer.got, answer.want)
					}
				})
			}
		})
	}
}

// TestInspector runs the protocol's own inspector, strict about schemas, in
// both eras of the protocol.
func TestInspector(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts Node for each of many calls")
	}
	const inspector = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
	for _, tt := range []struct {
		name string
		args []string
		want []string
		code int
	}{
		{"list, legacy", []string{"--protocol-era", "legacy", "--strict", "--method", "tools/list"}, []string{`"name": "search"`, `"readOnlyHint": true`}, 0},
		{"list, modern", []string{"--protocol-era", "modern", "--strict", "--method", "tools/list"}, []string{`"name": "search"`}, 0},
		{"list, auto", []string{"--protocol-era", "auto", "--method", "tools/list"}, []string{`"name": "index"`}, 0},
		{"search", []string{"--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=ApplyRules", "--tool-arg", "mode=literal"}, []string{"2 of 2 lines in 1 file", "4: func ApplyRules"}, 0},
		{"read", []string{"--method", "tools/call", "--tool-name", "read", "--tool-arg", "path=rules.go:4"}, []string{"4: func ApplyRules"}, 0},
		{"error answer", []string{"--method", "tools/call", "--tool-name", "read", "--tool-arg", "path=../x"}, []string{"is outside repo", `"isError": true`}, 5},
		{"unknown tool", []string{"--method", "tools/call", "--tool-name", "serch"}, nil, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := node(t, tree(t, rules), inspector, append([]string{"--cli", espy(t), "mcp"}, tt.args...)...)
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if got := exitOf(cmd.Run()); got != tt.code {
				t.Fatalf("exit code %d, want %d\n%s%s", got, tt.code, stdout.String(), stderr.String())
			}
			for _, part := range tt.want {
				if !strings.Contains(stdout.String(), part) {
					t.Errorf("output lacks %q:\n%s", part, stdout.String())
				}
			}
		})
	}
}

// TestServerOutlivesNobody kills the parent of a server whose input stays
// open, and waits for the server's end.
func TestServerOutlivesNobody(t *testing.T) {
	t.Parallel()
	in, keepOpen, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer keepOpen.Close()
	out, serverOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	parent := command(t, tree(t, rules), "mcp")
	parent.Args = []string{"sh", "-c", `"$0" mcp <&3 >&4 3<&- 4>&- & echo started; exec 4>&-; wait`, espy(t)}
	parent.Path, err = exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	parent.ExtraFiles = []*os.File{in, serverOut}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	serverOut.Close()
	if _, err := keepOpen.WriteString(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4096)
	if _, err := out.Read(buf); err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	parent.Wait() //nolint:errcheck // it was killed
	died := time.Now()
	// The server holds the only other end of out: it reads as ended when the server has.
	if err := out.SetReadDeadline(died.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := out.Read(buf); err != nil {
			break
		}
	}
	if took, limit := time.Since(died), stretched(2*time.Second); took > limit {
		t.Errorf("the server ended %v after its parent, want at most %v", took, limit)
	}
}

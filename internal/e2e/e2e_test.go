// Package e2e runs the real program as its users do, and holds the rules that
// cross packages.
package e2e

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"espy/internal/proof"
)

var update = flag.Bool("update", false, "rewrite expected outputs in the scripts")

// bin is the folder of the program under test.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if bin, err = os.MkdirTemp("", "espy-e2e-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(bin)
	return commands.Main(m, "../../docs/shebe-commands.md", update, os.Stderr)
}

// built builds the program once, with the race detector when the tests have it.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(bin, "espy")
	args := []string{"build", "-buildvcs=false", "-o", path}
	if proof.Race {
		args = append(args, "-race")
	}
	out, err := exec.Command("go", append(args, "../../cmd/espy")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build espy: %w\n%s", err, out)
	}
	return path, nil
})

// espy returns the path of the program under test.
func espy(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestScripts(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(espy(t))
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name != "grammars" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return hasGrammars(t), nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", dir+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("HOME", filepath.Join(e.WorkDir, ".home"))
			return os.Mkdir(filepath.Join(e.WorkDir, ".home"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": exitCode,
			"json": jsonField,
			"make": makeFile,
			"flip": flipByte,

			"serve-git": serveGit,
			"proves": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) == 0 {
					ts.Fatalf("usage: proves id...")
				}
				commands.Proves(scriptTest{ts}, strings.Join(args, " "))
			},
		},
	})
}

//go:embed testdata/shebe-commands.txt
var documentedCommands string

// commands is what is documented of the command line of Shebe.
var commands = proof.New(`# The command line of Shebe, and the tests that prove it

Generated from the tests of internal/e2e by `+"`make golden`"+`; do not edit.
The flags are in [cli.md](cli.md), the tools in [shebe.md](shebe.md).
`, documentedCommands)

// scriptTest is a script that has come so far without a failure.
type scriptTest struct{ *testscript.TestScript }

func (s scriptTest) Helper()                           {}
func (s scriptTest) Failed() bool                      { return false }
func (s scriptTest) Errorf(format string, args ...any) { s.Fatalf(format, args...) }
func (s scriptTest) Cleanup(f func())                  { f() }
func (s scriptTest) Name() string                      { return s.TestScript.Name() + ".txtar" }

// exitCode runs a program that must end with the given code:
//
//	code 1 espy search nothing
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v: %v", args[1:], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%v: exit code %d, want %d", args[1:], got, want)
	}
}

// jsonField checks a value in the JSON object on standard output. The path
// names fields and elements; len is the number of elements. Without a value the
// field must be there.
//
//	json hits.0.path main.go
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: [!] json path [value]")
	}
	var v any
	d := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	d.UseNumber()
	ts.Check(d.Decode(&v))
	got, ok := lookup(v, strings.Split(args[0], "."))
	match := ok && (len(args) == 1 || text(got) == args[1])
	if match == neg {
		ts.Fatalf("json %s = %s (there: %v), want %q (negated: %v)", args[0], text(got), ok, args[1:], neg)
	}
}

func lookup(v any, path []string) (any, bool) {
	for _, name := range path {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[name]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			if name == "len" {
				v = json.Number(strconv.Itoa(len(at)))
				continue
			}
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

// makeFile writes files that a script cannot hold. The name and the content
// are Go strings without their quotes; content is repeated count times.
//
//	make 'bad\xffname.go' 'package x\n' [count]
func makeFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: make name content [count]")
	}
	count := 1
	if len(args) == 3 {
		n, err := strconv.Atoi(args[2])
		ts.Check(err)
		count = n
	}
	name, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	content, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
	ts.Check(err)
	path := ts.MkAbs(name)
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	ts.Check(os.WriteFile(path, bytes.Repeat([]byte(content), count), 0o644))
}

// flipByte inverts a byte in the middle of every segment of the data folder.
func flipByte(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: flip")
	}
	parts := segments(ts)
	if len(parts) == 0 {
		ts.Fatalf("no segment found")
	}
	for _, part := range parts {
		data, err := os.ReadFile(part)
		ts.Check(err)
		data[len(data)/2] ^= 0xff
		ts.Check(os.Chmod(part, 0o600))
		ts.Check(os.WriteFile(part, data, 0o600))
	}
}

func segments(ts *testscript.TestScript) (found []string) {
	err := filepath.WalkDir(ts.Getenv("HOME"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".lex") {
			found = append(found, path)
		}
		return err
	})
	ts.Check(err)
	return found
}

package cli

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"espy/internal/changes"
	"espy/internal/filetest"
)

// TestForeignFlags holds that no command is told to take a flag that it lacks.
func TestForeignFlags(t *testing.T) {
	root := (&program{}).root()
	hint := func(path ...string) string {
		cmd, args, err := root.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		return cmd.FlagErrorFunc()(cmd, cmd.ParseFlags(args)).Error()
	}
	for _, tt := range []struct{ line, want string }{
		{"search --max-results 3 x", "--limit says"},
		{"search --passthru x", "espy grep has it"},
		{"search -P x", "espy grep -P has look-around"},
		{"shaktiman search --max-results 3 x", "see espy shaktiman search --help"},
		{"shaktiman deps --dephts 3 x", "did you mean --depth?"},
		{"search --all-repos x", "--repo all"},
		{"search --exclude-dir a x", "--path '!vendor/**'"},
		{"search --ackmate x", "--vimgrep prints"},
		{"search --crlf x", "in the pattern"},
		{"search --no-unicode x", "in the pattern"},
		{"search --name-only x", "in espy grep: -l prints"},
		{"search -n x y", "is not a number"},
		{"grep --include=*.go x", "-g '*.go'"},
		{"grep -R x", "subfolders are always searched"},
		{"grep -W x", "-C 5"},
		{"grep -Z x", "-0 ends"},
		{"grep --break x", "--heading"},
		{"grep -Q x", "-F takes"},
		{"grep --cached x", "--ref HEAD"},
		{"grep --java x", "-t java"},
		{"grep --ignore-dir a x", "-g '!vendor'"},
		{"files -print0", "-0 ends"},
		{"files -name *.go", "a glob"},
		{"files . -iname *.go", "a glob"},
		{"files -not -name *.go", "a glob"},
		{"files -maxdepth 2", "tells the depth"},
		{"files --changed-within 1d", "espy changes"},
		{"search --extension java x", "--path '*.java'"},
		{"search -L 5 x", "--limit"},
		{"search -file:test x", "NOT file:test"},
		{"search --query x", "goes without a flag"},
		{"context --query x", "goes without a flag"},
		{"symbol --symbol x", "goes without a flag"},
		{"impact --what x", "goes without a flag"},
		{"read --queries x", "go without a flag"},
		{"similar --place x", "on standard input"},
		{"calls --direction in x", "--callees"},
		{"hierarchy --direction up x", "--up"},
		{"search --cursor 10 x", "--offset"},
		{"hierarchy --glob x y", "see espy hierarchy --help"},
		{"symbol --kind func x", "espy symbols, espy references, espy links have that flag; see espy symbol --help"},
		{"search --body x", "espy symbol has that flag"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			if got := hint(strings.Fields(tt.line)...); !strings.Contains(got, tt.want) {
				t.Errorf("%q lacks %q", got, tt.want)
			}
		})
	}
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, f := range foreign {
			for _, name := range strings.Fields(f.names) {
				if h, ok := foreignFlag(cmd, name); ok && strings.Contains(h, "--limit") && cmd.Flag("limit") == nil {
					t.Errorf("%s has no --limit", cmd.CommandPath())
				}
			}
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(root)
}

// TestHabits runs what people type who know other programs.
func TestHabits(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a // TODO\n", "b.GO": "package b\n", "src/c.ts": "let c\n", "src/d.md": "# d\n", "go": "go\n"})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	for _, tt := range []struct{ line, out, problems string }{
		{"files -e go", "a.go\nb.GO\n", ""},
		{"files -e ts -e .md src", "src/c.ts\nsrc/d.md\n", ""},
		{"files -g *.md -g a.*", "a.go\nsrc/d.md\n", ""},
		{"files -E src -E go", "a.go\nb.GO\n", ""},
		{"ls-files *.ts", "src/c.ts\n", ""},
		{"search TODO --json path,repository", "", "takes no fields here"},
		{"files -e go --regex a", "", "exclude each other"},
		{"files -t f", "", "files alone are listed"},
		{"files -type f", "", "files alone are listed"},
		{"files ^src.*ts$", "", "--regex '^src.*ts$'"},
		{"grep -rn TODO", "a.go:package a // n\n", `write -n`},
		{"grep -r x TODO", "a.go:package a // x\n", ""},
		{"grep -nr TODO", "", "folders are searched without it"},
		{"grep TODO HEAD~1", "", "espy search --ref HEAD~1"},
		{"grep --engine=auto TODO", "a.go:package a // TODO\n", ""},
		{"grep --engine=pcre2 TODO(?R)", "", "rg -P"},
		{"grep -oP T\\w+ a.go", "TODO\n", ""},
	} {
		t.Run(tt.line, func(t *testing.T) {
			var out, problems bytes.Buffer
			Main(strings.Fields(tt.line), nil, &out, &problems, os.Environ(), nil)
			if out.String() != tt.out || !strings.Contains(problems.String(), tt.problems) {
				t.Errorf("%q, %s; want %q, %s", out.String(), problems.String(), tt.out, tt.problems)
			}
			if strings.HasPrefix(tt.line, "grep") && tt.problems == "" && problems.Len() > 0 {
				t.Errorf("it complains: %s", problems.String())
			}
		})
	}
}

// TestChangesArguments holds that changes takes commits and paths as git diff does.
func TestChangesArguments(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"pkg/a.go": "package a\n"})
	t.Chdir(dir)
	for line, want := range map[string]changes.Request{
		"":                {},
		"v1":              {Since: "v1"},
		"v1 v2":           {Ref: "v1..v2"},
		"v1...v2":         {Ref: "v1...v2"},
		"v1..v2 pkg":      {Ref: "v1..v2", Paths: []string{"pkg"}},
		"v1 pkg pkg/a.go": {Since: "v1", Paths: []string{"pkg", "pkg/a.go"}},
		"pkg":             {Paths: []string{"pkg"}},
		"v1 -- gone.go":   {Since: "v1", Paths: []string{"gone.go"}},
		"-- v1":           {Paths: []string{"v1"}},
	} {
		args, dash := strings.Fields(line), -1
		if i := slices.Index(args, "--"); i >= 0 {
			args, dash = slices.Delete(args, i, i+1), i
		}
		var got changes.Request
		if err := new(program).asDiff(args, dash, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v; want %+v", line, got, err, want)
		}
	}
	for line, want := range map[string]string{
		"v1 v2 v3":                `"v3" is no file here, and the commits are named already`,
		"--since v1 v2":           `"v2" is no file here, and the commits are named already`,
		"--ref v1..v2 pkg/b.go":   `"pkg/b.go" is no file here, and the commits are named already`,
		"--since v1 -- v2 --path": "",
	} {
		var out, problems bytes.Buffer
		code := Main(append([]string{"changes"}, strings.Fields(line)...), nil, &out, &problems, os.Environ(), nil)
		if code != 2 || !strings.Contains(problems.String(), want) {
			t.Errorf("%s: exit code %d, %s; want %s", line, code, problems.String(), want)
		}
	}
}

// TestNoPlace holds what is said where the last word of a query may be meant as a place.
func TestNoPlace(t *testing.T) {
	for arg, want := range map[string]string{
		"word":                     "",
		"src/nope":                 "no such file or folder: src/nope was searched for as part of the query; --path names where to search",
		"https://a.org/b":          "https://a.org/b was searched for as part of the query; --repo names a repository to search",
		"https://a.org/b in words": "",
	} {
		t.Run(arg, func(t *testing.T) {
			if got := noPlace(arg); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

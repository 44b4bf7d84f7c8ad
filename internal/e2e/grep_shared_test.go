package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/filetest"
)

// TestGrepShared compares espy grep with a server, which tells which files to search
// without a walk, with espy grep alone, before and after changes of every kind.
func TestGrepShared(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{
		".gitignore": "*.log\nbuild/\n!.kept\n", ".ignore": "skipped.txt\n", ".espyignore": "apart/\n", ".kept": "foo kept\n", ".dot": "foo behind a dot\n",
		"a.go": "package a // foo\n", "b.go": "package b // bar\n", "sub/c.txt": "foo in c\n", "sub/.gitignore": "d.txt\n", "sub/d.txt": "foo ignored\n", "sub-b/e.txt": "foo\n",
		"x.log": "foo in a log\n", "build/deep/y.txt": "foo built\n", "skipped.txt": "foo skipped\n", "bin.dat": "foo\x00bar\n", "id_rsa": "foo key\n", "apart/z.txt": "foo apart\n",
		"nested/.git/HEAD": "ref: refs/heads/main\n", "nested/.gitignore": "inner.txt\n", "nested/inner.txt": "foo inner\n", "nested/n.txt": "foo nested\n",
	})
	filetest.Link(t, p.tree, "a.go", "link.go")
	git(t, p.tree, "init", "-q")
	data, err := os.MkdirTemp("", "espy") // the name of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(data) })
	run := func(dir, data string, args []string) string {
		t.Helper()
		cmd := p.command(append([]string{"--data-dir", data}, args...)...)
		cmd.Dir = filepath.Join(p.tree, dir)
		var out, problems bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &problems
		code := exitOf(cmd.Run())
		return out.String() + problems.String() + string(rune('0'+code))
	}
	run("", data, []string{"index"})
	_, log := p.start("--data-dir", data, "--log-level", "info", "serve", "--addr", "127.0.0.1:0")
	wantLine(t, log, "espy serves http://127.0.0.1:")
	compare := func(t *testing.T) {
		for _, line := range []string{
			"foo", "-l foo", "-u foo", "-uu foo", "-uuu foo", "-i FOO", "-v foo", "-c foo", "--files", "--files --hidden", "--files -uu", "-g *.log foo", "-g !sub foo", "-t go foo", "-. foo",
			"--files-without-match foo", "--no-ignore-vcs foo", "--no-ignore-dot foo", "--no-ignore-parent foo", "--no-require-git foo", "--max-depth 1 foo", "--max-filesize 8 foo",
			"foo sub sub-b", "foo a.go sub", "foo build", "foo nested", "foo ./sub/..", "zzz", "-c --include-zero bar", "--sortr path -l foo", "--hidden -g .dot foo", "-F foo .",
		} {
			args := append([]string{"grep"}, strings.Fields(line)...)
			want := run("", t.TempDir(), args)
			if got := run("", data, args); got != want {
				t.Errorf("espy grep %s by a server:\n%s\nalone:\n%s", line, got, want)
			}
			wantLine(t, log, `msg="did a command" name="espy grep" code=0`)
		}
		for _, line := range []string{"grep foo", "grep foo ..", "grep foo ../sub-b ."} {
			want := run("sub", t.TempDir(), strings.Fields(line))
			if got := run("sub", data, strings.Fields(line)); got != want {
				t.Errorf("espy %s in a subfolder by a server:\n%s\nalone:\n%s", line, got, want)
			}
			wantLine(t, log, `msg="did a command" name="espy grep" code=0`)
		}
	}
	t.Run("as indexed", compare)
	filetest.Write(t, p.tree, map[string]string{"new.log": "foo in a new log\n", "id_dsa": "foo in a new key\n", "out.bin": "\x00foo\n", "build/new.txt": "foo new\n"})
	t.Run("with new files that are not indexed", compare)
	filetest.Write(t, p.tree, map[string]string{"a.go": "package a // changed, bar\n", "b.go": "package b // foo now\n", "more/new.txt": "foo new\n", "sub/.gitignore": "c.txt\n"})
	filetest.Remove(t, p.tree, "sub-b/e.txt")
	t.Run("with changes", compare)
}

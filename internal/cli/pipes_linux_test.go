package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"espy/internal/filetest"
)

// TestVim has vim fill its list of places by espy grep and espy search.
func TestVim(t *testing.T) {
	vim := shellOf(t, "vim")
	dir, home := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc foo() { foo(); foo() }\n", "sub dir/b.go": "package b\n\n\tvar foo int\n"})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	espyOnPath(t, home)
	if out, err := exec.Command("espy", "index").CombinedOutput(); err != nil { // else the first search tells that it did
		t.Fatalf("%v, %s", err, out)
	}
	const want = "a.go:3:6\na.go:3:14\na.go:3:21\nsub dir/b.go:3:6\n"
	for _, tt := range []struct{ name, program, line string }{
		{"grep", `espy\ grep\ --vimgrep`, "foo"},
		{"grep with flags", `espy\ grep\ --vimgrep\ $*`, `-tgo "fo+"`},
		{"search", `espy\ search\ --vimgrep`, "-F foo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			filetest.Write(t, home, map[string]string{"script.vim": "set grepprg=" + tt.program + " grepformat=%f:%l:%c:%m\nsilent grep! " + tt.line +
				"\ncall writefile(map(getqflist(), {_, q -> bufname(q.bufnr) . ':' . q.lnum . ':' . q.col}), '" + home + "/places')\nqall!\n"})
			cmd := exec.Command(vim, "-u", "NONE", "-N", "-e", "-s", "-S", home+"/script.vim")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("vim: %v, %s", err, out)
			}
			if got, err := os.ReadFile(home + "/places"); err != nil || string(got) != want {
				t.Errorf("places %q, %v; want %q", got, err, want)
			}
		})
	}
}

// TestPipes runs what people type with a pipe.
func TestPipes(t *testing.T) {
	shellOf(t, "fzf")
	dir, home := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"a.go": strings.Repeat("foo\n", 200_000), "sub dir/b.go": "package b\n\nvar foo int\n", "new\nline.txt": "foo foo\n", "c.md": "bar\n",
	})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	t.Setenv("LESS", "")
	espyOnPath(t, home)
	for _, tt := range []struct{ line, want string }{
		{"espy files 2>/dev/null | fzf -f bgo", "sub dir/b.go\n"},
		{"espy grep --files | fzf -f cmd", "c.md\n"},
		{"espy grep -l0 foo -g '!a.go' | fzf --read0 -f b", "sub dir/b.go\n"},
		{"espy grep -n --color=always foo | fzf --ansi -f 'sub var'", "sub dir/b.go:3:var foo int\n"},
		{"espy grep -l0 foo | xargs -0 cat | grep -c foo", "200002\n"},
		{"espy files -q -0 | xargs -0 ls | wc -l | tr -d ' '", "5\n"}, // the name with a line end is two
		{"espy -q -F -l -0 foo -t go | xargs -0 head -qn1", "foo\npackage b\n"},
		{"espy grep foo | head -1; echo ${PIPESTATUS[0]}", "a.go:foo\n0\n"},
		{"espy -q -F foo --limit 100000 | head -1; echo ${PIPESTATUS[0]}", "a.go\n0\n"},
		{"espy grep foo c.md a.go -m1 | less", "a.go:foo\n"},
		{"echo foo | espy grep -c foo", "1\n"},
		{"espy grep -c foo < c.md; echo $?", "1\n"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			got, err := exec.Command("bash", "-c", tt.line).Output()
			if err != nil || string(got) != tt.want {
				t.Errorf("%q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"espy/internal/filetest"
)

// TestListsBelow holds that lists of one file or folder compare that alone, and see what
// changed there.
func TestListsBelow(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{".git/HEAD": "ref: refs/heads/main\n", "a/x.go": "package a\n\nfunc Old() {}\n", "b/y.go": "package b\n\nfunc Y() {}\n"})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	run := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, problems bytes.Buffer
		if code := Main(args, nil, &out, &problems, os.Environ(), nil); code != want {
			t.Fatalf("espy %q: exit code %d, %s", args, code, problems.String())
		}
		return out.String(), problems.String()
	}
	run(0, "index", ".")
	filetest.Write(t, dir, map[string]string{"a/x.go": "package a\n\nfunc New() {}\n", "a/n.go": "package a\n", "b/z.go": "package b\n"})
	for _, tt := range []struct {
		args        []string
		want, alone string
		code        int
	}{
		{[]string{"files", "a/**"}, "a/n.go", "a/**", 0}, {[]string{"files", "a"}, "a/n.go", "", 0},
		{[]string{"files", "b/z.go"}, "b/z.go", "b/z.go", 0},
		{[]string{"files", "*.go"}, "b/z.go", "", 0},
		{[]string{"outline", "a/x.go"}, "New", "a/x.go", 0},
		{[]string{"outline", "a"}, "New", "a", 0},
		{[]string{"outline"}, "New", "", 0},
		{[]string{"files", "a/nope.go"}, "", "a/nope.go", 1},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			run(tt.code, tt.args...) // the first question may write what it saw
			out, about := run(tt.code, tt.args...)
			if !strings.Contains(out, tt.want) {
				t.Errorf("%q is not in %q", tt.want, out)
			}
			if said := strings.Contains(out+about, "compared with the files of "+tt.alone+" alone"); said != (tt.alone != "") {
				t.Errorf("compared %q, but: %s%s", tt.alone, out, about)
			}
		})
	}
}

// TestSearchBelow holds that a search of exact text below one folder sees every change
// there, says that it compared that folder alone, and leaves the rest to the next
// question.
func TestSearchBelow(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "a/x.txt": "needle\n", "a/gone.txt": "needle\n", "b/y.txt": "other\n", "deep/a/z.txt": "needle of another a\n", "a/.gitignore": "*.log\n",
	})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	run := func(args ...string) (stdout, stderr string) {
		t.Helper()
		var out, problems bytes.Buffer
		if code := Main(args, nil, &out, &problems, os.Environ(), nil); code != 0 {
			t.Fatalf("espy %q: exit code %d, %s", args, code, problems.String())
		}
		return out.String(), problems.String()
	}
	run("index", ".")
	filetest.Write(t, dir, map[string]string{"a/x.txt": "changed\n", "a/new/n.txt": "a new needle\n", "a/n.log": "needle\n", "b/y.txt": "a needle now\n"})
	filetest.Remove(t, dir, "a/gone.txt")
	for _, tt := range []struct {
		args  []string
		want  string // the paths found
		alone string // what was compared, "" for all
	}{
		{[]string{"-F", "needle", "a"}, "a/new/n.txt", "a"},
		{[]string{"-e", "new needle|nope", "a"}, "a/new/n.txt", "a"},
		{[]string{"-F", "needle", "-p", "a/new/**", "-p", "!*.md"}, "a/new/n.txt", "a/new/**"},
		{[]string{"-F", "changed", "a/x.txt"}, "a/x.txt", "a/x.txt"},
		{[]string{"-F", "needle"}, "a/new/n.txt b/y.txt deep/a/z.txt", ""},
		{[]string{"-F", "needle", "-p", "*.txt"}, "a/new/n.txt b/y.txt deep/a/z.txt", ""},
		{[]string{"-F", "needle", "a"}, "a/new/n.txt", "a"},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			paths, _ := run(append([]string{"search", "-l"}, tt.args...)...)
			if got := strings.Join(strings.Fields(paths), " "); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
			_, about := run(append([]string{"search"}, tt.args...)...)
			if said := strings.Contains(about, "compared with the files of "+tt.alone+" alone"); said != (tt.alone != "") {
				t.Errorf("compared %q, but: %s", tt.alone, about)
			}
		})
	}
}

// TestLeftOutBelow holds that files which are left out are counted in the folders that are
// searched.
func TestLeftOutBelow(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".gitignore": "build/\n", "build/in/x.txt": "word\n",
		"a/x.txt": "word\n", "a/x.bin": "word \x00", "b/y.txt": "word\n", "b/y.bin": "word \x00",
	})
	t.Chdir(dir)
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"a"}, `"excluded":1,`}, {[]string{"a/x.txt"}, `"excluded":0,`}, {[]string{"--path", "*.txt"}, `"excluded":4,`}, {[]string{"build/in"}, `"excluded":1,`},
	} {
		t.Run(strings.Join(tt.args, " "), func(t *testing.T) {
			var out, problems bytes.Buffer
			Main(append([]string{"search", "-F", "word", "--json"}, tt.args...), nil, &out, &problems, os.Environ(), nil)
			if !strings.Contains(strings.ReplaceAll(out.String(), `": `, `":`), tt.want) {
				t.Errorf("%s is not in %s%s", tt.want, out.String(), problems.String())
			}
		})
	}
}

// TestReadPlaces holds that espy read takes places as compilers, editors and sites that host
// repositories write them, and a symbol before the line of its name.
func TestReadPlaces(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "a/x.go": "package a\n\nfunc New() {}\n\nconst L2 = 1\n", "x.go": "package top\n", "README.md": "top\n", "a/README.md": "below\n",
	})
	t.Chdir(filepath.Join(dir, "a"))
	t.Setenv("ESPY_DATA_DIR", t.TempDir())
	for at, want := range map[string]string{
		"x.go:3:6":     "3: func New() {}",
		"x.go:3:":      "3: func New() {}",
		"x.go#L3":      "3: func New() {}",
		"a/x.go#L3-L3": "3: func New() {}",
		"x.go#L2":      "5: const L2 = 1",
		"x.go#New":     "3: func New() {}",
		"https://github.com/o/r/blob/v1/a/x.go#L3": "3: func New() {}",
		"https://github.com/o/r/blob/v1/README.md": "1: top",
		"README.md": "1: below",
	} {
		var out, problems bytes.Buffer
		if code := Main([]string{"read", at}, nil, &out, &problems, os.Environ(), nil); code != 0 || strings.TrimSpace(out.String()) != want {
			t.Errorf("espy read %s: exit code %d, %q, want %q; %s", at, code, out.String(), want, problems.String())
		}
	}
	var out, problems bytes.Buffer
	if code := Main([]string{"read", "x.go#New", "--repo", dir}, nil, &out, &problems, os.Environ(), nil); code != 2 || !strings.Contains(problems.String(), "did you mean a/x.go#New?") {
		t.Errorf("espy read x.go#New --repo of the root: exit code %d, %s%s", code, out.String(), problems.String())
	}
}

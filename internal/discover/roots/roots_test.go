//go:build unix

package roots

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// plant writes files into a fresh folder and returns it. A path that ends in a
// slash is a folder.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		full := filepath.Join(dir, path)
		if strings.HasSuffix(path, "/") {
			full = filepath.Join(full, "file")
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCheck(t *testing.T) {
	dir := plant(t, map[string]string{"home/user/project/": "", "home/user/.ssh/": "", "home/user/file": ""})
	home := filepath.Join(dir, "home/user")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		dir   string
		broad bool // may be allowed
		want  string
	}{
		{home + "/project", false, ""},
		{home, true, "the home folder"},
		{link, true, "the home folder"},
		{link + "/project", false, ""},
		{dir + "/home", true, "a folder above the home folder"},
		{"/", true, "the top of the file system"},
		{"/etc", true, "a folder of the system"},
		{"/usr/local", true, "a folder of the system"},
		{home + "/.ssh", true, "a folder of keys and passwords"},
		{"/proc/self", true, "part of the pseudo file system /proc"},
		{home + "/file", false, "is a file: name the folder"},
		{home + "/missing", false, "no such file"},
	}
	for _, tt := range tests {
		t.Run(tt.dir, func(t *testing.T) {
			err := Check(tt.dir, home, false)
			if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.Contains(got, tt.want) {
				t.Errorf("Check(%q) = %v, want %q", tt.dir, err, tt.want)
			}
			var broad *broadRootError
			if errors.As(err, &broad) != tt.broad {
				t.Errorf("Check(%q) is %T", tt.dir, err)
			}
			if err := Check(tt.dir, home, true); tt.broad && tt.dir != "/proc/self" && err != nil {
				t.Errorf("Check(%q) with broad roots allowed = %v", tt.dir, err)
			}
		})
	}
	if err := Check("/usr", "/usr", false); err == nil || !strings.Contains(err.Error(), "the home folder") {
		t.Errorf("Check of a folder of the system that is the home folder = %v", err)
	}
	if err := Check(dir, "", false); err != nil {
		t.Errorf("Check without a home: %v", err)
	}
	for dir, refused := range map[string]bool{home: false, "/": false, "/etc": false, home + "/.ssh": true, "/proc/self": true, "/dev": true} {
		if err := CheckFile(dir); (err != nil) != refused {
			t.Errorf("CheckFile(%q) = %v, refused should be %v", dir, err, refused)
		}
	}
}

func TestFind(t *testing.T) {
	dir := plant(t, map[string]string{
		"repo/.git/HEAD": "", "repo/a/b/": "", "repo/tree/.git": "gitdir: x", "repo/tree/c/": "",
		"home/.git/HEAD": "", "home/p/q/": "", "plain/x/": "",
	})
	home := filepath.Join(dir, "home")
	for from, want := range map[string]string{
		"repo": "repo", "repo/a/b": "repo", "repo/tree/c": "repo/tree", "repo/tree": "repo/tree",
		"home": "home", "home/p/q": "home/p/q", "plain/x": "plain/x",
	} {
		t.Run(from, func(t *testing.T) {
			if got := Find(filepath.Join(dir, from), home); got != filepath.Join(dir, want) {
				t.Errorf("Find(%s) = %s, want %s", from, got, want)
			}
		})
	}
	if got := Find(filepath.Join(home, "p")); got != home {
		t.Errorf("Find without folders to skip = %s, want %s", got, home)
	}
}

func TestOpen(t *testing.T) {
	dir := plant(t, map[string]string{"file": ""})
	t.Chdir(dir)
	root, err := Open(".")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if !filepath.IsAbs(root.Name()) {
		t.Errorf("name of the root: %q, want an absolute one", root.Name())
	}
	if _, err := Open("file"); err == nil {
		t.Error("Open of a file did not fail")
	}
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open("pipe"); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("Open of a pipe: %v", err)
	}
	if _, err := Open("missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of nothing: %v", err)
	}
}

// TestNested walks a tree that holds work trees of git of every kind.

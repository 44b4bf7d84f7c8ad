package export

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"espy/internal/filetest"
	"espy/internal/git"
	"espy/internal/git/gittest"
)

func open(t *testing.T, dir string) *git.Repository {
	t.Helper()
	r, err := git.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func exportTo(t *testing.T, r *git.Repository, commit string, o Options) (string, *Result, error) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	entries, err := r.SizedTree(t.Context(), commit)
	if err != nil {
		return dir, nil, err
	}
	x, err := Commit(t.Context(), r, entries, root, o)
	return dir, x, err
}

// texts returns the files below a folder.
func texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Mode() != 0o600 {
			t.Errorf("%s has mode %v, want a plain file of 0600", path, info.Mode())
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestExport(t *testing.T) {
	dir := t.TempDir()
	ids := gittest.History(t, dir)
	r := open(t, dir)
	long := strings.Repeat("line\n", 40)
	for i, want := range []map[string]string{
		{"a.go": "one\ntwo\nthree\n", "old name.go": long, "--output=x": "odd\n"},
		{"a.go": "one\nTWO\nthree\n", "old name.go": long, "--output=x": "odd\n"},
		{"a.go": "one\nTWO\nthree\n", "new.go": "new\n", "sub/new name.go": long},
	} {
		at, x, err := exportTo(t, r, ids[i], Options{})
		if err != nil || x.Files != 3 || len(x.Left) != 0 {
			t.Fatalf("Export(%d) = %+v, %v", i, x, err)
		}
		got := texts(t, at)
		for name, text := range want {
			if got[name] != text {
				t.Errorf("commit %d: %s = %q, want %q", i, name, got[name], text)
			}
		}
	}
	hollow := func(path string, size int64) bool { return path == "a.go" }
	at, x, err := exportTo(t, r, ids[0], Options{Hollow: hollow})
	if got := texts(t, at)["a.go"]; err != nil || got != strings.Repeat("\x00", 14) || x.Files != 3 || x.Bytes != 204 {
		t.Errorf("hollow: %q, %+v, %v", got, x, err)
	}
	for name, o := range map[string]Options{"files": {MaxFiles: 2}, "bytes": {MaxBytes: 10}} {
		t.Run(name, func(t *testing.T) {
			if at, _, err := exportTo(t, r, ids[0], o); !errors.Is(err, errTooLarge) || len(texts(t, at)) > 0 {
				t.Errorf("too many %s: %v, %v", name, err, texts(t, at))
			}
		})
	}
	var bad *git.RevisionError
	if _, _, err := exportTo(t, r, "HEAD", Options{}); !errors.As(err, &bad) {
		t.Errorf("Export of a name: %v, want a RevisionError", err)
	}
	if _, _, err := exportTo(t, r, strings.Repeat("a", 40), Options{}); err == nil {
		t.Error("Export of a commit that is not there gave no error")
	}
}

// object writes an object as it is given, which git itself would refuse to make.
func object(t *testing.T, dir, kind string, content []byte) string {
	t.Helper()
	cmd := exec.Command("git", "hash-object", "-w", "--literally", "-t", kind, "--stdin")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(content)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git hash-object: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// treeRow is an entry of a tree object.
func treeRow(t *testing.T, mode, name, id string) []byte {
	t.Helper()
	row := []byte(mode + " " + name + "\x00")
	for i := 0; i < len(id); i += 2 {
		row = append(row, unhex(id[i])<<4|unhex(id[i+1]))
	}
	return row
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c - 'a' + 10
}

// TestExportOfHostileTrees exports trees that no git would write.
func TestExportOfHostileTrees(t *testing.T) {
	dir := t.TempDir()
	filetest.Git(t, dir, "init", "-q")
	blob := object(t, dir, "blob", []byte("evil\n"))
	gone := strings.Repeat("ab", 20)
	hooks := object(t, dir, "tree", treeRow(t, "100755", "HEAD", blob))
	var rows []byte
	for _, e := range [][3]string{
		{"100644", "..", blob}, {"100644", ".", blob}, {"100644", "../up", blob}, {"100644", "/etc/x", blob}, {"100644", "a/../../b", blob},
		{"40000", ".git", hooks}, {"40000", ".GIT", hooks}, {"40000", "..", hooks},
		{"100644", strings.Repeat("n", 300), blob}, {"120000", "link", blob}, {"160000", "module", gone}, {"100644", "missing", gone},
		{"100755", "run.sh", blob}, {"100644", "twice", blob}, {"40000", "twice", hooks}, {"100644", "new\nline", blob}, {"100644", "-rf", blob},
		{"100644", "link/under", blob},
	} {
		rows = append(rows, treeRow(t, e[0], e[1], e[2])...)
	}
	tree := object(t, dir, "tree", rows)
	commit := object(t, dir, "commit", []byte("tree "+tree+"\nauthor t <t> 0 +0000\ncommitter t <t> 0 +0000\n\nx\n"))
	at, x, err := exportTo(t, open(t, dir), commit, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := texts(t, at)
	for name := range got {
		if !slices.Contains([]string{"run.sh", "twice", "twice/HEAD", "new\nline", "-rf", "link/under"}, name) {
			t.Errorf("the export holds %q", name)
		}
	}
	if got["run.sh"] != "evil\n" || got["-rf"] != "evil\n" || x.Files != len(got) {
		t.Errorf("the export holds %q and counts %d", got, x.Files)
	}
	why := map[string]Why{}
	for _, l := range x.Left {
		why[l.Path] = l.Why
	}
	for name, want := range map[string]Why{"link": WhyLink, "module": WhySubmodule, "missing": WhyMissing, "..": WhyName, ".git/HEAD": WhyName, ".GIT/HEAD": WhyName, "../up": WhyName} {
		t.Run(name, func(t *testing.T) {
			if got, ok := why[name]; !ok || got != want {
				t.Errorf("%s is left out with %v (%v), want %v", name, got, ok, want)
			}
		})
	}
	for _, name := range []string{"up", "b"} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Lstat(filepath.Join(filepath.Dir(at), name)); err == nil {
				t.Errorf("the export made %s beside its folder", name)
			}
		})
	}
}

func TestExportExecutesNothing(t *testing.T) {
	dir, marker, ids := gittest.Hostile(t)
	blob := filetest.Git(t, dir, "rev-parse", ids[1]+":a.go")
	_, x, err := exportTo(t, open(t, dir), ids[0], Options{})
	if err != nil || x.Files != 3 {
		t.Errorf("Export = %+v, %v", x, err)
	}
	at, x, err := exportTo(t, open(t, dir), ids[1], Options{})
	if err != nil || x.Files != 2 || len(x.Left) != 1 || x.Left[0].Why != WhyMissing {
		t.Errorf("Export without object %s = %+v, %v", blob, x, err)
	}
	if _, ok := texts(t, at)["a.go"]; ok {
		t.Error("a file without its object was made")
	}
	if text, err := os.ReadFile(marker); err == nil {
		t.Errorf("a program of the repository was run: %q", text)
	}
}

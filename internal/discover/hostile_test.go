//go:build linux

package discover

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"espy/internal/discover/roots"
)

// hookTree lets a test change the tree at a chosen moment of a walk or read.
type hookTree struct {
	tree
	onDir  func(path string) // before a folder is listed
	onOpen func(name string) // between the look at a file and opening it
	onRead func(name string) // before each read
}

func (h *hookTree) openDir(path string) (folder, error) {
	if h.onDir != nil {
		h.onDir(path)
	}
	d, err := h.tree.openDir(path)
	return hookFolder{d, h}, err
}

func (h *hookTree) openParent(path string) (folder, error) {
	d, err := h.tree.openParent(path)
	return hookFolder{d, h}, err
}

type hookFolder struct {
	folder
	h *hookTree
}

func (d hookFolder) open(name string) (file, error) {
	if d.h.onOpen != nil {
		d.h.onOpen(name)
	}
	f, err := d.folder.open(name)
	return hookFile{f, name, d.h}, err
}

type hookFile struct {
	file
	name string
	h    *hookTree
}

func (f hookFile) read(p []byte) (int, error) {
	if f.h.onRead != nil {
		f.h.onRead(f.name)
	}
	return f.file.read(p)
}

// eachTree runs a test on the kernel's tree and on the portable one.
func eachTree(t *testing.T, test func(t *testing.T, portable bool)) {
	t.Run("kernel", func(t *testing.T) { test(t, false) })
	t.Run("portable", func(t *testing.T) { test(t, true) })
}

func hookedReader(t *testing.T, dir string, portable bool, h *hookTree) *Reader {
	t.Helper()
	r, err := newReader(openRoot(t, dir), Policy{}, portable)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	h.tree, r.tree = r.tree, h
	return r
}

// readReason returns the reason why path was not read, or its text.
func readReason(t *testing.T, r *Reader, path string) string {
	t.Helper()
	c, x, err := r.Read(path)
	switch {
	case err != nil:
		return "error: " + err.Error()
	case x != nil:
		return string(x.Reason)
	}
	return "text: " + string(c.Text)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestKernelTreeIsUsed(t *testing.T) {
	tr, err := openTree(openRoot(t, t.TempDir()), false)
	must(t, err)
	defer tr.close()
	if _, ok := tr.(*kernelTree); !ok {
		t.Skip("this kernel or sandbox has no openat2, so only the portable tree is tested")
	}
}

func TestOddNames(t *testing.T) {
	names := []string{
		"new\nline", "tab\t", "\x1b[2Jclear", "\x7f", "\xff\xfe invalid", "-rf", "--help", strings.Repeat("x", 255), " ", "a\\b", "c:d", "*", "\u202etxt", "é", "e\u0301", "quote\"", "#x", "CON",
	}
	files := map[string]string{}
	for _, n := range names {
		files[n] = "text of " + n
		files["d"+n[:min(len(n), 254)]+"/"+n] = "below"
	}
	dir := plant(t, files)
	l := walkBoth(t, dir, Policy{}, Options{})
	if len(l.Entries) != len(files) || len(l.Excluded) != 0 {
		t.Fatalf("%d entries of %d, excluded %q", len(l.Entries), len(files), reasons(l))
	}
	eachTree(t, func(t *testing.T, portable bool) {
		r := hookedReader(t, dir, portable, &hookTree{})
		for _, e := range l.Entries {
			if got := readReason(t, r, e.Path); got != "text: "+files[e.Path] {
				t.Errorf("Read(%q) = %q", e.Path, got)
			}
		}
	})
}

func TestPathsThatAreTooLong(t *testing.T) {
	dir := t.TempDir()
	at, err := os.OpenRoot(dir)
	must(t, err)
	name := strings.Repeat("d", 255)
	for range 20 { // 20 * 256 bytes
		must(t, at.Mkdir(name, 0o755))
		next, err := at.OpenRoot(name)
		must(t, err)
		at.Close()
		at = next
		must(t, at.WriteFile("f", nil, 0o644))
	}
	at.Close()
	l := walkBoth(t, dir, Policy{}, Options{})
	if len(l.Entries) != 15 || len(l.Excluded) != 2 {
		t.Fatalf("%d entries, %d exclusions, want 15, 2", len(l.Entries), len(l.Excluded))
	}
	for _, x := range l.Excluded {
		if x.Reason != ReasonLimit || x.Detail != "the path is longer than 4095 bytes" || len(x.Path) <= maxPathBytes {
			t.Errorf("a path of %d bytes is left out as %s: %s", len(x.Path), x.Reason, x.Detail)
		}
	}
}

func TestDeepFolders(t *testing.T) {
	eachTree(t, func(t *testing.T, portable bool) {
		depth := 2000
		if portable { // opens every folder above each folder
			depth = 200
		}
		dir := plant(t, map[string]string{strings.Repeat("a/", depth) + "f": "deep"})
		l, err := Walk(context.Background(), openRoot(t, dir), Policy{}, Options{portable: portable})
		if err != nil || len(l.Entries) != 1 || l.Dirs != depth+1 {
			t.Fatalf("Walk = %+v, %v", l, err)
		}
		if got := readReason(t, hookedReader(t, dir, portable, &hookTree{}), l.Entries[0].Path); got != "text: deep" {
			t.Errorf("Read = %q", got)
		}
	})
}

// plantSpecials makes a file of each special kind that this user may make.
func plantSpecials(t *testing.T, dir string) (names []string) {
	t.Helper()
	must(t, unix.Mkfifo(filepath.Join(dir, "fifo"), 0o644))
	must(t, unix.Mknod(filepath.Join(dir, "socket"), unix.S_IFSOCK|0o644, 0))
	names = []string{"fifo", "socket"}
	for name, kind := range map[string]uint32{"block": unix.S_IFBLK, "char": unix.S_IFCHR} {
		err := unix.Mknod(filepath.Join(dir, name), kind|0o644, int(unix.Mkdev(1, 3)))
		if errors.Is(err, unix.EPERM) {
			t.Logf("no %s device: only root may make one", name)
			continue
		}
		must(t, err)
		names = append(names, name)
	}
	return names
}

func TestSpecialFiles(t *testing.T) {
	dir := plant(t, map[string]string{"a": ""})
	specials := plantSpecials(t, dir)
	l := walkBoth(t, dir, Policy{}, Options{})
	if diff := cmp.Diff([]string{"a"}, paths(l)); diff != "" || len(l.Excluded) != len(specials) {
		t.Errorf("entries:\n%s\nexcluded %q", diff, reasons(l))
	}
	eachTree(t, func(t *testing.T, portable bool) {
		r := hookedReader(t, dir, portable, &hookTree{onOpen: func(name string) { t.Errorf("%s was opened", name) }})
		for _, name := range specials {
			if got := readReason(t, r, name); got != "special" {
				t.Errorf("Read(%s) = %q", name, got)
			}
		}
		if got := readReason(t, r, "."); !strings.HasPrefix(got, "error: path \".\": must name a file") {
			t.Errorf("Read(.) = %q", got)
		}
	})
}

func TestSymlinks(t *testing.T) {
	outside := plant(t, map[string]string{"secret": "outside"})
	dir := plant(t, map[string]string{"real/f": "inside", "real/.env": "K=1", ".gitignore": "ignored\n"})
	for name, target := range map[string]string{
		"file": "real/f", "dir": "real", "up": "..", "self": "self", "loop/a": "b", "loop/b": "a", "abs": outside, "absfile": outside + "/secret",
		"dangling": "nowhere", "ignored": "real", "env": "real/.env", "rel": "../" + filepath.Base(outside), "real/parent": "../..",
	} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	l := walkBoth(t, dir, Policy{}, Options{})
	checkListing(t, l, []string{".gitignore", "real/f"}, []string{
		"abs symlink", "absfile symlink", "dangling symlink", "dir symlink", "env symlink", "file symlink", "ignored ignored",
		"loop/a symlink", "loop/b symlink", "real/.env secret", "real/parent symlink", "rel symlink", "self symlink", "up symlink",
	})
	eachTree(t, func(t *testing.T, portable bool) {
		r := hookedReader(t, dir, portable, &hookTree{})
		for path, want := range map[string]string{
			"real/f": "text: inside", "file": "symlink", "dir": "symlink", "dir/f": "symlink", "env": "symlink", "absfile": "symlink", "abs/secret": "symlink",
			"loop/a": "symlink", "loop/a/x": "symlink", "dangling": "symlink", "up/x": "symlink", "real/parent/x": "symlink",
			"real/.env": "secret", ".git/config": "vcs", "a/.git": "vcs", "real": "special",
			"nowhere": "error: read nowhere: file does not exist", "real/f/x": "error: read real/f/x: file does not exist",
		} {
			if got := readReason(t, r, path); got != want {
				t.Errorf("Read(%q) = %q, want %q", path, got, want)
			}
		}
	})
}

func TestReadRefusesPaths(t *testing.T) {
	root := openRoot(t, plant(t, map[string]string{"a/b": ""}))
	for _, path := range []string{"", ".", "..", "../x", "/etc/passwd", "a/../b", "a/./b", "a//b", "a/b/", "/a/b", "a\x00b", "a/.."} {
		t.Run(path, func(t *testing.T) {
			_, x, err := read(root, path, 0)
			var bad *PathError
			if !errors.As(err, &bad) || bad.Path != path {
				t.Errorf("Read(%q) = %v, %v, want a *PathError", path, x, err)
			}
		})
	}
}

// A folder and a link out of the tree change places while files are read
// through the name: what is outside must never come back.
func TestLinkSwappedWhileReading(t *testing.T) {
	outside := plant(t, map[string]string{"f": "outside"})
	eachTree(t, func(t *testing.T, portable bool) {
		dir := plant(t, map[string]string{"d/f": "inside"})
		must(t, os.Symlink(outside, filepath.Join(dir, "link")))
		swap := func() {
			err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(dir, "d"), unix.AT_FDCWD, filepath.Join(dir, "link"), unix.RENAME_EXCHANGE)
			if err != nil {
				t.Error(err)
			}
		}
		done, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-done:
					return
				default:
					swap()
				}
			}
		}()
		defer func() { close(done); <-stopped }()
		r := hookedReader(t, dir, portable, &hookTree{})
		seen := map[string]int{}
		for i := 0; i < 3000 || len(seen) < 2 && i < 1_000_000; i++ {
			got := readReason(t, r, "d/f")
			seen[got]++
			switch got {
			case "text: inside", "symlink", "changing":
			default:
				t.Fatalf("Read = %q", got)
			}
		}
		t.Log(seen)
	})
}

// unreadableDir names the folder for the child process of TestUnreadable.
const unreadableDir = "DISCOVER_TEST_UNREADABLE"

// TestUnreadable runs itself once more as another user when it runs as root,
// because root may read everything.
func TestUnreadable(t *testing.T) {
	if dir := os.Getenv(unreadableDir); dir != "" {
		checkUnreadable(t, dir)
		return
	}
	dir := plant(t, map[string]string{"ok/a": "", "locked/b": "", "ok/c": "secret", "list/only/d": ""})
	must(t, os.Chmod(filepath.Join(dir, "locked"), 0))
	must(t, os.Chmod(filepath.Join(dir, "ok/c"), 0))
	must(t, os.Chmod(filepath.Join(dir, "list/only"), 0o444))
	t.Cleanup(func() {
		os.Chmod(filepath.Join(dir, "locked"), 0o755)
		os.Chmod(filepath.Join(dir, "list/only"), 0o755)
	})
	if os.Getuid() != 0 {
		checkUnreadable(t, dir)
		return
	}
	for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
		must(t, os.Chmod(at, 0o755))
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestUnreadable$", "-test.v")
	cmd.Dir = "/"
	cmd.Env = []string{unreadableDir + "=" + dir, "TMPDIR=/nonexistent"}
	const nobody = 65534
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestUnreadable") {
		t.Fatalf("as another user: %v\n%s", err, out)
	}
}

func checkUnreadable(t *testing.T, dir string) {
	l := walkBoth(t, dir, Policy{Exclude: []string{"only"}}, Options{})
	checkListing(t, l, []string{"ok/a", "ok/c"}, []string{"list/only/ excluded", "locked/ unreadable"})
	eachTree(t, func(t *testing.T, portable bool) { // a folder that may be listed but not entered
		l, err := Walk(context.Background(), openRoot(t, filepath.Join(dir, "list")), Policy{}, Options{portable: portable})
		if err != nil || len(l.Entries) != 0 || len(l.Excluded) != 1 || l.Excluded[0].Reason != ReasonUnreadable {
			t.Errorf("Walk = %+v, %v", l, err)
		}
	})
	_, x, err := read(openRoot(t, dir), "ok/c", 0)
	want := &Exclusion{Path: "ok/c", Reason: ReasonUnreadable, Detail: "permission denied"}
	if diff := cmp.Diff(want, x); diff != "" || err != nil {
		t.Errorf("Read of an unreadable file: %v\n%s", err, diff)
	}
	must(t, os.Chdir("/"))
	if _, err := roots.Open(filepath.Join(dir, "locked")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("OpenRoot of an unreadable folder: %v", err)
	}
}

func TestRootRemoved(t *testing.T) {
	tests := map[string]func(t *testing.T, dir string){
		"removed":  func(t *testing.T, dir string) { must(t, os.RemoveAll(dir)) },
		"moved":    func(t *testing.T, dir string) { must(t, os.Rename(dir, dir+"2")) },
		"replaced": func(t *testing.T, dir string) { must(t, os.Rename(dir, dir+"2")); must(t, os.Mkdir(dir, 0o755)) },
		"a file now": func(t *testing.T, dir string) {
			must(t, os.RemoveAll(dir))
			must(t, os.WriteFile(dir, nil, 0o644))
		},
	}
	for name, destroy := range tests {
		t.Run(name, func(t *testing.T) {
			eachTree(t, func(t *testing.T, portable bool) {
				for _, when := range []string{"before", "", "b", "c/d"} { // before the walk, or before this folder is listed
					dir := filepath.Join(plant(t, map[string]string{"r/a/x": "", "r/b/x": "", "r/c/d/x": ""}), "r")
					root := openRoot(t, dir)
					if when == "before" {
						destroy(t, dir)
						if l, err := Walk(context.Background(), root, Policy{}, Options{portable: portable}); !errors.Is(err, roots.ErrGone) {
							t.Errorf("Walk = %v, %v, want roots.ErrGone", l, err)
						}
						continue
					}
					w, err := newWalker(root, Policy{}, Options{portable: portable, Workers: 1})
					must(t, err)
					w.tree = &hookTree{tree: w.tree, onDir: func(path string) {
						if path == when {
							destroy(t, dir)
						}
					}}
					if l, err := w.listing(context.Background(), root); !errors.Is(err, roots.ErrGone) {
						t.Errorf("destroyed before %q: %v, %v, want roots.ErrGone", when, l, err)
					}
					w.tree.close()
				}
			})
		})
	}
}

// A folder that vanishes, or becomes a link or a file, while the walk is on its
// way to it is left out, and the walk goes on.
func TestFolderChangesDuringWalk(t *testing.T) {
	outside := plant(t, map[string]string{"x": ""})
	tests := []struct {
		name     string
		change   func(t *testing.T, path string)
		excluded []string
	}{
		{"vanishes", func(t *testing.T, path string) {}, nil},
		{"becomes a link", func(t *testing.T, path string) { must(t, os.Symlink(outside, path)) }, []string{"b symlink"}},
		{"becomes a file", func(t *testing.T, path string) { must(t, os.WriteFile(path, nil, 0o644)) }, nil},
		{"becomes a pipe", func(t *testing.T, path string) { must(t, unix.Mkfifo(path, 0o644)) }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			eachTree(t, func(t *testing.T, portable bool) {
				dir := plant(t, map[string]string{"a/x": "", "b/x": "", "c/x": ""})
				root := openRoot(t, dir)
				w, err := newWalker(root, Policy{}, Options{portable: portable, Workers: 1})
				must(t, err)
				defer w.tree.close()
				w.tree = &hookTree{tree: w.tree, onDir: func(path string) {
					if path == "b" {
						must(t, os.RemoveAll(filepath.Join(dir, "b")))
						tt.change(t, filepath.Join(dir, "b"))
					}
				}}
				l, err := w.listing(context.Background(), root)
				must(t, err)
				checkListing(t, l, []string{"a/x", "c/x"}, tt.excluded)
			})
		})
	}
}

func TestFileReplacedBeforeOpening(t *testing.T) {
	outside := plant(t, map[string]string{"x": "outside"})
	tests := []struct {
		name    string
		replace func(path string) error
		want    string
	}{
		{"by a pipe", func(path string) error { return unix.Mkfifo(path, 0o644) }, "special"},
		{"by a socket", func(path string) error { return unix.Mknod(path, unix.S_IFSOCK|0o644, 0) }, "special"},
		{"by a folder", func(path string) error { return os.Mkdir(path, 0o755) }, "special"},
		{"by a link", func(path string) error { return os.Symlink(outside+"/x", path) }, "symlink"},
		{"by another file", func(path string) error { return os.WriteFile(path, []byte("other"), 0o644) }, "text: other"},
		{"by nothing", func(string) error { return nil }, "error: read f: file does not exist"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			eachTree(t, func(t *testing.T, portable bool) {
				dir := plant(t, map[string]string{"f": "first"})
				path := filepath.Join(dir, "f")
				replaced := false
				r := hookedReader(t, dir, portable, &hookTree{onOpen: func(string) {
					if !replaced {
						replaced = true
						must(t, os.Remove(path))
						must(t, tt.replace(path))
					}
				}})
				if got := readReason(t, r, "f"); got != tt.want {
					t.Errorf("Read = %q, want %q", got, tt.want)
				}
			})
		})
	}
}

func TestFileChangesWhileRead(t *testing.T) {
	tests := []struct {
		name   string
		times  int // how often the file changes
		change func(path string) error
		want   string
	}{
		{"grows once", 1, grow, "text: first more"},
		{"grows for ever", 100, grow, "changing"},
		{"shrinks", 1, func(path string) error { return os.Truncate(path, 2) }, "text: fi"},
		{"is overwritten with the same size", 1, func(path string) error { return os.WriteFile(path, []byte("other"), 0o644) }, "text: other"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			eachTree(t, func(t *testing.T, portable bool) {
				dir := plant(t, map[string]string{"f": "first"})
				path := filepath.Join(dir, "f")
				past := unix.NsecToTimespec(1e18)
				must(t, unix.UtimesNano(path, []unix.Timespec{past, past})) // so that a change shows whatever the clock's grain
				times := tt.times
				r := hookedReader(t, dir, portable, &hookTree{onRead: func(string) {
					if times > 0 {
						times--
						must(t, tt.change(path))
					}
				}})
				if got := readReason(t, r, "f"); got != tt.want {
					t.Errorf("Read = %q, want %q", got, tt.want)
				}
			})
		})
	}
}

func grow(path string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(" more")
	return errors.Join(err, f.Close())
}

func TestHugeFilesAreNotRead(t *testing.T) {
	dir := plant(t, map[string]string{"line": "", "sparse": ""})
	must(t, os.Truncate(filepath.Join(dir, "line"), 200<<20))
	if err := os.Truncate(filepath.Join(dir, "sparse"), 1<<40); err != nil {
		must(t, os.Truncate(filepath.Join(dir, "sparse"), 1<<33)) // a file system with small limits
	}
	l := walkBoth(t, dir, Policy{}, Options{})
	checkListing(t, l, nil, []string{"line too_large", "sparse too_large"})
	if x := l.Excluded[0]; x.Size != 200<<20 || x.Detail != "the limit is 10485760 bytes" {
		t.Errorf("exclusion %+v", x)
	}
	eachTree(t, func(t *testing.T, portable bool) {
		r := hookedReader(t, dir, portable, &hookTree{onOpen: func(name string) { t.Errorf("%s was opened", name) }})
		for _, name := range []string{"line", "sparse"} {
			if got := readReason(t, r, name); got != "too_large" {
				t.Errorf("Read(%s) = %q", name, got)
			}
		}
	})
}

// A walk and a read need a handful of descriptors, and without them the walk
// fails rather than to take folders for unreadable.
func TestDescriptors(t *testing.T) {
	files := map[string]string{}
	for _, d := range strings.Fields("a/b/c/d/e/f a/b/x a/y z/1 z/2 z/3") {
		files[d+"/file"] = ""
	}
	dir := plant(t, files)
	root := openRoot(t, dir)
	before := openDescriptors(t)
	w, err := newWalker(root, Policy{}, Options{Workers: 1})
	must(t, err)
	most := 0
	w.tree = &hookTree{tree: w.tree, onDir: func(string) { most = max(most, openDescriptors(t)-before) }}
	_, err = w.listing(context.Background(), root)
	must(t, err)
	w.tree.close()
	if most > 2 {
		t.Errorf("%d descriptors open at once", most)
	}
	runtime.GC()
	if after := openDescriptors(t); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
	w.tree = &failingTree{hookTree{tree: &rootTree{root}}}
	if _, err := w.walk(context.Background()); !errors.Is(err, unix.EMFILE) {
		t.Errorf("walk without descriptors: %v", err)
	}
}

type failingTree struct{ hookTree }

func (f *failingTree) openDir(path string) (folder, error) {
	if path == "z" {
		return nil, unix.EMFILE
	}
	return f.tree.openDir(path)
}

func openDescriptors(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(names)
}

func TestGlobalIgnoreFile(t *testing.T) {
	dir := plant(t, map[string]string{"a.swp": ""})
	other := plant(t, map[string]string{"folder/": "", "empty": ""})
	tests := map[string]string{ // file, what is told
		"":                              "",
		filepath.Join(other, "missing"): "",
		filepath.Join(other, "empty"):   "",
		os.DevNull:                      "",
		filepath.Join(other, "folder"):  "not a regular file",
	}
	if fifo := filepath.Join(other, "fifo"); syscall.Mkfifo(fifo, 0o644) == nil {
		tests[fifo] = "not a regular file"
	}
	if loop := filepath.Join(other, "loop"); os.Symlink(loop, loop) == nil {
		tests[loop] = "too many levels"
	}
	for global, want := range tests {
		t.Run(filepath.Base(global), func(t *testing.T) {
			l := walkBoth(t, dir, Policy{}, Options{GlobalIgnore: global})
			checkListing(t, l, []string{"a.swp"}, nil)
			if got := strings.Join(l.Notices, "; "); want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("with %q as global ignore file: told %q, want %q", global, got, want)
			}
		})
	}
}

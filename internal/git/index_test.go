package git

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/git/gittest"
)

// staged makes a repository with a few files in its index and returns a commit.
func staged(t testing.TB, dir string, format ...string) string {
	t.Helper()
	filetest.Git(t, dir, append([]string{"init", "-q"}, format...)...)
	gittest.Write(t, dir, map[string]string{
		"a.go": "one\n", "sub/b.go": "two\n", "sub/deep/" + strings.Repeat("long", 40) + ".go": "three\n", "sub.go": "four\n", "zé\n": "",
	})
	os.Symlink("a.go", filepath.Join(dir, "link"))
	filetest.Git(t, dir, "add", "-A")
	filetest.Git(t, dir, "commit", "-q", "-m", "first")
	return filetest.Git(t, dir, "rev-parse", "HEAD")
}

// listed is what ls-files says of the entries of an index.
func listed(x *Index) string {
	var b strings.Builder
	for e := range x.Entries() {
		fmt.Fprintf(&b, "%06o %x %d\t%s\x00", e.Mode, e.ID, e.Stage, e.Path)
	}
	return b.String()
}

func readIndex(t *testing.T, dir, commit string) (*Index, error) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	x, err := ReadIndex(root, commit)
	if err == nil && x.Stamp != Look(root).Index {
		t.Errorf("stamp %v, then %v", x.Stamp, Look(root).Index)
	}
	return x, err
}

func TestIndex(t *testing.T) {
	for name, args := range map[string][]string{
		"sha1":   nil,
		"sha256": {"--object-format=sha256"},
	} {
		dir := t.TempDir()
		commit := staged(t, dir, args...)
		for _, version := range []string{"2", "4", "3"} {
			filetest.Git(t, dir, "update-index", "--index-version", version)
			if version == "3" { // written only where an entry needs it
				filetest.Git(t, dir, "update-index", "--skip-worktree", "sub.go") // which forgets the tree
			}
			x, err := readIndex(t, dir, commit)
			if err != nil {
				t.Fatalf("%s, version %s: %v", name, version, err)
			}
			if want := filetest.Git(t, dir, "ls-files", "-s", "-z"); listed(x) != want {
				t.Errorf("%s, version %s: entries %q, want %q", name, version, listed(x), want)
			}
			if want := filetest.Git(t, dir, "rev-parse", "HEAD^{tree}"); version != "3" && x.Tree != want {
				t.Errorf("%s, version %s: tree %s, want %s", name, version, x.Tree, want)
			}
			for e := range x.Entries() {
				info, err := os.Lstat(filepath.Join(dir, string(e.Path)))
				if err != nil {
					t.Fatal(err)
				}
				s := stampOf(info)
				if e.MTime != s.MTime || e.Inode != uint32(s.Inode) || e.Size != uint32(s.Size) || e.Skip != (version == "3" && string(e.Path) == "sub.go") {
					t.Errorf("%s: entry %+v, the file has %+v", e.Path, e, s)
				}
				if text, err := os.ReadFile(filepath.Join(dir, string(e.Path))); e.Regular() && (err != nil || !bytes.Equal(BlobID(commit, text), e.ID)) {
					t.Errorf("%s: BlobID(%q) = %x, %v; want %x", e.Path, text, BlobID(commit, text), err, e.ID)
				}
			}
		}
		if x, err := readIndex(t, dir, commit); err != nil || slices.Max(collectStages(x)) != 0 {
			t.Errorf("%s: stages of a clean index: %v, %v", name, collectStages(x), err)
		}
	}
}

func collectStages(x *Index) (stages []int) {
	for e := range x.Entries() {
		stages = append(stages, e.Stage)
	}
	return stages
}

func TestIndexOfConflict(t *testing.T) {
	dir := t.TempDir()
	commit := staged(t, dir)
	for _, branch := range []string{"left", "right"} {
		filetest.Git(t, dir, "checkout", "-q", "-b", branch, commit)
		gittest.Write(t, dir, map[string]string{"a.go": branch + "\n"})
		filetest.Git(t, dir, "commit", "-q", "-a", "-m", branch)
	}
	filetest.GitCommand(dir, "merge", "-q", "left").Run() // fails, which is the point
	x, err := readIndex(t, dir, commit)
	if err != nil || !strings.HasPrefix(fmt.Sprint(collectStages(x)), "[1 2 3 0") || x.Tree != "" {
		t.Errorf("stages %v, tree %q, %v", collectStages(x), x.Tree, err)
	}
}

func TestIndexThatIsNotTold(t *testing.T) {
	dir := t.TempDir()
	commit := staged(t, dir)
	t.Run("none", func(t *testing.T) {
		none := t.TempDir()
		filetest.Git(t, none, "init", "-q")
		if x, err := readIndex(t, none, commit); err != nil || x.Len != 0 || x.Stamp != (Stamp{}) {
			t.Errorf("ReadIndex = %+v, %v; want an empty index", x, err)
		}
	})
	t.Run("split", func(t *testing.T) {
		filetest.Git(t, dir, "update-index", "--split-index")
		defer filetest.Git(t, dir, "update-index", "--no-split-index")
		if _, err := readIndex(t, dir, commit); !errors.Is(err, errSplitIndex) {
			t.Errorf("error %v, want errSplitIndex", err)
		}
	})
	t.Run("sparse", func(t *testing.T) {
		filetest.Git(t, dir, "sparse-checkout", "init", "--cone", "--sparse-index")
		defer filetest.Git(t, dir, "sparse-checkout", "disable")
		if _, err := readIndex(t, dir, commit); !errors.Is(err, errSparseIndex) {
			t.Errorf("error %v, want errSparseIndex", err)
		}
	})
	t.Run("pipe", func(t *testing.T) {
		hostile := t.TempDir()
		filetest.Git(t, hostile, "init", "-q")
		os.Symlink(filepath.Join(dir, ".git/index"), filepath.Join(hostile, ".git/index"))
		if _, err := readIndex(t, hostile, commit); !errors.Is(err, errIndex) {
			t.Errorf("link out of the folder: error %v, want errIndex", err)
		}
	})
}

// indexOf writes an index of version 2 with entries of the given paths and no checksum.
func indexOf(paths ...string) []byte {
	p := binary.BigEndian.AppendUint32([]byte("DIRC"), 2)
	p = binary.BigEndian.AppendUint32(p, uint32(len(paths)))
	for _, path := range paths {
		start := len(p)
		p = append(p, make([]byte, statSize)...)
		binary.BigEndian.PutUint32(p[start+24:], 0o100644)
		p = append(p, make([]byte, 20)...)
		p = binary.BigEndian.AppendUint16(p, uint16(min(len(path), flagLength)))
		p = append(p, path...)
		for p = append(p, 0); (len(p)-start)%8 != 0; {
			p = append(p, 0)
		}
	}
	return append(p, make([]byte, 20)...)
}

func TestHostileIndex(t *testing.T) {
	if x, err := parseIndex(indexOf("a", "b/c"), 20); err != nil || x.Len != 2 {
		t.Fatalf("a good one: %v, %v", x, err)
	}
	many := indexOf("a")
	binary.BigEndian.PutUint32(many[8:], 1<<32-1)
	version := indexOf("a")
	version[7] = 5
	for name, data := range map[string][]byte{
		"empty":           nil,
		"zeros":           make([]byte, 100),
		"2^32 entries":    many,
		"version 5":       version,
		"cut":             append(indexOf("a", "b")[:100], make([]byte, 20)...),
		"out of order":    indexOf("b", "a"),
		"twice":           indexOf("a", "a"),
		"out of the tree": indexOf("../a"),
		"dots within":     indexOf("a/../../b"),
		"absolute":        indexOf("/etc/passwd"),
		"git folder":      indexOf("a/.git/config"),
		"empty name":      indexOf(""),
		"long":            indexOf(strings.Repeat("a", 5000)),
		"folder":          indexOf("a/"),
		"bad checksum":    append(indexOf("a")[:len(indexOf("a"))-1], 1),
		"no extension":    append(bytes.TrimRight(indexOf("aaaaaaaaa"), "\x00"), make([]byte, 25)...),
	} {
		t.Run(name, func(t *testing.T) {
			if x, err := parseIndex(data, 20); !errors.Is(err, errIndex) {
				t.Errorf("%s: parseIndex = %+v, %v; want errIndex", name, x, err)
			}
		})
	}
}

func TestRootTree(t *testing.T) {
	id := strings.Repeat("\xab", 20)
	for in, want := range map[string]string{
		"\x003 1\n" + id + "sub\x00": hex.EncodeToString([]byte(id)),
		"\x00-1 1\n" + id:            "",
		"\x003 1\n" + id[:19]:        "",
		"\x003\n" + id:               "",
		"":                           "",
		"\n":                         "",
		"x3 1\n" + id:                "",
	} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			if got := rootTree([]byte(in), 20); got != want {
				t.Errorf("rootTree(%q) = %q, want %q", in, got, want)
			}
		})
	}
}

func TestStampSettled(t *testing.T) {
	now := time.Unix(1000, 0)
	for age, want := range map[time.Duration]bool{0: false, 5 * time.Millisecond: false, time.Second: true, -time.Second: false} {
		t.Run(fmt.Sprint(age), func(t *testing.T) {
			if got := (Stamp{Size: 1, MTime: now.Add(-age).UnixNano()}).Settled(now); got != want {
				t.Errorf("settled after %v = %v, want %v", age, got, want)
			}
		})
	}
}

func FuzzIndex(f *testing.F) {
	dir := f.TempDir()
	staged(f, dir)
	for _, version := range []string{"2", "4"} {
		filetest.Git(f, dir, "update-index", "--index-version", version)
		data, err := os.ReadFile(filepath.Join(dir, ".git/index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(indexOf("a", "b"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, size := range []int{20, 32} {
			if len(data) > size { // no checksum, so that the entries are reached
				clear(data[len(data)-size:])
			}
			x, err := parseIndex(data, size)
			if err != nil {
				if !errors.Is(err, errIndex) && !errors.Is(err, errSplitIndex) && !errors.Is(err, errSparseIndex) {
					t.Fatalf("error %v is of no kind", err)
				}
				continue
			}
			n, last := 0, ""
			for e := range x.Entries() {
				if n++; string(e.Path) < last || len(e.ID) != size || !validName(e.Path) {
					t.Fatalf("entry %d: %+v after %q", n, e, last)
				}
				last = string(e.Path)
			}
			if n != x.Len {
				t.Fatalf("%d entries of %d", n, x.Len)
			}
		}
	})
}

// BenchmarkIndex reads the index of the work tree that ESPY_BENCH names.
func BenchmarkIndex(b *testing.B) {
	dir := os.Getenv("ESPY_BENCH")
	if dir == "" {
		dir = b.TempDir()
		staged(b, dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	commit, _ := Head(root)
	b.Run("look", func(b *testing.B) {
		for b.Loop() {
			Look(root)
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			x, err := ReadIndex(root, commit)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(x.Len), "entries")
		}
	})
}

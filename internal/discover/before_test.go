//go:build linux

package discover

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"espy/internal/filetest"
	"espy/internal/listing"
)

// TestBefore changes a tree after a look at it. A walk that remembers the look finds what
// one without finds, and lists only the folders whose names changed.
func TestBefore(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, dir string)
		policy Policy   // of the second walk
		listed []string // folders that are listed again
	}{
		{"nothing", func(*testing.T, string) {}, Policy{}, nil},
		{"a file written", func(t *testing.T, dir string) { filetest.Write(t, dir, map[string]string{"a/b/c.go": "other"}) }, Policy{}, nil},
		{"a file more", func(t *testing.T, dir string) { filetest.Write(t, dir, map[string]string{"a/b/new.go": "x"}) }, Policy{}, []string{"a/b"}},
		{"a file less", func(t *testing.T, dir string) { remove(t, dir, "a/b/c.go") }, Policy{}, []string{"a/b"}},
		{"a file renamed", func(t *testing.T, dir string) { rename(t, dir, "a/b/c.go", "a/b/d.go") }, Policy{}, []string{"a/b"}},
		{"a file replaced", func(t *testing.T, dir string) {
			filetest.Write(t, dir, map[string]string{"a/new": "x"})
			rename(t, dir, "a/new", "a/b/c.go")
		}, Policy{}, []string{"a", "a/b"}},
		{"a folder more", func(t *testing.T, dir string) { filetest.Write(t, dir, map[string]string{"a/new/x.go": "x"}) }, Policy{}, []string{"a", "a/new"}},
		{"a folder less", func(t *testing.T, dir string) { remove(t, dir, "a/b") }, Policy{}, []string{"a"}},
		{"a folder moved", func(t *testing.T, dir string) { rename(t, dir, "a/b", "a-b/b") }, Policy{}, []string{"a", "a-b", "a-b/b", "a-b/b/d"}},
		{"a folder that becomes a link", func(t *testing.T, dir string) {
			rename(t, dir, "a/b", "b")
			filetest.Link(t, dir, "../b", "a/b")
		}, Policy{}, []string{"", "a", "b", "b/d"}},
		{"a folder that becomes a file", func(t *testing.T, dir string) {
			remove(t, dir, "a/b")
			filetest.Write(t, dir, map[string]string{"a/b": "x"})
		}, Policy{}, []string{"a"}},
		{"an ignore file written", func(t *testing.T, dir string) { filetest.Write(t, dir, map[string]string{".gitignore": "*.o\n"}) }, Policy{}, []string{"out"}},
		{"a repository inside", func(t *testing.T, dir string) { filetest.Write(t, dir, map[string]string{"a/b/.git/HEAD": "x"}) }, Policy{}, []string{"a/b"}},
		{"a folder that may not be read", func(t *testing.T, dir string) {
			if err := os.Chmod(filepath.Join(dir, "a/b"), 0); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(filepath.Join(dir, "a/b"), 0o700) })
		}, Policy{}, []string{"a/b"}},
		{"another policy", func(*testing.T, string) {}, Policy{NoGitignore: true, Secrets: true, SkipHidden: true}, []string{"out"}},
		{"globs", func(*testing.T, string) {}, Policy{Include: []string{"*.go", "*.o"}, Exclude: []string{"a-b"}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := plant(t, map[string]string{
				".git/HEAD": "x", ".gitignore": "*.o\n/out/\n", "a/b/c.go": "x", "a/b/c.o": "x", "a/b/.hidden": "x", "a/b/d/e.go": "x", "a/f.go": "x",
				"a-b/g.go": "x", "a.b/h.go": "x", "out/i.go": "x", "empty/": "", "id_rsa": "x",
			})
			filetest.Link(t, dir, "a/f.go", "link")
			pass(t, dir)
			root, saw := remembered(t, dir)
			tt.change(t, dir)
			before := &listing.Tree{Looked: 1 << 62, Leaves: leavesOf(saw), Folders: saw.Folders}
			want, err := Walk(context.Background(), root, tt.policy, Options{Folders: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, workers := range []int{1, 4} {
				got, listed := walkListing(t, root, tt.policy, Options{Folders: true, Before: before, Workers: workers})
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d workers (-without memory +with):\n%s", workers, diff)
				}
				if diff := cmp.Diff(tt.listed, listed); diff != "" {
					t.Errorf("%d workers: folders listed (-want +got):\n%s", workers, diff)
				}
			}
			before.Looked = 0 // so that no change can be told from the look
			if _, listed := walkListing(t, root, tt.policy, Options{Before: before}); len(listed) < want.Dirs {
				t.Errorf("after a look as old as the folders %d are listed, want all %d", len(listed), want.Dirs)
			}
		})
	}
}

// remembered looks at a tree whose folders are to be remembered.
func remembered(t *testing.T, dir string) (*os.Root, *Listing) {
	t.Helper()
	root := openRoot(t, dir)
	if vouching(descriptor(t, root)) == 0 {
		t.Skip("the file system is none whose folders vouch for their names")
	}
	saw, err := Walk(context.Background(), root, Policy{}, Options{Folders: true})
	if err != nil {
		t.Fatal(err)
	}
	return root, saw
}

// TestWithin: folders without folders are not opened where nothing in them came or went,
// and those around them stay open only so far down.
func TestWithin(t *testing.T) {
	const depth = maxOpen + 4
	files, outside := map[string]string{}, plant(t, map[string]string{"x.go": "secret"})
	for n := range depth {
		around := strings.Repeat("d/", n)
		files[around+"leaf/x.go"], files[around+"leaf/y.go"] = "x", "y"
	}
	dir := plant(t, files)
	pass(t, dir)
	root, saw := remembered(t, dir)
	before, open := &listing.Tree{Looked: 1 << 62, Leaves: leavesOf(saw), Folders: saw.Folders}, openDescriptors(t)
	walk := func(enter func(string)) (l *Listing, opened, most int) {
		w, err := newWalker(root, Policy{}, Options{Before: before, Folders: true, Workers: 1, Enter: enter})
		if err != nil {
			t.Fatal(err)
		}
		defer w.tree.close()
		w.tree = &parentTree{w.tree, func() { opened++; most = max(most, openDescriptors(t)-open) }}
		if l, err = w.listing(context.Background(), root); err != nil {
			t.Fatal(err)
		}
		return l, opened, most
	}
	got, opened, most := walk(nil)
	if diff := cmp.Diff(saw, got); diff != "" {
		t.Errorf("(-without memory +with):\n%s", diff)
	}
	if want := depth + depth - maxOpen; opened != want {
		t.Errorf("%d folders opened, want the %d that hold folders and %d deep ones", opened, depth, depth-maxOpen)
	}
	if most > maxOpen+2 {
		t.Errorf("%d descriptors open at once", most)
	}
	got, _, _ = walk(func(at string) {
		if at == "d/leaf" {
			rename(t, dir, at, "moved")
			filetest.Link(t, dir, outside, at)
		}
	})
	for _, e := range got.Entries {
		if strings.HasPrefix(e.Path, "d/leaf/") {
			t.Errorf("%s was looked at through a link", e.Path)
		}
	}
	if want := (Exclusion{Path: "d/leaf", Reason: ReasonSymlink}); !slices.Contains(got.Excluded, want) {
		t.Errorf("left out are %v, want %v too", got.Excluded, want)
	}
	runtime.GC()
	if after := openDescriptors(t); after > open {
		t.Errorf("%d descriptors before, %d after", open, after)
	}
}

// parentTree tells of each call of openParent.
type parentTree struct {
	tree
	opens func()
}

func (p *parentTree) openParent(path string) (folder, error) {
	p.opens()
	return p.tree.openParent(path)
}

// walkListing walks a tree and returns the folders that were listed too, in order.
func walkListing(t *testing.T, root *os.Root, p Policy, o Options) (*Listing, []string) {
	t.Helper()
	w, err := newWalker(root, p, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.tree.close()
	var mu sync.Mutex
	var listed []string
	w.tree = &hookTree{tree: w.tree, onDir: func(path string) {
		mu.Lock()
		defer mu.Unlock()
		listed = append(listed, path)
	}}
	l, err := w.listing(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(listed)
	return l, listed
}

// pass waits until the clock of the file system has gone on, so that a change from now on
// shows in the times of a folder.
func pass(t *testing.T, dir string) {
	t.Helper()
	probe := filepath.Join(dir, "probe")
	write := func() time.Time {
		if err := os.WriteFile(probe, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(probe)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	for first := write(); !write().After(first); {
	}
}

func descriptor(t *testing.T, root *os.Root) int {
	t.Helper()
	dir, err := root.Open(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return int(dir.Fd())
}

func remove(t *testing.T, dir, path string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, path)); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
}

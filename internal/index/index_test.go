package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/discover/roots"
	"espy/internal/listing"
	"espy/internal/progress"
	"espy/internal/segment"
	"espy/internal/store"
)

// TestSettled shows which files that were left out are read again though their
// stat has not changed.
func TestSettled(t *testing.T) {
	for _, tt := range []struct {
		name   string
		reason discover.Reason
		detail string
		want   bool
	}{
		{"binary", discover.ReasonBinary, "", true},
		{"too large", discover.ReasonTooLarge, "more than 10 MB", true},
		{"another encoding", discover.ReasonEncoding, "", true},
		{"changed at each read", discover.ReasonChanging, "", false},
		{"no permission", discover.ReasonUnreadable, syscall.EACCES.Error(), true},
		{"input or output error", discover.ReasonUnreadable, syscall.EIO.Error(), false},
		{"unreadable without a detail", discover.ReasonUnreadable, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := settled(&discover.Exclusion{Path: "f", Reason: tt.reason, Detail: tt.detail}); got != tt.want {
				t.Errorf("settled = %v, want %v", got, tt.want)
			}
		})
	}
}

// TestTheClockGoesBackwards edits a file, keeping its size and times, after
// looks that were made while the clock was ahead, or behind.
func TestTheClockGoesBackwards(t *testing.T) {
	for name, wrong := range map[string]time.Duration{"ahead": time.Hour, "behind": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.write("a.go", "package a // one\n")
			s.write("b.go", "package b\n")
			s.lookedOff = wrong
			if err := s.sync(Options{}, nil); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(s.dir, "a.go")
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			for before := changeTime(t, path); changeTime(t, path) == before; { // until the kernel's clock has ticked
				s.write("a.go", "package a // two\n")
				if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
					t.Fatal(err)
				}
			}
			var changed []string
			plan := s.compare()
			for _, e := range plan.Changed {
				changed = append(changed, e.Path)
			}
			if !slices.Contains(changed, "a.go") {
				t.Errorf("changed %q, want a.go among them", changed)
			}
			s.lookedOff = 0
			if err := s.sync(Options{}, nil); err != nil {
				t.Fatal(err)
			}
			if paths, _ := s.indexed(); !slices.Equal(paths, []string{"a.go", "b.go"}) {
				t.Errorf("indexed %q", paths)
			}
		})
	}
}

// TestPublishingOnTheWay publishes generations while other workers write
// segments: each commit must leave alone what no generation lists yet.
func TestPublishingOnTheWay(t *testing.T) {
	dir := t.TempDir()
	for i := range 400 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%03d.txt", i)), fmt.Appendf(nil, "text %d\n", i), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := f.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Begin(store.MainView, unlock, false)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Compare(context.Background(), root, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	last, err := Sync(context.Background(), b, plan, Options{Workers: 4, publish: pace{first: 0, every: -time.Hour}})
	if err := errors.Join(err, b.Close()); err != nil || last < 3 {
		t.Fatalf("Sync = generation %d, %v; want several", last, err)
	}
	s, err := f.Snapshot(store.MainView)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if v, err := f.Verify(context.Background(), store.MainView, nil); err != nil || v.Files != 400 || len(v.Problems)+len(s.Damaged) > 0 || s.Freshness.Partial {
		t.Errorf("Verify = %+v, %v; damaged %v, partial %v", v, err, s.Damaged, s.Freshness.Partial)
	}
}

// TestAFirstIndexingGoesOn ends first indexings on the way, whether or not they
// have published something: what they have done is, and the next one analyses
// the other files only.
func TestAFirstIndexingGoesOn(t *testing.T) {
	for name, first := range map[string]time.Duration{"published": 0, "not published": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testGoesOn(t, pace{first, -time.Hour})
		})
	}
}

func testGoesOn(t *testing.T, publish pace) {
	const files = 600
	s := newSite(t)
	for i := range files {
		s.write(fmt.Sprintf("f%03d.txt", i), fmt.Sprintf("text %d\n", i))
	}
	published := 0
	for _, stop := range []int{128, 256} {
		var analysed atomic.Int64
		ctx, cancel := context.WithCancel(t.Context())
		err := s.syncUntil(ctx, Options{publish: publish, Workers: 2, Hooks: Hooks{Analysed: &analysed, Progress: func(p progress.Report) {
			if p.Phase == progress.Index && p.Files >= stop {
				cancel()
			}
		}}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("Sync = %v, want %v", err, context.Canceled)
		}
		snap, err := s.family.Snapshot(store.MainView)
		if err != nil {
			t.Fatal(err)
		}
		now := snap.Stats().Files
		if !snap.Freshness.Partial || now <= published || now >= files || int(analysed.Load()) != now-published {
			t.Fatalf("%d files are published, %d were analysed; before, %d were published", now, analysed.Load(), published)
		}
		published = now
		if err := snap.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var analysed atomic.Int64
	if err := s.sync(Options{publish: publish, Hooks: Hooks{Analysed: &analysed}}, nil); err != nil {
		t.Fatal(err)
	}
	if paths, _ := s.indexed(); len(paths) != files || int(analysed.Load()) != files-published {
		t.Errorf("%d files are indexed, of which %d were analysed at last; want %d and %d", len(paths), analysed.Load(), files, files-published)
	}
}

// TestComparePlan compares one old leaf with one entry of the file system.
func TestComparePlan(t *testing.T) {
	const looked = int64(time.Hour)
	entry := func(size, mtime, ctime int64, inode uint64) *discover.Entry {
		return &discover.Entry{Path: "f", Size: size, MtimeNS: mtime, CtimeNS: ctime, Inode: inode}
	}
	leaf := func(reason string, read bool) *listing.Leaf {
		return &listing.Leaf{Path: "f", Stat: listing.Stat{Size: 1, MTime: 11, CTime: 12, Inode: 3}, Hash: code.Hash{1}, Reason: reason, Read: read}
	}
	same := entry(1, 11, 12, 3)
	type outcome struct {
		Changed, Dead, Kept, Files int
		Clean                      bool
	}
	kept := outcome{Kept: 1, Clean: true}
	changed := outcome{Changed: 1, Files: 1}
	doubted := outcome{Changed: 1}
	tests := []struct {
		name           string
		old            *listing.Leaf
		now            *discover.Entry
		paranoid, lost bool
		looked         int64
		want           outcome
	}{
		{name: "unchanged", old: leaf("", true), now: same, want: kept},
		{name: "new", now: same, want: changed},
		{name: "gone", old: leaf("", true), want: outcome{Dead: 1, Files: 1}},
		{name: "left out before, and gone", old: leaf("binary", true), want: outcome{Clean: true}},
		{name: "size", old: leaf("", true), now: entry(2, 11, 12, 3), want: changed},
		{name: "mtime by a nanosecond", old: leaf("", true), now: entry(1, 10, 12, 3), want: changed},
		{name: "only ctime", old: leaf("", true), now: entry(1, 11, 13, 3), want: changed},
		{name: "only inode", old: leaf("", true), now: entry(1, 11, 12, 4), want: changed},
		{name: "binary still", old: leaf("binary", true), now: same, want: kept},
		{name: "binary changed", old: leaf("binary", true), now: entry(2, 11, 12, 3), want: changed},
		{name: "not ignored any more", old: &listing.Leaf{Path: "f", Reason: "ignored"}, now: same, want: changed},
		{name: "could not be read", old: leaf("unreadable", false), now: same, want: doubted},
		{name: "paranoid", old: leaf("", true), now: same, paranoid: true, want: doubted},
		{name: "racy", old: leaf("", true), now: same, looked: 12, want: doubted},
		{name: "in a damaged part", old: leaf("", true), now: same, lost: true, want: changed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree, list := &listing.Tree{Looked: looked}, &discover.Listing{}
			if tt.looked != 0 {
				tree.Looked = tt.looked
			}
			if tt.old != nil {
				tree.Leaves = []listing.Leaf{*tt.old}
			}
			if tt.now != nil {
				list.Entries = []discover.Entry{*tt.now}
			}
			p := &Plan{before: map[string]listing.Leaf{}, lost: func(string) bool { return tt.lost }}
			p.compare(tree, list.Entries, tt.paranoid)
			got := outcome{len(p.Changed), len(p.Dead), len(p.kept), p.Files(), p.Clean()}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got, want := p.Idle(store.Delta{Dead: p.Dead}), tt.want.Clean || tt.name == "could not be read"; got != want {
				t.Errorf("Idle = %v, want %v", got, want)
			}
		})
	}
}

func TestCompareKeepsOrder(t *testing.T) {
	leaf := func(path string) listing.Leaf { return listing.Leaf{Path: path, Stat: listing.Stat{Size: 1}} }
	entry := func(path string, size int64) discover.Entry { return discover.Entry{Path: path, Size: size} }
	tree := &listing.Tree{Looked: int64(time.Hour), Leaves: []listing.Leaf{leaf("a"), leaf("b/x"), leaf("c"), leaf("d"), leaf("z")}}
	list := &discover.Listing{Entries: []discover.Entry{entry("0", 1), entry("b/x", 1), entry("b/y", 1), entry("d", 2), entry("e", 1)}}
	p := &Plan{before: map[string]listing.Leaf{}, lost: func(string) bool { return false }}
	p.compare(tree, list.Entries, false)
	var changed []string
	for _, e := range p.Changed {
		changed = append(changed, e.Path)
	}
	if want := []string{"0", "b/y", "d", "e"}; !slices.Equal(changed, want) {
		t.Errorf("changed %q, want %q", changed, want)
	}
	if want := []string{"a", "c", "z"}; !slices.Equal(p.Dead, want) {
		t.Errorf("dead %q, want %q", p.Dead, want)
	}
	if len(p.kept) != 1 || p.kept[0].Path != "b/x" || len(p.before) != 1 || p.before["d"].Path != "d" {
		t.Errorf("kept %v, before %v", p.kept, p.before)
	}
}

// site is a tree and the family that indexes it.
type site struct {
	t      *testing.T
	dir    string
	root   *os.Root
	family *store.Family

	lookedOff time.Duration // how wrong the clock is while the files are looked at
}

func changeTime(t *testing.T, path string) int64 {
	t.Helper()
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		t.Fatal(err)
	}
	return st.Ctim.Nano()
}

// TestParanoidListsEveryFolder makes a folder remember a name too few. Its times speak for
// that, so only a paranoid look finds the file.
func TestParanoidListsEveryFolder(t *testing.T) {
	for _, paranoid := range []bool{false, true} {
		t.Run(fmt.Sprint(paranoid), func(t *testing.T) {
			s := newSite(t)
			s.lookedOff = time.Hour
			s.write("a/one", "1")
			s.write("a/two", "2")
			if err := s.sync(Options{}, nil); err != nil {
				t.Fatal(err)
			}
			snap, err := s.family.Snapshot(store.MainView)
			if err != nil {
				t.Fatal(err)
			}
			defer snap.Close()
			saw, err := snap.Tree()
			if err != nil {
				t.Fatal(err)
			}
			if len(saw.Folders) != 2 || saw.Folders[1].Names != 2 || saw.Folders[1].Stat == (listing.Stat{}) {
				t.Skipf("no folder vouches for its names here: %+v", saw.Folders)
			}
			saw.Folders[1].Names--
			if err := snap.See(&listing.Tree{Looked: saw.Looked, Leaves: saw.Leaves[:1], Folders: saw.Folders}); err != nil {
				t.Fatal(err)
			}
			plan, err := Compare(t.Context(), s.root, snap, Options{Paranoid: paranoid})
			if err != nil {
				t.Fatal(err)
			}
			want := 1
			if paranoid {
				want = 2
			}
			if plan.Total != want {
				t.Errorf("%d files are found, want %d", plan.Total, want)
			}
		})
	}
}

// compare returns what differs from the newest generation.
func (s *site) compare() *Plan {
	s.t.Helper()
	snap, err := s.family.Snapshot(store.MainView)
	if err != nil {
		s.t.Fatal(err)
	}
	defer snap.Close()
	plan, err := Compare(context.Background(), s.root, snap, Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	return plan
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, dir: filepath.Join(t.TempDir(), "tree")}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.root, err = os.OpenRoot(s.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.root.Close() })
	if s.family, err = store.Open(filepath.Join(t.TempDir(), "family")); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *site) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// sync indexes, calling between after the files were listed.
func (s *site) sync(o Options, between func()) error {
	return s.syncWith(context.Background(), o, between)
}

// syncUntil indexes until ctx ends.
func (s *site) syncUntil(ctx context.Context, o Options) error { return s.syncWith(ctx, o, nil) }

func (s *site) syncWith(ctx context.Context, o Options, between func()) error {
	s.t.Helper()
	unlock, err := s.family.TryLock()
	if err != nil {
		s.t.Fatal(err)
	}
	b, err := s.family.Begin(store.MainView, unlock, false)
	if err != nil {
		s.t.Fatal(err)
	}
	defer b.Close()
	plan, err := Compare(context.Background(), s.root, b.Base(), o)
	if err != nil {
		return err
	}
	plan.looked += int64(s.lookedOff)
	if between != nil {
		between()
	}
	_, err = Sync(ctx, b, plan, o)
	return err
}

// indexed returns the live paths and, for what was left out, the reasons.
func (s *site) indexed() (paths []string, left map[string]discover.Reason) {
	s.t.Helper()
	snap, err := s.family.Snapshot(store.MainView)
	if err != nil {
		s.t.Fatal(err)
	}
	defer snap.Close()
	err = segment.Guard(func() error {
		snap.Each(func(seg, file int) bool {
			paths = append(paths, snap.Segments[seg].Path(file))
			return true
		})
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	left = map[string]discover.Reason{}
	for _, x := range snap.Excluded() {
		left[x.Path] = x.Reason
	}
	return paths, left
}

// TestFilesThatChangeMeanwhile changes files between the listing and the reading.
func TestFilesThatChangeMeanwhile(t *testing.T) {
	s := newSite(t)
	for _, n := range []string{"stays.go", "removed.go", "fifo.go", "link.go", "folder.go", "binary.go"} {
		s.write(n, "package x\n")
	}
	replace := func(name string, with func(path string) error) {
		path := filepath.Join(s.dir, name)
		if err := errors.Join(os.Remove(path), with(path)); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	err := s.sync(Options{}, func() {
		replace("removed.go", func(string) error { return nil })
		replace("fifo.go", func(path string) error { return syscall.Mkfifo(path, 0o644) })
		replace("link.go", func(path string) error { return os.Symlink("/etc/passwd", path) })
		replace("folder.go", func(path string) error { return os.Mkdir(path, 0o755) })
		replace("binary.go", func(path string) error { return os.WriteFile(path, []byte{0, 1, 2}, 0o644) })
	})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v: it waited for a pipe", took)
	}
	paths, left := s.indexed()
	if !slices.Equal(paths, []string{"stays.go"}) {
		t.Errorf("indexed %q, want only stays.go", paths)
	}
	want := map[string]discover.Reason{
		"fifo.go": discover.ReasonSpecial, "link.go": discover.ReasonSymlink,
		"folder.go": discover.ReasonSpecial, "binary.go": discover.ReasonBinary,
	}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

// TestTheRootGoesMeanwhile removes or replaces the root after the listing:
// nothing is committed, rather than an index without files.
func TestTheRootGoesMeanwhile(t *testing.T) {
	for what, replace := range map[string]func(dir string) error{
		"removed":  os.RemoveAll,
		"moved":    func(dir string) error { return os.Rename(dir, dir+"-moved") },
		"a file":   func(dir string) error { return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o644)) },
		"a folder": func(dir string) error { return errors.Join(os.Rename(dir, dir+"-moved"), os.Mkdir(dir, 0o755)) },
	} {
		t.Run(what, func(t *testing.T) {
			s := newSite(t)
			s.write("a.go", "package a\n")
			if err := s.sync(Options{}, nil); err != nil {
				t.Fatal(err)
			}
			s.write("b.go", "package b\n")
			err := s.sync(Options{}, func() {
				if err := replace(s.dir); err != nil {
					t.Fatal(err)
				}
			})
			if !errors.Is(err, roots.ErrGone) {
				t.Errorf("Sync: error %v, want ErrRootGone", err)
			}
			if paths, _ := s.indexed(); !slices.Equal(paths, []string{"a.go"}) {
				t.Errorf("indexed %q, want the old generation", paths)
			}
		})
	}
}

// TestManySegments indexes with so little text per segment that every worker
// writes several, and merges them in the end.
func TestManySegments(t *testing.T) {
	s := newSite(t)
	var want []string
	for i := range 40 {
		name := fmt.Sprintf("d%d/f%02d.txt", i%5, i)
		want = append(want, name)
		s.write(name, strings.Repeat(fmt.Sprintf("line %d\n", i), 30_000))
	}
	slices.Sort(want)
	if err := s.sync(Options{Workers: 8}, nil); err != nil {
		t.Fatal(err)
	}
	if paths, _ := s.indexed(); !slices.Equal(paths, want) {
		t.Errorf("indexed %q, want %q", paths, want)
	}
}

func TestShare(t *testing.T) {
	tests := []struct {
		workers int
		want    int64
	}{{1, buildText}, {2, buildText / 2}, {8, buildText / 8}, {maxWorkers, minFlushText}, {1000, minFlushText}}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d workers", tt.workers), func(t *testing.T) {
			if got := share(tt.workers); got != tt.want {
				t.Errorf("share(%d) = %d, want %d", tt.workers, got, tt.want)
			}
		})
	}
}

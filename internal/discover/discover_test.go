package discover

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/discover/roots"
)

// plant writes files into a fresh folder and returns it. A path that ends in a
// slash is an empty folder.
func plant(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		full := filepath.Join(dir, path)
		if path[len(path)-1] == '/' {
			if err := os.MkdirAll(full, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// inMemory puts the test's folders on a file system in memory where there is
// one, for tests that make many files.
func inMemory(t *testing.T) {
	t.Helper()
	const shm = "/dev/shm"
	if probe, err := os.MkdirTemp(shm, "probe"); err == nil {
		os.Remove(probe)
		t.Setenv("TMPDIR", shm)
	}
}

func openRoot(t testing.TB, dir string) *os.Root {
	t.Helper()
	root, err := roots.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// walkBoth walks dir on the kernel's tree and on the portable one, with one
// goroutine and with several, demands the same listing, and returns it.
func walkBoth(t testing.TB, dir string, p Policy, o Options) *Listing {
	t.Helper()
	root := openRoot(t, dir)
	var first *Listing
	for _, portable := range []bool{false, true} {
		for _, workers := range []int{1, 4} {
			o.portable, o.Workers = portable, workers
			l, err := Walk(context.Background(), root, p, o)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = l
			}
			if diff := cmp.Diff(first, l); diff != "" {
				t.Fatalf("listing differs with portable %v, %d workers:\n%s", portable, workers, diff)
			}
		}
	}
	return first
}

func paths(l *Listing) []string {
	var out []string
	for _, e := range l.Entries {
		out = append(out, e.Path)
	}
	return out
}

// reasons renders exclusions as "path reason", folders with a slash.
func reasons(l *Listing) []string {
	var out []string
	for _, x := range l.Excluded {
		path := x.Path
		if x.Dir {
			path += "/"
		}
		if x.Count > 0 {
			path += fmt.Sprintf(" %d of", x.Count)
		}
		out = append(out, path+" "+string(x.Reason))
	}
	return out
}

func checkListing(t *testing.T, l *Listing, want, excluded []string) {
	t.Helper()
	if diff := cmp.Diff(want, paths(l)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(excluded, reasons(l)); diff != "" {
		t.Errorf("excluded (-want +got):\n%s", diff)
	}
}

func TestWalk(t *testing.T) {
	global := filepath.Join(plant(t, map[string]string{"ignore": "*.swp\n/top\n"}), "ignore")
	tests := []struct {
		name     string
		files    map[string]string
		policy   Policy
		want     []string
		excluded []string
	}{
		{name: "empty tree"},
		{
			name:  "only empty folders",
			files: map[string]string{"a/b/c/": ""},
		},
		{
			name:  "order is that of path bytes",
			files: map[string]string{"a/x": "", "a.b": "", "a0": "", "a/b/c": "", "a/b.c": "", "a/b0": "", "Z": ""},
			want:  []string{"Z", "a.b", "a/b.c", "a/b/c", "a/b0", "a/x", "a0"},
		},
		{
			name:     "hidden files are listed, version control is not",
			files:    map[string]string{".github/w.yml": "", ".hg/x": "", ".git/HEAD": "", ".jj/x": "", ".svn/x": "", "sub/.git": "gitdir: ../x", "hg/.hg": "a file"},
			want:     []string{".github/w.yml", "hg/.hg"},
			excluded: []string{".git/ vcs", ".hg/ vcs", ".jj/ vcs", ".svn/ vcs", "sub/.git vcs"},
		},
		{
			name:     "hidden files skipped by policy",
			files:    map[string]string{".a/b": "", ".c": "", "d": "", ".gitignore": "*.o", "e.o": ""},
			policy:   Policy{SkipHidden: true},
			want:     []string{"d"},
			excluded: []string{".a/ hidden", ".c hidden", ".gitignore hidden", "e.o ignored"},
		},
		{
			name:     "an ignored folder is one exclusion and cannot be entered again",
			files:    map[string]string{".gitignore": "build/\n!build/keep\n", "build/keep": "", "build/a/b": "", "src/build/x": "", "src/b": ""},
			want:     []string{".gitignore", "src/b"},
			excluded: []string{"build/ ignored", "src/build/ ignored"},
		},
		{
			name:     "deeper ignore files win",
			files:    map[string]string{".gitignore": "*.log\n", "a/.gitignore": "!keep.log\n/x\n", "a/keep.log": "", "a/b/keep.log": "", "a/no.log": "", "a/x": "", "a/b/x": "", "keep.log": ""},
			want:     []string{".gitignore", "a/.gitignore", "a/b/keep.log", "a/b/x", "a/keep.log"},
			excluded: []string{"a/no.log ignored", "a/x ignored", "keep.log ignored"},
		},
		{
			name:     "espyignore wins over gitignore at any depth",
			files:    map[string]string{".espyignore": "!dist/\n*.md\n", ".gitignore": "dist/\n", "dist/x": "", "dist/.gitignore": "!r.md\n", "dist/r.md": "", "a.md": ""},
			want:     []string{".espyignore", ".gitignore", "dist/.gitignore", "dist/x"},
			excluded: []string{"a.md ignored", "dist/r.md ignored"},
		},
		{
			name:     "more ignore files of the policy",
			files:    map[string]string{".gitignore": "a\n", ".contextignore": "!a\nb\nc\n", ".espyignore": "!b\n", "a": "", "b": "", "c": ""},
			policy:   Policy{IgnoreFiles: []string{".contextignore"}},
			want:     []string{".contextignore", ".espyignore", ".gitignore", "a", "b"},
			excluded: []string{"c ignored"},
		},
		{
			name:   "no ignore files by policy",
			files:  map[string]string{".gitignore": "a\n", ".espyignore": "b\n", "a": "", "b": "", "x.swp": "", ".git/info/exclude": "a\n"},
			policy: Policy{NoGitignore: true, NoEspyignore: true},
			want:   []string{".espyignore", ".gitignore", "a", "b", "x.swp"},

			excluded: []string{".git/ vcs"},
		},
		{
			name:     "info/exclude and the global file, weaker than gitignore",
			files:    map[string]string{".git/info/exclude": "*.tmp\n!b.swp\n", ".gitignore": "!a.tmp\n", "a.tmp": "", "b.tmp": "", "a.swp": "", "b.swp": "", "top": "", "d/top": ""},
			want:     []string{".gitignore", "a.tmp", "b.swp", "d/top"},
			excluded: []string{".git/ vcs", "a.swp ignored", "b.tmp ignored", "top ignored"},
		},
		{
			name:     "a repository inside has its own rules, the policy's reach into it",
			files:    map[string]string{".gitignore": "*.o\n/skip\n", ".espyignore": "*.e\n", "in/.git/info/exclude": "q\n", "in/a.o": "", "in/q": "", "in/z.e": "", "in/top": "", "skip/.git/HEAD": "", "skip/x": ""},
			want:     []string{".espyignore", ".gitignore", "in/a.o"},
			excluded: []string{"in/.git/ vcs", "in/q ignored", "in/top ignored", "in/z.e ignored", "skip/ ignored"},
		},
		{
			name: "the excludes of a submodule and of a worktree whose repository lies in the tree",
			files: map[string]string{
				"sub/.git": "gitdir: ../.git/modules/sub\n", ".git/modules/sub/info/exclude": "s\n", "sub/s": "", "sub/w": "",
				"tree/.git": "gitdir: ../.git/worktrees/w\n", ".git/worktrees/w/commondir": "../..\n", ".git/info/exclude": "w\n", "tree/s": "", "tree/w": "",
				"out/.git": "gitdir: ../../elsewhere\n", "out/w": "", "abs/.git": "gitdir: /etc\n", "odd/.git": "\xff\x00", "odd/w": "",
			},
			policy:   Policy{Nested: []string{nestedSubmodule, nestedRepository, nestedWorktree}},
			want:     []string{"odd/w", "out/w", "sub/w", "tree/s"},
			excluded: []string{".git/ vcs", "abs/.git vcs", "odd/.git vcs", "out/.git vcs", "sub/.git vcs", "sub/s ignored", "tree/.git vcs", "tree/w ignored"},
		},
		{
			name:     "secrets by name, whether ignored or not",
			files:    map[string]string{".env": "", ".env.example": "", "a/id_rsa": "", "a/id_rsa.pub": "", "k.pem": "", ".gitignore": ".env\n", "secret.go": ""},
			want:     []string{".env.example", ".gitignore", "a/id_rsa.pub", "secret.go"},
			excluded: []string{".env secret", "a/id_rsa secret", "k.pem secret"},
		},
		{
			name:   "secrets kept by policy",
			files:  map[string]string{".env": ""},
			policy: Policy{Secrets: true},
			want:   []string{".env"},
		},
		{
			name:     "size limit",
			files:    map[string]string{"small": "12345", "large": "123456"},
			policy:   Policy{MaxFileBytes: 5},
			want:     []string{"small"},
			excluded: []string{"large too_large"},
		},
		{
			name:     "limit on files, in path order",
			files:    map[string]string{"a/1": "", "a/2": "", "b": "", "c/d/e": "", "f": "", "g.pem": ""},
			policy:   Policy{MaxFiles: 2},
			want:     []string{"a/1", "a/2"},
			excluded: []string{"b limit", "c/ limit", "f limit", "g.pem secret"},
		},
		{
			name:     "limit on bytes ends the listing, even for files that would fit",
			files:    map[string]string{"a": "123", "b": "123456", "c": "1"},
			policy:   Policy{MaxBytes: 8},
			want:     []string{"a"},
			excluded: []string{"b limit", "c limit"},
		},
		{
			name:   "limits met exactly",
			files:  map[string]string{"a": "123", "b": "12345"},
			policy: Policy{MaxBytes: 8, MaxFiles: 2},
			want:   []string{"a", "b"},
		},
		{
			name:     "include and exclude globs",
			files:    map[string]string{"a.go": "", "a_test.go": "", "b.md": "", "src/c.go": "", "src/gen/d.go": "", "docs/x.go": "", "net/http/y.txt": "", "deep/net/z.txt": ""},
			policy:   Policy{Include: []string{"*.go", "net/"}, Exclude: []string{"*_test.go", "src/gen", "/docs/**"}},
			want:     []string{"a.go", "deep/net/z.txt", "net/http/y.txt", "src/c.go"},
			excluded: []string{"a_test.go excluded", "b.md excluded", "docs/ excluded", "src/gen/ excluded"},
		},
		{
			name:     "folders that no include can match are not entered",
			files:    map[string]string{"src/a/x.go": "", "src/b/x.go": "", "other/x.go": "", "srcs/x.go": ""},
			policy:   Policy{Include: []string{"src/a/**", "/src/{c,d}/*.go"}},
			want:     []string{"src/a/x.go"},
			excluded: []string{"other/ excluded", "src/b/x.go excluded", "srcs/ excluded"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := walkBoth(t, plant(t, tt.files), tt.policy, Options{GlobalIgnore: global})
			checkListing(t, l, tt.want, tt.excluded)
		})
	}
}

// TestIgnoredBy holds that what is ignored is told with the file that does.
func TestIgnoredBy(t *testing.T) {
	global := filepath.Join(t.TempDir(), "ignore")
	if err := os.WriteFile(global, []byte("g\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := plant(t, map[string]string{
		".git/info/exclude": "e\n", ".gitignore": "a\nb/\n", "sub/.gitignore": "c\n", "sub/.toolignore": "d\n!a\n", ".espyignore": "s\n",
		"a": "", "b/x": "", "sub/a": "", "sub/c": "", "sub/d": "", "e": "", "g": "", "s": "",
	})
	want := map[string]string{
		"a": ".gitignore", "b": ".gitignore", "sub/c": "sub/.gitignore", "sub/d": "sub/.toolignore",
		"e": ".git/info/exclude", "g": "the global ignore file of git", "s": ".espyignore",
	}
	got := map[string]string{}
	for _, x := range walkBoth(t, dir, Policy{IgnoreFiles: []string{".toolignore"}}, Options{GlobalIgnore: global}).Excluded {
		if x.Reason == ReasonIgnored {
			got[x.Path] = x.Detail
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWalkEntries(t *testing.T) {
	dir := plant(t, map[string]string{"d/a": "12345", "b": "1"})
	l := walkBoth(t, dir, Policy{}, Options{})
	if l.Bytes != 6 || l.Dirs != 2 {
		t.Errorf("Bytes, Dirs = %d, %d, want 6, 2", l.Bytes, l.Dirs)
	}
	info, err := os.Lstat(filepath.Join(dir, "d/a"))
	if err != nil {
		t.Fatal(err)
	}
	e := l.Entries[1]
	if e.Path != "d/a" || e.Size != 5 || e.MtimeNS != info.ModTime().UnixNano() || e.Mode != info.Mode() || e.Inode == 0 || e.CtimeNS == 0 {
		t.Errorf("entry %+v does not describe %v", e, info)
	}
	root := openRoot(t, dir)
	c, x, err := read(root, "d/a", 0)
	if err != nil || x != nil {
		t.Fatal(x, err)
	}
	if diff := cmp.Diff(e, c.Entry); diff != "" {
		t.Errorf("walk and read see the same file differently:\n%s", diff)
	}
}

// Beyond maxListedPerDir the excluded files of a folder are counted, by reason.
func TestWalkCountsManyExclusions(t *testing.T) {
	inMemory(t)
	files := map[string]string{".gitignore": "*.o\n", "keep": ""}
	for i := range maxListedPerDir + 7 {
		files[fmt.Sprintf("d/%06d.o", i)] = ""
	}
	files["d/x.pem"], files["d/e/f.o"] = "", ""
	l := walkBoth(t, plant(t, files), Policy{}, Options{})
	got := reasons(l)
	if want := []string{"d 7 of ignored", "d 1 of secret"}; !cmp.Equal(got[:2], want) {
		t.Errorf("counted: %q, want %q", got[:2], want)
	}
	if got[2] != "d/000000.o ignored" || len(got) != maxListedPerDir+3 {
		t.Errorf("%d exclusions, third %q", len(got), got[2])
	}
}

func TestWalkIsCancelled(t *testing.T) {
	root := openRoot(t, plant(t, map[string]string{"a/b": ""}))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Walk(ctx, root, Policy{}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Walk with a cancelled context: %v", err)
	}
}

func TestPolicyValidate(t *testing.T) {
	many := make([]string, 1001)
	tests := []struct {
		policy Policy
		want   string // part of the error; empty is none
	}{
		{Policy{}, ""},
		{Policy{Include: []string{"**/*.{go,s}", "a/", "/x"}, IgnoreFiles: []string{".x"}}, ""},
		{Policy{Include: []string{"[a"}}, `include "[a": malformed glob (close`},
		{Policy{Exclude: []string{"{a"}}, `exclude "{a": malformed glob (close`},
		{Policy{Exclude: []string{"/"}}, `exclude "/": empty glob (write`},
		{Policy{Exclude: many}, "exclude: 1001 globs given: the limit is 1000"},
		{Policy{Exclude: []string{strings.Repeat("a", 1001)}}, "a glob of 1001 bytes; the limit is 1000"},
		{Policy{IgnoreFiles: []string{"../x"}}, `ignore file "../x": must be a plain file name`},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.60q", fmt.Sprint(tt.policy)), func(t *testing.T) {
			err := tt.policy.Validate()
			if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.Contains(got, tt.want) {
				t.Errorf("Validate(%+v) = %v, want %q", tt.policy, err, tt.want)
			}
		})
	}
}

func TestPolicyIsJSON(t *testing.T) {
	want := Policy{Include: []string{"a"}, Exclude: []string{"b"}, MaxFileBytes: 1, MaxFiles: 2, MaxBytes: 3, NoGitignore: true, NoEspyignore: true, IgnoreFiles: []string{".c"}, SkipHidden: true, Secrets: true}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Policy
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("policy through JSON %s:\n%s", text, diff)
	}
	if text, _ := json.Marshal(Policy{}); string(text) != "{}" {
		t.Errorf("zero policy is %s, want {}", text)
	}
}

func TestReasons(t *testing.T) {
	all := []Reason{
		ReasonIgnored, ReasonExcluded, ReasonHidden, ReasonVCS, ReasonSecret, ReasonBinary, ReasonEncoding, ReasonTooLarge,
		ReasonLimit, ReasonSymlink, ReasonSpecial, ReasonUnreadable, ReasonSubmodule, ReasonNested, ReasonChanging,
	}
	if len(all) != len(explanations) {
		t.Errorf("%d reasons have an explanation, want %d", len(explanations), len(all))
	}
	for _, r := range all {
		t.Run(string(r), func(t *testing.T) {
			t.Parallel()
			if r.Explain() == Reason("").Explain() {
				t.Errorf("%s has no explanation", r)
			}
		})
	}
}

func TestNested(t *testing.T) {
	dir := plant(t, map[string]string{
		"a.txt": "a", ".git/HEAD": "ref: refs/heads/main\n",
		"sub/.git": "gitdir: ../.git/modules/sub\n", "sub/s.txt": "s",
		"own/.git/HEAD": "ref: refs/heads/main\n", "own/o.txt": "o", "own/deep/er/.git": "gitdir: /elsewhere/repo.git\n", "own/deep/er/e.txt": "e",
		"trees/fix/.git": "gitdir: /src/api/.git/worktrees/fix\n", "trees/fix/a.txt": "a", "trees/fix/sub/s.txt": "s",
		"trees/part/.git": "gitdir: ../../.git/modules/sub/worktrees/part\n", "trees/part/s.txt": "s",
		"plain/.git": "no pointer\n", "plain/p.txt": "p",
		"odd/.git": "gitdir: C:\\src\\api\\.git\\worktrees\\odd\r\n", "odd/a.txt": "a",
	})
	if err := os.Mkdir(filepath.Join(dir, "link"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../own/.git", filepath.Join(dir, "link", ".git")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		nested, files, left string
	}{
		{"", "a.txt own/deep/er/e.txt own/o.txt plain/p.txt sub/s.txt", "odd:worktree own/.git:repository own/deep/er/.git:repository sub/.git:submodule trees/fix:worktree trees/part:worktree"},
		{"none", "a.txt plain/p.txt", "odd:worktree own:repository sub:submodule trees/fix:worktree trees/part:worktree"},
		{"repository", "a.txt own/deep/er/e.txt own/o.txt plain/p.txt", "odd:worktree own/.git:repository own/deep/er/.git:repository sub:submodule trees/fix:worktree trees/part:worktree"},
		{"worktree submodule", "a.txt odd/a.txt plain/p.txt sub/s.txt trees/fix/a.txt trees/fix/sub/s.txt trees/part/s.txt", "odd/.git:worktree own:repository sub/.git:submodule trees/fix/.git:worktree trees/part/.git:worktree"},
	} {
		l := walkBoth(t, dir, Policy{Nested: strings.Fields(tt.nested)}, Options{})
		var files, left []string
		for _, e := range l.Entries {
			files = append(files, e.Path)
		}
		for _, x := range l.Excluded {
			if x.Detail != "" {
				left = append(left, x.Path+":"+x.Detail)
			}
		}
		if got := strings.Join(files, " "); got != tt.files {
			t.Errorf("nested %q: files %s, want %s", tt.nested, got, tt.files)
		}
		if got := strings.Join(left, " "); got != tt.left {
			t.Errorf("nested %q: told %s, want %s", tt.nested, got, tt.left)
		}
	}
	for path, want := range map[string]bool{
		"": false, "own": false, "own/deep/er": false, "sub": false, "plain": false, "link": false, "gone": false,
		"trees": false, "trees/fix": true, "trees/fix/sub": true, "trees/fix/gone": true, "odd": true,
	} {
		t.Run(path, func(t *testing.T) {
			if got := (Policy{}).Apart(dir, filepath.Join(dir, path)); got != want {
				t.Errorf("Apart(%s) = %v, want %v", path, got, want)
			}
		})
	}
	if l := walkBoth(t, filepath.Join(dir, "trees/fix"), Policy{}, Options{}); len(l.Entries) != 2 {
		t.Errorf("a work tree by its own path: %d files, want 2", len(l.Entries))
	}
	if err := (Policy{Nested: []string{"submodules"}}).Validate(); err == nil || !strings.Contains(err.Error(), "submodule") {
		t.Errorf("Validate = %v", err)
	}
}

// TestStat holds that a walk looks at the files alone that Options.Stat wants looked at.
func TestStat(t *testing.T) {
	root := openRoot(t, plant(t, map[string]string{"a.go": "a", "b.txt": "bb", "c/d.go": "ddd", "c/e.txt": "eeee"}))
	l, err := Walk(context.Background(), root, Policy{}, Options{Stat: func(path string) bool { return strings.HasSuffix(path, ".go") }})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, e := range l.Entries {
		if got[e.Path] = e.Size; (e.Inode != 0 || e.MtimeNS != 0) && !strings.HasSuffix(e.Path, ".go") {
			t.Errorf("%s was looked at", e.Path)
		}
	}
	if diff := cmp.Diff(map[string]int64{"a.go": 1, "b.txt": 0, "c/d.go": 3, "c/e.txt": 0}, got); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}

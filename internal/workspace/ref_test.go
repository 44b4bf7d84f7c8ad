package workspace

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"espy/internal/discover"
	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/store"
	"espy/internal/workspace/origin"
	"espy/internal/workspace/view"
)

// gitRun runs git in a repository of the test's own making.
func gitRun(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return strings.TrimSpace(filetest.Git(t, dir, args...))
}

// tagged makes a repository whose tag v1 has other files than its work tree.
func tagged(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"a.go": "package a\n\n// Old says so.\nfunc Old() { helper() }\n\nfunc helper() {}\n", "same.go": "package a\n\nvar Same = 1\n",
		"docs/old.md": "# Old\n", ".gitignore": "*.log\n", ".env": "SECRET=1\n", "x.log": "log\n",
	})
	if err := os.Symlink("a.go", filepath.Join(dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	filetest.Commit(t, dir, "first")
	gitRun(t, dir, "add", "-f", ".env", "x.log")
	gitRun(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("ab", 20)+",module")
	gitRun(t, dir, "commit", "-q", "-m", "more")
	gitRun(t, dir, "tag", "v1")
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n\nfunc New() {}\n"})
	os.RemoveAll(filepath.Join(dir, "docs"))
	filetest.Commit(t, dir, "second")
	return dir
}

func at(t *testing.T, r *Repo, ref string) *Repo {
	t.Helper()
	f, err := r.At(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var oldFiles = map[string]string{
	"a.go": "package a\n\n// Old says so.\nfunc Old() { helper() }\n\nfunc helper() {}\n", "same.go": "package a\n\nvar Same = 1\n",
	"docs/old.md": "# Old\n", ".gitignore": "*.log\n",
}

func TestAtAnOldTag(t *testing.T) {
	t.Parallel()
	dir, data := tagged(t), t.TempDir()
	w := open(t, data)
	r := attach(t, w, dir)
	v1 := at(t, r, "v1")
	wantTexts(t, v1, oldFiles)
	if v1.Name() != r.Name()+"@v1" || v1.Ref() != "v1" || r.Ref() != "" {
		t.Errorf("names %q, refs %q and %q", v1.Name(), v1.Ref(), r.Ref())
	}
	s := fresh(t, v1)
	if f := s.Freshness; f.Ref != "v1" || f.Commit != gitRun(t, dir, "rev-parse", "v1^{commit}") || f.Committed != time.Now().UTC().Format(time.DateOnly) || f.PendingFiles != 0 {
		t.Errorf("freshness %+v", f)
	}
	reasons := map[string]discover.Reason{}
	for _, x := range s.Excluded() {
		reasons[x.Path] = x.Reason
	}
	for path, want := range map[string]discover.Reason{".env": discover.ReasonSecret, "link.go": discover.ReasonSymlink, "x.log": discover.ReasonIgnored, "module": discover.ReasonSubmodule} {
		if reasons[path] != want {
			t.Errorf("%s is left out as %q, want %q", path, reasons[path], want)
		}
	}

	res, err := w.Search(t.Context(), []*Repo{v1}, mustCompile(t, hit.Request{Query: "Old says so", Mode: hit.ModeLiteral}), Wait{})
	if err != nil || len(res.Hits) != 1 || res.Hits[0].Path != "a.go" || res.Hits[0].Stale || res.Hits[0].Repo != v1.Name() {
		t.Errorf("search at v1: %+v, %v", res, err)
	}
	if res, err = w.Search(t.Context(), []*Repo{r}, mustCompile(t, hit.Request{Query: "Old says so", Mode: hit.ModeLiteral}), Wait{}); err != nil || len(res.Hits) != 0 {
		t.Errorf("search of the work tree: %+v, %v", res, err)
	}
	if c, err := v1.Read(t.Context(), "./a.go"); err != nil || string(c.Text) != oldFiles["a.go"] {
		t.Errorf("Read = %q, %v", c.Text, err)
	}
	if _, err := v1.Read(t.Context(), "New.go"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of a file that the commit lacks: %v", err)
	}
	if _, err := v1.Read(t.Context(), ".env"); err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "private key") {
		t.Errorf("Read of a secret: %v", err)
	}
	symbols, _, err := v1.Symbols(t.Context(), nav.SymbolRequest{Target: locate.Target{Name: "Old"}}, Wait{})
	if err != nil || symbols.Total != 1 || symbols.Definitions[0].Doc != "Old says so." {
		t.Errorf("Symbols = %+v, %v", symbols, err)
	}
	uses, _, err := v1.References(t.Context(), nav.ReferencesRequest{Target: locate.Target{Name: "helper"}}, Wait{})
	if err != nil || uses.Total != 1 {
		t.Errorf("References = %+v, %v", uses, err)
	}
	outline, _, err := v1.Outline(t.Context(), nav.OutlineRequest{Path: "a.go"}, Wait{})
	if err != nil || outline.Total != 2 {
		t.Errorf("Outline = %+v, %v", outline, err)
	}
	found, err := w.Find(t.Context(), r.Name()+"@v1")
	if err != nil || found != v1 {
		t.Errorf("Find(NAME@v1) = %v, %v", found, err)
	}
	wantNoScratch(t, data)
}

func wantNoScratch(t *testing.T, data string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(data, "repos", "*", "tmp-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("scratch folders are left: %v, %v", left, err)
	}
}

// TestACommitIsIndexedOnce asks for one commit by several names, from several
// workspaces at once, and when git is gone.
func TestACommitIsIndexedOnce(t *testing.T) {
	t.Parallel()
	dir, data := tagged(t), t.TempDir()
	id := gitRun(t, dir, "rev-parse", "v1^{commit}")
	r := attach(t, open(t, data), dir)
	var group sync.WaitGroup
	for _, ref := range []string{"v1", "HEAD~1", id[:12], id} {
		other := open(t, data)
		group.Go(func() {
			found, err := other.Find(context.Background(), r.Name()+"@"+ref)
			if err == nil {
				_, err = found.Index(context.Background(), IndexOptions{})
			}
			if err != nil {
				t.Errorf("%s: %v", ref, err)
			}
		})
	}
	group.Wait()
	about, err := r.view.Family.About(view.RefPrefix + id)
	if err != nil {
		t.Fatal(err)
	}
	stamp := r.view.Family.Stamp(view.RefPrefix + id)
	if g := fresh(t, at(t, r, "v1")).Freshness.Generation; g != 1 {
		t.Errorf("the commit has generation %d after several questions, want 1", g)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, at(t, r, id), oldFiles)
	var none *origin.NoHistoryError
	if _, err := r.At(t.Context(), "v1"); !errors.As(err, &none) {
		t.Errorf("At without a git folder: %v", err)
	}
	if now := r.view.Family.Stamp(view.RefPrefix + id); now != stamp {
		t.Error("a second question wrote the index of the commit again")
	}
	if about.Commit != id {
		t.Errorf("the view tells of commit %q", about.Commit)
	}
	wantNoScratch(t, data)
}

func TestRefErrors(t *testing.T) {
	t.Parallel()
	dir := tagged(t)
	gitRun(t, dir, "branch", "feature/login")
	w := open(t, t.TempDir())
	r := attach(t, w, dir)
	for ref, near := range map[string]string{"featur/login": "feature/login", "v2": "v1", "--all": "", "-h": "", "login": "feature/login", "a\nb": "", "HEAD^{tree}": "", strings.Repeat("x", 5000): ""} {
		t.Run(fmt.Sprintf("%.40q", ref), func(t *testing.T) {
			var unknown *origin.RefError
			_, err := r.At(t.Context(), ref)
			if !errors.As(err, &unknown) || near != "" && !slices.Contains(unknown.Nearest, near) {
				t.Errorf("At(%q): %v %+v, want %q among the nearest", ref, err, unknown, near)
			}
		})
	}
	other := attach(t, w, tagged(t))
	fresh(t, other)
	for _, ref := range []string{"x/../../" + string(other.ID()) + "/view-main", "../view-main", "x/../view-main"} {
		t.Run(ref, func(t *testing.T) {
			var unknown *origin.RefError
			if _, err := r.At(t.Context(), ref); !errors.As(err, &unknown) {
				t.Errorf("At(%q): %v", ref, err)
			}
		})
	}
	empty := t.TempDir()
	gitRun(t, empty, "init", "-q", "-b", "main")
	for _, ref := range []string{"HEAD", "main"} {
		t.Run(ref+" before the first commit", func(t *testing.T) {
			var unknown *origin.RefError
			if _, err := attach(t, w, empty).At(t.Context(), ref); !errors.As(err, &unknown) || len(unknown.Nearest) != 0 {
				t.Errorf("At(%q) before the first commit: %v", ref, err)
			}
		})
	}
	bare := t.TempDir()
	gitRun(t, bare, "init", "-q", "--bare")
	plain := attach(t, open(t, t.TempDir()), t.TempDir())
	var none *origin.NoHistoryError
	if _, err := plain.At(t.Context(), "main"); !errors.As(err, &none) {
		t.Errorf("At outside git: %v", err)
	}
	if _, err := attach(t, w, bare).At(t.Context(), "main"); !errors.As(err, &none) {
		t.Errorf("At in a git folder: %v", err)
	}
	if _, err := at(t, r, "v1").At(t.Context(), "main"); err == nil {
		t.Error("At of a commit gave no error")
	}
}

// TestACommitIsRepaired damages and kills.
func TestACommitIsRepaired(t *testing.T) {
	t.Parallel()
	dir, data := tagged(t), t.TempDir()
	w := open(t, data)
	r := attach(t, w, dir)
	v1 := at(t, r, "v1")
	wantTexts(t, v1, oldFiles)
	// What a process leaves that was killed between the export and the commit.
	scratch, err := v1.view.Family.Scratch()
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, scratch, map[string]string{"deep/x.go": "package x\n"})
	for _, name := range []string{"*.lex", "*.tree"} {
		parts, err := filepath.Glob(filepath.Join(data, "repos", "*", name))
		if err != nil || len(parts) != 1 {
			t.Fatal(parts, err)
		}
		if err := os.Truncate(parts[0], 100); err != nil {
			t.Fatal(err)
		}
		v1.view.Forget()
		wantTexts(t, v1, oldFiles)
	}
	wantNoScratch(t, data)
	if err := r.view.Family.Drop(t.Context(), func(view string) bool { return view == v1.view.Key }); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, v1, oldFiles)
}

// TestAnotherPolicyIndexesACommitAnew opens the data under other settings.
func TestAnotherPolicyIndexesACommitAnew(t *testing.T) {
	t.Parallel()
	dir, data := tagged(t), t.TempDir()
	wantTexts(t, at(t, attach(t, open(t, data), dir), "v1"), oldFiles)
	w, err := Open(Options{DataDir: data, Policy: discover.Policy{Exclude: []string{"docs", ".gitignore"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	wantTexts(t, at(t, attach(t, w, dir), "v1"), map[string]string{"a.go": oldFiles["a.go"], "same.go": oldFiles["same.go"]})
}

func TestRefsAreDroppedByRule(t *testing.T) {
	t.Parallel()
	const keepRefs, keepRefsFor = 12, 30 * 24 * time.Hour
	dir := tagged(t)
	w := open(t, t.TempDir())
	r := attach(t, w, dir)
	refs := func() (names []string) {
		kept, err := r.view.KeptRefs()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range kept {
			names = append(names, k.Ref)
		}
		return names
	}
	fresh(t, at(t, r, "v1"))
	old := filepath.Join(r.Folder(), "view-"+at(t, r, "v1").view.Key+".json")
	long := time.Now().Add(-keepRefsFor - time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, at(t, r, "v1"), oldFiles) // which notes the use
	fresh(t, at(t, r, "HEAD"))
	if got := refs(); !slices.Equal(got, []string{"HEAD", "v1"}) {
		t.Errorf("kept are %q", got)
	}
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	fresh(t, at(t, r, "HEAD~2"))
	if got := refs(); !slices.Equal(got, []string{"HEAD~2", "HEAD"}) {
		t.Errorf("kept are %q after v1 was not used for long", got)
	}
	for i := range keepRefs {
		filetest.Write(t, dir, map[string]string{"n.go": strings.Repeat("x", i+1)})
		filetest.Commit(t, dir, "n")
		fresh(t, at(t, r, gitRun(t, dir, "rev-parse", "HEAD")))
	}
	if got := refs(); len(got) != keepRefs || slices.Contains(got, "HEAD") {
		t.Errorf("kept are %q after %d more", got, keepRefs)
	}
	if w.commits.lru.Len() > maxCommits {
		t.Errorf("%d commits are held open", w.commits.lru.Len())
	}
	gone := at(t, r, "HEAD")
	if err := w.Remove(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	if _, err := r.view.Family.About(gone.view.Key); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("a removed commit is still there: %v", err)
	}
	if _, err := w.Find(t.Context(), r.Name()); err != nil {
		t.Errorf("removing a commit removed its repository: %v", err)
	}
}

// TestACommitTakesOverWhatIsKnown indexes a commit of a family in which all of
// its files but one are known: only that one is analysed.
func TestACommitTakesOverWhatIsKnown(t *testing.T) {
	t.Parallel()
	dir := tagged(t)
	r := attach(t, open(t, t.TempDir()), dir)
	if _, err := r.Index(t.Context(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	v1 := at(t, r, "v1")
	if _, err := v1.Index(t.Context(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	old := map[string]bool{}
	for _, l := range fresh(t, r).Segments {
		old[l.Identity().String()] = true
	}
	var anew []string
	s := fresh(t, v1)
	for _, l := range s.Segments {
		for f := range l.NumFiles() {
			if l.Alive(f) && !old[l.Identity().String()] {
				anew = append(anew, l.Path(f))
			}
		}
	}
	if slices.Sort(anew); !slices.Equal(anew, []string{"a.go", "docs/old.md"}) {
		t.Errorf("analysed anew are %q, want those that the work tree does not have", anew)
	}
	wantTexts(t, v1, oldFiles)
	wantTexts(t, r, map[string]string{"a.go": "package a\n\nfunc New() {}\n", "same.go": oldFiles["same.go"], ".gitignore": "*.log\n"})
}

// TestASecondCommitIsAsAFreshOne shows commits one after the other, which take
// over from each other what git names alike, as a workspace does that knows none
// but the one: the same files, the same left out, the same syntax.
func TestASecondCommitIsAsAFreshOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ids := steps(t, dir)
	r := attach(t, open(t, t.TempDir()), dir)
	for i, id := range ids {
		t.Run(fmt.Sprint("commit ", i), func(t *testing.T) {
			wantAsFresh(t, dir, at(t, r, id))
		})
	}
	if err := r.view.Family.Drop(t.Context(), func(v string) bool { return v == view.RefPrefix+ids[2] }); err != nil {
		t.Fatal(err)
	}
	wantAsFresh(t, dir, at(t, r, ids[2]))
}

// TestACommitIsNotTheWorkTree shows commits beside an indexed work tree, from which they
// take over what git names alike: as a workspace shows them that knows nothing else,
// whatever was changed, left out or added in the work tree.
func TestACommitIsNotTheWorkTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ids := steps(t, dir)
	r := attach(t, open(t, t.TempDir()), dir)
	for name, files := range map[string]map[string]string{
		"clean":             {},
		"changed":           {"lib/f01.go": "package lib\n\nfunc Another() {}\n", "lib/f02.go": "package lib\r\n\r\nfunc L2() {}\r\n"},
		"other files left":  {"lib/.espyignore": "f03.go\n", ".gitignore": "lib/f04.go\n"},
		"converted by git":  {".gitattributes": "*.go ident\n"},
		"of another length": {"sub/f02.go": "package sub\n"},
	} {
		t.Run(name, func(t *testing.T) {
			filetest.Write(t, dir, files)
			settle(t, dir)
			if _, err := r.Index(t.Context(), IndexOptions{}); err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{ids[0], ids[len(ids)-1]} {
				wantAsFresh(t, dir, at(t, r, id))
				if err := r.view.Family.Drop(t.Context(), func(v string) bool { return v == view.RefPrefix+id }); err != nil {
					t.Fatal(err)
				}
			}
			gitRun(t, dir, "checkout", "-q", ".")
			gitRun(t, dir, "clean", "-qfdx")
		})
	}
}

// settle makes the files of a work tree older than git's index, which then tells by
// their times which were changed.
func settle(t *testing.T, dir string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	for name := range strings.SplitSeq(gitRun(t, dir, "ls-files"), "\n") {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	gitRun(t, dir, "update-index", "-q", "--refresh")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, ".git", "index"), later, later); err != nil {
		t.Fatal(err)
	}
}

// TestGitIsNotAskedTwice spoils the object of a file that is indexed, of another
// commit or of the work tree: the next commit that has it too does not read it, and one
// that is shown without the other does.
func TestGitIsNotAskedTwice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		asked    int // of the commits
		workTree bool
	}{{"of another commit", 1, false}, {"of the work tree", 5, true}} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			ids := steps(t, dir)
			settle(t, dir)
			first := attach(t, open(t, t.TempDir()), dir)
			r := first
			if !tt.workTree {
				first = at(t, r, ids[0])
			}
			fresh(t, first)
			spoil(t, dir, gitRun(t, dir, "rev-parse", ids[1]+":sub/f07.go"))
			if c, err := at(t, r, ids[tt.asked]).Read(t.Context(), "sub/f07.go"); err != nil || !strings.Contains(string(c.Text), "func F7()") {
				t.Errorf("Read = %q, %v", c.Text, err)
			}
			alone := at(t, attach(t, open(t, t.TempDir()), dir), ids[tt.asked])
			if _, err := alone.Index(t.Context(), IndexOptions{}); err == nil {
				t.Error("a commit was indexed whose object is spoilt")
			}
		})
	}
}

// spoil writes something else into an object of git.
func spoil(t *testing.T, dir, object string) {
	t.Helper()
	size := gitRun(t, dir, "cat-file", "-s", object)
	name := filepath.Join(".git", "objects", object[:2], object[2:])
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
	var spoilt bytes.Buffer
	z := zlib.NewWriter(&spoilt)
	fmt.Fprintf(z, "blob %s\x00spoilt", size)
	z.Close()
	filetest.Write(t, dir, map[string]string{name: spoilt.String()})
}

// steps makes a repository of commits that each change what is left out, or
// move, remove and change files, beside some that never change.
func steps(t *testing.T, dir string) (ids []string) {
	t.Helper()
	key := "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEow\n"
	all := map[string]string{"bin.dat": "a\x00b", "wide.txt": "\xff\xfea\x00\n\x00", "key.txt": key}
	for i := range 20 {
		all[fmt.Sprintf("sub/f%02d.go", i)] = fmt.Sprintf("package sub\n\nfunc F%d() { G%d() }\n", i, i)
		all[fmt.Sprintf("lib/f%02d.go", i)] = fmt.Sprintf("package lib\n\nfunc L%d() {}\n", i)
	}
	for i, step := range []map[string]string{
		all,
		{"sub/f03.go": "package sub\n\nvar Changed = 1\n", "new.go": "package a\n", "dir/x.go": "package dir\n"},
		{"lib/.gitignore": "f1*.go\n", "sub/f04.go": "package sub\x00\n"},
		{".gitignore": "*.txt\n/dir/\n", "bin.dat": "text\n"},
		{"lib/.gitignore": "", "dir/y.go": "package dir\n"},
		{".espyignore": "sub/f1?.go\n"},
	} {
		if i == 1 {
			gitRun(t, dir, "mv", "sub/f05.go", "sub/moved.go")
			gitRun(t, dir, "rm", "-q", "lib/f06.go")
		}
		filetest.Write(t, dir, step)
		gitRun(t, dir, "init", "-q")
		gitRun(t, dir, "add", "-f", ".")
		filetest.Commit(t, dir, fmt.Sprint("step ", i))
		ids = append(ids, gitRun(t, dir, "rev-parse", "HEAD"))
	}
	return ids
}

// wantAsFresh compares a commit with the same in a new data folder.
func wantAsFresh(t *testing.T, dir string, r *Repo) {
	t.Helper()
	alone := at(t, attach(t, open(t, t.TempDir()), dir), r.Ref())
	if got, want := shown(t, r), shown(t, alone); !slices.Equal(got, want) {
		t.Errorf("%s shows\n%s\nand alone\n%s", r.Name(), strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// shown lists the files of a repository with their texts and symbols, and what is
// left out.
func shown(t *testing.T, r *Repo) (rows []string) {
	t.Helper()
	if _, err := r.Index(t.Context(), IndexOptions{}); err != nil {
		t.Fatal(err)
	}
	s := fresh(t, r)
	s.Each(func(seg, file int) bool {
		l := s.Segments[seg]
		text, err := l.Text(file, nil)
		if err != nil {
			t.Error(err)
		}
		outline, _, err := r.Outline(t.Context(), nav.OutlineRequest{Path: l.Path(file)}, Wait{})
		if err != nil {
			t.Error(err)
		}
		rows = append(rows, fmt.Sprintf("%s %x %q %d symbols", l.Path(file), l.FileHash(file), text, outline.Total))
		return true
	})
	for _, x := range s.Excluded() {
		rows = append(rows, fmt.Sprintf("%+v", x))
	}
	return rows
}

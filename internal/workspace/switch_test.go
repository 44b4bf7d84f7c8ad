package workspace

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/search"
	"espy/internal/store"
)

// gitLine runs git in a folder and returns what it prints.
func gitLine(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// segments names the parts of the family's text.
func segments(t *testing.T, r *Repo) map[string]bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(r.view.Env.Catalog.Folder(r.view.Record().FamilyID()), "*.lex"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, n := range names {
		all[filepath.Base(n)] = true
	}
	return all
}

// synced brings a repository up to date with its syntax.
func synced(t *testing.T, r *Repo) IndexReport {
	t.Helper()
	rep, err := r.Index(t.Context(), IndexOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestSwitchingBackAnalysesNothing goes between two branches of which most files
// differ: the second time no segment is written, and every symbol is known.
func TestSwitchingBackAnalysesNothing(t *testing.T) {
	t.Parallel()
	for name, watch := range map[string]bool{"asked": false, "watched": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			main := map[string]string{}
			for i := range 60 {
				main[fmt.Sprintf("d%d/f%d.go", i%4, i)] = fmt.Sprintf("package d\n\nfunc Main%d() {}\n", i)
			}
			filetest.Write(t, dir, main)
			filetest.Commit(t, dir, "main")
			topic := maps.Clone(main)
			for i := range 50 {
				topic[fmt.Sprintf("d%d/f%d.go", i%4, i)] = fmt.Sprintf("package d\n\nfunc Topic%d() {}\n", i)
			}
			filetest.Git(t, dir, "checkout", "-q", "-b", "topic")
			filetest.Write(t, dir, topic)
			filetest.Commit(t, dir, "topic")

			w, err := Open(Options{DataDir: t.TempDir(), Watch: watch})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			r := attach(t, w, dir)
			wantTexts(t, r, topic)
			filetest.Git(t, dir, "checkout", "-q", "main")
			wantTexts(t, r, main)
			synced(t, r)
			seen := segments(t, r)
			for round := range 4 {
				branch, want := "topic", topic
				if round%2 == 1 {
					branch, want = "main", main
				}
				filetest.Git(t, dir, "checkout", "-q", branch)
				wantTexts(t, r, want)
				rep := synced(t, r)
				if rep.Syntax.Pending != 0 || rep.Syntax.Parsed != 60 {
					t.Errorf("%s: %+v, want every file parsed", branch, rep.Syntax)
				}
				s := fresh(t, r)
				if s.Freshness.Commit != gitLine(t, dir, "rev-parse", "HEAD") {
					t.Errorf("%s: the generation is of %s", branch, s.Freshness.Commit)
				}
				if _, of := s.Checkout(); of != branch {
					t.Errorf("the generation is of branch %q, want %q", of, branch)
				}
				if round < 2 {
					maps.Copy(seen, segments(t, r)) // a segment that is mostly dead is written again
				}
			}
			for n := range segments(t, r) {
				if !seen[n] {
					t.Errorf("segment %s was written for what was seen before", n)
				}
			}
			st, err := r.Status(t.Context())
			if err != nil || st.Disk.Kept == 0 {
				t.Errorf("Status = %+v, %v; want kept generations", st.Disk, err)
			}
			if rep, err := r.Verify(t.Context()); err != nil || len(rep.Problems) > 0 {
				t.Errorf("Verify = %+v, %v", rep, err)
			}
		})
	}
}

// TestASecondWorktreeAnalysesNothing indexes a work tree beside the first.
func TestASecondWorktreeAnalysesNothing(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package p\n\nfunc F%d() {}\n", i)
	}
	main, linked := trees(t, files, "fix")
	w := open(t, t.TempDir())
	synced(t, attach(t, w, main))
	before := segments(t, attach(t, w, main))
	fix := attach(t, w, linked[0])
	rep := synced(t, fix)
	if diff := cmp.Diff(before, segments(t, fix)); diff != "" || rep.Syntax.Parsed != 40 || rep.Files != 40 {
		t.Errorf("%+v, segments (-before +after):\n%s", rep, diff)
	}
	wantTexts(t, fix, files)
	if _, err := fix.Index(t.Context(), IndexOptions{Force: true}); err != nil { // takes nothing over
		t.Fatal(err)
	}
	wantTexts(t, fix, files)
}

// hitsOf lists what some searches of a repository find, without what tells it
// from another of the same files.
func hitsOf(t *testing.T, r *Repo) (all []hit.Hit) {
	t.Helper()
	for _, req := range []hit.Request{
		{Mode: hit.ModeKeyword, Query: "handle package", Limit: 100},
		{Mode: hit.ModeKeyword, Query: "Handle3 return line", Limit: 100},
		{Mode: hit.ModeLiteral, Query: "return", Limit: 1000},
		{Mode: hit.ModeRegex, Query: `Handle\d\(\)`, Limit: 1000},
		{Mode: hit.ModeKeyword, Query: "symbol:Handle4", Limit: 100},
	} {
		var res *hit.Result
		err := r.ask(t.Context(), question{syntax: true}, func(s *store.Snapshot) (err error) {
			res, err = search.Search(t.Context(), []*store.Snapshot{s}, req, search.Means{})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range res.Hits {
			h.Repo = ""
			all = append(all, h)
		}
	}
	return all
}

// TestRandomSwitchesEqualACleanBuild edits, commits, switches branches and
// indexes at random in two work trees of one repository, and compares what each
// answers with a clean build of its files.
func TestRandomSwitchesEqualACleanBuild(t *testing.T) {
	t.Parallel()
	main, linked := trees(t, map[string]string{"a.go": "package a\n"}, "tree0")
	w := open(t, t.TempDir())
	rnd := rand.New(rand.NewPCG(6, 28))
	dirs := []string{main, linked[0]}
	var repos []*Repo
	files := make([]map[string]map[string]string, 2) // of each work tree by branch
	at := []string{"main", "tree0"}
	for i, dir := range dirs {
		repos = append(repos, attach(t, w, dir))
		files[i] = map[string]map[string]string{at[i]: {"a.go": "package a\n"}}
	}
	for round := range 25 {
		i := rnd.IntN(2)
		dir, now := dirs[i], files[i][at[i]]
		switch rnd.IntN(4) {
		case 0:
			edit(t, rnd, dir, now)
		case 1: // a new branch from here
			filetest.Commit(t, dir, fmt.Sprint("round ", round))
			name := fmt.Sprintf("tree%d-round%d", i, round)
			filetest.Git(t, dir, "checkout", "-q", "-b", name)
			at[i], files[i][name] = name, maps.Clone(now)
			edit(t, rnd, dir, files[i][name])
		default: // a branch from before
			filetest.Commit(t, dir, fmt.Sprint("round ", round))
			names := slices.Sorted(maps.Keys(files[i]))
			at[i] = names[rnd.IntN(len(names))]
			filetest.Git(t, dir, "checkout", "-q", at[i])
		}
		if rnd.IntN(3) == 0 {
			synced(t, repos[i])
		}
		got := fresh(t, repos[i])
		cleanRepo := attach(t, open(t, t.TempDir()), dir)
		clean := fresh(t, cleanRepo)
		if diff := cmp.Diff(files[i][at[i]], texts(t, got)); diff != "" {
			t.Fatalf("round %d: files (-written +indexed):\n%s", round, diff)
		}
		if diff := cmp.Diff(clean.Stats(), got.Stats()); diff != "" {
			t.Fatalf("round %d: counts (-clean +incremental):\n%s", round, diff)
		}
		if diff := cmp.Diff(hashes(t, clean), hashes(t, got)); diff != "" {
			t.Fatalf("round %d: contents (-clean +incremental):\n%s", round, diff)
		}
		if diff := cmp.Diff(hitsOf(t, cleanRepo), hitsOf(t, repos[i])); diff != "" {
			t.Fatalf("round %d: answers (-clean +incremental):\n%s", round, diff)
		}
	}
	for _, r := range repos {
		if rep, err := r.Verify(t.Context()); err != nil || len(rep.Problems) > 0 {
			t.Errorf("Verify = %+v, %v", rep, err)
		}
	}
}

// TestACommitIsNoted commits what is indexed already: the generation says of
// which commit its files are, under the same number.
func TestACommitIsNoted(t *testing.T) {
	t.Parallel()
	for name, watch := range map[string]bool{"asked": false, "watched": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
			filetest.Commit(t, dir, "first")
			w, err := Open(Options{DataDir: t.TempDir(), Watch: watch})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			r := attach(t, w, dir)
			before := fresh(t, r)
			if watch {
				proven(t, r)
			}
			filetest.Commit(t, dir, "second")
			head := gitLine(t, dir, "rev-parse", "HEAD")
			eventually(t, "the commit was not noted", func() bool {
				if !watch {
					fresh(t, r) // begins to note it
				}
				s, err := r.newest()
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				return s.Freshness.Commit == head && s.Freshness.Generation == before.Freshness.Generation
			})
		})
	}
}

// TestAMixtureIsOfNoCommit indexes while git moves on: no generation says that
// it is of a commit whose files it may not show.
func TestAMixtureIsOfNoCommit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	filetest.Commit(t, dir, "first")
	first := gitLine(t, dir, "rev-parse", "HEAD")
	filetest.Git(t, dir, "checkout", "-q", "-b", "topic")
	filetest.Write(t, dir, map[string]string{"a.go": "package topic\n", "b.go": "package topic\n"})
	filetest.Commit(t, dir, "second")
	r := attach(t, open(t, t.TempDir()), dir)
	fresh(t, r)

	root, err := r.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	unlock, err := r.view.Family.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	batch, err := r.view.Family.Begin(store.MainView, unlock, false)
	if err != nil {
		t.Fatal(err)
	}
	o := r.Options()
	moved := false
	o.Hooks.Enter = func(string) { // git switches while the tree is walked
		if !moved {
			moved = true
			filetest.Git(t, dir, "checkout", "-q", "main")
		}
	}
	settled, err := r.view.IndexFiles(context.Background(), batch, root, o)
	if err := batch.Close(); err != nil {
		t.Fatal(err)
	}
	s, newestErr := r.newest()
	if err != nil || newestErr != nil || settled || s.Freshness.Commit != "" {
		t.Errorf("settled %v, %v; the generation is of commit %q, %v; want none", settled, err, s.Freshness.Commit, newestErr)
	}
	s.Close()
	synced(t, r)
	if s := fresh(t, r); s.Freshness.Commit != first {
		t.Errorf("in the end the generation is of %q, want %q", s.Freshness.Commit, first)
	}
}

// TestACommitIsRecorded commits what is indexed already: the generation stays,
// and other processes learn whose files it holds.
func TestACommitIsRecorded(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	filetest.Commit(t, dir, "first")
	w := open(t, data)
	r := attach(t, w, dir)
	before := fresh(t, r).Freshness
	filetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "second")
	after := fresh(t, r).Freshness
	if after.Generation != before.Generation || after.Commit == before.Commit || after.Commit != after.Head {
		t.Errorf("before %+v, after %+v", before, after)
	}
	w.Close()
	s, err := attach(t, open(t, data), dir).newest()
	if err != nil || s.Freshness.Commit != after.Head || s.Freshness.Generation != before.Generation {
		t.Fatalf("recorded %+v, %v; want commit %s", s.Freshness, err, after.Head)
	}
	s.Close()
}

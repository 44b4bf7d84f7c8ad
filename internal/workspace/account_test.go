package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/catalog"
	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/filetest"
	"espy/internal/hit"
	"espy/internal/similar"
	"espy/internal/store"
	"espy/internal/workspace/origin"
)

// house is a repository of git with another one inside, files that are left out,
// and a work tree beside it.
func house(t *testing.T) (main, linked string) {
	t.Helper()
	main, trees := trees(t, map[string]string{
		"a.go": "package a\n\nfunc Old() { helper(1) }\n\nfunc helper(n int) {}\n", "b.go": "package a\n\nvar same = 1\n", "c.py": "x = 1\n",
		"plain": "text\n", ".gitignore": "*.log\n", "x.log": "log\n", "key.pem": "-----BEGIN RSA PRIVATE KEY-----\n", "bin": "a\x00b",
	}, "beside")
	filetest.Write(t, main, map[string]string{"inner/i.go": "package inner\n"})
	filetest.Commit(t, filepath.Join(main, "inner"), "inner")
	return main, trees[0]
}

// TestAccounts holds what a repository says of itself: its status, what indexing
// reports, what reading the whole index finds, its history and its log.
func TestAccounts(t *testing.T) {
	t.Parallel()
	main, linked := house(t)
	w := open(t, t.TempDir())
	r, other := attach(t, w, main), attach(t, w, linked)
	before, err := r.Status(t.Context())
	if err != nil || before.Files != 0 || before.Freshness.Generation != 0 || !before.LastIndexed.IsZero() {
		t.Errorf("before anything is indexed: %+v, %v", before, err)
	}
	if g, records, err := r.Log(); g != 0 || len(records) != 0 || err != nil {
		t.Errorf("Log before anything is indexed: %d, %v, %v", g, records, err)
	}
	head, branch := gitRun(t, main, "rev-parse", "HEAD"), gitRun(t, main, "branch", "--show-current")
	wantFreshness := func(want code.Freshness) {
		t.Helper()
		want.Head, want.Branch = head, branch
		diff := ""
		eventually(t, "no look at the files ended in time", func() bool { // where the machine is busy
			got := r.Freshness(t.Context())
			diff = cmp.Diff(want, got)
			return diff == "" || !got.Unchecked && got.DirtyUnknown == ""
		})
		if diff != "" {
			t.Errorf("freshness (-want +got):\n%s", diff)
		}
	}
	wantFreshness(code.Freshness{Unchecked: true})
	if _, err := r.Followed(t.Context()); !errors.Is(err, store.ErrNoIndex) {
		t.Errorf("Followed before anything is indexed: %v", err)
	}
	rep := reindex(t, r, IndexOptions{})
	if rep.Files != 6 || rep.Analysed != 6 || rep.Bytes == 0 || rep.Chunks < 6 || rep.Generation != 1 || rep.RepoID != r.ID() || rep.Name != "main" || rep.Root != main || rep.URL != "" || len(rep.Notices) != 0 || rep.Duration <= 0 {
		t.Errorf("indexing reports %+v", rep)
	}
	st, err := r.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type account struct {
		Name, Root          string
		Files, Segments     int
		Languages           map[string]int
		Excluded            map[discover.Reason]int
		Family              []string
		Nested              []Nested
		Damaged, Notices    []string
		LastError, Watching string
		Generation          uint64
		Pending             int
		Same, Remote        bool
	}
	got := account{
		st.Name, st.Root, st.Files, st.Segments, st.Languages, st.Excluded, st.Family, st.Nested, st.Damaged, st.Notices, st.LastError, st.Watching,
		st.Freshness.Generation, st.Freshness.PendingFiles, st.Chunks == rep.Chunks && st.SourceBytes == rep.Bytes, st.Remote != nil,
	}
	want := account{
		Name: "main", Root: main, Files: 6, Segments: 1, Languages: map[string]int{"": 2, "go": 3, "python": 1},
		Excluded: map[discover.Reason]int{discover.ReasonVCS: 2, discover.ReasonSecret: 1, discover.ReasonBinary: 1, discover.ReasonIgnored: 1},
		Family:   []string{"beside"}, Nested: []Nested{{Path: "inner", Kind: "repository"}}, Generation: 1, Same: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	if st.IndexBytes != st.Disk.Bytes || st.LastIndexed.IsZero() || st.TextBytes == 0 || st.TextBytes > st.SourceBytes || st.Definitions < 3 {
		t.Errorf("status: %+v", st)
	}

	filetest.Write(t, main, map[string]string{"a.go": "package a\n", "new.go": "package a\n"})
	os.Remove(filepath.Join(main, "b.go"))
	wantFreshness(code.Freshness{Generation: 1, Commit: head, PendingFiles: 3, Dirty: new(3)})
	if tree, err := r.Followed(t.Context()); tree != nil || err != nil {
		t.Errorf("Followed = %v, %v of a repository that is not followed", tree, err)
	}
	wantFreshness(code.Freshness{Generation: 1, Commit: head, PendingFiles: 3, Dirty: new(3)}) // nothing is followed
	if err := r.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	g, records, err := r.Log()
	if err != nil || g != 2 || len(records) != 2 || records[1].Files != 3 || records[1].Base != 1 {
		t.Errorf("Log: %d, %+v, %v", g, records, err)
	}
	wantFreshness(code.Freshness{Generation: 2, Commit: head, Dirty: new(3)})
	history, checkout, err := r.History(t.Context())
	if err != nil || history == nil || checkout.Repo != "main" || checkout.Commit != head || checkout.Branch != branch || checkout.Shallow || checkout.Freshness.Generation != 2 {
		t.Errorf("History: %+v, %v", checkout, err)
	}
	reindex(t, other, IndexOptions{})
	v, err := r.Verify(t.Context())
	if err != nil || v.Files != 6 || v.Segments != 2 || v.Bytes == 0 || len(v.Problems) > 0 {
		t.Errorf("Verify: %+v, %v", v, err)
	}
	if st, err = other.Status(t.Context()); err != nil || !slices.Equal(st.Family, []string{"main"}) || st.Files != 5 {
		t.Errorf("the work tree beside: family %v, %d files, %v", st.Family, st.Files, err)
	}
	forced := reindex(t, r, IndexOptions{Force: true})
	if forced.Files != 6 || forced.Analysed != 6 || forced.Generation != 3 {
		t.Errorf("from nothing: %+v", forced)
	}
	if again := reindex(t, r, IndexOptions{}); again.Analysed != 0 || again.Generation != 3 {
		t.Errorf("once more: %+v", again)
	}
}

// TestNoAccount asks for what there is not.
func TestNoAccount(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	w := open(t, t.TempDir())
	r := attach(t, w, dir)
	var none *origin.NoHistoryError
	if _, at, err := r.History(t.Context()); !errors.As(err, &none) || none.Repo != r.Name() || at.Repo != r.Name() {
		t.Errorf("History outside git: %+v, %v", at, err)
	}
	if _, err := r.Refs(t.Context()); !errors.As(err, &none) {
		t.Errorf("Refs outside git: %v", err)
	}
	if _, err := r.At(t.Context(), "main"); !errors.As(err, &none) {
		t.Errorf("At outside git: %v", err)
	}
	if got, err := r.At(t.Context(), ""); got != r || err != nil {
		t.Errorf("At of what is checked out: %v, %v", got, err)
	}
	if _, err := r.Verify(t.Context()); err == nil {
		t.Error("what is not indexed was verified")
	}
	if got, err := w.ByID("no such id"); got != nil || err != nil {
		t.Errorf("ByID of nothing: %v, %v", got, err)
	}
	if got, err := w.ByID(r.ID()); got != r || err != nil {
		t.Errorf("ByID: %v, %v, want %v", got, err, r)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.History(t.Context()); err == nil || errors.As(err, &none) {
		t.Errorf("History of a folder that is gone: %v", err)
	}
}

// TestRefs holds the names of what can be asked about, and what is said of one
// that there is not.
func TestRefs(t *testing.T) {
	t.Parallel()
	main, _ := house(t)
	for _, name := range []string{"release-1", "release-2", "topic/sort"} {
		gitRun(t, main, "branch", name)
	}
	r := attach(t, open(t, t.TempDir()), main)
	refs, err := r.Refs(t.Context())
	slices.Sort(refs)
	want := []string{"beside", gitRun(t, main, "branch", "--show-current"), "release-1", "release-2", "topic/sort"}
	slices.Sort(want)
	if diff := cmp.Diff(want, refs); diff != "" || err != nil {
		t.Errorf("Refs: %v (-want +got):\n%s", err, diff)
	}
	if id, err := r.Resolve(t.Context(), "release-1"); err != nil || id != gitRun(t, main, "rev-parse", "HEAD") {
		t.Errorf("Resolve = %s, %v", id, err)
	}
	for _, c := range []struct {
		ref  string
		n    int // names said to be near
		near string
	}{{"relese-1", 2, "release-1"}, {"origin/sort", 1, "topic/sort"}, {"qqqqqqqqqqqq", 3, ""}} {
		t.Run(c.ref, func(t *testing.T) {
			var unknown *origin.RefError
			if _, err := r.At(t.Context(), c.ref); !errors.As(err, &unknown) || unknown.Ref != c.ref || unknown.Repo != "main" || len(unknown.Nearest) != c.n || c.near != "" && unknown.Nearest[0] != c.near {
				t.Errorf("At(%s): %+v, want %d names, %q first", c.ref, err, c.n, c.near)
			}
		})
	}
	topic := at(t, r, "topic/sort")
	if _, err := topic.At(t.Context(), "release-1"); err == nil || !strings.Contains(err.Error(), "ask for one ref") {
		t.Errorf("a ref of a ref: %v", err)
	}
	wantTexts(t, topic, map[string]string{
		"a.go": "package a\n\nfunc Old() { helper(1) }\n\nfunc helper(n int) {}\n", "b.go": "package a\n\nvar same = 1\n", "c.py": "x = 1\n", "plain": "text\n", ".gitignore": "*.log\n",
	})
	st, err := r.Status(t.Context())
	if err != nil || len(st.Refs) != 1 {
		t.Errorf("commits that are indexed beside it: %+v, %v", st.Refs, err)
	}
	if st, err = topic.Status(t.Context()); err != nil || len(st.Refs) != 0 || st.Files != 5 {
		t.Errorf("status of a commit: %+v, %v", st, err)
	}
}

func TestRefHints(t *testing.T) {
	long := strings.Repeat("x", 201)
	for _, c := range []struct {
		name          string
		err           origin.RefError
		problem, hint string
	}{
		{"near", origin.RefError{Repo: "r", Ref: "mian", Nearest: []string{"main"}}, `repo r has no branch, tag or commit "mian"`, "did you mean main?"},
		{"two near", origin.RefError{Repo: "r", Ref: "v", Nearest: []string{"v1", "v2"}}, `repo r has no branch, tag or commit "v"`, "did you mean v1 or v2?"},
		{"none", origin.RefError{Repo: "r", Ref: "v"}, `repo r has no branch, tag or commit "v"`, "give the name of a branch or tag, or the id of a commit"},
		{"shallow", origin.RefError{Repo: "r", Ref: "v", Shallow: true}, `repo r has no branch, tag or commit "v"`, "the clone is shallow: it holds its newest commit only"},
		{"shallow with names", origin.RefError{Repo: "r", Ref: "v", Shallow: true, Nearest: []string{"a", "b"}}, `repo r has no branch, tag or commit "v"`, "the clone is shallow and holds few commits; it has a, b"},
		{"as long as can be", origin.RefError{Repo: "r", Ref: long[1:]}, fmt.Sprintf("repo r has no branch, tag or commit %q", long[1:]), "give the name of a branch or tag, or the id of a commit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			problem, hint := c.err.Explain()
			if problem != c.problem || hint != c.hint || c.err.Error() != c.problem {
				t.Errorf("Explain = %q, %q; Error = %q", problem, hint, c.err.Error())
			}
		})
	}
	if problem, _ := (&origin.RefError{Repo: "r", Ref: long}).Explain(); strings.Contains(problem, long) || !strings.Contains(problem, long[3:200-3]) {
		t.Errorf("a long ref is said as %q", problem)
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir())
	_, err := w.Find(t.Context(), "shop")
	if want := `no repository "shop": none is attached yet`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for _, name := range []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta"} {
		dir := filepath.Join(t.TempDir(), name)
		filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
		attach(t, w, dir)
	}
	for ref, want := range map[string]string{
		"gama":      `no repository "gama": attached are gamma`,
		"qqqqqqqqq": `no repository "qqqqqqqqq": attached are alpha, beta, delta, epsilon, gamma`,
		"alpha@":    `no repository "alpha@": attached are alpha`,
	} {
		t.Run(ref, func(t *testing.T) {
			if _, err := w.Find(t.Context(), ref); err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// TestIsURL holds what is meant as an address of another machine.
func TestIsURL(t *testing.T) {
	t.Chdir(t.TempDir())
	filetest.Write(t, ".", map[string]string{"git@host:shop": "a file of this name\n"})
	for text, want := range map[string]bool{
		"https://host/shop": true, "ssh://git@host/shop": true, "ext::sh -c x": true, "git@host.org:shop.git": true, "a-b.c@host:": true,
		"git@host:shop": false, "shop": false, "./shop": false, "C:\\shop": false, "host:shop": false, "a b@host:shop": false, "": false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := catalog.IsURL(text); got != want {
				t.Errorf("catalog.IsURL(%q) = %v, want %v", text, got, want)
			}
		})
	}
}

// TestSimilarOverRepositories asks for code like that of one repository in
// others, among which it is or is not.
func TestSimilarOverRepositories(t *testing.T) {
	t.Parallel()
	body := "func Sum(list []int) int {\n\ttotal := 0\n\tfor _, v := range list {\n\t\ttotal += v\n\t}\n\treturn total\n}\n"
	w := open(t, t.TempDir())
	repos := map[string]*Repo{}
	for _, name := range []string{"first", "second"} {
		dir := filepath.Join(t.TempDir(), name)
		filetest.Write(t, dir, map[string]string{name + ".go": "package " + name + "\n\n" + body, "other.go": "package " + name + "\n\nfunc Print() {}\n"})
		repos[name] = attach(t, w, dir)
		reindex(t, repos[name], IndexOptions{})
	}
	for _, c := range []struct {
		name  string
		repos []string
		want  []string
	}{
		{"in both", []string{"first", "second"}, []string{"second/second.go"}},
		{"in the other one", []string{"second"}, []string{"second/second.go"}},
		{"in itself", []string{"first"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := similar.Compile(similar.Request{Place: &similar.Place{Path: "first.go", First: 3, Last: 9}, Request: hit.Request{Limit: 1}})
			if err != nil {
				t.Fatal(err)
			}
			var in []*Repo
			for _, name := range c.repos {
				in = append(in, repos[name])
			}
			res, err := w.Similar(t.Context(), repos["first"], in, q, Wait{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, h := range res.Hits {
				if h.Path != "other.go" {
					got = append(got, h.Repo+"/"+h.Path)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("similar (-want +got):\n%s", diff)
			}
		})
	}
	q, err := similar.Compile(similar.Request{Place: &similar.Place{Path: "none.go"}})
	if err != nil {
		t.Fatal(err)
	}
	if res, err := w.Similar(t.Context(), repos["first"], nil, q, Wait{}); err == nil {
		t.Errorf("what is like code of a file that there is not: %+v", res)
	}
}

// TestNotesOfAnswers holds what answers say of a repository whose files are gone
// and of hits whose files have changed since.
func TestNotesOfAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a // needle\n", "b.go": "package b // needle\n"})
	w := open(t, t.TempDir())
	r := attach(t, w, dir)
	reindex(t, r, IndexOptions{})
	s := fresh(t, r)
	ask := func() (*hit.Result, []bool) {
		res := &hit.Result{Hits: []hit.Hit{{Repo: s.Name, Path: "a.go"}, {Repo: s.Name, Path: "b.go"}, {Repo: "another", Path: "c.go"}, {Repo: s.Name, Path: "never.go"}}}
		note(res, []*Repo{r}, []*store.Snapshot{s})
		var stale []bool
		for _, h := range res.Hits {
			stale = append(stale, h.Stale)
		}
		return res, stale
	}
	if res, stale := ask(); len(res.Notes) > 0 || !slices.Equal(stale, []bool{false, false, false, true}) {
		t.Errorf("nothing changed: stale %v, notes %q", stale, res.Notes)
	}
	filetest.Write(t, dir, map[string]string{"a.go": "package a // another needle\n"})
	if res, stale := ask(); len(res.Notes) > 0 || !slices.Equal(stale, []bool{true, false, false, true}) {
		t.Errorf("a file changed: stale %v, notes %q", stale, res.Notes)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if res, _ := ask(); len(res.Notes) != 1 || !strings.HasPrefix(res.Notes[0], "the files of "+r.Name()+" cannot be read any more (") || !strings.HasSuffix(res.Notes[0], "): the answer is from the index") {
		t.Errorf("the files are gone: notes %q", res.Notes)
	}
}

// TestFollowed holds that a repository which is followed is looked at before a
// question, and one that has no index or is not followed is not.
func TestFollowed(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	reindex(t, attach(t, open(t, data), dir), IndexOptions{})
	filetest.Write(t, dir, map[string]string{"a.go": "package edited\n"})

	still := attach(t, open(t, data), dir)
	if tree, err := still.Followed(t.Context()); tree != nil || err != nil {
		t.Errorf("Followed = %v, %v of a repository that is not followed", tree, err)
	}
	if g, _, err := still.Log(); g != 1 || err != nil {
		t.Errorf("generation %d, %v of a repository that is not followed", g, err)
	}
	followed := attach(t, openWatching(t, data), dir)
	if tree, err := followed.Followed(t.Context()); err != nil || len(tree.Leaves) != 1 || tree.Leaves[0].Stat.Size != 15 {
		t.Errorf("Followed = %+v, %v, want the edited file", tree, err)
	}
	eventually(t, "the change was not found", func() bool { g, _, err := followed.Log(); return g == 2 && err == nil })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := followed.Followed(ctx); err == nil {
		t.Error("looked after its end")
	}
}

// TestAttachedFolders holds which folder becomes a repository, and under which name.
func TestAttachedFolders(t *testing.T) {
	t.Parallel()
	main, _ := house(t)
	filetest.Write(t, main, map[string]string{"sub/deep/a.go": "package a\n"})
	w := open(t, t.TempDir())
	for _, c := range []struct {
		name, dir  string
		options    AttachOptions
		root, want string
	}{
		{"above with git", "sub/deep", AttachOptions{}, ".", "main"},
		{"the folder itself", "sub/deep", AttachOptions{Exact: true}, "sub/deep", "deep"},
		{"once more, above it", "sub", AttachOptions{}, ".", "main"},
		{"with git of its own", "inner", AttachOptions{}, "inner", "inner"},
		{"with a name", "sub", AttachOptions{Exact: true, Name: "other"}, "sub", "other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := w.Attach(t.Context(), filepath.Join(main, c.dir), c.options)
			if err != nil {
				t.Fatal(err)
			}
			if r.Root() != filepath.Join(main, c.root) || r.Name() != c.want {
				t.Errorf("%s at %s, want %s at %s", r.Name(), r.Root(), c.want, c.root)
			}
		})
	}
	if _, err := w.Attach(t.Context(), filepath.Join(main, "never"), AttachOptions{}); err == nil || !strings.HasPrefix(err.Error(), "attach ") {
		t.Errorf("a folder that there is not: %v", err)
	}
	if _, err := w.Attach(t.Context(), "/", AttachOptions{Exact: true}); err == nil {
		t.Error("the whole machine was attached")
	}
}

// TestNext holds that whoever waits for a generation is told of it, by whichever
// process.
func TestNext(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	r, other := attach(t, open(t, data), dir), attach(t, open(t, data), dir)
	reindex(t, r, IndexOptions{})
	if rep, err := other.Next(t.Context(), 0); err != nil || rep.Generation != 1 || rep.Files != 1 {
		t.Errorf("Next = %+v, %v", rep, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if rep, err := other.Next(gone, 1); !errors.Is(err, context.Canceled) || rep.Files != 0 {
		t.Errorf("Next after its end = %+v, %v", rep, err)
	}
	told := make(chan IndexReport, 1)
	go func() {
		rep, err := other.Next(t.Context(), 1)
		if err != nil {
			t.Error(err)
		}
		told <- rep
	}()
	filetest.Write(t, dir, map[string]string{"b.go": "package a\n"})
	reindex(t, r, IndexOptions{})
	if rep := <-told; rep.Generation != 2 || rep.Files != 2 {
		t.Errorf("Next = %+v", rep)
	}
}

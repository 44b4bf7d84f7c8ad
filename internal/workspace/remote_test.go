package workspace

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"espy/internal/catalog"
	"espy/internal/filetest"
	"espy/internal/git"
	"espy/internal/git/clone"
	"espy/internal/hit"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/workspace/origin"
)

// remoteServer serves the repositories below a folder over https, through wrap,
// and returns the address and what reaches it.
func remoteServer(t *testing.T, dir string, wrap func(http.Handler) http.Handler) (url string, o origin.RemoteOptions) {
	t.Helper()
	url, ca := filetest.Serve(t, dir, wrap)
	return url, origin.RemoteOptions{CAFile: ca, AllowPrivate: true}
}

func openRemote(t *testing.T, data string, o origin.RemoteOptions) *Workspace {
	t.Helper()
	w, err := Open(Options{DataDir: data, Remote: o})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func attachURL(t *testing.T, w *Workspace, url string) *Repo {
	t.Helper()
	r, err := w.AttachURL(t.Context(), url, "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func reindex(t *testing.T, r *Repo, o IndexOptions) IndexReport {
	t.Helper()
	rep, err := r.Index(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestARepositoryOnAnotherMachine(t *testing.T) {
	t.Parallel()
	top, data := t.TempDir(), t.TempDir()
	dir := filepath.Join(top, "api.git")
	filetest.Write(t, dir, oldFiles)
	filetest.Commit(t, dir, "first")
	var broken atomic.Bool
	url, o := remoteServer(t, top, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if broken.Load() {
				http.NotFound(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	w := openRemote(t, data, o)
	r := attachURL(t, w, url+"/api.git/")
	rep := reindex(t, r, IndexOptions{})
	head := gitRun(t, dir, "rev-parse", "HEAD")
	if r.Name() != "api" || rep.URL != url+"/api.git" || rep.Freshness.Commit != head || rep.Files != 4 || r.Root() != "" {
		t.Errorf("%s at %q: %+v", r.Name(), r.Root(), rep)
	}
	wantTexts(t, r, oldFiles)
	res, err := w.Search(t.Context(), []*Repo{r}, mustCompile(t, hit.Request{Query: "Old says so", Mode: hit.ModeLiteral}), Wait{})
	if err != nil || len(res.Hits) != 1 || len(res.Notes) != 0 {
		t.Errorf("search: %+v, %v", res, err)
	}
	f := res.Repos[0].Freshness
	if f.Commit != head || f.Ref != "main" || f.Fetched == "" || f.Committed == "" || f.PendingFiles != 0 || f.Unchecked {
		t.Errorf("freshness %+v", f)
	}
	if symbols, _, err := r.Symbols(t.Context(), nav.SymbolRequest{Target: locate.Target{Name: "Old"}}, Wait{}); err != nil || symbols.Total != 1 {
		t.Errorf("Symbols = %+v, %v", symbols, err)
	}
	if c, err := r.Read(t.Context(), "a.go"); err != nil || string(c.Text) != oldFiles["a.go"] {
		t.Errorf("Read = %q, %v", c.Text, err)
	}
	if _, err := r.Read(t.Context(), "../repo.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of a path that leads out: %v", err)
	}
	for _, name := range []string{url + "/api.git", "api", "api@main"} {
		if found, err := w.Find(t.Context(), name); err != nil || found.ID() != r.ID() {
			t.Errorf("Find(%q) = %v, %v", name, found, err)
		}
	}
	var noRef *origin.RefError
	if _, err := r.At(t.Context(), "v1"); !errors.As(err, &noRef) || !noRef.Shallow {
		t.Errorf("At of a commit that was not received: %v", err)
	}
	history, at, err := r.History(t.Context())
	if err != nil || !at.Shallow || at.Commit != head {
		t.Fatalf("History = %+v, %v", at, err)
	}
	if log, err := history.Log(t.Context(), at.Commit, git.LogOptions{Paths: []string{"a.go"}}); err != nil || len(log) != 1 {
		t.Errorf("Log = %+v, %v", log, err)
	}

	// A branch and a tag are repositories of their own.
	gitRun(t, dir, "tag", "v1")
	gitRun(t, dir, "branch", "topic/x")
	for _, ref := range []string{"v1", "topic/x", head} {
		other := attachURL(t, w, url+"/api.git#"+ref)
		if rep := reindex(t, other, IndexOptions{}); other.ID() == r.ID() || rep.URL != url+"/api.git#"+ref || rep.Freshness.Commit != head {
			t.Errorf("%s: %+v", ref, rep)
		}
		wantTexts(t, other, oldFiles)
		if found, err := w.Find(t.Context(), url+"/api.git#"+ref); err != nil || found != other {
			t.Errorf("Find of %s: %v, %v", ref, found, err)
		}
	}
	none := attachURL(t, w, url+"/api.git#none")
	if _, err := none.Index(t.Context(), IndexOptions{}); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("Index of a branch that does not exist: %v", err)
	}
	if _, err := none.Snapshot(t.Context(), Wait{}); err == nil || !strings.Contains(err.Error(), "espy index api-none") {
		t.Errorf("a question before anything was received: %v", err)
	}

	// Nothing new; then something; then the machine is gone.
	stamp := r.view.Family.Stamp(r.view.Key)
	if again := reindex(t, r, IndexOptions{}); again.Generation != rep.Generation || r.view.Family.Stamp(r.view.Key) != stamp {
		t.Errorf("asking again wrote generation %d", again.Generation)
	}
	now := map[string]string{"b.go": "package b\n"}
	for name, text := range oldFiles {
		now[name] = text
	}
	filetest.Write(t, dir, now)
	filetest.Commit(t, dir, "second")
	wantTexts(t, r, oldFiles) // no question asks the other machine
	if next := reindex(t, r, IndexOptions{}); next.Generation != rep.Generation+1 || next.Files != 5 {
		t.Errorf("after a commit: %+v", next)
	}
	wantTexts(t, r, now)
	broken.Store(true)
	if _, err := r.Index(t.Context(), IndexOptions{}); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("Index of a repository that is gone: %v", err)
	}
	wantTexts(t, r, now)
	st, err := r.Status(t.Context())
	if err != nil || st.Remote == nil || !strings.Contains(st.Remote.Failed, "404") || st.Remote.Fetched.IsZero() || st.Remote.Bytes == 0 || st.Root != "" {
		t.Errorf("Status = %+v, %v", st.Remote, err)
	}
	if err := w.Abandon(t.Context(), r); err != nil {
		t.Fatal(err)
	}

	// Another process finds all of it.
	other := openRemote(t, data, o)
	found, err := other.Find(t.Context(), "api")
	if err != nil {
		t.Fatal(err)
	}
	wantTexts(t, found, now)
	if err := other.Remove(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(r.Folder()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removing leaves %v, %v", left, err)
	}
}

// TestSecretsOfAnAddressAreNotKept looks for a password in everything that is
// written or said.
func TestSecretsOfAnAddressAreNotKept(t *testing.T) {
	t.Parallel()
	const password = "hunter2hunter2"
	top, data := t.TempDir(), t.TempDir()
	dir := filepath.Join(top, "api")
	filetest.Write(t, dir, oldFiles)
	filetest.Commit(t, dir, "first")
	url, o := remoteServer(t, top, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, given, _ := r.BasicAuth(); given != password {
				http.Error(w, "no", http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	secret := strings.Replace(url, "https://", "https://me:"+password+"@", 1) + "/api"
	w := openRemote(t, data, o)
	r := attachURL(t, w, secret)
	reindex(t, r, IndexOptions{URL: secret})
	wantTexts(t, r, oldFiles)
	if again := attachURL(t, w, url+"/api"); again != r {
		t.Error("the address without its password is another repository")
	}
	_, err := r.Index(t.Context(), IndexOptions{})
	if err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("Index without the password: %v", err)
	}
	_, wrong := r.Index(t.Context(), IndexOptions{URL: strings.Replace(secret, "me:", "me:x", 1)})
	for _, text := range []string{err.Error(), wrong.Error(), r.URL(), r.Name()} {
		if strings.Contains(text, password) {
			t.Errorf("%q tells the password", text)
		}
	}
	filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), password) {
			t.Errorf("%s holds the password", path)
		}
		return nil
	})
}

func TestBadAddresses(t *testing.T) {
	t.Parallel()
	w := openRemote(t, t.TempDir(), origin.RemoteOptions{})
	marker := filepath.Join(t.TempDir(), "marker")
	for _, url := range []string{
		"ext::sh -c touch% " + marker, "file:///etc", "ssh://-oProxyCommand=touch " + marker + "/x", "http://example.com/x", "git@github.com:a/b",
		"https://", "https://host/-x", "git://host/x",
	} {
		t.Run(url, func(t *testing.T) {
			var bad *clone.URLError
			if _, err := w.AttachURL(t.Context(), url, ""); !catalog.IsURL(url) || !errors.As(err, &bad) {
				t.Errorf("AttachURL(%q): %v (an address: %v), want a URLError", url, err, catalog.IsURL(url))
			}
		})
	}
	for _, url := range []string{"https://169.254.169.254/latest/meta-data", "https://127.0.0.1:1/x", "https://[::1]:1/x", "https://10.0.0.1/x"} {
		t.Run(url, func(t *testing.T) {
			r := attachURL(t, w, url)
			if _, err := r.Index(t.Context(), IndexOptions{}); err == nil || !strings.Contains(err.Error(), "machine") && !strings.Contains(err.Error(), "private") {
				t.Errorf("Index of %s: %v", url, err)
			}
			if err := w.Abandon(t.Context(), r); err != nil {
				t.Error(err)
			}
		})
	}
	if repos, err := w.Repos(t.Context()); err != nil || len(repos) != 0 {
		t.Errorf("%d repositories are left, %v", len(repos), err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("an address was run")
	}
}

// TestATooLargeRemote is given up, and leaves nothing behind.
func TestATooLargeRemote(t *testing.T) {
	t.Parallel()
	top, data := t.TempDir(), t.TempDir()
	dir := filepath.Join(top, "big")
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	filetest.Commit(t, dir, "first")
	url, o := remoteServer(t, top, nil)
	w := openRemote(t, data, o)
	r := attachURL(t, w, url+"/big")
	reindex(t, r, IndexOptions{})
	noise := make([]byte, 3<<20)
	for i, seed := 0, uint32(1); i < len(noise); i++ {
		seed = seed*1664525 + 1013904223
		noise[i] = byte(seed >> 24)
	}
	filetest.Write(t, dir, map[string]string{"noise.bin": string(noise), "b.go": "package b\n"})
	filetest.Commit(t, dir, "second")
	w.Close()
	small := o
	small.MaxBytes = 1 << 20
	w = openRemote(t, data, small)
	r = attachURL(t, w, url+"/big")
	var big *clone.TooBigError
	if _, err := r.Index(t.Context(), IndexOptions{}); !errors.As(err, &big) {
		t.Errorf("Index of what is too large: %v", err)
	}
	wantTexts(t, r, map[string]string{"a.go": "package a\n"})
	// A clone that a killed process left, and one that is damaged.
	folder := r.Folder()
	filetest.Write(t, folder, map[string]string{clone.Prefix + "clone-1/objects/x": "x"})
	if err := os.Remove(filepath.Join(r.Folder(), "clone", "HEAD")); err != nil {
		t.Fatal(err)
	}
	w.Close()
	r = attachURL(t, openRemote(t, data, o), url+"/big")
	if rep := reindex(t, r, IndexOptions{}); rep.Generation < 2 {
		t.Errorf("generation %d", rep.Generation)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, clone.Prefix+"*")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// TestARemoteThatHangs is given up with the question, and the old answer stays.
func TestARemoteThatHangs(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "api")
	filetest.Write(t, dir, map[string]string{"a.go": "package a\n"})
	filetest.Commit(t, dir, "first")
	hang, hung := make(chan struct{}), make(chan struct{}, 100)
	defer close(hang)
	var slow atomic.Bool
	url, o := remoteServer(t, top, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if slow.Load() {
				hung <- struct{}{}
				select {
				case <-hang:
				case <-r.Context().Done():
				}
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	w := openRemote(t, t.TempDir(), o)
	r := attachURL(t, w, url+"/api")
	reindex(t, r, IndexOptions{})
	slow.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-hung
		cancel()
	}()
	if _, err := r.Index(ctx, IndexOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Index of a remote that hangs: %v", err)
	}
	wantTexts(t, r, map[string]string{"a.go": "package a\n"})
	// One that hangs the first time is forgotten.
	ctx, cancel = context.WithCancel(t.Context())
	go func() {
		<-hung
		cancel()
	}()
	other := attachURL(t, w, url+"/other")
	_, err := other.Index(ctx, IndexOptions{})
	if err == nil {
		t.Error("Index of a remote that hangs gave no error")
	}
	if err := w.Abandon(t.Context(), other); err != nil {
		t.Error(err)
	}
	if repos, err := w.Repos(t.Context()); err != nil || len(repos) != 1 {
		t.Errorf("%d repositories are left, %v", len(repos), err)
	}
	slow.Store(false)
	if rep := reindex(t, r, IndexOptions{}); rep.Generation != 1 {
		t.Errorf("generation %d", rep.Generation)
	}
}

// TestOneRemoteManyProcesses adds one address from several workspaces at once.
func TestOneRemoteManyProcesses(t *testing.T) {
	t.Parallel()
	top, data := t.TempDir(), t.TempDir()
	dir := filepath.Join(top, "api")
	filetest.Write(t, dir, oldFiles)
	filetest.Commit(t, dir, "first")
	url, o := remoteServer(t, top, nil)
	var group sync.WaitGroup
	for range 4 {
		w := openRemote(t, data, o)
		group.Go(func() {
			r, err := w.AttachURL(context.Background(), url+"/api", "")
			if err == nil {
				_, err = r.Index(context.Background(), IndexOptions{})
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	repos, err := openRemote(t, data, o).Repos(t.Context())
	if err != nil || len(repos) != 1 {
		t.Fatalf("%d repositories, %v", len(repos), err)
	}
	wantTexts(t, repos[0], oldFiles)
	if g := fresh(t, repos[0]).Freshness.Generation; g != 1 {
		t.Errorf("generation %d, want 1", g)
	}
}

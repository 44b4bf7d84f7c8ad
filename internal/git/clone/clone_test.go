package clone

import (
	"compress/zlib"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"espy/internal/filetest"
	"espy/internal/git"
	"espy/internal/git/gittest"
	"espy/internal/usage"
)

// server serves the repositories below a folder over https on this machine.
// What wrap returns stands before git's own answers.
func server(t *testing.T, dir string, wrap func(http.Handler) http.Handler) (o Options) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	handler := http.Handler(&cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Stderr: io.Discard,
		Env: []string{"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"},
	})
	if wrap != nil {
		handler = wrap(handler)
	}
	s := httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(ca, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	return Options{URL: s.URL + "/repo", Dir: filepath.Join(t.TempDir(), "clone"), CAFile: ca, AllowPrivate: true, Timeout: time.Minute}
}

// origin makes a folder with the repository "repo" of three commits in it.
func origin(t *testing.T) (dir string, ids [3]string) {
	t.Helper()
	dir = t.TempDir()
	repo := filepath.Join(dir, "repo")
	if err := os.Mkdir(repo, 0o755); err != nil {
		t.Fatal(err)
	}
	ids = gittest.History(t, repo)
	filetest.Git(t, repo, "tag", "-a", "-m", "tag", "v1", ids[0])
	filetest.Git(t, repo, "branch", "topic/x", ids[1])
	return dir, ids
}

// cloned makes a clone and opens it.
func cloned(t *testing.T, o Options) *git.Repository {
	t.Helper()
	if err := New(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	r, err := git.OpenBare(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// alone fails when the folder of a clone holds anything but it.
func alone(t *testing.T, o Options, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(o.Dir))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if strings.Join(names, ",") != strings.Join(want, ",") {
		t.Errorf("beside the clone lie %q, want %q", names, want)
	}
}

func TestClone(t *testing.T) {
	dir, ids := origin(t)
	for name, tt := range map[string]struct{ ref, commit, branch, path, text string }{
		"default branch": {"", ids[2], "main", "a.go", "one\nTWO\nthree"},
		"branch":         {"topic/x", ids[1], "topic/x", "old name.go", strings.TrimSpace(strings.Repeat("line\n", 40))},
		"tag":            {"v1", ids[0], "refs/tags/v1", "a.go", "one\ntwo\nthree"},
		"commit":         {ids[1], ids[1], "", "a.go", "one\nTWO\nthree"},
	} {
		t.Run(name, func(t *testing.T) {
			o := server(t, dir, nil)
			o.Ref = tt.ref
			var told int64
			o.Progress = func(n int64) { told = n }
			r := cloned(t, o)
			alone(t, o, "clone")
			if commit, branch, err := Head(t.Context(), r); err != nil || commit != tt.commit || branch != tt.branch {
				t.Errorf("Head = %q, %q, %v; want %q, %q", commit, branch, err, tt.commit, tt.branch)
			}
			if text := filetest.Git(t, o.Dir, "cat-file", "blob", tt.commit+":"+tt.path); text != tt.text {
				t.Errorf("%s = %q, want %q", tt.path, text, tt.text)
			}
			commits, err := r.Log(t.Context(), tt.commit, git.LogOptions{})
			if err != nil || len(commits) != 1 {
				t.Errorf("the clone has %d commits, %v; want 1", len(commits), err)
			}
			if told == 0 {
				t.Error("no progress was told")
			}
			if err := New(t.Context(), o); !errors.Is(err, os.ErrExist) {
				t.Errorf("a clone over another: %v", err)
			}
		})
	}
}

func TestUpdate(t *testing.T) {
	dir, ids := origin(t)
	repo := filepath.Join(dir, "repo")
	o := server(t, dir, nil)
	r := cloned(t, o)
	want := func(commit, branch string) {
		t.Helper()
		if err := Update(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if c, b, err := Head(t.Context(), r); err != nil || c != commit || b != branch {
			t.Fatalf("Head = %q, %q, %v; want %q, %q", c, b, err, commit, branch)
		}
	}
	want(ids[2], "main")
	for i := range keptPacks + 2 {
		gittest.Write(t, repo, map[string]string{"new.go": fmt.Sprint("package ", i)})
		filetest.Git(t, repo, "commit", "-q", "-a", "-m", "more")
		want(filetest.Git(t, repo, "rev-parse", "HEAD"), "main")
	}
	if packs, _ := filepath.Glob(filepath.Join(o.Dir, "objects", "pack", "*.pack")); len(packs) > keptPacks {
		t.Errorf("%d packs are kept, want at most %d", len(packs), keptPacks)
	}
	filetest.Git(t, repo, "reset", "-q", "--hard", ids[0]) // history rewritten
	want(ids[0], "main")
	filetest.Git(t, repo, "checkout", "-q", "topic/x")
	want(ids[1], "topic/x")
	if refs := filetest.Git(t, o.Dir, "for-each-ref", "--format=%(refname)"); refs != "refs/heads/topic/x" {
		t.Errorf("refs %q are kept", refs)
	}
	filetest.Git(t, repo, "checkout", "-q", "--detach", ids[2])
	want(ids[2], "")

	if err := os.Rename(repo, repo+".gone"); err != nil {
		t.Fatal(err)
	}
	if err := Update(t.Context(), o); err == nil || !strings.Contains(err.Error(), "no such repository") {
		t.Errorf("Update of a repository that is gone: %v", err)
	}
	again, err := git.OpenBare(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if c, _, err := Head(t.Context(), again); err != nil || c != ids[2] {
		t.Errorf("after a failed update Head = %q, %v; want %q", c, err, ids[2])
	}
	if _, err := git.OpenBare(t.TempDir()); !errors.Is(err, git.ErrNoRepository) {
		t.Errorf("OpenClone of an empty folder: %v", err)
	}
}

// TestExplain holds what is said to help.
func TestExplain(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string // "" for no hint
	}{
		{&hostError{Host: "h", Why: "no such host"}, "check the address"},
		{&URLError{Private: true}, "clone_private"},
		{&URLError{}, ""},
		{&tls.CertificateVerificationError{}, "clone_ca_file"},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, "https_proxy"},
	} {
		e := &remoteError{Doing: "clone", URL: "u", Err: tt.err}
		if problem, hint := usage.Explain(fmt.Errorf("index x: %w", e)); problem != e.Error() || (hint == "") != (tt.want == "") || !strings.Contains(hint, tt.want) {
			t.Errorf("%v: %q, hint %q; want %q", tt.err, problem, hint, tt.want)
		}
	}
}

func TestCloneRefuses(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "marker")
	for _, tt := range []struct{ url, want, try string }{
		{"ext::sh -c touch% " + marker, "printable ASCII", ""},
		{"ext::touch%20" + marker, "https:// or ssh://", ""},
		{"fd::7/x", "https:// or ssh://", ""},
		{"file:///etc", "https:// or ssh://", ""},
		{"/etc", "https:// or ssh://", ""},
		{"../x", "https:// or ssh://", ""},
		{"--upload-pack=touch", "https:// or ssh://", ""},
		{"-u", "https:// or ssh://", ""},
		{"http://example.com/x", "https:// or ssh://", "https://example.com/x"},
		{"git://example.com/x", "https:// or ssh://", ""},
		{"https://github.com/golang/example/tree/master/hello", "a page of a repository", "https://github.com/golang/example#master"},
		{"https://github.com/golang/example/pull/3", "a page of a repository", "https://github.com/golang/example"},
		{"https://gitlab.example/a/b/c/-/blob/main/x.go", "a page of a repository", "https://gitlab.example/a/b/c#main"},
		{"ftp://example.com/x", "https:// or ssh://", ""},
		{"git@example.com:a/b.git", "https:// or ssh://", "ssh://git@example.com/a/b.git"},
		{"ssh+git://example.com/x", "https:// or ssh://", ""},
		{"ssh://-oProxyCommand=touch%20" + marker + "/x", "is not a URL", ""},
		{"ssh://-oProxyCommand=x/x", "its host", ""},
		{"ssh://git@-oProxyCommand=x/x", "its host", ""},
		{"ssh://-oProxyCommand=x@example.com/x", "its user", ""},
		{"ssh://example.com:-p/x", "is not a URL", ""},
		{"ssh://example.com:0/x", "its port", ""},
		{"ssh://example.com:99999/x", "its port", ""},
		{"ssh://example.com/", "names no repository", ""},
		{"ssh://example.com/-x", "names no repository", ""},
		{"ssh://example.com/x'$(touch%20y)'", "shell", ""},
		{"ssh://example.com/x%0Ay", "shell", ""},
		{"https:///x", "its host", ""},
		{"https://a_b$c/x", "its host", ""},
		{"https://[fe80::1%25eth0]/x", "its host", ""},
		{"https://example.com", "names no repository", ""},
		{"https://example.com/x?service=y", "before ? and #", ""},
		{"https://example.com/x#y", "before ? and #", ""},
		{"https://example.com/\nx", "printable ASCII", ""},
		{"https://example.com/" + strings.Repeat("x", 3000), "2048", ""},
		{"", "https:// or ssh://", ""},
		{"https://127.0.0.1/x", "which is this machine", ""},
		{"https://[::1]/x", "which is this machine", ""},
		{"https://localhost/x", "which is this machine", ""},
		{"https://10.1.2.3/x", "private network", ""},
		{"https://[::ffff:10.1.2.3]/x", "private network", ""},
		{"https://169.254.169.254/x", "credentials of their cloud", ""},
		{"ssh://169.254.169.254/x", "credentials of their cloud", ""},
	} {
		t.Run(fmt.Sprintf("%.40q", tt.url), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "clone")
			err := New(t.Context(), Options{URL: tt.url, Dir: dir})
			var bad *URLError
			if !errors.As(err, &bad) || !strings.Contains(bad.Why, tt.want) || bad.Try != tt.try {
				t.Errorf("Clone(%.80q) = %v; want a URLError with %q that tries %q", tt.url, err, tt.want, tt.try)
			}
		})
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("an address was run")
	}
	for _, ref := range []string{"-x", "--upload-pack=x", "a:b", "a b", "a..b", "*", "a\nb", "a^", "nope"} {
		t.Run("ref "+ref, func(t *testing.T) {
			dir, _ := origin(t)
			o := server(t, dir, nil)
			o.Ref = ref
			var bad *git.RevisionError
			if err := New(t.Context(), o); !errors.As(err, &bad) {
				t.Errorf("Clone of ref %q: %v; want a git.RevisionError", ref, err)
			}
			alone(t, o)
		})
	}
}

func TestRefusedAddresses(t *testing.T) {
	for addr, want := range map[string]struct{ refused, private bool }{
		"140.82.121.4": {}, "2606:50c0:8000::153": {}, "64:ff9b::8c52:7904": {},
		"127.8.8.8": {true, true}, "::1": {true, true}, "10.0.0.1": {true, true}, "192.168.1.1": {true, true}, "172.16.0.1": {true, true},
		"100.64.0.1": {true, true}, "fd12::1": {true, true}, "0.1.2.3": {true, true}, "198.18.0.1": {true, true}, "64:ff9b::a00:1": {true, true}, "2002:a00:1::": {true, true},
		"169.254.169.254": {true, false}, "169.254.170.2": {true, false}, "fe80::1": {true, false}, "fd00:ec2::254": {true, false}, "100.100.100.200": {true, false},
		"168.63.129.16": {true, false}, "64:ff9b::a9fe:a9fe": {true, false}, "2002:a9fe:a9fe::": {true, false}, "0.0.0.0": {true, false}, "::": {true, false}, "224.0.0.1": {true, false}, "ff02::1": {true, false},
	} {
		t.Run(addr, func(t *testing.T) {
			why, private := refuse(carried(netip.MustParseAddr(addr)))
			if (why != "") != want.refused || private != want.private {
				t.Errorf("refuse(%s) = %q, %v; want %v", addr, why, private, want)
			}
		})
	}
}

// bandWriter writes packets of the band that carries the pack.
type bandWriter struct{ w io.Writer }

func (b bandWriter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		part := rest[:min(len(rest), 60000)]
		if _, err := fmt.Fprintf(b.w, "%04x\x01%s", len(part)+5, part); err != nil {
			return 0, err
		}
		rest = rest[len(part):]
	}
	return len(p), nil
}

// TestCloneServers asks servers that do not answer as they should. None leaves
// anything behind, and none learns more than it is told.
func TestCloneServers(t *testing.T) {
	dir, _ := origin(t)
	other := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s was asked for %s", r.Host, r.URL) }))
	t.Cleanup(other.Close)
	pack := func(answer http.HandlerFunc) func(http.Handler) http.Handler { // in place of the pack
		return func(git http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.Method == http.MethodPost && strings.Contains(string(body), "command=fetch") {
					answer(w, r)
					return
				}
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				git.ServeHTTP(w, r)
			})
		}
	}
	always := func(answer http.HandlerFunc) func(http.Handler) http.Handler {
		return func(http.Handler) http.Handler { return answer }
	}
	flood := func(w http.ResponseWriter, _ *http.Request) { // a blob that never ends
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		band := bandWriter{w}
		io.WriteString(w, "000dpackfile\n")
		io.WriteString(band, "PACK\x00\x00\x00\x02\x00\x00\x00\x01"+"\xb0\x80\x80\x80\x80\x20")
		z, _ := zlib.NewWriterLevel(band, zlib.NoCompression)
		for block := make([]byte, 60000); ; {
			if _, err := z.Write(block); err != nil {
				return
			}
		}
	}
	for name, tt := range map[string]struct {
		wrap func(http.Handler) http.Handler
		set  func(*Options)
		want string
	}{
		"hangs at once":     {wrap: always(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), set: func(o *Options) { o.Timeout = 300 * time.Millisecond }, want: "not done after 300ms"},
		"hangs in the pack": {wrap: pack(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), set: func(o *Options) { o.Timeout = 2 * time.Second }, want: "not done after 2s"},
		"stops in the pack": {wrap: pack(func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }), want: ""},
		"never ends":        {wrap: pack(flood), set: func(o *Options) { o.MaxBytes = 1 << 20 }, want: ""},
		"redirects elsewhere": {wrap: always(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/repo/info/refs", http.StatusFound)
		}), want: "redirects to another one"},
		"redirects to http": {wrap: always(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+r.Host+"/repo/info/refs", http.StatusFound)
		}), want: "redirects to another one"},
		"redirects the pack": {wrap: pack(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
		}), want: "307"},
		"in circles":          {wrap: always(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) }), want: "in circles"},
		"is a web page":       {wrap: always(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }), want: "no git repository"},
		"is down":             {wrap: always(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "x", http.StatusServiceUnavailable) }), want: "503"},
		"knows it not":        {set: func(o *Options) { o.URL += "s" }, want: "no such repository"},
		"wants a password":    {wrap: always(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "x", http.StatusUnauthorized) }), want: "USER:TOKEN@host"},
		"unknown certificate": {set: func(o *Options) { o.CAFile = "" }, want: "certificate"},
		"escapes in messages": {wrap: pack(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
			io.WriteString(w, "0018ERR \x1b[31mred\u202e\x07 no\n")
		}), want: "red"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := server(t, dir, tt.wrap)
			if tt.set != nil {
				tt.set(&o)
			}
			began := time.Now()
			err := New(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.ContainsAny(err.Error(), "\x1b\n\x07\u202e") {
				t.Errorf("Clone: %q; want %q", err, tt.want)
			}
			var big *TooBigError
			if errors.As(err, &big) != (name == "never ends") {
				t.Errorf("Clone: %v", err)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
			alone(t, o)
		})
	}
}

func TestCloneFollowsMovedRepository(t *testing.T) {
	dir, ids := origin(t)
	o := server(t, dir, func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/old/") {
				http.Redirect(w, r, "/repo/info/refs?"+r.URL.RawQuery, http.StatusMovedPermanently)
				return
			}
			git.ServeHTTP(w, r)
		})
	})
	o.URL = strings.TrimSuffix(o.URL, "/repo") + "/old/place/"
	r := cloned(t, o)
	if c, _, err := Head(t.Context(), r); err != nil || c != ids[2] {
		t.Errorf("Head = %q, %v; want %q", c, err, ids[2])
	}
}

func TestCloneOfEmptyRepository(t *testing.T) {
	dir := t.TempDir()
	filetest.Git(t, dir, "init", "-q", "repo")
	o := server(t, dir, nil)
	if err := New(t.Context(), o); err == nil || !strings.Contains(err.Error(), "no commits yet") {
		t.Errorf("Clone: %v", err)
	}
	alone(t, o)
}

func TestCloneEndsWithItsContext(t *testing.T) {
	dir, _ := origin(t)
	ctx, cancel := context.WithCancel(t.Context())
	o := server(t, dir, func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				io.Copy(io.Discard, r.Body) // the end of a connection shows only behind it
				cancel()
				<-r.Context().Done()
				return
			}
			git.ServeHTTP(w, r)
		})
	})
	if err := New(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("Clone: %v; want %v", err, context.Canceled)
	}
	alone(t, o)
}

// TestCloneKeepsSecrets gives a password to a server that sends it back, and
// looks for it in the clone and in every message.
func TestCloneKeepsSecrets(t *testing.T) {
	const user, password = "reader", "s3cr3t/pass"
	basic := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	dir, ids := origin(t)
	spill := false
	o := server(t, dir, func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch u, p, _ := r.BasicAuth(); {
			case u != user || p != password:
				http.Error(w, "no", http.StatusUnauthorized)
			case spill && r.Method == http.MethodPost:
				w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
				line := "ERR got " + u + " " + p + " " + r.Header.Get("Authorization") + "\n"
				fmt.Fprintf(w, "%04x%s", len(line)+4, line)
			default:
				git.ServeHTTP(w, r)
			}
		})
	})
	plain := o.URL
	secret := func(what, text string) {
		t.Helper()
		for _, s := range []string{password, "s3cr3t", basic} {
			if strings.Contains(text, s) {
				t.Errorf("%s shows %q: %q", what, s, text)
			}
		}
	}
	o.URL = strings.Replace(plain, "https://", "https://"+user+":s3cr3t%2Fpass@", 1)
	if shown, err := PublicURL(o.URL); err != nil || shown != plain {
		t.Errorf("PublicURL = %q, %v; want %q", shown, err, plain)
	}
	r := cloned(t, o)
	if c, _, err := Head(t.Context(), r); err != nil || c != ids[2] {
		t.Errorf("Head = %q, %v", c, err)
	}
	filepath.WalkDir(o.Dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		secret(path, string(text))
		if strings.Contains(string(text), "127.0.0.1") {
			t.Errorf("%s has the address of the remote", path)
		}
		return err
	})
	spill = true
	err := Update(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "ERR got") && !strings.Contains(err.Error(), "remote error") {
		t.Errorf("Update: %v", err)
	}
	secret("an error", fmt.Sprint(err))
	o.URL = plain
	if err := Update(t.Context(), o); err == nil || !strings.Contains(err.Error(), "USER:TOKEN") {
		t.Errorf("Update without the password: %v", err)
	}
	for _, address := range []string{"http://u:s3cr3t@h/x", "https://u:s3cr3t@h/x?token=s3cr3t", "u:s3cr3t@h:x", "https://u:s3cr3t@/x", "https://u:s3cr3t@h:port/x", "https://u:s3cr3t%zz@h/x", "ext::s3cr3t@x", "https://s3cr3t@h/ x"} {
		t.Run(address, func(t *testing.T) {
			_, err := PublicURL(address)
			if err == nil {
				t.Errorf("PublicURL(%q) is allowed", address)
			}
			secret("PublicURL("+address+")", fmt.Sprint(err))
		})
	}
}

// TestCloneOverSSH puts a program in the place of ssh that runs the server's
// command on this machine, and looks at what it was asked.
func TestCloneOverSSH(t *testing.T) {
	dir, ids := origin(t)
	bin := t.TempDir()
	logged := filepath.Join(bin, "log")
	gittest.Write(t, bin, map[string]string{"ssh": "#!/bin/sh\necho \"$@\" >>" + logged + "\nenv >>" + logged + "\nfor last; do :; done\nexec sh -c \"$last\"\n"})
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("SECRET_OF_THE_USER", "x")
	o := Options{URL: "ssh://git@127.0.0.1:2222" + dir + "/repo", Dir: filepath.Join(t.TempDir(), "clone"), AllowPrivate: true, SSHAgent: "/agent"}
	r := cloned(t, o)
	if c, b, err := Head(t.Context(), r); err != nil || c != ids[2] || b != "main" {
		t.Errorf("Head = %q, %q, %v", c, b, err)
	}
	asked, err := os.ReadFile(logged)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-F none", "-oBatchMode=yes", "-oStrictHostKeyChecking=yes", "-oProxyCommand=none", "-oHostName=127.0.0.1", "-oHostKeyAlias=[127.0.0.1]:2222", "SSH_AUTH_SOCK=/agent"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(string(asked), want) {
				t.Errorf("ssh was not given %q: %s", want, asked)
			}
		})
	}
	if strings.Contains(string(asked), "SECRET_OF_THE_USER") {
		t.Error("ssh was given the user's environment")
	}
}

// TestCloneExecutesNothing clones a repository whose content and whose user's
// configuration name programs and other repositories wherever git looks.
func TestCloneExecutesNothing(t *testing.T) {
	dir, _ := origin(t)
	repo := filepath.Join(dir, "repo")
	marker := filepath.Join(t.TempDir(), "marker")
	evil := filepath.Join(t.TempDir(), "evil")
	gittest.Write(t, filepath.Dir(evil), map[string]string{"evil": "#!/bin/sh\necho $0 $@ >>" + marker + "\n"})
	gittest.Write(t, repo, map[string]string{
		".gitattributes": "* filter=f diff=t\n", ".gitmodules": "[submodule \"s\"]\n\tpath = s\n\turl = ext::" + evil + "\n", "hooks/post-checkout": "#!" + evil + "\n",
	})
	filetest.Git(t, repo, "add", "-A")
	filetest.Git(t, repo, "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("a", 40)+",s")
	filetest.Git(t, repo, "commit", "-q", "-m", "hostile")

	home, templates := t.TempDir(), t.TempDir()
	for _, hook := range []string{"post-checkout", "reference-transaction", "post-merge", "pre-auto-gc"} {
		gittest.Write(t, templates, map[string]string{"hooks/" + hook: "#!" + evil + "\n"})
	}
	gittest.Write(t, home, map[string]string{".gitconfig": fmt.Sprintf("[init]\n\ttemplateDir = %s\n[core]\n\thooksPath = %s/hooks\n\tfsmonitor = %s\n\tsshCommand = %s\n\taskPass = %s\n\tgitProxy = %s\n[credential]\n\thelper = %s\n[filter \"f\"]\n\tsmudge = %s\n",
		templates, templates, evil, evil, evil, evil, evil, evil)})
	t.Setenv("HOME", home)
	for _, name := range []string{"GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF"} {
		t.Setenv(name, evil)
	}
	t.Setenv("GIT_TEMPLATE_DIR", templates)
	t.Setenv("GIT_CONFIG_PARAMETERS", "'core.hooksPath="+templates+"/hooks'")

	o := server(t, dir, nil)
	cloned(t, o)
	if err := Update(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	o.Dir += "2"
	o.URL = strings.Replace(o.URL, "https://", "ssh://git@", 1)
	o.Timeout = 5 * time.Second
	if err := New(t.Context(), o); err == nil { // the port speaks no ssh
		t.Error("a server of https answered ssh")
	}
	if text, err := os.ReadFile(marker); err == nil {
		t.Errorf("a program was run: %s", text)
	}
	if entries, err := os.ReadDir(filepath.Join(o.Dir, "hooks")); err == nil {
		t.Errorf("the clone has hooks: %v", entries)
	}
}

// TestMain clones until the process is killed, when it is told to.
func TestMain(m *testing.M) {
	if address := os.Getenv("CLONE_TEST_URL"); address != "" {
		err := New(context.Background(), Options{URL: address, Dir: os.Getenv("CLONE_TEST_DIR"), CAFile: os.Getenv("CLONE_TEST_CA"), AllowPrivate: true})
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestCloneEndsWithItsProcess kills a process while its git waits for a server:
// git ends too, which the server sees.
func TestCloneEndsWithItsProcess(t *testing.T) {
	dir, _ := origin(t)
	asked, gone := make(chan struct{}), make(chan struct{})
	o := server(t, dir, func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				io.Copy(io.Discard, r.Body) // the end of a connection shows only behind it
				close(asked)
				<-r.Context().Done()
				close(gone)
				return
			}
			git.ServeHTTP(w, r)
		})
	})
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CLONE_TEST_URL="+o.URL, "CLONE_TEST_DIR="+o.Dir, "CLONE_TEST_CA="+o.CAFile)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() //nolint:errcheck // it was killed
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Error("git lives 10 s after the process that started it")
	}
}

func FuzzParseRemote(f *testing.F) {
	for _, s := range []string{"https://u:p@h:1/x", "ssh://git@h/x", "ext::x", "git@h:x", "ssh://-o/x", "https://[::1]/x", "://", "@", "a@b@c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		r, err := parseRemote(address)
		if err != nil {
			return
		}
		if s := r.url.String(); !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "ssh://") || strings.HasPrefix(r.url.Hostname(), "-") || strings.HasPrefix(r.url.User.Username(), "-") {
			t.Errorf("parseRemote(%q) = %q", address, s)
		}
	})
}

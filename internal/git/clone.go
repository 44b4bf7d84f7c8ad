package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// CloneOptions say what to copy from another machine, and within which bounds.
type CloneOptions struct {
	URL          string            // https://… or ssh://…; it may carry a user and a password, which are never stored or shown
	Dir          string            // of the clone, not there yet; Update has its own
	Ref          string            // branch, tag or commit id; "" for the branch that the server has checked out
	MaxBytes     int64             // of the clone on disk, while it is received; 0 means 4 GB
	Timeout      time.Duration     // of the whole; 0 means 15 minutes
	AllowPrivate bool              // also from this machine and private networks; never from where clouds keep credentials
	CAFile       string            // certificates to trust instead of the system's, "" for those
	Proxy        string            // of https, "" for none
	SSHAgent     string            // socket of the agent that holds the keys of ssh, "" for none
	Progress     func(bytes int64) // told a few times a second how many bytes are on disk
}

const (
	defaultMaxBytes = 4 << 30
	defaultTimeout  = 15 * time.Minute
	cloneTick       = 100 * time.Millisecond
	keptPacks       = 8 // an update that finds more packs drops what is not current
)

// TooBigError says that a remote repository was given up because of its size.
type TooBigError struct{ Limit int64 } // bytes

func (e *TooBigError) Error() string {
	return fmt.Sprintf("it is larger than %.1f GB, the most that is received", float64(e.Limit)/(1<<30))
}

// Clone copies the newest commit of one branch, tag or commit of a repository
// on another machine into a new bare repository, and returns it. Submodules are
// not followed and no hook, filter, credential program or configuration takes
// part; redirects are followed on the same host only. What fails or is ended
// half way leaves nothing behind. The address is none of the clone: Update is
// given it again.
func Clone(ctx context.Context, o CloneOptions) (*Repository, error) {
	if _, err := os.Lstat(o.Dir); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("clone into %s: %w", o.Dir, errors.Join(err, fs.ErrExist))
	}
	parent, name := filepath.Split(filepath.Clean(o.Dir))
	dir, err := os.MkdirTemp(parent, ClonePrefix+name+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	err = o.within(ctx, func(ctx context.Context, t *transfer) error {
		t.dir = dir
		return t.clone(ctx)
	})
	if err != nil {
		return nil, fmt.Errorf("clone %s: %w", redact(o.URL), err)
	}
	if err := os.Rename(dir, o.Dir); err != nil {
		return nil, err
	}
	return &Repository{dir: o.Dir}, nil
}

// ClonePrefix begins the name of a folder that a clone grows in, beside where
// it will be: one that no process fills is a leftover.
const ClonePrefix = ".clone-"

// OpenClone returns a repository that Clone made.
func OpenClone(dir string) (*Repository, error) {
	if info, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open clone %s: %w", dir, ErrNoRepository)
	}
	return &Repository{dir: dir}, nil
}

// Update fetches into a clone what its remote has now; what it had stays when
// that fails. Old commits are dropped after some updates.
func (r *Repository) Update(ctx context.Context, o CloneOptions) error {
	err := o.within(ctx, func(ctx context.Context, t *transfer) error {
		t.dir = r.dir
		return t.update(ctx)
	})
	if err != nil {
		return fmt.Errorf("update %s: %w", redact(o.URL), err)
	}
	return nil
}

// CloneHead returns the commit that a clone holds, and what it is there: a
// branch, "refs/tags/…", or "" for a commit asked for by its id.
func (r *Repository) CloneHead(ctx context.Context) (commit, branch string, err error) {
	if commit, err = r.Resolve(ctx, "HEAD"); err != nil {
		return "", "", err
	}
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return "", "", err
	}
	defer root.Close()
	ref := strings.TrimPrefix(firstLine(root, "HEAD"), "ref: ")
	if ref == fetchedCommit {
		ref = ""
	}
	return commit, strings.TrimPrefix(ref, "refs/heads/"), nil
}

// transfer is one conversation with a remote.
type transfer struct {
	opts CloneOptions
	from *remote
	dir  string // the bare repository
}

// within checks the address and runs f under the bounds of time and size.
func (o CloneOptions) within(ctx context.Context, f func(context.Context, *transfer) error) error {
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	from, err := parseRemote(o.URL)
	if err != nil {
		return err
	}
	slow := fmt.Errorf("the server was not done after %v", o.Timeout)
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, slow)
	defer cancel()
	if err := from.find(ctx, o); err != nil {
		return from.ended(ctx, err)
	}
	return from.ended(ctx, f(ctx, &transfer{opts: o, from: from}))
}

func (t *transfer) clone(ctx context.Context) error {
	src, dst, format, err := t.head(ctx)
	if err != nil {
		return err
	}
	if _, err := t.git(ctx, "init", "--quiet", "--bare", "--template=", "--object-format="+format, "--", t.dir); err != nil {
		return err
	}
	return t.fetch(ctx, src, dst)
}

func (t *transfer) update(ctx context.Context) error {
	src, dst, _, err := t.head(ctx)
	if err != nil {
		return err
	}
	if err := t.fetch(ctx, src, dst); err != nil {
		return err
	}
	if err := t.dropOthers(ctx, dst); err != nil {
		return err
	}
	packs, err := filepath.Glob(filepath.Join(t.dir, "objects", "pack", "*.pack"))
	if err != nil || len(packs) <= keptPacks {
		return err
	}
	_, err = t.git(ctx, "--git-dir="+t.dir, "repack", "-a", "-d", "-q")
	return err
}

// fetchedCommit is the ref of a commit that was asked for by its id.
const fetchedCommit = "refs/espy/commit"

// head asks the server which ref is meant and returns it, the ref to keep it
// under, and the format of the server's object names.
func (t *transfer) head(ctx context.Context) (src, dst, format string, err error) {
	if id := commitID(t.opts.Ref); id != "" {
		return id, fetchedCommit, formatOf(id), nil
	}
	names := []string{"HEAD"}
	if t.opts.Ref != "" {
		names = []string{"refs/heads/" + t.opts.Ref, "refs/tags/" + t.opts.Ref}
		if !validRef(names[0]) {
			return "", "", "", &RevisionError{Revision: t.opts.Ref}
		}
	}
	out, err := t.git(ctx, append([]string{"ls-remote", "--quiet", "--symref", "--", t.from.url.String()}, names...)...)
	if err != nil {
		return "", "", "", err
	}
	refs, symbolic := parseRefs(out)
	for _, name := range names {
		id := refs[name]
		if id == "" {
			continue
		}
		if name != "HEAD" {
			return name, name, formatOf(id), nil
		}
		if branch := symbolic["HEAD"]; strings.HasPrefix(branch, "refs/heads/") && validRef(branch) {
			return branch, branch, formatOf(id), nil
		}
		return "HEAD", fetchedCommit, formatOf(id), nil
	}
	if t.opts.Ref != "" {
		return "", "", "", &RevisionError{Revision: t.opts.Ref}
	}
	return "", "", "", errors.New("it has no commits yet")
}

func formatOf(id string) string {
	if len(id) == 64 {
		return "sha256"
	}
	return "sha1"
}

// parseRefs reads the lines "id TAB name" and "ref: target TAB name".
func parseRefs(out []byte) (ids, symbolic map[string]string) {
	ids, symbolic = map[string]string{}, map[string]string{}
	for line := range strings.Lines(string(out)) {
		value, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if target, ok := strings.CutPrefix(value, "ref: "); ok {
			symbolic[name] = target
		} else if id := commitID(value); id != "" {
			ids[name] = id
		}
	}
	return ids, symbolic
}

// validRef reports whether a full name of a ref can stand in a refspec: the
// rules of git-check-ref-format that keep one name from being something else.
func validRef(name string) bool {
	return name != "" && len(name) <= 1024 && !strings.ContainsAny(name, " ~^:?*[\\\x7f") && !strings.Contains(name, "..") && !strings.Contains(name, "//") &&
		!strings.Contains(name, "@{") && !strings.HasSuffix(name, "/") && !strings.HasSuffix(name, ".") && !strings.ContainsFunc(name, unicode.IsControl)
}

// fetch receives one commit and points HEAD at it.
func (t *transfer) fetch(ctx context.Context, src, dst string) error {
	ctx, stop := t.watch(ctx)
	_, err := t.git(ctx, "--git-dir="+t.dir, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
		"--no-auto-maintenance", "--", t.from.url.String(), "+"+src+":"+dst)
	if tooBig := stop(); tooBig != nil {
		return tooBig
	}
	if err != nil {
		return err
	}
	_, err = t.git(ctx, "--git-dir="+t.dir, "symbolic-ref", "HEAD", dst)
	return err
}

// dropOthers deletes every ref but one.
func (t *transfer) dropOthers(ctx context.Context, keep string) error {
	out, err := t.git(ctx, "--git-dir="+t.dir, "for-each-ref", "--format=%(refname)")
	if err != nil {
		return err
	}
	for _, ref := range strings.Fields(string(out)) {
		if ref == keep {
			continue
		}
		if _, err := t.git(ctx, "--git-dir="+t.dir, "update-ref", "-d", ref); err != nil {
			return err
		}
	}
	return nil
}

// watch ends the context it returns when the clone grows beyond its limit. The
// function it returns ends the watch and returns a *TooBigError in that case.
func (t *transfer) watch(ctx context.Context) (context.Context, func() error) {
	ctx, cancel := context.WithCancelCause(ctx)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(cloneTick)
		defer tick.Stop()
		for last := false; !last; {
			select {
			case <-quit:
				last = true
			case <-tick.C:
			}
			size := folderSize(t.dir)
			if size > t.opts.MaxBytes {
				cancel(&TooBigError{Limit: t.opts.MaxBytes})
				return
			}
			if t.opts.Progress != nil {
				t.opts.Progress(size)
			}
		}
	}()
	return ctx, func() error {
		close(quit)
		<-done
		var big *TooBigError
		if errors.As(context.Cause(ctx), &big) {
			return big
		}
		return nil
	}
}

// folderSize is the size of the files of a folder that may be changing, in bytes.
func folderSize(dir string) (size int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil // what went away meanwhile does not count
	})
	return size
}

// git runs a git command that may speak to the remote, and to nothing else,
// and returns what it prints. The context ends it and what it has started; so
// does the end of this process.
func (t *transfer) git(ctx context.Context, args ...string) ([]byte, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrNoGit
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	env, config := t.from.access(t.opts)
	cmd, err := tethered(ctx, program, slices.Concat(fixed, config, args))
	if err != nil {
		return nil, err
	}
	cmd.Env, cmd.Dir = env, t.dir
	out, complaint := &bounded{limit: maxOutput, full: cancel}, &tail{}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, complaint, time.Second
	switch err := cmd.Run(); {
	case out.over:
		return nil, ErrTooMuch
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, errors.New(t.from.clean(complaint.String()))
	}
	return out.Bytes(), nil
}

// tail keeps the end of what a program complains of.
type tail struct{ bytes.Buffer }

const maxComplaint = 2000 // bytes

func (w *tail) Write(p []byte) (int, error) {
	w.Buffer.Write(p)
	if extra := w.Len() - maxComplaint; extra > 0 {
		w.Next(extra)
	}
	return len(p), nil
}

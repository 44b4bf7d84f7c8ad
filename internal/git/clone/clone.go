// Package clone keeps bare, shallow clones of repositories on other machines.
// A clone holds the newest commit of one branch or tag, or one commit.
//
// The server, its answers and the repository are not trusted: no hook, filter,
// credential program or configuration takes part, redirects stay on the host,
// and the host is looked up once and must not be in a private network.
package clone

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"espy/internal/git"
)

// TooBigError says that a remote repository was given up because of its size.
type TooBigError struct{ Limit int64 } // bytes

func (e *TooBigError) Error() string {
	return fmt.Sprintf("it is larger than %.1f GB, the most that is received", float64(e.Limit)/(1<<30))
}

// remoteError says what could not be done with a repository on another machine, and why.
type remoteError struct {
	Doing string // clone or update
	URL   string // without user and password
	Err   error
}

func (e *remoteError) Error() string { return e.Doing + " " + e.URL + ": " + e.Err.Error() }

func (e *remoteError) Unwrap() error { return e.Err }

// Explain returns what is wrong and what would help.
func (e *remoteError) Explain() (problem, hint string) {
	for _, a := range advice {
		if a.about(e.Err) {
			return e.Error(), a.hint
		}
	}
	return e.Error(), ""
}

// advice has the hints; the first that fits is given.
var advice = []struct {
	about func(error) bool
	hint  string
}{
	{isPrivate, "ESPY_CLONE_PRIVATE=true, or the setting clone_private, lets it be cloned"},
	{as[*hostError], "check the address and the network; behind a proxy set https_proxy, or clone it with git and index the folder"},
	{as[*tls.CertificateVerificationError], "the setting clone_ca_file names the certificate authorities to trust"},
	{as[*net.OpError], "check the address and the network; https_proxy names a proxy"},
}

func as[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isPrivate(err error) bool {
	refused, ok := errors.AsType[*URLError](err)
	return ok && refused.Private
}

// New makes the clone Options.Dir, which must not exist. Submodules are not
// cloned. A failure leaves nothing behind. The URL is not stored in the clone;
// pass it to Update. The error is a *URLError, a
// *TooBigError, a *git.RevisionError, or of what the server or the system answered.
func New(ctx context.Context, o Options) error {
	if _, err := os.Lstat(o.Dir); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clone into %s: %w", o.Dir, errors.Join(err, fs.ErrExist))
	}
	parent, name := filepath.Split(filepath.Clean(o.Dir))
	dir, err := os.MkdirTemp(parent, Prefix+name+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	err = o.within(ctx, func(ctx context.Context, t *transfer) error {
		t.dir = dir
		return t.clone(ctx)
	})
	if err != nil {
		return &remoteError{Doing: "clone", URL: redact(o.URL), Err: err}
	}
	return os.Rename(dir, o.Dir)
}

// Prefix begins the name of the temporary folder of New, beside Options.Dir. A
// killed process leaves one behind.
const Prefix = ".clone-"

// Update fetches the current commit of the remote into the clone Options.Dir,
// which stays as it was when that fails. Some updates drop old commits.
func Update(ctx context.Context, o Options) error {
	err := o.within(ctx, func(ctx context.Context, t *transfer) error {
		t.dir = o.Dir
		return t.update(ctx)
	})
	if err != nil {
		return &remoteError{Doing: "update", URL: redact(o.URL), Err: err}
	}
	return nil
}

// Head returns the commit that a clone holds, and the branch that it was fetched
// from: "refs/tags/…" for a tag, "" for a commit that was named by its id.
func Head(ctx context.Context, r *git.Repository) (commit, branch string, err error) {
	if commit, err = r.Resolve(ctx, "HEAD"); err != nil {
		return "", "", err
	}
	ref := r.HeadRef()
	if ref == fetchedCommit {
		ref = ""
	}
	return commit, strings.TrimPrefix(ref, "refs/heads/"), nil
}

// within checks the address and runs f under the bounds of time and size.
func (o Options) within(ctx context.Context, f func(context.Context, *transfer) error) error {
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

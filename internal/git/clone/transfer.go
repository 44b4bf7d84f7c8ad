package clone

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"espy/internal/git/program"
)

// transfer is one conversation with a remote.
type transfer struct {
	opts Options
	from *remote
	dir  string // the bare repository
}

func (t *transfer) clone(ctx context.Context) error {
	src, err := t.find(ctx)
	if err != nil {
		return err
	}
	if _, err := t.git(ctx, "init", "--quiet", "--bare", "--template=", "--object-format="+src.format, "--", t.dir); err != nil {
		return err
	}
	return t.fetch(ctx, src)
}

func (t *transfer) update(ctx context.Context) error {
	src, err := t.find(ctx)
	if err != nil {
		return err
	}
	if err := t.fetch(ctx, src); err != nil {
		return err
	}
	if err := t.dropOthers(ctx, src.local); err != nil {
		return err
	}
	packs, err := filepath.Glob(filepath.Join(t.dir, "objects", "pack", "*.pack"))
	if err != nil || len(packs) <= keptPacks {
		return err
	}
	_, err = t.git(ctx, "--git-dir="+t.dir, "repack", "-a", "-d", "-q")
	return err
}

// fetch fetches one commit and points HEAD at it.
func (t *transfer) fetch(ctx context.Context, src source) error {
	ctx, stop := t.watch(ctx)
	_, err := t.git(ctx, "--git-dir="+t.dir, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
		"--no-auto-maintenance", "--", t.from.url.String(), "+"+src.ref+":"+src.local)
	if tooBig := stop(); tooBig != nil {
		return tooBig
	}
	if err != nil {
		return err
	}
	_, err = t.git(ctx, "--git-dir="+t.dir, "symbolic-ref", "HEAD", src.local)
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

// git runs a git command that may speak to the remote and to no other machine,
// and returns what it prints. The command and everything that it started end
// with the context, and with this process.
func (t *transfer) git(ctx context.Context, args ...string) ([]byte, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, program.ErrMissing
	}
	env, config := t.from.access(t.opts)
	out, err := program.Output(ctx, func(ctx context.Context) (*exec.Cmd, error) {
		cmd, err := tethered(ctx, path, slices.Concat(program.Options, config, args))
		if err == nil {
			cmd.Env, cmd.Dir = env, t.dir
		}
		return cmd, err
	})
	var failed *program.Error
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.As(err, &failed):
		return nil, errors.New(t.from.clean(failed.Complaint))
	}
	return out, err
}

package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"espy/internal/git/program"
)

// Repository reads history through the git program. Git reads files and runs
// programs that a repository's configuration and attributes name (revisions to
// ignore, file system monitors, filters, text conversions, pagers, signature
// checkers, transports), so it is only asked commands that read objects, each
// with explicit commits, in an environment made from nothing, behind a screen
// that hides the configuration, with every hook switched off; it never looks at
// a work tree and never speaks to another machine.
type Repository struct {
	dir      string        // the git folder
	also     []string      // folders beside its own whose objects it may read
	patience time.Duration // that git has to find a commit, and may be silent for while it prints contents
}

// ErrNoRepository says that a folder is no work tree of git.
var ErrNoRepository = errors.New("not a git repository")

// Open returns the repository whose work tree has its root at a folder. The git
// folder of a linked work tree or a submodule lies elsewhere: it is followed
// only where it points back, so that a tree cannot show the history of another.
// Objects are read of the repository itself and of folders in also, which are
// absolute and without links.
func Open(root string, also ...string) (*Repository, error) {
	dir, err := folder(root)
	if err != nil {
		return nil, fmt.Errorf("open git repository %s: %w", root, err)
	}
	return &Repository{dir: dir, also: also, patience: patience}, nil
}

// OpenBare returns the repository whose git folder is dir.
func OpenBare(dir string) (*Repository, error) {
	if info, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open git folder %s: %w", dir, ErrNoRepository)
	}
	return &Repository{dir: dir, patience: patience}, nil
}

// folder finds the git folder of a work tree.
func folder(root string) (string, error) {
	if root == "" { // not the working directory
		return "", ErrNoRepository
	}
	dotGit := filepath.Join(root, ".git")
	info, err := os.Lstat(dotGit)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", ErrNoRepository
	case err != nil:
		return "", err
	case info.IsDir():
		return dotGit, nil
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%w: .git is neither a folder nor a file", ErrNoRepository)
	}
	line, err := pointer(dotGit)
	if err != nil {
		return "", err
	}
	dir, ok := strings.CutPrefix(line, "gitdir: ")
	if !ok {
		return "", fmt.Errorf("%w: .git holds no gitdir line", ErrNoRepository)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	if !pointsBack(dir, dotGit) && !isSubmodule(dir, root) {
		return "", fmt.Errorf("%w: .git points to %s, which knows nothing of it", ErrNoRepository, dir)
	}
	return dir, nil
}

// Common returns the git folder that the work tree at root shares with the
// other work trees of its repository, absolute and without links; ErrNoRepository
// where there is none. A work tree belongs to a repository only where each
// names the other: the .git file names a folder below worktrees, which names
// that file, and lies where it says that the common folder is. A submodule, and
// a folder of its own called .git, share with nobody but their own work trees.
func Common(root string) (string, error) {
	dir, err := folder(root)
	if err != nil {
		return "", err
	}
	own := dir == filepath.Join(root, ".git")
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	if common, err := pointer(filepath.Join(dir, "commondir")); err == nil && !own {
		if filepath.Clean(common) != filepath.Join("..", "..") || filepath.Base(filepath.Dir(dir)) != "worktrees" {
			return "", fmt.Errorf("%w: %s is not the folder of a linked work tree", ErrNoRepository, dir)
		}
		dir = filepath.Dir(filepath.Dir(dir))
	}
	if !isGitFolder(dir) {
		return "", fmt.Errorf("%w: %s is no git folder", ErrNoRepository, dir)
	}
	return filepath.Abs(dir)
}

// isGitFolder looks for what git itself looks for.
func isGitFolder(dir string) bool {
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	if err != nil || head.IsDir() {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// pointsBack reports whether a git folder is that of a linked work tree and
// names the .git file of it.
func pointsBack(dir, dotGit string) bool {
	back, err := pointer(filepath.Join(dir, "gitdir"))
	if err != nil {
		return false
	}
	if !filepath.IsAbs(back) {
		back = filepath.Join(dir, back)
	}
	a, errA := os.Lstat(back)
	b, errB := os.Lstat(dotGit)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// isSubmodule reports whether a git folder is kept in that of a work tree above root.
func isSubmodule(dir, root string) bool {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false
	}
	super, _, ok := strings.Cut(dir, string(filepath.Separator)+filepath.Join(".git", "modules")+string(filepath.Separator))
	return ok && strings.HasPrefix(root, super+string(filepath.Separator))
}

// pointer returns the one line of a small file.
func pointer(name string) (string, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // which may have become a pipe
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 4096))
	return strings.TrimRight(string(b), "\r\n"), err
}

// read runs a git command that reads and returns what it prints, before a failure as well. The context
// ends it, and where that has no end, the patience. The caller puts "--" or
// "--end-of-options" before what it was given.
func (r *Repository) read(ctx context.Context, args ...string) ([]byte, error) {
	if _, ends := ctx.Deadline(); !ends {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, unboundedTimes*r.patience)
		defer cancel()
	}
	s, err := r.newScreen()
	if err != nil {
		return nil, err
	}
	defer s.close()
	out, err := program.Output(ctx, func(ctx context.Context) (*exec.Cmd, error) { return program.Command(ctx, s.dir, args...), nil })
	var failed *program.Error
	if errors.As(err, &failed) {
		return out, r.failure(args[0], failed)
	}
	if errors.Is(err, program.ErrTooMuch) {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, err
}

// patience bounds how long git may take to find a commit: reading a ref may
// never end where a pipe lies in its place. A command that nobody else bounds
// may take unboundedTimes as long.
const (
	patience       = 20 * time.Second
	unboundedTimes = 3
)

// Resolve returns the commit that a branch, tag or other revision names, and
// a *RevisionError where there is none.
func (r *Repository) Resolve(ctx context.Context, revision string) (string, error) {
	if err := r.checkRef(revision); err != nil {
		return "", err
	}
	bounded, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	out, err := r.read(bounded, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err == nil {
		if id := commitID(strings.TrimSpace(string(out))); id != "" {
			return id, nil
		}
	}
	if err != nil && !errors.As(err, new(*failedError)) {
		return "", err
	}
	return "", &RevisionError{Revision: revision}
}

// checkRef refuses a revision that git would wait for without end, since a pipe
// lies where the branch or tag of that name is kept.
func (r *Repository) checkRef(revision string) error {
	shared, _ := r.shared()
	ref := revision
	for _, mark := range []string{"~", "^", ":", "@{"} {
		ref, _, _ = strings.Cut(ref, mark) // main~2 and main@{1} begin at main
	}
	var names []string
	if ref == "HEAD" || ref == "@" || ref == "" {
		names = append(names, r.HeadRef())
	}
	for _, kind := range []string{"refs", "refs/tags", "refs/heads", "refs/remotes"} {
		names = append(names, filepath.Join(kind, ref))
	}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(shared, name))
		if filepath.IsLocal(name) && err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return &unsoundError{name, "neither a file nor a folder"}
		}
	}
	return nil
}

// HeadRef returns the full name of the ref that HEAD stands for, "" where HEAD
// is a commit or cannot be read.
func (r *Repository) HeadRef() string {
	root, err := os.OpenRoot(r.dir + "/.")
	if err != nil {
		return ""
	}
	defer root.Close()
	ref, symbolic := strings.CutPrefix(firstLine(root, "HEAD"), "ref: ")
	if !symbolic {
		return ""
	}
	return ref
}

// maxRefs bounds how many branches and tags are listed.
const maxRefs = 10_000

// Refs lists the short names of branches and tags, those with the newest
// commits first.
func (r *Repository) Refs(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	out, err := r.read(ctx, "for-each-ref", fmt.Sprintf("--count=%d", maxRefs), "--sort=-creatordate", "--format=%(refname)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]bool{}
	for name := range strings.FieldsSeq(string(out)) {
		for _, kind := range []string{"refs/heads/", "refs/tags/", "refs/remotes/"} {
			name = strings.TrimPrefix(name, kind)
		}
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names, nil
}

// RevisionError says that a revision names no commit.
type RevisionError struct {
	Revision string
	Nearest  []string // branches and tags it may have meant, where that was looked for
	Shallow  bool     // the repository holds no older commits than a few
}

func (e *RevisionError) Error() string {
	msg := fmt.Sprintf("no commit is called %q", e.Revision)
	switch {
	case e.Shallow:
		msg += ": the clone is shallow and holds only its newest commit"
	case len(e.Nearest) > 0:
		msg += ": did you mean " + strings.Join(e.Nearest, " or ") + "?"
	}
	return msg
}

// Shallow reports whether the repository was cloned without its older commits.
func (r *Repository) Shallow() bool { return r.Depth().Size > 0 }

// Depth tells how far back the commits of a shallow clone go: it changes when more are
// fetched. It is zero of a repository that has them all.
func (r *Repository) Depth() Stamp {
	dir, _ := r.shared()
	info, err := os.Lstat(filepath.Join(dir, "shallow"))
	if err != nil || !info.Mode().IsRegular() {
		return Stamp{}
	}
	return stampOf(info)
}

// Package git reads what Espy needs of a git repository, so that nothing a
// repository contains is executed. What is checked out (Head) is read from the
// git folder itself; history is asked of the git program (Repository).
package git

import (
	"bufio"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Head returns the commit and the branch checked out in the work tree whose
// root is given, also of a linked work tree and of a submodule. The branch is
// empty when HEAD is detached; the commit too before the first commit and
// outside git.
func Head(root *os.Root) (commit, branch string) {
	own, shared, err := folders(root)
	if err != nil {
		return "", ""
	}
	defer own.Close()
	defer shared.Close()
	return head(own, shared)
}

func head(own, shared *os.Root) (commit, branch string) {
	line := firstLine(own, "HEAD")
	ref, symbolic := strings.CutPrefix(line, "ref: ")
	if !symbolic {
		return commitID(line), ""
	}
	ref = strings.TrimSpace(ref)
	if path.Clean(ref) != ref || !strings.HasPrefix(ref, "refs/") || ref == "refs/heads/.invalid" {
		return "", "" // the last is what stands there where the branches are kept in tables
	}
	branch = strings.TrimPrefix(ref, "refs/heads/")
	if id := commitID(firstLine(shared, ref)); id != "" {
		return id, branch
	}
	return packedRef(shared, ref), branch
}

// Checkout is what a work tree has checked out at one moment. Two equal ones mean
// that git checked out nothing between them, unless Busy is set.
type Checkout struct {
	Commit, Branch string // as Head has them
	Index          Stamp  // of git's index, which every checkout writes anew
	Busy           bool   // git is writing files or its index, as far as can be seen
}

// stale is the age from which a lock of git's index does not mean a checkout:
// killed processes leave it, and commands that wait for an editor hold it.
const stale = 15 * time.Second

// Look returns the checkout of the work tree at a root; zero outside git.
func Look(root *os.Root) Checkout {
	own, shared, err := folders(root)
	if err != nil {
		return Checkout{}
	}
	defer own.Close()
	defer shared.Close()
	var c Checkout
	c.Commit, c.Branch = head(own, shared)
	if info, err := own.Lstat("index"); err == nil {
		c.Index = stampOf(info)
	}
	if info, err := own.Lstat("index.lock"); err == nil {
		c.Busy = time.Since(info.ModTime()) < stale
	}
	return c
}

// Traces returns the absolute paths of files of which at least one changes with
// each checkout in the work tree at a root: HEAD, the index and the log of HEAD.
// None outside git.
func Traces(root *os.Root) []string {
	own, shared, err := folders(root)
	if err != nil {
		return nil
	}
	defer own.Close()
	defer shared.Close()
	dir := own.Name()
	return []string{filepath.Join(dir, "HEAD"), filepath.Join(dir, "index"), filepath.Join(dir, "logs", "HEAD")}
}

// folders opens the git folder of a work tree, and the one that its branches
// are kept in, which is another for a linked work tree. A name that ends in "/."
// is opened only where it is a folder: a pipe would be waited for.
func folders(root *os.Root) (own, shared *os.Root, err error) {
	if own, err = root.OpenRoot(".git/."); err == nil {
		shared, err = root.OpenRoot(".git/.")
		return own, shared, err
	}
	dir, err := folder(root.Name())
	if err != nil {
		return nil, nil, err
	}
	if own, err = os.OpenRoot(dir + "/."); err != nil {
		return nil, nil, err
	}
	dir, _ = (&Repository{dir: dir}).shared()
	shared, err = os.OpenRoot(dir + "/.")
	return own, shared, err
}

// Attributes returns the attributes that a repository keeps beside its work
// tree (info/attributes), up to a megabyte of them; nothing where it has none.
func Attributes(root *os.Root) []byte {
	own, shared, err := folders(root)
	if err != nil {
		return nil
	}
	defer own.Close()
	defer shared.Close()
	f, err := open(shared, "info/attributes")
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, 1<<20))
	return b
}

const maxPackedRefs = 64 << 20

func packedRef(root *os.Root, ref string) string {
	f, err := open(root, "packed-refs")
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxPackedRefs))
	for lines.Scan() {
		id, name, ok := strings.Cut(lines.Text(), " ")
		if ok && name == ref {
			return commitID(id)
		}
	}
	return ""
}

func firstLine(root *os.Root, name string) string {
	f, err := open(root, name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(line)
}

// IsCommitID reports whether a text is a whole object name.
func IsCommitID(text string) bool { return commitID(text) != "" }

// commitID returns id when it is an object name in hexadecimal (SHA-1 or SHA-256).
func commitID(id string) string {
	if len(id) != 40 && len(id) != 64 {
		return ""
	}
	if strings.Trim(id, "0123456789abcdef") != "" {
		return ""
	}
	return id
}

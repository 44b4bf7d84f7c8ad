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
	head := firstLine(own, "HEAD")
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		return commitID(head), ""
	}
	ref = strings.TrimSpace(ref)
	if path.Clean(ref) != ref || !strings.HasPrefix(ref, "refs/") {
		return "", ""
	}
	branch = strings.TrimPrefix(ref, "refs/heads/")
	if id := commitID(firstLine(shared, ref)); id != "" {
		return id, branch
	}
	return packedRef(shared, ref), branch
}

// folders opens the git folder of a work tree, and the one that its branches
// are kept in, which is another for a linked work tree.
func folders(root *os.Root) (own, shared *os.Root, err error) {
	if own, err = root.OpenRoot(".git"); err == nil {
		shared, err = root.OpenRoot(".git")
		return own, shared, err
	}
	dir, err := folder(root.Name())
	if err != nil {
		return nil, nil, err
	}
	if own, err = os.OpenRoot(dir); err != nil {
		return nil, nil, err
	}
	if firstLine(own, "commondir") == "../.." {
		dir = filepath.Join(dir, "../..")
	}
	shared, err = os.OpenRoot(dir)
	return own, shared, err
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

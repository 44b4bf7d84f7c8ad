// Package git reads what Espy needs of a git repository. It runs no program
// and reads no configuration, so nothing a repository contains is executed.
package git

import (
	"bufio"
	"io"
	"os"
	"path"
	"strings"
)

// Head returns the commit and the branch checked out in the work tree whose
// root is given. The branch is empty when HEAD is detached; the commit too
// before the first commit, outside git, or where the git directory lies
// outside the root (a linked work tree).
func Head(root *os.Root) (commit, branch string) {
	head := firstLine(root, ".git/HEAD")
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		return commitID(head), ""
	}
	ref = strings.TrimSpace(ref)
	if path.Clean(ref) != ref || !strings.HasPrefix(ref, "refs/") {
		return "", ""
	}
	branch = strings.TrimPrefix(ref, "refs/heads/")
	if id := commitID(firstLine(root, ".git/"+ref)); id != "" {
		return id, branch
	}
	return packedRef(root, ref), branch
}

const maxPackedRefs = 64 << 20

func packedRef(root *os.Root, ref string) string {
	f, err := open(root, ".git/packed-refs")
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

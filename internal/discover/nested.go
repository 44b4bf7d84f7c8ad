package discover

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Apart reports whether a folder below a root lies in a work tree of its own
// that the policy leaves out of the root's: what is there is not in the root's
// listing. Both paths are absolute and without links.
func (p Policy) Apart(root, dir string) bool {
	for ; len(dir) > len(root); dir = filepath.Dir(dir) {
		if kind := nestedKind(dir); kind != "" && !p.keeps(kind) {
			return true
		}
	}
	return false
}

// nestedKind tells what kind of work tree a folder is, "" for none.
func nestedKind(dir string) string {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return nestedRepository
	case !info.Mode().IsRegular() || info.Size() > maxIgnoreBytes:
		return ""
	}
	text, err := os.ReadFile(filepath.Join(dir, ".git"))
	if err != nil {
		return ""
	}
	return kindOf(string(text))
}

// findNested returns the path of the .git in a folder, and what kind of work
// tree that makes the folder, "" for none. The path of the folder is the first
// base bytes of its names.
func findNested(d folder, base int, names []dirent) (dotGit, kind string, err error) {
	i := slices.IndexFunc(names, func(n dirent) bool { return n.path[base:] == ".git" })
	switch {
	case i < 0:
		return "", "", nil
	case names[i].typ.IsDir():
		return names[i].path, nestedRepository, nil
	case !names[i].typ.IsRegular():
		return "", "", nil
	}
	text, err := readSmall(d, ".git")
	return names[i].path, kindOf(string(text)), err
}

// kindOf returns the kind of work tree that the text of a .git file makes its
// folder, "" where it is no such file.
func kindOf(text string) string {
	target, ok := strings.CutPrefix(text, "gitdir: ")
	if !ok {
		return ""
	}
	target = path.Clean(strings.ReplaceAll(strings.TrimRight(target, "\r\n"), `\`, "/"))
	switch {
	case path.Base(path.Dir(target)) == "worktrees":
		return nestedWorktree
	case strings.Contains(target, "/modules/"):
		return nestedSubmodule
	}
	return nestedRepository
}

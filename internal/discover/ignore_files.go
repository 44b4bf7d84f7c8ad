package discover

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"espy/internal/glob"
)

// ignorer reads the ignore files of a tree.
type ignorer struct {
	tree   tree
	git    bool        // git's own rules count
	global *glob.Rules // the user's global ignore file
	files  []string    // names of ignore files, the strongest of each kind last

	anywhere bool // git's rules count outside of repositories too
}

// inside returns the rules in force inside a folder: those above it and those of
// its own ignore files. A repository inside the tree starts anew: the .gitignore
// files above it are not its own.
func (w *ignorer) inside(d folder, prefix string, names []dirent, ig ignores) (ignores, error) {
	base := len(prefix)
	if repository := holds(names, base, ".git"); w.git && (repository || prefix == "") {
		ig.git, ig.within = nil, repository || w.anywhere
		if ig.within {
			ig.git = ig.git.push(w.global, base, "the global ignore file of git")
		}
		if repository {
			ig.git = ig.git.push(w.repositoryExcludes(d, prefix), base, prefix+".git/info/exclude")
		}
	}
	for _, name := range w.files {
		if !holds(names, base, name) {
			continue
		}
		text, err := readSmall(d, name)
		if err != nil {
			return ig, err
		}
		if rs := glob.ParseRules(text); name == gitignoreName {
			if ig.within {
				ig.git = ig.git.push(rs, base, prefix+name)
			}
		} else {
			ig.own = ig.own.push(rs, base, prefix+name)
		}
	}
	return ig, nil
}

// holds reports whether a folder, base bytes of whose names are its own path, holds name.
func holds(names []dirent, base int, name string) bool {
	for i := range names {
		if names[i].path[base:] == name {
			return true
		}
	}
	return false
}

// readSmall reads a regular file that must be read for the walk to be right.
// One that vanished or cannot be read counts as empty, as in git, and so does
// one above maxIgnoreBytes.
func readSmall(d folder, name string) ([]byte, error) {
	var e Entry
	err := d.stat(name, &e)
	if err == nil && (!e.Mode.IsRegular() || e.Size > maxIgnoreBytes) {
		return nil, nil
	}
	var f file
	if err == nil {
		f, err = d.open(name)
	}
	if err != nil {
		if isExhausted(err) {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		return nil, nil
	}
	defer f.close()
	if err := f.stat(&e); err != nil || !e.Mode.IsRegular() {
		return nil, nil
	}
	text := make([]byte, 0, min(e.Size, maxIgnoreBytes)+1)
	for len(text) < cap(text) {
		n, err := f.read(text[len(text):cap(text)])
		if n == 0 || err != nil {
			break
		}
		text = text[:len(text)+n]
	}
	return text, nil
}

// repositoryExcludes returns the rules of info/exclude of the repository in the
// folder d, whose paths start with prefix. A .git file leads to the git folder;
// it is followed only where it stays beneath the root, so that a worktree whose
// repository lies elsewhere goes without these rules.
func (w *ignorer) repositoryExcludes(d folder, prefix string) *glob.Rules {
	var e Entry
	if err := d.stat(".git", &e); err != nil {
		return nil
	}
	dir := prefix + ".git"
	if e.Mode.IsRegular() {
		if dir = w.gitDir(d, prefix); dir == "" {
			return nil
		}
	}
	info, err := w.tree.openParent(dir + "/info")
	if err != nil {
		return nil
	}
	defer info.close()
	text, _ := readSmall(info, "exclude")
	return glob.ParseRules(text)
}

// gitDir returns the common git folder that the .git file in d names, or "" if
// it lies outside the root.
func (w *ignorer) gitDir(d folder, prefix string) string {
	text, _ := readSmall(d, ".git")
	target, ok := strings.CutPrefix(string(text), "gitdir: ")
	if !ok {
		return ""
	}
	dir := beneath(prefix, target)
	if dir == "" {
		return ""
	}
	inside, err := w.tree.openParent(dir)
	if err != nil {
		return ""
	}
	defer inside.close()
	if common, _ := readSmall(inside, "commondir"); len(common) > 0 {
		return beneath(dir, string(common))
	}
	return dir
}

// beneath resolves a relative path written in a file in dir, or returns "" if
// it leads out of the root.
func beneath(dir, target string) string {
	target = strings.TrimRight(target, "\r\n")
	if target == "" || path.IsAbs(target) || len(target) > maxPathBytes {
		return ""
	}
	p := path.Join(dir, target)
	if p == "." || p == ".." || strings.HasPrefix(p, "../") {
		return ""
	}
	return p
}

// readGlobal reads the user's own ignore file; a missing one is empty, and so
// is /dev/null, a usual way to have none.
func readGlobal(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeCharDevice != 0:
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: name, Err: errNotRegular}
	}
	f, err := os.OpenFile(name, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() { // a pipe by now
		return nil, errors.Join(err, errNotRegular)
	}
	return io.ReadAll(io.LimitReader(f, maxIgnoreBytes))
}

var errNotRegular = errors.New("not a regular file")

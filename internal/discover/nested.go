package discover

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The kinds of git work trees inside a tree that Policy.Nested names.
const (
	nestedSubmodule  = "submodule"  // its .git file names a folder below modules
	nestedRepository = "repository" // has a git folder of its own
	nestedWorktree   = "worktree"   // its .git file names a folder below worktrees
	nestedNone       = "none"       // stands for no kind at all
)

// nestedDefault is what an empty Policy.Nested stands for. The files of a linked
// work tree are those of its repository once more, often as another branch has
// them: answers from them would be wrong ones.
var nestedDefault = []string{nestedSubmodule, nestedRepository}

func (p Policy) checkNested() error {
	kinds := []string{nestedSubmodule, nestedRepository, nestedWorktree, nestedNone}
	for _, k := range p.Nested {
		if !slices.Contains(kinds, k) {
			return fmt.Errorf("nested %q: is one of %s", k, strings.Join(kinds, ", "))
		}
	}
	return nil
}

// keeps reports whether work trees of a kind belong to the tree they are in.
func (p Policy) keeps(kind string) bool {
	if len(p.Nested) == 0 {
		return slices.Contains(nestedDefault, kind)
	}
	return slices.Contains(p.Nested, kind)
}

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

// nestedError says that a folder is a work tree of a kind that is left out.
type nestedError struct{ kind string }

func (e *nestedError) Error() string { return "a nested " + e.kind }

// nested finds what kind of work tree a folder is, "" for none, and notes it
// for what is told of its .git.
func (v *visitor) nested(d folder, prefix string, names []dirent) error {
	i := slices.IndexFunc(names, func(n dirent) bool { return n.path[len(prefix):] == ".git" })
	if prefix == "" || i < 0 {
		return nil
	}
	kind := nestedRepository
	switch {
	case names[i].typ.IsRegular():
		text, err := readSmall(d, ".git")
		if err != nil {
			return err
		}
		if kind = kindOf(string(text)); kind == "" {
			return nil
		}
	case !names[i].typ.IsDir():
		return nil
	}
	if !v.policy.keeps(kind) {
		return &nestedError{kind}
	}
	if v.kinds == nil {
		v.kinds = map[string]string{}
	}
	v.kinds[names[i].path] = kind
	return nil
}

// kindOf tells what a .git file is of, "" where it is none.
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

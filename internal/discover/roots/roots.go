// Package roots opens the folders whose files are indexed, finds them, and says which
// are too broad or not to be read at all.
package roots

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"espy/internal/code"
	"espy/internal/place"
	"espy/internal/secret"
)

// ErrGone says that the root is no longer where it was opened: it was
// removed, moved or replaced. Such a tree must not be taken for an empty one.
var ErrGone = errors.New("the root was removed, moved or replaced")

// broadRootError refuses a root that holds far more than one project.
type broadRootError struct {
	Dir string
	Why string // what Dir is
}

func (e *broadRootError) Error() string {
	return fmt.Sprintf("%s is %s: indexing it would read far more than one project; name a project folder, or allow broad roots explicitly", e.Dir, e.Why)
}

// Explain returns the error and how to allow the folder.
func (e *broadRootError) Explain() (problem, hint string) {
	return e.Error(), "run espy in a project folder, or attach this one with espy index " + place.Name(e.Dir) + " --allow-broad"
}

// Open opens the folder dir as a root. Its Name is absolute, and ends in a
// dot: so a pipe in the place of the folder is not waited for.
func Open(dir string) (*os.Root, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open root %s: %w", dir, err)
	}
	root, err := os.OpenRoot(abs + string(filepath.Separator) + ".")
	if err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	return root, nil
}

// Check reports why dir should not be indexed: it is not a folder, or,
// unless allowBroad, it is the top of the file system, the home folder, a
// folder above the home folder, one of the system or of keys, or a pseudo file
// system (a usage.Explainer).
// home may be empty. Symbolic links in dir and home are resolved.
func Check(dir, home string, allowBroad bool) error {
	real, err := resolve(dir)
	if err != nil {
		return fmt.Errorf("check root: %w", err)
	}
	info, err := os.Stat(real)
	if err != nil {
		return fmt.Errorf("check root: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("check root: %s is a file: name the folder %s", dir, filepath.Dir(real))
	}
	if allowBroad {
		return nil
	}
	if why := broad(real, home); why != "" {
		return &broadRootError{Dir: dir, Why: why}
	}
	return nil
}

// CheckFile reports why no file in the folder dir should be read, not even one that is
// named: dir is part of a pseudo file system, or a folder of keys. dir is absolute and
// without links.
func CheckFile(dir string) error {
	if why := closed(dir); why != "" {
		return fmt.Errorf("no file of %s is read: it is %s", dir, why)
	}
	return nil
}

// closed says why nothing below a folder should be read.
func closed(real string) string {
	for _, pseudo := range []string{"/proc", "/sys", "/dev"} {
		if _, ok := code.Below(pseudo, real); ok {
			return "part of the pseudo file system " + pseudo
		}
	}
	if secret.Folder(filepath.Base(real)) {
		return "a folder of keys and passwords"
	}
	return ""
}

// broad says why a folder is too broad to be indexed, empty where it is not.
func broad(real, home string) string {
	if filepath.Dir(real) == real {
		return "the top of the file system"
	}
	above, rel := false, ""
	if home, err := resolve(home); err == nil {
		rel, above = code.Below(real, home)
	}
	switch why := closed(real); {
	case above && rel == ".":
		return "the home folder"
	case slices.Contains(systemFolders, real):
		return "a folder of the system"
	case why != "":
		return why
	case above:
		return "a folder above the home folder"
	}
	return ""
}

// systemFolders hold what programs and users of the machine keep, each in a
// folder further down.
var systemFolders = []string{
	"/bin", "/boot", "/etc", "/home", "/lib", "/lib64", "/private", "/root", "/run", "/sbin", "/usr", "/usr/local", "/var",
	"/Applications", "/Library", "/System", "/Users", "/Volumes", "/private/etc", "/private/var",
}

// resolve returns an absolute path without links, an error for none.
func resolve(dir string) (string, error) {
	if dir == "" {
		return "", fs.ErrNotExist
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Find returns the nearest folder at or above dir that holds a .git (a
// folder, or the file of a worktree or submodule), or dir itself when there is
// none. The top of the file system and the folders in skip (the home folder,
// where dotfiles are kept in git) are passed over unless dir is one of them.
func Find(dir string, skip ...string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for at := abs; ; at = filepath.Dir(at) {
		top := filepath.Dir(at) == at
		if at == abs || !top && !contains(skip, at) {
			if isRepository(at) {
				return at
			}
		}
		if top {
			return abs
		}
	}
}

func contains(dirs []string, dir string) bool {
	for _, d := range dirs {
		if d != "" && filepath.Clean(d) == dir {
			return true
		}
	}
	return false
}

func isRepository(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && (info.IsDir() || info.Mode().IsRegular())
}

// Stands reports ErrGone unless the root's name still leads to
// the folder that the root holds open.
func Stands(root *os.Root) error {
	held, err := root.Stat(".")
	if err != nil {
		return err
	}
	named, err := os.Stat(filepath.Clean(root.Name()))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrGone
	case err != nil:
		return err
	case !os.SameFile(held, named):
		return ErrGone
	}
	return nil
}

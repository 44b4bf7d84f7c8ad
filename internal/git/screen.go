package git

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"espy/internal/code"
)

// screen is a git folder that Espy makes for one call of the git program and
// removes after it. It stands between git and the repository: its configuration
// is Espy's own, and what git needs (objects, refs) is linked from the real one,
// each where it is what it should be and belongs to the repository. So nothing
// that a repository configures is read: no file that a key names, no included
// configuration, no program, graft, attribute or map of authors.
type screen struct {
	top string // to be removed
	dir string // the git folder
}

// heads are the files of a git folder that revisions may name.
var heads = []string{"HEAD", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"}

// maxHead bounds what is copied of one of them, in bytes.
const maxHead = 4096

// newScreen makes the screen of a repository.
func (r *Repository) newScreen() (*screen, error) {
	shared, linked := r.shared()
	f := &fence{git: shared, inside: append([]string{home(shared)}, r.also...)}
	if err := f.objects(filepath.Join(shared, "objects"), "objects", maxAlternates); err != nil {
		return nil, err
	}
	top, err := os.MkdirTemp("", "espy-git-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for git (TMPDIR names where): %w", err)
	}
	s := &screen{top: top, dir: top}
	err = s.write("config", configOf(shared))
	if err == nil {
		err = s.show(f, shared, "objects", "refs", "packed-refs", "shallow", "reftable", "logs")
	}
	if err == nil && linked {
		s.dir = filepath.Join(top, "worktrees", "w")
		if err = os.MkdirAll(s.dir, 0o700); err == nil {
			err = errors.Join(s.write("commondir", "../.."), s.show(f, r.dir, "reftable", "logs"))
		}
	}
	if err == nil {
		err = s.copyHeads(r.dir)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *screen) close() { os.RemoveAll(s.top) } // of links and small files: what is linked stays

func (s *screen) write(name, text string) error {
	return os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600)
}

// show links entries of a git folder that there are.
func (s *screen) show(f *fence, from string, names ...string) error {
	for _, name := range names {
		path := filepath.Join(from, name)
		if err := f.check(path, maxShown); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		if err := os.Symlink(path, filepath.Join(s.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// copyHeads copies the files that say what is checked out, and the like.
func (s *screen) copyHeads(from string) error {
	root, err := os.OpenRoot(from + "/.")
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range heads {
		f, err := open(root, name)
		switch {
		case err == nil:
		case name == "HEAD" && !errors.Is(err, fs.ErrNotExist):
			return &unsoundError{name, "not a file that can be read"}
		default:
			continue // most are seldom there
		}
		text, err := io.ReadAll(io.LimitReader(f, maxHead))
		f.Close()
		if err == nil {
			err = s.write(name, string(text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shared returns the git folder that holds the objects, and whether it is that
// of a linked work tree, which has another for itself.
func (r *Repository) shared() (dir string, linked bool) {
	if filepath.Base(filepath.Dir(r.dir)) != "worktrees" {
		return r.dir, false
	}
	up, err := pointer(filepath.Join(r.dir, "commondir"))
	if err != nil || filepath.Clean(up) != filepath.Join("..", "..") {
		return r.dir, false
	}
	return filepath.Dir(filepath.Dir(r.dir)), true
}

// home returns the folder that a git folder belongs to: the work tree that holds
// it, that of the outermost repository for a submodule, or itself.
func home(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if super, _, ok := strings.Cut(dir, filepath.Join("/.git", "modules")+"/"); ok {
		return super
	}
	if filepath.Base(dir) == ".git" {
		return filepath.Dir(dir)
	}
	return dir
}

// configOf returns a configuration with the format of the repository, which is
// all that git must know of it.
func configOf(dir string) string {
	config := "[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tlogallrefupdates = false\n[extensions]\n"
	for key, value := range formatOf(dir) {
		config += "\t" + key + " = " + value + "\n"
	}
	return config
}

// formats are the values that git has for the extensions that change how it
// reads objects and refs.
var formats = map[string][]string{"objectformat": {"sha1", "sha256"}, "refstorage": {"files", "reftable"}}

// formatOf reads the extensions of formats out of a configuration. What it
// includes is not followed.
func formatOf(dir string) map[string]string {
	found := map[string]string{}
	root, err := os.OpenRoot(dir + "/.")
	if err != nil {
		return found
	}
	defer root.Close()
	f, err := open(root, "config")
	if err != nil {
		return found
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return found
	}
	section := ""
	for line := range strings.Lines(strings.ToLower(string(text))) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			name, line, _ = strings.Cut(name, "]")
			section, line = strings.TrimSpace(name), strings.TrimSpace(line)
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"`)
		for _, known := range formats[key] {
			if section == "extensions" && value == known && value != formats[key][0] {
				found[key] = value
			}
		}
	}
	return found
}

// fence holds git's objects and refs to the folders that a repository may read.
type fence struct {
	git    string   // the git folder
	inside []string // folders, without links
}

// outsideError says that a repository takes what git reads from another place.
type outsideError struct {
	git   string // the git folder
	name  string // what leads there, below it
	place string
}

func (e *outsideError) Error() string { return "git's objects lie outside of the repository" }

// Explain returns where that is, and how to allow it.
func (e *outsideError) Explain() (problem, hint string) {
	at := filepath.Join(e.git, e.name)
	return fmt.Sprintf("%s leads to %s, which is not a folder of the repository: its history and commits are not read", at, e.place),
		fmt.Sprintf("allow that folder in the setting roots (ESPY_ROOTS), or make the repository whole: git -C %s repack -a -d, then remove %s", e.git, at)
}

func (f *fence) holds(real string) bool {
	for _, dir := range f.inside {
		if _, ok := code.Below(dir, real); ok {
			return true
		}
	}
	return false
}

// maxShown bounds a file that git reads whole, in bytes: the refs of a very
// large repository.
const maxShown = 256 << 20

// unsoundError says that git would wait, or read, without end for what lies in
// the place of one of its files.
type unsoundError struct {
	name string // below the git folder
	why  string // what it is
}

func (e *unsoundError) Error() string { return "git cannot be asked: " + e.name + " is " + e.why }

// Explain returns the error and what works all the same.
func (e *unsoundError) Explain() (problem, hint string) {
	return e.Error(), "repair the git folder, as by a new clone; the files that are checked out are searched and read without it"
}

// check refuses an entry that git would wait for, or that leads outside, and a
// file larger than limit, which 0 leaves unbounded. The error wraps
// fs.ErrNotExist where there is none.
func (f *fence) check(path string, limit int64) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return err
		}
		if !f.holds(real) {
			return &outsideError{f.git, f.name(path), real}
		}
		if info, err = os.Stat(real); err != nil {
			return err
		}
	}
	switch {
	case info.IsDir():
	case !info.Mode().IsRegular():
		return &unsoundError{f.name(path), "neither a file nor a folder"}
	case limit > 0 && info.Size() > limit:
		return &unsoundError{f.name(path), fmt.Sprintf("larger than %d MB", limit>>20)}
	}
	return nil
}

func (f *fence) name(path string) string {
	if rel, ok := code.Below(f.git, path); ok {
		return rel
	}
	return path
}

const (
	maxAlternates = 5        // folders of objects that name one another, as git follows them
	maxAlternate  = 64 << 10 // bytes of the file that names them
)

// objects checks a folder of objects and those that it names as more of the
// same, to a depth. Name is what leads there, below the git folder.
func (f *fence) objects(dir, name string, depth int) error {
	real, err := filepath.EvalSymlinks(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // git says what is missing
	case err != nil:
		return err
	case !f.holds(real):
		return &outsideError{f.git, name, real}
	}
	for _, sub := range []string{"", "info", "info/commit-graphs", "pack"} {
		entries, err := os.ReadDir(filepath.Join(real, sub))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if e.IsDir() || e.Type().IsRegular() {
				continue
			}
			if err := f.check(filepath.Join(real, sub, e.Name()), 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if depth == 0 {
		return nil
	}
	for _, next := range alternates(real) {
		if err := f.objects(next, "objects/info/alternates", depth-1); err != nil {
			return err
		}
	}
	return nil
}

// alternates returns the folders that objects/info/alternates names, absolute.
func alternates(objects string) (dirs []string) {
	root, err := os.OpenRoot(objects + "/.")
	if err != nil {
		return nil
	}
	defer root.Close()
	f, err := open(root, "info/alternates")
	if err != nil {
		return nil
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, maxAlternate))
	for line := range strings.SplitSeq(string(text), "\n") {
		if strings.HasPrefix(line, `"`) {
			if plain, err := strconv.Unquote(line); err == nil {
				line = plain
			}
		}
		if line == "" || line[0] == '#' {
			continue
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(objects, line)
		}
		dirs = append(dirs, line)
	}
	return dirs
}

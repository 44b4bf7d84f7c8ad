package program

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// UnsoundError says that git would wait without end, or read without end, for
// what lies in the place of one of its files.
type UnsoundError struct {
	Path string // of the file
	Why  string // what it is instead
}

func (e *UnsoundError) Error() string {
	return fmt.Sprintf("git cannot be asked: %s is %s", e.Path, e.Why)
}

// Explain returns the error and what still works.
func (e *UnsoundError) Explain() (problem, hint string) {
	return e.Error(), "repair the git folder, as by a new clone; search and read of the files that are there do without it"
}

// Bounds of Sound.
const (
	maxFile     = 256 << 20 // bytes of a file beside packs: git's own index of a million files
	maxConfig   = 1 << 20   // bytes of a configuration
	maxIncludes = 10        // configurations that include one another, as git bounds them
	maxEntries  = 20_000    // packs and the like
)

// opened are the files of a git folder that git opens for whatever it is asked,
// and packed those folders of which it opens every file.
var (
	opened = []string{
		"HEAD", "config", "config.worktree", "commondir", "gitdir", "index", "packed-refs", "shallow", ".mailmap", ".gitattributes",
		"info/attributes", "info/grafts", "objects/info/alternates", "objects/info/commit-graph",
	}
	packed = []string{"objects/pack", "objects/info/commit-graphs", "reftable"}
)

// Sound reports the first thing in a git folder that would keep git from ever
// ending, as an *UnsoundError: a pipe, a device or a file beyond all measure
// where git opens a file. Loose objects and refs are not looked at, since there
// may be very many: who asks git bounds its time too.
func Sound(dir string) error {
	for _, at := range []string{dir, commonOf(dir)} {
		if at == "" {
			continue
		}
		for _, name := range opened {
			if err := sound(filepath.Join(at, name), maxFile); err != nil {
				return err
			}
		}
		for _, sub := range packed {
			if err := soundFolder(filepath.Join(at, sub)); err != nil {
				return err
			}
		}
		for _, name := range []string{"config", "config.worktree"} {
			if err := soundConfig(filepath.Join(at, name), maxIncludes); err != nil {
				return err
			}
		}
	}
	return nil
}

// SoundRef is Sound for the files that may be those of a branch or a tag.
func SoundRef(dir, name string) error {
	for _, at := range []string{dir, commonOf(dir)} {
		for _, kind := range []string{"", "refs", "refs/tags", "refs/heads", "refs/remotes"} {
			if at == "" || !filepath.IsLocal(name) {
				continue
			}
			if err := sound(filepath.Join(at, kind, name), maxFile); err != nil {
				return err
			}
		}
	}
	return nil
}

// commonOf returns the folder that the file commondir names, "" for none.
func commonOf(dir string) string {
	text, err := readSmall(filepath.Join(dir, "commondir"), 4096)
	if err != nil {
		return ""
	}
	return from(dir, strings.TrimRight(string(text), "\r\n"))
}

// from returns a path that a file in dir names.
func from(dir, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// readSmall reads the head of a regular file, and waits for none.
func readSmall(name string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// soundFolder looks at the files of a folder, which may be missing and may be of
// any size.
func soundFolder(dir string) error {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil // git meets it too, and says so
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxEntries)
	for _, e := range entries {
		if e.Type().IsRegular() || e.IsDir() {
			continue
		}
		if err := sound(filepath.Join(dir, e.Name()), 0); err != nil {
			return err
		}
	}
	return nil
}

// sound judges a file, and a link by what it leads to. Its size is not judged
// where limit is 0.
func sound(name string, limit int64) error {
	info, err := os.Stat(name)
	if err != nil {
		return nil // git meets it too, and says so
	}
	switch mode := info.Mode(); {
	case mode&fs.ModeNamedPipe != 0:
		return &UnsoundError{name, "a pipe"}
	case mode&fs.ModeDevice != 0:
		return &UnsoundError{name, "a device"}
	case limit > 0 && mode.IsRegular() && info.Size() > limit:
		return &UnsoundError{name, fmt.Sprintf("larger than %d MB", limit>>20)}
	}
	return nil
}

// soundConfig looks at the files that a configuration includes.
func soundConfig(name string, depth int) error {
	text, err := readSmall(name, maxConfig)
	if err != nil || depth == 0 {
		return nil
	}
	for _, path := range includes(string(text)) {
		path = from(filepath.Dir(name), path)
		if err := sound(path, maxConfig); err != nil {
			return err
		}
		if err := soundConfig(path, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// includes lists the files that the text of a configuration includes, whatever
// the condition.
func includes(text string) (paths []string) {
	inside := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		line = strings.TrimSpace(line)
		if section, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(section, "[") {
			inside = strings.HasPrefix(strings.ToLower(strings.TrimLeft(section, "[ \t")), "include")
			line = strings.TrimSpace(rest)
		}
		key, value, ok := strings.Cut(line, "=")
		if inside && ok && strings.EqualFold(strings.TrimSpace(key), "path") {
			paths = append(paths, unquoted(strings.TrimSpace(value)))
		}
	}
	return paths
}

// unquoted returns a value of a configuration without quotes, escapes and comment.
func unquoted(value string) string {
	var b strings.Builder
	quoted, escaped := false, false
	for _, c := range value {
		switch {
		case escaped:
			escaped = false
			b.WriteRune(c)
		case c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(b.String())
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

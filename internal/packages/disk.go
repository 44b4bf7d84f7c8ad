package packages

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"espy/internal/code"
)

// disk reads what package managers note beside what they install.
type disk struct {
	root  string            // of the repository
	notes map[string]string // texts that were read, by path: packages ask for the same again
}

// real returns where a folder of the repository is, without links, and its path
// from the root; rel is empty where a link leads out.
func (d *disk) real(folder string) (dir, rel string, err error) {
	dir, err = filepath.EvalSymlinks(filepath.Join(d.root, filepath.FromSlash(folder)))
	if err != nil {
		return "", "", err
	}
	if !isFolder(dir) {
		return "", "", fs.ErrNotExist
	}
	if below, ok := code.Below(d.root, dir); ok && below != "." {
		rel = filepath.ToSlash(below)
	}
	return dir, rel, nil
}

// names lists a folder by name; none where it cannot be read.
func (d *disk) names(dir string) []fs.DirEntry {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, err := f.ReadDir(maxNames)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int {
		if a.Name() < b.Name() {
			return -1
		}
		return 1
	})
	return list
}

// text returns a regular file of at most maxText bytes, empty where there is none.
func (d *disk) text(path string) string {
	if text, ok := d.notes[path]; ok {
		return text
	}
	text := readText(path)
	if len(text) <= 64<<10 {
		d.notes[path] = text
	}
	return text
}

func readText(path string) string {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxText {
		return ""
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxText))
	if err != nil {
		return ""
	}
	return string(b)
}

func isFolder(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// isGone reports whether there is nothing at a path.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }

// reason returns the system's own words for an error, without paths.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return strings.TrimPrefix(err.Error(), "EvalSymlinks: ")
}

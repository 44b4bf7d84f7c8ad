// Package export writes the files of a commit into a folder.
package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"espy/internal/git"
)

// Options bound an export. The zero value bounds nothing.
type Options struct {
	MaxFiles int   // of the commit; 0 for no bound
	MaxBytes int64 // of all files together, hollow ones not counted; 0 for no bound

	// Hollow reports whether only the size of a file is wanted: it is made of
	// zeros, without blocks on disk.
	Hollow func(path string, size int64) bool
}

// Result is what an export did.
type Result struct {
	Files int
	Bytes int64
	Left  []LeftOut // by path
}

// LeftOut is an entry of a commit that was not exported.
type LeftOut struct {
	Path   string
	Why    Why
	Detail string // the system's error, where there is one
}

// Why says why an entry was left out.
type Why byte

// The reasons.
const (
	WhyLink      Why = iota // a symbolic link
	WhySubmodule            // a commit of another repository
	WhyMissing              // its text is not in the repository, as in a partial clone
	WhyName                 // no file may have its name here
)

// Commit writes files of a commit, as SizedTree lists them, into an empty folder as
// they are in the repository: attributes and filters are not applied, nothing is
// checked out, and no file is made executable. Names that lead out of the folder or into
// one called .git are left out, and so are links and submodules.
func Commit(ctx context.Context, r *git.Repository, entries []git.TreeEntry, into *os.Root, o Options) (*Result, error) {
	x := &export{into: into, opts: o}
	defer x.leaveFolder()
	files, err := x.choose(entries)
	if err == nil {
		err = r.Stream(ctx, files, x.write)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(x.done.Left, func(a, b LeftOut) int { return cmp.Compare(a.Path, b.Path) })
	return &x.done, nil
}

// errTooLarge says that a commit has more files or bytes than are exported.
var errTooLarge = errors.New("the commit is too large")

// export is one run of Commit.
type export struct {
	into *os.Root
	opts Options
	done Result

	folder string   // of the last file
	at     *os.Root // handle of folder; nil for the root of the export
}

// choose makes the hollow files and returns those to fill.
func (x *export) choose(entries []git.TreeEntry) (files []git.TreeEntry, err error) {
	seen := map[string]bool{}
	for _, e := range entries {
		switch {
		case seen[e.Path]: // git makes no such tree; the first is told
			continue
		case e.Mode == git.ModeSubmodule:
			x.leave(e.Path, WhySubmodule, nil)
		case e.Mode == git.ModeLink:
			x.leave(e.Path, WhyLink, nil)
		case !isPlain(e.Path) || !e.Mode.IsFile():
			x.leave(e.Path, WhyName, nil)
		case e.Size < 0:
			x.leave(e.Path, WhyMissing, nil)
		case x.opts.Hollow != nil && x.opts.Hollow(e.Path, e.Size):
			if err := x.file(e, func(f *os.File) error { return f.Truncate(e.Size) }); err != nil {
				return nil, err
			}
		default:
			x.done.Bytes += e.Size
			files = append(files, e)
		}
		seen[e.Path] = true
	}
	n := x.done.Files + len(files)
	if x.opts.MaxFiles > 0 && n > x.opts.MaxFiles {
		return nil, fmt.Errorf("%w: %d files, at most %d are read", errTooLarge, n, x.opts.MaxFiles)
	}
	if x.opts.MaxBytes > 0 && x.done.Bytes > x.opts.MaxBytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are read", errTooLarge, x.done.Bytes, x.opts.MaxBytes)
	}
	return files, nil
}

// isPlain reports whether a path is safe to create below a folder: a hostile
// tree may hold any name.
func isPlain(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name || strings.ContainsRune(name, 0) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}

func (x *export) leave(name string, why Why, err error) {
	left := LeftOut{Path: name, Why: why}
	if err != nil {
		left.Detail = err.Error()
	}
	x.done.Left = append(x.done.Left, left)
}

// write fills one file; text is nil where the object is missing.
func (x *export) write(e git.TreeEntry, text io.Reader) error {
	if text == nil {
		x.done.Bytes -= e.Size
		x.leave(e.Path, WhyMissing, nil)
		return nil
	}
	return x.file(e, func(f *os.File) error { _, err := io.Copy(f, text); return err })
}

// file makes one file, or leaves it out where the file system refuses its name.
func (x *export) file(e git.TreeEntry, fill func(*os.File) error) error {
	f, err := x.create(filepath.FromSlash(e.Path))
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) && isBadName(at.Err) {
			x.leave(e.Path, WhyName, at.Err)
			return nil
		}
		return err
	}
	x.done.Files++
	if err := errors.Join(fill(f), f.Close()); err != nil {
		return fmt.Errorf("write %q: %w", e.Path, err)
	}
	return nil
}

// create makes an empty file and the folders above it. It keeps the folder of
// the last file open, since the next file is often in it.
func (x *export) create(name string) (*os.File, error) {
	dir, base := filepath.Split(name)
	if dir != x.folder {
		x.leaveFolder()
		if err := x.into.MkdirAll(filepath.Clean(dir), 0o700); err != nil {
			return nil, err
		}
		at, err := x.into.OpenRoot(filepath.Clean(dir))
		if err != nil {
			return nil, err
		}
		x.folder, x.at = dir, at
	}
	return cmp.Or(x.at, x.into).OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

func (x *export) leaveFolder() {
	if x.at != nil {
		x.at.Close()
	}
	x.folder, x.at = "", nil
}

// isBadName reports whether the file system refuses a name: it is too long, has
// bytes that are not allowed, or means a file that exists already, as names that
// differ only in case do on some systems.
func isBadName(err error) bool {
	for _, no := range []error{syscall.ENAMETOOLONG, syscall.EILSEQ, syscall.EINVAL, syscall.EEXIST, syscall.ENOTDIR, syscall.EISDIR} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

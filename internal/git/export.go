package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// ExportOptions bound an export. The zero value bounds nothing.
type ExportOptions struct {
	MaxFiles int   // of the commit; 0 for no bound
	MaxBytes int64 // of all files together, those that are hollow not counted; 0 for no bound

	// Hollow says of which files only the size is wanted: they are made of zeros
	// that take no place.
	Hollow func(path string, size int64) bool
}

// Exported is what an export did.
type Exported struct {
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

// Export writes the files of a commit into an empty folder, as they are in the
// repository: attributes and filters are not applied, nothing is checked out,
// and no file is made executable. Names that lead out of the folder or into
// one called .git are left out, and so are links and submodules.
func (r *Repository) Export(ctx context.Context, commit string, into *os.Root, o ExportOptions) (*Exported, error) {
	if commitID(commit) == "" {
		return nil, &RevisionError{Revision: commit}
	}
	list, err := r.read(ctx, "ls-tree", "-r", "-z", "--long", "--full-tree", commit)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(list)
	if err != nil {
		return nil, err
	}
	x := &export{into: into, opts: o}
	defer x.leaveFolder()
	files, err := x.choose(entries)
	if err == nil {
		err = r.blobs(ctx, files, x.write)
	}
	if err != nil {
		return nil, fmt.Errorf("export commit %.12s: %w", commit, err)
	}
	slices.SortFunc(x.done.Left, func(a, b LeftOut) int { return cmp.Compare(a.Path, b.Path) })
	return &x.done, nil
}

// treeEntry is one line of ls-tree.
type treeEntry struct {
	mode, id, path string
	size           int64 // negative where the object is missing
}

// parseTree reads what ls-tree -z prints: mode, type, object and with --long
// size, separated by blanks, a tab, the path and a NUL.
func parseTree(out []byte) (entries []treeEntry, err error) {
	for row := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if len(row) == 0 {
			continue
		}
		facts, name, ok := strings.Cut(string(row), "\t")
		f := strings.Fields(facts)
		if !ok || len(f) < 3 || len(f) > 4 || commitID(f[2]) == "" {
			return nil, fmt.Errorf("read git's tree: %.60q", row)
		}
		e := treeEntry{mode: f[0], id: f[2], path: name, size: -1}
		if len(f) == 4 && f[3] != "-" && f[3] != "BAD" {
			if e.size, err = strconv.ParseInt(f[3], 10, 64); err != nil || e.size < 0 {
				return nil, fmt.Errorf("read git's tree: size of %.60q", row)
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// ErrTooLarge says that a commit has more files or bytes than are exported.
var ErrTooLarge = errors.New("the commit is too large")

// export is one run of Export.
type export struct {
	into *os.Root
	opts ExportOptions
	done Exported

	folder string   // that the last file was made in
	at     *os.Root // it, nil for the one that is exported into
}

// choose makes the hollow files and returns those to fill.
func (x *export) choose(entries []treeEntry) (files []treeEntry, err error) {
	seen := map[string]bool{}
	for _, e := range entries {
		switch {
		case seen[e.path]: // git makes no such tree; the first is told
			continue
		case e.mode == "160000":
			x.leave(e.path, WhySubmodule, nil)
		case e.mode == "120000":
			x.leave(e.path, WhyLink, nil)
		case !isPlain(e.path) || !strings.HasPrefix(e.mode, "100"):
			x.leave(e.path, WhyName, nil)
		case e.size < 0:
			x.leave(e.path, WhyMissing, nil)
		case x.opts.Hollow != nil && x.opts.Hollow(e.path, e.size):
			if err := x.file(e, func(f *os.File) error { return f.Truncate(e.size) }); err != nil {
				return nil, err
			}
		default:
			x.done.Bytes += e.size
			files = append(files, e)
		}
		seen[e.path] = true
	}
	n := x.done.Files + len(files)
	if x.opts.MaxFiles > 0 && n > x.opts.MaxFiles {
		return nil, fmt.Errorf("%w: %d files, at most %d are read", ErrTooLarge, n, x.opts.MaxFiles)
	}
	if x.opts.MaxBytes > 0 && x.done.Bytes > x.opts.MaxBytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are read", ErrTooLarge, x.done.Bytes, x.opts.MaxBytes)
	}
	return files, nil
}

// isPlain reports whether a path of a tree may be that of a file below a
// folder: a hostile tree may hold any name.
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

// write fills one file; a nil text is that of an object that is missing.
func (x *export) write(e treeEntry, text io.Reader) error {
	if text == nil {
		x.done.Bytes -= e.size
		x.leave(e.path, WhyMissing, nil)
		return nil
	}
	return x.file(e, func(f *os.File) error { _, err := io.Copy(f, text); return err })
}

// file makes one file. What the file system does not take as a name is left out.
func (x *export) file(e treeEntry, fill func(*os.File) error) error {
	f, err := x.create(filepath.FromSlash(e.path))
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) && isBadName(at.Err) {
			x.leave(e.path, WhyName, at.Err)
			return nil
		}
		return err
	}
	x.done.Files++
	if err := errors.Join(fill(f), f.Close()); err != nil {
		return fmt.Errorf("write %q: %w", e.path, err)
	}
	return nil
}

// create makes an empty file and the folders above it. The folder of the last
// one is kept open: the next file is often in it.
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
// bytes that it does not know, or is that of another file already, as two that
// differ in case are for some systems.
func isBadName(err error) bool {
	for _, no := range []error{syscall.ENAMETOOLONG, syscall.EILSEQ, syscall.EINVAL, syscall.EEXIST, syscall.ENOTDIR, syscall.EISDIR} {
		if errors.Is(err, no) {
			return true
		}
	}
	return false
}

// blobs calls take with the text of each entry, in their order, nil for one
// that is missing.
func (r *Repository) blobs(ctx context.Context, entries []treeEntry, take func(treeEntry, io.Reader) error) error {
	if len(entries) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var ids strings.Builder
	for _, e := range entries {
		ids.WriteString(e.id + "\n")
	}
	cmd := r.command(ctx, "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(ids.String())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return ErrNoGit
		}
		return fmt.Errorf("git cat-file: %w", err)
	}
	err = eachBlob(bufio.NewReaderSize(out, 64<<10), entries, take)
	if err != nil {
		cancel()
	}
	if waitErr := cmd.Wait(); err == nil && waitErr != nil {
		err = fmt.Errorf("git cat-file: %w", waitErr)
	}
	return err
}

// eachBlob reads what cat-file --batch prints: for each object a line with its
// name, type and size, its bytes, and a newline; or that it is missing.
func eachBlob(in *bufio.Reader, entries []treeEntry, take func(treeEntry, io.Reader) error) error {
	for _, e := range entries {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("read git's objects: %w", err)
		}
		head := strings.TrimSuffix(string(line), "\n")
		if head == e.id+" missing" {
			if err := take(e, nil); err != nil {
				return err
			}
			continue
		}
		if head != fmt.Sprintf("%s blob %d", e.id, e.size) {
			return fmt.Errorf("read git's objects: %.80q is not the file %q of %d bytes", head, e.path, e.size)
		}
		text := &io.LimitedReader{R: in, N: e.size}
		if err := take(e, text); err != nil {
			return err
		}
		if _, err := in.Discard(int(text.N) + 1); err != nil {
			return fmt.Errorf("read git's objects: %w", err)
		}
	}
	return nil
}

package rustcode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/discover"
	"espy/internal/discover/roots"
	"espy/internal/mcpserver/host"
	"espy/internal/permit"
	"espy/internal/workspace"
)

// absolute is a path as the system has it: a relative one is below the folder that
// the server was started in.
func (s *server) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Start, path)
	}
	return filepath.Clean(path)
}

// folder is a directory that a call names.
type folder struct {
	given string // as the caller wrote it
	path  string // absolute
	repo  *workspace.Repo
}

// errors of a directory, by what is wrong with it.
type folderErrors struct{ missing, file string }

var (
	notFolder    = folderErrors{"The specified path '%s' is not a directory", "The specified path '%s' is not a directory"}
	notIndexable = folderErrors{"The specified path '%s' does not exist", "The specified path '%s' is not a directory"}
	notProject   = folderErrors{"directory does not exist: %s", "path is not a directory: %s"}
)

// look returns the directory of a call, without a repository.
func (s *server) look(ctx context.Context, a *arguments, e folderErrors) (f folder, err error) {
	f.given = a.text("directory")
	if a.err != nil {
		return f, a.err
	}
	f.path = s.absolute(f.given)
	if permit.Limited(ctx) && s.seen(ctx, f.path) == nil {
		return f, invalid(e.missing, f.given) // for who asks there is no such folder
	}
	info, err := os.Stat(f.path)
	switch {
	case f.given == "" || err != nil:
		return f, invalid(e.missing, f.given)
	case !info.IsDir():
		return f, invalid(e.file, f.given)
	}
	return f, nil
}

// open returns the directory of a call as a repository, which it becomes with its
// first use.
func (s *server) open(ctx context.Context, a *arguments, e folderErrors) (f folder, err error) {
	if f, err = s.look(ctx, a, e); err != nil {
		return f, err
	}
	if f.repo, err = s.Workspace.Attach(ctx, f.path, workspace.AttachOptions{Exact: true}); err != nil {
		return f, err
	}
	s.track(f.repo)
	return f, nil
}

// file is the absolute path of a file of the directory.
func (f *folder) file(path string) string { return filepath.Join(f.path, filepath.FromSlash(path)) }

// seen is the repository whose root a path is, nil for none that who asks may see.
func (s *server) seen(ctx context.Context, path string) *workspace.Repo {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	all, err := s.Workspace.Repos(ctx)
	if err != nil {
		return nil
	}
	for _, r := range all {
		if r.Root() == real {
			return r
		}
	}
	return nil
}

// source is a file that a call names.
type source struct {
	given string // as the caller wrote it
	root  string // a folder that may be read, without links
	path  string // relative to it, with slashes, without links
	info  fs.FileInfo
}

// fileErrors are the errors of a file, by what is wrong with it.
type fileErrors struct{ missing, notFile string }

// find returns the file of a call. Only what is below a folder that may be read is
// found, wherever links lead.
func (s *server) find(ctx context.Context, a *arguments, e fileErrors) (src source, err error) {
	src.given = a.text("file_path")
	if a.err != nil {
		return src, a.err
	}
	outside := invalid("The specified path '%s' is not inside an indexed directory (run index_codebase on it first)", src.given)
	path := s.absolute(src.given)
	real, missing := filepath.EvalSymlinks(path)
	if missing != nil {
		real = existing(path)
	}
	if src.root, err = s.rootOf(ctx, real); err != nil {
		return src, err
	}
	switch {
	case src.root == "":
		return src, outside
	case missing != nil:
		return src, invalid(e.missing, src.given)
	}
	if src.info, err = os.Stat(real); err != nil {
		return src, invalid(e.missing, src.given)
	}
	if !src.info.Mode().IsRegular() {
		return src, invalid(e.notFile, src.given)
	}
	rel, err := filepath.Rel(src.root, real)
	src.path = filepath.ToSlash(rel)
	return src, err
}

// existing is a path of which a part does not exist, with the links of the part that
// does resolved.
func existing(path string) string {
	up := filepath.Dir(path)
	if up == path {
		return path
	}
	real, err := filepath.EvalSymlinks(up)
	if err != nil {
		real = existing(up)
	}
	return filepath.Join(real, filepath.Base(path))
}

// rootOf is the folder that may be read which holds a path, "" for none: one that was
// indexed or named, that which the server was started in, or one that the client works
// in.
func (s *server) rootOf(ctx context.Context, path string) (string, error) {
	all, err := s.Workspace.Repos(ctx)
	if err != nil {
		return "", err
	}
	for _, r := range all {
		if r.Root() != "" && below(r.Root(), path) {
			return r.Root(), nil
		}
	}
	if permit.Limited(ctx) {
		return "", nil
	}
	if start := s.startRoot(); start != "" && below(start, path) {
		return start, nil
	}
	told, err := host.RootsOf(ctx)
	if err != nil {
		return "", err
	}
	for _, root := range told {
		if real, err := filepath.EvalSymlinks(root); err == nil && below(real, path) && real != "/" {
			return real, nil
		}
	}
	return "", nil
}

// startRoot is the folder that the server was started in, "" where that is too broad to
// be read: the top of the file system or the home folder.
func (s *server) startRoot() string {
	real, err := filepath.EvalSymlinks(s.Start)
	if err != nil || s.Start == "" || roots.Check(real, s.Home, false) != nil {
		return ""
	}
	return real
}

// below reports whether a path is a folder or in it.
func below(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/")
}

// read returns the content of a file, and why it is not text to be shown, if it is not.
// The bytes that were read are there in both cases.
func (s *server) read(src source, most int64) (text discover.Content, raw []byte, left *discover.Exclusion, err error) {
	root, err := roots.Open(src.root)
	if err != nil {
		return text, nil, nil, err
	}
	defer root.Close()
	policy := s.Workspace.Options().Policy
	policy.MaxFileBytes = most
	reader, err := discover.NewReader(root, policy)
	if err != nil {
		return text, nil, nil, err
	}
	defer reader.Close()
	text, left, err = reader.Read(src.path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("'%s' is gone: %w", src.given, err)
	}
	text.Text, text.Raw = []byte(string(text.Text)), nil
	return text, []byte(string(reader.Raw())), left, err
}

// Folders that are never searched: those of tools at any depth, and at the top of a
// directory what builds leave there and the copies of others' code.
var (
	toolFolders = []string{".git", ".jj", ".direnv", ".skeleton"}
	topFolders  = []string{"target", "vendor"}
)

// searched reports whether a file of a directory is searched.
func searched(path string) bool {
	folder, rest, ok := strings.Cut(path, "/")
	if ok && slices.Contains(topFolders, folder) {
		return false
	}
	for ; ok; folder, rest, ok = strings.Cut(rest, "/") {
		if strings.HasPrefix(folder, ".") && slices.Contains(toolFolders, folder) {
			return false
		}
	}
	return true
}

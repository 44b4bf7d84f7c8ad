package grep

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/discover/roots"
	"espy/internal/grep/show"
	"espy/internal/usage"
)

// folder is a tree that files are read from.
type folder struct {
	root *os.Root
	dir  string
}

// target is a file to search.
type target struct {
	name     string // as it is shown
	in       *folder
	path     string // in the folder
	explicit bool   // it was named
	stdin    bool
	pipe     io.ReadCloser // it is read from there; nil for a file
	skip     bool          // it cannot match
	mtime    int64
}

// fail says that a file cannot be searched.
func (r *run) fail(name string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.out.Failed = true
	if !r.req.Silent && r.env.Complain != nil {
		r.env.Complain(name + ": " + reason(err))
	}
}

// reason is an error of the system without the path it is about.
func reason(err error) string {
	var about *fs.PathError
	if errors.As(err, &about) {
		return about.Err.Error()
	}
	return err.Error()
}

// targets lists the files to search, in order.
func (r *run) targets() (list []target, err error) {
	if len(r.req.Paths) == 0 && r.env.Stdin != nil && !r.req.Files {
		return []target{{name: "<stdin>", stdin: true, explicit: true}}, nil
	}
	paths := r.req.Paths
	if len(paths) == 0 {
		paths = []string{""}
	}
	for _, p := range paths {
		some, err := r.below(p)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	if r.req.Sort == "modified" {
		slices.SortStableFunc(list, func(a, b target) int { return cmp.Compare(a.mtime, b.mtime) })
		if r.req.Reverse {
			slices.Reverse(list)
		}
	}
	if len(list) == 0 && len(r.req.Paths) == 0 && !r.req.Files && r.ctx.Err() == nil {
		r.fail("no files were searched", errors.New("a filter left all of them out; espy grep --files lists those that are, espy files --excluded says why others are not"))
	}
	return list, nil
}

// isRevision reports whether a name is one that git gives commits, and seldom a path.
func isRevision(name string) bool {
	return name == "HEAD" || strings.HasPrefix(name, "HEAD~") || strings.HasPrefix(name, "HEAD^") || strings.HasPrefix(name, "origin/")
}

// below lists the files of a path that was named: "" is the working directory.
func (r *run) below(path string) ([]target, error) {
	if path == "-" {
		return []target{{name: "<stdin>", stdin: true, explicit: true}}, nil
	}
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(r.env.Dir, path)
	}
	info, err := os.Stat(full)
	if errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, "*?[{") {
		err = errors.New("no such file or directory; a glob is given as -g '" + path + "'")
	}
	if errors.Is(err, fs.ErrNotExist) && isRevision(path) {
		err = errors.New("no such file or directory; espy search --ref " + path + " -e PATTERN searches a commit")
	}
	if err != nil {
		r.fail(path, err)
		return nil, nil
	}
	if r.pipes && info.Mode()&fs.ModeNamedPipe != 0 && strings.HasPrefix(full, "/dev/fd/") {
		return r.pipe(path, full)
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		r.fail(path, err)
		return nil, nil
	}
	if info.IsDir() {
		return r.folder(path, real)
	}
	return r.named(path, real, info)
}

// pipe is what a shell writes of <(COMMAND), an open end of a pipe of this process.
func (r *run) pipe(path, full string) ([]target, error) {
	f, err := os.Open(full)
	if err != nil {
		r.fail(path, err)
		return nil, nil
	}
	return []target{{name: path, pipe: f, explicit: true}}, nil
}

// named is a file that was named.
func (r *run) named(path, real string, info fs.FileInfo) ([]target, error) {
	if !info.Mode().IsRegular() && !r.req.Files {
		r.fail(path, errors.New(discover.ReasonSpecial.Explain()))
		return nil, nil
	}
	dir, base := filepath.Split(real)
	if err := r.env.check(filepath.Clean(dir), roots.CheckFile); err != nil {
		return nil, err
	}
	root, err := roots.Open(dir)
	if err != nil {
		r.fail(path, err)
		return nil, nil
	}
	return []target{{name: path, in: &folder{root, dir}, path: base, explicit: true, mtime: info.ModTime().UnixNano()}}, nil
}

// folder lists the files below a folder that was named.
func (r *run) folder(path, dir string) ([]target, error) {
	if err := r.env.check(dir, func(dir string) error { return roots.Check(dir, r.env.Home, false) }); err != nil {
		return nil, err
	}
	w, err := r.newWalk(path, dir)
	if err != nil {
		return nil, err
	}
	root, err := roots.Open(w.top)
	if err != nil {
		r.fail(path, err)
		return nil, nil
	}
	f, err := r.files(root, w)
	if err != nil {
		if r.ctx.Err() == nil {
			r.fail(cmp.Or(path, "."), err)
		}
		return nil, nil
	}
	in := &folder{root, w.top}
	list := make([]target, len(f.files))
	for i := range f.files {
		e := &f.files[i]
		list[i] = target{name: w.shown(e.path), in: in, path: e.path, skip: e.skip, mtime: e.mtime}
	}
	r.out.Missed += f.missed
	for _, x := range f.unreadable {
		r.fail(w.shown(x.Path), errors.New(x.Detail))
	}
	if r.req.Reverse {
		slices.Reverse(list)
	}
	return list, nil
}

// check refuses a folder that why speaks against, such as one that holds far more than one
// project, or that may not be searched.
func (e *Env) check(dir string, why func(dir string) error) error {
	if err := why(dir); err != nil {
		msg, _ := usage.Explain(err)
		return &usage.Error{Msg: msg, Hint: "name a folder of a project: espy grep PATTERN PATH"}
	}
	for _, root := range e.Roots {
		if _, ok := code.Below(realDir(root), dir); ok {
			return nil
		}
	}
	if len(e.Roots) > 0 {
		return &usage.Error{Arg: "path", Value: dir, Msg: "outside of the folders that the setting roots allows", Hint: "search one of " + strings.Join(e.Roots, ", ")}
	}
	return nil
}

// list prints the files.
func (r *run) list(targets []target) error {
	r.out.Found = len(targets) > 0
	if r.req.Show.Kind == show.Quiet {
		return nil
	}
	p := show.New(&r.req.Show, nil, nil)
	s := r.queue.slot(0, nil)
	for _, t := range targets {
		p.File(t.name, s, nil)
		p.Name()
		if err := r.queue.failed(); err != nil {
			return err
		}
	}
	s.done()
	return r.queue.failed()
}

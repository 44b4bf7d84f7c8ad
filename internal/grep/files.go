package grep

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/glob"
	"espy/internal/grep/choose"
	"espy/internal/grep/indexed"
	"espy/internal/grep/show"
	"espy/internal/listing"
	"espy/internal/usage"
)

// run is one request at work.
type run struct {
	req   *Request
	env   *Env
	ctx   context.Context
	queue *queue

	mu    sync.Mutex
	out   Outcome    // guarded by mu
	stats show.Stats // guarded by mu
}

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
	skip     bool // it cannot match
	size     int64
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
	if len(list) == 0 && len(r.req.Paths) == 0 && !r.req.Files {
		r.fail("no files were searched", errors.New("a filter left all of them out; espy grep --files lists those that are, espy files --excluded says why others are not"))
	}
	return list, nil
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
	if err != nil {
		r.fail(path, err)
		return nil, nil
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		r.fail(path, err)
		return nil, nil
	}
	if info.IsDir() {
		return r.walk(path, real)
	}
	return r.named(path, real, info)
}

// named is a file that was named.
func (r *run) named(path, real string, info fs.FileInfo) ([]target, error) {
	dir, base := filepath.Split(real)
	if err := r.env.check(filepath.Clean(dir)); err != nil {
		return nil, err
	}
	root, err := discover.OpenRoot(dir)
	if err != nil {
		r.fail(path, err)
		return nil, nil
	}
	return []target{{name: path, in: &folder{root, dir}, path: base, explicit: true, size: info.Size(), mtime: info.ModTime().UnixNano()}}, nil
}

// walk lists the files below a folder. The walk begins at the repository, whose
// ignore files count too.
func (r *run) walk(path, dir string) ([]target, error) {
	if err := r.env.check(dir); err != nil {
		return nil, err
	}
	top := dir
	if !r.req.Choose.NoParent {
		top = discover.FindRoot(dir)
	}
	root, err := discover.OpenRoot(top)
	if err != nil {
		r.fail(path, err)
		return nil, nil
	}
	sub, _ := code.Below(top, dir)
	if sub == "." {
		sub = ""
	}
	prefix := ""
	if sub != "" {
		prefix = sub + "/"
	}
	names, _ := code.Below(realDir(r.env.Dir), dir)
	switch names {
	case "":
		names = shownPrefix(path)
	case ".":
		names = ""
	default:
		names += "/"
	}
	chooser, err := choose.New(&r.req.Choose, sub, names)
	if err != nil {
		return nil, err
	}
	o := r.walkOptions(chooser)
	o.RequireGit = o.RequireGit && (top != dir || discover.FindRoot(dir) == dir)
	found, err := discover.Walk(r.ctx, root, r.policy(), o)
	if err != nil {
		if r.ctx.Err() != nil {
			return nil, nil
		}
		r.fail(cmp.Or(path, "."), err)
		return nil, nil
	}
	in := &folder{root, top}
	shown := shownPrefix(path)
	prune := r.pruner(top)
	if prune != nil {
		defer prune.Close()
	}
	list := make([]target, 0, len(found.Entries))
	for i := range found.Entries {
		e := &found.Entries[i]
		if r.req.Choose.MaxBytes >= 0 && e.Size > r.req.Choose.MaxBytes {
			continue
		}
		t := target{name: shown + strings.TrimPrefix(e.Path, prefix), in: in, path: e.Path, size: e.Size, mtime: e.MtimeNS}
		if prune != nil {
			t.skip = prune.Skip(e.Path, listing.Stat{Size: e.Size, MTime: e.MtimeNS, CTime: e.CtimeNS, Inode: e.Inode})
		}
		list = append(list, t)
	}
	if prune != nil {
		r.out.Unknown += prune.Unknown()
	}
	for _, x := range found.Excluded {
		if x.Reason == discover.ReasonUnreadable && strings.HasPrefix(x.Path+"/", prefix) {
			r.fail(shown+strings.TrimPrefix(x.Path, prefix), errors.New(x.Detail))
		}
	}
	slices.SortFunc(list, func(a, b target) int { return compareNames(a.path, b.path) })
	if r.req.Reverse {
		slices.Reverse(list)
	}
	return list, nil
}

// check refuses a folder that holds far more than one project, or that may not be
// searched.
func (e *Env) check(dir string) error {
	if err := discover.CheckRoot(dir, e.Home, false); err != nil {
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

// pruner returns the index of a folder, nil where there is none or it tells nothing.
func (r *run) pruner(top string) *indexed.Index {
	if !r.prunes() {
		return nil
	}
	grams, fold := r.req.Regex.Grams()
	if grams.All() {
		return nil
	}
	x, err := indexed.Open(r.env.DataDir, top, grams, fold)
	if err != nil { // without it all files are read
		return nil
	}
	return x
}

func realDir(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// shownPrefix is what stands before the paths below a folder that was named.
func shownPrefix(path string) string {
	if path == "" || strings.HasSuffix(path, "/") {
		return path
	}
	return path + "/"
}

// compareNames orders paths by one name after the other.
func compareNames(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			switch {
			case a[i] == '/':
				return -1
			case b[i] == '/':
				return 1
			}
			return int(a[i]) - int(b[i])
		}
	}
	return len(a) - len(b)
}

// policy keeps every file: a Chooser decides.
func (r *run) policy() discover.Policy {
	o := &r.req.Choose
	p := discover.Policy{
		NoGitignore: o.NoGit, NoEspyignore: true, Secrets: true, MaxFileBytes: -1, MaxFiles: -1, MaxBytes: -1,
		Nested: []string{"submodule", "repository", "worktree"},
	}
	if !o.NoDot {
		p.IgnoreFiles = append(p.IgnoreFiles, ".ignore")
	}
	if !o.NoCustom {
		p.IgnoreFiles = append(p.IgnoreFiles, ".rgignore")
	}
	return p
}

func (r *run) walkOptions(c *choose.Chooser) discover.Options {
	o := discover.Options{GlobalIgnore: r.env.GlobalIgnore, RequireGit: !r.req.Choose.NoRequire, Choose: func(path string, dir bool, v glob.Verdict) bool { return c.Keep(path, dir, v) }}
	if r.req.Choose.NoGlobal {
		o.GlobalIgnore = ""
	}
	return o
}

// prunes reports whether a file that has no match prints nothing.
func (r *run) prunes() bool {
	s := &r.req.Show
	return !r.req.Files && !r.req.Scan.Invert && !r.req.Scan.Passthru && s.Kind != show.Without && !s.IncludeZero
}

// list prints the files.
func (r *run) list(targets []target) error {
	r.out.Found = len(targets) > 0
	if r.req.Show.Kind == show.Quiet {
		return nil
	}
	p := show.New(&r.req.Show, nil, nil)
	s := r.queue.slot(0)
	for _, t := range targets {
		p.File(t.name, s)
		p.Name()
		if err := r.queue.failed(); err != nil {
			return err
		}
	}
	s.done()
	return r.queue.failed()
}

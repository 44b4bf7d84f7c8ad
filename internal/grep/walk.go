package grep

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/discover/roots"
	"espy/internal/glob"
	"espy/internal/grep/choose"
	"espy/internal/grep/indexed"
	"espy/internal/grep/show"
	"espy/internal/listing"
)

// walk is how the files below a folder that was named are listed. It begins at the
// repository, whose ignore files count too.
type walk struct {
	top     string // where it begins, absolute
	sub     string // what stands before paths in the folder; empty where that is top
	name    string // what is shown instead of that
	chooser *choose.Chooser
	repo    bool // a repository is at top, or further up
}

// newWalk prepares to list a folder, whose name is path as it was given and dir
// without links.
func (r *run) newWalk(path, dir string) (*walk, error) {
	w := &walk{top: dir, name: shownPrefix(path)}
	if !r.req.Choose.NoParent {
		w.top = roots.Find(dir)
	}
	w.repo = w.top != dir || roots.Find(dir) == dir
	sub, _ := code.Below(w.top, dir)
	if sub == "." {
		sub = ""
	}
	if sub != "" {
		w.sub = sub + "/"
	}
	names, _ := code.Below(realDir(r.env.Dir), dir)
	switch names {
	case "":
		names = w.name
	case ".":
		names = ""
	default:
		names += "/"
	}
	var err error
	w.chooser, err = choose.New(&r.req.Choose, sub, names)
	return w, err
}

// shown is the name that a path is shown by.
func (w *walk) shown(path string) string { return w.name + strings.TrimPrefix(path, w.sub) }

// found are the files below a folder that was named, in order.
type found struct {
	files      []file
	missed     int                  // files that are to be read because the index does not hold them as they are
	unreadable []discover.Exclusion // that would have been listed
}

// file is one of them.
type file struct {
	path  string // from where the walk began
	mtime int64  // nanoseconds
	skip  bool   // it cannot match
}

// walk lists the files below a folder. Without an index of them as they are, it is that
// of the last commit that tells which cannot match, if they are as it saw them.
func (r *run) walk(root *os.Root, w *walk, known *indexed.Index) (*found, error) {
	o, err := r.walkOptions(w, known)
	if err != nil {
		return nil, err
	}
	if _, prunes := r.question(); !prunes {
		known = nil
	} else if known == nil {
		if known = r.committed(w, &o); known != nil {
			defer known.Close()
		}
	}
	l, err := discover.Walk(r.ctx, root, r.policy(), o)
	if err != nil {
		return nil, err
	}
	f := &found{files: make([]file, 0, len(l.Entries))}
	for i := range l.Entries {
		e := &l.Entries[i]
		if r.req.Choose.MaxBytes >= 0 && e.Size > r.req.Choose.MaxBytes {
			continue
		}
		one := file{path: e.Path, mtime: e.MtimeNS}
		if known != nil {
			one.skip = known.Skip(e.Path, listing.Stat{Size: e.Size, MTime: e.MtimeNS, CTime: e.CtimeNS, Inode: e.Inode})
		}
		f.files = append(f.files, one)
	}
	if known != nil {
		f.missed = known.Missed()
	}
	for _, x := range l.Excluded {
		if x.Reason == discover.ReasonUnreadable && strings.HasPrefix(x.Path+"/", w.sub) {
			f.unreadable = append(f.unreadable, x)
		}
	}
	return f, nil
}

// committed returns the index of the last commit where that spares reading files, nil where
// all are read. It has the walk look at the files that may be spared.
func (r *run) committed(w *walk, o *discover.Options) *indexed.Index {
	q, _ := r.question()
	x, err := indexed.Open(r.env.DataDir, w.top, q)
	if err != nil || x == nil {
		return nil
	}
	if !x.Spares() || x.Prepare(w.sub) != nil {
		x.Close()
		return nil
	}
	if o.Stat != nil {
		o.Stat = x.Asked
	}
	return x
}

// question asks which files cannot match; false where that makes no difference.
func (r *run) question() (q indexed.Question, prunes bool) {
	if !r.prunes() {
		return q, false
	}
	q.Grams, q.Fold = r.req.Regex.Grams()
	return q, !q.Grams.All()
}

// prunes reports whether a file that has no match prints nothing, and counts nowhere:
// the statistics of JSON are those of files with a match.
func (r *run) prunes() bool {
	s := &r.req.Show
	if r.req.Stats && s.Kind != show.JSON {
		return false
	}
	return !r.req.Files && !r.req.Scan.Invert && !r.req.Scan.Passthru && s.Kind != show.Without && !s.IncludeZero
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

// walkOptions are those of a walk: over what an index saw where that is as it is now.
func (r *run) walkOptions(w *walk, known *indexed.Index) (o discover.Options, err error) {
	o = discover.Options{
		ByName: true, GlobalIgnore: r.env.GlobalIgnore, RequireGit: !r.req.Choose.NoRequire && w.repo,
		Choose: func(path string, dir bool, v glob.Verdict) bool { return w.chooser.Keep(path, dir, v) },
	}
	if r.req.Choose.NoGlobal {
		o.GlobalIgnore = ""
	}
	if r.req.Choose.MaxBytes < 0 && r.req.Sort != "modified" {
		o.Stat = func(string) bool { return false }
	}
	if known != nil {
		_, prunes := r.question()
		o.Workers = 1
		if prunes && o.Stat != nil {
			o.Stat = known.Asked
		}
		o.Listed, err = known.Leaves(!prunes, func(name string) bool { return slices.Contains(ignoreFiles, name) })
	}
	return o, err
}

// ignoreFiles are names of files that say which others are searched.
var ignoreFiles = []string{".git", ".gitignore", ".ignore", ".rgignore"}

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

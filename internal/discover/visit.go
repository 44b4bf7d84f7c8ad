package discover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"espy/internal/discover/roots"
	"espy/internal/glob"
	"espy/internal/listing"
	"espy/internal/secret"
)

// visitor is one goroutine of a walk. names and entries are stacks: they hold
// what is still to be told of each folder from the root to the one at hand.
type visitor struct {
	*walker
	ctx     context.Context
	capped  bool   // apply the limits here and now
	full    string // the limit that was reached
	scratch scratch
	names   []dirent
	entries []Entry
	frames  []frame           // the folders from the root of a task to the one at hand
	open    int               // how many of them are open
	given   map[int]*run      // what other goroutines make of folders, by their place among the names
	kinds   map[string]string // of nested work trees, by the path of their .git
}

// frame is a folder whose names are being told.
type frame struct {
	next, end int // on the stack of names: those that are still to be told
	ignores   ignores
	folder    folder // nil where it is closed
}

// maxOpen bounds the folders that a visitor keeps open for those below them.
const maxOpen = 16

// visit reads the folder dir and everything below it into r. Its depth is
// bounded by maxPathBytes.
func (v *visitor) visit(dir string, known int, ig ignores, r *run) error {
	if err := v.ctx.Err(); err != nil {
		return err
	}
	names, entries := len(v.names), len(v.entries)
	d, ig, seen, err := v.look(dir, known, ig)
	if err == nil {
		r.dirs++
		if v.noted {
			r.folders = append(r.folders, seen)
		}
		err = v.tell(dir, d, names, entries, ig, r)
	} else {
		err = v.dirError(dir, err, r)
	}
	v.names, v.entries = v.names[:names], v.entries[:entries]
	return err
}

// dirError turns the failure to read one folder into an exclusion, unless the
// walk cannot go on without it.
func (v *visitor) dirError(dir string, err error, r *run) error {
	var nested *nestedError
	switch {
	case errors.As(err, &nested):
		r.excluded = append(r.excluded, Exclusion{Path: dir, Dir: true, Reason: ReasonNested, Detail: nested.kind})
	case isExhausted(err):
		return fmt.Errorf("read folder %q: %w", dir, err)
	case dir == "" && isGone(err):
		return roots.ErrGone
	case dir == "":
		return err
	case isLink(err):
		r.excluded = append(r.excluded, Exclusion{Path: dir, Reason: ReasonSymlink})
	case !isGone(err):
		r.excluded = append(r.excluded, Exclusion{Path: dir, Dir: true, Reason: ReasonUnreadable, Detail: reasonOf(err)})
	}
	return nil
}

// reasonOf returns the system's own words for an error, without paths.
func reasonOf(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}

// look lists a folder, judges each name, and leaves names and, for each file
// to keep, its entry on the stacks. It returns the folder where it stays open, the ignore
// rules in force inside, and what is to be remembered of the folder.
func (v *visitor) look(dir string, known int, ig ignores) (kept folder, _ ignores, seen listing.Folder, err error) {
	v.entered(dir)
	prefix := dir
	if dir != "" {
		prefix += "/"
	}
	first := len(v.names)
	d, seen, err := v.list(dir, prefix, known)
	if err != nil {
		return nil, ig, seen, err
	}
	defer func() {
		if kept == nil {
			d.close()
		}
	}()
	names := v.names[first:]
	for i := range names {
		if n := &names[i]; n.typ == typeUnknown {
			var e Entry
			if err := d.stat(n.path[len(prefix):], &e); err != nil {
				n.reason = ReasonUnreadable
			}
			n.typ = e.Mode.Type()
		}
	}
	if v.byName {
		slices.SortFunc(names, func(a, b dirent) int { return strings.Compare(a.path, b.path) })
	} else {
		slices.SortFunc(names, func(a, b dirent) int { return comparePaths(a.path, b.path, a.typ, b.typ) })
	}
	if prefix != "" {
		if err := v.nested(d, len(prefix), names); err != nil {
			return nil, ig, seen, err
		}
	}
	if ig, err = v.ignorer.inside(d, prefix, names, ig); err != nil {
		return nil, ig, seen, err
	}
	v.entries = slices.Grow(v.entries, len(names))
	for i := range names {
		if err := v.judge(d, len(prefix), &names[i], ig); err != nil {
			return nil, ig, seen, err
		}
		if v.open < maxOpen && names[i].reason == "" && v.memory.Last(names[i].known) {
			kept = d
		}
	}
	return kept, ig, seen, nil
}

// list opens a folder and puts its names on the stack: those that an earlier look saw,
// where the folder still is as it was then. It returns what is to be remembered.
func (v *visitor) list(dir, prefix string, known int) (folder, listing.Folder, error) {
	seen := listing.Folder{Path: dir}
	if v.memory.Knows(known) {
		d, err := v.reach(dir, known)
		if err != nil {
			return nil, seen, err
		}
		if v.memory.Holds(known, d.self()) {
			v.remember(known)
			return d, *v.memory.Folder(known), nil
		}
		d.close()
	}
	d, err := v.tree.openDir(dir)
	if err != nil {
		return nil, seen, err
	}
	seen.Stat = d.self() // before the names, so that one that comes meanwhile makes it old
	first := len(v.names)
	if v.names, err = d.list(prefix, &v.scratch, v.names); err != nil {
		d.close()
		return nil, seen, err
	}
	names := v.names[first:]
	seen.Names = len(names)
	for i := range names {
		if names[i].typ.IsDir() {
			names[i].known = v.memory.Find(names[i].path)
		}
	}
	return d, seen, nil
}

// reach opens a folder for the files whose names are known, or leads to them through the
// folder around it, which takes two calls of the system less.
func (v *visitor) reach(dir string, known int) (folder, error) {
	if n := len(v.frames); n > 0 && v.memory.Last(known) && v.frames[n-1].folder != nil {
		if d := v.frames[n-1].folder.within(path.Base(dir)); d != nil {
			return d, nil
		}
	}
	return v.tree.openParent(dir)
}

// remember puts the names on the stack that an earlier look saw in a folder.
func (v *visitor) remember(known int) {
	for leaf, folder := range v.memory.Names(known) {
		if leaf != nil {
			v.names = append(v.names, dirent{path: leaf.Path, typ: typeOf(leaf)})
		} else {
			v.names = append(v.names, dirent{path: v.memory.Folder(folder).Path, typ: fs.ModeDir, known: folder})
		}
	}
}

// nested finds what kind of work tree a folder is, and notes it for the
// exclusion of its .git. One that is left out is a *nestedError.
func (v *visitor) nested(d folder, base int, names []dirent) error {
	dotGit, kind, err := findNested(d, base, names)
	if err != nil || kind == "" {
		return err
	}
	if !v.policy.keeps(kind) {
		return &nestedError{kind}
	}
	if v.kinds == nil {
		v.kinds = map[string]string{}
	}
	v.kinds[dotGit] = kind
	return nil
}

// nestedError says that a folder is a work tree of a kind that is left out.
type nestedError struct{ kind string }

func (e *nestedError) Error() string { return "a nested " + e.kind }

// comparePaths orders names of one folder so that what lies below them comes
// out in byte order of whole paths: a folder sorts with its slash.
func comparePaths(a, b string, at, bt fs.FileMode) int {
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 {
		return c
	}
	return int(byteOrSlash(a, n, at)) - int(byteOrSlash(b, n, bt))
}

func byteOrSlash(s string, i int, typ fs.FileMode) byte {
	switch {
	case i < len(s):
		return s[i]
	case typ.IsDir():
		return '/'
	}
	return 0
}

// judge decides on one name, and puts the entry of a file on the stack.
func (v *visitor) judge(d folder, base int, n *dirent, ig ignores) error {
	name := n.path[base:]
	if n.reason == "" {
		n.reason = v.judgeName(n.path, name, n.typ, ig)
	}
	if n.reason != "" || n.typ.IsDir() {
		return nil
	}
	v.entries = append(v.entries, Entry{Path: n.path})
	e := &v.entries[len(v.entries)-1]
	if n.looked = v.stat != nil && n.typ.IsRegular() && !v.stat(n.path); n.looked {
		return nil
	}
	err := d.stat(name, e)
	switch {
	case err != nil && isExhausted(err):
		return fmt.Errorf("stat %q: %w", n.path, err)
	case err != nil && isGone(err), e.Mode.IsDir(): // the next walk sees what it became
		n.gone = true
	case err != nil:
		n.reason = ReasonUnreadable
	case !e.Mode.IsRegular():
		n.reason = kindReason(e.Mode)
	default:
		if e.Size > v.maxSize {
			n.reason = ReasonTooLarge
		}
		n.looked = true
		return nil
	}
	v.entries = v.entries[:len(v.entries)-1]
	return nil
}

// judgeName decides on what the name and type of a path tell.
func (w *walker) judgeName(path, name string, typ fs.FileMode, ig ignores) Reason {
	dir := typ.IsDir()
	ignored, _ := ig.match(path, name, dir)
	if w.choose != nil && !w.choose(path, dir, ignored) {
		return ReasonExcluded
	}
	switch {
	case w.choose != nil:
	case isVCS(name, dir):
		return ReasonVCS
	case w.policy.SkipHidden && name[0] == '.':
		return ReasonHidden
	case dir && w.policy.SkipHiddenFolders && name[0] == '.':
		return ReasonHidden
	case !dir && w.policy.secretName(path) != secret.None:
		return ReasonSecret
	case ignored == glob.Ignored:
		return ReasonIgnored
	case w.exclude.Match(path, dir):
		return ReasonExcluded
	case w.wild != nil && w.wild.LeavesOut(path, name, dir):
		return ReasonExcluded
	case len(path) > maxPathBytes:
		return ReasonLimit
	case dir && len(w.include) > 0 && !w.include.Reaches(path):
		return ReasonExcluded
	case !dir && len(w.include) > 0 && typ.IsRegular() && !w.include.Covers(path):
		return ReasonExcluded
	}
	if !dir && !typ.IsRegular() {
		return kindReason(typ)
	}
	return ""
}

func kindReason(mode fs.FileMode) Reason {
	if mode&fs.ModeSymlink != 0 {
		return ReasonSymlink
	}
	return ReasonSpecial
}

// isVCS reports whether a name belongs to a version control system. .git is
// also a file, in worktrees and submodules.
func isVCS(name string, dir bool) bool {
	if name[0] != '.' {
		return false
	}
	switch name {
	case ".git":
		return true
	case ".hg", ".svn", ".jj":
		return dir
	}
	return false
}

// tell appends what look found to r, in path order, visits the folders, and closes d.
// The names and entries of dir start at name and entry on their stacks.
func (v *visitor) tell(dir string, d folder, name, entry int, ig ignores, r *run) error {
	files, bytes := len(v.entries)-entry, int64(0)
	out := omitted{dir: dir, run: r}
	r.entries = slices.Grow(r.entries, files)
	depth, end := len(v.frames), len(v.names)
	v.frames = append(v.frames, frame{end: end, ignores: ig, folder: d})
	if d != nil {
		v.open++
	}
	defer func() {
		v.frames = v.frames[:depth]
		if d != nil {
			v.open--
			d.close()
		}
	}()
	for ; name < end; name++ {
		n, given := v.names[name], v.given[name] // a copy: visiting a folder may move the stack
		v.frames[depth].next = name + 1
		delete(v.given, name)
		var e Entry
		if n.looked {
			e = v.entries[entry]
			entry++
		}
		switch {
		case n.gone:
		case given != nil:
			r.splices = append(r.splices, splice{len(r.entries), len(r.excluded), len(r.folders), given})
		case n.reason == "" && n.typ.IsDir():
			if err := v.enter(n.path, n.known, ig, r); err != nil {
				return err
			}
		case n.reason == "" && v.fits(&e):
			r.entries = append(r.entries, e)
			bytes += e.Size
		default:
			out.add(v.exclusion(&n, e.Size, ig))
		}
	}
	out.flush()
	if !v.capped && (v.files.Add(int64(files)) > v.maxFiles || v.bytes.Add(bytes) > v.maxBytes) {
		return errOverLimit
	}
	return nil
}

// exclusion returns the exclusion of a name, with the limit that it passed or the file that ignores it.
func (v *visitor) exclusion(n *dirent, size int64, ig ignores) Exclusion {
	x := Exclusion{Path: n.path, Dir: n.typ.IsDir(), Reason: n.reason, Size: size}
	switch n.reason {
	case "":
		x.Reason, x.Detail = ReasonLimit, v.full
	case ReasonIgnored:
		_, by := ig.match(n.path, path.Base(n.path), x.Dir)
		x.Detail = by.file
	case ReasonVCS:
		x.Detail = v.kinds[n.path]
	case ReasonSecret:
		x.Detail = string(v.policy.secretName(n.path))
	case ReasonTooLarge:
		x.Detail = tooLarge(v.maxSize)
	case ReasonLimit:
		x.Detail = fmt.Sprintf("the path is longer than %d bytes", maxPathBytes)
	}
	return x
}

// omitted collects the exclusions of one folder. Beyond maxListedPerDir files
// are only counted, so that a folder of millions of ignored files costs little.
type omitted struct {
	dir    string
	run    *run
	listed int
	more   map[Reason]int
}

func (o *omitted) add(x Exclusion) {
	if o.listed++; x.Dir || o.listed <= maxListedPerDir {
		o.run.excluded = append(o.run.excluded, x)
		return
	}
	if o.more == nil {
		o.more = make(map[Reason]int)
	}
	o.more[x.Reason]++
}

func (o *omitted) flush() {
	if o.more == nil {
		return
	}
	for _, reason := range slices.Sorted(maps.Keys(o.more)) {
		o.run.excluded = append(o.run.excluded, Exclusion{Path: path.Clean(o.dir), Reason: reason, Count: o.more[reason]})
	}
}

func tooLarge(limit int64) string { return fmt.Sprintf("the limit is %d bytes", limit) }

// fits reports whether the limits leave room for e, which comes next in path
// order. Once they do not, nothing fits any more.
func (v *visitor) fits(e *Entry) bool {
	if !v.capped {
		return true
	}
	switch {
	case v.full != "":
		return false
	case v.files.Load() >= v.maxFiles:
		v.full = fmt.Sprintf("the limit is %d files", v.maxFiles)
		return false
	case e.Size > v.maxBytes-v.bytes.Load():
		v.full = fmt.Sprintf("the limit is %d bytes in all", v.maxBytes)
		return false
	}
	v.files.Add(1)
	v.bytes.Add(e.Size)
	return true
}

// enter visits a folder. Goroutines that wait for work get one before.
func (v *visitor) enter(dir string, known int, ig ignores, r *run) error {
	if v.full != "" {
		r.excluded = append(r.excluded, Exclusion{Path: dir, Dir: true, Reason: ReasonLimit, Detail: v.full})
		return nil
	}
	if v.tasks != nil && v.idle.Load() > 0 {
		v.give()
	}
	return v.visit(dir, known, ig, r)
}

// give hands a folder that is still to be told to a goroutine that waits for work: one of
// the outermost there are, which holds most.
func (v *visitor) give() {
	for _, f := range v.frames {
		for at := f.end - 1; at >= f.next; at-- {
			n := &v.names[at]
			if n.reason != "" || v.given[at] != nil || !n.typ.IsDir() {
				continue
			}
			t := task{dir: n.path, known: n.known, ignores: f.ignores, run: &run{}}
			v.pending.Add(1)
			select {
			case v.tasks <- t:
				v.given[at] = t.run
			default:
				v.pending.Add(-1)
			}
			return
		}
	}
}

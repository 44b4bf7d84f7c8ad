package discover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	maxPathBytes    = 4095   // the longest path that systems take in one call
	maxListedPerDir = 10_000 // exclusions listed one by one for each folder
)

// walker holds what one walk shares between its goroutines; nothing in it
// changes while they run except the counters.
type walker struct {
	tree        tree
	policy      Policy
	include     globs
	exclude     globs
	global      *rules   // the user's global ignore file
	ignoreFiles []string // names of ignore files, the strongest of each kind last
	workers     int
	maxSize     int64
	maxFiles    int64
	maxBytes    int64

	tasks   chan task
	pending atomic.Int64 // tasks sent or in work
	files   atomic.Int64
	bytes   atomic.Int64
}

// task is a folder to read, with everything below it, into run.
type task struct {
	dir     string // "" or a path
	ignores ignores
	run     *run
}

// run collects what one goroutine found in path order. Folders that another
// goroutine took over are spliced in.
type run struct {
	entries  []Entry
	excluded []Exclusion
	splices  []splice
	dirs     int
}

type splice struct {
	entries, excluded int // how many of each stood before
	run               *run
}

// errOverLimit stops a parallel walk that found more than the policy allows.
var errOverLimit = errors.New("over the limit")

func newWalker(root *os.Root, p Policy, o Options) (*walker, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("discovery policy: %w", err)
	}
	w := &walker{policy: p, workers: o.workers(), maxSize: p.maxFileBytes(), maxFiles: p.maxFiles(), maxBytes: p.maxBytes()}
	w.ignoreFiles = p.ignoreFiles()
	w.include, _ = newGlobs(p.Include)
	w.exclude, _ = newGlobs(p.Exclude)
	if !p.NoGitignore && o.GlobalIgnore != "" {
		text, err := readGlobal(o.GlobalIgnore)
		if err != nil {
			return nil, fmt.Errorf("global ignore file: %w", err)
		}
		w.global = parseRules(text)
	}
	var err error
	if w.tree, err = openTree(root, o.portable); err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	return w, nil
}

// readGlobal reads the user's own ignore file; a missing one is empty.
func readGlobal(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // /dev/null is a usual way to have none
		return nil, nil
	}
	f, err := os.OpenFile(name, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxIgnoreBytes))
}

// listing walks the tree and makes sure that root was there all the time.
func (w *walker) listing(ctx context.Context, root *os.Root) (*Listing, error) {
	l, err := w.walk(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkStillThere(root); err != nil {
		return nil, err
	}
	slices.SortStableFunc(l.Excluded, func(a, b Exclusion) int { return strings.Compare(a.Path, b.Path) })
	return l, nil
}

// walk lists the tree side by side, and once more one by one if a limit is
// reached, so that what a limit drops does not depend on timing.
func (w *walker) walk(ctx context.Context) (*Listing, error) {
	root, err := w.parallel(ctx)
	if errors.Is(err, errOverLimit) {
		root, err = w.serial(ctx)
	}
	if err != nil {
		return nil, err
	}
	l := &Listing{Bytes: w.bytes.Load()}
	l.Entries = make([]Entry, 0, w.files.Load())
	root.collect(l)
	return l, nil
}

// collect appends the run and what is spliced into it to l.
func (r *run) collect(l *Listing) {
	entries, excluded := 0, 0
	for _, s := range r.splices {
		l.Entries = append(l.Entries, r.entries[entries:s.entries]...)
		l.Excluded = append(l.Excluded, r.excluded[excluded:s.excluded]...)
		entries, excluded = s.entries, s.excluded
		s.run.collect(l)
	}
	l.Entries = append(l.Entries, r.entries[entries:]...)
	l.Excluded = append(l.Excluded, r.excluded[excluded:]...)
	l.Dirs += r.dirs
}

func (w *walker) parallel(ctx context.Context) (*run, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.tasks = make(chan task)
	root := &run{}
	w.pending.Store(1)
	var group sync.WaitGroup
	for range w.workers {
		group.Go(func() {
			v := visitor{walker: w, ctx: ctx}
			for t := range w.tasks {
				if err := v.visit(t.dir, t.ignores, t.run); err != nil {
					cancel(err)
				}
				if w.pending.Add(-1) == 0 {
					close(w.tasks)
				}
			}
		})
	}
	w.tasks <- task{run: root}
	group.Wait()
	return root, context.Cause(ctx)
}

func (w *walker) serial(ctx context.Context) (*run, error) {
	w.files.Store(0)
	w.bytes.Store(0)
	w.tasks = nil
	root := &run{}
	v := visitor{walker: w, ctx: ctx, capped: true}
	return root, v.visit("", ignores{}, root)
}

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
}

// visit reads the folder dir and everything below it into r. Its depth is
// bounded by maxPathBytes.
func (v *visitor) visit(dir string, ig ignores, r *run) error {
	if err := v.ctx.Err(); err != nil {
		return err
	}
	names, entries := len(v.names), len(v.entries)
	ig, err := v.look(dir, ig)
	if err == nil {
		r.dirs++
		err = v.tell(dir, names, entries, ig, r)
	} else {
		err = v.dirError(dir, err, r)
	}
	v.names, v.entries = v.names[:names], v.entries[:entries]
	return err
}

// dirError turns the failure to read one folder into an exclusion, unless the
// walk cannot go on without it.
func (v *visitor) dirError(dir string, err error, r *run) error {
	switch {
	case isExhausted(err):
		return fmt.Errorf("read folder %q: %w", dir, err)
	case dir == "" && isGone(err):
		return ErrRootGone
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
// to keep, its entry on the stacks. It returns the ignore rules in force inside.
func (v *visitor) look(dir string, ig ignores) (ignores, error) {
	d, err := v.tree.openDir(dir)
	if err != nil {
		return ig, err
	}
	defer d.close()
	prefix := dir
	if dir != "" {
		prefix += "/"
	}
	first := len(v.names)
	if v.names, err = d.list(prefix, &v.scratch, v.names); err != nil {
		return ig, err
	}
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
	slices.SortFunc(names, func(a, b dirent) int { return comparePaths(a.path, b.path, a.typ, b.typ) })
	if ig, err = v.ignoresIn(d, prefix, names, ig); err != nil {
		return ig, err
	}
	for i := range names {
		if err := v.judge(d, len(prefix), &names[i], ig); err != nil {
			return ig, err
		}
	}
	return ig, nil
}

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
	e := Entry{Path: n.path}
	err := d.stat(name, &e)
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
		v.entries = append(v.entries, e)
	}
	return nil
}

// judgeName decides on what the name and type of a path tell.
func (w *walker) judgeName(path, name string, typ fs.FileMode, ig ignores) Reason {
	dir := typ.IsDir()
	switch {
	case isVCS(name, dir):
		return ReasonVCS
	case w.policy.SkipHidden && name[0] == '.':
		return ReasonHidden
	case !dir && !w.policy.Secrets && IsSecret(path):
		return ReasonSecret
	case ig.match(path, name, dir):
		return ReasonIgnored
	case w.exclude.match(path, name, dir):
		return ReasonExcluded
	case len(path) > maxPathBytes:
		return ReasonLimit
	case dir && len(w.include) > 0 && !w.include.mayMatchBelow(path):
		return ReasonExcluded
	case !dir && !typ.IsRegular():
		return kindReason(typ)
	case !dir && len(w.include) > 0 && !w.include.covers(path, false):
		return ReasonExcluded
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

// tell appends what look found to r, in path order, and visits the folders.
// The names and entries of dir start at name and entry on their stacks.
func (v *visitor) tell(dir string, name, entry int, ig ignores, r *run) error {
	files, bytes := len(v.entries)-entry, int64(0)
	out := omitted{dir: dir, run: r}
	for end := len(v.names); name < end; name++ {
		n := v.names[name] // a copy: visiting a folder may move the stack
		var e Entry
		if n.looked {
			e = v.entries[entry]
			entry++
		}
		switch {
		case n.gone:
		case n.reason == "" && n.typ.IsDir():
			if err := v.enter(n.path, ig, r); err != nil {
				return err
			}
		case n.reason == "" && v.fits(&e):
			r.entries = append(r.entries, e)
			bytes += e.Size
		default:
			out.add(v.exclusion(&n, e.Size))
		}
	}
	out.flush()
	if !v.capped && (v.files.Add(int64(files)) > v.maxFiles || v.bytes.Add(bytes) > v.maxBytes) {
		return errOverLimit
	}
	return nil
}

// exclusion returns the exclusion of a name, with the limit that it passed.
func (v *visitor) exclusion(n *dirent, size int64) Exclusion {
	x := Exclusion{Path: n.path, Dir: n.typ.IsDir(), Reason: n.reason, Size: size}
	switch n.reason {
	case "":
		x.Reason, x.Detail = ReasonLimit, v.full
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

// enter visits a folder, or hands it to a goroutine that waits for work.
func (v *visitor) enter(dir string, ig ignores, r *run) error {
	if v.full != "" {
		r.excluded = append(r.excluded, Exclusion{Path: dir, Dir: true, Reason: ReasonLimit, Detail: v.full})
		return nil
	}
	if v.tasks != nil {
		t := task{dir: dir, ignores: ig, run: &run{}}
		v.pending.Add(1)
		select {
		case v.tasks <- t:
			r.splices = append(r.splices, splice{len(r.entries), len(r.excluded), t.run})
			return nil
		default:
			v.pending.Add(-1)
		}
	}
	return v.visit(dir, ig, r)
}

// ignoresIn returns the rules in force inside a folder: those above it and
// those of its own ignore files. A repository inside the tree starts anew: the
// .gitignore files above it are not its own.
func (v *visitor) ignoresIn(d folder, prefix string, names []dirent, ig ignores) (ignores, error) {
	base := len(prefix)
	if repository := holds(names, base, ".git"); !v.policy.NoGitignore && (repository || prefix == "") {
		ig.git = (*layer)(nil).push(v.global, base)
		if repository {
			ig.git = ig.git.push(v.repositoryExcludes(d, prefix), base)
		}
	}
	for _, name := range v.ignoreFiles {
		if !holds(names, base, name) {
			continue
		}
		text, err := readSmall(d, name)
		if err != nil {
			return ig, err
		}
		if rs := parseRules(text); name == gitignoreName {
			ig.git = ig.git.push(rs, base)
		} else {
			ig.own = ig.own.push(rs, base)
		}
	}
	return ig, nil
}

// holds reports whether a folder, base bytes of whose names are its own path, holds name.
func holds(names []dirent, base int, name string) bool {
	for i := range names {
		if names[i].path[base:] == name {
			return true
		}
	}
	return false
}

// readSmall reads a regular file that must be read for the walk to be right.
// One that vanished or cannot be read counts as empty, as in git, and so does
// one above maxIgnoreBytes.
func readSmall(d folder, name string) ([]byte, error) {
	var e Entry
	err := d.stat(name, &e)
	if err == nil && (!e.Mode.IsRegular() || e.Size > maxIgnoreBytes) {
		return nil, nil
	}
	var f file
	if err == nil {
		f, err = d.open(name)
	}
	if err != nil {
		if isExhausted(err) {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		return nil, nil
	}
	defer f.close()
	if err := f.stat(&e); err != nil || !e.Mode.IsRegular() {
		return nil, nil
	}
	text := make([]byte, 0, min(e.Size, maxIgnoreBytes)+1)
	for len(text) < cap(text) {
		n, err := f.read(text[len(text):cap(text)])
		if n == 0 || err != nil {
			break
		}
		text = text[:len(text)+n]
	}
	return text, nil
}

// repositoryExcludes returns the rules of info/exclude of the repository in the
// folder d, whose paths start with prefix. A .git file leads to the git folder;
// it is followed only where it stays beneath the root, so that a worktree whose
// repository lies elsewhere goes without these rules.
func (w *walker) repositoryExcludes(d folder, prefix string) *rules {
	var e Entry
	if err := d.stat(".git", &e); err != nil {
		return nil
	}
	dir := prefix + ".git"
	if e.Mode.IsRegular() {
		if dir = w.gitDir(d, prefix); dir == "" {
			return nil
		}
	}
	info, err := w.tree.openParent(dir + "/info")
	if err != nil {
		return nil
	}
	defer info.close()
	text, _ := readSmall(info, "exclude")
	return parseRules(text)
}

// gitDir returns the common git folder that the .git file in d names, or "" if
// it lies outside the root.
func (w *walker) gitDir(d folder, prefix string) string {
	text, _ := readSmall(d, ".git")
	target, ok := strings.CutPrefix(string(text), "gitdir: ")
	if !ok {
		return ""
	}
	dir := beneath(prefix, target)
	if dir == "" {
		return ""
	}
	inside, err := w.tree.openParent(dir)
	if err != nil {
		return ""
	}
	defer inside.close()
	if common, _ := readSmall(inside, "commondir"); len(common) > 0 {
		return beneath(dir, string(common))
	}
	return dir
}

// beneath resolves a relative path written in a file in dir, or returns "" if
// it leads out of the root.
func beneath(dir, target string) string {
	target = strings.TrimRight(target, "\r\n")
	if target == "" || path.IsAbs(target) || len(target) > maxPathBytes {
		return ""
	}
	p := path.Join(dir, target)
	if p == "." || p == ".." || strings.HasPrefix(p, "../") {
		return ""
	}
	return p
}

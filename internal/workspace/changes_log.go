package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"espy/internal/diff"
	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/store"
	"espy/internal/usage"
)

// generationPrefix begins a since that names a generation of the index.
const generationPrefix = "generation:"

// syncTime bounds how long a question about changes waits for the newest
// changes to be indexed, where it is bounded itself.
const syncTime = 3 * time.Second

// sinceGeneration lists what the log of the index tells since a generation.
func (r *Repo) sinceGeneration(ctx context.Context, req *ChangesRequest, number string) (*Changes, []FileChange, error) {
	n, err := strconv.ParseUint(number, 10, 63)
	if err != nil {
		return nil, nil, &usage.Error{Arg: "since", Value: req.Since, Msg: "no generation", Hint: "write generation:N; the first line of an answer tells the newest"}
	}
	l, err := r.readLog(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	if n > l.newest {
		return nil, nil, &usage.Error{Arg: "since", Value: req.Since, Msg: "not there yet", Hint: fmt.Sprintf("the newest is generation:%d", l.newest)}
	}
	l.changes.From.Name = fmt.Sprintf("generation %d", n)
	records := slices.DeleteFunc(l.records, func(rec store.LogRecord) bool { return rec.Generation <= n })
	return l.changes, l.files(records, n), nil
}

// withoutGit lists what is known of a folder that has no history: what the log
// tells since a time, and before the log begins when files were modified.
func (r *Repo) withoutGit(ctx context.Context, req *ChangesRequest, none *NoHistoryError) (*Changes, []FileChange, error) {
	since, isTime := ParseTime(req.Since)
	if req.Since != "" && !isTime {
		return nil, nil, fmt.Errorf("since %q: %w", req.Since, none)
	}
	l, err := r.readLog(ctx, req)
	if err != nil {
		return nil, nil, err
	}
	begins, why := l.begins(), none.Err
	if errors.Is(why, git.ErrNoRepository) {
		why = git.ErrNoRepository
	}
	l.changes.Notes = append(l.changes.Notes, fmt.Sprintf("%v: from what the index was told since %s", why, begins.Format(time.RFC3339)))
	l.changes.From.Name = cmp.Or(req.Since, "the first indexing")
	records := slices.DeleteFunc(slices.Clone(l.records), func(rec store.LogRecord) bool { return rec.Time.Before(since) })
	after := uint64(0)
	if len(records) > 0 {
		after = records[0].Base
	}
	files := l.files(records, after)
	if isTime && since.Before(begins) {
		files, err = r.modified(ctx, l.changes, files, since)
	}
	return l.changes, files, err
}

// logged is the log of the index as a question reads it.
type logged struct {
	changes *Changes
	records []store.LogRecord
	newest  uint64 // generation
}

// readLog brings the index up to date and reads its log.
func (r *Repo) readLog(ctx context.Context, req *ChangesRequest) (*logged, error) {
	l := &logged{changes: &Changes{Checkout: Checkout{Repo: r.Name()}, Source: SourceLog}}
	if r.at != nil {
		return nil, &usage.Error{Arg: "since", Value: req.Since, Msg: "of no use for a commit, which never changes", Hint: "give ref=A..B"}
	}
	wait, cancel := ctx, context.CancelFunc(func() {})
	if req.Time > 0 {
		wait, cancel = context.WithTimeout(ctx, syncTime)
	}
	defer cancel()
	j, fresh := r.startSync(IndexOptions{})
	err := j.wait(wait, req.Progress)
	if !fresh && err == nil { // it may have begun before the newest change
		j, _ = r.startSync(IndexOptions{})
		err = j.wait(wait, req.Progress)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l.changes.Notes = append(l.changes.Notes, "the index is not up to date: what was changed last may be missing: "+err.Error())
	}
	s, err := r.newest()
	if err != nil && !errors.Is(err, store.ErrNoIndex) {
		return nil, err
	}
	if err == nil {
		l.newest = s.Freshness.Generation
		s.Close()
	}
	l.changes.Freshness = r.Freshness(ctx)
	l.changes.To.Name = fmt.Sprintf("generation %d", l.newest)
	l.changes.Freshness = r.Freshness(ctx)
	l.records, err = r.family.Log(r.view)
	return l, err
}

// begins is when the log begins.
func (l *logged) begins() time.Time {
	if len(l.records) == 0 {
		return time.Time{}
	}
	return l.records[0].Time
}

// files sums records up, of the generations after one. What the log lacks is noted.
func (l *logged) files(records []store.LogRecord, after uint64) []FileChange {
	sum := summary{}
	for _, r := range records {
		if r.Base != after {
			l.changes.Notes = append(l.changes.Notes, fmt.Sprintf("the log does not tell what became generation %d from generation %d: changes are missing", r.Base, after))
		}
		after = r.Generation
		if left := r.Files - len(r.Changes); left > 0 && r.Base > 0 {
			l.changes.Notes = append(l.changes.Notes, fmt.Sprintf("generation %d changed %d files more than the log has room for", r.Generation, left))
		}
		for i := range r.Changes {
			sum.add(&r.Changes[i])
		}
	}
	if after < l.newest {
		l.changes.Notes = append(l.changes.Notes, fmt.Sprintf("the log ends at generation %d: changes since are missing", after))
	}
	return sum.files()
}

// summary is what became of files over several commits, by path.
type summary map[string]*FileChange

func (s summary) add(c *store.LogChange) {
	path, status := string(c.Path), FileStatus(c.Status)
	f := s[path]
	if status == FileRenamed {
		if f = s[string(c.Old)]; f != nil {
			delete(s, f.Path)
			f.Path = path
		}
		if f == nil {
			f = &FileChange{Path: path, Old: string(c.Old), Status: FileRenamed, Outline: true}
		} else if f.Status == FileModified {
			f.Status, f.Old = FileRenamed, string(c.Old)
		}
		s[path] = f
		return
	}
	if f == nil {
		f = &FileChange{Path: path, Status: status, Outline: true}
		s[path] = f
	}
	switch {
	case f.Status == FileAdded && status == FileRemoved:
		delete(s, path)
		return
	case f.Status == FileRemoved && status == FileAdded:
		f.Status = FileModified
	case status == FileRemoved:
		f.Status, f.Symbols, f.More = FileRemoved, nil, 0
	}
	if c.Unread {
		f.Why = "the log had no room for its symbols"
	}
	f.More += c.More
	for _, y := range c.Symbols {
		f.addSymbol(y)
	}
}

// addSymbol sums up what became of one symbol.
func (f *FileChange) addSymbol(y store.LogSymbol) {
	kind, _ := diff.KindNamed(y.Change)
	now := diff.Change{Kind: kind, Path: f.Path, OldPath: cmp.Or(f.Old, f.Path), Symbol: diff.Symbol{
		ID: y.Name, Name: y.Name, Kind: y.Kind, Line: y.Line, EndLine: y.End,
	}}
	i := slices.IndexFunc(f.Symbols, func(c diff.Change) bool { return c.Symbol.ID == y.Name })
	if i < 0 {
		f.Symbols = append(f.Symbols, now)
		return
	}
	switch before := f.Symbols[i].Kind; {
	case before == diff.Added && kind == diff.Removed:
		f.Symbols = slices.Delete(f.Symbols, i, i+1)
		return
	case before == diff.Added:
		now.Kind = diff.Added
	case before == diff.Removed && kind == diff.Added:
		now.Kind = diff.Body
	default:
		now.Kind = min(before, kind) // the one that matters more
	}
	f.Symbols[i] = now
}

func (s summary) files() []FileChange {
	files := make([]FileChange, 0, len(s))
	for _, path := range slices.Sorted(maps.Keys(s)) {
		files = append(files, *s[path])
	}
	return files
}

// modified adds the files that were modified since a time to what a log tells.
func (r *Repo) modified(ctx context.Context, c *Changes, files []FileChange, since time.Time) ([]FileChange, error) {
	root, err := r.openRoot()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	o := r.options()
	listing, err := discover.Walk(ctx, root, o.Policy, discover.Options{GlobalIgnore: o.GlobalIgnore})
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for i := range files {
		known[files[i].Path] = true
	}
	for _, e := range listing.Entries {
		if !known[e.Path] && e.MtimeNS >= since.UnixNano() {
			files = append(files, FileChange{Path: e.Path, Status: FileModified, Why: "modified at " + time.Unix(0, e.MtimeNS).UTC().Format(time.RFC3339)})
		}
	}
	c.Source = SourceTimes
	c.Notes = append(c.Notes, "before that, by modification times: files that were removed and what of a file changed are not known")
	slices.SortFunc(files, func(a, b FileChange) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

package changes

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
	"espy/internal/git"
	"espy/internal/store"
	"espy/internal/store/changelog"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/origin"
)

// generationPrefix begins a since that names a generation of the index.
const generationPrefix = "generation:"

// syncTime bounds how long a question about changes waits for the newest
// changes to be indexed, where it is bounded itself.
const syncTime = 3 * time.Second

// sinceGeneration lists what the log of the index says since a generation.
func sinceGeneration(ctx context.Context, r *workspace.Repo, req *Request, number string) (*Changes, []File, error) {
	n, err := strconv.ParseUint(number, 10, 63)
	if err != nil {
		return nil, nil, &usage.Error{Arg: "since", Value: req.Since, Msg: "not a generation", Hint: "write generation:N; the first line of an answer names the newest"}
	}
	l, err := readLog(ctx, r, req)
	if err != nil {
		return nil, nil, err
	}
	if n > l.newest {
		return nil, nil, &usage.Error{Arg: "since", Value: req.Since, Msg: "not there yet", Hint: fmt.Sprintf("the newest is generation:%d", l.newest)}
	}
	l.changes.From.Name = fmt.Sprintf("generation %d", n)
	records := slices.DeleteFunc(l.records, func(rec changelog.Record) bool { return rec.Generation <= n })
	return l.changes, l.files(records, n), nil
}

// withoutGit lists what is known of a folder that has no history: from the log
// since a time, and before the log begins from modification times.
func withoutGit(ctx context.Context, r *workspace.Repo, req *Request, none *origin.NoHistoryError) (*Changes, []File, error) {
	since, isTime := parseTime(req.Since)
	if req.Since != "" && !isTime {
		return nil, nil, fmt.Errorf("since %q: %w", req.Since, none)
	}
	l, err := readLog(ctx, r, req)
	if err != nil {
		return nil, nil, err
	}
	begins, why := l.begins(), none.Err
	if errors.Is(why, git.ErrNoRepository) {
		why = git.ErrNoRepository
	}
	l.changes.Notes = append(l.changes.Notes, fmt.Sprintf("%v: compared by the log of the index, which begins %s", why, begins.Format(time.RFC3339)))
	l.changes.From.Name = cmp.Or(req.Since, "the first indexing")
	records := slices.DeleteFunc(slices.Clone(l.records), func(rec changelog.Record) bool { return rec.Time.Before(since) })
	after := uint64(0)
	if len(records) > 0 {
		after = records[0].Base
	}
	files := l.files(records, after)
	switch {
	case !isTime || !since.Before(begins):
	case r.Published():
		l.changes.Notes = append(l.changes.Notes, "what changed before the log begins is not known")
	default:
		files, err = modified(ctx, r, l.changes, files, since)
	}
	return l.changes, files, err
}

// logged is the log of the index as a question reads it.
type logged struct {
	changes *Changes
	records []changelog.Record
	newest  uint64 // generation
}

// readLog brings the index up to date and reads its log.
func readLog(ctx context.Context, r *workspace.Repo, req *Request) (*logged, error) {
	l := &logged{changes: &Changes{Checkout: workspace.Checkout{Repo: r.Name()}, Source: SourceLog}}
	if r.Frozen() && !r.Published() {
		return nil, &usage.Error{Arg: "since", Value: req.Since, Msg: "not valid for a commit, which never changes", Hint: "give ref=A..B"}
	}
	if err := update(ctx, r, req); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l.changes.Notes = append(l.changes.Notes, "the index is not up to date, so the latest changes may be missing: "+err.Error())
	}
	var err error
	l.newest, l.records, err = r.Log()
	l.changes.To.Name = fmt.Sprintf("generation %d", l.newest)
	l.changes.Freshness = r.Freshness(ctx)
	return l, err
}

// update brings the index up to date, within syncTime where the question is bounded.
// What is published comes with the freshness.
func update(ctx context.Context, r *workspace.Repo, req *Request) error {
	if r.Published() {
		r.Freshness(ctx)
		return nil
	}
	if req.Time > 0 {
		bounded, cancel := context.WithTimeout(ctx, syncTime)
		defer cancel()
		ctx = bounded
	}
	return r.Update(ctx, req.Progress)
}

// begins returns when the log begins.
func (l *logged) begins() time.Time {
	if len(l.records) == 0 {
		return time.Time{}
	}
	return l.records[0].Time
}

// files sums up the records of the generations after one. It notes what the log lacks.
func (l *logged) files(records []changelog.Record, after uint64) []File {
	sum := summary{}
	for _, r := range records {
		if r.Base != after {
			l.changes.Notes = append(l.changes.Notes, fmt.Sprintf("the log has a gap before generation %d, after generation %d: changes are missing", r.Base, after))
		}
		after = r.Generation
		if left := r.Files - len(r.Changes); left > 0 && r.Base > 0 {
			l.changes.Notes = append(l.changes.Notes, fmt.Sprintf("generation %d changed %d more files than the log can hold", r.Generation, left))
		}
		for i := range r.Changes {
			sum.add(&r.Changes[i])
		}
	}
	if after < l.newest {
		l.changes.Notes = append(l.changes.Notes, fmt.Sprintf("the log ends at generation %d: later changes are missing", after))
	}
	return sum.files()
}

// summary is what happened to files over several commits, by path.
type summary map[string]*File

func (s summary) add(c *changelog.Change) {
	path, status := string(c.Path), Status(c.Status)
	f := s[path]
	if status == Renamed {
		if f = s[string(c.Old)]; f != nil {
			delete(s, f.Path)
			f.Path = path
		}
		if f == nil {
			f = &File{Path: path, Old: string(c.Old), Status: Renamed, Outline: true}
		} else if f.Status == Modified {
			f.Status, f.Old = Renamed, string(c.Old)
		}
		s[path] = f
		return
	}
	if f == nil {
		f = &File{Path: path, Status: status, Outline: true}
		s[path] = f
	}
	switch {
	case f.Status == Added && status == Removed:
		delete(s, path)
		return
	case f.Status == Removed && status == Added:
		f.Status = Modified
	case status == Removed:
		f.Status, f.Symbols, f.More = Removed, nil, 0
	}
	if c.Unread {
		f.Why = "the log had no room for its symbols"
	}
	f.More += c.More
	for _, y := range c.Symbols {
		f.addSymbol(y)
	}
}

// addSymbol sums up what happened to one symbol.
func (f *File) addSymbol(y changelog.Symbol) {
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

func (s summary) files() []File {
	files := make([]File, 0, len(s))
	for _, path := range slices.Sorted(maps.Keys(s)) {
		files = append(files, *s[path])
	}
	return files
}

// modified adds the files that were modified since a time to those of the log.
func modified(ctx context.Context, r *workspace.Repo, c *Changes, files []File, since time.Time) ([]File, error) {
	known := map[string]bool{}
	for i := range files {
		known[files[i].Path] = true
	}
	all := files
	err := r.Look(ctx, workspace.Wait{Fresh: syncTime}, func(s *store.Snapshot) error {
		all = files[:len(files):len(files)]
		tree, err := s.Tree()
		for i := range tree.Leaves {
			l := &tree.Leaves[i]
			if l.Dir || l.Count > 0 || l.Reason != "" && !l.Read || known[l.Path] || l.Stat.MTime < since.UnixNano() {
				continue
			}
			all = append(all, File{Path: l.Path, Status: Modified, Why: "modified at " + time.Unix(0, l.Stat.MTime).UTC().Format(time.RFC3339)})
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	c.Source = SourceTimes
	c.Notes = append(c.Notes, "before that, only modification times are known: removed files and changed symbols are missing")
	slices.SortFunc(all, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return all, nil
}

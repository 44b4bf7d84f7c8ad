// Package changes answers what differs between two states of a repository,
// file by file and symbol by symbol, which commits touched a file, and which
// commit each of its lines comes from.
//
// Two commits are compared by git. The work tree is compared with a commit by
// what the walker lists, git's index and the commit's tree, side by side
// (paths.go, tree.go). Without git, the log of the index answers (log.go).
package changes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"espy/internal/diff"
	"espy/internal/filter"
	"espy/internal/git"
	"espy/internal/lang"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/origin"
)

// Compare tells which files and symbols differ between two states of a repository.
func Compare(ctx context.Context, r *workspace.Repo, req Request) (*Changes, error) {
	filter, err := filter.NewFileFilter(req.Paths, req.Languages)
	if err != nil {
		return nil, err
	}
	end, bounded := ctx.Deadline()
	half := time.Time{}
	if bounded {
		half = time.Now().Add(time.Until(end) / 2)
	}
	d, err := find(ctx, r, &req, half)
	if err != nil {
		return nil, err
	}
	defer d.pair.close()
	if left := time.Until(end) * 4 / 5; bounded && (req.Time == 0 || req.Time > left) {
		req.Time = max(left, time.Millisecond)
	}
	if req.Limit == 0 {
		req.Limit = defaultFiles
	}
	files := slices.DeleteFunc(d.files, func(f File) bool {
		return !allows(filter, f.Path) && (f.Old == "" || !allows(filter, f.Old))
	})
	c := d.answer
	c.Offset, c.Symbols = req.Offset, map[diff.Kind]int{}
	if c.Source.ByContent() {
		work := &comparison{open: d.sides(r), opts: r.Options(), files: files, req: &req}
		if c.Symbols, err = work.run(ctx); err != nil {
			return nil, err
		}
	}
	c.count(files)
	c.Files = files[min(req.Offset, len(files)):]
	c.Files = c.Files[:min(req.Limit, len(c.Files))]
	return c, nil
}

// allows reports whether a filter lets a path through.
func allows(f *filter.FileFilter, path string) bool {
	name := ""
	if l := lang.Detect(path, nil); l != nil {
		name = l.Name
	}
	return f.Allows(path, name)
}

// difference is two states and the files that differ between them.
type difference struct {
	answer  *Changes
	files   []File
	history *git.Repository // nil where the source is not git
	pair    *pair           // nil where the source is not two indexes
	half    time.Time       // when the files must have been found, zero for no bound
}

// sides returns what opens the versions of the files of a repository.
func (d difference) sides(r *workspace.Repo) func(context.Context) (*sides, error) {
	if d.pair != nil {
		return func(context.Context) (*sides, error) { return &sides{opts: r.Options(), pair: d.pair}, nil }
	}
	return func(ctx context.Context) (*sides, error) { return openSides(ctx, r, d.history) }
}

// find finds the states that a request means and the files that differ.
func find(ctx context.Context, r *workspace.Repo, req *Request, half time.Time) (d difference, err error) {
	d.half = half
	if req.Ref != "" && req.Since != "" {
		return d, &usage.Error{Arg: "since", Value: req.Since, Msg: "given together with ref", Hint: "give only one of them"}
	}
	if generation, ok := strings.CutPrefix(req.Since, generationPrefix); ok {
		d.answer, d.files, err = sinceGeneration(ctx, r, req, generation)
		return d, err
	}
	if r.Published() {
		return published(ctx, r, req)
	}
	history, at, err := r.History(ctx)
	var none *origin.NoHistoryError
	if errors.As(err, &none) && req.Ref == "" {
		d.answer, d.files, err = withoutGit(ctx, r, req, none)
		return d, err
	}
	if err != nil {
		return d, err
	}
	d.history, d.answer = history, &Changes{Checkout: at, Source: SourceGit}
	if r.Frozen() && req.Ref == "" { // what its commit changed
		req.Ref = cmp.Or(req.Since, at.Commit+"^") + ".." + at.Commit
	}
	if req.Ref == "" {
		d.files, err = inWorkTree(ctx, r, d, req.Since)
		return d, err
	}
	if err := d.between(ctx, r, req.Ref); err != nil {
		return d, err
	}
	changed, err := history.Changes(ctx, d.answer.From.Commit, d.answer.To.Commit)
	d.files = newFiles(changed)
	return d, err
}

func notRange(ref string) error {
	return &usage.Error{Arg: "ref", Value: ref, Msg: "not a range of commits", Hint: "write A..B, as in main..HEAD; since=A compares the work tree with A"}
}

// between finds the two commits that a range names.
func (d difference) between(ctx context.Context, r *workspace.Repo, ref string) error {
	from, to, ok := strings.Cut(ref, "..")
	if !ok {
		return notRange(ref)
	}
	to, base := strings.CutPrefix(to, ".")
	c := d.answer
	c.From.Name, c.To.Name = cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD")
	for _, side := range []*Side{&c.From, &c.To} {
		id, err := r.Resolve(ctx, side.Name)
		if err != nil {
			return err
		}
		side.Commit = id
	}
	if !base {
		return nil
	}
	id, err := d.history.MergeBase(ctx, c.From.Commit, c.To.Commit)
	if err != nil {
		return err
	}
	if id == "" {
		return &usage.Error{Arg: "ref", Value: ref, Msg: "two commits without a common ancestor", Hint: "write A..B to compare them directly"}
	}
	c.From = Side{Name: fmt.Sprintf("%.8s", id), Commit: id}
	return nil
}

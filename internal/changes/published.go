package changes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"espy/internal/code"
	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/listing"
	"espy/internal/segment"
	"espy/internal/store"
	"espy/internal/store/changelog"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/indexed"
	"espy/internal/workspace/origin"
)

// published finds the states of a repository that a team has published, and the files
// that differ: two of its branches are compared by their indexes, and what happened
// since a time or a generation is in the log that goes with the index.
func published(ctx context.Context, r *workspace.Repo, req *Request) (d difference, err error) {
	if from, to, ok := strings.Cut(req.Ref, ".."); ok {
		if strings.HasPrefix(to, ".") {
			return d, &usage.Error{Arg: "ref", Value: req.Ref, Msg: "a merge base is not known in the team's database, which holds no history", Hint: "write A..B, which compares the two as they are published"}
		}
		return betweenPublished(ctx, r, cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD"))
	}
	if req.Ref != "" {
		return d, notRange(req.Ref)
	}
	if _, isTime := parseTime(req.Since); req.Since != "" && !isTime {
		return betweenPublished(ctx, r, req.Since, "HEAD")
	}
	if req.Since != "" {
		d.answer, d.files, err = withoutGit(ctx, r, req, &origin.NoHistoryError{Repo: r.Name(), Err: origin.ErrPublished})
		return d, err
	}
	d.answer, d.files, err = newestGeneration(ctx, r, req)
	return d, err
}

// newestGeneration lists what the newest generation that is in the log has changed.
func newestGeneration(ctx context.Context, r *workspace.Repo, req *Request) (*Changes, []File, error) {
	l, err := readLog(ctx, r, req)
	if err != nil {
		return nil, nil, err
	}
	var newest []changelog.Record
	base := uint64(0)
	if n := len(l.records); n > 0 && l.records[n-1].Base > 0 {
		newest, base = l.records[n-1:], l.records[n-1].Base
	}
	l.changes.From.Name = fmt.Sprintf("generation %d", base)
	l.changes.Notes = append(l.changes.Notes, origin.ErrPublished.Error()+": this is what the newest generation changed; since=generation:N goes further back, ref=A..B compares branches that are published")
	if base == 0 {
		l.changes.From.Name = l.changes.To.Name
		l.changes.Notes = append(l.changes.Notes, "the log of the index begins here: what changed before is not known")
		return l.changes, nil, nil
	}
	return l.changes, l.files(newest, base), nil
}

// betweenPublished compares two revisions of a repository as they are published.
func betweenPublished(ctx context.Context, r *workspace.Repo, from, to string) (d difference, err error) {
	p := &pair{}
	d.pair, d.answer = p, &Changes{Source: SourceIndex}
	open := func(ref string, side *Side) (*store.Snapshot, error) {
		at, err := r.At(ctx, ref)
		if err != nil {
			return nil, err
		}
		s, err := at.Snapshot(ctx, workspace.Wait{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at.Name(), err)
		}
		commit, branch := s.Checkout()
		if *side = (Side{Name: ref, Commit: commit}); ref == "HEAD" && branch != "" {
			side.Name = branch
		}
		d.answer.Checkout = workspace.Checkout{Repo: at.Name(), Commit: commit, Branch: branch, Freshness: s.Freshness}
		return s, nil
	}
	if p.old, err = open(from, &d.answer.From); err == nil {
		p.new, err = open(to, &d.answer.To)
	}
	if err == nil {
		d.files, err = p.files(d.answer)
	}
	if err != nil {
		p.close()
	}
	return d, err
}

// pair is two indexes whose files are compared.
type pair struct{ old, new *store.Snapshot }

func (p *pair) close() {
	if p == nil {
		return
	}
	for _, s := range []*store.Snapshot{p.old, p.new} {
		if s != nil {
			s.Close() // it was only read
		}
	}
	p.old, p.new = nil, nil
}

// files lists the files whose contents differ. Of what an index leaves out, only those
// are known that it has read.
func (p *pair) files(c *Changes) ([]File, error) {
	old, err := p.old.Tree()
	if err != nil {
		return nil, err
	}
	new, err := p.new.Tree()
	if err != nil {
		return nil, err
	}
	var files []File
	unknown := 0
	byPath := func(a, b *listing.Leaf) int { return cmp.Compare(a.Path, b.Path) }
	for was, is := range listing.Join(old.Leaves, leaves(new), byPath) {
		f, differs := leafChange(was, is)
		switch {
		case differs:
			files = append(files, f)
		case (left(was) || left(is)) && !known(was, is):
			unknown++
		}
	}
	if unknown > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d paths are left out of an index, as espy files --excluded lists them: whether they differ is not known", unknown))
	}
	return renames(files, p)
}

func leaves(t *listing.Tree) func(func(*listing.Leaf) bool) {
	return func(yield func(*listing.Leaf) bool) {
		for i := range t.Leaves {
			if !yield(&t.Leaves[i]) {
				return
			}
		}
	}
}

// left reports whether a path is left out of an index.
func left(l *listing.Leaf) bool { return l != nil && l.Reason != "" }

// known reports whether two paths that are left out are known not to differ: they have
// the same content, or are git's own.
func known(a, b *listing.Leaf) bool {
	switch {
	case a == nil || b == nil:
		return false
	case a.Reason == string(discover.ReasonVCS) && b.Reason == a.Reason:
		return true
	}
	return a.Hash == b.Hash && a.Hash != (code.Hash{})
}

// leafChange returns how a path differs between two indexes.
func leafChange(was, is *listing.Leaf) (f File, differs bool) {
	if left(was) || left(is) {
		return f, false
	}
	switch {
	case was == nil:
		f = File{Path: is.Path, Status: Added}
	case is == nil:
		f = File{Path: was.Path, Status: Removed}
	default:
		f = File{Path: is.Path, Status: Modified}
	}
	if was != nil {
		f.oldID, f.oldMode = was.Hash.String(), git.ModeFile
	}
	if is != nil {
		f.newID, f.newMode = is.Hash.String(), git.ModeFile
	}
	return f, f.oldID != f.newID
}

// removed implements versions.
func (p *pair) removed(f *File) ([]byte, error) {
	c, err := textOfIndex(p.old, f.Path)
	if errors.Is(err, fs.ErrNotExist) || len(c.Text) > renameBytes {
		return nil, nil
	}
	return c.Text, err
}

// added implements versions.
func (p *pair) added(f *File) []byte {
	c, err := textOfIndex(p.new, f.Path)
	if err != nil || len(c.Text) > renameBytes {
		return nil
	}
	return c.Text
}

func textOfIndex(s *store.Snapshot, path string) (c discover.Content, err error) {
	err = segment.Guard(func() error { c, err = indexed.Read(s, path); return err })
	return c, err
}

// indexed returns what reads and parses a version out of an index.
func (s *sides) indexed(from *store.Snapshot) func(context.Context, *File, blob, version) (version, error) {
	return func(ctx context.Context, f *File, b blob, other version) (version, error) {
		if b.id == "" {
			return noVersion(), nil
		}
		c, err := textOfIndex(from, b.path)
		if err != nil {
			return version{}, err
		}
		if len(c.Text) > maxCompared {
			f.Why = discover.ReasonTooLarge.Explain()
			return noVersion(), nil
		}
		t := Text{Path: b.path, Text: slices.Clone(c.Text)}
		if seg, file, ok := from.Find(b.path); ok {
			if err := segment.Guard(func() error { t.Known = Known(from, seg, file); return nil }); err != nil {
				return version{}, err
			}
		}
		return s.parse(ctx, f, t, other)
	}
}

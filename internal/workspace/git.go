package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"espy/internal/code"
	"espy/internal/git"
	"espy/internal/nearest"
	"espy/internal/usage"
)

// Checkout is what of a repository's history is checked out.
type Checkout struct {
	Repo           string // name
	Commit, Branch string // empty where there is none
	Shallow        bool   // older commits than a few are not known
	Freshness      code.Freshness
}

// Blame is where lines of a file come from.
type Blame struct {
	Checkout
	Path    string
	Symbol  string                // id of the symbol whose lines these are, empty for lines
	Lines   []git.Line            // as they stand in Commit
	Commits map[string]git.Commit // by id
	Edited  bool                  // these lines of the file are not as in Commit
}

// Blame tells which commits lines of a file come from, as it is checked out.
// Lines are 1-based; 0 is the first and the last of the file. The path may be
// the id of a symbol, path#Type.method, whose lines are then meant.
func (r *Repo) Blame(ctx context.Context, path string, first, last int) (*Blame, error) {
	history, at, err := r.history(ctx)
	if err != nil {
		return nil, err
	}
	b := &Blame{Checkout: at, Path: path}
	if first == 0 && last == 0 {
		if path, first, last, err = r.symbolLines(ctx, history, at, path); err != nil {
			return nil, err
		}
		if path != b.Path {
			b.Path, b.Symbol = path, b.Path
		}
	}
	if b.Lines, b.Commits, err = history.Blame(ctx, at.Commit, path, first, last); err != nil {
		return nil, r.unknown(ctx, path, at, err)
	}
	b.Edited, err = r.edited(ctx, path, b.Lines)
	return b, err
}

// History is the commits that touch a file or folder.
type History struct {
	Checkout
	Path        string // empty for the whole repository
	Symbol      string // id of the symbol whose lines these are, empty for lines
	First, Last int    // lines of the file that the commits touch; 0 for all of it
	Commits     []git.Commit
	More        bool // there are older ones
	File        bool // the path is a file of the tree
	Edited      bool // the lines are not as in Commit

	Churn        []git.Churn // of a folder: the files changed most often, the first few that there still are
	ChurnCommits int         // commits that Churn counts, merges left out
}

// A history of a folder names mostChanged files of those that its newest
// churnCommits commits changed.
const (
	mostChanged  = 8
	churnCommits = 1000
)

// HistoryRequest asks for commits, the newest first.
type HistoryRequest struct {
	Path        string    // of a file or folder, or the id of a symbol, path#Type.method
	First, Last int       // lines of a file, as it is checked out
	Since       time.Time // zero for the first commit
	Limit       int       // 0 is DefaultCommits
}

// DefaultCommits is how many commits a history shows.
const DefaultCommits = 20

// History lists the commits that touch a file, lines of it, a symbol, or a
// folder. Lines are followed back through renames of their file.
func (r *Repo) History(ctx context.Context, req HistoryRequest) (*History, error) {
	history, at, err := r.history(ctx)
	if err != nil {
		return nil, err
	}
	if req.Limit == 0 {
		req.Limit = DefaultCommits
	}
	id := req.Path
	if req.First == 0 {
		if req.Path, req.First, req.Last, err = r.symbolLines(ctx, history, at, id); err != nil {
			return nil, err
		}
	}
	h := &History{Checkout: at, Path: req.Path, First: req.First, Last: req.Last}
	if req.Path != id {
		h.Symbol = id
	}
	o := git.LogOptions{First: req.First, End: req.Last, Since: req.Since, Limit: req.Limit + 1}
	if req.Path != "" {
		o.Paths = []string{req.Path}
	}
	if h.Commits, err = history.Log(ctx, at.Commit, o); err != nil {
		return nil, r.unknown(ctx, req.Path, at, err)
	}
	if len(h.Commits) == 0 && req.Path != "" && req.Since.IsZero() {
		return nil, fmt.Errorf("no commit touches %s: %w", req.Path, fs.ErrNotExist)
	}
	h.File = r.isFile(ctx, req.Path)
	if h.More = len(h.Commits) > req.Limit; h.More {
		h.Commits = h.Commits[:req.Limit]
	}
	if req.First > 0 {
		lines, _, err := history.Blame(ctx, at.Commit, req.Path, req.First, req.Last)
		if err != nil {
			return nil, err
		}
		h.Edited, err = r.edited(ctx, req.Path, lines)
		return h, err
	}
	if !h.File {
		o.Limit = churnCommits
		err = h.count(ctx, r, history, o)
	}
	return h, err
}

// count finds the files of a folder that were changed most often.
func (h *History) count(ctx context.Context, r *Repo, history *git.Repository, o git.LogOptions) error {
	churn, n, err := history.Churn(ctx, h.Commit, o)
	if errors.Is(err, git.ErrTooMuch) {
		return nil // commits of very many files: there is no telling
	}
	for _, c := range churn {
		if c.Commits > 1 && len(h.Churn) < mostChanged && r.isFile(ctx, c.Path) {
			h.Churn = append(h.Churn, c)
		}
	}
	h.ChurnCommits = n
	return err
}

// symbolLines returns the file and the lines, as they are committed, of the
// symbol that a path with a # means; another path is returned as it is.
func (r *Repo) symbolLines(ctx context.Context, history *git.Repository, at Checkout, id string) (path string, first, last int, err error) {
	path, name, ok := strings.Cut(id, "#")
	if !ok {
		return id, 0, 0, nil
	}
	if _, whole, err := history.Entry(ctx, at.Commit, id); whole || err != nil {
		return id, 0, 0, err
	}
	e, ok, err := history.Entry(ctx, at.Commit, path)
	if err != nil {
		return "", 0, 0, err
	}
	if !ok {
		return "", 0, 0, r.unknown(ctx, path, at, fmt.Errorf("commit %.12s has no file %s: %w", at.Commit, path, fs.ErrNotExist))
	}
	s, err := r.openSides(ctx, history)
	if err != nil {
		return "", 0, 0, err
	}
	defer s.close()
	c, f := &comparison{repo: r}, &FileChange{}
	v, _, err := c.version(ctx, s, f, path, e.ID, e.Mode)
	if err != nil {
		return "", 0, 0, err
	}
	if f.Why != "" {
		return "", 0, 0, fmt.Errorf("%s has no symbols: %s", path, f.Why)
	}
	var names []string
	for _, s := range v.Symbols {
		if s.ID == name && name != "" {
			return path, s.Line, s.EndLine, nil
		}
		names = append(names, s.ID)
	}
	hint := "espy outline " + path + " lists its symbols"
	if near := nearest.Of(name, names, 3); near != nil {
		hint = "did you mean " + path + "#" + strings.Join(near, ", "+path+"#") + "?"
	}
	return "", 0, 0, &usage.Error{Arg: "symbol", Value: id, Msg: fmt.Sprintf("not in commit %.12s", at.Commit), Hint: hint}
}

// isFile reports whether a path is a file of what the repository shows.
func (r *Repo) isFile(ctx context.Context, path string) bool {
	if r.at != nil {
		_, err := r.Read(ctx, path)
		return err == nil
	}
	root, err := r.openRoot()
	if err != nil {
		return false
	}
	defer root.Close()
	info, err := root.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// NoHistoryError says that a repository has no history to ask.
type NoHistoryError struct {
	Repo string
	Err  error
}

func (e *NoHistoryError) Error() string {
	return fmt.Sprintf("repo %s has no history: %v", e.Repo, e.Err)
}

// Unwrap returns the reason.
func (e *NoHistoryError) Unwrap() error { return e.Err }

var errNoCommit = errors.New("nothing is committed yet")

// history opens the repository's history at what is checked out.
func (r *Repo) history(ctx context.Context) (*git.Repository, Checkout, error) {
	if r.at != nil {
		return r.historyAt(ctx)
	}
	at := Checkout{Repo: r.Name(), Freshness: r.Freshness(ctx)}
	root, err := r.openRoot()
	if err != nil {
		return nil, at, err
	}
	defer root.Close()
	history, err := git.Open(r.Root())
	if err != nil {
		return nil, at, &NoHistoryError{Repo: r.Name(), Err: err}
	}
	if at.Commit, at.Branch = git.Head(root); at.Commit == "" {
		return nil, at, &NoHistoryError{Repo: r.Name(), Err: errNoCommit}
	}
	at.Shallow = history.Shallow()
	return history, at, ctx.Err()
}

// unknown explains why git knows nothing of a path.
func (r *Repo) unknown(ctx context.Context, path string, at Checkout, err error) error {
	if ctx.Err() != nil || path == "" {
		return err
	}
	if _, readErr := r.Read(ctx, path); readErr == nil {
		return fmt.Errorf("%s is not in commit %.12s, or has fewer lines there: %w", path, at.Commit, err)
	} else if errors.Is(readErr, fs.ErrNotExist) {
		return readErr
	}
	return err
}

// edited reports whether lines of a file are other than in a commit.
func (r *Repo) edited(ctx context.Context, path string, lines []git.Line) (bool, error) {
	if r.at != nil {
		return false, nil
	}
	c, err := r.Read(ctx, path)
	if err != nil {
		return ctx.Err() == nil, ctx.Err() // removed, or of a kind that is not read
	}
	now := bytes.Split(c.Text, []byte("\n"))
	for _, l := range lines {
		if l.Number > len(now) || !bytes.Equal(bytes.TrimSuffix(now[l.Number-1], []byte("\r")), bytes.TrimSuffix([]byte(l.Text), []byte("\r"))) {
			return true, nil
		}
	}
	return false, nil
}

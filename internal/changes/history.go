package changes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"espy/internal/discover"
	"espy/internal/git"
	"espy/internal/git/program"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/nearest"
	"espy/internal/parallel"
	"espy/internal/place"
	"espy/internal/usage"
	"espy/internal/workspace"
	"espy/internal/workspace/indexed"
)

// Blame is where lines of a file come from.
type Blame struct {
	workspace.Checkout
	Path    string
	Symbol  string                // id of the symbol whose lines these are, empty for lines
	Lines   []git.Line            // as they stand in Commit
	Commits map[string]git.Commit // by id
	Edited  bool                  // these lines of the file are not as in Commit
}

// BlameRequest asks which commits the lines of a file come from.
type BlameRequest struct {
	Path        string // of a file, or the id of a symbol, path#Type.method, for its lines
	First, Last int    // 1-based; 0 is the first and the last of the file
}

// BlameLines tells which commits lines of a file come from, as it is checked out.
func BlameLines(ctx context.Context, r *workspace.Repo, req BlameRequest) (*Blame, error) {
	history, at, err := r.History(ctx)
	if err != nil {
		return nil, err
	}
	p := &past{r, history, at}
	b := &Blame{Checkout: at, Path: req.Path}
	of := lines{path: req.Path, first: req.First, last: req.Last}
	if of.first == 0 && of.last == 0 {
		if of, err = p.linesOf(ctx, req.Path); err != nil {
			return nil, err
		}
		b.Path, b.Symbol = of.path, of.symbol
	}
	if b.Lines, b.Commits, err = history.Blame(ctx, at.Commit, of.path, of.first, of.last); err != nil {
		return nil, p.explain(ctx, of.path, err)
	}
	if r.Options().Policy.Secret(of.path, textOf(b.Lines)) {
		return nil, fmt.Errorf("blame %s: %s", of.path, discover.ReasonSecret.Explain())
	}
	b.Edited, err = p.edited(ctx, of.path, b.Lines)
	return b, err
}

// textOf joins lines.
func textOf(lines []git.Line) []byte {
	var text []byte
	for _, l := range lines {
		text = append(append(text, l.Text...), '\n')
	}
	return text
}

// History is the commits that touch a file or folder.
type History struct {
	workspace.Checkout
	Path        string // empty for the whole repository
	Symbol      string // id of the symbol whose lines these are, empty for lines
	First, Last int    // lines of the file that the commits touch; 0 for all of it
	Commits     []git.Commit
	More        bool // there are older ones
	Partial     bool // the time was over before all were found
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
	Limit       int       // 0 is defaultCommits
}

// defaultCommits is how many commits a history shows.
const defaultCommits = 20

// ListCommits lists the commits that touch a file, lines of it, a symbol, or a
// folder. Lines are followed back through renames of their file.
func ListCommits(ctx context.Context, r *workspace.Repo, req HistoryRequest) (*History, error) {
	history, at, err := r.History(ctx)
	if err != nil {
		return nil, err
	}
	if req.Limit == 0 {
		req.Limit = defaultCommits
	}
	p := &past{r, history, at}
	of := lines{path: req.Path, first: req.First, last: req.Last}
	if req.First == 0 {
		if of, err = p.linesOf(ctx, req.Path); err != nil {
			return nil, err
		}
	}
	h := &History{Checkout: at, Path: of.path, First: of.first, Last: of.last, Symbol: of.symbol}
	return h, p.list(ctx, h, req)
}

// list finds the commits of a history, and what else belongs to it.
func (p *past) list(ctx context.Context, h *History, req HistoryRequest) (err error) {
	o := git.LogOptions{First: h.First, End: h.Last, Since: req.Since, Limit: req.Limit + 1}
	if h.Path != "" {
		o.Paths = []string{h.Path}
	}
	quick, cancel := parallel.Early(ctx, 10)
	defer cancel()
	h.Commits, err = p.git.Log(quick, h.Commit, o)
	if h.Partial = errors.Is(err, context.DeadlineExceeded) && len(h.Commits) > 0; h.Partial {
		h.Commits = h.Commits[:min(len(h.Commits), req.Limit)]
		return nil
	}
	if err != nil {
		return p.explain(ctx, h.Path, err)
	}
	if len(h.Commits) == 0 && h.Path != "" && req.Since.IsZero() {
		return p.untouched(ctx, h.Path)
	}
	h.File = p.isFile(ctx, h.Path)
	if h.More = len(h.Commits) > req.Limit; h.More {
		h.Commits = h.Commits[:req.Limit]
	}
	if h.First > 0 {
		lines, _, err := p.git.Blame(ctx, h.Commit, h.Path, h.First, h.Last)
		if err != nil {
			return err
		}
		h.Edited, err = p.edited(ctx, h.Path, lines)
		return err
	}
	if h.File {
		return nil
	}
	o.Limit = churnCommits
	return p.churn(ctx, h, o)
}

// churn finds the files of a folder that were changed most often.
func (p *past) churn(ctx context.Context, h *History, o git.LogOptions) error {
	quick, cancel := parallel.Early(ctx, 10)
	defer cancel()
	churn, n, err := p.git.Churn(quick, h.Commit, o)
	if errors.Is(err, program.ErrTooMuch) {
		return nil // commits of very many files: they are not counted
	}
	if h.Partial = errors.Is(err, context.DeadlineExceeded); h.Partial {
		return nil
	}
	for _, c := range churn {
		if c.Commits > 1 && len(h.Churn) < mostChanged && p.isFile(ctx, c.Path) {
			h.Churn = append(h.Churn, c)
		}
	}
	h.ChurnCommits = n
	return err
}

// past is the history of a repository at what is checked out.
type past struct {
	repo *workspace.Repo
	git  *git.Repository
	at   workspace.Checkout
}

// lines are lines of a file as it is committed; all of them where first is 0.
type lines struct {
	path        string
	first, last int
	symbol      string // the id of the symbol whose lines these are
}

// linesOf returns the lines of the symbol that a path with a # means, or a name
// that no path of the commit is. Another path stands for the whole file.
func (p *past) linesOf(ctx context.Context, id string) (lines, error) {
	if !strings.Contains(id, "#") && (id == "" || strings.Contains(id, "/")) {
		return lines{path: id}, nil
	}
	if _, whole, err := p.git.Entry(ctx, p.at.Commit, id); whole || err != nil {
		return lines{path: id}, err
	}
	if !strings.Contains(id, "#") {
		declared, err := p.declared(ctx, id)
		if declared == "" || err != nil {
			return lines{path: id}, err
		}
		id = declared
	}
	path, name, _ := place.CutID(id, func(path string) bool {
		_, ok, err := p.git.Entry(ctx, p.at.Commit, path)
		return ok && err == nil
	})
	e, ok, err := p.git.Entry(ctx, p.at.Commit, path)
	if err != nil {
		return lines{}, err
	}
	if !ok {
		return lines{}, p.explain(ctx, path, fmt.Errorf("commit %.12s has no file %s: %w", p.at.Commit, path, fs.ErrNotExist))
	}
	s, err := openSides(ctx, p.repo, p.git)
	if err != nil {
		return lines{}, err
	}
	defer s.close()
	f := &File{}
	v, err := s.committed(ctx, f, blob{path, e.ID, e.Mode}, noVersion())
	if err != nil {
		return lines{}, err
	}
	if f.Why != "" {
		return lines{}, fmt.Errorf("%s has no symbols: %s", path, f.Why)
	}
	var names, short []string // all, and those whose last part is the name
	var of lines
	for _, s := range v.Symbols {
		if s.ID == name && name != "" {
			return lines{path, s.Line, s.EndLine, path + "#" + s.ID}, nil
		}
		if strings.HasSuffix(s.ID, "."+name) {
			of = lines{path, s.Line, s.EndLine, path + "#" + s.ID}
			short = append(short, s.ID)
		}
		names = append(names, s.ID)
	}
	if len(short) == 1 {
		return of, nil
	} else if short != nil {
		names = short
	}
	hint := "the outline of " + place.Name(path) + " lists its symbols"
	if near := nearest.Of(name, names, 3); near != nil {
		hint = "did you mean " + path + "#" + strings.Join(near, ", "+path+"#") + "?"
	}
	return lines{}, &usage.Error{Arg: "symbol", Value: id, Msg: fmt.Sprintf("not in commit %.12s", p.at.Commit), Hint: hint}
}

const (
	maxDeclared  = 5               // declarations of a name that an error lists
	declaredWait = 5 * time.Second // for the symbols of the repository: the text may be a path with a slip
)

// declared returns the id of the symbol that a name means where one declaration of
// the repository bears it, and "" where none does or the text can be no name.
func (p *past) declared(ctx context.Context, name string) (string, error) {
	if p.isFile(ctx, name) {
		return "", nil
	}
	found, in, err := p.repo.Symbols(ctx, nav.SymbolRequest{Target: locate.Target{Name: name}, Limit: maxDeclared}, workspace.Wait{First: declaredWait, Fresh: declaredWait})
	var refused *usage.Error
	switch {
	case errors.As(err, &refused):
		return "", nil // not a name; the path says what is wrong
	case err != nil:
		return "", err
	case found.Total == 0 && (in.Freshness.Partial || in.Freshness.SyntaxPending > 0):
		return "", fmt.Errorf("%s is no path, and not all symbols are known yet: ask again in a moment", place.Name(name))
	case found.Total == 0:
		return "", nil
	case found.Total == 1:
		return found.Definitions[0].ID, nil
	}
	var ids []string
	for _, d := range found.Definitions {
		ids = append(ids, d.ID)
	}
	return "", &usage.Error{Arg: "path", Value: name, Msg: fmt.Sprintf("the name of %d declarations", found.Total), Hint: "name one: " + strings.Join(ids, ", ")}
}

// isFile reports whether the repository shows a file of that path.
func (p *past) isFile(ctx context.Context, path string) bool {
	if p.repo.Frozen() {
		_, err := p.repo.Read(ctx, path)
		return err == nil
	}
	root, err := p.repo.Open()
	if err != nil {
		return false
	}
	defer root.Close()
	info, err := root.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// explain says why git does not know a path, where the files tell.
func (p *past) explain(ctx context.Context, path string, err error) error {
	if ctx.Err() != nil || path == "" {
		return err
	}
	if _, readErr := p.repo.Read(ctx, path); readErr == nil {
		return fmt.Errorf("%s is not in commit %.12s, or has fewer lines there: %w", path, p.at.Commit, err)
	} else if errors.Is(readErr, fs.ErrNotExist) || errors.Is(readErr, indexed.ErrFolder) {
		return readErr
	}
	return err
}

// untouched says why no commit touches a path: none has it yet, or nothing has
// the name.
func (p *past) untouched(ctx context.Context, path string) error {
	if _, err := p.repo.Read(ctx, path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no commit touches %s: %w", path, fs.ErrNotExist)
	}
	return fmt.Errorf("no commit touches %s: it is in the work tree alone", path)
}

// edited reports whether lines of a file are not as in a commit.
func (p *past) edited(ctx context.Context, path string, lines []git.Line) (bool, error) {
	if p.repo.Frozen() {
		return false, nil
	}
	c, err := p.repo.Read(ctx, path)
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

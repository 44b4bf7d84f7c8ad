package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"espy/internal/diff"
	"espy/internal/discover"
	"espy/internal/facts/golang"
	"espy/internal/git"
	"espy/internal/index"
	"espy/internal/lang"
	"espy/internal/outline"
	"espy/internal/search"
	"espy/internal/usage"
)

// ChangesRequest asks what differs between two states of a repository. The
// zero value compares the work tree with the commit that is checked out.
type ChangesRequest struct {
	Ref              string   // A..B: from commit A to commit B; A...B: from what both come from to B
	Since            string   // instead of Ref: a commit, a day or time, or generation:N, to compare the work tree with
	Paths, Languages []string // as in a search
	Limit            int      // files; 0 is DefaultChanges
	Offset           int      // files to leave out, for paging

	Time     time.Duration // for comparing symbols; 0 for no bound
	Progress func(index.Progress)
}

// DefaultChanges is how many changed files an answer lists.
const DefaultChanges = 100

// FileStatus says what became of a file.
type FileStatus string

// The statuses.
const (
	FileAdded    FileStatus = "added"
	FileRemoved  FileStatus = "removed"
	FileModified FileStatus = "modified"
	FileRenamed  FileStatus = "renamed" // and perhaps modified
	FileType     FileStatus = "type"    // a file became a link or a submodule, or the other way round
)

// Changes is the answer to a ChangesRequest. Totals are of all files that
// differ, whatever the limit.
type Changes struct {
	Checkout
	From, To Side
	Source   Source
	Notes    []string // what the answer lacks
	Total    int      // files
	Status   map[FileStatus]int
	Symbols  map[diff.Kind]int // of the files that were compared
	Pending  int               // files whose symbols were not compared in time
	Offset   int
	Files    []FileChange // by path
}

// Side is one of the states that are compared.
type Side struct {
	Name   string // as it was asked for
	Commit string // empty for the work tree
}

// Source says how it is known what differs.
type Source string

// The sources.
const (
	SourceGit   Source = "git"   // by content
	SourceLog   Source = "log"   // as the index was told, commit by commit
	SourceTimes Source = "times" // when files were modified
)

// WorkTree is the name of the side that is no commit.
const WorkTree = "work tree"

// FileChange is a file that differs.
type FileChange struct {
	Path      string
	Old       string // of a renamed one: its path before
	Status    FileStatus
	Untracked bool // git does not follow it
	Counted   bool // Added and Removed are known
	Added     int  // lines
	Removed   int
	Symbols   []diff.Change
	More      int    // symbols that are not known one by one
	Outline   bool   // its symbols are seen line by line: a grammar tells none
	Why       string // why no symbols are told, and no lines: it is binary, too large, ...
	Pending   bool   // it was not compared in time

	oldID, newID string // of the contents, empty where there is none, or where it is in the work tree
	oldMode      git.Mode
	newMode      git.Mode
	inTree       bool // the newer content is a file of the work tree
}

// Changes tells which files and symbols differ between two states.
func (r *Repo) Changes(ctx context.Context, req ChangesRequest) (*Changes, error) {
	filter, err := search.NewFileFilter(req.Paths, req.Languages)
	if err != nil {
		return nil, err
	}
	c, history, files, err := r.changed(ctx, &req)
	if err != nil {
		return nil, err
	}
	c.Offset = req.Offset
	if req.Limit == 0 {
		req.Limit = DefaultChanges
	}
	files = slices.DeleteFunc(files, func(f FileChange) bool {
		return !allows(filter, f.Path) && (f.Old == "" || !allows(filter, f.Old))
	})
	c.Symbols = map[diff.Kind]int{}
	if c.Source == SourceGit {
		if c.Symbols, err = r.compareFiles(ctx, history, files, &req); err != nil {
			return nil, err
		}
	}
	c.count(files)
	c.Files = files[min(req.Offset, len(files)):]
	c.Files = c.Files[:min(req.Limit, len(c.Files))]
	return c, nil
}

// changed finds the states that a request means and the files that differ. The
// history is that of a Source that is git.
func (r *Repo) changed(ctx context.Context, req *ChangesRequest) (c *Changes, history *git.Repository, files []FileChange, err error) {
	if req.Ref != "" && req.Since != "" {
		return nil, nil, nil, &usage.Error{Arg: "since", Value: req.Since, Msg: "given beside ref", Hint: "give one of them"}
	}
	if generation, ok := strings.CutPrefix(req.Since, generationPrefix); ok {
		c, files, err = r.sinceGeneration(ctx, req, generation)
		return c, nil, files, err
	}
	history, at, err := r.history(ctx)
	var none *NoHistoryError
	if errors.As(err, &none) && req.Ref == "" {
		c, files, err = r.withoutGit(ctx, req, none)
		return c, nil, files, err
	}
	if err != nil {
		return nil, nil, nil, err
	}
	c = &Changes{Checkout: at, Source: SourceGit}
	if r.at != nil && req.Ref == "" { // what its commit changed
		req.Ref = cmp.Or(req.Since, at.Commit+"^") + ".." + at.Commit
	}
	if req.Ref == "" {
		files, err = r.inWorkTree(ctx, c, history, req)
		return c, history, files, err
	}
	if err := c.between(ctx, r, history, req.Ref); err != nil {
		return nil, nil, nil, err
	}
	changed, err := history.Changes(ctx, c.From.Commit, c.To.Commit)
	return c, history, newFileChanges(changed), err
}

func allows(f *search.FileFilter, path string) bool {
	name := ""
	if l := lang.Detect(path, nil); l != nil {
		name = l.Name
	}
	return f.Allows(path, name)
}

// between finds the two commits that a range names.
func (c *Changes) between(ctx context.Context, r *Repo, history *git.Repository, ref string) error {
	from, to, ok := strings.Cut(ref, "..")
	if !ok {
		return &usage.Error{Arg: "ref", Value: ref, Msg: "no range of commits", Hint: "write A..B, as in main..HEAD; since=A compares the work tree with A"}
	}
	to, base := strings.CutPrefix(to, ".")
	c.From.Name, c.To.Name = cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD")
	for _, side := range []*Side{&c.From, &c.To} {
		at, err := r.resolve(ctx, side.Name)
		if err != nil {
			return err
		}
		side.Commit = at.id
	}
	if base {
		id, err := history.MergeBase(ctx, c.From.Commit, c.To.Commit)
		if err != nil {
			return err
		}
		if id == "" {
			return &usage.Error{Arg: "ref", Value: ref, Msg: "without a commit that both come from", Hint: "write A..B to compare the two as they are"}
		}
		c.From = Side{Name: fmt.Sprintf("%.8s", id), Commit: id}
	}
	return nil
}

var statuses = map[byte]FileStatus{'A': FileAdded, 'D': FileRemoved, 'M': FileModified, 'R': FileRenamed, 'T': FileType}

func newFileChanges(changed []git.Change) []FileChange {
	files := make([]FileChange, 0, len(changed))
	for _, c := range changed {
		files = append(files, FileChange{
			Path: c.Path, Old: c.Old, Status: statuses[c.Status],
			oldID: c.OldID, newID: c.NewID, oldMode: c.OldMode, newMode: c.NewMode,
		})
	}
	slices.SortFunc(files, func(a, b FileChange) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

// pairedFiles bounds the changed files among which symbols are looked for that
// moved from one to another: of more, those beyond the page are only counted.
const pairedFiles = 1000

// count adds to the totals what the files tell, once it is known what was moved
// between them.
func (c *Changes) count(files []FileChange) {
	c.Total, c.Status = len(files), map[FileStatus]int{}
	var all []diff.Change
	for i := range files {
		f := &files[i]
		c.Status[f.Status]++
		if f.Pending {
			c.Pending++
		}
		all = append(all, f.Symbols...)
		f.Symbols = nil
	}
	if len(files) <= pairedFiles {
		all = diff.Pair(all)
	} else if c.Source == SourceGit {
		c.Notes = append(c.Notes, fmt.Sprintf("so many files differ that a symbol which moved to another file counts as removed and added (up to %d files it is told)", pairedFiles))
	}
	byPath := map[string][]diff.Change{}
	for _, s := range all {
		c.Symbols[s.Kind]++
		byPath[s.Path] = append(byPath[s.Path], s)
	}
	for i := range files {
		files[i].Symbols = byPath[files[i].Path]
	}
}

// tally counts the changes of a file beyond the page, and drops those that need
// not be paired with others.
func (c *comparison) tally(f *FileChange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := make([]diff.Change, 0)
	for _, s := range f.Symbols {
		if len(c.files) <= pairedFiles && s.Loose() {
			s.Symbol.Signature, s.Old.Signature = "", ""
			kept = append(kept, s)
			continue
		}
		c.counted[s.Kind]++
	}
	f.Symbols = kept
}

// comparison is the work of comparing the symbols of files. It holds both
// versions of one file for each worker at a time.
type comparison struct {
	repo    *Repo
	history *git.Repository
	files   []FileChange
	req     *ChangesRequest
	began   time.Time

	next, done atomic.Int64

	mu      sync.Mutex
	counted map[diff.Kind]int // of files beyond the page, guarded by mu
}

// maxCompared bounds the bytes of a version whose symbols are compared.
const maxCompared = 4 << 20

// compareFiles compares the files from the offset of the request on, then those
// before. It returns the changes of files beyond the page that it only counted.
func (r *Repo) compareFiles(ctx context.Context, history *git.Repository, files []FileChange, req *ChangesRequest) (counted map[diff.Kind]int, err error) {
	c := &comparison{repo: r, history: history, files: files, began: time.Now(), req: req, counted: map[diff.Kind]int{}}
	group, ctx := errgroup.WithContext(ctx)
	workers := r.options().Workers
	if workers <= 0 || workers > 4 {
		workers = 4
	}
	for range max(1, min(workers, len(files)/8)) {
		group.Go(func() error { return c.work(ctx) })
	}
	return c.counted, group.Wait()
}

func (c *comparison) work(ctx context.Context) error {
	s, err := c.repo.openSides(ctx, c.history)
	if err != nil {
		return err
	}
	defer s.close()
	for {
		i := int(c.next.Add(1)) - 1
		if i >= len(c.files) {
			return nil
		}
		f := &c.files[(i+c.req.Offset)%len(c.files)]
		if c.req.Time > 0 && time.Since(c.began) > c.req.Time {
			f.Pending = true
			continue
		}
		if err := c.file(ctx, s, f); err != nil {
			return fmt.Errorf("compare %q: %w", f.Path, err)
		}
		if i >= c.req.Limit {
			c.tally(f)
		}
		if n := c.done.Add(1); c.req.Progress != nil && (n%16 == 0 || int(n) == len(c.files)) {
			c.req.Progress(index.Progress{Phase: index.PhaseCompare, Files: int(n), TotalFiles: len(c.files), Elapsed: time.Since(c.began)})
		}
	}
}

// sides read the contents of both sides. They belong to one goroutine.
type sides struct {
	blobs  *git.Blobs
	root   *os.Root         // nil where no work tree is read
	reader *discover.Reader // below root
}

func (r *Repo) openSides(ctx context.Context, history *git.Repository) (*sides, error) {
	s := &sides{}
	err := s.openTree(r)
	if err == nil {
		s.blobs, err = history.Blobs(ctx)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// openTree opens the files of the work tree, of which a commit has none.
func (s *sides) openTree(r *Repo) (err error) {
	if r.at != nil {
		return nil
	}
	if s.root, err = r.openRoot(); err == nil {
		s.reader, err = discover.NewReader(s.root, r.options().Policy)
	}
	return err
}

func (s *sides) close() {
	if s.blobs != nil {
		_ = s.blobs.Close() // it only reads
	}
	if s.reader != nil {
		s.reader.Close()
	}
	if s.root != nil {
		s.root.Close()
	}
}

// file compares the two versions of one file.
func (c *comparison) file(ctx context.Context, s *sides, f *FileChange) error {
	if f.Why != "" {
		return nil
	}
	old, oldText, err := c.version(ctx, s, f, cmp.Or(f.Old, f.Path), f.oldID, f.oldMode)
	if err != nil {
		return err
	}
	version := c.version
	if f.inTree {
		version = c.present
	}
	new, newText, err := version(ctx, s, f, f.Path, f.newID, f.newMode)
	if err != nil || f.Why != "" {
		return err
	}
	f.Added, f.Removed = diff.Count(diff.Lines(oldText, newText))
	f.Counted, f.Outline = true, old.Outline || new.Outline
	f.Symbols = diff.Compare(old, new)
	return nil
}

// version reads and parses a version of a file out of git: an empty one where
// there is none, and one that says why in f where it is no text to compare.
func (c *comparison) version(ctx context.Context, s *sides, f *FileChange, path, id string, mode git.Mode) (*diff.Version, []byte, error) {
	none := &diff.Version{}
	switch {
	case id == "":
		return none, nil, nil
	case mode == git.ModeSubmodule:
		f.Why = "it is a submodule"
		return none, nil, nil
	case !mode.IsFile():
		f.Why = discover.ReasonSymlink.Explain()
		return none, nil, nil
	case !c.repo.options().Policy.Secrets && discover.IsSecret(path):
		f.Why = discover.ReasonSecret.Explain()
		return none, nil, nil
	}
	raw, err := s.blobs.Read(id, maxCompared)
	switch {
	case errors.Is(err, git.ErrLarge):
		f.Why = discover.ReasonTooLarge.Explain()
		return none, nil, nil
	case errors.Is(err, git.ErrMissing):
		f.Why = "the repository does not hold its content, as a partial clone"
		return none, nil, nil
	case err != nil:
		return nil, nil, err
	}
	return c.parse(ctx, f, path, slices.Clone(raw))
}

// present is version for a file of the work tree.
func (c *comparison) present(ctx context.Context, s *sides, f *FileChange, path, _ string, mode git.Mode) (*diff.Version, []byte, error) {
	none := &diff.Version{}
	if mode == git.ModeSubmodule {
		f.Why = "it is a submodule"
		return none, nil, nil
	}
	content, left, err := s.reader.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return none, nil, nil // removed since
	case err != nil:
		return nil, nil, err
	case left != nil:
		f.Why = left.Reason.Explain()
		return none, nil, nil
	case len(content.Raw) > maxCompared:
		f.Why = discover.ReasonTooLarge.Explain()
		return none, nil, nil
	}
	return c.parse(ctx, f, path, slices.Clone(content.Raw))
}

// parse turns the bytes of a version into what it declares.
func (c *comparison) parse(ctx context.Context, f *FileChange, path string, raw []byte) (*diff.Version, []byte, error) {
	text, reason := discover.Text(raw)
	if reason != "" {
		f.Why = reason.Explain()
		return &diff.Version{}, nil, nil
	}
	l := lang.Detect(path, text[:min(len(text), 512)])
	name := ""
	if l != nil {
		name = l.Name
	}
	facts, err := c.repo.options().Facts(ctx, name, path, text)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return diff.Outlined(path, l, text, outline.Parse(l, text).Definitions), text, nil
	}
	v := diff.Parsed(path, l, text, facts)
	if name == "go" {
		golang.Recycle(facts)
	}
	return v, text, nil
}

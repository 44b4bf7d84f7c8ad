package changes

import (
	"cmp"
	"slices"
	"time"

	"espy/internal/diff"
	"espy/internal/git"
	"espy/internal/progress"
	"espy/internal/workspace"
)

// Request asks what differs between two states of a repository. The zero value
// compares the work tree with the commit that is checked out.
type Request struct {
	Ref              string   // A..B: from commit A to commit B; A...B: from their merge base to B
	Since            string   // instead of Ref: a commit, a day or time, or generation:N, to compare the work tree with
	Paths, Languages []string // as in a search
	Limit            int      // files; 0 is defaultFiles
	Offset           int      // files to leave out, for paging
	Lines            bool     // keep the lines that differ

	Time     time.Duration // for comparing symbols; 0 for no bound
	Progress func(progress.Report)
}

// defaultFiles is how many changed files an answer lists.
const defaultFiles = 100

// Status says what happened to a file.
type Status string

// The statuses.
const (
	Added    Status = "added"
	Removed  Status = "removed"
	Modified Status = "modified"
	Renamed  Status = "renamed" // and perhaps modified
	Type     Status = "type"    // a file became a link or a submodule, or the other way round
)

// Changes is the answer to a Request. Totals are of all files that differ,
// whatever the limit.
type Changes struct {
	workspace.Checkout
	From, To Side
	Source   Source
	Notes    []string // what the answer lacks
	Total    int      // files
	Status   map[Status]int
	Symbols  map[diff.Kind]int // of the files that were compared
	Pending  int               // files whose symbols were not compared in time
	Left     int               // files that were not looked at in time
	Offset   int
	Files    []File // by path
}

// Side is one of the states that are compared.
type Side struct {
	Name   string // as it was asked for
	Commit string // empty for the work tree
}

// Source says how the differences are known.
type Source string

// The sources.
const (
	SourceGit   Source = "git"   // by content
	SourceIndex Source = "index" // by content, as it was published
	SourceLog   Source = "log"   // from the log of the index, commit by commit
	SourceTimes Source = "times" // by modification times
)

// ByContent reports whether both states were at hand, and were compared line by line.
func (s Source) ByContent() bool { return s == SourceGit || s == SourceIndex }

// theWorkTree is the name of the side that is no commit.
const theWorkTree = "work tree"

// File is a file that differs.
type File struct {
	Path      string
	Old       string // of a renamed one: its path before
	Status    Status
	Untracked bool // git does not follow it
	Counted   bool // Added and Removed are known
	Added     int  // lines
	Removed   int
	Lines     [][]byte // that differ, of both versions, where the request keeps them
	Symbols   []diff.Change
	More      int    // further symbols that changed, not listed one by one
	Outline   bool   // its symbols come from the outline, not from a grammar
	Why       string // why neither symbols nor lines are listed: it is binary, too large, ...
	Pending   bool   // it was not compared in time

	oldID, newID string // of the contents; empty where there is none, or where it is in the work tree
	oldMode      git.Mode
	newMode      git.Mode
	inTree       bool // the newer content is a file of the work tree
}

// before and after are the two versions of a file, as git knows them.
func (f *File) before() blob { return blob{cmp.Or(f.Old, f.Path), f.oldID, f.oldMode} }
func (f *File) after() blob  { return blob{f.Path, f.newID, f.newMode} }

// blob is a version of a file in git.
type blob struct {
	path, id string
	mode     git.Mode
}

var statuses = map[byte]Status{'A': Added, 'D': Removed, 'M': Modified, 'R': Renamed, 'T': Type}

// newFiles turns what git lists into files, by path.
func newFiles(changed []git.Change) []File {
	files := make([]File, 0, len(changed))
	for _, c := range changed {
		files = append(files, File{
			Path: c.Path, Old: c.Old, Status: statuses[c.Status],
			oldID: c.OldID, newID: c.NewID, oldMode: c.OldMode, newMode: c.NewMode,
		})
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

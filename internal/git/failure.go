package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"espy/internal/git/program"
	"espy/internal/pattern"
)

// Git's own words about a failure may hold lines of files, refs and paths, so
// they are not passed on. What they mean is told in words of Espy's own.
var meanings = []struct {
	said  pattern.Pattern
	means string // $1 is a number that git said
	lost  bool   // an object may be missing
}{
	{pattern.New(`has only (\d+) lines?`), "the file has only $1 lines there", false},
	{pattern.New(`no such path`), "the commit holds no such file", true}, // also said of one whose object is missing
	{pattern.New(`is corrupt|inflate|hash mismatch|sha1 mismatch|bad packed object|garbage at end|cannot be used`), "an object of the repository is damaged (git fsck tells more)", true},
	{pattern.New(`unable to (read|find)|[Cc]ould not read|missing (blob|tree|commit|object)|bad (object|tree)|[Ff]ailed to traverse|not a valid object|remote-(helper|curl)|promisor|lazy fetching`),
		"an object that this takes is missing", true},
	{pattern.New(`dubious ownership`), "the git folder belongs to another user", false},
	{pattern.New(`not a git repository`), "the git folder is not whole", false},
	{pattern.New(`unknown repository extension|[Ee]xpected git repo version|invalid value for 'extensions`), "the repository is of a format that this git does not know", false},
	{pattern.New(`mmap failed|out of memory|malloc failed`), "git had too little memory", false},
	{pattern.New(`[Tt]oo many open files`), "git had too few file descriptors", false},
}

// failedError is a command of git that ended with a complaint.
type failedError struct{ problem, hint string }

func (e *failedError) Error() string { return e.problem }

// helpfulError is a failedError with words that help.
type helpfulError struct{ *failedError }

func (e helpfulError) Unwrap() error { return e.failedError }

// Explain returns what is wrong and the hint.
func (e helpfulError) Explain() (problem, hint string) { return e.problem, e.hint }

// failure tells why a git command failed.
func (r *Repository) failure(command string, failed *program.Error) error {
	means, lost := "the repository could not be read; git itself tells more", false
	for _, m := range meanings {
		if at := m.said().FindStringSubmatchIndex(failed.Complaint); at != nil {
			means, lost = string(m.said().ExpandString(nil, m.means, failed.Complaint, at)), m.lost
			break
		}
	}
	e := &failedError{problem: fmt.Sprintf("git %s: %s", command, means)}
	if failed.Complaint == "" {
		e.problem = fmt.Sprintf("git %s: %v", command, failed.Err)
	}
	dir, _ := r.shared()
	switch {
	case lost && r.partial():
		e.problem += ", or is not in this partial clone, for which Espy fetches nothing"
		e.hint = fmt.Sprintf("bring what is missing: git -C %s fetch --refetch --no-filter", dir)
	case lost && r.Shallow():
		e.problem += ", or is not in this shallow clone"
		e.hint = fmt.Sprintf("bring what is missing: git -C %s fetch --unshallow", dir)
	default:
		return e
	}
	return helpfulError{e}
}

// partial reports whether the repository was cloned without all of its objects.
func (r *Repository) partial() bool {
	dir, _ := r.shared()
	entries, err := os.ReadDir(filepath.Join(dir, "objects", "pack"))
	if err != nil {
		return false
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".promisor") {
			return true
		}
	}
	return false
}

package git

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"espy/internal/git/program"
)

// Git's own words about a failure may hold lines of files, refs and paths, so
// they are not passed on. What they mean is told in words of Espy's own.
var meanings = []struct {
	said  *regexp.Regexp
	means string // $1 is a number that git said
	lost  bool   // an object may be missing
}{
	{regexp.MustCompile(`has only (\d+) lines?`), "the file has only $1 lines there", false},
	{regexp.MustCompile(`no such path`), "the commit holds no such file", true}, // also said of one whose object is missing
	{regexp.MustCompile(`is corrupt|inflate|hash mismatch|sha1 mismatch|bad packed object|garbage at end|cannot be used`), "an object of the repository is damaged (git fsck tells more)", true},
	{regexp.MustCompile(`unable to (read|find)|[Cc]ould not read|missing (blob|tree|commit|object)|bad (object|tree)|[Ff]ailed to traverse|not a valid object|remote-(helper|curl)|promisor|lazy fetching`),
		"an object that this takes is missing", true},
	{regexp.MustCompile(`dubious ownership`), "the git folder belongs to another user", false},
	{regexp.MustCompile(`not a git repository`), "the git folder is not whole", false},
	{regexp.MustCompile(`unknown repository extension|[Ee]xpected git repo version|invalid value for 'extensions`), "the repository is of a format that this git does not know", false},
	{regexp.MustCompile(`mmap failed|out of memory|malloc failed`), "git had too little memory", false},
	{regexp.MustCompile(`[Tt]oo many open files`), "git had too few file descriptors", false},
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
		if at := m.said.FindStringSubmatchIndex(failed.Complaint); at != nil {
			means, lost = string(m.said.ExpandString(nil, m.means, failed.Complaint, at)), m.lost
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

package job

import (
	"errors"
	"testing"
)

// TestExplained holds what is said of an index that cannot answer yet, and of a
// job that another process does not end.
func TestExplained(t *testing.T) {
	cause := errors.New("cause")
	for _, c := range []struct {
		name string
		err  interface {
			error
			Explain() (problem, hint string)
		}
		problem, hint string
	}{
		{"this process", &UnreadyError{Repo: "r", Err: cause}, "r cannot answer yet: its first indexing has not come far enough", "ask again in a moment, or give it more time; the next question goes on where this one ended"},
		{"process 1", &UnreadyError{Repo: "r", Process: 1, Err: cause}, "r cannot answer yet: process 1 writes its index and has not come far enough", "ask again when it has; if it is stopped, continue it (kill -CONT 1) or end it (kill 1)"},
		{"process 9", &UnreadyError{Repo: "r", Process: 9, Err: cause}, "r cannot answer yet: process 9 writes its index and has not come far enough", "ask again when it has; if it is stopped, continue it (kill -CONT 9) or end it (kill 9)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if problem, hint := c.err.Explain(); problem != c.problem || hint != c.hint || c.err.Error() != c.problem || !errors.Is(c.err, cause) {
				t.Errorf("%q, %q; Error %q", problem, hint, c.err.Error())
			}
		})
	}
}

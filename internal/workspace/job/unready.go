package job

import (
	"bytes"
	"fmt"
	"os"

	"espy/internal/progress"
)

// UnreadyError says that the first indexing has not come far enough to answer.
type UnreadyError struct {
	Repo    string
	At      progress.Report // how far it is
	Process int             // that does it, 0 where that is this one
	Err     error           // of the index
}

func (e *UnreadyError) Error() string {
	problem, _ := e.Explain()
	return problem
}

// Explain returns the error and what would help.
func (e *UnreadyError) Explain() (problem, hint string) {
	if e.Process == 0 {
		return e.Repo + " cannot answer yet: its first indexing has not come far enough", "ask again in a moment, or give it more time; the next question goes on where this one ended"
	}
	return fmt.Sprintf("%s cannot answer yet: process %d writes its index and has not come far enough", e.Repo, e.Process),
		fmt.Sprintf("ask again when it has; if it is stopped, continue it (kill -CONT %d) or end it (kill %d)", e.Process, e.Process)
}

func (e *UnreadyError) Unwrap() error { return e.Err }

// Unready says how far the indexing of a repository is that a question waited
// for: the slot of the indexing, and the error of the index.
func Unready(repo string, indexing *Slot, err error) *UnreadyError {
	e := &UnreadyError{Repo: repo, Err: err}
	st := Look(indexing)
	if st.Progress != nil {
		e.At = *st.Progress
	}
	if e.At.Waiting() {
		e.Process = e.At.Holder
	} else if st.Process != os.Getpid() {
		e.Process = st.Process
	}
	return e
}

// Stopped reports whether the process that does it was stopped: it will not get on
// by itself.
func (e *UnreadyError) Stopped() bool { return isStopped(e.Process) }

// isStopped reports whether a process was stopped, as by SIGSTOP, where the
// system tells: it will not end by itself.
func isStopped(process int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process)) // number, name in parentheses, state
	i := bytes.LastIndexByte(text, ')')
	return err == nil && process > 0 && len(text) > i+2 && (text[i+2] == 'T' || text[i+2] == 't')
}

package render

import (
	"fmt"
	"time"
)

// Late is the answer to a question that had found nothing when its time was over.
type Late struct {
	Limit time.Duration
}

// Text says that nothing was looked at to its end, and what would help.
func (a Late) Text(Options) string {
	return "nothing found so far\n" + a.partial() + "\n"
}

// JSON writes an answer that is partial and has nothing.
func (a Late) JSON(Options) []byte {
	return JSON(lateJSON{true, []string{a.partial()}})
}

type lateJSON struct {
	Partial bool     `json:"partial"`
	Notes   []string `json:"notes"`
}

func (a Late) partial() string {
	return fmt.Sprintf("partial: the time, %v, was over before anything was looked at to its end; narrow it with --path or --lang, or give it more with --timeout; espy status shows whether indexing is in progress", a.Limit)
}

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
func (a Late) Text(o Options) string {
	return "nothing found so far\n" + a.partial(o.Calls) + "\n"
}

// JSON writes an answer that is partial and has nothing.
func (a Late) JSON(o Options) []byte {
	return JSON(lateJSON{true, []string{a.partial(o.Calls)}})
}

type lateJSON struct {
	Partial bool     `json:"partial"`
	Notes   []string `json:"notes"`
}

func (a Late) partial(c Calls) string {
	hint := "narrow it with --path or --lang, or give it more with --timeout; espy status shows whether indexing is in progress"
	if c == ToolCalls {
		hint = "narrow it with path, lang or scope; status shows whether indexing is in progress"
	}
	return fmt.Sprintf("partial: the time, %v, was over before anything was looked at to its end; %s", a.Limit, hint)
}

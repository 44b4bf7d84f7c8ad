package render

import (
	"fmt"
	"time"
)

// Late is the answer to a question that had no whole answer when its time was over.
type Late struct {
	Limit time.Duration
	Begun bool // a part of the answer was given
}

// Text says that nothing was looked at to its end, or that there is more, and what would help.
func (a Late) Text(o Options) string {
	if a.Begun {
		return a.partial(o.Calls) + "\n"
	}
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
	what := "anything was looked at to its end"
	if a.Begun {
		what = "everything was printed"
	}
	return fmt.Sprintf("partial: the time, %v, was over before %s; %s", a.Limit, what, hint)
}

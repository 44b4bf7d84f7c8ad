package impact

import (
	"fmt"
	"strconv"

	"espy/internal/locate"
	"espy/internal/patch"
	"espy/internal/usage"
)

// Request asks what a change affects. The zero value asks about what differs
// between the work tree and the commit that is checked out.
type Request struct {
	What  string // a symbol by name or id, a file, or lines of it as PATH:FIRST-LAST
	Diff  string // instead: a unified difference
	Since string // instead: a commit or day to compare the work tree with; empty is the commit checked out

	Depth  int // how many uses away an affected symbol is at most; 0 is DefaultDepth
	Limit  int // affected symbols to show; 0 is defaultSymbols
	Offset int // affected symbols to leave out, for paging
}

// Bounds of a request.
const (
	DefaultDepth   = 3
	MaxDepth       = 10
	MaxDiff        = 32 << 20 // bytes of a difference
	defaultSymbols = 50
)

// check refuses what cannot be asked, with a *usage.Error.
func (r *Request) check() error {
	given := 0
	for _, text := range []string{r.What, r.Diff, r.Since} {
		if text != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return &usage.Error{Msg: "more than one change is given", Hint: "give a symbol, a file, a diff, or since"}
	case r.Depth < 0 || r.Depth > MaxDepth:
		return &usage.Error{Arg: "depth", Value: strconv.Itoa(r.Depth), Msg: "out of range", Hint: fmt.Sprintf("1 to %d", MaxDepth)}
	case len(r.Diff) > MaxDiff:
		return &usage.Error{Arg: "diff", Msg: fmt.Sprintf("%d bytes are more than the limit of %d", len(r.Diff), MaxDiff), Hint: "ask about it in parts"}
	case r.Diff != "" && patch.Parse(r.Diff) == nil:
		return &usage.Error{Arg: "diff", Msg: "not a unified diff that changes a file", Hint: "give what git diff prints"}
	}
	return locate.CheckLimits(r.Limit, r.Offset)
}

func (r *Request) depth() int {
	if r.Depth == 0 {
		return DefaultDepth
	}
	return r.Depth
}

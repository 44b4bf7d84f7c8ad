package arguments

import (
	"errors"
	"fmt"
	"strings"

	"espy/internal/catalog"
	"espy/internal/locate"
	"espy/internal/place"
	"espy/internal/usage"
)

// Target is the symbol that the arguments symbol and at mean.
func Target(symbol, at string) (locate.Target, error) {
	switch {
	case symbol == "" && at == "":
		return locate.Target{}, &usage.Error{Msg: "neither symbol nor at is given", Hint: `symbol="Name", or at="path/file.go:LINE:COLUMN"`}
	case symbol != "" && at != "":
		return locate.Target{}, &usage.Error{Msg: "both symbol and at are given", Hint: "give only one of them"}
	case symbol != "" && !place.IsPosition(symbol):
		return locate.Target{Name: place.ParseName(symbol)}, nil
	case symbol != "":
		at = symbol
	}
	use, err := place.ParsePosition(at)
	return locate.Target{Path: use.Path, Line: use.Line, Column: use.Column}, err
}

// MissingRepo adds a hint to the error of a repository that is not attached. Other
// errors are returned unchanged.
func MissingRepo(err error) error {
	var missing *catalog.NotFoundError
	if !errors.As(err, &missing) {
		return err
	}
	e := &usage.Error{
		Msg:  fmt.Sprintf("repo %q is not attached", usage.Shorten(missing.Ref, 200)),
		Hint: `no repository is attached yet: omit repo to use the start folder, or attach one with index(path="/path/to/it")`,
	}
	if len(missing.Nearest) > 0 {
		e.Hint = "attached repositories: " + strings.Join(missing.Nearest, ", ") + `; omit repo to use the start folder, or attach one with index(path="/path/to/it")`
	}
	return e
}

// Lines shown before and after the line of "file:LINE".
const linesBefore, linesAfter = 15, 35

// Lines takes the lines out of a path, unless they are arguments of their own; 0 stands
// for the first and the last line.
func Lines(path string, first, last int) (place.Place, error) {
	at, _ := place.Parse(path)
	if first == 0 && last == 0 {
		if first, last = at.First, at.Last; first > 0 && first == last {
			first, last = max(first-linesBefore, 1), last+linesAfter
		}
	}
	at.First, at.Last = first, last
	if last > 0 && last < first {
		return at, &usage.Error{Msg: fmt.Sprintf("line range %d-%d ends before it starts", first, last), Hint: fmt.Sprintf("write %s:%d-%d", place.Name(at.Path), last, first)}
	}
	return at, nil
}

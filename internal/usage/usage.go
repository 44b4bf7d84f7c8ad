// Package usage holds the one error that says how to ask better.
package usage

import (
	"errors"
	"strconv"
	"unicode/utf8"
)

// Error says which part of a request cannot be answered as it stands, and what
// would work. Callers show Error, or the hint on a line of its own after Problem.
type Error struct {
	Arg   string // name of the argument: query, mode, lang, ...
	Value string // what was given; may be empty
	Msg   string // what is wrong with it
	Hint  string // the nearest valid value, or a call that would work; may be empty
}

// Error returns the problem, with the hint in parentheses.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Problem()
	}
	return e.Problem() + " (" + e.Hint + ")"
}

// maxValue is how many bytes of a value a message shows.
const maxValue = 80

// Problem returns what is wrong, without the hint.
func (e *Error) Problem() string {
	s := e.Arg
	if e.Value != "" {
		s += " " + strconv.Quote(shorten(e.Value))
	}
	return s + ": " + e.Msg
}

func shorten(s string) string {
	if len(s) <= maxValue {
		return s
	}
	n := maxValue
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// Of returns err under the name that the caller's surface has for the
// argument. Errors of other types are returned as they are.
func Of(arg string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	renamed := *e
	renamed.Arg = arg
	return &renamed
}

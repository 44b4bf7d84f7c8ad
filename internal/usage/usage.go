// Package usage has the one error of a request that cannot be answered as it stands.
package usage

import (
	"errors"
	"strconv"
	"unicode/utf8"
)

// Error says which part of a request cannot be answered as it stands, and
// what would work.
type Error struct {
	Arg   string // the argument's name in the native surface: query, mode, lang, ...
	Value string // what was given
	Msg   string // what is wrong with it
	Hint  string // the nearest valid value, or a call that would work
}

func (e *Error) Error() string {
	s := e.Arg
	if e.Value != "" {
		s += " " + strconv.Quote(Shorten(e.Value, 80))
	}
	s += ": " + e.Msg
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Shorten cuts a text to about n bytes, at a rune, and marks the cut.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// Of returns a refusal under the name that the caller has for the argument.
// Errors of other types are returned as they are.
func Of(arg string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	renamed := *e
	renamed.Arg = arg
	return &renamed
}

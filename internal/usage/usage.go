// Package usage has the error of a request that cannot be answered as it stands,
// and how every front takes such an error apart.
package usage

import (
	"errors"
	"strconv"
	"unicode/utf8"
)

// Error says what is wrong with a request, and what would work.
type Error struct {
	Arg   string // the argument's name in the native surface: query, mode, lang, ...; may be empty
	Value string // what was given; may be empty
	Msg   string // what is wrong with it
	Hint  string // the nearest valid value, or a call that would work; may be empty
}

// Error returns the problem, with the hint in parentheses.
func (e *Error) Error() string {
	problem, hint := e.Explain()
	if hint == "" {
		return problem
	}
	return problem + " (" + hint + ")"
}

// maxValue is how many bytes of a value an error shows.
const maxValue = 80

// Explain returns what is wrong and the hint.
func (e *Error) Explain() (problem, hint string) {
	switch {
	case e.Arg == "":
		return e.Msg, e.Hint
	case e.Value == "":
		return e.Arg + ": " + e.Msg, e.Hint
	}
	return e.Arg + " " + strconv.Quote(Shorten(e.Value, maxValue)) + ": " + e.Msg, e.Hint
}

// explainer is an error that knows what would work.
type explainer interface {
	error
	Explain() (problem, hint string)
}

// Explain returns what is wrong and what would work: as the outermost explainer
// of err has it, else the text of err and no hint.
func Explain(err error) (problem, hint string) {
	var e explainer
	if errors.As(err, &e) {
		return e.Explain()
	}
	return err.Error(), ""
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

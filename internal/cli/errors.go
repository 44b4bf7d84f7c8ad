package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"espy/internal/nearest"
	"espy/internal/render"
	"espy/internal/usage"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// report prints an error for people and returns the exit code.
func (p *program) report(err error) int {
	var elsewhere codeOf
	switch {
	case err == nil || isBrokenPipe(err):
		return exitFound
	case errors.As(err, &elsewhere):
		return int(elsewhere)
	case errors.Is(err, errNothing):
		return exitNothing
	case errors.Is(err, errPartial):
		return exitPartial
	case p.deadline.isLate(err):
		return p.unanswered()
	}
	msg, hint := explain(err)
	fmt.Fprintf(p.stderr, "espy: %s\n", render.Clean(msg))
	if hint != "" {
		fmt.Fprintf(p.stderr, "hint: %s\n", render.Clean(hint))
	}
	if errors.As(err, new(*failedError)) {
		return exitFailed
	}
	return exitError
}

// failedError is an error of a valid command of Shebe. It ends with Shebe's own
// exit code.
type failedError struct{ error }

func (e *failedError) Unwrap() error { return e.error }

// exitFailed is how Shebe ends on an error.
const exitFailed = 1

// explain takes an error apart into what went wrong and what would help.
func explain(err error) (msg, hint string) {
	if msg, hint = usage.Explain(err); hint != "" {
		return msg, hint
	}
	for _, a := range advice {
		if errors.Is(err, a.about) {
			return msg, a.hint
		}
	}
	return msg, ""
}

// advice has the hints for errors of the system; the first that fits is shown.
var advice = []struct {
	about error
	hint  string
}{
	{syscall.ENOSPC, noRoom},
	{syscall.EDQUOT, noRoom},
	{syscall.EROFS, "that disk is read-only: searches work, but indexing needs a folder that it can write to (--data-dir)"},
	{fs.ErrPermission, "check the permissions of that path"},
}

const noRoom = "free some space on that disk, or choose another folder with --data-dir; the index written before still answers"

// flagError explains an unknown flag or a bad value.
func flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	e := &usage.Error{Msg: err.Error(), Hint: "see " + cmd.CommandPath() + " --help"}
	if hint, ok := longWithOneDash(cmd, err); ok {
		e.Hint = hint
		return e
	}
	if strings.HasPrefix(e.Msg, "bad flag syntax: ") || strings.HasPrefix(e.Msg, "unknown shorthand flag: ' '") {
		e.Hint = "put -- before a text that begins with a dash"
		return e
	}
	var value *pflag.InvalidValueError
	if errors.As(err, &value) && errors.As(err, new(*strconv.NumError)) {
		e.Msg = fmt.Sprintf("--%s %s is not a number that it takes", value.GetFlag().Name, quote(value.GetValue()))
	}
	if errors.As(err, &value) && value.GetFlag().Name == "limit" {
		e.Hint = "it takes a number of results; -n is short for it, as in git log: line numbers are always shown"
		return e
	}
	if errors.As(err, &value) && value.GetFlag().Name == "mode" {
		e.Hint = "-m is --mode; --limit says how many results to show"
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return e
	}
	if f, ok := foreignFlag(cmd, unknown.GetSpecifiedName()); ok {
		e.Hint = f
		return e
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest.Of(unknown.GetSpecifiedName(), names, 1); near != nil {
		e.Hint = "did you mean --" + near[0] + "?"
	}
	return e
}

// longWithOneDash says what does what a word behind one dash does in other programs:
// -name of find, -file:text of Sourcegraph. It was read as several short flags, or as one
// with a value.
func longWithOneDash(cmd *cobra.Command, err error) (hint string, ok bool) {
	word := ""
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		word = unknown.GetSpecifiedShortnames()
	case errors.As(err, &value):
		word = value.GetFlag().Shorthand + value.GetValue()
	}
	if len(word) < 2 {
		return "", false
	}
	if prefix, text, is := strings.Cut(word, ":"); is && cmd.Name() == "search" && text != "" {
		return "write 'NOT " + prefix + ":" + text + "' in the query", true
	}
	return foreignFlag(cmd, word)
}

// oneOf checks the value of a flag against the allowed words.
func oneOf[T ~string](flag, value string, allowed []T) (T, error) {
	words := make([]string, len(allowed))
	for i, a := range allowed {
		if words[i] = string(a); words[i] == value {
			return a, nil
		}
	}
	e := &usage.Error{Msg: fmt.Sprintf("--%s %s is not one of %s", flag, quote(value), strings.Join(words, ", "))}
	if near := nearest.Of(value, words, 1); near != nil {
		e.Hint = fmt.Sprintf("did you mean --%s %s?", flag, near[0])
	}
	return "", e
}

func quote(s string) string { return strconv.Quote(s) }

func failed(err error) error {
	if err == nil {
		return nil
	}
	return &failedError{err}
}

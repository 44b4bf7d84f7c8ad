package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"espy/internal/app"
	"espy/internal/nearest"
	"espy/internal/render"
	"espy/internal/usage"
	"espy/internal/workspace"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// hinted is an error that says what would help.
type hinted struct {
	msg  string
	hint string // what would do instead; may be empty
}

func (e *hinted) Error() string { return e.msg }

// report prints an error for people and returns the exit code.
func (p *program) report(err error) int {
	switch {
	case err == nil || isBrokenPipe(err):
		return exitFound
	case errors.Is(err, errNothing):
		return exitNothing
	}
	msg, hint := explain(err)
	fmt.Fprintf(p.stderr, "espy: %s\n", visible(msg))
	if hint != "" {
		fmt.Fprintf(p.stderr, "hint: %s\n", visible(hint))
	}
	if errors.As(err, new(*failedError)) {
		return exitFailed
	}
	return exitError
}

// explain takes an error apart into what went wrong and what would help.
func explain(err error) (msg, hint string) {
	var own *hinted
	var refused *usage.Error
	var missing *workspace.NotFoundError
	var noRef *workspace.RefError
	var broad *app.BroadRootError
	switch {
	case errors.As(err, &own):
		return own.msg, own.hint
	case errors.As(err, &refused):
		bare := *refused
		bare.Hint = ""
		return bare.Error(), refused.Hint
	case errors.As(err, &missing):
		return missingRepo(missing)
	case errors.As(err, &noRef):
		return err.Error(), render.RefHint(noRef)
	case errors.As(err, &broad):
		return err.Error(), "run espy in a project folder, or attach this one with espy index " + render.Name(broad.Dir) + " --allow-broad"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return err.Error(), "make room on that disk or choose another folder with --data-dir; what was indexed before still answers"
	case errors.Is(err, syscall.EROFS):
		return err.Error(), "that disk is read-only: searching goes on, indexing needs a folder to write to (--data-dir)"
	case errors.Is(err, fs.ErrPermission):
		return err.Error(), "check the permissions of that path"
	}
	return err.Error(), ""
}

func missingRepo(e *workspace.NotFoundError) (msg, hint string) {
	msg = "no repository " + quote(e.Ref)
	if len(e.Nearest) > 0 {
		return msg, "did you mean " + strings.Join(e.Nearest, " or ") + "?"
	}
	return msg, "espy status lists the repositories, espy index PATH adds one"
}

// flagError explains a flag that is not known or has a bad value.
func flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	e := &hinted{msg: err.Error(), hint: "see " + cmd.CommandPath() + " --help"}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return e
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest.Of(unknown.GetSpecifiedName(), names, 1); near != nil {
		e.hint = "did you mean --" + near[0] + "?"
	}
	return e
}

// oneOf checks a word of a flag against the ones it may be.
func oneOf[T ~string](flag, value string, allowed []T) (T, error) {
	words := make([]string, len(allowed))
	for i, a := range allowed {
		if words[i] = string(a); words[i] == value {
			return a, nil
		}
	}
	e := &hinted{msg: fmt.Sprintf("--%s %s is not one of %s", flag, quote(value), strings.Join(words, ", "))}
	if near := nearest.Of(value, words, 1); near != nil {
		e.hint = fmt.Sprintf("did you mean --%s %s?", flag, near[0])
	}
	return "", e
}

func quote(s string) string { return strconv.Quote(s) }

// visible keeps control characters in names and messages from reaching the
// terminal, line breaks between the lines of a message aside.
func visible(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = render.Clean(line)
	}
	return strings.Join(lines, "\n")
}

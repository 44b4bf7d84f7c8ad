package cli

import (
	"errors"
	"slices"
	"strings"

	"espy/internal/render"
	"espy/internal/usage"
)

// asGrep adds what to type to an error of espy search whose arguments are written for grep
// or rg: -rn TODO lib/, -i todo. Other errors are returned unchanged. The command is the argument
// of that number, -1 for none.
func (p *program) asGrep(err error, at int) error {
	var e *usage.Error
	if !errors.As(err, &e) || at < 0 || p.args[at] != "search" {
		return err
	}
	args, flag := ofGrep(p.args[at+1:])
	grep := p.grepCommand()
	if flag == "" || grep.ParseFlags(args) != nil || grep.Flags().NArg() == 0 && !grep.Flags().Changed("regexp") {
		return err
	}
	line := render.CommandLine(slices.Concat([]string{"espy", "grep"}, args)...)
	if flag[1] == 'r' && len(flag) > 2 && strings.HasPrefix(e.Msg, "no repository ") {
		return &usage.Error{Msg: "-r is --repo here: " + e.Msg, Hint: line + " searches as grep does, subfolders too"}
	}
	return &usage.Error{Arg: e.Arg, Value: e.Value, Msg: e.Msg, Hint: strings.TrimPrefix(e.Hint+"; as grep does it: ", "; ") + line}
}

// ofGrep is the arguments of a grep or an rg as espy grep takes them, and the first flag of
// theirs; "" where there is none with one dash. Flags that make no difference there are left out:
// that subfolders are searched, and that expressions are extended ones.
func ofGrep(args []string) (kept []string, flag string) {
	for i, a := range args {
		if a == "--" {
			return append(kept, args[i:]...), flag
		}
		if len(a) > 1 && a[0] == '-' && a[1] != '-' {
			if flag == "" {
				flag = a
			}
			if letters := strings.TrimLeft(a, "-"); strings.Trim(letters, "rREGnilwcovhHsxaI") == "" {
				if letters = strings.Map(dropped, letters); letters == "" {
					continue
				}
				a = "-" + letters
			}
		}
		kept = append(kept, a)
	}
	return kept, flag
}

func dropped(flag rune) rune {
	if strings.ContainsRune("rREG", flag) {
		return -1
	}
	return flag
}

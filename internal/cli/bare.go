package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"espy/internal/nearest"
)

// withSearch puts the command search in front of arguments that name none, as in
// espy PATTERN. What looks like a misspelt command stays, to be refused.
func withSearch(args []string) []string {
	at, isFlag := firstWord(args)
	switch {
	case at == len(args):
		return args
	case isFlag && !slices.ContainsFunc(args[at:], func(a string) bool { return !strings.HasPrefix(a, "-") }):
		return args
	case !isFlag && (isCommand(args[at]) || isTypo(args[at])):
		return args
	}
	return append([]string{"search"}, args...)
}

// pasted puts -- before the last argument where that is no flag but a text that somebody
// pasted, as "--- FAIL: TestX". What may be the value of a flag is left alone.
func pasted(args []string) []string {
	last := len(args) - 1
	if last < 1 || slices.Contains(args, "--") || strings.HasPrefix(args[last-1], "-") && args[last-1] != "--json" {
		return args
	}
	text := strings.TrimLeft(args[last], "-")
	if text == args[last] || text == "" || !strings.ContainsAny(text, " \t\n") || isNameByte(text[0]) {
		return args
	}
	return append(slices.Clone(args[:last]), "--", args[last])
}

// isNameByte reports whether the name of a flag may begin with a byte.
func isNameByte(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// firstWord finds the first argument that no flag of every command takes, and
// whether it is a flag. It is len(args) where the program itself is asked.
func firstWord(args []string) (at int, isFlag bool) {
	for at = 0; at < len(args); at++ {
		name, _, hasValue := strings.Cut(args[at], "=")
		switch {
		case slices.Contains([]string{"--config", "--data-dir", "--color", "--log-level"}, name):
			if !hasValue {
				at++
			}
		case slices.Contains([]string{"-h", "--help", "-V", "--version"}, name):
			return len(args), false
		case slices.Contains([]string{"--quiet", "-q", "--no-pager"}, name):
		default:
			return at, strings.HasPrefix(name, "-")
		}
	}
	return len(args), false
}

// isCommand reports whether a word is a command, or what shells complete by.
func isCommand(word string) bool {
	own := []string{"help", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	return slices.Contains(own, word) || slices.ContainsFunc(commandList(), func(c command) bool { return isNamed(c, word) })
}

// isTypo reports whether a word is a letter or two from the name of a command, and
// not the beginning of one.
func isTypo(word string) bool {
	if len(word) < 4 || strings.ToLower(word) != word {
		return false
	}
	return slices.ContainsFunc(commandList(), func(c command) bool {
		return slices.ContainsFunc(append([]string{c.name}, aliases[c.name]...), func(name string) bool {
			return !strings.HasPrefix(name, word) && nearest.Distance(word, name) <= 1+len(word)/7
		})
	})
}

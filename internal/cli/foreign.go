package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// foreign are flags of other programs that search (ripgrep, git grep, ag, grep), and
// what does the same here. Each row is for the commands that it names, or for all.
var foreign = []struct {
	names    string // as words
	commands string
	hint     string
}{
	{"l", "context similar changes export", "-t or --lang names a language; -l lists files in espy search and espy files"},
	{"language type", "", "--lang names a language, as in --lang go"},
	{"T type-not", "", "--lang '!NAME' leaves a language out"},
	{"g glob iglob G file-search-regex", "", "--path names a glob, as in --path '*.go'; espy files takes it as an argument"},
	{"v invert-match o only-matching r replace x line-regexp multiline-dotall f file m max-count passthru trim stats", "search", "espy grep has it, with the flags of ripgrep"},
	{"P perl-regexp pcre2", "search", "-e is a regular expression of RE2's syntax; rg -P has look-around and backreferences"},
	{"S smart-case s case-sensitive", "search", "case counts unless --ignore-case is given; ranked modes never look at it"},
	{"N no-line-number line-number column H with-filename I no-filename h heading no-heading no-filename", "search", "each place is shown with its file and line; --vimgrep prints PATH:LINE:COLUMN:TEXT on one line"},
	{"u unrestricted hidden no-ignore no-ignore-vcs a text z search-zip untracked cached no-index", "search", "the index holds hidden files and leaves out ignored ones; espy files --excluded lists these, espy grep --no-ignore reads them"},
	{"R recursive d", "search", "folders are always searched to the bottom; --path narrows it"},
	{"Q literal", "search", "-F or --mode literal finds exact text"},
	{"and or not", "search", "write it in the query: 'a AND b', 'a OR b', 'NOT a'"},
	{"p show-function W function-context", "search", "each hit names its symbol; --detail full shows more of it"},
	{"sort sortr", "search", "literal and regex come in the order of paths, ranked modes by score"},
	{"threads j max-filesize max-depth follow L", "", "the index decides that once, by the settings of docs/settings.md"},
	{"limit-hits max-results k top", "", "--limit says how many results to show"},
	{"case", "search", "--ignore-case, or case:no in the query"},
	{"branch rev commit revision", "", "--ref names a branch, tag or commit"},
	{"dir directory folder root cwd", "", "--path names a folder, --repo a repository"},
	{"format output", "", "--json prints one JSON object"},
	{"all all-repos global", "", "--repo all asks all repositories"},
	{"include exclude exclude-dir", "grep", "-g '*.go' searches files of such names, -g '!vendor' leaves folders or files out"},
	{"R recursive dereference-recursive", "grep", "folders are always searched to the bottom"},
	{"G basic-regexp extended-regexp", "grep", "expressions are ripgrep's: (, | and + mean something without a backslash"},
	{"W function-context show-function", "grep", "-C 5 shows the lines round a match; espy search -e PATTERN names the symbol that each is in"},
	{"Z y", "grep", "-0 ends a path with a NUL byte, -i ignores case"},
}

// foreignFlag says what does here what a flag of another program does there. The
// commands of profiles have the flags of the originals, and a command that lacks a
// flag of a hint has another.
func foreignFlag(cmd *cobra.Command, name string) (hint string, ok bool) {
	if cmd.HasParent() && cmd.Parent().HasParent() {
		return "", false
	}
	for _, f := range foreign {
		if slices.Contains(strings.Fields(f.names), name) && (f.commands == "" || slices.Contains(strings.Fields(f.commands), cmd.Name())) && hasFlags(cmd, f.hint) {
			return f.hint, true
		}
	}
	return "", false
}

// hasFlags reports whether a command has the flags that a hint names, as far as it
// speaks of this command.
func hasFlags(cmd *cobra.Command, hint string) bool {
	own, _, _ := strings.Cut(hint, "espy ")
	for _, word := range strings.Fields(own) {
		if name, ok := strings.CutPrefix(strings.TrimRight(word, ",;"), "--"); ok && cmd.Flag(name) == nil {
			return false
		}
	}
	return true
}

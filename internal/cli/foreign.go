package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"espy/internal/grep/flags"
	"espy/internal/usage"
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
	{"P perl-regexp pcre2", "search", "-e is a regular expression of RE2's syntax; espy grep -P has look-around and backreferences"},
	{"S smart-case s case-sensitive", "search", "case counts unless --ignore-case is given; ranked modes never look at it"},
	{"N no-line-number line-number column H with-filename I no-filename h heading no-heading no-filename ackmate group nogroup noheading break nobreak", "search", "each place is shown with its file and line; --vimgrep prints PATH:LINE:COLUMN:TEXT on one line"},
	{"u unrestricted hidden no-ignore no-ignore-vcs a text z search-zip untracked cached no-index", "search", "the index holds hidden files and leaves out ignored ones; espy files --excluded lists these, espy grep --no-ignore reads them"},
	{"include exclude exclude-dir exclude-from ignore-dir", "search", "--path '*.go' searches files of such names, --path '!vendor/**' leaves folders or files out"},
	{"colour nocolor nocolour no-colour", "search", "--color=never prints no colours, --color=always does"},
	{"R recursive d", "search", "subfolders are always searched; --path narrows it"},
	{"Q literal", "search", "-F or --mode literal finds exact text"},
	{"and or not", "search", "write it in the query: 'a AND b', 'a OR b', 'NOT a'"},
	{"p show-function W function-context", "search", "each hit names its symbol; --detail full shows more of it"},
	{"sort sortr", "search", "literal and regex come in the order of paths, ranked modes by score"},
	{"L", "search", "--limit 5 or -n 5 says how many results to show; espy grep --files-without-match lists files without any"},
	{"threads j max-filesize max-depth follow L", "", "the index decides that once, by the settings of docs/settings.md"},
	{"limit-hits max-results k top", "", "--limit says how many results to show"},
	{"case", "search", "--ignore-case, or case:no in the query"},
	{"branch rev commit revision", "", "--ref names a branch, tag or commit"},
	{"dir directory folder root cwd", "", "--path names a folder, --repo a repository"},
	{"format output", "", "--json prints one JSON object"},
	{"all all-repos global", "", "--repo all asks all repositories"},
	{"t f type d H hidden I no-ignore no-ignore-vcs u unrestricted a", "files", "files alone are listed, hidden ones too; espy files --excluded lists what ignore files leave out, espy grep --files -uu all there is"},
	{"p full-path i ignore-case s case-sensitive S size iname name path ipath not", "files", "an argument is a glob of the path, as in '*Parser*'; --regex '(?i)parser' is an expression"},
	{"print0 Z", "files", "-0 ends each path with a NUL byte"},
	{"max-depth maxdepth min-depth", "files", "a glob tells the depth, as in './*' or 'src/*/*.go'"},
	{"X exec exec-batch", "files", "a pipe does it: espy files -0 '*.go' | xargs -0 wc -l"},
	{"changed-within changed-before newer mtime", "files", "espy changes --since 2024-01-31 lists what changed since a day"},
	{"1 max-results", "files", "-n 1 lists the first"},
	{"sort sortr", "files", "they are listed by path; --long shows sizes: espy files --long"},
	{"others o m modified deleted cached c stage", "files", "espy changes lists what differs from the commit, untracked files too"},
	{"extension ext", "search symbols context similar", "--path '*.java' searches files of such names"},
	{"filename match", "search symbols context similar", "--path 'pom.xml' searches files of that name; espy files finds paths"},
	{"owner org user visibility", "search", "--repo names a repository that is attached; espy status lists them"},
	{"web jq template", "search", "--json prints one JSON object, --jsonl one for each hit: pipe them into jq"},
	{"query queries q", "search context links", "what to look for goes without a flag, as in espy search 'retry backoff'"},
	{"symbol name queries", "symbol references calls hierarchy symbols impact", "a name goes without a flag, as in espy references Server.Close"},
	{"what", "impact", "what changes goes without a flag, as in espy impact src/cart.py"},
	{"queries file lines", "read outline blame", "places go without a flag, several too, as in espy read src/cart.py:10-30 src/shelf.py"},
	{"place snippet", "similar", "a place goes without a flag, as in espy similar src/cart.py:10-30; a snippet comes on standard input"},
	{"direction", "calls", "--callers lists who calls it (the default), --callees what it calls"},
	{"direction", "hierarchy", "--up lists what is above a type, --down what is below it"},
	{"cursor", "search references files symbols calls", "--offset says how many results to skip"},
	{"include exclude exclude-dir ignore-dir exclude-from G file-search-regex", "grep", "-g '*.go' searches files of such names, -g '!vendor' leaves folders or files out"},
	{"R recursive dereference-recursive recurse", "grep", "subfolders are always searched"},
	{"basic-regexp extended-regexp", "grep", "expressions are ripgrep's: (, | and + mean something without a backslash"},
	{"W function-context show-function", "grep", "-C 5 shows the lines round a match; espy search -e PATTERN names the symbol that each is in"},
	{"Q literal", "grep", "-F takes the pattern as exact text"},
	{"name-only files-with-match", "grep", "-l prints the paths alone"},
	{"group break", "grep", "--heading prints paths above their lines, as on a terminal"},
	{"nogroup nobreak noheading", "grep", "--no-heading prints the path before each line, as without a terminal"},
	{"nocolor nocolour no-colour", "grep", "--color=never prints no colours"},
	{"colour", "grep", "--color=always prints colours"},
	{"and or not all-match", "grep", "espy search 'a AND b NOT c' joins words; -e A -e B finds lines with either"},
	{"cached untracked no-index recurse-submodules exclude-standard index", "grep", "files are searched as they stand in the work tree, whether git follows them or not; espy search --ref HEAD -F TEXT searches a commit"},
	{"depth", "grep", "--max-depth 2 searches so many levels of folders"},
	{"pager nopager O open-files-in-pager", "grep", "pipe it into a pager: espy grep -p PATTERN | less -R"},
	{"ackmate flush D", "grep", "--vimgrep prints PATH:LINE:COLUMN:TEXT, --json what programs read"},
	{"print-long-lines W width", "grep", "lines are printed whole; -M 200 leaves out longer ones"},
	{"type-set ignore-file-name", "grep", "--type-add 'name:*.ext' adds a type of files"},
	{"k known-types types-or", "grep", "-t all searches files of all types that --type-list knows"},
	{"java js py python go rust ruby php cc cpp csharp css html json yaml sql perl ts", "grep", "-t names a type of files, as in -t java"},
	{"Z y", "grep", "-0 ends a path with a NUL byte, -i ignores case"},
}

// foreignFlag says what does here what a flag of another program does there. The
// commands of profiles have the flags of the originals, and a command that lacks a
// flag of a hint has another. For espy search, what espy grep says counts too.
func foreignFlag(cmd *cobra.Command, name string) (hint string, ok bool) {
	if cmd.HasParent() && cmd.Parent().HasParent() {
		return "", false
	}
	if hint, ok = foreignTo(cmd, cmd.Name(), name); ok || cmd.Name() != "search" {
		return hint, ok
	}
	if hint, ok = foreignTo(cmd, "grep", name); ok {
		return "in espy grep: " + hint, true
	}
	for _, f := range flags.Table() {
		if (f.Name == name || f.Not == name) && f.Status == flags.Refused {
			return f.Note, true
		}
	}
	return "", false
}

// foreignTo says what the foreign flags of a command have for one.
func foreignTo(cmd *cobra.Command, command, name string) (hint string, ok bool) {
	for _, f := range foreign {
		if slices.Contains(strings.Fields(f.names), name) && (f.commands == "" || slices.Contains(strings.Fields(f.commands), command)) && hasFlags(cmd, f.hint) {
			return f.hint, true
		}
	}
	return "", false
}

// kindsOfFiles are the values of -t of fd, and what is left of find's -type.
var kindsOfFiles = []string{"f", "d", "l", "x", "file", "directory", "symlink", "executable", "empty", "ype"}

// ghFields are the fields that gh search code --json takes, which would be words of the
// query here.
var ghFields = []string{"path", "repository", "sha", "textMatches", "url"}

// withoutFields refuses fields behind --json.
func (p *program) withoutFields() error {
	i := slices.Index(p.args, "--json") + 1
	if i == 0 || i == len(p.args) || !strings.Contains(p.args[i], ",") {
		return nil
	}
	for field := range strings.SplitSeq(p.args[i], ",") {
		if !slices.Contains(ghFields, field) {
			return nil
		}
	}
	return &usage.Error{Arg: "json", Value: p.args[i], Msg: "--json takes no fields here", Hint: "leave them out: it prints one JSON object; --jsonl prints one for each hit, which jq picks fields of"}
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

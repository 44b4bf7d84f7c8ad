package flags

import (
	"slices"

	"espy/internal/usage"
)

// on makes the set function of a switch.
func on(f func(a *Args)) func(*Args, string) error {
	return func(a *Args, _ string) error { f(a); return nil }
}

// Table returns every flag of ripgrep 14, in the order of their groups.
func Table() []Flag {
	list := slices.Concat(input(), search(), filtering(), output(), modes(), other(), refused())
	for i := range list {
		if list[i].Status == "" {
			list[i].Status = Same
		}
	}
	return list
}

func input() []Flag {
	return []Flag{
		{Name: "regexp", Short: "e", Value: "pattern", Doc: "search for this pattern; repeatable", set: func(a *Args, v string) error {
			a.Patterns, a.HasPattern = append(a.Patterns, v), true
			return nil
		}},
		{Name: "file", Short: "f", Value: "file", Doc: "search for the patterns of this file, one a line; - is standard input", set: func(a *Args, v string) error {
			a.PatternFiles, a.HasPattern = append(a.PatternFiles, v), true
			return nil
		}},
	}
}

func search() []Flag {
	return []Flag{
		{Name: "fixed-strings", Short: "F", Doc: "patterns are exact text", Not: "no-fixed-strings", set: on(func(a *Args) { a.Fixed = true }), not: func(a *Args) { a.Fixed = false }},
		{Name: "ignore-case", Short: "i", Doc: "ignore case", set: on(func(a *Args) { a.Case = Ignored })},
		{Name: "smart-case", Short: "S", Doc: "ignore case where the pattern has no large letter", set: on(func(a *Args) { a.Case = Smart })},
		{Name: "case-sensitive", Short: "s", Doc: "heed case", set: on(func(a *Args) { a.Case = exact })},
		{Name: "word-regexp", Short: "w", Doc: "match whole words", set: on(func(a *Args) { a.Word, a.Line = true, false })},
		{Name: "line-regexp", Short: "x", Doc: "match whole lines", set: on(func(a *Args) { a.Line, a.Word = true, false })},
		{Name: "invert-match", Short: "v", Doc: "show the lines without a match", Not: "no-invert-match", set: on(func(a *Args) { a.Invert = true }), not: func(a *Args) { a.Invert = false }},
		{Name: "max-count", Short: "m", Value: "n", Doc: "show at most n matching lines of a file", set: func(a *Args, v string) (err error) { a.MaxCount, err = number("max-count", v); return err }},
		{Name: "multiline", Short: "U", Doc: "match over several lines", Not: "no-multiline", set: on(func(a *Args) { a.Multiline = true }), not: func(a *Args) { a.Multiline = false }, Status: Differs, Note: "with -r the lines are shown as ripgrep 14 shows them"},
		{Name: "multiline-dotall", Doc: "with -U: the dot matches line ends", Not: "no-multiline-dotall", set: on(func(a *Args) { a.DotAll = true }), not: func(a *Args) { a.DotAll = false }},
		{Name: "text", Short: "a", Doc: "search binary files as text", Not: "no-text", set: on(func(a *Args) { a.Text, a.Binary = true, false }), not: func(a *Args) { a.Text = false }},
		{Name: "binary", Doc: "search binary files, and say where they match", Not: "no-binary", set: on(func(a *Args) { a.Binary, a.Text = true, false }), not: func(a *Args) { a.Binary = false }},
		{Name: "encoding", Short: "E", Value: "encoding", Doc: "encoding of the files: auto or none", Not: "no-encoding", Status: Differs, Note: "auto and none; others are refused: convert the file first, as with iconv", set: encoding, not: func(a *Args) { a.Raw = false }},
		{Name: "mmap", Doc: "look through files as one piece", Not: "no-mmap", Status: Differs, Note: "files are read in any case; it decides how binary files are told", set: on(func(a *Args) { a.Mmap = On }), not: func(a *Args) { a.Mmap = Off }},
		{Name: "stop-on-nonmatch", Doc: "end a file at the first line without a match behind one with", Status: Differs, Note: "not in ripgrep 13", set: on(func(a *Args) { a.StopOnGap = true })},
		{Name: "engine", Value: "engine", Doc: "engine of regular expressions: default, auto or pcre2", Status: Differs, Note: "there is one engine; pcre2 is -P", set: engine},
		{Name: "pcre2", Short: "P", Doc: "patterns are written as PCRE2 has them", Not: "no-pcre2", Status: Differs, Note: "recursion, conditions, verbs, \\X and \\G are refused: rg -P has them", set: on(func(a *Args) { a.Perl = true }), not: func(a *Args) { a.Perl = false }},
		{Name: "auto-hybrid-regex", Doc: "the same as --engine=auto", Not: "no-auto-hybrid-regex", Status: Differs, Note: "as --engine=auto", set: on(func(*Args) {})},
		{Name: "threads", Short: "j", Value: "n", Doc: "search with n threads", set: func(a *Args, v string) (err error) { a.Threads, err = number("threads", v); return err }},
		{Name: "regex-size-limit", Value: "size", Doc: "limit of a regular expression", Status: Differs, Note: "taken and not used: expressions have a limit of their own", set: func(_ *Args, v string) error { _, err := size("regex-size-limit", v); return err }},
		{Name: "dfa-size-limit", Value: "size", Doc: "limit of the automaton", Status: Differs, Note: "taken and not used: the automaton has a limit of its own", set: func(_ *Args, v string) error { _, err := size("dfa-size-limit", v); return err }},
	}
}

func engine(a *Args, v string) error {
	a.Perl = v == "pcre2"
	return oneOf("engine", v, "default", "auto", "pcre2")
}

func encoding(a *Args, v string) error {
	if err := oneOf("encoding", v, "auto", "none"); err != nil {
		return &usage.Error{Arg: "encoding", Value: v, Msg: "an encoding that is not known here", Hint: "auto reads UTF-8 and UTF-16 with a byte order mark, rg reads others; expressions need no -E"}
	}
	a.Raw = v == "none"
	return nil
}

func filtering() []Flag {
	kind := func(k string) func(*Args, string) error {
		return func(a *Args, v string) error { a.Types = append(a.Types, typeChange{k, v}); return nil }
	}
	return []Flag{
		{Name: "glob", Short: "g", Value: "glob", Doc: "search files that match this glob, or with ! those that do not; repeatable", set: func(a *Args, v string) error { a.Globs = append(a.Globs, v); return nil }},
		{Name: "iglob", Value: "glob", Doc: "the same without regard to case", set: func(a *Args, v string) error { a.IGlobs = append(a.IGlobs, v); return nil }},
		{Name: "glob-case-insensitive", Doc: "-g ignores case", Not: "no-glob-case-insensitive", set: on(func(a *Args) { a.AnyCase = true }), not: func(a *Args) { a.AnyCase = false }},
		{Name: "type", Short: "t", Value: "type", Doc: "search files of this type; repeatable", Status: Differs, Note: "the types are those of ripgrep 13", set: kind("type")},
		{Name: "type-not", Short: "T", Value: "type", Doc: "leave out files of this type; repeatable", Status: Differs, Note: "the types are those of ripgrep 13", set: kind("not")},
		{Name: "type-add", Value: "type", Doc: "add a type: name:*.ext or name:include:others", set: kind("add")},
		{Name: "type-clear", Value: "type", Doc: "forget the globs of a type", set: kind("clear")},
		{Name: "hidden", Short: ".", Doc: "search hidden files too", Not: "no-hidden", set: on(func(a *Args) { a.Hidden = true }), not: func(a *Args) { a.Hidden = false }},
		{Name: "unrestricted", Short: "u", Doc: "-u is --no-ignore, -uu --hidden too, -uuu --binary too", set: on(func(a *Args) { a.Unrestricted++ })},
		{Name: "no-ignore", Doc: "ignore files do not count", Not: "ignore", set: on(func(a *Args) { a.NoIgnore = true }), not: func(a *Args) { a.NoIgnore = false }},
		{Name: "no-ignore-dot", Doc: ".ignore does not count", Not: "ignore-dot", set: on(func(a *Args) { a.NoDot = true }), not: func(a *Args) { a.NoDot = false }},
		{Name: "no-ignore-vcs", Doc: "git's ignore files do not count", Not: "ignore-vcs", set: on(func(a *Args) { a.NoGit = true }), not: func(a *Args) { a.NoGit = false }},
		{Name: "no-ignore-global", Doc: "git's global ignore file does not count", Not: "ignore-global", set: on(func(a *Args) { a.NoGlobal = true }), not: func(a *Args) { a.NoGlobal = false }},
		{Name: "no-ignore-parent", Doc: "ignore files of folders above do not count", Not: "ignore-parent", Status: Differs, Note: "ignore files above the repository never count", set: on(func(a *Args) { a.NoParent = true }), not: func(a *Args) { a.NoParent = false }},
		{Name: "no-ignore-files", Doc: "files of --ignore-file do not count", Not: "ignore-files", set: on(func(a *Args) { a.NoFiles = true }), not: func(a *Args) { a.NoFiles = false }},
		{Name: "ignore-file", Value: "file", Doc: "another ignore file; repeatable", set: func(a *Args, v string) error { a.IgnoreFiles = append(a.IgnoreFiles, v); return nil }},
		{Name: "no-require-git", Doc: ".gitignore counts outside of repositories too", Not: "require-git", set: on(func(a *Args) { a.NoRequire = true }), not: func(a *Args) { a.NoRequire = false }},
		{Name: "max-depth", Short: "d", Value: "n", Doc: "search n levels of folders", Aliases: []string{"maxdepth"}, set: func(a *Args, v string) (err error) { a.MaxDepth, err = number("max-depth", v); return err }},
		{Name: "max-filesize", Value: "size", Doc: "leave out larger files", set: func(a *Args, v string) (err error) { a.MaxBytes, err = size("max-filesize", v); return err }},
	}
}

func output() []Flag {
	return []Flag{
		{Name: "line-number", Short: "n", Doc: "show line numbers", set: on(func(a *Args) { a.LineNumber = On })},
		{Name: "no-line-number", Short: "N", Doc: "show no line numbers", set: on(func(a *Args) { a.LineNumber = Off })},
		{Name: "column", Doc: "show columns", Not: "no-column", set: on(func(a *Args) { a.Column = On }), not: func(a *Args) { a.Column = Off }},
		{Name: "byte-offset", Short: "b", Doc: "show the offset of each line", Not: "no-byte-offset", set: on(func(a *Args) { a.ByteOffset = true }), not: func(a *Args) { a.ByteOffset = false }},
		{Name: "with-filename", Short: "H", Doc: "show file names", set: on(func(a *Args) { a.Filename = On })},
		{Name: "no-filename", Short: "I", Doc: "show no file names", set: on(func(a *Args) { a.Filename = Off })},
		{Name: "heading", Doc: "show file names above their lines", Not: "no-heading", set: on(func(a *Args) { a.Heading = On }), not: func(a *Args) { a.Heading = Off }},
		{Name: "after-context", Short: "A", Value: "n", Doc: "show n lines after each match", set: func(a *Args, v string) (err error) { a.After, err = number("after-context", v); return err }},
		{Name: "before-context", Short: "B", Value: "n", Doc: "show n lines before each match", set: func(a *Args, v string) (err error) { a.Before, err = number("before-context", v); return err }},
		{Name: "context", Short: "C", Value: "n", Doc: "show n lines round each match", Status: Differs, Note: "-C sets both sides, and a later -A or -B its own; ripgrep 13 then drops the other, 14 lets -A and -B win in any order", set: func(a *Args, v string) (err error) {
			a.Before, err = number("context", v)
			a.After = a.Before
			return err
		}},
		{Name: "context-separator", Value: "text", Doc: "text between lines that are not neighbours", Not: "no-context-separator", set: func(a *Args, v string) error { v = unescape(v); a.ContextSeparator = &v; return nil }, not: func(a *Args) { a.ContextSeparator = nil }},
		{Name: "field-match-separator", Value: "text", Doc: "text between the fields of a matching line", set: func(a *Args, v string) error { a.MatchField = unescape(v); return nil }},
		{Name: "field-context-separator", Value: "text", Doc: "text between the fields of another line", set: func(a *Args, v string) error { a.ContextField = unescape(v); return nil }},
		{Name: "path-separator", Value: "character", Doc: "character instead of a slash", set: func(a *Args, v string) error {
			if a.PathSeparator = unescape(v); len(a.PathSeparator) > 1 {
				return &usage.Error{Arg: "path-separator", Value: v, Msg: "more than one byte", Hint: "write one character"}
			}
			return nil
		}},
		{Name: "null", Short: "0", Doc: "a NUL byte behind each file name", set: on(func(a *Args) { a.Null = true })},
		{Name: "only-matching", Short: "o", Doc: "show the matches alone", set: on(func(a *Args) { a.Only = true })},
		{Name: "replace", Short: "r", Value: "text", Doc: "show this in the place of matches; $1 and $name are groups", set: func(a *Args, v string) error { a.Replace = &v; return nil }},
		{Name: "vimgrep", Doc: "show each match on a line of its own, with its column", set: on(func(a *Args) { a.Vimgrep = true })},
		{Name: "trim", Doc: "show lines without spaces at their start", Not: "no-trim", set: on(func(a *Args) { a.Trim = true }), not: func(a *Args) { a.Trim = false }},
		{Name: "max-columns", Short: "M", Value: "n", Doc: "leave out lines of more than n bytes (0: none)", set: func(a *Args, v string) (err error) { a.MaxColumns, err = number("max-columns", v); return err }},
		{Name: "max-columns-preview", Doc: "show the beginning of such lines", Not: "no-max-columns-preview", set: on(func(a *Args) { a.Preview = true }), not: func(a *Args) { a.Preview = false }},
		{Name: "passthru", Doc: "show the other lines too", Aliases: []string{"passthrough"}, set: on(func(a *Args) { a.Passthru = true })},
		{Name: "color", Value: "when", Doc: "when to use colour: auto, always, ansi or never", set: func(a *Args, v string) error {
			a.Color = v
			return oneOf("color", v, "auto", "always", "ansi", "never")
		}},
		{Name: "colors", Value: "spec", Doc: "change a colour, as in match:fg:blue; repeatable", set: func(a *Args, v string) error { a.Colors = append(a.Colors, v); return nil }},
		{Name: "pretty", Short: "p", Doc: "colours, headings and line numbers", set: on(func(a *Args) { a.Pretty = true })},
		{Name: "stats", Doc: "show counts at the end", Not: "no-stats", Status: Differs, Note: "the times are those of this program", set: on(func(a *Args) { a.Stats = true }), not: func(a *Args) { a.Stats = false }},
		{Name: "sort", Value: "key", Doc: "sort by path, modified or none (default path)", Status: Differs, Note: "output is sorted by path in any case; accessed and created are refused", set: sorted("sort", false)},
		{Name: "sortr", Value: "key", Doc: "sort the other way round", Status: Differs, Note: "as --sort", set: sorted("sortr", true)},
		{Name: "sort-files", Doc: "sort by path", Not: "no-sort-files", set: on(func(a *Args) { a.Sort, a.Reverse = "path", false }), not: func(*Args) {}},
		{Name: "line-buffered", Doc: "write each file's lines at once", Not: "no-line-buffered", Status: Differs, Note: "taken and not used: lines are written as soon as it is their turn", set: on(func(*Args) {})},
		{Name: "block-buffered", Doc: "write in blocks", Not: "no-block-buffered", Status: Differs, Note: "taken and not used", set: on(func(*Args) {})},
	}
}

func sorted(flag string, reverse bool) func(*Args, string) error {
	return func(a *Args, v string) error {
		a.Sort, a.Reverse = v, reverse && v != "none"
		return oneOf(flag, v, "path", "modified", "none")
	}
}

func modes() []Flag {
	return []Flag{
		{Name: "count", Short: "c", Doc: "show how many lines match in each file", set: on(func(a *Args) { a.Count, a.CountMatches = true, false })},
		{Name: "count-matches", Doc: "show how many matches each file has", set: on(func(a *Args) { a.CountMatches, a.Count = true, false })},
		{Name: "include-zero", Doc: "with -c: files without a match too", Not: "no-include-zero", set: on(func(a *Args) { a.IncludeZero = true }), not: func(a *Args) { a.IncludeZero = false }},
		{Name: "files-with-matches", Short: "l", Doc: "show the files with a match", set: on(func(a *Args) { a.With, a.Without = true, false })},
		{Name: "files-without-match", Doc: "show the files without a match", set: on(func(a *Args) { a.Without, a.With = true, false })},
		{Name: "json", Doc: "print JSON Lines", Not: "no-json", Status: Differs, Note: "the times are those of this program", set: on(func(a *Args) { a.JSON = true }), not: func(a *Args) { a.JSON = false }},
		{Name: "quiet", Short: "q", Doc: "print nothing; the exit code tells", set: on(func(a *Args) { a.Quiet = true })},
		{Name: "files", Doc: "print the files that would be searched", set: on(func(a *Args) { a.Files = true })},
		{Name: "type-list", Doc: "print the types of files", Status: Differs, Note: "the types are those of ripgrep 13", set: on(func(a *Args) { a.TypeList = true })},
	}
}

func other() []Flag {
	return []Flag{
		{Name: "no-messages", Doc: "say nothing of files that cannot be read", Not: "messages", set: on(func(a *Args) { a.NoMessages = true }), not: func(a *Args) { a.NoMessages = false }},
		{Name: "no-ignore-messages", Doc: "say nothing of ignore files that cannot be read", Not: "ignore-messages", set: on(func(a *Args) { a.NoComplaint = true }), not: func(a *Args) { a.NoComplaint = false }},
		{Name: "no-config", Doc: "read no file of flags", Status: Differs, Note: "RIPGREP_CONFIG_PATH is never read", set: on(func(*Args) {})},
		{Name: "version", Short: "V", Doc: "print the version", Status: Differs, Note: "that of Espy", set: on(func(a *Args) { a.Version = true })},
		{Name: "help", Short: "h", Doc: "print the help", Status: Differs, Note: "that of espy grep"},
		{Name: "one-file-system", Doc: "stay on one file system", Not: "no-one-file-system", Status: Refused, Note: "name the folders to search, or leave one out with -g '!folder'"},
	}
}

func refused() []Flag {
	list := []Flag{
		{Name: "pcre2-version", Note: "there is no PCRE2 here"},
		{Name: "no-pcre2-unicode", Not: "pcre2-unicode", Note: "there is no PCRE2 here"},
		{Name: "no-unicode", Not: "unicode", Note: `write (?-u:\w), (?-u:\d) or (?-u:\s) in the pattern`},
		{Name: "crlf", Not: "no-crlf", Note: `write \r?$ in the pattern`},
		{Name: "null-data", Note: "tr '\\0' '\\n' < file | espy grep PATTERN"},
		{Name: "follow", Short: "L", Not: "no-follow", Note: "links are not followed, so that nothing outside of the folder is read: name their targets as paths; --files-without-match lists files"},
		{Name: "search-zip", Short: "z", Not: "no-search-zip", Note: "zcat file | espy grep PATTERN"},
		{Name: "pre", Value: "command", Not: "no-pre", Note: "no program is run for a file: pipe its output, as in pdftotext file - | espy grep PATTERN"},
		{Name: "pre-glob", Value: "glob", Note: "no program is run for a file: pipe its output into espy grep PATTERN"},
		{Name: "hyperlink-format", Value: "format", Note: "--vimgrep prints places that editors and terminals open"},
		{Name: "hostname-bin", Value: "command", Note: "no program is run"},
		{Name: "ignore-file-case-insensitive", Not: "no-ignore-file-case-insensitive", Note: "write both cases in the ignore file, or use --iglob '!name'"},
		{Name: "no-ignore-exclude", Not: "ignore-exclude", Note: "--no-ignore-vcs leaves out all of git's ignore files"},
		{Name: "debug", Note: "espy files --excluded lists what is left out and why"},
		{Name: "trace", Note: "espy files --excluded lists what is left out and why"},
		{Name: "generate", Value: "kind", Note: "espy completion SHELL prints completions, espy grep --help the flags"},
	}
	for i := range list {
		list[i].Status = Refused
		list[i].Doc = "refused"
	}
	return list
}

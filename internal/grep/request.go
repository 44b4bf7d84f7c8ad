package grep

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"espy/internal/grep/choose"
	"espy/internal/grep/flags"
	"espy/internal/grep/rust"
	"espy/internal/grep/scan"
	"espy/internal/grep/show"
	"espy/internal/usage"
)

// Terminal is what the output of a request depends on beside its flags.
type Terminal struct {
	Out         bool   // the output is one
	Color       string // what stands for --color where it is not given
	Plain       bool   // there are colours only where they are asked for always
	ShowSecrets bool
	Stdin       bool                                     // there is a standard input to be searched
	Open        func(name string) (io.ReadCloser, error) // of files of patterns and ignore files; "-" is standard input
	IsDir       func(path string) bool
}

// NewRequest reads a command line: its flags, and its arguments.
func NewRequest(a *flags.Args, args []string, t *Terminal) (*Request, error) {
	patterns, paths, err := patterns(a, args, t)
	if err != nil {
		return nil, err
	}
	req := &Request{
		Paths: paths, Files: a.Files, Sort: a.Sort, Reverse: a.Reverse, Threads: a.Threads, Silent: a.NoMessages, Raw: a.Raw,
		Converts: a.Binary || a.Unrestricted >= 3, NoMatch: len(patterns) == 0 || a.MaxCount == 0,
	}
	if !a.Files {
		compile := rust.Compile
		if a.Perl && !a.Fixed {
			compile = rust.CompilePerl
		}
		if req.Regex, err = compile(patterns, rust.Options{
			IgnoreCase: a.Case == flags.Ignored, SmartCase: a.Case == flags.Smart, Fixed: a.Fixed, Word: a.Word, Line: a.Line, Multiline: a.Multiline, DotAll: a.DotAll,
		}); err != nil {
			return nil, err
		}
	}
	if req.Choose, err = choice(a); err != nil {
		return nil, err
	}
	req.ignoreFiles(a, t)
	if r := a.Replace; r != nil && !a.NoMessages && isFlags(*r) {
		req.Complaints = append(req.Complaints, "-r"+*r+" puts "+strconv.Quote(*r)+" in the place of each match, as in ripgrep; folders are searched without -r: write -"+*r)
	}
	req.Show, err = shown(a, paths, t)
	req.Stats = a.Stats || req.Show.Kind == show.JSON
	req.Scan = scan.Options{Invert: a.Invert, Passthru: a.Passthru, StopOnGap: a.StopOnGap, Before: a.Before, After: a.After, Mapped: mapped(a, paths, t)}
	if a.Text {
		req.Scan.Binary = scan.Text
	}
	if a.Passthru {
		req.Scan.Before, req.Scan.After = 0, 0
	}
	return req, err
}

// isFlags reports whether a replacement is what other programs that search have as
// flags behind -r, as in grep -rn.
func isFlags(replacement string) bool {
	return replacement != "" && len(replacement) <= 4 && strings.Trim(replacement, "nilIHhwEF") == ""
}

// patterns returns the patterns, and the arguments that are paths.
func patterns(a *flags.Args, args []string, t *Terminal) (list, paths []string, err error) {
	switch {
	case a.Files:
		return nil, args, nil
	case a.HasPattern:
		list = a.Patterns
	case len(args) == 0 && a.Replace != nil:
		return nil, nil, &usage.Error{Arg: "pattern", Msg: "no pattern: -r took " + strconv.Quote(*a.Replace) + " to put in the place of matches, as in ripgrep", Hint: "folders are searched without it: espy grep -n PATTERN"}
	case len(args) == 0:
		return nil, nil, &usage.Error{Arg: "pattern", Msg: "no pattern", Hint: "espy grep PATTERN [PATH...]; espy grep --help lists the flags"}
	default:
		list, args = args[:1], args[1:]
	}
	for _, name := range a.PatternFiles {
		text, err := readAll(name, t)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, patternsOf(text)...)
	}
	return list, args, nil
}

// maxPatterns is how many bytes a file of patterns may have.
const maxPatterns = 16 << 20

func readAll(name string, t *Terminal) ([]byte, error) {
	f, err := t.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPatterns+1))
	if err == nil && len(text) > maxPatterns {
		err = &usage.Error{Arg: "file", Value: name, Msg: "a file of more than 16 MiB of patterns", Hint: "search with fewer patterns at a time"}
	}
	return text, err
}

// choice is which files are searched.
func choice(a *flags.Args) (o choose.Options, err error) {
	all := a.NoIgnore || a.Unrestricted >= 1
	o = choose.Options{
		Globs: a.Globs, IGlobs: a.IGlobs, AnyCase: a.AnyCase, Hidden: a.Hidden || a.Unrestricted >= 2, MaxDepth: a.MaxDepth, MaxBytes: a.MaxBytes,
		NoDot: a.NoDot || all, NoCustom: all, NoGit: a.NoGit || all, NoGlobal: a.NoGlobal || all, NoParent: a.NoParent || all, NoRequire: a.NoRequire,
	}
	o.Types, err = types(a)
	return o, err
}

// ignoreFiles reads the ignore files that were named. One that cannot be read is
// complained of.
func (req *Request) ignoreFiles(a *flags.Args, t *Terminal) {
	if a.NoFiles {
		return
	}
	for _, name := range a.IgnoreFiles {
		text, err := readAll(name, t)
		if err != nil && !a.NoMessages && !a.NoComplaint {
			req.Complaints = append(req.Complaints, name+": "+reason(err))
		}
		req.Choose.Ignores = append(req.Choose.Ignores, string(text))
	}
}

// types are the types that were chosen, nil for none.
func types(a *flags.Args) (*choose.Types, error) {
	if len(a.Types) == 0 {
		return nil, nil
	}
	t := choose.NewTypes()
	for _, pass := range []string{"clear", "add", "type", "not"} {
		for _, c := range a.Types {
			var err error
			switch {
			case c.Kind != pass:
			case pass == "clear":
				t.Clear(c.Value)
			case pass == "add":
				err = t.Add(c.Value)
			default:
				err = t.Select(c.Value, pass == "not")
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// TypeList is what --type-list prints.
func TypeList(a *flags.Args) (string, error) {
	t := choose.NewTypes()
	for _, pass := range []string{"clear", "add"} {
		for _, c := range a.Types {
			if c.Kind == pass && pass == "clear" {
				t.Clear(c.Value)
			} else if c.Kind == pass {
				if err := t.Add(c.Value); err != nil {
					return "", err
				}
			}
		}
	}
	return t.List(), nil
}

// kind is what is printed.
func kind(a *flags.Args) show.Kind {
	count, matches := a.Count, a.CountMatches
	switch {
	case matches && a.Invert:
		count, matches = true, false
	case count && a.Only:
		count, matches = false, true
	}
	switch {
	case a.Quiet:
		return show.Quiet
	case a.JSON:
		return show.JSON
	case matches:
		return show.CountMatches
	case count:
		return show.Count
	case a.With:
		return show.With
	case a.Without:
		return show.Without
	}
	return show.Standard
}

// shown is how it is printed.
func shown(a *flags.Args, paths []string, t *Terminal) (show.Options, error) {
	k := kind(a)
	onlyStdin := len(paths) == 1 && paths[0] == "-" || len(paths) == 0 && t.Stdin
	o := show.Options{
		Kind: k, Colors: show.DefaultColors(), Stats: a.Stats, ByteOffset: a.ByteOffset,
		OnlyMatching: a.Only, PerMatch: a.Vimgrep, Replace: a.Replace, MaxColumns: a.MaxColumns, Preview: a.Preview, MaxCount: a.MaxCount,
		Trim: a.Trim, IncludeZero: a.IncludeZero, ContextSeparator: a.ContextSeparator, MatchField: a.MatchField, ContextField: a.ContextField,
		PathSeparator: a.PathSeparator, Null: a.Null, Invert: a.Invert, After: a.After, Hide: !t.ShowSecrets,
	}
	o.Column = a.Column.Or(a.Vimgrep)
	o.Heading = a.Heading != flags.Off && !a.Vimgrep && (t.Out || a.Heading == flags.On || a.Pretty)
	o.LineNumber = a.LineNumber.Or(k == show.JSON || t.Out && !onlyStdin || a.Column == flags.On || a.Pretty || a.Vimgrep)
	o.Path = a.Filename.Or(a.Vimgrep || len(paths) > 1 || len(paths) == 0 && !onlyStdin || len(paths) == 1 && paths[0] != "-" && t.IsDir(paths[0]))
	o.Color = colored(a, t)
	for _, spec := range a.Colors {
		if err := o.Colors.Set(spec); err != nil {
			return o, err
		}
	}
	if k == show.Standard {
		empty := ""
		switch {
		case o.Heading:
			o.FileSeparator = &empty
		case a.Before > 0 || a.After > 0:
			o.FileSeparator = a.ContextSeparator
		}
	}
	return o, nil
}

func colored(a *flags.Args, t *Terminal) bool {
	when := a.Color
	if when == "" {
		when = t.Color
	}
	switch when {
	case "always", "ansi":
		return true
	case "never":
		return false
	}
	return !t.Plain && (t.Out || a.Pretty)
}

// mapped reports whether ripgrep would look through files as one piece.
func mapped(a *flags.Args, paths []string, t *Terminal) bool {
	if a.Mmap != flags.Unset {
		return a.Mmap == flags.On
	}
	if len(paths) == 0 || len(paths) > 10 {
		return false
	}
	for _, p := range paths {
		if p == "-" || t.IsDir(p) {
			return false
		}
	}
	return true
}

// IsDir reports whether a path, relative to a folder, is one.
func IsDir(dir, path string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

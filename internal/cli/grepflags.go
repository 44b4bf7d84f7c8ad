package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"espy/internal/catalog"
	"espy/internal/hit"
	"espy/internal/place"
	"espy/internal/usage"
)

// grepFlags are the flags of espy search that have the names and meanings that
// ripgrep, git grep and grep gave them.
type grepFlags struct {
	fixed, extended bool
	pattern         string
	globs           []string
}

func (f *grepFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVarP(&f.fixed, "fixed-strings", "F", false, "the same as --mode literal")
	flags.BoolVarP(&f.extended, "extended-regexp", "E", false, "the same as --mode regex")
	flags.StringVarP(&f.pattern, "regexp", "e", "", "search for this regular `expression`; arguments are then folders and files to search in")
	flags.StringArrayVarP(&f.globs, "glob", "g", nil, "the same as --path `GLOB`")
}

// split takes an argument list apart into the words of a query and the places to
// search in, which stand behind the first word and exist.
func (f *grepFlags) split(args []string, isPlace func(arg string, sure bool) bool) (words, places []string) {
	for i, arg := range args {
		sure := f.pattern != ""
		if (i > 0 || sure) && isPlace(arg, sure) {
			places = append(places, hereGlob(arg))
		} else if sure {
			places = append(places, arg) // it is missed by its name
		} else {
			words = append(words, arg)
		}
	}
	return words, places
}

// noPlace says that an argument was taken as a word, where it may be meant as a place.
func noPlace(arg string) string {
	word := place.Name(arg) + " was searched for as part of the query; "
	switch {
	case strings.Contains(arg, "://") && !strings.ContainsAny(arg, " \t\n") && catalog.IsURL(arg):
		return word + "--repo names a repository to search"
	case likePlace(arg):
		return "no such file or folder: " + word + "--path names where to search"
	}
	return ""
}

// likePlace reports whether an argument is written as a path with a slash, and nothing
// else.
func likePlace(arg string) bool {
	first, last, slash := strings.Cut(arg, "/")
	return slash && first+last != "" && !strings.ContainsAny(arg, " \t\n\\*+?()[]{}|^$:;,=<>\"'`#&%!") && !strings.Contains(arg, "//")
}

// hereGlob is a place that exists as a glob that matches nothing else of its name.
func hereGlob(arg string) string {
	if filepath.IsAbs(arg) || isDotted(arg) {
		return arg
	}
	return "./" + arg
}

// apply gives the flags of a search what these say.
func (f *grepFlags) apply(cmd *cobra.Command, s *searchFlags) error {
	s.request.Paths = append(s.request.Paths, f.globs...)
	set := 0
	for _, name := range []string{"mode", "fixed-strings", "extended-regexp"} {
		if cmd.Flags().Changed(name) {
			set++
		}
	}
	if set > 1 {
		return &usage.Error{Msg: "two modes are given", Hint: "give only one of --mode, --fixed-strings and --extended-regexp"}
	}
	return nil
}

// mode is the mode of a query, and the query as that mode reads it.
func (f *grepFlags) mode(query, mode string) (hit.Mode, string, error) {
	switch {
	case f.pattern != "" && f.fixed:
		return hit.ModeLiteral, f.pattern, nil
	case f.pattern != "" && (mode == string(hit.ModeAuto) || mode == string(hit.ModeRegex)):
		return hit.ModeRegex, f.pattern, nil
	case f.pattern != "":
		return hit.Mode(mode), f.pattern, nil
	case f.fixed:
		return hit.ModeLiteral, query, nil
	case f.extended:
		return hit.ModeRegex, query, nil
	}
	if inner, ok := slashed(query); ok && mode == string(hit.ModeAuto) {
		return hit.ModeRegex, inner, nil
	}
	return hit.Mode(mode), query, nil
}

// slashed takes a query apart that other searches read as a regular expression:
// /text with operators/.
func slashed(query string) (inner string, ok bool) {
	if len(query) < 3 || query[0] != '/' || query[len(query)-1] != '/' {
		return "", false
	}
	inner = query[1 : len(query)-1]
	return inner, strings.ContainsAny(inner, `\*+?[](){}|^$`)
}

// isPlace reports whether an argument is a place to search in: a folder that exists,
// or a path with a slash that does. sure is asked where it cannot be a word.
func (p *program) isPlace(arg string, sure bool) bool {
	info, err := os.Stat(p.path(arg))
	return err == nil && (sure || info.IsDir() || strings.Contains(arg, "/"))
}

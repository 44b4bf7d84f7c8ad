package cli

import (
	"github.com/spf13/cobra"

	"espy/internal/hit"
	"espy/internal/render"
	"espy/internal/usage"
)

// formFlags say in which form a list is printed.
type formFlags struct {
	vimgrep, paths, counts, null, lines, long bool
}

// vimLimit is how many places a list has that another program reads, unless --limit
// says so.
const vimLimit = 10_000

func (f *formFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.vimgrep, "vimgrep", false, "print PATH:LINE:COLUMN:TEXT, one place a line, as editors read it")
	flags.BoolVarP(&f.paths, "files-with-matches", "l", false, "print only the paths of the files found")
	flags.BoolVarP(&f.counts, "count", "c", false, "literal and regex: print only the number of matching lines of each file")
	flags.BoolVarP(&f.null, "null", "0", false, "with -l or -c: end each path with a NUL byte, as xargs -0 reads it")
	flags.BoolVar(&f.lines, "jsonl", false, "print one JSON object a line, one for each hit")
}

func (f *formFlags) addFiles(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVarP(&f.paths, "files-with-matches", "l", false, "print the paths alone (the default without a terminal)")
	flags.BoolVar(&f.long, "long", false, "print sizes, lines and languages too (the default on a terminal)")
	flags.BoolVarP(&f.null, "null", "0", false, "print the paths alone, each with a NUL byte behind it, as xargs -0 reads it")
	flags.BoolVar(&f.lines, "jsonl", false, "print one JSON object a line, one for each file")
}

func (f *formFlags) addSymbols(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.vimgrep, "vimgrep", false, "print PATH:LINE:COLUMN:SIGNATURE, one symbol a line, as editors read it")
	flags.BoolVarP(&f.paths, "files-with-matches", "l", false, "print only the paths of the files found")
	flags.BoolVarP(&f.null, "null", "0", false, "with -l: end each path with a NUL byte, as xargs -0 reads it")
	flags.BoolVar(&f.lines, "jsonl", false, "print one JSON object a line, one for each symbol")
}

// fits refuses forms that exclude each other.
func (f *formFlags) fits(json bool) error {
	given := []string{}
	for _, g := range []struct {
		name  string
		given bool
	}{{"--json", json}, {"--jsonl", f.lines}, {"--vimgrep", f.vimgrep}, {"--files-with-matches", f.paths}, {"--count", f.counts}, {"--long", f.long}} {
		if g.given {
			given = append(given, g.name)
		}
	}
	if len(given) > 1 {
		return &usage.Error{Msg: given[0] + " and " + given[1] + " exclude each other", Hint: "give only one of them"}
	}
	if f.null && len(given) == 1 && !f.paths && !f.counts {
		return &usage.Error{Msg: "--null means nothing with " + given[0], Hint: "it ends the paths of --files-with-matches and --count"}
	}
	return nil
}

// form is the form of a search, empty for the usual one.
func (f *formFlags) form() render.Form {
	switch {
	case f.vimgrep:
		return render.Form{Kind: render.Places}
	case f.counts:
		return render.Form{Kind: render.Counts, Null: f.null}
	case f.paths, f.null:
		return render.Form{Kind: render.Paths, Null: f.null}
	case f.lines:
		return render.Form{Kind: render.Lines}
	}
	return render.Form{}
}

// filesForm is the form of a list of files: the paths alone unless more is shown.
func (f *formFlags) filesForm(more bool) render.Form {
	form := f.form()
	if form.Kind == "" && !more && !f.long {
		form.Kind = render.Paths
	}
	return form
}

// shape asks for what a form shows: every file where paths or counts are wanted.
func (f *formFlags) shape(req *hit.Request) error {
	checked, err := req.Checked()
	if err != nil {
		return err
	}
	lines := checked.Mode.FindsLines()
	if f.counts && !lines {
		return &usage.Error{Msg: "--count means nothing in mode " + string(checked.Mode) + ": it counts matching lines", Hint: "leave it out, or add --mode literal or --mode regex"}
	}
	if f.paths || f.counts || f.null {
		req.Detail = hit.DetailLocate
	}
	switch {
	case req.Limit > 0 || !lines:
	case f.paths, f.counts, f.null:
		req.Limit = hit.MaxLimit
	case f.vimgrep, f.lines:
		req.Limit = vimLimit
	}
	if f.vimgrep && req.Before+req.After > 0 {
		return &usage.Error{Msg: "--vimgrep shows the matching lines alone", Hint: "leave out --context, --before-context and --after-context"}
	}
	return nil
}

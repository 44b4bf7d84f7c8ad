// Package grep answers a command line of ripgrep's: request.go reads its flags,
// run.go answers it: files.go finds the files, search.go searches them side by side,
// and queue.go prints what they have in order. An index tells which files cannot match;
// of all others the text decides that is on the disk.
package grep

import (
	"context"
	"io"

	"espy/internal/grep/choose"
	"espy/internal/grep/rust"
	"espy/internal/grep/scan"
	"espy/internal/grep/show"
)

// Request is a command line that was read.
type Request struct {
	Paths    []string // as they are named; none for the working directory or standard input
	Regex    *rust.Regexp
	Choose   choose.Options
	Show     show.Options
	Scan     scan.Options
	Converts bool // NUL bytes of files that were found are converted, as those of named ones
	Files    bool // print the files
	Sort     string
	Reverse  bool
	Threads  int
	Silent   bool // say nothing of files that cannot be read
	Raw      bool // heed no byte order marks
	Stats    bool
	NoMatch  bool // nothing can match

	Complaints []string // of ignore files that cannot be read
}

// Env is where a request is answered.
type Env struct {
	Dir          string    // the working directory, absolute
	Stdin        io.Reader // what is searched where no path is named; nil for none
	Out          io.Writer
	Flush        func() error // called when lines were written; nil for none
	Complain     func(msg string)
	GlobalIgnore string   // git's global ignore file, "" for none
	Home         string   // the user's home folder, which is not searched by accident
	Roots        []string // folders that may be searched; none for all but broad ones
	DataDir      string   // where indexes are

	// Ask asks a process that follows the files for what its Tell writes, nil where there
	// is none. It is called at most once.
	Ask func(ctx context.Context) []byte
}

// Outcome is how a request was answered.
type Outcome struct {
	Found  bool // something matches
	Failed bool // a file could not be read, and that something matches was not all that was asked
	Late   bool // the time was over
	Hidden int  // lines in which secrets were hidden
	Missed int  // files that were read because the index does not hold them as they are
}

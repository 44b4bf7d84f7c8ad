// Package grep answers a command line of ripgrep's: request.go reads its flags,
// files.go finds the files, search.go searches them side by side, and queue.go
// prints what they have in order. An index tells which files cannot match; of all
// others the text decides that is on the disk.
package grep

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

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
	Found   bool // something matches
	Failed  bool // a file could not be read
	Late    bool // the time was over
	Hidden  int  // lines in which secrets were hidden
	Unknown int  // files that were read and are not in the index
}

// Run answers a request. Its errors are those of the request and of the output.
func Run(ctx context.Context, req *Request, env *Env) (*Outcome, error) {
	began := time.Now()
	r := &run{req: req, env: env, ctx: ctx}
	r.files = r.asked
	r.queue = newQueue(env.Out, req.Show.FileSeparator)
	r.queue.flush = env.Flush
	for _, c := range req.Complaints {
		env.Complain(c)
	}
	err := r.all()
	if err == nil && req.Stats && !req.Files {
		r.stats.Printed += r.queue.separated
		err = r.printStats(time.Since(began))
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.out.Late = true
	}
	r.out.Hidden = r.stats.Hidden
	return &r.out, err
}

// all lists and searches.
func (r *run) all() error {
	targets, err := r.targets()
	if err != nil {
		return err
	}
	if r.req.Files {
		return r.list(targets)
	}
	return r.search(targets)
}

// asked lists a folder as another process knows it, or else by a walk.
func (r *run) asked(root *os.Root, w *walk) (*found, error) {
	if r.told == nil {
		r.told = &told{}
		if r.env.Ask != nil {
			r.told.p = r.env.Ask(r.ctx)
		}
	}
	if f, ok := r.told.files(w); ok {
		return f, nil
	}
	return r.walk(root, w, nil)
}

func (r *run) printStats(took time.Duration) error {
	text := r.stats.Text(took.Nanoseconds())
	if r.req.Show.Kind == show.JSON {
		text = r.stats.Summary(took.Nanoseconds())
	}
	_, err := r.env.Out.Write(text)
	return err
}

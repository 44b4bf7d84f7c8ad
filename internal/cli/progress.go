package cli

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"espy/internal/progress"
	"espy/internal/render"

	"github.com/schollz/progressbar/v3"
)

// progressLine shows the progress of an indexing on standard error: a bar on a
// terminal, else one line at the start, and a line for each process it waits for.
// Without an indexing it shows nothing. Its methods may be called from several
// goroutines.
type progressLine struct {
	stderr   io.Writer
	terminal bool
	indexes  *atomic.Bool // set where an indexing was shown

	mu   sync.Mutex // guards the fields below
	bar  *progressbar.ProgressBar
	said bool
	wait string // the last line about waiting
	done bool
}

func (p *program) newProgress() *progressLine {
	if p.quiet {
		return &progressLine{stderr: io.Discard, done: true}
	}
	return &progressLine{stderr: p.stderr, indexes: &p.indexes, terminal: p.progress && p.env["TERM"] != "dumb"}
}

// show takes one report of an indexing run.
func (b *progressLine) show(r progress.Report) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Waiting() {
		b.waits(render.Progress(r))
	}
	if b.done || r.TotalFiles == 0 {
		return
	}
	if (r.Comparing() || r.Exporting()) && !b.terminal {
		return // not worth a line in a log
	}
	if !r.Comparing() && !r.Exporting() {
		b.indexes.Store(true)
	}
	if !b.terminal {
		b.say(r)
		return
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions(r.TotalFiles,
			progressbar.OptionSetWriter(b.stderr),
			progressbar.OptionSetDescription("indexing"),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(true),
		)
	}
	switch {
	case r.Parsing():
		b.bar.Describe("parsing")
	case r.Embedding():
		b.bar.Describe("embedding")
	case r.Comparing():
		b.bar.Describe("comparing")
	case r.Exporting():
		b.bar.Describe("exporting")
	}
	b.bar.ChangeMax(r.TotalFiles)
	// A bar that cannot be drawn does not fail the command.
	_ = b.bar.Set(r.Files)
}

// say writes the one line for logs and pipes.
func (b *progressLine) say(r progress.Report) {
	if b.said {
		return
	}
	b.said = true
	fmt.Fprintf(b.stderr, "indexing %d files\n", r.TotalFiles)
}

// waits writes that it waits for a process, once for each.
func (b *progressLine) waits(line string) {
	if b.done || line == b.wait {
		return
	}
	b.wait = line
	fmt.Fprintln(b.stderr, line)
}

// finish removes the bar. Later reports are ignored.
func (b *progressLine) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil && !b.done {
		_ = b.bar.Clear()
	}
	b.done = true
}

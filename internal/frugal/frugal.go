// Package frugal bounds the memory of indexing: while such work runs, it has
// the garbage collector run sooner than Go's default, which lets the heap grow
// to twice what is in use.
//
// The collector is one for the whole process, so all work that runs at a time
// shares it: the lowest percentage that any work asks for holds, and the old one
// returns with the end of the last. Where somebody has chosen another percentage
// than the default (GOGC, debug.SetGCPercent), this package changes nothing.
//
// A process that rests gives back to the system what its work has left (Rest).
package frugal

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// The percentages that work asks for (debug.SetGCPercent says what they mean).
const (
	// A build reuses its buffers, so that a collection costs it little: all of
	// them about 1 % of its time. Of 1 GB of source up to 227 MB are in use with
	// four workers.
	buildPercent = 33

	// A comparison of manyFiles files or more holds about 700 bytes for each of
	// them, most of it until its end.
	comparePercent = 20
	manyFiles      = 200_000

	// A parser makes garbage of about 10 times the text. A collection is to free
	// parseGarbage bytes, which bounds memory and time both: Go parses a seventh
	// faster than with 24 MB. With buildPercent while it commits, 1 GB of source
	// takes 339 MB rather than 416, and would take 374 MB with 96.
	parsePercent = 800 // at most
	parseGarbage = 64 << 20

	// A search of files keeps little of what it reads.
	scanPercent = 400

	// What a process reads as it starts it keeps, mostly: of the first 32 MB, which a
	// question about 27,000 files takes, Go would collect three times, at 4, 8 and 16 MB.
	startPercent = 800
)

// running is the work that runs in this process.
var running struct {
	sync.Mutex
	work   map[*Parsing]bool
	before int // the percentage outside all work

	starting bool // Start holds
}

// Start lets a process that begins make 32 MB before it collects for the first time. It
// holds until then, or until work begins.
func Start() {
	running.Lock()
	defer running.Unlock()
	before := debug.SetGCPercent(startPercent)
	if before != 100 {
		debug.SetGCPercent(before) // somebody's choice
		return
	}
	running.starting = true
	runtime.AddCleanup(new(*int), func(struct{}) {
		running.Lock()
		defer running.Unlock()
		endStartLocked()
	}, struct{}{})
}

func endStartLocked() {
	if running.starting {
		running.starting = false
		debug.SetGCPercent(100)
	}
}

// Scan begins a search of files. It ends with end.
func Scan() (end func()) { return begin(scanPercent).End }

// Build begins the analysis of files. The work ends with end.
func Build() (end func()) { return begin(buildPercent).End }

// Compare begins a comparison of so many files with an index. It changes nothing
// for fewer than 200,000.
func Compare(files int) (end func()) {
	if files < manyFiles {
		return func() {}
	}
	return begin(comparePercent).End
}

// Parsing is a pass of parsers and of the commits between them. Its methods may
// be called from several goroutines.
type Parsing struct {
	percent int // guarded by running
}

// Parse begins a pass of parsers.
func Parse() *Parsing { return begin(parsePercent) }

// Adapt suits the percentage to the memory in use. It is cheap enough to be
// called for every few files.
func (p *Parsing) Adapt() {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	live := max(1, int(sample[0].Value.Uint64()))
	p.ask(min(max(parseGarbage*100/live, buildPercent), parsePercent))
}

// Commit begins a commit, which has several times as much memory in use as
// parsing. The next Adapt ends it.
func (p *Parsing) Commit() { p.ask(buildPercent) }

// End ends the pass.
func (p *Parsing) End() {
	running.Lock()
	defer running.Unlock()
	delete(running.work, p)
	applyLocked()
}

func begin(percent int) *Parsing {
	p := &Parsing{percent: percent}
	running.Lock()
	defer running.Unlock()
	endStartLocked()
	if len(running.work) == 0 {
		running.before = debug.SetGCPercent(100)
		debug.SetGCPercent(running.before)
		running.work = map[*Parsing]bool{}
	}
	running.work[p] = true
	applyLocked()
	return p
}

// ask changes the percentage of a pass, where it differs by more than a quarter.
func (p *Parsing) ask(percent int) {
	running.Lock()
	defer running.Unlock()
	if d := percent - p.percent; 4*max(d, -d) > p.percent {
		p.percent = percent
		applyLocked()
	}
}

func applyLocked() {
	if running.before != 100 {
		return // somebody's choice
	}
	percent := 0
	for p := range running.work {
		if percent == 0 || p.percent < percent {
			percent = p.percent
		}
	}
	if percent == 0 {
		percent = running.before
	}
	debug.SetGCPercent(percent)
}

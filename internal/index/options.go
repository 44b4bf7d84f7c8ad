package index

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"espy/internal/discover"
	"espy/internal/facts"
	"espy/internal/listing"
	"espy/internal/progress"
	"espy/internal/store"
)

// Options say how to index. The zero value is the default.
type Options struct {
	Policy       discover.Policy
	GlobalIgnore string // path of the user's own ignore file, "" for none
	Paranoid     bool   // hash every file, whatever its stat says
	Workers      int    // files analysed side by side; 0 is one per processor
	NoTerms      bool   // for a view that is not ranked by chunks
	Parser       Parser // of languages other than Go; nil leaves their files to be parsed later
	Frozen       Frozen // where the root holds the files of a commit; zero for a work tree
	Hooks        Hooks

	// Only, where it is not empty, bounds a comparison: files that none of these globs
	// covers count as unchanged. Such a plan is shown, and never committed.
	Only []string

	// Siblings tells which views of the family analyse files as this one does:
	// a file whose path and content one of them has, or this one had, is reused
	// rather than analysed. Nil reuses nothing.
	Siblings func(view string) bool

	publish pace // when a first indexing publishes; zero is the default
	round   int  // bytes of text parsed before the first commit; 0 is roundText
}

// Frozen is the commit whose files a root holds.
type Frozen struct {
	Commit string               // its id; empty takes what is checked out
	Ref    string               // the name it was asked for by
	Left   []discover.Exclusion // what of the commit is not below the root, and why
	Held   map[string]Held      // files of the commit that are indexed already, by path: they are not below the root
}

// join returns the files that a walk found and those that are held, by path. They
// are as new as the look in nanoseconds, so that none passes for one seen before.
func (f Frozen) join(walked []discover.Entry, looked int64) []discover.Entry {
	for path, h := range f.Held {
		walked = append(walked, discover.Entry{Path: path, Size: h.Leaf.Stat.Size, MtimeNS: looked, CtimeNS: looked})
	}
	if len(f.Held) > 0 {
		slices.SortFunc(walked, func(a, b discover.Entry) int { return cmp.Compare(a.Path, b.Path) })
	}
	return walked
}

// Held is a file that was indexed with the same path and content.
type Held struct {
	Leaf  listing.Leaf // its stat does not count
	Place store.Reused // where its analysis is; zero for one that is left out
}

// Hooks follow an indexing. Each may be nil, and is called from any goroutine.
type Hooks struct {
	Progress func(progress.Report)
	Analysed *atomic.Int64    // counts the files that are analysed or parsed rather than reused
	Enter    func(dir string) // called with each folder before it is read
	Asked    func() bool      // whether somebody waits for an answer: all workers but one then rest
}

// Parser turns the text of files in languages other than Go into their facts
// (worker.Pool does). It may be called from several goroutines. A
// *worker.Failure condemns the content of the file; any other error says
// nothing about it.
type Parser interface {
	Parse(ctx context.Context, language, path string, text []byte) (*facts.File, error)
}

// pace says when a first indexing publishes what it has, so that questions find
// answers while it runs.
type pace struct{ first, every time.Duration }

var defaultPace = pace{first: 1 * time.Second, every: 4 * time.Second}

const maxWorkers = 16

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return min(max(1, runtime.GOMAXPROCS(0)), maxWorkers)
}

func (o Options) analysed(n int) {
	if o.Hooks.Analysed != nil {
		o.Hooks.Analysed.Add(int64(n))
	}
}

func (o Options) report(p progress.Report) {
	if o.Hooks.Progress != nil {
		o.Hooks.Progress(p)
	}
}

// rest waits while somebody waits for an answer, so that questions keep a
// processor. It returns at the end of the context.
func (o Options) rest(ctx context.Context) {
	for o.Hooks.Asked != nil && o.Hooks.Asked() && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
}

// Package progress is the words for how far an indexing has come, of who does it
// and of who shows it.
package progress

import "time"

// Report is how far a run has come. Bytes are of files on disk.
type Report struct {
	Phase             string // one of the phases
	Files, TotalFiles int
	Bytes, TotalBytes int64
	Elapsed           time.Duration
	Holder            int // in the phase Wait: the process that has the writer's lock, 0 where it is not known
}

// Rate is the bytes done in a second so far, 0 while that is not known.
func (p Report) Rate() float64 {
	if p.Elapsed < time.Millisecond {
		return 0
	}
	return float64(p.Bytes) / p.Elapsed.Seconds()
}

// Left is the time that what is left of the phase takes at the rate so far, 0
// while that is not known.
func (p Report) Left() time.Duration {
	rate := p.Rate()
	if rate == 0 || p.TotalBytes <= p.Bytes {
		return 0
	}
	return time.Duration(float64(p.TotalBytes-p.Bytes) / rate * float64(time.Second))
}

// Waiting reports whether the run waits for the writer's lock.
func (p Report) Waiting() bool { return p.Phase == Wait }

// Parsing reports whether the files can be searched already and are parsed.
func (p Report) Parsing() bool { return p.Phase == Syntax }

// Embedding reports whether the files can be searched by words and are embedded.
func (p Report) Embedding() bool { return p.Phase == Vectors }

// Comparing reports whether the files are compared for a question about changes.
func (p Report) Comparing() bool { return p.Phase == Compare }

// Exporting reports whether the files are written to an export.
func (p Report) Exporting() bool { return p.Phase == Export }

// The phases, in order. Clone has an old name, which records of jobs hold.
const (
	Wait    = "wait"    // for another process that writes the same index
	Clone   = "receive" // clone or fetch from another machine: Bytes are the size of the clone on disk
	Scan    = "scan"
	Index   = "index"
	Commit  = "commit"
	Vectors = "vectors" // the files can be searched by words, and are embedded to be searched by meaning
	Syntax  = "syntax"  // the files can be searched, and are parsed for their symbols
	Done    = "done"

	Export  = "export"  // files whose symbols are written
	Compare = "compare" // in a question about changes: files whose symbols are compared
)

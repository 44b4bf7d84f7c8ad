package index

import "time"

// Progress is how far a sync has come. Bytes are of files on disk.
type Progress struct {
	Phase             string // one of the Phase constants
	Files, TotalFiles int
	Bytes, TotalBytes int64
	Elapsed           time.Duration
	Holder            int // in PhaseWait: the process that has the writer's lock, 0 where it is not known
}

// Rate is the bytes done in a second so far, 0 while that is not known.
func (p Progress) Rate() float64 {
	if p.Elapsed < time.Millisecond {
		return 0
	}
	return float64(p.Bytes) / p.Elapsed.Seconds()
}

// Left is the time that what is left of the phase takes at the rate so far, 0
// while that is not known.
func (p Progress) Left() time.Duration {
	rate := p.Rate()
	if rate == 0 || p.TotalBytes <= p.Bytes {
		return 0
	}
	return time.Duration(float64(p.TotalBytes-p.Bytes) / rate * float64(time.Second))
}

// Waiting reports whether the sync waits for the writer's lock.
func (p Progress) Waiting() bool { return p.Phase == PhaseWait }

// Parsing reports whether the files can be searched already and are parsed.
func (p Progress) Parsing() bool { return p.Phase == PhaseSyntax }

// Comparing reports whether the files are compared for a question about changes.
func (p Progress) Comparing() bool { return p.Phase == PhaseCompare }

// The phases, in order.
const (
	PhaseWait    = "wait"    // for another process that writes the same index
	PhaseReceive = "receive" // from another machine: Bytes are what is on disk of it
	PhaseScan    = "scan"
	PhaseIndex   = "index"
	PhaseCommit  = "commit"
	PhaseSyntax  = "syntax" // the files can be searched, and are parsed for their symbols

	PhaseCompare = "compare" // of a question about changes: files whose symbols are compared
)

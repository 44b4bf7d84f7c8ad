// Package coverage counts the files of an index by what the passes over it have
// found, and remembers what they could not do.
package coverage

import (
	"sync"

	"espy/internal/embedding"
	"espy/internal/segment"
	"espy/internal/segment/syn"
	"espy/internal/store"
)

// Pass is a job that adds to what is committed.
type Pass int

// The passes.
const (
	Syntax  Pass = iota
	Vectors      // by the model of the program
	Remote       // by a model on another machine
	numPasses
)

// Left is what the last runs of the passes could not do. Its zero value is ready
// for use, by any number of goroutines.
type Left struct {
	mu   sync.Mutex
	last [numPasses]Run // guarded by mu
}

// Run is what a run of a pass left.
type Run struct {
	Generation uint64
	Files      int
	Why        error // nil where that is not known
}

// Set notes what the last run of a pass left.
func (l *Left) Set(p Pass, r Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last[p] = r
}

// InVain reports whether the last run of a pass left that many files of a generation.
func (l *Left) InVain(p Pass, generation uint64, files int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last[p].Generation == generation && l.last[p].Files == files
}

// why says why files stay pending, "" where that is not known.
func (l *Left) why(p Pass) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last[p].Why == nil {
		return ""
	}
	return l.last[p].Why.Error()
}

// OfSyntax counts files by what is known of their symbols.
type OfSyntax struct {
	Parsed  int
	Failed  int // cannot be parsed
	Pending int
	Bytes   int64  // of syntax parts on disk
	Why     string // why some stay pending
}

// Syntax counts the live files of a snapshot. It belongs inside a segment.Guard.
func (l *Left) Syntax(s *store.Snapshot) (n OfSyntax) {
	n.Bytes, n.Why = s.SyntaxBytes(), l.why(Syntax)
	for seg, of := range s.Segments {
		for f := range of.NumFiles() {
			if !of.Alive(f) {
				continue
			}
			switch s.SyntaxState(seg, f) {
			case syn.Parsed:
				n.Parsed++
			case syn.Failed:
				n.Failed++
			case syn.Absent:
				n.Pending++
			}
		}
	}
	return n
}

// OfVectors counts files by whether a model was asked about their chunks.
type OfVectors struct {
	Model    string // its identity
	Remote   bool   // it is on another machine
	Team     bool   // workers ask it, for a team
	Embedded int
	Chunks   int // of the files that it was asked about
	Pending  int
	Bytes    int64  // of vectors on disk
	Away     int64  // of those that the database of a team keeps for it
	Why      string // why some stay pending
	Host     string // of a remote one: the machine that texts are sent to
	Failure  string // of a remote one: why it did not answer last
}

// Vectors counts the live files of a snapshot, for each model. It belongs inside
// a segment.Guard.
func (l *Left) Vectors(s *store.Snapshot, models embedding.Models, team bool) (all []OfVectors) {
	for _, m := range []struct {
		embedding.Model
		pass Pass
	}{{models.Local, Vectors}, {models.Remote, Remote}} {
		if m.Model == nil {
			continue
		}
		remote := m.pass == Remote
		n := OfVectors{Model: m.Identity(), Remote: remote, Team: team, Pending: s.VectorsPending(m.Identity()), Bytes: s.VectorBytes(remote), Why: l.why(m.pass)}
		n.Embedded, n.Chunks = s.Stats().Files-n.Pending, s.Stats().Chunks
		if n.Pending > 0 {
			n.Chunks -= waiting(s, n.Model)
		}
		for i := range s.Segments {
			if c := s.Segments[i].Away[n.Model]; c != nil {
				n.Away += c.Size
			}
		}
		if remote {
			n.Host = models.Remote.Host()
			if err := models.Remote.Failure(); err != nil {
				n.Failure = err.Error()
			}
		}
		all = append(all, n)
	}
	return all
}

// waiting counts the chunks of live files that a model was not asked about yet.
func waiting(s *store.Snapshot, model string) (n int) {
	s.Each(func(seg, file int) bool {
		of := &s.Segments[seg]
		if !of.Embedded(model, file) {
			first, end := of.ChunksOf(file)
			n += end - first
		}
		return true
	})
	return n
}

// unembedded counts the live files that a model was not asked about; none where there
// is no model.
func unembedded(s *store.Snapshot, model embedding.Model) (n int, err error) {
	if model != nil {
		err = segment.Guard(func() error { n = s.VectorsPending(model.Identity()); return nil })
	}
	return n, err
}

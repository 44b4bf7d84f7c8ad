package grep

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// queue prints the output of jobs in their order, whichever ends first. The job
// whose turn it is prints at once.
type queue struct {
	out       io.Writer
	separator *string
	flush     func() error
	over      func() bool // no more is to be printed; nil for never

	mu        sync.Mutex
	turn      sync.Cond     // of mu: next or err has changed
	next      int           // the job whose turn it is, guarded by mu
	ready     map[int]*slot // jobs that have ended before their turn, guarded by mu
	spare     [][]byte      // room of those that were printed, guarded by mu
	rooms     int           // pieces of room that were made to be used again, guarded by mu
	wrote     bool          // something was printed, guarded by mu
	separated int           // bytes between files, guarded by mu
	err       error         // of the output, guarded by mu
}

func newQueue(out io.Writer, separator *string) *queue {
	q := &queue{out: out, separator: separator, ready: map[int]*slot{}}
	q.turn.L = &q.mu
	return q
}

// slot takes the output of one job.
type slot struct {
	q        *queue
	job      int
	buf      []byte
	asked    int  // bytes of buf up to which it was asked whether they may be printed
	separate bool // a separator stands before it, if something was printed before
}

// slot returns the slot of a job, with room for what it prints, which done gives back.
func (q *queue) slot(job int, room []byte) *slot { return &slot{q: q, job: job, buf: room[:0]} }

const (
	smallOutput = 32 << 10 // bytes that are kept until a job has ended
	largeOutput = 4 << 20  // bytes that are kept of a job whose turn it is not
	maxSpare    = 16       // pieces of room that are kept to be used again
)

// Separate says that a separator stands before the output.
func (s *slot) Separate() { s.separate = true }

// Write keeps what a job prints until it is worth printing, and its turn.
func (s *slot) Write(p []byte) (int, error) {
	s.buf = append(s.buf, p...)
	if len(s.buf) < s.asked+smallOutput {
		return len(p), nil
	}
	s.q.mu.Lock()
	defer s.q.mu.Unlock()
	for s.q.next != s.job && s.q.err == nil && len(s.buf) >= largeOutput {
		s.q.turn.Wait()
	}
	if s.asked = len(s.buf); s.q.next == s.job {
		s.print()
	}
	if s.q.err == nil && s.q.over != nil && s.q.over() {
		return len(p), errOver
	}
	return len(p), s.q.err
}

// errOver ends the search of a file whose output is long.
var errOver = errors.New("the time is over")

// print prints what is kept. The queue is locked.
func (s *slot) print() {
	if s.q.err == nil && len(s.buf) > 0 {
		if s.separate && s.q.wrote && s.q.separator != nil {
			var n int
			n, s.q.err = io.WriteString(s.q.out, *s.q.separator+"\n")
			s.q.separated += n
		}
		s.separate = false
		if s.q.err == nil {
			_, s.q.err = s.q.out.Write(s.buf)
		}
		s.q.wrote = true
		if s.q.err == nil && s.q.flush != nil {
			s.q.err = s.q.flush()
		}
	}
	s.buf, s.asked = s.buf[:0], 0
	if s.q.err != nil {
		s.q.turn.Broadcast()
	}
}

// done ends a job. It returns room for another.
func (s *slot) done() (room []byte) {
	q := s.q
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.next != s.job {
		q.ready[s.job] = s
		return s.keep()
	}
	s.print()
	for q.next++; ; q.next++ {
		next, ok := q.ready[q.next]
		if !ok {
			break
		}
		delete(q.ready, q.next)
		next.print()
		if cap(next.buf) >= smallOutput && len(q.spare) < maxSpare {
			q.spare = append(q.spare, next.buf)
		}
	}
	q.turn.Broadcast()
	return s.buf
}

// keep keeps what was printed until it is the turn of the job, and returns other room. What
// is small is copied where all room is in use. The queue is locked.
func (s *slot) keep() (room []byte) {
	q := s.q
	if last := len(q.spare) - 1; last >= 0 {
		room, q.spare = q.spare[last], q.spare[:last]
		return room
	}
	if q.rooms < maxSpare {
		q.rooms++
		return make([]byte, 0, 2*smallOutput)
	}
	if len(s.buf) < smallOutput {
		room, s.buf = s.buf, slices.Clone(s.buf)
	}
	return room
}

// failed returns the error of the output.
func (q *queue) failed() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err
}

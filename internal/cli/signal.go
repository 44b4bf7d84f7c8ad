package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// grace is how long a command may take to end after a signal. It is below the two
// seconds that callers rely on. An index survives a kill at any moment.
const grace = 1500 * time.Millisecond

// signals ends the run at SIGINT and SIGTERM: the first one cancels its
// context, a second one or the end of the grace period ends the process.
type signals struct {
	cancel context.CancelFunc
	ch     chan os.Signal
	pipe   chan os.Signal
	done   chan struct{}
	got    atomic.Int32 // number of the first signal, 0 for none
	grace  atomic.Int64 // nanoseconds that the command may take to end
}

func watchSignals() (*signals, context.Context) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &signals{cancel: cancel, ch: make(chan os.Signal, 2), pipe: make(chan os.Signal, 1), done: make(chan struct{})}
	s.grace.Store(int64(grace))
	signal.Notify(s.ch, syscall.SIGINT, syscall.SIGTERM)
	// With a receiver, a write to a closed pipe is an error of that write
	// instead of the end of the process.
	signal.Notify(s.pipe, syscall.SIGPIPE)
	go s.watch()
	return s, ctx
}

// allow gives the command another time to end after a signal.
func (s *signals) allow(d time.Duration) { s.grace.Store(int64(d)) }

func (s *signals) watch() {
	var over <-chan time.Time
	for {
		select {
		case sig := <-s.ch:
			number := int32(sig.(syscall.Signal))
			if !s.got.CompareAndSwap(0, number) {
				os.Exit(128 + int(number))
			}
			s.cancel()
			over = time.After(time.Duration(s.grace.Load()))
		case <-over:
			os.Exit(128 + int(s.got.Load()))
		case <-s.done:
			return
		}
	}
}

// exitCode returns 128 plus the signal that ended the run, if one did.
func (s *signals) exitCode() (int, bool) {
	n := s.got.Load()
	return 128 + int(n), n != 0
}

func (s *signals) stop() {
	signal.Stop(s.ch)
	signal.Stop(s.pipe)
	close(s.done)
	s.cancel()
}

package postgres

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Listener hears what is announced in a database, over a connection of its own that
// it makes again when it is lost. What is announced meanwhile it does not hear: who
// remembers something keeps the Epoch beside it, and looks again when that is
// another. A nil Listener never hears anything.
type Listener struct {
	cfg    *pgx.ConnConfig
	hear   map[string]func(payload string) // by channel; fixed when it starts
	log    *slog.Logger
	cancel context.CancelFunc // nil before it starts
	ended  chan struct{}

	mu    sync.Mutex
	epoch uint64 // of the connection; guarded by mu
	on    bool   // it hears; guarded by mu

	heard time.Time // when the connection was known to live last; guarded by mu
}

// NewListener returns one that hears nothing before Start.
func NewListener(pool *pgxpool.Pool, log *slog.Logger) *Listener {
	l := &Listener{cfg: pool.Config().ConnConfig, hear: map[string]func(string){}, log: log, ended: make(chan struct{})}
	l.cfg.ConnectTimeout = answerTime
	return l
}

// Hear gives what is announced on a channel to a function, one after the other.
func (l *Listener) Hear(channel string, f func(payload string)) {
	if l != nil {
		l.hear[channel] = f
	}
}

// Start begins to listen on the channels that Hear named before.
func (l *Listener) Start() {
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	go l.run(ctx)
}

// Close ends listening.
func (l *Listener) Close() {
	if l != nil && l.cancel != nil {
		l.cancel()
		<-l.ended
	}
}

// Epoch numbers the times in which everything was heard, from 1; ok is false for now
// where nothing is heard.
func (l *Listener) Epoch() (epoch uint64, ok bool) {
	if l == nil {
		return 0, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.epoch, l.on
}

// Heard is when the connection was known to live last; zero for never.
func (l *Listener) Heard() time.Time {
	if l == nil {
		return time.Time{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.heard
}

func (l *Listener) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.epoch, l.on, l.heard = l.epoch+1, true, time.Now()
}

func (l *Listener) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.on = false
}

func (l *Listener) alive() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = time.Now()
}

// A connection on which nothing is said for quietTime is asked whether it still
// lives, and is given answerTime for it. After a loss the next one is tried after
// firstWait, then twice as long each time up to lastWait.
const (
	quietTime  = 10 * time.Second
	answerTime = 5 * time.Second
	firstWait  = 50 * time.Millisecond
	lastWait   = 10 * time.Second
)

func (l *Listener) run(ctx context.Context) {
	defer close(l.ended)
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		heard, err := l.listen(ctx)
		l.end()
		if ctx.Err() != nil {
			return
		}
		if heard {
			l.log.Warn("the connection to the database was lost: what changes is not heard of until there is another", "err", err)
			wait = firstWait
		}
		select {
		case <-time.After(wait/2 + rand.N(wait/2+1)):
		case <-ctx.Done():
			return
		}
	}
}

// listen listens until the connection is lost; heard is false where there was none.
func (l *Listener) listen(ctx context.Context) (heard bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, l.cfg)
	if err != nil {
		return false, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for channel := range l.hear {
		if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
			return false, err
		}
	}
	l.begin()
	for {
		if err := l.next(ctx, conn); err != nil {
			return true, err
		}
		l.alive()
	}
}

// next hears one announcement, or finds that the connection lives.
func (l *Listener) next(ctx context.Context, conn *pgx.Conn) error {
	quiet, cancel := context.WithTimeout(ctx, quietTime)
	said, err := conn.WaitForNotification(quiet)
	cancel()
	if err == nil {
		l.hear[said.Channel](said.Payload)
		return nil
	}
	if quiet.Err() == nil || ctx.Err() != nil {
		return err
	}
	answer, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return conn.Ping(answer)
}

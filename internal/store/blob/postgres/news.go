package postgres

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/code"
	"espy/internal/postgres"
	"espy/internal/store/blob"
)

// News knows the newest editions of views: it asks the database once, and then hears
// of others. Where nothing can be heard, each question asks.
type News struct {
	pool     *pgxpool.Pool
	log      *slog.Logger
	listener *postgres.Listener // nil for none

	mu     sync.Mutex
	known  map[announcement]heard // by family and view, their Edition is 0; guarded by mu
	count  uint64                 // of what was heard; guarded by mu
	failed error                  // of the last try to ask; guarded by mu
	retry  time.Time              // before which it is not tried again; guarded by mu
	last   time.Time              // when the database was heard of last; guarded by mu
}

type heard struct {
	epoch   uint64
	edition int64
}

// NewNews returns what is known of a database, and heard by a listener that starts
// afterwards; nil for none.
func NewNews(pool *pgxpool.Pool, l *postgres.Listener, log *slog.Logger) *News {
	n := &News{pool: pool, log: log, listener: l, known: map[announcement]heard{}, last: time.Now()}
	l.Hear(channel, n.hear)
	return n
}

// hear notes an announcement.
func (n *News) hear(payload string) {
	var a announcement
	if err := json.Unmarshal([]byte(payload), &a); err != nil {
		n.log.Warn("an announcement of the database is not understood", "said", payload, "err", err)
		return
	}
	epoch, _ := n.listener.Epoch()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.count++
	n.known[announcement{Family: a.Family, View: a.View}] = heard{epoch, a.Edition}
}

// Place returns the files of a family.
func (n *News) Place(family code.RepoID) blob.Place { return New(n.pool, family) }

// askTime bounds how long a question asks the database what is newest, askAgain how
// soon the next one does after it could not.
const (
	askTime  = 2 * time.Second
	askAgain = time.Second
)

// Edition returns the newest edition of a view, 0 for none. Where the database does
// not say, since is when it was heard of last.
func (n *News) Edition(ctx context.Context, family code.RepoID, view string) (edition int64, since time.Time, err error) {
	key := announcement{Family: family, View: view}
	epoch, on := n.listener.Epoch()
	n.mu.Lock()
	k, count, failed, retry, last := n.known[key], n.count, n.failed, n.retry, n.last
	n.mu.Unlock()
	if at := n.listener.Heard(); at.After(last) {
		last = at
	}
	if on && k.epoch == epoch {
		return k.edition, time.Time{}, nil
	}
	if failed != nil && time.Now().Before(retry) {
		return 0, last, failed
	}
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	edition, err = New(n.pool, family).Edition(asking, view)
	if err != nil {
		if ctx.Err() == nil {
			n.fail(err)
		}
		return 0, last, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.failed, n.last = nil, time.Now()
	if on && count == n.count {
		n.known[key] = heard{epoch, edition}
	}
	return edition, time.Time{}, nil
}

func (n *News) fail(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.failed, n.retry = err, time.Now().Add(askAgain)
}

// Package postgres keeps the tokens of a team in its database, so that every server of
// the team knows them.
//
// What was read is remembered until somebody announces a change, so that a request asks
// the database nothing. Where nothing can be heard, each request reads them; where the
// database cannot be reached, those that were read last count for a while.
package postgres

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"espy/internal/bearer"
	"espy/internal/postgres"
)

// channel is where a change of the tokens is announced.
const channel = "espy_tokens"

// Keeper keeps tokens. It implements bearer.Keeper.
type Keeper struct {
	pool     *pgxpool.Pool
	listener *postgres.Listener // nil for none
	trust    time.Duration      // how long tokens count that cannot be asked about
	reading  chan struct{}      // holds one while the tokens are read

	mu      sync.Mutex
	known   []bearer.Token // as they were read last; guarded by mu
	at      state          // of known; guarded by mu
	read    time.Time      // when known was known to be right last, zero for never; guarded by mu
	changes uint64         // heard of; guarded by mu
	failed  error          // of the last try to read; guarded by mu
	retry   time.Time      // before which it is not tried again; guarded by mu
}

// state is when the tokens were read: in which epoch of the listener, and after how
// many changes.
type state struct{ epoch, changes uint64 }

// trust is how long tokens that were read count while the database cannot be reached.
// One that is revoked meanwhile counts as long on a server that is cut off.
const trust = 15 * time.Minute

// New returns the keeper of a database, whose changes a listener hears that starts
// afterwards; nil for none.
func New(pool *pgxpool.Pool, l *postgres.Listener) *Keeper {
	k := &Keeper{pool: pool, listener: l, trust: trust, reading: make(chan struct{}, 1)}
	l.Hear(channel, k.hear)
	return k
}

// hear notes an announcement.
func (k *Keeper) hear(string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.changes++
}

// readTime bounds how long a request waits for the tokens, readAgain how soon they are
// asked for again after they could not be read.
const (
	readTime  = 5 * time.Second
	readAgain = time.Second
)

// Tokens implements bearer.Keeper.
func (k *Keeper) Tokens(ctx context.Context, since time.Time) ([]bearer.Token, error) {
	if _, on := k.listener.Epoch(); !on {
		since = time.Now() // nobody would tell of a change
	}
	if known := k.current(since); known != nil {
		return known, nil
	}
	select {
	case k.reading <- struct{}{}:
		defer func() { <-k.reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if known := k.current(since); known != nil { // somebody else has read them meanwhile
		return known, nil
	}
	if failed, waits := k.failure(); waits {
		return k.trusted(failed)
	}
	now, start := k.now(), time.Now()
	reading, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	tokens, err := list(reading, k.pool)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k.fail(err)
		return k.trusted(err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known, k.at, k.read, k.failed = tokens, now, start, nil
	return tokens, nil
}

// current returns the tokens that were read last, nil where they may differ from those
// of a time: somebody has announced a change, or they were read before.
func (k *Keeper) current(since time.Time) []bearer.Token {
	now := k.now()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.at != now || k.read.Before(since) {
		return nil
	}
	return k.known
}

func (k *Keeper) now() state {
	epoch, _ := k.listener.Epoch()
	k.mu.Lock()
	defer k.mu.Unlock()
	return state{epoch, k.changes}
}

// failure returns why the tokens could not be read, and whether it is too soon to try
// again.
func (k *Keeper) failure() (err error, waits bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed, k.failed != nil && time.Now().Before(k.retry)
}

func (k *Keeper) fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failed, k.retry = err, time.Now().Add(readAgain)
}

// trusted returns the tokens as they were read last, or why they cannot be read where
// that is too long ago.
func (k *Keeper) trusted(why error) ([]bearer.Token, error) {
	epoch, _ := k.listener.Epoch()
	heard := k.listener.Heard()
	k.mu.Lock()
	defer k.mu.Unlock()
	right := k.read
	if k.at == (state{epoch, k.changes}) && heard.After(right) { // nobody announced a change since
		right = heard
	}
	if k.known == nil || time.Since(right) > k.trust {
		return nil, why
	}
	return k.known, nil
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func list(ctx context.Context, q querier) ([]bearer.Token, error) {
	rows, err := q.Query(ctx, `SELECT id, name, role, repos, hash, created, expires FROM espy.tokens ORDER BY number`)
	if err != nil {
		return nil, fmt.Errorf("read the tokens: %w", postgres.Explain(err))
	}
	tokens, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (t bearer.Token, err error) {
		err = row.Scan(&t.ID, &t.Name, &t.Role, &t.Repos, &t.Hash, &t.Created, &t.Expires)
		t.Created, t.Expires = t.Created.UTC(), t.Expires.UTC()
		if len(t.Repos) == 0 {
			t.Repos = nil
		}
		return t, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the tokens: %w", postgres.Explain(err))
	}
	return tokens, nil
}

// Change implements bearer.Keeper.
func (k *Keeper) Change(ctx context.Context, f func([]bearer.Token) ([]bearer.Token, error)) error {
	defer k.hear("") // what was read is old, also for this program
	return postgres.Run(ctx, k.pool, func(c *pgxpool.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `LOCK TABLE espy.tokens IN SHARE ROW EXCLUSIVE MODE`); err != nil {
				return fmt.Errorf("change the tokens: %w", err)
			}
			before, err := list(ctx, tx)
			if err != nil {
				return err
			}
			after, err := f(slices.Clone(before))
			if err != nil {
				return err
			}
			return replace(ctx, tx, before, after)
		})
	})
}

// replace writes what differs, and announces it.
func replace(ctx context.Context, tx pgx.Tx, before, after []bearer.Token) error {
	var todo pgx.Batch
	for _, t := range before {
		if !slices.ContainsFunc(after, func(o bearer.Token) bool { return o.ID == t.ID }) {
			todo.Queue(`DELETE FROM espy.tokens WHERE id = $1`, t.ID)
		}
	}
	for _, t := range after {
		todo.Queue(`INSERT INTO espy.tokens (id, name, role, repos, hash, created, expires) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, created = excluded.created, expires = excluded.expires`,
			t.ID, t.Name, t.Role, append([]string{}, t.Repos...), t.Hash, t.Created, t.Expires)
	}
	todo.Queue(`SELECT pg_notify($1, '')`, channel)
	if err := tx.SendBatch(ctx, &todo).Close(); err != nil {
		return fmt.Errorf("change the tokens: %w", err)
	}
	return nil
}

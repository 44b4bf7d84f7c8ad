package likeness

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"espy/internal/segment/vec"
	"espy/internal/store/vectors"
)

// mostRows bounds the rows that are remembered: 64 MiB of values at the 128 of the built-in
// model.
const mostRows = 512 << 10

// remembered are the rows that were made last: a server of a team, whose vectors are in a
// database, is asked about the same files again.
var remembered = newMemory(mostRows)

// rowsKey is what the rows of a file depend on.
type rowsKey struct {
	model  string
	file   vectors.Key
	chunks int // the first ones
}

// memory remembers the rows of files that were asked for last.
type memory struct {
	mu   sync.Mutex
	lru  *simplelru.LRU[rowsKey, []vec.Row]
	rows int
	most int
}

func newMemory(most int) *memory {
	m := &memory{most: most}
	forget := func(_ rowsKey, rows []vec.Row) { m.rows -= weight(rows) }
	var err error
	if m.lru, err = simplelru.NewLRU(math.MaxInt, forget); err != nil {
		panic(err) // the number is positive
	}
	return m
}

// weight counts the rows of a file, one at least.
func weight(rows []vec.Row) int { return max(len(rows), 1) }

func (m *memory) get(key rowsKey) ([]vec.Row, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lru.Get(key)
}

func (m *memory) add(key rowsKey, rows []vec.Row) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lru.Contains(key) || weight(rows) > m.most {
		return
	}
	m.lru.Add(key, rows)
	for m.rows += weight(rows); m.rows > m.most; {
		m.lru.RemoveOldest()
	}
}

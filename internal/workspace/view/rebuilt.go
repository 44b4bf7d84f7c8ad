package view

import (
	"sync"
	"time"
)

// rebuilt says for some time why an index was made anew.
type rebuilt struct {
	mu  sync.Mutex
	why string    // guarded by mu
	at  time.Time // guarded by mu
}

// rebuiltTime is how long a process says that it made an index anew.
const rebuiltTime = time.Minute

func (b *rebuilt) note(why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.why, b.at = why, time.Now()
}

// reason returns why the index was made anew, "" where it was not lately.
func (b *rebuilt) reason() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.at) > rebuiltTime {
		return ""
	}
	return b.why
}

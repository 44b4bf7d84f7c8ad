package overview

import (
	"context"
	"sync"

	"espy/internal/git"
	"espy/internal/locate"
)

// maxKept bounds the answers that are kept of one state of a repository.
const maxKept = 16

// request is what an answer depends on beside the files: the commits behind the one that
// is checked out count too.
type request struct {
	Request
	repo   string
	commit string
	depth  git.Stamp
}

// kept are whole answers about one state of a repository.
type kept struct {
	turn chan struct{} // holds one while an answer is worked out
	mu   sync.Mutex
	all  map[request]*Answer // guarded by mu
}

func keptOf(a *locate.Ask) *kept {
	return locate.Keep(a, func() (*kept, bool) { return &kept{turn: make(chan struct{}, 1), all: map[request]*Answer{}}, true })
}

func (k *kept) find(req request) *Answer {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all[req]
}

// answer returns the answer that is kept for a request, or that of work, which reports
// whether it is whole. Requests that come together are worked on one after the other, as
// they are likely the same, while there is time.
func (k *kept) answer(ctx context.Context, req request, work func() (a *Answer, whole bool, err error)) (*Answer, error) {
	if a := k.find(req); a != nil {
		return a, nil
	}
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
		if a := k.find(req); a != nil {
			return a, nil
		}
	case <-ctx.Done():
	}
	a, whole, err := work()
	if err != nil || !whole {
		return a, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.all) == maxKept {
		clear(k.all)
	}
	k.all[req] = a
	return a, nil
}

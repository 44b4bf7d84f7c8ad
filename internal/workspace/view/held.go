package view

import (
	"sync"

	"espy/internal/nav"
	"espy/internal/store"
	"espy/internal/tally"
)

// held keeps the newest generation of a view open between questions, and the
// index of its symbols.
type held struct {
	family *store.Family
	view   string
	tally  *tally.Tally

	mu     sync.Mutex
	snap   *store.Snapshot // nil before the first question, guarded by mu
	stamp  store.Stamp     // of snap, guarded by mu
	known  symbols         // of snap, guarded by mu
	closed bool            // guarded by mu
}

// symbols is an index of the symbols of a snapshot.
type symbols struct {
	snap  *store.Snapshot
	index *nav.Index
}

// newest returns the newest committed generation.
func (h *held) newest() (*store.Snapshot, error) {
	stamp, cut := h.family.Stamp(h.view), h.family.Recheck()
	h.mu.Lock()
	defer h.mu.Unlock()
	if cut {
		h.forgetLocked()
	}
	kept := h.snap != nil && h.stamp == stamp
	h.tally.Snapshots.Note(kept)
	if kept {
		return h.snap.Clone(), nil
	}
	s, err := h.family.Snapshot(h.view)
	if err != nil {
		return nil, err
	}
	h.forgetLocked()
	h.stamp = stamp
	if !h.closed && len(s.Damaged) == 0 {
		h.snap = s.Clone()
	}
	return s, nil
}

// forget drops the generation kept open, so that damage found in it counts.
func (h *held) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forgetLocked()
}

func (h *held) forgetLocked() {
	if h.snap != nil {
		h.snap.Close()
		h.snap, h.known = nil, symbols{}
	}
}

// close keeps no generation open any more. It returns the one that was, nil
// for none, for the caller to close.
func (h *held) close() *store.Snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.snap
	h.closed, h.snap, h.known = true, nil, symbols{}
	return s
}

// symbols returns an index of a snapshot. That of a generation is kept between
// questions, that of an overlay is not.
func (h *held) symbols(s *store.Snapshot) (*nav.Index, error) {
	h.mu.Lock()
	k, kept := h.known, h.snap != nil && h.snap.Same(s)
	h.mu.Unlock()
	known := k.index != nil && k.snap.Same(s)
	h.tally.Symbols.Note(known)
	if known {
		return k.index, nil
	}
	x, err := nav.Open(s)
	if err != nil || !kept {
		return x, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.snap != nil && h.snap.Same(s) {
		h.known = symbols{h.snap, x}
	}
	return x, nil
}

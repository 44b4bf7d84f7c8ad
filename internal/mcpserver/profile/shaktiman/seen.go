package shaktiman

import (
	"container/list"
	"math"
	"sync"
	"time"
)

// maxSeen is how many places a session remembers.
const maxSeen = 2000

// seen remembers which places were returned, and when: those that were used last.
type seen struct {
	mu      sync.Mutex
	most    int
	places  map[string]*list.Element // of order, guarded by mu
	order   *list.List               // of *sight, the one used last in front, guarded by mu
	queries int                      // so far, guarded by mu
}

// sight is a place that was returned.
type sight struct {
	place string
	times int
	last  time.Time
	query int // the number of the query that returned it last
}

func newSeen(most int) *seen {
	return &seen{most: most, places: map[string]*list.Element{}, order: list.New()}
}

// sights returns what is remembered of some places, as they were at one moment.
func (s *seen) sights(places []string) (all []sight, queries int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all = make([]sight, len(places))
	for i, p := range places {
		if e := s.places[p]; e != nil {
			all[i] = *e.Value.(*sight)
		}
	}
	return all, s.queries
}

// record remembers the places that a query returned.
func (s *seen) record(places []string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queries++
	for _, p := range places {
		e := s.places[p]
		if e == nil {
			e = s.order.PushFront(&sight{place: p})
			s.places[p] = e
		}
		at := e.Value.(*sight)
		at.times++
		at.last, at.query = now, s.queries
		s.order.MoveToFront(e)
	}
	for s.order.Len() > s.most {
		last := s.order.Back()
		delete(s.places, last.Value.(*sight).place)
		s.order.Remove(last)
	}
}

// signal is how much a place was returned lately, 0 to 1.
func (s *sight) signal(now time.Time, queries int) float64 {
	if s.times == 0 {
		return 0
	}
	minutes := max(0, now.Sub(s.last).Minutes())
	often := min(math.Log2(float64(s.times+1))/4, 1)
	return math.Exp(-0.07*minutes) * often * math.Exp(-0.1*float64(queries-s.query))
}

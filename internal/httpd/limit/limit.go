// Package limit keeps a server quick under load: so many requests and streams at a
// time, and so many requests a minute of one caller. What is too much is refused at
// once, before it is read, with the time after which to come again.
package limit

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"espy/internal/httpd/problem"
	"espy/internal/permit"
)

// Gate lets so many requests in at a time.
type Gate struct {
	requests, streams int // at most

	mu             sync.Mutex
	atWork, opened int // guarded by mu
}

// NewGate returns a gate for requests that are answered and end, and for streams,
// which stay.
func NewGate(requests, streams int) *Gate { return &Gate{requests: requests, streams: streams} }

// slot is the place of a request in the gate.
type slot struct {
	gate    *Gate
	streams bool
}

type slotKey struct{}

// Handler lets requests in, and answers that the server is busy where there is no
// place.
func (g *Gate) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.take(&g.atWork, g.requests) {
			busy("the server is busy with other requests").Write(later(w, 1))
			return
		}
		s := &slot{gate: g}
		defer s.leave()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), slotKey{}, s)))
	})
}

// Stream says that a request is a stream, which stays open: it gives its place to
// another request. It returns why there is no room for one more, nil where there is.
func Stream(w http.ResponseWriter, r *http.Request) *problem.Problem {
	s, ok := r.Context().Value(slotKey{}).(*slot)
	if !ok || s.streams {
		return nil
	}
	if !s.gate.take(&s.gate.opened, s.gate.streams) {
		later(w, 10)
		return busy(fmt.Sprintf("%d streams are open, and no more are kept", s.gate.streams))
	}
	s.leave()
	s.streams = true
	return nil
}

func (s *slot) leave() {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	if s.streams {
		s.gate.opened--
	} else {
		s.gate.atWork--
	}
}

func (g *Gate) take(n *int, most int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if *n >= most {
		return false
	}
	*n++
	return true
}

// Load returns how many requests are at work, and how many streams are open.
func (g *Gate) Load() (requests, streams int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.atWork, g.opened
}

func busy(why string) *problem.Problem {
	return problem.New(http.StatusServiceUnavailable, why, "ask again after the seconds that Retry-After says")
}

// later says after how many seconds to come again.
func later(w http.ResponseWriter, seconds int) http.ResponseWriter {
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	return w
}

// maxCallers is how many callers are remembered; the one that was quiet longest is
// forgotten first, and begins anew.
const maxCallers = 10_000

// Rate lets each caller send so many requests a minute.
type Rate struct {
	perMinute int
	now       func() time.Time
	callers   *lru.Cache[string, *rate.Limiter]
}

// NewRate returns a limit of requests a minute, nil for 0, which sets none. now is
// the clock, time.Now where it is nil.
func NewRate(perMinute int, now func() time.Time) *Rate {
	if perMinute <= 0 {
		return nil
	}
	if now == nil {
		now = time.Now
	}
	callers, err := lru.New[string, *rate.Limiter](maxCallers)
	if err != nil {
		panic(err) // the size is none
	}
	return &Rate{perMinute, now, callers}
}

// Handler lets requests through whose caller has some left, and tells each how many
// it has. Who uses this machine without a token is not limited. A nil Rate lets all
// through.
func (l *Rate) Handler(next http.Handler) http.Handler {
	if l == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := caller(r)
		if who == "" || l.allow(w.Header(), who) {
			next.ServeHTTP(w, r)
			return
		}
		problem.New(http.StatusTooManyRequests, fmt.Sprintf("more than %d requests a minute", l.perMinute), "ask again after the seconds that Retry-After says").Write(w)
	})
}

// caller is whom a request counts for: the bearer of its token, else its address.
func caller(r *http.Request) string {
	if c := permit.Of(r.Context()); c != nil {
		return c.Name
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if a, parseErr := netip.ParseAddr(host); err != nil || parseErr != nil || a.Unmap().IsLoopback() {
		return ""
	}
	return host
}

// allow takes one request from what a caller has, and tells what is left.
func (l *Rate) allow(h http.Header, who string) bool {
	fresh := rate.NewLimiter(rate.Limit(float64(l.perMinute)/60), l.perMinute)
	lim, known, _ := l.callers.PeekOrAdd(who, fresh)
	if !known {
		lim = fresh
	}
	l.callers.Get(who) // it is not quiet
	now := l.now()
	ok := lim.AllowN(now, 1)
	left := lim.TokensAt(now)
	perSecond := float64(l.perMinute) / 60
	h.Set("X-RateLimit-Limit", strconv.Itoa(l.perMinute))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(0, int(left))))
	h.Set("X-RateLimit-Reset", strconv.Itoa(int(math.Ceil((float64(l.perMinute)-left)/perSecond))))
	if !ok {
		h.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil((1-left)/perSecond)))))
	}
	return ok
}

package limit

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"espy/internal/permit"
)

// send sends a request from an address, for a caller where one is named.
func send(h http.Handler, from, who string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.RemoteAddr = from
	if who != "" {
		r = r.WithContext(permit.With(r.Context(), &permit.Caller{Name: who}))
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

var ok = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})

// TestRate checks that the last request of a minute is let through and the next is
// not, that the answer says when to come again, and that it is let through then.
func TestRate(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	h := NewRate(120, func() time.Time { return now }).Handler(ok)
	for name, tt := range map[string]struct {
		from, who string
		limited   bool
	}{
		"a token":             {"127.0.0.1:1", "ann", true},
		"another machine":     {"192.168.1.2:1", "", true},
		"this machine":        {"127.0.0.1:1", "", false},
		"this machine, IPv6":  {"[::1]:1", "", false},
		"another one's token": {"127.0.0.1:1", "bob", true},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range 120 {
				w := send(h, tt.from, tt.who)
				if w.Code != 200 {
					t.Fatalf("request %d: %d", i, w.Code)
				}
				if i == 119 && tt.limited && (w.Header().Get("X-RateLimit-Limit") != "120" || w.Header().Get("X-RateLimit-Remaining") != "0" || w.Header().Get("X-RateLimit-Reset") != "60") {
					t.Errorf("headers of the last %v", w.Header())
				}
			}
			w := send(h, tt.from, tt.who)
			if !tt.limited {
				if w.Code != 200 || w.Header().Get("X-RateLimit-Limit") != "" {
					t.Errorf("%d %v", w.Code, w.Header())
				}
				return
			}
			if w.Code != 429 || w.Header().Get("Retry-After") != "1" || !strings.Contains(w.Body.String(), "more than 120 requests a minute") {
				t.Fatalf("one more: %d %v %s", w.Code, w.Header(), w.Body)
			}
			now = now.Add(time.Second) // two of them come back
			if a, b, c := send(h, tt.from, tt.who).Code, send(h, tt.from, tt.who).Code, send(h, tt.from, tt.who).Code; a != 200 || b != 200 || c != 429 {
				t.Errorf("after a second: %d %d %d", a, b, c)
			}
		})
	}
}

// TestNoRate checks that 0 sets no limit.
func TestNoRate(t *testing.T) {
	if w := send(NewRate(0, nil).Handler(ok), "192.168.1.2:1", "ann"); w.Code != 200 || w.Header().Get("X-RateLimit-Limit") != "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// TestGate checks that there is room for so many requests and streams and not for
// one more, and that each gives its room back.
func TestGate(t *testing.T) {
	for name, stream := range map[string]bool{"requests": false, "streams": true} {
		t.Run(name, func(t *testing.T) {
			g := NewGate(3, 5)
			most, entered, release := 3, make(chan struct{}, 10), make(chan struct{})
			if stream {
				most = 5
			}
			h := g.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if stream {
					if p := Stream(w, r); p != nil {
						p.Write(w)
						return
					}
				}
				entered <- struct{}{}
				<-release
			}))
			var sent sync.WaitGroup
			for range most {
				sent.Go(func() {
					if w := send(h, "127.0.0.1:1", ""); w.Code != 200 {
						t.Errorf("%d", w.Code)
					}
				})
				<-entered
			}
			w := send(h, "127.0.0.1:1", "")
			if w.Code != 503 || w.Header().Get("Retry-After") == "" || w.Header().Get("Content-Type") != "application/problem+json" {
				t.Errorf("one more: %d %v", w.Code, w.Header())
			}
			if requests, streams := g.Load(); requests+streams != most || (streams > 0) != stream {
				t.Errorf("%d requests, %d streams", requests, streams)
			}
			close(release)
			sent.Wait()
			if requests, streams := g.Load(); requests+streams != 0 {
				t.Errorf("%d requests and %d streams are left", requests, streams)
			}
			if w := send(h, "127.0.0.1:1", ""); w.Code != 200 {
				t.Errorf("then: %d", w.Code)
			}
		})
	}
}

package httpd

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"espy/internal/httpd/problem"
)

// Health is what a server stands on, as /health tells it.
type Health struct {
	Database string // connected or disconnected
	Ollama   string // connected, disconnected or not configured
	Embedder string // which model compares meanings
}

// The words of Health.
const (
	Connected     = "connected"
	Disconnected  = "disconnected"
	NotConfigured = "not configured"
)

// checkup answers who asks how the server does.
type checkup struct {
	version string
	began   time.Time
	look    func(context.Context) Health
	leaving atomic.Bool // the server is about to end
}

// health tells how the server does. A model that cannot be reached only takes from
// the answers; without its indexes the server has none.
func (c *checkup) health(w http.ResponseWriter, r *http.Request) {
	h := c.look(r.Context())
	status, code := "healthy", http.StatusOK
	switch {
	case h.Database != Connected:
		status, code = "unhealthy", http.StatusServiceUnavailable
	case h.Ollama == Disconnected:
		status = "degraded"
	}
	writeJSON(w, code, map[string]any{
		"status": status, "database": h.Database, "ollama": h.Ollama, "embedder": h.Embedder,
		"version": c.version, "uptime_seconds": int64(time.Since(c.began).Seconds()),
	})
}

// ready tells a balancer whether to send requests.
func (c *checkup) ready(w http.ResponseWriter, r *http.Request) {
	if c.leaving.Load() {
		problem.New(http.StatusServiceUnavailable, "the server is about to end", "ask another").Write(w)
		return
	}
	if c.look(r.Context()).Database != Connected {
		problem.New(http.StatusServiceUnavailable, "the indexes cannot be read", "the server's log has the reason").Write(w)
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"status": "ready"})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Errorf("encode an answer: %w", err))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(text, '\n')) //nolint:errcheck // the client is gone
}

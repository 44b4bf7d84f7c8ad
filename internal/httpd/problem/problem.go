// Package problem writes the errors of the HTTP server: problem details as
// RFC 9457 has them, with a hint that says what would work.
package problem

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Problem is one error. Its type is always about:blank: the status says what kind
// it is, and the detail what was wrong.
type Problem struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`
}

// New returns a problem whose title is that of its status.
func New(status int, detail, hint string) *Problem {
	return &Problem{Status: status, Title: http.StatusText(status), Detail: detail, Hint: hint}
}

// Error is the detail, with the hint behind it.
func (p *Problem) Error() string {
	if p.Hint == "" {
		return p.Detail
	}
	return p.Detail + "; " + p.Hint
}

// Write answers a request with the problem. It may not be stored.
func (p *Problem) Write(w http.ResponseWriter) {
	text, err := json.Marshal(p)
	if err != nil {
		panic(fmt.Errorf("encode a problem: %w", err))
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	w.Write(append(text, '\n')) //nolint:errcheck // the client is gone
}

package httpd

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"espy/internal/httpd/problem"
)

// logged writes a line for each request: what was asked for and how it ended, and
// nothing of its content. A panic in one request is answered and does not reach
// the others, and count is told of each. A client has a bounded time to take what is written to it.
func logged(log *slog.Logger, count func(path string, status int), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, out := time.Now(), &writer{ResponseWriter: w, control: http.NewResponseController(w)}
		defer func() {
			cause := recover()
			if cause == http.ErrAbortHandler { //nolint:errorlint // net/http has it so
				panic(cause)
			}
			if cause != nil {
				log.Error("request panicked", "path", r.URL.Path, "panic", cause, "stack", string(debug.Stack()))
				if out.status == 0 {
					problem.New(http.StatusInternalServerError, "internal error of espy", "its log has the details").Write(out)
				}
			}
			count(r.URL.Path, out.status)
			log.Info("request", "method", r.Method, "path", r.URL.Path, "status", out.status, "ms", time.Since(began).Milliseconds(), "from", r.RemoteAddr)
		}()
		next.ServeHTTP(out, r)
	})
}

// writer notes the status of an answer, and gives each write of it a time.
type writer struct {
	http.ResponseWriter
	control *http.ResponseController
	status  int
}

// Unwrap is for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.allow()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *writer) Write(text []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.allow()
	return w.ResponseWriter.Write(text)
}

// Flush implements http.Flusher.
func (w *writer) Flush() {
	w.allow()
	w.control.Flush() //nolint:errcheck // the client is gone
}

func (w *writer) allow() {
	w.control.SetWriteDeadline(time.Now().Add(writeTime)) //nolint:errcheck // one that has none
}

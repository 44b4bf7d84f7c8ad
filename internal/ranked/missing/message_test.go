package missing

import "testing"

// TestPrinted holds what of a query a program surely printed, without its prefix.
func TestPrinted(t *testing.T) {
	for _, c := range []struct{ name, query, want string }{
		{"a time and a level", "[2026-11-22 17:13:49,001: ERROR/worker-3] the queue is gone for good", "the queue is gone for good"},
		{"klog", "E1122 17:13:49.001234       1 server.go:117] the queue is gone for good", "the queue is gone for good"},
		{"a container", "web-1  | ERROR: the queue is gone for good", "the queue is gone for good"},
		{"an exception", "java.lang.IllegalStateException: the queue is gone for good", "the queue is gone for good"},
		{"a place before it", "src/queue.c:12:5: error: the queue is gone for good", "the queue is gone for good"},
		{"no prefix", "failed to drain the queue: broken pipe", "failed to drain the queue: broken pipe"},
		{"a failure behind what went well", "2026-11-22 17:13:49 INFO the queue was opened\n2026-11-22 17:13:50 ERROR failed to drain the queue", "failed to drain the queue"},
		{"quoted", "who prints `failed to drain the queue` and when", "failed to drain the queue"},
		{"a question", "why is the queue drained: invalid state", ""},
		{"keywords", "error handling of the queue", ""},
		{"names", "queue.Drain error", ""},
		{"a trace", "failed to drain the queue: broken pipe\n    at Shop.Queue.Drain() in /srv/Queue.cs:line 12\n", ""},
		{"too short", "ERROR: no queue", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := printed(c.query, nil); got != c.want {
				t.Errorf("printed(%q) = %q, want %q", c.query, got, c.want)
			}
		})
	}
}

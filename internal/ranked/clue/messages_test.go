package clue

import (
	"testing"

	"espy/internal/ranked/message"
)

// TestMayBeMessage holds which lines are looked for as what a program printed:
// keywords and questions are not.
func TestMayBeMessage(t *testing.T) {
	for _, c := range []struct {
		line string
		want bool
	}{
		{"garbage collector write barrier", false},
		{"how are redirects followed by the http client", false},
		{"Where is the cache emptied after a push", false},
		{"permission denied", false},
		{"iptables artifacts detected on the host", true},
		{"dial tcp: connection refused", true},
		{"cannot take 5 items", true},
		{"unknown kind “left” of shelf", true},
	} {
		t.Run(c.line, func(t *testing.T) {
			if got := mayBeMessage(&utterance{text: c.line}, message.New(c.line).Words()); got != c.want {
				t.Errorf("mayBeMessage(%q) = %v, want %v", c.line, got, c.want)
			}
		})
	}
}

package clue

import (
	"testing"

	"espy/internal/ranked/message"
)

// TestMayBeMessage holds which lines are looked for as what a program printed:
// questions are not, and keywords only where they are all of a literal.
func TestMayBeMessage(t *testing.T) {
	for _, c := range []struct {
		line       string
		may, whole bool
	}{
		{"garbage collector write barrier", true, true},
		{"how are redirects followed by the http client", false, false},
		{"Where is the cache emptied after a push", false, false},
		{"permission denied", false, false},
		{"iptables artifacts detected on the host", true, false},
		{"dial tcp: connection refused", true, false},
		{"cannot take 5 items", true, false},
		{"cannot take items", true, false},
		{"unknown kind “left” of shelf", true, false},
	} {
		t.Run(c.line, func(t *testing.T) {
			if may, whole := mayBeMessage(&utterance{text: c.line}, message.New(c.line).Words()); may != c.may || may && whole != c.whole {
				t.Errorf("mayBeMessage(%q) = %v, %v, want %v, %v", c.line, may, whole, c.may, c.whole)
			}
		})
	}
}

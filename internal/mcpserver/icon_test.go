package mcpserver

import (
	"regexp"
	"testing"

	"espy/internal/mcpserver/surface"
)

// TestIcon checks that the icon is a URI: clients that check messages against the
// protocol's schema refuse any other.
func TestIcon(t *testing.T) {
	if !regexp.MustCompile(`^data:image/svg\+xml,[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+$`).MatchString(surface.Icon) {
		t.Errorf("icon %s", surface.Icon)
	}
}

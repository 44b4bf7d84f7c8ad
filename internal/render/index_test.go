package render

import (
	"strings"
	"testing"

	"espy/internal/workspace/coverage"
)

// TestVectorLine holds who is said to send what a remote model was not asked about.
func TestVectorLine(t *testing.T) {
	for _, tt := range []struct {
		of   coverage.OfVectors
		want string
	}{
		{coverage.OfVectors{Remote: true, Pending: 3}, "3 are not embedded yet: espy mcp and espy watch send them\n"},
		{coverage.OfVectors{Remote: true, Pending: 3, Team: true}, "3 are not embedded yet: espy worker sends them\n"},
		{coverage.OfVectors{Remote: true, Pending: 3, Team: true, Why: "no key"}, "3 are not embedded yet: no key\n"},
	} {
		if got := vectorLine(tt.of); !strings.HasSuffix(got, tt.want) {
			t.Errorf("vectorLine(%+v) = %q, want the end %q", tt.of, got, tt.want)
		}
	}
}

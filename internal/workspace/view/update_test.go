package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"espy/internal/discover"
	"espy/internal/git/export"
)

// TestLeftOut holds the words for what an export left out.
func TestLeftOut(t *testing.T) {
	for _, c := range []struct {
		name string
		left export.LeftOut
		want discover.Exclusion
	}{
		{"link", export.LeftOut{Path: "a", Why: export.WhyLink}, discover.Exclusion{Path: "a", Reason: discover.ReasonSymlink}},
		{"submodule", export.LeftOut{Path: "a", Why: export.WhySubmodule}, discover.Exclusion{Path: "a", Dir: true, Reason: discover.ReasonSubmodule}},
		{"missing", export.LeftOut{Path: "a", Why: export.WhyMissing, Detail: "x"}, discover.Exclusion{Path: "a", Reason: discover.ReasonUnreadable, Detail: "the repository does not hold its text"}},
		{"name", export.LeftOut{Path: "a", Why: export.WhyName}, discover.Exclusion{Path: "a", Reason: discover.ReasonUnreadable, Detail: "no file may have this name"}},
		{"name, with why", export.LeftOut{Path: "a", Why: export.WhyName, Detail: "too long"}, discover.Exclusion{Path: "a", Reason: discover.ReasonUnreadable, Detail: "too long"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff([]discover.Exclusion{c.want}, leftOut([]export.LeftOut{c.left})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got := leftOut(nil); got != nil {
		t.Errorf("nothing left out: %v", got)
	}
}

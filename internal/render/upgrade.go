package render

import (
	"fmt"
	"strings"

	"espy/internal/place"
	"espy/internal/workspace/coverage"
)

// Upgrade is the outcome of an upgrade.
type Upgrade []coverage.Upgraded

// Text writes a line for each repository.
func (list Upgrade) Text(o Options) string {
	var b strings.Builder
	done := 0
	for _, u := range list {
		fmt.Fprintf(&b, "%s %s", o.color(place.Name(u.Name), colorPath), u.State)
		if u.Detail != "" {
			b.WriteString(": " + short(u.Detail, 300))
		}
		if u.Dropped > 0 {
			fmt.Fprintf(&b, "; dropped the indexes of %s, which are rebuilt on demand", count(u.Dropped, "commit"))
		}
		b.WriteByte('\n')
		if u.State == coverage.UpgradeDone || u.State == coverage.UpgradeIndexed {
			done++
		}
	}
	fmt.Fprintf(&b, "%d of %s upgraded\n", done, count(len(list), "repository"))
	return b.String()
}

type upgradeJSON struct {
	Repos []upgradedJSON `json:"repos"`
}

type upgradedJSON struct {
	Name    string                `json:"name"`
	Root    string                `json:"root"`
	State   coverage.UpgradeState `json:"state"` // current, upgraded, indexed, vanished, newer or failed
	Detail  string                `json:"detail,omitempty"`
	Dropped int                   `json:"dropped,omitempty"`
}

// JSON writes an object for each repository.
func (list Upgrade) JSON(Options) []byte {
	v := upgradeJSON{Repos: make([]upgradedJSON, len(list))}
	for i, u := range list {
		v.Repos[i] = upgradedJSON(u)
	}
	return JSON(v)
}

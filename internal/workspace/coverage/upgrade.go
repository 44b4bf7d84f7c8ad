package coverage

import (
	"errors"
	"fmt"

	"espy/internal/embedding"
	"espy/internal/store"
)

// UpgradeState says what an upgrade found of a repository, or did.
type UpgradeState string

// The states.
const (
	UpgradeCurrent  UpgradeState = "current"  // nothing was to be done
	UpgradeDone     UpgradeState = "upgraded" // it was of an older format
	UpgradeIndexed  UpgradeState = "indexed"  // it had no index, or a damaged one
	UpgradeVanished UpgradeState = "vanished" // its folder is gone; what there is was left
	UpgradeNewer    UpgradeState = "newer"    // a newer program wrote it; it was left
	UpgradeFailed   UpgradeState = "failed"
)

// Upgraded is what an upgrade did for one repository.
type Upgraded struct {
	Name, Root string
	State      UpgradeState
	Detail     string // from which format, or what went wrong
	Dropped    int    // indexes of commits in an older format, which are made anew when they are asked for
}

// Failed reports whether it could not be brought to the format.
func (u *Upgraded) Failed() bool { return u.State == UpgradeFailed }

// Outdated says in what state an index is, by its newest generation or why there is
// none, and of which format or model it is.
func Outdated(s *store.Snapshot, failed error, model embedding.Model) (state UpgradeState, detail string, err error) {
	var format *store.FormatError
	switch {
	case failed == nil:
		if old := s.OldSyntax(); old != 0 {
			return UpgradeDone, fmt.Sprintf("its symbols were of version %d, now %d", old, store.Syntax), nil
		}
		n, err := unembedded(s, model)
		if err == nil && n > 0 {
			return UpgradeDone, fmt.Sprintf("%d files had no vectors of this program's model", n), nil
		}
		return UpgradeCurrent, "", err
	case errors.As(failed, &format) && format.Newer():
		return UpgradeNewer, failed.Error(), nil
	case errors.As(failed, &format):
		return UpgradeDone, fmt.Sprintf("it was of format %d, now %d", format.Found, format.Wanted), nil
	case store.Rebuildable(failed):
		return UpgradeIndexed, "", nil
	}
	return "", "", failed
}

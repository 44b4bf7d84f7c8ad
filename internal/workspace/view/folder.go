package view

import (
	"fmt"
	"os"

	"espy/internal/git"
	"espy/internal/place"
	"espy/internal/usage"
)

// CheckPrivate refuses a data folder that every user of the machine may write to:
// what another put there would be believed.
func CheckPrivate(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o002 == 0 {
		return nil // one that there is not is made; another error comes when it is used
	}
	return &usage.Error{
		Msg:  fmt.Sprintf("the data folder %s may be written to by every user of this machine (mode %#o)", dir, info.Mode().Perm()),
		Hint: "make it yours: chmod 700 " + place.Name(dir) + "; or choose another with --data-dir",
	}
}

// CanonicalAll resolves the links of folders, where there are such folders.
func CanonicalAll(dirs []string) (list []string) {
	for _, dir := range dirs {
		if real, err := Canonical(dir); err == nil {
			dir = real
		}
		list = append(list, dir)
	}
	return list
}

// SharedFolder returns the git folder that other work trees may share, "" where
// there is none that can be believed.
func SharedFolder(root string) string {
	dir, err := git.Common(root)
	if err != nil {
		return ""
	}
	return dir
}

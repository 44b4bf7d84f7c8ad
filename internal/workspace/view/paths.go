package view

import (
	"path/filepath"
)

// Canonical is the absolute path without symbolic links.
func Canonical(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

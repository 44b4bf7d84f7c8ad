// Package replace writes small files whole or not at all.
package replace

import (
	"errors"
	"os"
	"path/filepath"
)

// Leftover is the glob, in the folder of a file, of what a process that was killed
// while it wrote may have left.
const Leftover = ".tmp-*"

// File puts data in the place of a file, which only its owner may read then. It need
// not survive the end of the machine, and so is not flushed.
func File(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), Leftover)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

package git

import (
	"fmt"
	"os"
	"syscall"
)

// open opens a regular file beneath the root and never waits for one.
func open(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, fmt.Errorf("open %s: not a regular file", name)
	}
	return f, nil
}

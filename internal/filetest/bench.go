//go:build unix

package filetest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Corpora returns the trees to measure.
func Corpora(tb testing.TB) []string {
	dirs := []string{GoSource(tb)}
	if more := os.Getenv("ESPY_BENCH"); more != "" {
		dirs = append(dirs, strings.Split(more, ":")...)
	}
	for i, d := range dirs {
		full, err := filepath.EvalSymlinks(d)
		if err != nil {
			tb.Fatal(err)
		}
		dirs[i] = full
	}
	return dirs
}

// CPU returns the time that the process and its children took, user and system.
func CPU() time.Duration {
	var self, children syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &self)
	syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children)
	sum := time.Duration(0)
	for _, u := range []syscall.Rusage{self, children} {
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}

// Quantile returns a quantile of times, in milliseconds. It sorts them.
func Quantile(d []time.Duration, q float64) float64 {
	slices.Sort(d)
	return float64(d[int(q*float64(len(d)-1))].Microseconds()) / 1000
}

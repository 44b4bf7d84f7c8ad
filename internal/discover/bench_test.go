//go:build unix

package discover

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"espy/internal/discover/roots"
	"espy/internal/filetest"
)

// BenchmarkWalk compares a walk with the bare walk that any program must do to
// know what changed: filepath.WalkDir with an lstat of each file.
func BenchmarkWalk(b *testing.B) {
	dir := filetest.GoSource(b)
	b.Run("bare", func(b *testing.B) {
		n, before := 0, cpu(b)
		for b.Loop() {
			n = 0
			err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				n++
				_, err = d.Info()
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		reportEach(b, n, before)
	})
	for _, c := range []struct {
		name string
		o    Options
		p    Policy
	}{
		{name: "one", o: Options{Workers: 1}},
		{name: "all"},
		{name: "portable", o: Options{Workers: 1, portable: true}},
		{name: "globs", o: Options{Workers: 1}, p: Policy{Include: []string{"**/*.go", "*.s"}, Exclude: []string{"testdata/"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			root, err := roots.Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			defer root.Close()
			b.ReportAllocs()
			n, before := 0, cpu(b)
			for b.Loop() {
				l, err := Walk(context.Background(), root, c.p, c.o)
				if err != nil {
					b.Fatal(err)
				}
				n = len(l.Entries) + len(l.Excluded) + l.Dirs
			}
			reportEach(b, n, before)
		})
	}
}

// cpu returns the processor time that this process has used, user and system.
func cpu(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

func reportEach(b *testing.B, n int, cpuBefore float64) {
	b.Helper()
	each := float64(b.N) * float64(n)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/each, "ns/entry")
	b.ReportMetric((cpu(b)-cpuBefore)/each, "cpu-ns/entry")
}

// BenchmarkRead compares reading every file of a tree with os.ReadFile.
func BenchmarkRead(b *testing.B) {
	dir := filetest.GoSource(b)
	root, err := roots.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	l, err := Walk(context.Background(), root, Policy{}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("bare", func(b *testing.B) {
		b.SetBytes(l.Bytes)
		for b.Loop() {
			for _, e := range l.Entries {
				if _, err := os.ReadFile(filepath.Join(dir, e.Path)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	for _, c := range []struct {
		name     string
		portable bool
	}{{"reader", false}, {"portable", true}} {
		b.Run(c.name, func(b *testing.B) {
			r, err := newReader(root, Policy{}, c.portable)
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			b.SetBytes(l.Bytes)
			b.ReportAllocs()
			for b.Loop() {
				for _, e := range l.Entries {
					if _, _, err := r.Read(e.Path); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

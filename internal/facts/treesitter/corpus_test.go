//go:build cgo && !race

package treesitter

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"espy/internal/facts/tree"
)

// TestCorpus reads every file below the folder ESPY_CORPUS and says how fast.
func TestCorpus(t *testing.T) {
	root := os.Getenv("ESPY_CORPUS")
	if root == "" {
		t.Skip("ESPY_CORPUS names no folder")
	}
	type total struct {
		files, bytes, faulty, symbols, uses, exprs int
		parse, all                                 float64
	}
	totals := map[string]*total{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || grammarOf(path) == "" || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		grammar := grammarOf(path)
		if grammar == "c" {
			grammar = tree.GrammarOf("c", path, text)
		}
		if err != nil || len(text) > 2<<20 {
			return err
		}
		n := totals[grammar]
		if n == nil {
			n = &total{}
			totals[grammar] = n
		}
		start := cpu(t)
		parsed, err := Parse(grammar, tree.Prepare(grammar, text))
		if err != nil {
			t.Logf("%s: %v", path, err)
			return nil
		}
		n.parse += cpu(t) - start
		f := tree.Facts(parsed, text, Parse)
		n.all += cpu(t) - start
		checkFacts(t, f, text)
		if t.Failed() {
			t.Fatal(path)
		}
		n.files, n.bytes, n.symbols, n.uses, n.exprs = n.files+1, n.bytes+len(text), n.symbols+len(f.Symbols), n.uses+len(f.Uses), n.exprs+len(f.Exprs)
		if len(f.Errors) > 0 {
			n.faulty++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for grammar, n := range totals {
		mb := float64(n.bytes) / 1e6
		t.Logf("%-10s %d files %.1f MB, %d with faults, %d symbols %d uses %d exprs; MB per CPU second: parse %.1f, with facts %.1f",
			grammar, n.files, mb, n.faulty, n.symbols, n.uses, n.exprs, mb/n.parse, mb/n.all)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("Go memory %d MB", m.Sys>>20)
}

// cpu is the processor time that this process has used, in seconds.
func cpu(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

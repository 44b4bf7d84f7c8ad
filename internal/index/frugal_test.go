package index

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestSaveMemory(t *testing.T) {
	percent := func() int {
		p := debug.SetGCPercent(-1)
		debug.SetGCPercent(p)
		return p
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	one, two := saveMemory(), saveMemory()
	if got := percent(); got != buildGCPercent {
		t.Errorf("with two builds: %d %%, want %d", got, buildGCPercent)
	}
	one()
	if got := percent(); got != buildGCPercent {
		t.Errorf("with one build: %d %%, want %d", got, buildGCPercent)
	}
	two()
	if got := percent(); got != 100 {
		t.Errorf("without builds: %d %%, want 100", got)
	}
	parse := newMemory(parseGCPercent)
	if got := percent(); got != parseGCPercent {
		t.Errorf("while parsing: %d %%, want %d", got, parseGCPercent)
	}
	one = saveMemory()
	if got := percent(); got != buildGCPercent {
		t.Errorf("while parsing beside a build: %d %%, want %d", got, buildGCPercent)
	}
	one()
	held := make([]byte, 4*parseGarbage)
	runtime.GC()
	parse.suit()
	if got := percent(); got != buildGCPercent {
		t.Errorf("while parsing with %d bytes in use: %d %%, want %d", len(held), got, buildGCPercent)
	}
	runtime.KeepAlive(held)
	parse.end()
	if got := percent(); got != 100 {
		t.Errorf("after parsing: %d %%, want 100", got)
	}
	debug.SetGCPercent(30)
	end := saveMemory()
	if got := percent(); got != 30 {
		t.Errorf("with another choice than the default: %d %%, want 30", got)
	}
	end()
	if got := percent(); got != 30 {
		t.Errorf("after it: %d %%, want 30", got)
	}
}

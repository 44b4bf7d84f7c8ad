package frugal

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// percent is the percentage that holds.
func percent() int {
	p := debug.SetGCPercent(-1)
	debug.SetGCPercent(p)
	return p
}

func TestPercent(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	one, two := Build(), Build()
	if got := percent(); got != buildPercent {
		t.Errorf("with two builds: %d %%, want %d", got, buildPercent)
	}
	one()
	if got := percent(); got != buildPercent {
		t.Errorf("with one build: %d %%, want %d", got, buildPercent)
	}
	two()
	if got := percent(); got != 100 {
		t.Errorf("without builds: %d %%, want 100", got)
	}
	parse := Parse()
	if got := percent(); got != parsePercent {
		t.Errorf("while parsing: %d %%, want %d", got, parsePercent)
	}
	one = Build()
	if got := percent(); got != buildPercent {
		t.Errorf("while parsing beside a build: %d %%, want %d", got, buildPercent)
	}
	one()
	held := make([]byte, 4*parseGarbage)
	runtime.GC()
	parse.Adapt()
	if got := percent(); got != buildPercent {
		t.Errorf("while parsing with %d bytes in use: %d %%, want %d", len(held), got, buildPercent)
	}
	runtime.KeepAlive(held)
	runtime.GC()
	parse.Adapt()
	if got := percent(); got < 2*buildPercent {
		t.Errorf("while parsing with little in use again: %d %%, want far more than %d", got, buildPercent)
	}
	parse.Commit()
	if got := percent(); got != buildPercent {
		t.Errorf("while committing: %d %%, want %d", got, buildPercent)
	}
	parse.End()
	if got := percent(); got != 100 {
		t.Errorf("after parsing: %d %%, want 100", got)
	}
	few, many := Compare(manyFiles-1), Compare(manyFiles)
	if got := percent(); got != comparePercent {
		t.Errorf("while many files are compared: %d %%, want %d", got, comparePercent)
	}
	many()
	if got := percent(); got != 100 {
		t.Errorf("while few files are compared: %d %%, want 100", got)
	}
	few()
	debug.SetGCPercent(30)
	end := Build()
	if got := percent(); got != 30 {
		t.Errorf("with another choice than the default: %d %%, want 30", got)
	}
	end()
	if got := percent(); got != 30 {
		t.Errorf("after it: %d %%, want 30", got)
	}
}

func TestStart(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	Start()
	if got := percent(); got != startPercent {
		t.Errorf("as a process starts: %d %%, want %d", got, startPercent)
	}
	Scan()()
	if got := percent(); got != 100 {
		t.Errorf("after work: %d %%, want 100", got)
	}
	Start()
	for percent() != 100 {
		runtime.GC() // its clean-ups run beside it
	}
	debug.SetGCPercent(50)
	Start()
	if got := percent(); got != 50 {
		t.Errorf("with a percentage that somebody chose: %d %%, want 50", got)
	}
}

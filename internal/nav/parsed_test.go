package nav_test

import (
	"strings"
	"testing"

	"espy/internal/facts/factstest"
	"espy/internal/locate"
	"espy/internal/nav"
	"espy/internal/resolve/corpus"
)

// parsed indexes files with their facts.
func parsed(t *testing.T, files map[string][]byte) *nav.Index {
	t.Helper()
	return opened(t, factstest.Part(t, files))
}

// opened is the index of the files of a part.
func opened(t testing.TB, p corpus.Part) *nav.Index {
	t.Helper()
	x, err := nav.New([]corpus.Part{p})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestUnknownIsNotUndeclared holds that a file which is not parsed, or not yet, is
// not said to declare nothing of a name: nobody knows what it declares.
func TestUnknownIsNotUndeclared(t *testing.T) {
	known := factstest.PartOf(t, map[string][]byte{"a.go": []byte("package a\n\nfunc Start() {}\n"), "b.py": []byte("def start(): pass\n")}, goOnly)
	pending := factstest.PartOf(t, map[string][]byte{"c.rs": []byte("fn start() {}\n")}, goOnly)
	pending.Syntax = nil
	x, err := nav.New([]corpus.Part{known, pending})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"a.go#Stop": "not declared in a.go", "b.py#start": "b.py could not be parsed", "c.rs#stop": "c.rs is not parsed yet", "d.go#Start": "d.go is not in the index",
	} {
		t.Run(id, func(t *testing.T) {
			_, err := x.Symbol(nav.SymbolRequest{Target: locate.Target{Name: id}})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

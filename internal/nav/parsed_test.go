package nav_test

import (
	"testing"

	"espy/internal/facts/factstest"
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

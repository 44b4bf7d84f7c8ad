// Package searchtest runs searches for the tests of the packages below search.
package searchtest

import (
	"testing"

	"espy/internal/hit"
	"espy/internal/search"
	"espy/internal/store"
)

// Must answers a request or ends the test.
func Must(t testing.TB, snaps []*store.Snapshot, req hit.Request) *hit.Result {
	t.Helper()
	res, err := search.Search(t.Context(), snaps, req)
	if err != nil {
		t.Fatalf("Search(%+v): %v", req, err)
	}
	return res
}

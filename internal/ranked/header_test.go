package ranked_test

import (
	"testing"

	"espy/internal/hit"
	"espy/internal/sample"
	"espy/internal/search/searchtest"
	"espy/internal/store"
)

// TestHeader holds that the file that does the work stands before a header that says the
// same words, unless the question asks for a header.
func TestHeader(t *testing.T) {
	snap := sample.Repository(t, "demo", map[string]string{
		"mm/pool.h": `static inline void pool_free_object(struct pool *pool, void *object)
{
	free_object(pool, object);
}
`,
		"mm/pool.c": `#include "pool.h"

/* Called by pool_free_object with the lock held. */
void free_object(struct pool *pool, void *object)
{
	struct page *page = page_of(object);

	page->used--;
	push(page->spare, object);
}
`,
	})
	for query, want := range map[string]string{
		"how does a pool free objects": "mm/pool.c",
		"header of the pool":           "mm/pool.h",
	} {
		res := searchtest.Must(t, []*store.Snapshot{snap}, hit.Request{Query: query})
		if len(res.Hits) != 2 || res.Hits[0].Path != want {
			t.Errorf("%q shows %s first, want %s", query, res.Hits[0].Path, want)
		}
	}
}
